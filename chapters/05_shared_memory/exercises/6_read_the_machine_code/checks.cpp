// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "read_the_machine_code.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <string>

using namespace tutorial;
using doctest::Approx;

// The loops over the taps of three kernels for float: what `cuobjdump -sass` shows of the code that nvcc 13.0
// makes for compute capability 9.0, from the target of the branch to the branch, without the encodings.
namespace {

// Chapter 02: sample and tap from global memory, each under a condition.
constexpr std::string_view direct = R"(
/*0210*/  VIADD R13, R9, -UR4 ;
/*0220*/  VIADD R7, R13.reuse, 0x2 ;
/*0230*/  IADD3 R6, R13.reuse, 0x3, RZ ;
/*0240*/  VIADD R12, R13.reuse, 0x1 ;
/*0250*/  ISETP.GE.AND P3, PT, R13, UR5, PT ;
/*0260*/  ISETP.GE.AND P0, PT, R6.reuse, UR5, PT ;
/*0270*/  ISETP.GE.AND P1, PT, R7.reuse, UR5, PT ;
/*0280*/  ISETP.LT.OR P0, PT, R6, RZ, P0 ;
/*0290*/  IMAD.MOV.U32 R6, RZ, RZ, R10 ;
/*02a0*/  ISETP.LT.OR P1, PT, R7, RZ, P1 ;
/*02b0*/  ISETP.GE.AND P2, PT, R12.reuse, UR5, PT ;
/*02c0*/  MOV R7, R11 ;
/*02d0*/  ISETP.LT.OR P2, PT, R12, RZ, P2 ;
/*02e0*/  ISETP.LT.OR P3, PT, R13, RZ, P3 ;
/*02f0*/  @!P0 LDG.E.CONSTANT R11, desc[UR10][R6.64] ;
/*0300*/  @!P0 LDG.E.CONSTANT R10, desc[UR10][R4.64] ;
/*0310*/  @!P1 LDG.E.CONSTANT R13, desc[UR10][R4.64+-0x4] ;
/*0320*/  @!P1 LDG.E.CONSTANT R12, desc[UR10][R6.64+0x4] ;
/*0330*/  @!P2 LDG.E.CONSTANT R15, desc[UR10][R4.64+-0x8] ;
/*0340*/  @!P2 LDG.E.CONSTANT R14, desc[UR10][R6.64+0x8] ;
/*0350*/  @!P3 LDG.E.CONSTANT R17, desc[UR10][R4.64+-0xc] ;
/*0360*/  @!P3 LDG.E.CONSTANT R16, desc[UR10][R6.64+0xc] ;
/*0370*/  UIADD3 UR4, UR4, 0x4, URZ ;
/*0380*/  IADD3 R4, P5, R4, -0x10, RZ ;
/*0390*/  VIADD R18, R19, UR4 ;
/*03a0*/  IADD3.X R5, R5, -0x1, RZ, P5, !PT ;
/*03b0*/  @!P0 FFMA R2, R11, R10, R2 ;
/*03c0*/  ISETP.NE.AND P0, PT, R18, RZ, PT ;
/*03d0*/  @!P1 FFMA R2, R13, R12, R2 ;
/*03e0*/  IADD3 R10, P1, R6, 0x10, RZ ;
/*03f0*/  IMAD.X R11, RZ, RZ, R7, P1 ;
/*0400*/  @!P2 FFMA R2, R15, R14, R2 ;
/*0410*/  @!P3 FFMA R2, R17, R16, R2 ;
/*0420*/  @P0 BRA 0x210 ;
)";

