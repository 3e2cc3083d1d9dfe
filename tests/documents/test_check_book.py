# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
"""docs/book/check_book.py must refuse a book in which a reader would be lost; what the book is made of, too."""

import pathlib
import subprocess
import sys
import tempfile
import unittest
import unittest.mock
import xml.etree.ElementTree

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "docs/book"))
import check_book  # noqa: E402
import pages as book_pages  # noqa: E402
import reference  # noqa: E402

A, B = "chapters/00_a/README.html", "chapters/01_b/README.html"


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
        self.write("index.html", f'<p>a <code>$$ ](x) **</code></p><a rel="next" href="{A}">n</a>')
        self.write(
            A,
            '<h1 id="top">A</h1><img src="../../x.png" alt="x"><a rel="prev" href="../../index.html">p</a>'
            '<a href="../01_b/README.html#s">b</a><a rel="next" href="../01_b/README.html">n</a>',
        )
        self.write(B, '<p id="s"><a href="#s">s</a><a href="https://x.y">w</a><a rel="prev" href="../00_a/README.html">p</a>')
        self.assertEqual(check_book.check(self.root), [], "the book that all others are made from is right")

    def refused(self, wanted, text, page=B):
        path = self.root / page
        before = path.read_text(encoding="utf-8")
        path.write_text(before + "\n" + text, encoding="utf-8")
        problems = check_book.check(self.root)
        path.write_text(before, encoding="utf-8")
        self.assertEqual(len(problems), 1, problems)
        self.assertIn(wanted, problems[0])

    def test_links(self):
        self.refused(f"{B}:2: the link target 'none.html' does not exist", '<a href="none.html">x</a>')
        self.refused(f"{A} has no anchor '#s'", '<a href="../00_a/README.html#s">x</a>')
        self.refused(f"{B} has no anchor '#t'", '<a href="#t">x</a>')
        self.refused("leads out of the book", '<a href="../../../secret.html">x</a>')
        self.refused("two parts have the id 's'", '<p id="s">')
        self.refused("has no text", '<img src="../../x.png" alt=" ">')

    def test_leftovers(self):
        for what, text in (
            ("a formula", "<p>$$x$$</p>"),
            ("a link", "<p>[x](y.md)</p>"),
            ("strong text", "<p>**x**</p>"),
            ("code or a fence", "<p>```cpp</p>"),
            ("code or a fence", "<p>the time of `best`</p>"),
            ("a comment", "<p>&lt;!-- x</p>"),
            ("an entity", "<p>&amp;#45;</p>"),
            ("a tag", "<h1>&lt;code&gt;</h1>"),
        ):
            self.refused(f"{what} was not understood", text)
        self.write("source/x.html", "<pre>``` **</pre>")
        self.assertEqual(check_book.check(self.root), [], "a listing of a source is shown as it is")

    def test_way_through_the_chapters(self):
        side = self.write("chapters/02_c/README.html", '<a rel="next" href="../01_b/README.html">a side path leads back</a>')
        self.assertEqual(check_book.check(self.root), [])
        side.write_text("", encoding="utf-8")
        self.assertEqual(check_book.check(self.root), ["chapters/02_c/README.html: 'next' does not lead to the route"])
        side.write_text('<a rel="prev" href="../00_a/README.html">p</a>', encoding="utf-8")
        self.write(B, '<p id="s"></p><a rel="prev" href="../00_a/README.html">p</a><a rel="next" href="../02_c/README.html">n</a>')
        self.assertEqual(
            check_book.check(self.root), [f"chapters/02_c/README.html: 'previous' does not lead to {B}"]
        )
        self.write("index.html", "")
        self.assertIn("index.html: 'next' leads through", check_book.check(self.root)[0])

    def test_no_book(self):
        for path in (A, B):
            (self.root / path).unlink()
        self.write("index.html", "")
        self.assertEqual(check_book.check(self.root), ["the book has no chapters"])
        (self.root / "index.html").unlink()
        self.assertIn("there is no book", check_book.check(self.root)[0])


