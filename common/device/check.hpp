// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Every CUDA call is checked: a status that is not success becomes an exception that says where and why.
#pragma once

#include <cuda_runtime.h>

#include <stdexcept>
#include <string>
#include <string_view>

namespace tutorial {

/// A line of a source file. What std::source_location is for, which clang cannot compile before version 15.
struct source_line {
  const char* file;
  unsigned line;
  /// The line of the call; as a default argument, that of whoever calls the function.
  static constexpr source_line current(const char* file = __builtin_FILE(),
                                       unsigned line = __builtin_LINE()) {
    return {file, line};
  }
};

/// "05_shared_memory/convolve_shared.cu:12: NAME (text): advice": what every failed call says. `advice` may
/// be empty.
std::string failed_call(const source_line& where, std::string_view name, std::string_view text,
                        std::string_view advice);

/// A CUDA call that failed. what() names the file, the line, CUDA's name of the error and what it means.
class cuda_error : public std::runtime_error {
 public:
  /// `code` as CUDA returned it, from the call at `where`.
  cuda_error(cudaError_t code, const source_line& where);
  /// What CUDA returned.
  cudaError_t code() const { return code_; }

 private:
  cudaError_t code_;
};

/// Throws cuda_error unless `status` is cudaSuccess, and clears it from CUDA's last error: a later check must
/// not find it there, and blame a call that went well.
/// After a launch: check(cudaGetLastError()) reports a launch that was refused;
/// check(cudaDeviceSynchronize()) reports what went wrong while the kernel ran.
void check(cudaError_t status, source_line where = source_line::current());

}  // namespace tutorial
