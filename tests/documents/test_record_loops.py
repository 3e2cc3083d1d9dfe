# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
"""docs/record/measure loops without a compiler: what it reads in machine code, and its rows."""

import contextlib
import io
import pathlib
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
from commands import load  # noqa: E402

loops = load("docs/record/parts/loops.py")

# A loop before the main one, the main one with a loop of another kernel's size around it, and what follows.
LISTING = """
	code for sm_90
		Function : first
	.headerflags	@"EF_CUDA_SM90"
        /*0000*/                   LDC R1, c[0x0][0x28] ;                                  /* 0x00000a00ff017b82 */
                                                                                           /* 0x000fe20000000800 */
        /*0010*/              @!P0 LDG.E.CONSTANT R2, desc[UR6][R2.64] ;                   /* 0x0000000402027981 */
        /*0020*/               @P1 BRA 0x10 ;                                              /* 0x0000000402027981 */
        /*0030*/                   ULDC.64 UR4, c[0x3][0x8] ;                              /* 0x0000000402027981 */
        /*0040*/                   LDS R4, [R3] ;                                          /* 0x0000000402027981 */
        /*0050*/                   LDC.64 R6, c[0x3][R8] ;                                 /* 0x0000000402027981 */
        /*0060*/              @!P2 FFMA R5, R4, R6, R5 ;                                   /* 0x0000000402027981 */
        /*0070*/                   FFMA R5, R4, R7, R5 ;                                   /* 0x0000000402027981 */
        /*0080*/              @UP0 BRA 0x30 ;                                              /* 0x0000000402027981 */
        /*0090*/                   STL [R1], R5 ;                                          /* 0x0000000402027981 */
        /*00a0*/               @P3 BRA 0x0 ;                                               /* 0x0000000402027981 */
        /*00b0*/                   EXIT ;                                                  /* 0x0000000402027981 */
        /*00c0*/                   BRA 0xc0;                                               /* 0x0000000402027981 */
		Function : second
        /*0000*/                   EXIT ;                                                  /* 0x0000000402027981 */
"""


class LoopsTest(unittest.TestCase):
    def setUp(self):
        self.found = loops.functions(LISTING)

    def test_functions(self):
        self.assertEqual(list(self.found), ["first", "second"])
        self.assertEqual(len(self.found["first"]), 13)
        self.assertEqual(self.found["first"][1][1:], ("LDG.E.CONSTANT", "R2, desc[UR6][R2.64] "))

    def test_the_main_loop_is_the_inner_one_with_multiply_adds(self):
        row = loops.counted(loops.main_loop(self.found["first"]))
        self.assertEqual({name: value for name, value in row.items() if value}, {
            "multiply_adds": 2, "instructions": 6, "per_multiply_add": "3", "LDS": 1, "LDC_64": 1, "ULDC_64": 1, "others": 1,
        })
        with self.assertRaises(loops.Problem):
            loops.main_loop(self.found["second"])

    def test_of_a_kernel_arguments_do_not_count_as_constants(self):
        row = loops.counted(self.found["first"], constants_only=True)
        self.assertEqual((row["LDC"], row["LDC_64"], row["local"], row["LDG"]), (0, 1, 1, 1))
        self.assertEqual(loops.counted(self.found["first"])["LDC"], 1)
        self.assertEqual(row["instructions"], sum(row[c] for c in ("multiply_adds", "others", *loops.LOADS)))

    def test_combinations(self):
        name = "_ZN8tutorial12_GLOBAL__N_111loop_kernelILb1ELNS0_6tap_byE2ELb0EEEvPKfi"
        self.assertEqual(loops.combination(name), {"test": "yes", "tap": "ULDC", "sample": "global"})
        self.assertIsNone(loops.combination("first"))

    def test_a_kernel_must_be_there_once(self):
        self.assertEqual(len(loops.the_one(self.found, "fir", "a.cu")), 13)
        for pattern in ("third", "s"):
            with self.assertRaisesRegex(loops.Problem, "a.cu has [02] kernels"):
                loops.the_one(self.found, pattern, "a.cu")

    def test_a_record_that_is_there_stays(self):
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "record.json").write_text("{}")
            said = io.StringIO()
            with contextlib.redirect_stderr(said):
                self.assertEqual(loops.main([folder]), 2)
            self.assertRegex(said.getvalue(), "holds a record already|was not found")


if __name__ == "__main__":
    unittest.main()