// Chapter 04: the tap from constant memory, under the condition that the sample exists.
constexpr std::string_view constant = R"(
/*01f0*/  VIADD R11, R7, -UR4 ;
/*0200*/  VIADD R8, R11.reuse, 0x3 ;
/*0210*/  IADD3 R9, R11.reuse, 0x2, RZ ;
/*0220*/  VIADD R10, R11.reuse, 0x1 ;
/*0230*/  ISETP.GE.AND P2, PT, R11, UR8, PT ;
/*0240*/  ISETP.GE.AND P0, PT, R8.reuse, UR8, PT ;
/*0250*/  ISETP.GE.AND P1, PT, R9, UR8, PT ;
/*0260*/  ISETP.LT.OR P0, PT, R8, RZ, P0 ;
/*0270*/  ISETP.GE.AND P3, PT, R10, UR8, PT ;
/*0280*/  ISETP.LT.OR P1, PT, R9, RZ, P1 ;
/*0290*/  ISETP.LT.OR P3, PT, R10, RZ, P3 ;
/*02a0*/  ISETP.LT.OR P2, PT, R11, RZ, P2 ;
/*02b0*/  @!P0 LDG.E.CONSTANT R8, desc[UR6][R2.64] ;
/*02c0*/  @!P1 LDG.E.CONSTANT R10, desc[UR6][R2.64+-0x4] ;
/*02d0*/  @!P3 LDG.E.CONSTANT R12, desc[UR6][R2.64+-0x8] ;
/*02e0*/  @!P2 LDG.E.CONSTANT R14, desc[UR6][R2.64+-0xc] ;
/*02f0*/  @!P0 LDC R9, c[0x3][R16] ;
/*0300*/  UIADD3 UR4, UR4, 0x4, URZ ;
/*0310*/  @!P1 LDC R11, c[0x3][R16+0x4] ;
/*0320*/  @!P3 LDC R13, c[0x3][R16+0x8] ;
/*0330*/  @!P2 LDC R15, c[0x3][R16+0xc] ;
/*0340*/  VIADD R16, R16, 0x10 ;
/*0350*/  @!P0 FFMA R5, R8, R9, R5 ;
/*0360*/  VIADD R8, R17, UR4 ;
/*0370*/  @!P1 FFMA R5, R10, R11, R5 ;
/*0380*/  IADD3 R2, P1, R2, -0x10, RZ ;
/*0390*/  ISETP.NE.AND P0, PT, R8, RZ, PT ;
/*03a0*/  @!P3 FFMA R5, R12, R13, R5 ;
/*03b0*/  IADD3.X R3, R3, -0x1, RZ, P1, !PT ;
/*03c0*/  @!P2 FFMA R5, R14, R15, R5 ;
/*03d0*/  @P0 BRA 0x1f0 ;
)";

// Chapter 05: the sample from shared memory, the tap by a uniform load. No condition.
constexpr std::string_view shared = R"(
/*0470*/  LDS R16, [R8+0x4] ;
/*0480*/  ULDC.64 UR8, c[0x3][UR4] ;
/*0490*/  VIADD R7, R7, 0xfffffff0 ;
/*04a0*/  IADD3 R6, R6, 0x10, RZ ;
/*04b0*/  LDS R13, [R8] ;
/*04c0*/  ISETP.GT.AND P1, PT, R7, 0xc, PT ;
/*04d0*/  LDS R15, [R8+-0x4] ;
/*04e0*/  LDS R17, [R8+-0x8] ;
/*04f0*/  LDS R18, [R8+-0xc] ;
/*0500*/  LDS R20, [R8+-0x10] ;
/*0510*/  LDS R14, [R8+-0x14] ;
/*0520*/  LDS R12, [R8+-0x18] ;
/*0530*/  LDS R11, [R8+-0x1c] ;
/*0540*/  LDS R10, [R8+-0x20] ;
/*0550*/  FFMA R16, R16, UR8, R9 ;
/*0560*/  LDS R9, [R8+-0x24] ;
/*0570*/  FFMA R16, R13, UR9, R16 ;
/*0580*/  ULDC.64 UR8, c[0x3][UR4+0x8] ;
/*0590*/  LDS R13, [R8+-0x28] ;
/*05a0*/  FFMA R16, R15, UR8, R16 ;
/*05b0*/  LDS R15, [R8+-0x2c] ;
/*05c0*/  FFMA R17, R17, UR9, R16 ;
/*05d0*/  ULDC.64 UR8, c[0x3][UR4+0x10] ;
/*05e0*/  LDS R16, [R8+-0x30] ;
/*05f0*/  FFMA R17, R18, UR8, R17 ;
/*0600*/  LDS R18, [R8+-0x34] ;
/*0610*/  FFMA R17, R20, UR9, R17 ;
/*0620*/  ULDC.64 UR8, c[0x3][UR4+0x18] ;
/*0630*/  LDS R20, [R8+-0x38] ;
/*0640*/  FFMA R17, R14, UR8, R17 ;
/*0650*/  FFMA R12, R12, UR9, R17 ;
/*0660*/  ULDC.64 UR8, c[0x3][UR4+0x20] ;
/*0670*/  IADD3 R8, R8, -0x40, RZ ;
/*0680*/  FFMA R11, R11, UR8, R12 ;
/*0690*/  FFMA R10, R10, UR9, R11 ;
/*06a0*/  ULDC.64 UR8, c[0x3][UR4+0x28] ;
/*06b0*/  FFMA R10, R9, UR8, R10 ;
/*06c0*/  FFMA R10, R13, UR9, R10 ;
/*06d0*/  ULDC.64 UR8, c[0x3][UR4+0x30] ;
/*06e0*/  FFMA R15, R15, UR8, R10 ;
/*06f0*/  FFMA R15, R16, UR9, R15 ;
/*0700*/  ULDC.64 UR8, c[0x3][UR4+0x38] ;
/*0710*/  UIADD3 UR4, UR4, 0x40, URZ ;
/*0720*/  FFMA R15, R18, UR8, R15 ;
/*0730*/  FFMA R9, R20, UR9, R15 ;
/*0740*/  @P1 BRA 0x470 ;
)";

