# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
"""docs/book/check_book.py must refuse a book in which a reader would be lost; so must what builds it."""

import pathlib
import sys
import tempfile
import unittest
import unittest.mock

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "docs" / "book"))
import book_search  # noqa: E402
import build_book  # noqa: E402
import check_book  # noqa: E402
import lesson_filter  # noqa: E402


class Folder(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.root = pathlib.Path(self.folder.name)

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path


class CheckBook(Folder):
    def setUp(self):
        super().setUp()
        self.write(
            "index.html",
            '<p>a <code>$$ ](x) \\f$</code></p><nav><a class="next" href="chapter_00_a.html">n</a></nav>',
        )
        self.write(
            "chapter_00_a.html",
            '<h1 id="top">A</h1><img src="picture_x.png" alt="x">'
            '<a href="chapter_01_b.html#s">b</a><a class="next" href="chapter_01_b.html">n</a>',
        )
        self.write(
            "chapter_01_b.html",
            '<a name="s"></a><a href="#s">s</a><a href="https://x.y">w</a>'
            '<a class="previous" href="chapter_00_a.html">p</a>',
        )
        self.write("picture_x.png", "")
        self.write(
            "style.css", "a { background: url(picture_x.png) } b { background: url('data:x') } /* url(no) */"
        )
        self.assertEqual(check_book.check(self.root), [], "the book that all others are made from is right")

    def refused(self, wanted, text, page="chapter_01_b.html"):
        path = self.root / page
        before = path.read_text(encoding="utf-8")
        path.write_text(before + "\n" + text, encoding="utf-8")
        problems = check_book.check(self.root)
        path.write_text(before, encoding="utf-8")
        self.assertEqual(len(problems), 1, problems)
        self.assertIn(wanted, problems[0])

    def test_links(self):
        self.refused(
            "chapter_01_b.html:2: the link target 'none.html' does not exist", '<a href="none.html">x</a>'
        )
        self.refused("chapter_00_a.html has no anchor '#s'", '<a href="chapter_00_a.html#s">x</a>')
        self.refused("chapter_01_b.html has no anchor '#t'", '<a href="#t">x</a>')
        self.refused("leads out of the book", '<a href="../secret.html">x</a>')

    def test_pictures(self):
        self.refused("picture or script 'picture_y.png' does not exist", '<img src="picture_y.png" alt="y">')
        self.refused("has no text", '<img src="picture_x.png" alt=" ">')
        self.refused("would come from the network", '<img src="https://x.y/z.png" alt="z">')
        self.refused("without an address", '<img src="" alt="z">')

    def test_network(self):
        self.refused(
            "'https://cdn/x.js' would come from the network", '<script src="https://cdn/x.js"></script>'
        )
        self.refused(
            "'//cdn/x.css' would come from the network", '<link rel="stylesheet" href="//cdn/x.css">'
        )
        self.refused(
            "'http://x/f.woff' would come from the network", "a { src: url(http://x/f.woff) }", "style.css"
        )
        self.refused("style.css: 'y.png' does not exist", "a { background: url(y.png) }", "style.css")

    def test_leftovers(self):
        for what, text in (
            ("a formula", r"<p>so \f$x\f$</p>"),
            ("a formula", "<p>$$x$$</p>"),
            ("a link", "<p>[x](y.md)</p>"),
            ("a fence", "<p>```cpp</p>"),
            ("a comment", "<p>&lt;!-- x</p>"),
            ("an entity", "<p>&amp;#45;</p>"),
            ("a tag", "<h1>&lt;code&gt;</h1>"),
        ):
            self.refused(f"{what} was not understood", text)
        self.write("x_source.html", "<p>```</p>")
        self.assertEqual(check_book.check(self.root), [], "a listing of a source is shown as it is")

    def test_way_through_the_chapters(self):
        self.write("chapter_02_c.html", '<a class="previous" href="chapter_01_b.html">p</a>')
        self.assertIn(
            "'next' leads through chapter_00_a.html, chapter_01_b.html", check_book.check(self.root)[0]
        )
        self.write("chapter_01_b.html", '<a name="s"></a><a class="next" href="chapter_02_c.html">n</a>')
        self.assertEqual(
            check_book.check(self.root), ["chapter_01_b.html: 'previous' does not lead to chapter_00_a.html"]
        )

    def test_no_book(self):
        for path in self.root.glob("chapter*"):
            path.unlink()
        self.write("index.html", "")
        self.assertEqual(check_book.check(self.root), ["the book has no chapters"])
        (self.root / "index.html").unlink()
        self.assertIn("there is no book", check_book.check(self.root)[0])


class BuildBook(Folder):
    def setUp(self):
        super().setUp()
        self.write("README.md", "# The book\n\n[first](chapters/00_a/README.md)\n")
        self.write("chapters/01_b/README.md", "# 01 B & C\n\n![x](x.png)\n")
        self.write("chapters/00_a/README.md", "# 00 A\n\nIs @it\n`one`? Two.\n\n## Halo, tile\n")
        self.write("chapters/00_a/a.cu", "")
        self.write("chapters/00_a/broken.cu", "")
        self.write("docs/glossary.md", "# Glossary\n")

    def pages(self):
        book = lesson_filter.Book(self.root, build_book.pages(self.root))
        files = build_book.write_pages(book, self.root / "pages")
        return book, {path.name: path.read_text(encoding="utf-8") for path in files}

    def test_pages_of_steps(self):
        self.write("docs/book/pages_of_steps.txt", '# A list.\na.cu --title "a: b"\n\nb.cu --block 1 # one\n')
        self.assertEqual(build_book.pages_of_steps(self.root), {"a.cu": ["--title", "a: b"], "b.cu": ["--block", "1"]})
        draw = self.root / "chapters/draw"
        draw.write_text(
            '#!/bin/sh\n[ "$1" = a.cu ] || { echo "no $1" >&2; exit 1; }\necho "$EMULATOR_ORDER $EMULATOR_CHECK $*" >"$7"\n'
        )
        draw.chmod(0o755)
        page = self.root / "a.html"
        with unittest.mock.patch.dict("os.environ", EMULATOR_CHECK="0"):  # does not come from outside
            build_book.draw_all_steps(self.root, "build", {page: "a.cu"})
        self.assertEqual(page.read_text(), f"forward  a.cu --title a: b --build build --steps {page}\n")
        with self.assertRaisesRegex(SystemExit, "(?s)b.cu.*\nno b.cu"):
            build_book.draw_all_steps(self.root, "build", {page: "a.cu", self.root / "b.html": "b.cu"})

    def test_missing_picture_is_a_problem(self):
        book, _ = self.pages()
        self.assertEqual(book.problems, ["chapters/01_b/README.md:3: the picture 'x.png' does not exist"])
        self.write("chapters/01_b/x.png", "")
        book, _ = self.pages()
        self.assertEqual(book.problems, [])
        self.assertEqual(book.pictures, {"picture_chapters_01_b_x.png": "chapters/01_b/x.png"})

    def test_drawing_that_no_browser_shows_is_a_problem(self):
        self.write("chapters/01_b/README.md", "# 01 B & C\n\n![x](x.svg)\n")
        for text, problem in (
            ('<svg xmlns="http://www.w3.org/2000/svg"><text>a</text></svg>', None),
            ('<svg xmlns="http://www.w3.org/2000/svg"><text>a & b</text></svg>', "is not well-formed"),
            ("", "is not well-formed"),
            ("<p>a</p>", "is no SVG"),
        ):
            self.write("chapters/01_b/x.svg", text)
            book, _ = self.pages()
            self.assertEqual(len(book.problems), 0 if problem is None else 1, text)
            if problem:
                self.assertIn(f"the picture 'x.svg' {problem}", book.problems[0])

    def test_pages_and_steps_are_in_order(self):
        _, pages = self.pages()
        self.assertEqual(
            list(pages), ["mainpage.md", "book.md", "chapter_00_a.md", "chapter_01_b.md", "glossary.md"]
        )
        self.assertIn(
            "- @subpage chapter_00_a <br>\n  Is \\@it <code>one</code>?\n- @subpage chapter_01_b <br>\n  \n",
            pages["book.md"],
        )
        self.assertIn('<a class="next" href="chapter_00_a.html">', pages["mainpage.md"])
        self.assertIn('<a class="previous" href="index.html">', pages["chapter_00_a.md"])
        self.assertIn(
            '<a class="next" href="chapter_01_b.html"><span>Next</span>01 B &amp; C</a>',
            pages["chapter_00_a.md"],
        )
        self.assertIn('<a class="next" href="glossary.html">', pages["chapter_01_b.md"])

    def test_more_of_a_chapter_is_a_page_below_it(self):
        self.write("chapters/00_a/more.md", "# 00 A: more\n\nBack to [00](README.md).\n")
        _, pages = self.pages()
        self.assertEqual(list(pages)[2:4], ["chapter_00_a.md", "more_00_a.md"])
        self.assertIn("\n- @subpage more_00_a\n", pages["chapter_00_a.md"])
        self.assertNotIn("@subpage more_01_b", pages["chapter_01_b.md"])
        self.assertIn('href="chapter_01_b.html"', pages["chapter_00_a.md"])

    def test_document_without_title(self):
        self.write("chapters/00_a/README.md", "no title\n")
        book, _ = self.pages()
        self.assertIn("chapters/00_a/README.md:1: there is no title ('# ...')", book.problems)

    def test_broken_code_is_no_reference(self):
        self.assertEqual([path.name for path in build_book.sources(self.root)], ["a.cu"])

    def test_finished_page(self):
        copies = set()
        text = (
            '<a href="source:chapters/00_a/a.cu">a</a><a href="source:data/x.txt">x</a>'
            "<table><tr><th>&#160;</th><th>  </th></tr><tr><td>1</td></tr></table><p>__global__</p>"
            '<div class="fragment"><div class="line">__global__ void my__global__x(); blockDim.x</div></div><!-- fragment -->'
            '<div class="fragment"><div class="line">@@</div><div class="line">+a</div></div><!-- fragment -->'
        )
        self.assertEqual(
            build_book.finish_page(text, {"chapters/00_a/a.cu": "a_8cu_source.html"}, copies),
            '<a href="a_8cu_source.html">a</a><a href="files/data/x.txt">x</a><table><tr><td>1</td></tr></table>'
            '<p>__global__</p><div class="fragment"><div class="line"><span class="cuda">__global__</span> void '
            'my__global__x(); <span class="cuda">blockDim</span>.x</div></div><!-- fragment -->'
            '<div class="fragment"><div class="line place">@@</div><div class="line added">+a</div></div><!-- fragment -->',
        )
        self.assertEqual(copies, {"data/x.txt"})

    def test_search_finds_sections(self):
        self.write(
            "html/search/searchdata.js",
            'var indexSectionsWithContent =\n{\n  0: "ac",\n  1: "c"\n};\n\n'
            'var indexSectionNames =\n{\n  0: "all",\n  1: "functions"\n};\n',
        )
        for place, name in enumerate(("a", "c")):
            self.write(
                f"html/search/all_{place}.js",
                f"var searchData=\n[\n  ['{name}_7',['{name}',['../x.html',1,'']]]\n];\n",
            )
            self.write(f"html/search/all_{place}.html", f'<script src="all_{place}.js">')
        book, _ = self.pages()
        sections = build_book.headings(book)
        self.assertEqual(sections, [("Halo, tile", "chapter_00_a.html#chapter_00_a-halo-tile", "00 A")])
        book_search.add_sections(self.root / "html", sections)
        search = self.root / "html/search"
        self.assertIn('0: "acht"', (search / "searchdata.js").read_text())
        self.assertIn('1: "c"', (search / "searchdata.js").read_text())
        link = "['Halo, tile',['../chapter_00_a.html#chapter_00_a-halo-tile',1,'00 A']]"
        self.assertEqual(
            (search / "all_2.js").read_text(), f"var searchData=\n[\n  ['halo_2c_20tile_0',{link}]\n];\n"
        )
        self.assertEqual((search / "all_3.js").read_text(), f"var searchData=\n[\n  ['tile_0',{link}]\n];\n")
        self.assertEqual((search / "all_3.html").read_text(), '<script src="all_3.js">')
        self.assertIn("['c_0',['c',['../x.html',1,'']]]", (search / "all_1.js").read_text())


if __name__ == "__main__":
    unittest.main()
