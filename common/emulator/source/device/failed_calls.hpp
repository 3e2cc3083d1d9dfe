// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Calls of the runtime that failed, and whether the program has asked why. A return value that is looked at
// cannot be seen from here; who looks at it asks for its name or its text (cudaGetErrorString()) where it is
// not cudaSuccess, or asks for the last error. Failures that nobody has asked about are said when the
// program ends.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "emulator/export.hpp"
#include "emulator/launch.hpp"

namespace cuda_emulator {

/// Called by what a function of the runtime fails in, on its stack. `why`: in words, where there is more to
/// say than the error does; without a period.
EMULATOR_FOR_LIBRARIES void note_failed_call(cudaError_t error, const std::string& why = "");
/// Which of a launch's numbers it is refused for.
enum class launch_number { none, grid, block, bytes };
/// A launch that never began.
void note_failed_launch(const launch_request& request, cudaError_t error, const std::string& why = "",
                        launch_number number = launch_number::none);
/// A kernel that failed while it ran: nobody knows unless a later call waits for it.
void note_failed_kernel(const launch_request& request);

/// This thread has asked for its last error: it knows of all its failures.
void asked_for_last_error();
/// This thread has asked for the name or the text of this error. Why its last failed call failed is said
/// now, on standard error and once, if that was the error.
void asked_about(cudaError_t error);
/// The failures of this thread with this error were none: the program knew of them.
void forget_failures(cudaError_t error);

struct unasked_failure {
  std::string place;  ///< "copy.cu:31"; empty where it is not known.
  std::string what;   ///< "cudaMemcpy() failed here: invalid argument: the source is a null pointer"
};
struct unasked_failures {
  std::vector<unasked_failure> first;  ///< In the order in which they happened.
  std::uint64_t count = 0;             ///< Of all calls.
  std::uint64_t launches = 0;          ///< Of those, launches that never began.
};

/// What has failed and was not asked about, until now. `of_kernel`: what a kernel has failed with, and no
/// call has waited for; cudaSuccess where there is no such.
unasked_failures failures_not_asked_about(cudaError_t of_kernel);
/// "copy.cu:31: note: cudaMemcpy() failed here: invalid argument. ..."; empty where there is nothing to say.
std::string text_of(const unasked_failures& failures);

}  // namespace cuda_emulator
