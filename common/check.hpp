// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
/// \file
/// Every CUDA call is checked: a status that is not success becomes an exception that says where and why.
#pragma once

#include <cuda_runtime.h>

#include <source_location>
#include <stdexcept>

namespace tutorial {

/// A CUDA call that failed. what() names the file, the line, CUDA's name of the error and what it means.
class cuda_error : public std::runtime_error {
 public:
  cuda_error(cudaError_t code, const std::source_location& where);
  cudaError_t code() const { return code_; }

 private:
  cudaError_t code_;
};

/// Throws cuda_error unless `status` is cudaSuccess.
/// After a launch: check(cudaGetLastError()) reports a launch that was refused;
/// check(cudaDeviceSynchronize()) reports what went wrong while the kernel ran.
void check(cudaError_t status, std::source_location where = std::source_location::current());

}  // namespace tutorial
