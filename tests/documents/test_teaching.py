# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
"""docs/teaching.md has a row for each exercise, under the title that the lesson gives it."""

import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
KINDS = {"warm-up", "change", "repair", "challenge"}


def rows(text):
    """{(chapter, exercise): (title, kind, what it assesses)} of a table of exercises."""
    found = {}
    for line in text.split("\n"):
        match = re.match(r"\| (\d\d)\.(\d) (.*?) \| (.*?) \| (.*?) \|$", line)
        if match:
            place = (match[1], match[2])
            if place in found:
                raise ValueError(f"two rows for exercise {' '.join(place)}")
            found[place] = (match[3], match[4], match[5])
    return found


def lessons():
    """(chapter folder, text) of each page that may describe exercises: a lesson, and what it leaves out."""
    for name in ("README.md", "more.md"):
        for page in sorted(ROOT.glob(f"chapters/[0-9][0-9]_*/{name}")):
            yield page.parent.name, page.read_text(encoding="utf-8")


def exercises(lesson):
    return re.findall(r"^### Exercise (\d+): (.*)$", lesson, re.M)


class Teaching(unittest.TestCase):
    def test_rows_are_read(self):
        self.assertEqual(rows("| 02.1 A b | repair | c |\n| x | y | z |"), {("02", "1"): ("A b", "repair", "c")})
        self.assertEqual(exercises("## x\n### Exercise 1: A b\n\n### Exercises\n"), [("1", "A b")])
        with self.assertRaises(ValueError):
            rows("| 02.1 A | repair | c |\n| 02.1 B | repair | c |")

    def test_every_exercise_has_its_row(self):
        found = rows((ROOT / "docs/teaching.md").read_text(encoding="utf-8"))
        wanted = {}
        for chapter, text in lessons():
            for number, title in exercises(text):
                self.assertNotIn((chapter[:2], number), wanted)
                wanted[(chapter[:2], number)] = title
        self.assertGreater(len(wanted), 20)
        self.assertEqual({place: row[0] for place, row in found.items()}, wanted)
        for place, (_, kind, assesses) in found.items():
            self.assertIn(kind, KINDS, place)
            self.assertGreater(len(assesses), 20, place)

    def test_every_exercise_has_hints_in_three_grades(self):
        for chapter, text in lessons():
            sections = re.split(r"^### Exercise (\d+): .*$", text, flags=re.M)
            for number, section in zip(sections[1::2], sections[2::2]):
                section = re.split(r"^## ", section, flags=re.M)[0]
                hints = re.findall(r"^<details><summary>Hint (\d+)</summary>", section, re.M)
                place = f"{chapter} {number}"
                self.assertEqual(hints, [str(n + 1) for n in range(len(hints))], place)
                self.assertGreaterEqual(len(hints), 3, place)
                self.assertEqual(section.count("<summary>What you learned</summary>"), 1, place)


if __name__ == "__main__":
    unittest.main()