std::string name(operation which) {
  switch (which) {
    case operation::none:
      return "none";
    case operation::multiply_add:
      return "multiply_add";
    case operation::lane_load:
      return "lane_load";
    case operation::uniform_load:
      return "uniform_load";
    case operation::barrier:
      return "barrier";
    case operation::other:
      break;
  }
  return "other";
}

void check_line(const std::string& line, operation expected) {
  const operation got = operation_of(line);
  const std::size_t begin = std::min(line.find_first_not_of(" \t"), line.size());
  CHECK_MESSAGE(got == expected, "the line '", line.substr(begin), "' is operation::", name(expected),
                ", and operation_of() gives operation::", name(got));
}

void check_count(const std::string& kernel, const std::string& what, int got, int expected) {
  CHECK_MESSAGE(got == expected, "the listing `", kernel, "` in checks.cpp: ", what, " should be ", expected,
                ", and count_operations() counts ", got);
}

void check_ratio(const operation_counts& counts, double expected) {
  const double got = lane_loads_per_multiply_add(counts);
  CHECK_MESSAGE(got == Approx(expected), counts.lane_loads, " loads for each lane and ", counts.multiply_adds,
                " multiply-adds: lane_loads_per_multiply_add() should be ", expected, ", and is ", got);
}

}  // namespace

TEST_CASE("one line") {
  check_line("/*0550*/  FFMA R16, R16, UR8, R9 ;", operation::multiply_add);
  check_line("        /*0370*/              @!P0 DFMA R2, R20, R18, R2 ;", operation::multiply_add);
  check_line("        /*0470*/                   LDS R16, [R8+0x4] ;", operation::lane_load);
  check_line("        /*0290*/              @!P0 LDG.E.64.CONSTANT R20, desc[UR10][R6.64] ;",
             operation::lane_load);
  check_line("        /*0ad0*/                   LDC R6, c[0x3][R7] ;", operation::lane_load);
  check_line("        /*0580*/                   ULDC.64 UR8, c[0x3][UR4+0x8] ;", operation::uniform_load);
  check_line("        /*0240*/                   BAR.SYNC.DEFER_BLOCKING 0x0 ;", operation::barrier);
  check_line(
      "        /*0550*/                   FFMA R16, R16, UR8, R9 ;                 "
      "/* 0x0000000810107c23 */",
      operation::multiply_add);
}

TEST_CASE("what only looks like it") {
  check_line("        /*01f0*/                   STS [R13], R4 ;", operation::other);
  check_line("        /*02e0*/                   IMAD.WIDE R2, R9, 0x4, R2 ;", operation::other);
  check_line("        /*0170*/                   HFMA2.MMA R4, -RZ, RZ, 0, 0 ;", operation::other);
  check_line("        /*0b70*/                   NOP;", operation::other);
  check_line("        /*0740*/               @P1 BRA 0x470 ;", operation::other);
}

TEST_CASE("lines without an instruction") {
  check_line("", operation::none);
  check_line("                                        /* 0x000fe20000000f00 */", operation::none);
  check_line("\t\tFunction : count_FFMA_and_ULDC_kernel", operation::none);
  check_line("\t.headerflags\t@\"EF_CUDA_SM90\"", operation::none);
  check_line("\t\t..........", operation::none);
}

TEST_CASE("the loops of three chapters") {
  const operation_counts of_direct = count_operations(direct);
  check_count("direct", "instructions", of_direct.instructions, 34);  // 8.5 for each of the 4 taps
  check_count("direct", "multiply_adds", of_direct.multiply_adds, 4);
  check_count("direct", "lane_loads", of_direct.lane_loads, 8);
  check_count("direct", "uniform_loads", of_direct.uniform_loads, 0);

  const operation_counts of_constant = count_operations(constant);
  check_count("constant", "instructions", of_constant.instructions, 31);
  check_count("constant", "multiply_adds", of_constant.multiply_adds, 4);
  check_count("constant", "lane_loads", of_constant.lane_loads,
              8);  // a tap from constant memory is still a load for each lane
  check_count("constant", "uniform_loads", of_constant.uniform_loads, 0);

  const operation_counts of_shared = count_operations(shared);
  check_count("shared", "instructions", of_shared.instructions, 46);
  check_count("shared", "multiply_adds", of_shared.multiply_adds, 16);
  check_count("shared", "lane_loads", of_shared.lane_loads, 16);
  check_count("shared", "uniform_loads", of_shared.uniform_loads, 8);  // two taps each
  check_count("shared", "barriers", of_shared.barriers, 0);            // none in the loop over the taps
}

TEST_CASE("loads for each multiply-add") {
  check_ratio(count_operations(direct), 2);
  check_ratio(count_operations(constant), 2);
  check_ratio(count_operations(shared), 1);
  check_ratio({10, 4, 6, 0, 0}, 1.5);
  check_ratio({3, 0, 2, 0, 1}, 0);
}
