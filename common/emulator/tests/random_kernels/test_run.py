#!/usr/bin/env python3
# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
"""The run of random kernels must be able to fail: test_run.py EMUCC FOLDER"""

import functools
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
import messages  # noqa: E402
from streams import Buffer, LEGACY, Order, Statement  # noqa: E402

emucc, folder = sys.argv[1:3]


@functools.cache
def planned(kind, sort="kernels"):
    """The first seed with this fault."""
    for seed in range(5000):
        p = run.SORTS[sort]("case_0", seed, 1)
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
        right = self.message(line, "race") + f"  thread (1, 0, 0) of block (0, 0, 0) reads there, at f.cu:{other}\n"
        self.assertIsNone(run.judge(p, 1, right))
        self.assertIsNone(run.judge(p, 1, right.replace("reads there", "also writes there")))
        self.assertIsNotNone(run.judge(p, 1, self.message(line, "race")))
        self.assertIsNotNone(run.judge(p, 1, right.replace(f"f.cu:{other}", "f.cu:1")))

    def test_unordered_needs_both_lines(self):
        p = planned("a missing wait", "streams")
        kind, line, other = min(p.case.faults)

        def message(first, second):
            return (f"a/f.cu:{first}: error: nothing orders two operations on the same memory\n"
                    f"  kernel mix_kernel in stream 2 (made at a/f.cu:2) reads byte 0 of the allocation made at a/f.cu:3\n"
                    f"  cudaMemcpyAsync() at a/f.cu:{second} in stream 1 (made at a/f.cu:1) writes it\n")
        self.assertIsNone(run.judge(p, 1, message(line, other)))
        self.assertIsNone(run.judge(p, 1, message(other, line)))
        self.assertIsNotNone(run.judge(p, 1, message(line, 1)))
        self.assertIsNotNone(run.judge(p, 1, message(line, other) + message(1, other)))
        self.assertIsNotNone(run.judge(p, 1, self.message(line)))

    def test_one_access_for_two_branches(self):
        p = next(p for p in (run.plan("case_0", seed, 1) for seed in range(20000))
                 if p.fault == "null pointer" and p.faulty and [kind for kind, _, _ in p.case.faults].count("host_pointer") > 1)
        text, self.kernel = p.case.text, p.case.kernel_names[-1]
        launch = next(text.first_line + i for i, row in enumerate(text.lines) if "<<<" in row)
        message = self.message(launch, "null pointer")
        self.assertIsNotNone(run.judge(p, 1, message))
        self.assertIsNone(run.judge(p, 1, message, merges=True))
        self.assertIsNotNone(run.judge(p, 1, self.message(launch + 1, "null pointer"), merges=True))
        self.assertIsNotNone(run.judge(p, 1, self.message(launch, "access out of bounds"), merges=True))

    def test_a_launch_that_nothing_orders_keeps_its_line(self):
        def launch_among_several(p):
            return len(p.case.faults) > 1 and next((f for f in p.case.faults if f[0] == "unordered" and "<<<" in
                                                    p.case.text.lines[f[2] - p.case.text.first_line]), None)
        p = next(p for p in (run.plan_messages("case_0", seed, 1) for seed in range(5000)) if launch_among_several(p))
        _, other, line = launch_among_several(p)
        message = (f"a/f.cu:{line}: error: nothing orders two operations on the same memory\n  kernel mix_kernel in stream 2\n"
                   f"  ncclAllReduce() at a/f.cu:{other} in stream 1 writes it\n")
        self.assertIsNone(run.judge(p, 1, message))
        self.assertIsNone(run.judge(p, 1, message, merges=True))
        self.assertIsNotNone(run.judge(p, 1, message.replace(f":{other} ", ":1 "), merges=True))

    def test_copies_need_both_lines(self):
        p = planned("a missing wait for copies", "copies")
        kind, line, other = min(p.case.faults)
        self.assertEqual(kind, "asynchronous")
        self.kernel = p.case.kernel_names[-1]
        for title, there in [("read of memory that an asynchronous copy is still filling",
                              "copies there, at f.cu:{}, and has not waited since"),
                             ("asynchronous copy whose source changes before it lands",
                              "writes there before the wait for the copy, at f.cu:{}"),
                             ("race with an asynchronous copy", "also writes there, at f.cu:{}")]:
            message = self.message(line, title) + f"  thread (1, 0, 0) of block (0, 0, 0) {there}\n"
            self.assertIsNone(run.judge(p, 1, message.format(other)))
            self.assertIsNotNone(run.judge(p, 1, message.format(1)))
            self.assertIsNotNone(run.judge(p, 1, self.message(line, title)))

    def test_messages_need_the_line_of_the_group(self):
        p = planned("a message of another length", "messages")
        kind, line, _ = min(p.case.faults)

        def message(at, title="a message is sent and received in different sizes"):
            return f"a/f.cu:{at}: error: {title}\n  rank 0 sends 2 ncclUint32 to rank 1: ncclSend() at a/f.cu:{at}\n"
        self.assertEqual(kind, "message")
        self.assertIsNone(run.judge(p, 1, message(line)))
        self.assertIsNone(run.judge(p, 1, message(line, "ranks wait for each other forever")))
        self.assertIsNotNone(run.judge(p, 1, message(1)))
        self.assertIsNotNone(run.judge(p, 1, message(line, "nothing orders two operations")))

    def test_a_group_orders_what_is_received_and_not_what_is_sent(self):
        group, order = messages.Group, messages.OrderOfDevices({"s": 0, "t": 1})
        x, y, z = (Buffer(name, "device", 8) for name in "xyz")
        write = Statement("operation", "", "s", accesses=((x, 0, 8, "w"), (z, 0, 8, "w")))
        order.apply(write)
        order.apply(group([messages.Call("send", 0, "s", 8, x=(x, 0), peer=1),
                           messages.Call("recv", 1, "t", 8, y=(y, 0), peer=0)]))
        of_t = order.start("t")
        self.assertEqual(order.unordered(Statement("", "", "t", accesses=((z, 0, 8, "r"),)), of_t), [])
        again = group([messages.Call("sum", 0, "s", 8, (x, 0), (x, 0)), messages.Call("sum", 1, "t", 8, (y, 0), (y, 0))])
        order.apply(Statement("operation", "", "s", accesses=((y, 0, 8, "w"),)))
        found = []
        order.apply(again, found)
        self.assertIn((again, order.operations[-5]), found)

    def test_an_event_in_the_default_stream_is_work_of_it(self):
        x = Buffer("x", "device", 8)
        write = ((x, 0, 8, "w"),)
        record = lambda stream: Statement("record", "", stream, "e")
        wait = lambda stream: Statement("wait", "", stream, "e")
        for ordered, between, streams in [
                (True, [record(LEGACY)], "ab"), (True, [record("c"), wait(LEGACY)], "ab"),
                (False, [wait(LEGACY)], "ab"), (False, [record("c"), wait("c")], "ab"),
                (False, [record(LEGACY)], "cb"), (False, [record(LEGACY)], "ac"),
                (True, [Statement("operation", "cudaMemsetAsync", LEGACY)], "ab"),
                (False, [Statement("operation", "cudaMallocAsync", LEGACY)], "ab")]:
            order, found = Order({"a", "b"}), []  # and not "c"
            for s in [Statement("operation", "", streams[0], accesses=write), *between,
                      Statement("operation", "", streams[1], accesses=write)]:
                order.apply(s, found)
            self.assertEqual(not found, ordered, (streams, [(s.what, s.stream) for s in between]))

    def test_error_code(self):
        p = planned("too many threads in a block")
        self.assertIsNone(run.judge(p, 3, f"error {p.case.error}\n"))
        self.assertIsNotNone(run.judge(p, 0, "ok\n"))

    def test_the_same_seed_is_the_same_kernel(self):
        for plan in run.SORTS.values():
            for seed in range(8):
                one, two = plan("case_0", seed, 1), plan("case_0", seed, 1)
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
        self.assertIn("shape StreamProgram", done.stdout)

    def test_copies_that_have_not_landed_are_missed(self):
        done = started("--only", "copies", "--files", "1", "--first", "3", "--size", "5", EMULATOR_CHECK="0")
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertRegex(done.stdout, r"FAILED \(missed\): seed 3, case \d+, shape (ring|pipeline)_of_\w+, planted: ")

    def test_copies_and_messages(self):
        """A few of each: nothing is missed, and nothing else is found."""
        for sort in ("copies", "messages"):
            done = started("--only", sort, "--files", "1", "--first", "5", "--size", "6")
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            self.assertRegex(done.stdout, r"[1-9]\d* programs without a fault .* [1-9]\d* with one; missed 0")

    def test_no_compiler(self):
        done = subprocess.run([str(here / "run"), "--emucc", "missing"], text=True, capture_output=True)
        self.assertEqual(done.returncode, 2)
        self.assertIn("missing is not there", done.stderr)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]])
