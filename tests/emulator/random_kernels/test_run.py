#!/usr/bin/env python3
# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
"""The run of random kernels must be able to fail: test_run.py EMUCC FOLDER"""

import importlib.machinery
import importlib.util
import os
import re
import subprocess
import sys
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
here = Path(__file__).resolve().parent
loader = importlib.machinery.SourceFileLoader("run", str(here / "run"))
run = importlib.util.module_from_spec(importlib.util.spec_from_loader("run", loader))
loader.exec_module(run)
emucc, folder = sys.argv[1:3]


def planned(kind):
    """The first seed with this fault."""
    for seed in range(5000):
        p = run.plan("case_0", seed, 1)
        if p.fault == kind and p.faulty:
            return p
    raise AssertionError(f"no kernel with: {kind}")


def planned_streams(kind):
    for seed in range(5000):
        p = run.plan_streams("case_0", seed, 1)
        if p.fault == kind and p.faulty:
            return p
    raise AssertionError(f"no program with: {kind}")


def started(*arguments, **environment):
    return subprocess.run([str(here / "run"), "--emucc", emucc, "--folder", folder, *arguments], text=True,
                          capture_output=True, env=dict(os.environ, **environment))


class Judging(unittest.TestCase):
    def setUp(self):
        self.p = planned("uninitialized memory")
        self.line = next(iter(self.p.case.faults))[1]
        self.kernel = self.p.case.kernel_names[-1]

    def message(self, line, title="read of uninitialized memory", kernel=None):
        return f"some/file.cu:{line}: error: {title} in kernel {kernel or self.kernel}\n  thread (0, 0, 0) ...\n"

    def test_right(self):
        self.assertIsNone(run.judge(self.p, 1, self.message(self.line)))

    def test_nothing_found(self):
        self.assertIn("nothing was found", run.judge(self.p, 0, "ok\n"))

    def test_wrong_line(self):
        self.assertIn("was not expected", run.judge(self.p, 1, self.message(1)))

    def test_wrong_kind(self):
        self.assertIn("was not expected", run.judge(self.p, 1, self.message(self.line, "access out of bounds")))

    def test_wrong_kernel(self):
        self.assertIn("was not expected", run.judge(self.p, 1, self.message(self.line, kernel="other_kernel")))

    def test_one_more_than_there_is(self):
        two = self.message(self.line) + self.message(self.line, "access out of bounds")
        self.assertIn("was not expected", run.judge(self.p, 1, two))

    def test_status(self):
        self.assertIn("exit status 0", run.judge(self.p, 0, self.message(self.line)))

    def test_race_needs_both_lines(self):
        p = planned("missing barrier")
        kind, line, other = min(f for f in p.case.faults if f[0] == "race")
        self.kernel = p.case.kernel_names[-1]
        right = self.message(line, "race") + f"  thread (1, 0, 0) of block (0, 0, 0) writes there, too, at f.cu:{other}\n"
        self.assertIsNone(run.judge(p, 1, right))
        self.assertIsNotNone(run.judge(p, 1, self.message(line, "race")))
        self.assertIsNotNone(run.judge(p, 1, right.replace(f"f.cu:{other}", "f.cu:1")))

    def test_unordered_needs_both_lines(self):
        p = planned_streams("a missing wait")
        kind, line, other = min(p.case.faults)

        def message(first, second):
            return (f"a/f.cu:{first}: error: nothing orders two operations on the same memory\n"
                    f"  kernel mix_kernel in stream 2 (made at a/f.cu:2) reads byte 0 of the allocation made at a/f.cu:3\n"
                    f"  cudaMemcpyAsync() at a/f.cu:{second} in stream 1 (made at a/f.cu:1) writes it, too\n")
        self.assertIsNone(run.judge(p, 1, message(line, other)))
        self.assertIsNone(run.judge(p, 1, message(other, line)))
        self.assertIsNotNone(run.judge(p, 1, message(line, 1)))
        self.assertIsNotNone(run.judge(p, 1, message(line, other) + message(1, other)))
        self.assertIsNotNone(run.judge(p, 1, self.message(line)))

    def test_error_code(self):
        p = planned("too many threads in a block")
        self.assertIsNone(run.judge(p, 3, f"error {p.case.error}\n"))
        self.assertIsNotNone(run.judge(p, 0, "ok\n"))

    def test_the_same_seed_is_the_same_kernel(self):
        for seed in range(20):
            one, two = run.plan("case_0", seed, 1), run.plan("case_0", seed, 1)
            self.assertEqual(one.case.text.lines, two.case.text.lines)
            self.assertEqual(one.expectation(), two.expectation())
            one, two = run.plan_streams("case_0", seed, 1), run.plan_streams("case_0", seed, 1)
            self.assertEqual(one.case.text.lines, two.case.text.lines)
            self.assertEqual(one.expectation(), two.expectation())


class Running(unittest.TestCase):
    def test_what_is_not_found_is_said(self):
        done = started("--files", "1", "--first", "3", "--size", "6", EMULATOR_CHECK="0", EMULATOR_PATIENCE="0")
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        faulty = int(re.search(r"(\d+) with one", done.stdout)[1])
        self.assertGreater(faulty, 0)
        self.assertRegex(done.stdout, r"FAILED \(missed\): seed 3, case \d+, shape \w+, planted: ")
        kept = Path(re.search(r"alone: (.*)", done.stdout)[1])
        self.assertIn("// Expected: ", kept.read_text())

    def test_streams_that_nothing_orders_are_missed(self):
        done = started("--only", "streams", "--files", "1", "--first", "3", "--size", "6", EMULATOR_CHECK="0")
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        faulty = int(re.search(r"(\d+) with one", done.stdout)[1])
        self.assertGreater(faulty, 0)
        self.assertEqual(done.stdout.count("FAILED (missed): seed 3, case "), faulty)
        self.assertIn("shape streams", done.stdout)

    def test_no_compiler(self):
        done = subprocess.run([str(here / "run"), "--emucc", "missing"], text=True, capture_output=True)
        self.assertEqual(done.returncode, 2)
        self.assertIn("missing is not there", done.stderr)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]])
