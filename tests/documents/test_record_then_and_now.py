# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
"""docs/record/then_and_now without a GPU: the tables that it makes of times."""

import contextlib
import io
import pathlib
import sys
import tempfile
import unittest
import unittest.mock

sys.dont_write_bytecode = True
from commands import load  # noqa: E402

tool = load("docs/record/then_and_now")


def row(source, side, version, way, ms, length=""):
    return {"source": source, "length": length, "side": side, "version": version, "way": way, "median_ms": str(ms),
            "min_ms": str(ms), "max_ms": str(ms), "repeats": "1"}


def times():
    """Of every source: a debug loop of 100 ms (200 when it is new), an optimized one of 50, all cores in 5; each kernel
    in 1 ms (2 once), 4 with copies, and 2.5 with pinned ones, which S3 lacks."""
    rows = []
    for source, _, _, _, version, best, cores in tool.REPORTS:
        rows += [
            row(source, tool.DEBUG, "serial loop", "once, new memory", 200),
            row(source, tool.DEBUG, "serial loop", "warm", 100),
            row(source, tool.OPTIMIZED, "serial loop", "warm", 50),
            row(source, tool.CORES, cores, "warm", 5),
        ]
        for kernel in (version, best):
            rows += [row(source, "GPU", kernel, way, ms) for way, ms in (("once", 2), ("warm", 1), ("with copies", 4))]
        if source != "S3":
            rows.append(row(source, "GPU", best, "with copies, pinned", 2.5))
    for length in ("10", "1010"):
        for side in (tool.DEBUG, tool.OPTIMIZED):
            rows += [row("S1", side, version, "warm", 7, length) for version in ("direct", "FFT")]
        rows.append(row("S1", tool.CORES, "01 all_cores", "warm", 3, length))
        for kernel in ("02 direct", "06 register_tiled", "07 FFT, all made in the call", "07 FFT, prepared"):
            rows += [row("S1", "GPU", kernel, way, 1, length) for way in ("warm", "with copies")]
    return rows


class TablesTest(unittest.TestCase):
    def test_each_report_is_compared_as_it_was_and_in_other_ways(self):
        lines, table = tool.speed_ups(times())
        self.assertEqual(len(lines), 7 * len(tool.REPORTS) - 1)
        factors = [line["factor"] for line in lines if line["source"] == "S2"]
        self.assertEqual(factors, ["100", "100", "50", "5", "5", "1.25", "2"])
        self.assertEqual(len(table), len(tool.REPORTS))
        self.assertEqual(table[0]["cores_pageable"], "1.25")
        self.assertEqual([row["cores_pinned"] for row in table], ["2", "", "2", "2", "2"])

    def test_the_curve_has_a_row_for_each_length(self):
        lines = tool.curve(times())
        self.assertEqual([line["length"] for line in lines], ["10", "1010"])
        self.assertEqual(lines[0]["debug_direct"], "7")

    def test_a_time_that_is_missing_is_named(self):
        with self.assertRaisesRegex(tool.Problem, "03 tiled, once"):
            tool.speed_ups([r for r in times() if (r["version"], r["way"]) != ("03 tiled", "once")])
        with self.assertRaisesRegex(tool.Problem, "no rows of S1"):
            tool.curve([r for r in times() if r["source"] != "S1"])

    def attempt(self, folder, script):
        """The exit status with such a program, and what is said."""
        program = folder / "then_and_now"
        program.write_text(f"#!/bin/sh\n{script}\n")
        program.chmod(0o755)
        messages = io.StringIO()
        with (
            unittest.mock.patch.multiple(
                tool.records, raw_folder=lambda _: folder, build=lambda *_: folder, facts=lambda *_: {"device": "GPU"}
            ),
            contextlib.redirect_stdout(messages),
            contextlib.redirect_stderr(messages),
        ):
            return tool.main([str(folder / "record")]), messages.getvalue()

    def test_a_record_is_made_once(self):
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            tool.records.write_csv(folder / "made", tool.COLUMNS, times())
            write = f'test $1 = S4 && exec cp {folder}/made "$3"; head -n 2 {folder}/made | sed s/S2/S0/ >"$3"'
            self.assertEqual(self.attempt(folder, write)[0], 0)
            files = {file.name for file in (folder / "record").iterdir()}
            self.assertEqual(files, {"speed_ups.csv", "factors.csv", "curve.csv", "record.json"})
            status, said = self.attempt(folder, write)
            self.assertEqual(status, 2)
            self.assertIn("holds a record already", said)

    def test_a_program_that_fails_is_said(self):
        with tempfile.TemporaryDirectory() as folder:
            status, said = self.attempt(pathlib.Path(folder), "exit 1")
            self.assertEqual(status, 1)
            self.assertIn("S2-once ended with status 1", said)


if __name__ == "__main__":
    unittest.main()
