// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// What g++ has to know of the calls that it puts before each access to memory, so that host code between
// them is as fast as without.
//
// An ordinary call may change any register that the caller has not kept for itself, so every value would go
// to memory and back at each access. Functions of the host are compiled with -fipa-ra: there g++ looks at
// what a function that it has already compiled really changes. So here is one for each of these calls. None
// of them ever runs: behind the compiler the translator puts a comparison in place of each call (see
// translator/needless_calls.hpp), which changes exactly what is named here.
#pragma once

#if defined __CUDACC__ && defined __x86_64__ && !defined __clang__
/// In kernels these calls stay calls, and nothing is assumed of them.
#define EMULATOR_CALL(name, parameters, ...)                                        \
  [[gnu::optimize("ipa-ra"), gnu::no_sanitize("thread"), gnu::no_sanitize_coverage, \
    gnu::noinline]] static void name parameters {                                   \
    asm volatile("" ::: "memory", "cc" __VA_OPT__(, ) __VA_ARGS__);                 \
  }                                                                                 \
  [[gnu::used]] static void(*const emulator_keeps##name) parameters = name;
#define EMULATOR_ACCESS(name)                                                                             \
  EMULATOR_CALL(__builtin___tsan_##name, (void*), "rax", "rcx", "st", "st(1)", "st(2)", "st(3)", "st(4)", \
                "st(5)", "st(6)", "st(7)")
extern "C" {
EMULATOR_CALL(__builtin___sanitizer_cov_trace_pc, ())
EMULATOR_ACCESS(read1)
EMULATOR_ACCESS(read2)
EMULATOR_ACCESS(read4)
EMULATOR_ACCESS(read8)
EMULATOR_ACCESS(read16)
EMULATOR_ACCESS(write1)
EMULATOR_ACCESS(write2)
EMULATOR_ACCESS(write4)
EMULATOR_ACCESS(write8)
EMULATOR_ACCESS(write16)
EMULATOR_ACCESS(unaligned_read2)
EMULATOR_ACCESS(unaligned_read4)
EMULATOR_ACCESS(unaligned_read8)
EMULATOR_ACCESS(unaligned_read16)
EMULATOR_ACCESS(unaligned_write2)
EMULATOR_ACCESS(unaligned_write4)
EMULATOR_ACCESS(unaligned_write8)
EMULATOR_ACCESS(unaligned_write16)
}
#undef EMULATOR_ACCESS
#undef EMULATOR_CALL
#endif
