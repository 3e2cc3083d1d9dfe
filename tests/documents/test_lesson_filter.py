# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
"""docs/book/lesson_filter.py on small documents: what Doxygen is given for what a code host is given."""

import pathlib
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "docs" / "book"))
import lesson_filter  # noqa: E402

LESSON = "chapters/02_direct/README.md"


class Filter(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.root = pathlib.Path(self.folder.name)
        self.write("README.md", "# The book: it is\n\n## The chapters\n")
        self.write(
            "chapters/01_serial/README.md", "# 01 Serial\n\n## Run it\n\n## Run it\n\n## A `b`, c & d?\n"
        )
        self.write("chapters/02_direct/a.cu", "")
        self.write("data/x.png", "")

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def convert(self, text, problems=(), with_steps=()):
        """The page made of a lesson with this text below its title, without title and [TOC]."""
        self.write(LESSON, "# 02 Direct\n\n" + text)
        book = lesson_filter.Book(
            self.root,
            {"README.md": "mainpage", "chapters/01_serial/README.md": "chapter_01", LESSON: "chapter_02"},
            with_steps,
        )
        page = lesson_filter.Page(book, LESSON).convert()
        self.assertEqual(book.problems, list(problems))
        head = "# 02 Direct {#chapter_02}\n\n[TOC]\n\n"
        self.assertTrue(page.startswith(head), page)
        self.pictures, self.steps = book.pictures, book.steps
        return page[len(head) :].rstrip("\n")

    def same(self, text, wanted):
        self.assertEqual(self.convert(text), wanted)

    # formulas

    def test_formulas(self):
        self.same(
            "So $y[n] = \\sum_k h_k x_{n-k}$, ($a*b*c$).",
            "So \\f$y[n] = \\sum_k h_k x_{n-k}\\f$, (\\f$a*b*c\\f$).",
        )
        self.same("$`a_b`$ and $$c$$", "\\f$a_b\\f$ and \\f[c\\f]")
        self.same("a\n\n$$\ny = 1 \\\\\nz\n$$\n\nb", "a\n\n\\f[\ny = 1 \\\\\nz\n\\f]\n\nb")
        self.same("```math\n\\frac a b\n```", "\\f[\n\\frac a b\n\\f]")

    def test_dollars_that_are_no_formula(self):
        self.same("It costs $5 or $6.", "It costs $5 or $6.")
        self.same("US$5 and 5$ each", "US$5 and 5$ each")
        self.same("from $5,$6 to $7.", "from $5,$6 to $7.")
        self.same(
            "`$x$` and `echo $HOME`, not $ a $",
            "<code>\\$x\\$</code> and <code>echo \\$HOME</code>, not $ a $",
        )
        self.same("\\$a and \\$b", "\\$a and \\$b")
        self.same("```text\n$x$ $5\n```", "~~~{.unparsed}\n$x$ $5\n~~~")

    # code

    def test_code_spans(self):
        self.same(
            "`--length`, `it's`, `a | b`, `@x \\n`, `x<T>`",
            "<code>\\--length</code>, <code>it's</code>, "
            "<code>a \\| b</code>, <code>\\@x \\\\n</code>, <code>x&lt;T&gt;</code>",
        )
        self.same(
            '``a ` b``, `"q"`, `~~`, `std::f`',
            "<code>a \\` b</code>, <code>&quot;q&quot;</code>, ``~~``, " "<code>std\\::f</code>",
        )

    def test_code_blocks(self):
        for language, wanted in (
            ("cuda", ".cpp"),
            ("cpp", ".cpp"),
            ("text", ".unparsed"),
            ("", ".unparsed"),
            ("bash", ".unparsed"),
            ("python", ".py"),
        ):
            self.same(
                f"```{language}\n# no title\n<b> @x -->\n```", f"~~~{{{wanted}}}\n# no title\n<b> @x -->\n~~~"
            )
        self.same("````text\n```\na\n```\n````", "~~~{.unparsed}\n```\na\n```\n~~~")
        self.same("```text\n~~~\n```", "~~~~{.unparsed}\n~~~\n~~~~")

    def test_indented_code(self):
        self.same(
            "Do:\n\n    a --b <c>\n\n      d\n\nand", "Do:\n\n~~~{.unparsed}\na --b <c>\n\n  d\n~~~\n\nand"
        )
        self.same(
            "- x\n\n  y\n\n      code --b\n\nand", "- x\n\n  y\n\n  ~~~{.unparsed}\n  code --b\n  ~~~\n\nand"
        )
        self.same("text\n    goes on", "text\n    goes on")

    def test_code_in_lists(self):
        self.same(
            "1. one\n\n   ```cpp\n   int a;\n\n   int b;\n   ```\n\n2. two",
            "1. one\n\n   ~~~{.cpp}\n   int a;\n\n   int b;\n   ~~~\n\n2. two",
        )

    # lists, tables, details

    def test_lists(self):
        text = "- a\n  - b\n    - c\n\n    text of b\n- d"
        self.same(text, text)
        self.same("- [ ] open\n- [x] done\n  1. [X] too", "- \u2610 open\n- \u2611 done\n  1. \u2611 too")

    def test_tables(self):
        self.same(
            "| a | |\n| --- | ---: |\n| `x\\|y` | $2K$ |\n| | @b |",
            "| a | &nbsp; |\n| --- | ---: |\n| <code>x\\|y</code> | \\f$2K\\f$ |\n| &nbsp; | \\@b |",
        )

    def test_details(self):
        wanted = (
            '@htmlonly[block]\n<details class="fold"><summary>Hint <code>a&lt;b</code></summary>\n@endhtmlonly\n\n'
            "one\n\n~~~{.cpp}\nint a;\n\n</details>\n~~~\n\n@htmlonly[block]\n</details>\n@endhtmlonly\n\nafter"
        )
        body = "\n\none\n\n```cpp\nint a;\n\n</details>\n```\n\n</details>\n\nafter"
        self.same("<details>\n<summary>Hint `a<b`</summary>" + body, wanted)
        self.same("<details><summary>Hint `a<b`</summary>" + body, wanted)

    def test_details_without_summary(self):
        self.convert(
            "<details>\n\ntext\n\n</details>",
            [
                f"{LESSON}:3: <details> needs its <summary>...</summary> right behind it, without an empty line"
            ],
        )

    # what Doxygen would misread

    def test_prose_is_escaped(self):
        self.same(
            "@param C:\\x 100%d #5 --x a::b <T> a<b <<<g, b>>>",
            "\\@param C:\\\\x 100\\%d \\#5 \\--x a\\::b &lt;T&gt; a&lt;b &lt;&lt;&lt;g, b&gt;&gt;&gt;",
        )
        self.same("**b** *i* _j_ a*b <br> <kbd>x</kbd>", "**b** *i* _j_ a*b <br> <kbd>x</kbd>")

    def test_comments_go(self):
        self.same(
            "a\n\n<!-- generated: code x.cu#k -->\n\n```cpp\n// <!-- stays -->\n```\n\n<!-- end generated -->\n\nb",
            "a\n\n~~~{.cpp}\n// <!-- stays -->\n~~~\n\nb",
        )
        self.same("a <!-- two\nlines --> b and `<!-- c -->`", "a\n b and <code>&lt;!\\-- c \\--&gt;</code>")

    # sections, links, pictures

    def test_sections_have_the_anchors_of_a_code_host(self):
        self.same(
            "## What *is* it?\n\n### `a_b` -- c\n\n## What is it",
            "## What is it? {#chapter_02-what-is-it}\n\n"
            "### a_b -- c {#chapter_02-a_b----c}\n\n## What is it {#chapter_02-what-is-it-1}",
        )

    def test_links(self):
        self.same(
            "[one](../01_serial/README.md), [`two`](../01_serial/), [main](../../README.md#the-chapters)",
            '<a href="chapter_01.html">one</a>, <a href="chapter_01.html"><code>two</code></a>, '
            '<a href="index.html#mainpage-the-chapters">main</a>',
        )
        self.same(
            "[b](../01_serial/README.md#run-it-1) [c](../01_serial/README.md#a-b-c--d) [here](#x)\n\n## X",
            '<a href="chapter_01.html#chapter_01-run-it-1">b</a> <a href="chapter_01.html#chapter_01-a-b-c--d">c</a> '
            '<a href="chapter_02.html#chapter_02-x">here</a>\n\n## X {#chapter_02-x}',
        )
        self.same(
            "[code](a.cu) [web](https://x.y/z_a) <https://x.y>",
            '<a href="source:chapters/02_direct/a.cu">code</a> <a href="https://x.y/z_a">web</a> '
            '<a href="https://x.y">https://x.y</a>',
        )
        self.same(
            "[a][r] and [r] x[i][j]\n\n[r]: a.cu",
            '<a href="source:chapters/02_direct/a.cu">a</a> and [r] x[i][j]',
        )

    def test_dead_links(self):
        self.convert(
            "[a](b.cu)\n\n[c](../01_serial/README.md#nothing) [d](../../../etc/passwd)",
            [
                f"{LESSON}:3: the link target 'b.cu' does not exist",
                f"{LESSON}:5: '../01_serial/README.md#nothing': chapters/01_serial/README.md has no section with this anchor",
                f"{LESSON}:5: the link target '../../../etc/passwd' does not exist",
            ],
        )

    def test_pictures(self):
        self.same('![A "b"](../../data/x.png)', '<img src="picture_data_x.png" alt="A &quot;b&quot;"/>')
        self.same('![Lanes want x[34], x[35]](../../data/x.png)', '<img src="picture_data_x.png" alt="Lanes want x[34], x[35]"/>')
        self.assertEqual(self.pictures, {"picture_data_x.png": "data/x.png"})
        self.convert(
            "![a](y.svg) ![ ](../../data/x.png)",
            [
                f"{LESSON}:3: the picture 'y.svg' does not exist",
                f"{LESSON}:3: the picture '../../data/x.png' has no text for those who do not see it",
            ],
        )

    def test_a_page_of_steps_is_shown_below_its_link(self):
        program = "chapters/02_direct/pictures/steps.cu"
        self.write(program, "")
        text, name = "[Step `through` it](pictures/steps.cu), lane by lane.\n\nText", "steps/chapters_02_direct_pictures_steps.html"
        self.assertEqual(
            self.convert(text, with_steps=[program]),
            f'<a href="{name}">Step <code>through</code> it</a>, lane by lane.\n\n@htmlonly[block]\n'
            f'<iframe class="steps" src="{name}" title="Step through it" loading="lazy"></iframe>\n@endhtmlonly\n\nText',
        )
        self.assertEqual(self.steps, {name: program})
        # Without the pages, the link leads to the program.
        self.same(text, f'<a href="source:{program}">Step <code>through</code> it</a>, lane by lane.\n\nText')
        self.assertEqual(self.steps, {})
        self.convert("[a](pictures/none.cu)", [f"{LESSON}:3: the link target 'pictures/none.cu' does not exist"], [program])

    def test_steps_of_the_lesson_give_way_to_those_of_the_book(self):
        self.same(
            "text\n\n---\n\nPrevious: [01](../01_serial/README.md)\nNext: [main](../../README.md)", "text"
        )
        self.same("text\n\nBefore: [01](../01_serial/README.md) · Next: [main](../../README.md)\n", "text")
        self.same(
            "text\n\nNext comes a [tile](a.cu) of ours.\n\nend",
            'text\n\nNext comes a <a href="source:chapters/02_direct/a.cu">tile</a> of ours.\n\nend',
        )

    def test_what_is_never_closed(self):
        self.convert("```cpp\nint a;", [f"{LESSON}:3: this fence is never closed"])
        self.convert("$$\na", [f"{LESSON}:3: this formula is never closed"])


if __name__ == "__main__":
    unittest.main()
