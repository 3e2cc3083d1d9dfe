# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
"""The slides: what they name is in the lessons, and each fits on its slide. docs/book/slides.py must refuse others."""

import importlib.util
import os
import pathlib
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "docs/book"))
import browse_book  # noqa: E402
import browser  # noqa: E402
import pages  # noqa: E402
import slides  # noqa: E402

LESSON = """# 00 A
| You will be able to | see; do |
<!-- generated: code a.cu#kernel -->

```cpp
first
second
```

<!-- end generated -->

Some words. These are <!-- figure: x -->2 times<!-- end figure --> ours. More.

![Lanes x[0] to x[1]](pictures/a.svg)

    lane  0 1
    x     0 1

This is twice.

This is twice.
"""
WHOLE = importlib.util.find_spec("markdown_it")
if not WHOLE and os.path.realpath(sys.executable) != os.path.realpath("/usr/bin/python3") and os.path.exists("/usr/bin/python3"):
    os.execv("/usr/bin/python3", ["/usr/bin/python3", *sys.argv])  # the system's has what the book needs, as for docs/book/build


class Slides(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        self.lesson, self.deck = self.root / "chapters/00_a/README.md", self.root / "docs/slides/00.md"
        picture = '<svg xmlns="http://www.w3.org/2000/svg" width="600" height="200" font-size="12"/>'
        for path, text in ((self.lesson, LESSON), (self.lesson.parent / "pictures/a.svg", picture)):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")

    def shown(self, *lines):
        return slides.shown(self.lesson, slides.parse("## A\n\n" + "".join(f"    {line}\n" for line in lines))[0][1])

    def test_taken_from_the_lesson(self):
        self.assertEqual(self.shown("code a.cu#kernel"), ("cpp", "first\nsecond"))
        self.assertEqual(self.shown("code kernel", "from ^sec"), ("cpp", "second"))
        self.assertEqual(self.shown("code kernel", "to first"), ("cpp", "first"))
        self.assertEqual(self.shown("sentence These are"), ("text sentence", "These are 2 times ours."))
        self.assertEqual(self.shown("lesson lane"), ("text", "lane  0 1\nx     0 1"))
        self.assertEqual(self.shown("picture a.svg")[1][1], "Lanes x[0] to x[1]")

    def test_what_is_gone(self):
        for lines in (
            ["code b.cu"], ["output a.cu"], ["lesson words"], ["sentence These were"], ["picture b.svg"], ["lesson This is twice."],
            ["code a.cu", "from third"], ["code a.cu", "until second"],
        ):  # fmt: skip
            with self.subTest(lines), self.assertRaises(slides.Problem):
                self.shown(*lines)

    def test_what_is_too_small(self):
        for svg in ('<svg width="2000" height="200" font-size="12"/>', '<svg width="600" height="200" font-size="5"/>'):
            (self.lesson.parent / "pictures/a.svg").write_text(svg, encoding="utf-8")
            with self.assertRaises(slides.Problem):
                slides.figure(*self.shown("picture a.svg"))

    def test_of_ours(self):
        core = [lesson.split("/")[1][:2] for lesson in pages.route(ROOT)[0][1]]
        self.assertEqual([deck.stem for deck in slides.decks()], core)
        for deck in slides.decks():
            lesson = next(ROOT.glob(f"chapters/{deck.stem}_*/README.md"))
            parsed = slides.parse(deck.read_text(encoding="utf-8"))
            self.assertIn(len(parsed) + 1, range(10, 16), deck)
            for sentence, things in parsed:
                with self.subTest(f"{deck.name}: {sentence}"):
                    slides.shown(lesson, things)

    @unittest.skipUnless(WHOLE, "no markdown_it")
    def test_too_many_lines(self):
        with self.assertRaises(slides.Problem):
            slides.figure("cpp", "a;\n" * 40)
        with self.assertRaises(slides.Problem):
            slides.figure("cpp", "a" * 130)

    @unittest.skipUnless(WHOLE and browser.find(), "no markdown_it, or no browser")
    def test_in_the_browser(self):
        (self.root / "docs/slides").mkdir(parents=True)
        self.deck.write_text("## A picture\n\n    picture a.svg\n\n## Much\n\n    lesson Some words\n", encoding="utf-8")
        good = slides.make(self.deck, self.root)
        pages = {f"slides/{deck.stem}.html": slides.make(deck) for deck in slides.decks()} | {
            "slides/good.html": good,
            "slides/bad.html": good.replace("Some words.", "Some words. " * 200),
            "slides/wide.html": good.replace("<img style=", '<img style="width: 130rem" alt='),
        }
        (self.root / "slides").mkdir()
        for name, text in pages.items():
            (self.root / name).write_text(text, encoding="utf-8")
        with browser.Browser(browser.find()) as tab:
            visit = browse_book.Visit(self.root, tab, None)
            for name in pages:
                visit.attempt(name, visit.slides)
        self.assertEqual({problem.split(":")[0] for problem in visit.problems}, {"slides/bad.html", "slides/wide.html"}, visit.problems)


if __name__ == "__main__":
    unittest.main()
