# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
"""Every lesson has a picture that comes from a run, and every such picture is shown, with words for who cannot see it."""

import pathlib
import re
import shlex
import subprocess
import sys
import unittest
import xml.etree.ElementTree

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "docs/book"))
import pages as book_pages  # noqa: E402

SVG = "{http://www.w3.org/2000/svg}"


def pictures(lesson):
    """{path beside the lesson: its alternative text}; those in blocks of code are none."""
    text = re.sub(r"^(```+)[^`\n]*\n.*?^\1 *$", "", lesson, flags=re.M | re.S)
    return {path: alt for alt, path in re.findall(r"!\[((?:[^\]]|\](?!\())*)\]\(([^)\s]+)\)", text)}


def redrawn():
    """What docs/write/redraw makes, and the test draw.lessons compares: pictures from runs, and the maps of the device."""
    made = subprocess.run([ROOT / "docs/write/redraw", "--list"], capture_output=True, text=True, check=True).stdout
    return {pathlib.PurePosixPath(line) for line in made.split()}


def shown_in(chapter):
    """{path: alternative text} of the pictures of a lesson and its more.md."""
    pages = (chapter / "more.md", chapter / "README.md")
    return {k: v for page in pages if page.is_file() for k, v in pictures(page.read_text(encoding="utf-8")).items()}


class Pictures(unittest.TestCase):
    def test_pictures_are_read(self):
        self.assertEqual(pictures("![x[0] b](c/d.svg)\n```\n![e](f)\n```\n![](g.png)"), {"c/d.svg": "x[0] b", "g.png": ""})

    def test_every_lesson_has_a_picture_from_a_run(self):
        made = {path for path in redrawn() if path.name != "device_map.svg"}  # all have that
        lessons = sorted(ROOT.glob("chapters/[0-9][0-9]_*/README.md"))
        self.assertGreaterEqual(len(lessons), 10)
        for lesson in lessons:
            folder = pathlib.PurePosixPath(lesson.parent.relative_to(ROOT))
            shown = {folder / path for path in shown_in(lesson.parent)}
            self.assertTrue(shown & made, f"{folder} shows no picture that docs/write/redraw makes")

    def test_every_picture_from_a_run_is_shown_and_described(self):
        for path in sorted(redrawn()):
            lesson = path.parents[1]
            shown = shown_in(ROOT / lesson)
            alternative = shown.get(str(path.relative_to(lesson)))
            self.assertIsNotNone(alternative, f"neither the lesson {lesson} nor its more.md shows {path}")
            self.assertGreater(len(alternative.split()), 8, f"{path}: its alternative text says next to nothing")
            self.assertTrue((ROOT / path).is_file(), f"{path} is not there: docs/write/redraw makes it")

    def test_every_page_of_steps_is_linked_with_how_to_make_it(self):
        made = book_pages.pages_of_steps(ROOT)
        chapters = {program.split("/")[1][:2] for program in made}
        self.assertLessEqual({"02", "03", "05", "06", "07", "08"}, chapters)
        for program, arguments in made.items():
            path = pathlib.PurePosixPath(program)
            self.assertTrue((ROOT / path).is_file(), f"{path} is not there")
            lesson = ROOT / path.parents[1]
            texts = [page.read_text(encoding="utf-8") for page in (lesson / "README.md", lesson / "more.md") if page.is_file()]
            link = f"]({path.relative_to(path.parents[1])})"
            line = [line for text in texts for line in text.split("\n") if link in line]
            self.assertEqual(len(line), 1, f"{lesson} does not link to {path}")
            command = re.search(r"`(chapters/draw [^`]*)`, and then open `page.html` in a browser", line[0])
            self.assertIsNotNone(command, f"{lesson} does not say how to make the page of {path}")
            at = arguments.index("--title")
            arguments = arguments[:at] + arguments[at + 2 :]
            self.assertEqual(shlex.split(command[1]), ["chapters/draw", program, *arguments, "--steps", "page.html"])

    def test_every_program_of_steps_is_listed_and_no_page_is_left_over(self):
        programs = {path.relative_to(ROOT).as_posix() for path in ROOT.glob("chapters/[0-9][0-9]_*/pictures/steps*.cu")}
        self.assertLessEqual(programs, book_pages.pages_of_steps(ROOT).keys())
        self.assertEqual(list(ROOT.glob("chapters/[0-9][0-9]_*/pictures/*.html")), [])

    def test_drawings_have_a_title_and_colors_for_dark_pages(self):
        found = sorted(ROOT.glob("chapters/[0-9][0-9]_*/pictures/*.svg"))
        self.assertTrue(found)
        for path in found:
            root = xml.etree.ElementTree.parse(path).getroot()
            self.assertEqual(root.get("role"), "img", path)
            for part in ("title", "desc"):
                self.assertTrue((root.findtext(SVG + part) or "").strip(), f"{path} has no {part}")
            self.assertIn("prefers-color-scheme:dark", re.sub(r"\s", "", path.read_text(encoding="utf-8")), path)

    def test_no_drawing_is_left_over(self):
        made = redrawn()
        for path in sorted(ROOT.glob("chapters/[0-9][0-9]_*/pictures/*.svg")):
            if pathlib.PurePosixPath(path.relative_to(ROOT)) in made:
                continue
            refresh = path.parent / "refresh"
            program_writes = path.name.replace("_ssim.svg", ".svg")  # a second one comes along with it
            if f"file=pictures/{path.name}" in (path.parents[1] / "README.md").read_text(encoding="utf-8"):
                continue  # by the commands of the lesson, which docs/write/refresh types
            self.assertTrue(
                refresh.is_file() and program_writes in refresh.read_text(encoding="utf-8"),
                f"{path}: neither docs/write/redraw nor {refresh} makes it",
            )


if __name__ == "__main__":
    unittest.main()
