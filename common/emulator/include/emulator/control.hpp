// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// How kernels are run: what the environment variables EMULATOR_THREADS, EMULATOR_ORDER and EMULATOR_CHECK
// set, and what tests of the emulator look at.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <string>
#include <vector>

#include "export.hpp"
#include "finding.hpp"

namespace cuda_emulator {

/// "forward", "reverse" or "random:SEED". False, and nothing changes, where it is none of these.
EMULATOR_API bool set_order(const char* order);
/// Operating-system threads that run blocks, at least 1.
EMULATOR_API void set_threads(int threads);
EMULATOR_API int threads();
/// Checks and counts, both on by default.
EMULATOR_API void set_checking(bool checking);
EMULATOR_API bool checking();
/// Whether launches are counted: where all their blocks are checked.
EMULATOR_API bool counting();

/// From the next launch on, writes what one block of each launch does to `file` (EMULATOR_TRACE; the block
/// that EMULATOR_TRACE_BLOCK names, else the first). Null: no longer. Ends the program with status 2 where it
/// cannot be written.
EMULATOR_API void set_trace(const char* file);

/// From now on, keeps what a report says, and writes it to `file` when the program ends (EMULATOR_REPORT);
/// what was kept before is forgotten. Null: no report. Ends the program with status 2 where it cannot be
/// written.
EMULATOR_API void set_report(const char* file);

/// The launch that comes next, as the report numbers it; 0 without a report.
EMULATOR_API std::uint64_t next_launch();
/// From now on the report keeps what each launch accesses, for show_launches(); what it has kept until now is
/// forgotten.
EMULATOR_API void keep_launches();
/// A launch that a report begins with.
struct shown_launch {
  std::uint64_t number;
  std::string kernel, place;  ///< Its name, and the file:line of the kernel.
  std::string launched_at;    ///< The file:line of the launch.
  std::string view, options;  ///< What chapters/draw needs to draw `view`; empty where it draws no such view.
};
/// The report begins with those of the kept launches whose numbers are in [first, last], below `why`: one for
/// each kernel, three at most. Writes a trace of them to `trace`, if that is not null. `view` is one of
/// chapters/draw's. Empty without a report. An empty range changes only `why`.
EMULATOR_API std::vector<shown_launch> show_launches(std::uint64_t first, std::uint64_t last, const char* why,
                                                     const char* view, const char* trace);
/// From now on, launches are of no interest: they are in no report and no trace.
EMULATOR_API void set_unseen(bool unseen);
/// "cudaMemset() at a.cu:12 wrote only the first 8 of its 32 bytes": the last such call in the file `file`
/// whose size would be right if it counted the elements of an array that still exists. Empty without one.
EMULATOR_API std::string short_write(const char* file);
/// Called with each finding that ends the program, before it is said, and with the number of the launch that
/// the report begins with because of it; 0 where there is none. Null: no longer.
EMULATOR_API void hear_findings(void (*listener)(const finding& found, std::uint64_t launch));
/// Called with what is said of a program besides findings: the kind, the place that it is about
/// ("file.cu:12", may be empty), and the words, without the place and "note: ". Comes from any thread, and
/// from a process that only writes the report. Null: no longer. The kinds:
///   failed_call    a call, or several, that failed
///   refused_grid, refused_block, refused_bytes, refused_launch    a launch that was refused, because of that
///                  number in <<<...>>>, when the program asks why
///   short_write    what short_write() says
///   small_allocation    made here, and as many times too small for a copy as an element has bytes
///   long_kernel    a kernel takes long; the words are the whole message
///   interrupted    the program ends in the middle of what the words say
///   timeline, refusals    the report, which is written now, has a timeline, and launches that were refused
EMULATOR_API void hear_notes(void (*listener)(const char* kind, const char* place, const char* text));

/// "a.cpp:12 b.cpp:3": the places in source files from here outwards, as far as they are known; those of a
/// crash where a handler of its signal asks.
EMULATOR_API std::string places_on_the_way();

/// No call has failed, as far as later ones know, and no kernel. That nobody has asked about those that did
/// is still said in the end.
EMULATOR_API void forget_errors();

/// How often a thread of a kernel was left for another one that was in the middle of something, since the
/// start.
EMULATOR_API std::uint64_t fiber_switches();

/// Why the last call of this thread that failed did, if it was with this error: "the source
/// is a null pointer". Told once; empty where there is nothing more to say than the error does.
EMULATOR_API std::string why_failed(cudaError_t error);

/// One line on how to run kernels again as they were run now, for example "EMULATOR_ORDER=random:7".
EMULATOR_API const char* order_text();

}  // namespace cuda_emulator
