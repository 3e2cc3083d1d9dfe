# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
"""docs/record/measure build_time without building anything: what it would build, and what it writes of it."""

import contextlib
import importlib.machinery
import importlib.util
import io
import pathlib
import shutil
import sys
import unittest

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parents[2]
loader = importlib.machinery.SourceFileLoader("build_time_tool", str(ROOT / "docs/record/parts/build_time.py"))
tool = importlib.util.module_from_spec(importlib.util.spec_from_loader("build_time_tool", loader))
loader.exec_module(tool)


class BuildTime(unittest.TestCase):
    def test_steps_are_those_of_the_last_line_of_ninja(self):
        self.assertEqual(tool.steps_of("[0/2] Re-checking\n[1/12] Building a\n[12/12] Linking b\n"), 12)
        self.assertEqual(tool.steps_of("ninja: no work to do.\n"), 0)

    def test_tests_are_counted_also_where_one_fails(self):
        line = "print('99% tests passed, 1 tests failed out of 704'); raise SystemExit(1)"
        with contextlib.redirect_stderr(io.StringIO()) as text:
            self.assertEqual(tool.timed([[sys.executable, "-c", line]], ".", None)[2], 704)
        self.assertIn("1 tests failed", text.getvalue())

    @unittest.skipUnless(shutil.which("git") and (ROOT / ".git").exists(), "needs git, and a clone")
    def test_tests_run_is_the_sum_of_building_and_testing(self):
        commands = []

        def run(what, folder, environment):
            commands.append(what[-1])
            return len(commands), 10.0 * len(commands), 704 if "tests/run" in what[-1] else 5

        rows = tool.measure("now", "HEAD", with_tests=True, run=run)
        self.assertEqual(commands[-1], ["tests/run", "--yes", "--preset", "emulated"])
        self.assertEqual([row["processor_s"] for row in rows], ["1.0", "2.0", "3.0", "4.0", "5.0", "11.0"])
        self.assertEqual((rows[-1]["built"], rows[-1]["wall_s"], rows[-1]["steps"]), ("tests/run, from a fresh clone", "110.0", "704"))
        self.assertEqual(len(tool.measure("now", "HEAD", run=run)), 4)

    def test_everything_is_built_once_and_chapter_00_first(self):
        built = [targets for _, targets in tool.stages(["00_a", "01_b", "02_direct_kernel"])]
        self.assertEqual(built, [["00_a"], ["01_b", "02_direct_kernel"], [], ["02_direct_kernel"]])

    def test_the_kernel_that_is_changed_exists(self):
        self.assertTrue((ROOT / tool.KERNEL).is_file())

    def test_time_of_processes_is_counted(self):
        processor, wall, steps = tool.timed([[sys.executable, "-c", "sum(range(10**6)); print('[3/3] x')"]], ".", None)
        self.assertGreater(processor, 0)
        self.assertGreater(wall, 0)
        self.assertEqual(steps, 3)

    def test_a_build_that_fails_is_no_measurement(self):
        with self.assertRaisesRegex(SystemExit, "said why"):
            tool.timed([[sys.executable, "-c", "print('said why'); raise SystemExit(1)"]], ".", None)

    def test_without_a_folder_it_says_how_it_is_used(self):
        with contextlib.redirect_stdout(io.StringIO()) as text:
            self.assertEqual(tool.main([]), 2)
            self.assertEqual(tool.main(["--help"]), 0)
        self.assertIn("docs/record/measure build_time FOLDER", text.getvalue())


if __name__ == "__main__":
    unittest.main()
