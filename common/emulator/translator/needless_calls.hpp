// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Makes kernel files faster where nothing looks on, after the compiler.
#pragma once

#include <string>
#include <string_view>

namespace cuda_emulator::translator {

/// What the translator puts at the beginning of a function that only the host can call. The compiler copies
/// it into its output, where without_needless_calls() finds it.
inline constexpr std::string_view host_mark = " asm volatile(\"# emulator: host\");";

/// What stands with the name of such a function that has loops: g++ keeps values in registers across the
/// calls that without_needless_calls() replaces (see emulator/host_code.hpp). Each function that is compiled
/// so must have the mark, or be made by the compiler out of one that has.
inline constexpr std::string_view host_attribute = " [[gnu::optimize(\"ipa-ra\")]]";

/// Takes and gives the compiler's output for a kernel file (x86-64, AT&T syntax; other calls than its stay
/// as they are). Every function calls the emulated device before each access and in each basic block.
///
/// - In a function with host_mark, and in OpenMP's parts of functions, the call in each basic block vanishes,
///   and a comparison stands in place of the call before an access. Where the address may be the device's, it
///   goes to cuda_emulator_host_access(), which changes only the registers rax and rcx.
/// - In functions of the standard library and in lambdas the call before an access is made only where a
///   kernel runs on the calling thread, or the address may be the device's.
/// - All others get a twin without such calls, NAME.unwatched, in which threads run whose block is not
///   checked. What the twin calls in this file are twins, too. Accesses to volatile memory still call:
///   there a thread may wait.
std::string without_needless_calls(std::string_view assembly);

}  // namespace cuda_emulator::translator
