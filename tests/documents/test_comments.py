#!/usr/bin/env python3
# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
"""What clang-format does not look at: lines that it cannot break, and that a kernel's barriers say what they are for."""
import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
ENDINGS = (".cu", ".cuh", ".cpp", ".hpp", ".h")
WIDTH = 110
# A line that an exercise's starter has without the mark, so shorter.
MARK = re.compile(r"\s*// (?:STARTER|SOLUTION):")
# What a learner is told to do is read beside a lesson, in half a screen.
TASK = re.compile(r"\s*// TO" r"DO: .*lines?\)$")
TASK_WIDTH = 100
BARRIER = re.compile(r"\b__sync(?:threads|warp)\(\w*\);(?!.*//)")


def sources():
    """Ours: not what a build or a package manager has put there."""
    for folder in ("chapters", "common", "docs", "tests"):
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in ENDINGS and path.is_file():
                yield path


def long_lines(text):
    """The numbers of the lines that go beyond the last column: comments, strings, tables that are ours to lay out."""
    return [number for number, line in enumerate(text.split("\n"), 1) if len(line) > WIDTH and not MARK.match(line)]


def bare_barriers(text):
    """The numbers of the lines with a barrier and no word about it."""
    return [number for number, line in enumerate(text.split("\n"), 1)
            if BARRIER.search(line.split("//")[0] + ("//" if "//" in line else "")) and not MARK.match(line)]


class Comments(unittest.TestCase):
    def test_long_lines_are_found(self):
        self.assertEqual(long_lines("// " + "x" * 107 + "\n// " + "x" * 108), [2])
        self.assertEqual(long_lines("  int i;  // " + "x" * 107), [1])
        self.assertEqual(long_lines('  "' + "x" * 107 + '"'), [1])
        self.assertEqual(long_lines("  // STARTER: " + "x" * 107), [])

    def test_bare_barriers_are_found(self):
        self.assertEqual(bare_barriers("__syncthreads();\n__syncwarp();\n__syncwarp(mask);"), [1, 2, 3])
        self.assertEqual(bare_barriers("__syncthreads();  // the tile is written before it is read"), [])

    def test_lines_end_at_column_110(self):
        found = [f"{path.relative_to(ROOT)}:{n}" for path in sources()
                 for n in long_lines(path.read_text(encoding="utf-8"))]
        self.assertEqual(found, [])

    def test_tasks_of_starters_end_at_column_100(self):
        lines = [(path.relative_to(ROOT), line) for path in (ROOT / "chapters").glob("*/exercises/*/*.c*")
                 for line in path.read_text(encoding="utf-8").split("\n") if TASK.match(line)]
        self.assertGreater(len(lines), 70)
        self.assertEqual([f"{path}: {line}" for path, line in lines if len(line) > TASK_WIDTH], [])

    def test_barriers_say_what_they_are_for(self):
        kernels = [path for path in sources() if path.is_relative_to(ROOT / "chapters")
                   and path.stem != "broken" and "exercises" not in path.parts]
        self.assertGreater(len(kernels), 100)
        found = [f"{path.relative_to(ROOT)}:{n}" for path in kernels
                 for n in bare_barriers(path.read_text(encoding="utf-8"))]
        self.assertEqual(found, [])


if __name__ == "__main__":
    unittest.main()
