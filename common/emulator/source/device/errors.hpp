// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Where CUDA keeps its errors: the last one of each host thread, and what a failed kernel leaves for good.
#pragma once

#include <cuda_runtime_api.h>

#include <string>

#include "emulator/export.hpp"

namespace cuda_emulator {

/// Makes `error` the last error of this thread, and a failed call that somebody should ask about; returns it.
cudaError_t remember(cudaError_t error);
/// The same, and why, in words: "the source is a null pointer".
cudaError_t remember(cudaError_t error, const std::string& why);
/// The same for a launch: its failure is noted elsewhere.
cudaError_t set_last(cudaError_t error);
/// A kernel failed: the next call that waits reports it, and from then on every call does.
void fail_later(cudaError_t error);
/// What a kernel has failed with, reported or not: kernels that are launched after it do not run.
cudaError_t failed();
/// What calls that wait must report first. cudaSuccess if nothing.
EMULATOR_FOR_LIBRARIES cudaError_t wait_for_kernels();
/// What every call must report first: an error that has been reported and stays.
EMULATOR_FOR_LIBRARIES cudaError_t stuck();
/// Has a call waited for what failed() says, and reported it?
bool waited_for_failure();
/// The last error of this thread has been asked for.
void forget_last();
/// cudaErrorNotSupported, with a line on standard error, once for each `what`: a GPU can do it.
cudaError_t say_not_emulated(const char* what);

}  // namespace cuda_emulator
