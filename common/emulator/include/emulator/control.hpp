// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
/// \file
/// How kernels are run: what the environment variables EMULATOR_THREADS, EMULATOR_ORDER and EMULATOR_CHECK
/// set, and what tests of the emulator look at.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <string>

#include "export.hpp"

namespace cuda_emulator {

/// "forward", "reverse" or "random:SEED". False, and nothing changes, where it is none of these.
EMULATOR_API bool set_order(const char* order);
/// Operating-system threads that run blocks, at least 1.
EMULATOR_API void set_threads(int threads);
/// Checks and counts, both on by default.
EMULATOR_API void set_checking(bool checking);
EMULATOR_API bool checking();

/// From the next launch on, writes what one block of each launch does to `file` (EMULATOR_TRACE; the block
/// that EMULATOR_TRACE_BLOCK names, else the first). Null: no longer. Ends the program with status 2 where it
/// cannot be written.
EMULATOR_API void set_trace(const char* file);

/// From now on, keeps what a report says, and writes it to `file` when the program ends (EMULATOR_REPORT);
/// what was kept before is forgotten. Null: no report. Ends the program with status 2 where it cannot be
/// written.
EMULATOR_API void set_report(const char* file);

/// How often a thread of a kernel was left for another one that was in the middle of something, since the
/// start.
EMULATOR_API std::uint64_t fiber_switches();

/// Why the last call of this thread that failed did, if it was with this error: "the source
/// is a null pointer". Told once; empty where there is nothing more to say than the error does.
EMULATOR_API std::string why_failed(cudaError_t error);

/// One line on how to run kernels again as they were run now, for example "EMULATOR_ORDER=random:7".
EMULATOR_API const char* order_text();

}  // namespace cuda_emulator
