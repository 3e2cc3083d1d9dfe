// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// A plan of cuFFT that its owner destroys.
#pragma once

#include "common/device/check_fft.hpp"

namespace tutorial {

/// Made by cufftCreate(): what it is for is said by the calls that it is given to.
class fft_handle {
 public:
  /// Throws cufft_error.
  fft_handle() { check(cufftCreate(&handle_)); }
  ~fft_handle() { cufftDestroy(handle_); }
  fft_handle(const fft_handle&) = delete;
  fft_handle& operator=(const fft_handle&) = delete;
  /// As cuFFT's functions take it.
  operator cufftHandle() const { return handle_; }

 private:
  cufftHandle handle_ = 0;
};

}  // namespace tutorial
