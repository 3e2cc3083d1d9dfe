#!/usr/bin/env python3
# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
"""What the lessons say about their tables holds for the tables as they stand there.

Times are recorded anew from time to time, and sentences are not. So each sentence that says which of two figures is
the larger, or by about how much, has its condition in claims/: the sentence must be in the lesson, and the condition must
hold for the figures that a reader sees beside it. Where one fails after a new record, it is the sentence that changes.
"""

import importlib
import pathlib
import re
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from claims.lessons import CLAIMS, Lesson, Table  # noqa: E402

for module in sorted(pathlib.Path(__file__).with_name("claims").glob("chapter_*.py")):
    importlib.import_module(f"claims.{module.stem}")


# What a row is about, and no figure of it.
SIZES = {"Taps", "Samples", "Width", "Call", "Bytes each way", "Table (bytes)", "Threads / block", "Needed", "Block",
         "Pixels each way", "Devices", "Floats each way", "Complex numbers"}


class Changed(Lesson):
    """A lesson whose measured figures are others."""

    def __init__(self, number, change):
        super().__init__(number)
        self.change = change

    def other(self, number):
        return Changed(number, self.change)

    def table(self, *words):
        table = super().table(*words)
        figure = re.compile(r"[\d,.]+(e[+-]\d+)?$|never$|all$")
        for at, title in enumerate(table.titles):
            rows = [row for row in table.rows if figure.match(row[at])]
            if title not in SIZES:
                for row, cell in zip(rows, self.change([row[at] for row in rows])):
                    row[at] = cell
        return table


class Claims(unittest.TestCase):
    def test_every_claim_can_fail(self):
        changes = (
            lambda cells: ["1.0"] * len(cells),
            lambda cells: cells[::-1],
            lambda cells: [f"{10.0**i}" for i, _ in enumerate(cells)],
            lambda cells: ["1000.0" for _ in cells],
        )
        for number, sentence, condition in CLAIMS:
            with self.subTest(chapter=number, sentence=sentence):


                def holds(change):
                    try:
                        return condition(Changed(number, change))
                    except ValueError:  # "never" where a figure should be
                        return False

                self.assertFalse(all(map(holds, changes)), "it holds for all other figures, too")

    def test_lessons(self):
        lessons = {number: Lesson(number) for number, _, _ in CLAIMS}
        for number, sentence, condition in CLAIMS:
            with self.subTest(chapter=number, sentence=sentence):
                self.assertTrue(lessons[number].says(sentence), "the lesson does not say this any more: change it here")
                try:
                    holds = condition(lessons[number])
                except (LookupError, ValueError) as problem:
                    self.fail(f"its table was not found: {problem}")
                self.assertTrue(holds, "the figures of the lesson do not say so")

    def test_table(self):
        rows = ["| x | 1,200 | 3 |", "| x | 5 |   |", "| y | 7 | 0.5 |"]
        table = Table(["| a | b c | d |", "| --- | ---: | ---: |", *rows])
        self.assertEqual(table.column("b c", a="x"), [1200, 5])
        self.assertEqual(table.column("d", a="x"), [3])
        self.assertEqual(table.column("d", b_c="7"), [0.5])
        self.assertEqual((table.at("y", "d"), table.at(("x", "5"), 1)), (0.5, 5))
        with self.assertRaises(LookupError):
            table.at("x", "d")
        with self.assertRaises(LookupError):
            table.column("d", a="z")


if __name__ == "__main__":
    unittest.main()
