# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
"""docs/compare_peers without the libraries that it compares with, and its way of timing with a stand-in for events."""

import contextlib
import importlib.machinery
import importlib.util
import io
import pathlib
import sys
import tempfile
import types
import unittest
from unittest import mock

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parents[2]
loader = importlib.machinery.SourceFileLoader("compare_peers_tool", str(ROOT / "docs" / "compare_peers"))
peers = importlib.util.module_from_spec(importlib.util.spec_from_loader("compare_peers_tool", loader))
loader.exec_module(peers)


class Clock:
    """Events that stand still but for what the calls add."""

    def __init__(self):
        self.now = 0.0
        clock = self

        class Event:
            def record(self):
                self.at = clock.now

            def synchronize(self):
                pass

        self.cupy = types.SimpleNamespace(
            cuda=types.SimpleNamespace(Event=Event, get_elapsed_time=lambda begin, end: end.at - begin.at)
        )


class ComparePeersTest(unittest.TestCase):
    def run_main(self, arguments, modules=None):
        messages = io.StringIO()
        with mock.patch.dict(sys.modules, modules or {}), contextlib.redirect_stderr(messages):
            return peers.main(arguments), messages.getvalue()

    def test_what_is_missing_is_said(self):
        self.assertEqual(self.run_main([])[0], 2)
        status, message = self.run_main(["a.csv", "b.csv"], {"cupy": None})
        self.assertEqual(status, 2)
        self.assertIn("needs CuPy", message)
        with tempfile.NamedTemporaryFile("w", suffix=".csv") as file:
            file.write("table,taps\nlength,1025\n")
            file.flush()
            status, message = self.run_main([file.name, "b.csv"], {"cupy": types.ModuleType("cupy")})
        self.assertEqual(status, 2)
        self.assertIn("no times against taps", message)

    def time(self, ms_of_call):
        """The median, and which signals were used."""
        clock, used = Clock(), []

        def call(signal):
            used.append(signal)
            clock.now += ms_of_call(len(used))

        return peers.time_calls(clock.cupy, call, ["a", "b", "c"]), used

    def test_short_calls_are_timed_in_groups_of_2_ms_with_signals_in_turn(self):
        ms, used = self.time(lambda i: 0.1)
        self.assertAlmostEqual(ms, 0.1)
        self.assertEqual(len(used), 2 + 20 + 15 * 20)
        self.assertEqual(used[2:6], ["a", "b", "c", "a"])

    def test_long_calls_are_timed_a_few_times(self):
        self.assertEqual(len(self.time(lambda i: 30)[1]), 2 + 1 + 5)
        self.assertEqual(len(self.time(lambda i: 300)[1]), 2 + 1 + 3)

    def test_one_slow_group_changes_nothing(self):
        ms, _ = self.time(lambda i: 50 if i == 100 else 0.1)
        self.assertAlmostEqual(ms, 0.1)

    def test_a_first_call_that_prepares_does_not_count(self):
        ms, _ = self.time(lambda i: 100 if i == 1 else 0.1)
        self.assertAlmostEqual(ms, 0.1)


if __name__ == "__main__":
    unittest.main()
