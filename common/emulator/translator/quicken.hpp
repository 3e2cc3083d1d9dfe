// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
/// \file
/// Makes kernel files faster where nothing looks on, after the compiler.
#pragma once

#include <string>
#include <string_view>

namespace cuda_emulator::translator {

/// What the translator puts at the beginning of a function that only the host can call. The compiler copies
/// it into its output, where quicken() finds it.
inline constexpr std::string_view host_mark = " asm volatile(\"# emulator: host\");";

/// What stands with the name of such a function that has loops: g++ keeps values in registers across the calls
/// that quicken() replaces (see emulator/host_code.hpp).
inline constexpr std::string_view host_attribute = " [[gnu::optimize(\"ipa-ra\")]]";

/// Takes and gives the compiler's output for a kernel file (x86-64, AT&T syntax; other calls than its stay
/// as they are). Every function calls the emulated device before each access and in each basic block.
///
/// - In a function with host_mark, the call in each basic block vanishes, and the call before an access is
///   made only where the address may be the device's: the comparison stands in place of the call. The same
///   holds in functions of the standard library, in lambdas, and in OpenMP's parts of functions, as long as
///   no kernel runs on the calling thread.
/// - All others get a twin without such calls, NAME.unwatched, in which threads run whose block is not
///   checked. What the twin calls in this file are twins, too. Accesses to volatile memory still call:
///   there a thread may wait.
std::string quicken(std::string_view assembly);

}  // namespace cuda_emulator::translator
