// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// check() for cuFFT, as common/device/check.hpp has it for the runtime. Only who includes this needs cuFFT.
#pragma once

#include <cufft.h>

#include "check.hpp"

namespace tutorial {

/// A call of cuFFT that failed. what() names the file, the line, cuFFT's name of the result and what it
/// means.
class cufft_error : public std::runtime_error {
 public:
  /// `code` as cuFFT returned it, from the call at `where`.
  cufft_error(cufftResult code, const source_line& where);
  /// What cuFFT returned.
  cufftResult code() const { return code_; }

 private:
  cufftResult code_;
};

/// Throws cufft_error unless `result` is CUFFT_SUCCESS. A transform runs later than its call returns, as a
/// kernel does: what goes wrong then is reported by check(cudaDeviceSynchronize()).
void check(cufftResult result, source_line where = source_line::current());

}  // namespace tutorial