class Pages(Folder):
    def setUp(self):
        super().setUp()
        self.write(
            "README.md",
            "# The book\n\n## The route\n\n| Evening | x |\n| --- | --- |\n| 1 | [00](chapters/00_a/README.md) |\n\n"
            "Chapter 01 and others. Chapters 01 and 03 are **side paths**, because of 02.\n\n## Next\n",
        )
        for name in ("00_a", "01_b", "02_c"):
            self.write(f"chapters/{name}/README.md", f"# {name}\n")
        self.write("chapters/00_a/more.md", "")
        self.write("docs/glossary.md", "")

    def test_route(self):
        self.assertEqual(
            book_pages.route(self.root),
            [
                ("The core", ["chapters/00_a/README"]),
                ("Then", ["chapters/02_c/README"]),
                ("Side paths", ["chapters/01_b/README"]),
            ],
        )
        self.assertEqual(
            book_pages.documents(self.root)[:5],
            ["chapters/00_a/README", "chapters/00_a/more", "chapters/02_c/README", "chapters/01_b/README", "README"],
        )

    def test_every_document_of_the_repository_that_is_for_readers_is_a_page(self):
        found = set(book_pages.documents(ROOT))
        for path in (*ROOT.glob("docs/*.md"), *ROOT.glob("chapters/*/*.md")):
            self.assertIn(path.relative_to(ROOT).as_posix()[:-3], found)

    def test_parts_of_a_long_document(self):
        large = "word " * 1100
        text = f"# A\n\nb\n\n## C d\n\n```\n## no\n```\n\n### E\n\nf\n\n### G\n\n{large}\n\n## H"
        self.assertEqual(
            book_pages.parts(text),
            [
                ("", "# A\n\nb\n"),
                ("c-d", "# C d\n\n```\n## no\n```\n\n## E\n\nf\n"),
                ("g", f"# G\n\n{large}\n"),
                ("h", "# H"),
            ],
        )

    def test_drawing_steps(self):
        self.write("docs/book/pages_of_steps.txt", '# A list.\na.cu --title "a: b" # one\n\nb.cu\n')
        page = self.root / "a.html"
        with unittest.mock.patch("subprocess.run") as run, unittest.mock.patch.dict("os.environ", EMULATOR_CHECK="0"):
            book_pages.draw_all_steps(self.root, "build", {page: "a.cu"})
        command, settings = run.call_args[0][0], run.call_args[1]["env"]
        self.assertEqual(command[1:], ["a.cu", "--title", "a: b", "--build", "build", "--steps", page])
        self.assertNotIn("EMULATOR_CHECK", settings)
        failed = subprocess.CalledProcessError(1, "draw", stderr="no such program")
        with unittest.mock.patch("subprocess.run", side_effect=failed), self.assertRaisesRegex(SystemExit, "no such program"):
            book_pages.draw_all_steps(self.root, "build", {page: "a.cu"})


HEADER = """/// The halo of a tile: `taps` - 1 samples, a * b of them.
///
///   left   1
///   right  2
///
/// And so on.
template <class T>
std::size_t halo_of(const T& x,  // which one
                    std::size_t taps);

struct shape {
  int rows;  ///< down, and
             ///< more
};

/// y.
// Because.
template <class T>
__global__ void smooth_kernel(const T* x) {
}
"""


class Reference(Folder):
    def entry(self, kind, name, line, more=""):
        element = f'<memberdef kind="{kind}"><type>{more}</type><name>{name}</name><location file="a.hpp" line="{line}"/></memberdef>'
        return reference.Entry(xml.etree.ElementTree.fromstring(element), {"a.hpp": HEADER.split("\n")})

    def test_function(self):
        entry = self.entry("function", "halo_of", 8)
        self.assertEqual(entry.kind, reference.FUNCTIONS)
        self.assertEqual(
            entry.signature(), "template <class T>\nstd::size_t halo_of(const T& x,\n                    std::size_t taps)"
        )
        self.assertEqual(
            entry.contract,
            "The halo of a tile: `taps` - 1 samples, a \\* b of them.\n\n```text\n  left   1\n  right  2\n```\n\nAnd so on.",
        )

    def test_member_and_kernel(self):
        self.assertEqual(self.entry("variable", "rows", 12).contract, "down, and\nmore")
        kernel = self.entry("function", "smooth_kernel", 19, "__global__ void")
        self.assertEqual((kernel.kind, kernel.contract), (reference.KERNELS, "y."))
        self.assertEqual(kernel.signature(), "template <class T>\n__global__ void smooth_kernel(const T* x)")

    def test_kernels_are_counted_without_doxygen(self):
        lines = [*HEADER.split("\n"), "__global__ void __launch_bounds__(f(2)) b_kernel(", "// __global__ void c()"]
        self.assertEqual(reference.kernels_of(lines), ["smooth_kernel", "b_kernel"])

    def test_the_section_that_explains_a_name(self):
        self.write("chapters/00_a/README.md", "# A\n\nb_kernel\n\n## Some check, `b`\n\nb_kernels\n\n### C\n\n`b_kernel`\n")
        self.write("chapters/00_a/more.md", "## D\n\nwe check\n\n## E\n\ncheck(d_kernel)\n")
        for name, wanted in (("b_kernel", "[C](../chapters/00_a/README.md#c)"), ("check", "[E](../chapters/00_a/more.md#e)"), ("x_y", "")):
            self.assertEqual(reference.explained(self.root, ["chapters/00_a/README"], name), wanted)

    def test_sources(self):
        for name in ("a.cu", "broken.cu", "x_checks.hpp", "kernels/b.cuh", "exercises/1_x/x.cu", "solutions/1_x.cu"):
            self.write("chapters/00_a/" + name, "")
        self.write("common/show/c.hpp", "")
        self.assertEqual(reference.sources(self.root), ["common/show/c.hpp", "chapters/00_a/a.cu", "chapters/00_a/kernels/b.cuh"])


if __name__ == "__main__":
    unittest.main()
