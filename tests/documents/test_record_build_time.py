# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
"""docs/record/measure build_time without building anything: what it would build, and what it writes of it."""

import contextlib
import io
import pathlib
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from commands import ROOT, load  # noqa: E402

tool = load("docs/record/parts/build_time.py")


class BuildTime(unittest.TestCase):
    def test_steps_are_those_of_the_last_line_of_ninja(self):
        self.assertEqual(tool.steps_of("[0/2] Re-checking\n[1/12] Building a\n[12/12] Linking b\n"), 12)
        self.assertEqual(tool.steps_of("ninja: no work to do.\n"), 0)

    def test_tests_are_counted_also_where_one_fails(self):
        line = "print('99% tests passed, 1 tests failed out of 704'); raise SystemExit(1)"
        with contextlib.redirect_stderr(io.StringIO()) as text:
            self.assertEqual(tool.timed([[sys.executable, "-c", line]], ".")[2], 704)
        self.assertIn("1 tests failed", text.getvalue())

    def test_all_is_built_once_and_tests_run_is_the_sum_of_building_and_testing(self):
        commands, kernels = [], []
        with tempfile.TemporaryDirectory() as folder:
            tree = pathlib.Path(folder)
            for chapter in ("00_a", "01_b", "02_direct_kernel"):
                (tree / "chapters" / chapter).mkdir(parents=True)
                (tree / "chapters" / chapter / "CMakeLists.txt").touch()
            (tree / tool.KERNEL).write_text("kernel\n", encoding="utf-8")

            def run(what, tree):
                commands.extend(what)
                kernels.append((tree / tool.KERNEL).read_text(encoding="utf-8"))
                return float(len(kernels)), 10.0 * len(kernels), 704 if "tests/run" in what[-1] else 5

            with contextlib.redirect_stderr(io.StringIO()):
                rows = tool.rows_of(tree, True, run)
                self.assertEqual(len(tool.rows_of(tree, False, run)), 4)
        ninja = ["ninja", "-C", "build/emulated"]
        self.assertEqual(
            commands[1:6],
            [[*ninja, "00_a"], [*ninja, "01_b", "02_direct_kernel"], ninja, [*ninja, "02_direct_kernel"],
             ["tests/run", "--yes", "--preset", "emulated"]],
        )
        self.assertEqual(kernels[:5], [*["kernel\n"] * 3, "kernel\n// changed\n", "kernel\n"])
        self.assertEqual([row[1] for row in rows], [1, 2, 3, 4, 5, 11])
        self.assertEqual(rows[-1], ("tests/run, from a fresh clone", 11, 110, 704))

    def test_the_kernel_that_is_changed_exists(self):
        self.assertTrue((ROOT / tool.KERNEL).is_file())

    def test_time_of_processes_is_counted(self):
        processor, wall, steps = tool.timed([[sys.executable, "-c", "sum(range(10**6)); print('[3/3] x')"]], ".")
        self.assertGreater(processor, 0)
        self.assertGreater(wall, 0)
        self.assertEqual(steps, 3)

    def test_a_build_that_fails_is_no_measurement(self):
        with self.assertRaisesRegex(tool.records.Problem, "said why"):
            tool.timed([[sys.executable, "-c", "print('said why'); raise SystemExit(1)"]], ".")


if __name__ == "__main__":
    unittest.main()
