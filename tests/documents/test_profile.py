# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
"""docs/record/parts/profiles.py with a stand-in for the profiler."""

import contextlib
import csv
import io
import os
import pathlib
import sys
import tempfile
import unittest
from unittest import mock

sys.dont_write_bytecode = True
from commands import load  # noqa: E402

profile = load("docs/record/parts/profiles.py")

NAMES = ["ID", "Kernel Name", *profile.METRICS.values(), profile.INSTRUCTIONS, profile.GRID, profile.BLOCK]
VALUES = ["0", "convolve_kernel(float, int)", *[f"{i}.25" for i in range(len(profile.METRICS))], "1,048,576"]
VALUES += ["1,024", "64"]


def quoted(cells):
    return ",".join(f'"{cell}"' for cell in cells)


def printed(kernels=1):
    lines = ["==PROF== Connected", quoted(NAMES), quoted([""] * len(NAMES))]
    return "\n".join(lines + [quoted(VALUES)] * kernels + ["==PROF== Disconnected"])


class ProfileTest(unittest.TestCase):
    def run_with(self, output, status=0, program="bin/06_register_tiling"):
        """Whether all were profiled, rows written, messages."""
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            (folder / "output").write_text(output, encoding="utf-8")
            ncu = folder / "ncu"
            ncu.write_text(f"#!/bin/sh\ncat {folder}/output\nexit {status}\n", encoding="utf-8")
            ncu.chmod(0o755)
            messages = io.StringIO()
            with mock.patch.dict(os.environ, {"PATH": f"{folder}:{os.environ['PATH']}"}):
                with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(messages):
                    result = profile.profile(pathlib.Path(program), folder / "out.csv")
            rows = []
            if (folder / "out.csv").exists():
                with open(folder / "out.csv", encoding="utf-8") as file:
                    rows = list(csv.DictReader(file))
            return result, rows, messages.getvalue()

    def test_every_version_is_a_row(self):
        whole, rows, _ = self.run_with(printed())
        self.assertTrue(whole)
        self.assertEqual(len(rows), sum(len(versions) for *_, versions in profile.WORKS))
        self.assertEqual(rows[0]["work"], "5 taps")
        self.assertEqual(rows[0]["registers"], "0.25")
        self.assertEqual(rows[0]["not_selected"], f"{len(profile.METRICS) - 1}.25")
        self.assertEqual(rows[0]["instructions"], "2")  # 2^20 for 2^24 outputs, 32 of them to a warp

    def test_chapter_02_has_versions_of_its_own(self):
        whole, rows, _ = self.run_with(printed(), program="bin/02_direct_kernel")
        self.assertTrue(whole)
        self.assertEqual({row["variant"] for row in rows}, {"direct", "direct_interior", "direct_grouped"})

    def test_no_kernel_and_two_kernels_are_refused(self):
        for kernels in (0, 2):
            whole, rows, messages = self.run_with(printed(kernels))
            self.assertEqual((whole, rows), (False, []))
            self.assertIn(f"measured {kernels} kernels", messages)

    def test_of_chapter_09_the_largest_launch_counts(self):
        small = [*VALUES[:-3], "32,768", "512", "64"]
        text = printed().replace("==PROF== Disconnected", quoted(small))
        whole, rows, _ = self.run_with(text, program="bin/09_dct_compression")
        self.assertTrue(whole)
        self.assertEqual([row["work"] for row in rows], [work for work, _ in profile.FUSED])
        self.assertEqual(rows[0]["instructions"], "8")  # 2^20 of warps for 2^16 threads with 64 pixels each
        whole, rows, messages = self.run_with(printed(0), program="bin/09_dct_compression")
        self.assertEqual((whole, rows), (False, []))
        self.assertIn("no kernel encode_fused_kernel", messages)

    def test_chapters_13_and_14(self):
        whole, rows, _ = self.run_with(printed(), program="bin/13_one_pass")
        self.assertTrue(whole)
        self.assertEqual([row["work"] for row in rows], ["65 taps", "257 taps", "1025 taps", "4097 taps"])
        whole, rows, _ = self.run_with(printed(), program="bin/14_small_matrices")
        self.assertTrue(whole)
        self.assertEqual([row["variant"] for row in rows], profile.PRODUCTS)
        self.assertEqual(rows[0]["instructions"], "0.125")  # 2^20 for 2^28 pixels, 32 of them to a warp

    def test_a_profiler_that_fails_is_heard(self):
        whole, rows, messages = self.run_with("==ERROR== ERR_NVGPUCTRPERM", 1)
        self.assertEqual((whole, rows), (False, []))
        self.assertIn("ERR_NVGPUCTRPERM", messages)


if __name__ == "__main__":
    unittest.main()
