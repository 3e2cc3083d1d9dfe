// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// cuFFT for both types, and plans that are destroyed when they go out of scope.
#pragma once

#include <cufft.h>

#include <cstddef>
#include <stdexcept>
#include <type_traits>
#include <utility>

#include "common/device/check_fft.hpp"
#include "common/device/device_memory.hpp"

namespace tutorial {

/// cuFFT's complex number for float or double: two of them side by side, real and imaginary part.
template <class T>
using fft_complex = std::conditional_t<sizeof(T) == 4, cufftComplex, cufftDoubleComplex>;

enum class fft_kind { real_to_complex, complex_to_real, complex };

/// A batch of transforms of one length; move-only. Transforms are not scaled: there and back multiplies by
/// the length.
template <class T>
class fft_plan {
 public:
  fft_plan() = default;
  /// `batch` transforms of `length`; the next one reads input_distance elements further on and writes
  /// output_distance elements further on. The work area must be given with use() before the first transform.
  /// Throws cufft_error.
  fft_plan(fft_kind kind, int length, int batch, int input_distance, int output_distance) {
    check(cufftCreate(&handle_));
    made_ = true;
    try {
      check(cufftSetAutoAllocation(handle_, 0));
      int sizes[] = {length}, any[] = {length};  // in one dimension the second is not looked at
      check(cufftMakePlanMany(handle_, 1, sizes, any, 1, input_distance, any, 1, output_distance, type(kind),
                              batch, &work_bytes_));
    } catch (...) {
      cufftDestroy(handle_);
      throw;
    }
  }
  fft_plan(fft_plan&& other) noexcept
      : handle_(other.handle_), work_bytes_(other.work_bytes_), made_(std::exchange(other.made_, false)) {}
  fft_plan& operator=(fft_plan&& other) noexcept {
    std::swap(handle_, other.handle_);
    std::swap(work_bytes_, other.work_bytes_);
    std::swap(made_, other.made_);
    return *this;
  }
  ~fft_plan() {
    if (made_) cufftDestroy(handle_);
  }

  /// How much memory a transform needs beside input and output. Plans whose transforms follow each other may
  /// share it.
  std::size_t work_bytes() const { return work_bytes_; }
  /// Gives the plan its work area, at least work_bytes() bytes, which must outlive its transforms. Throws
  /// cufft_error.
  void use(device_buffer<unsigned char>& work_area) { check(cufftSetWorkArea(handle_, work_area.data())); }

  /// Its transforms are work of this stream from now on. Throws cufft_error.
  void in(cudaStream_t stream) {
    if (made_) check(cufftSetStream(handle_, stream));
  }

  /// All of these enqueue and do not wait, and throw cufft_error. Input and output may be the same memory.
  void to_complex(const T* in, fft_complex<T>* out) const {
    if constexpr (sizeof(T) == 4)
      check(cufftExecR2C(handle_, const_cast<T*>(in), out));
    else
      check(cufftExecD2Z(handle_, const_cast<T*>(in), out));
  }
  /// The way back, for a plan of that kind; it may overwrite its input.
  void to_real(fft_complex<T>* in, T* out) const {
    if constexpr (sizeof(T) == 4)
      check(cufftExecC2R(handle_, in, out));
    else
      check(cufftExecZ2D(handle_, in, out));
  }
  /// `direction` is CUFFT_FORWARD or CUFFT_INVERSE.
  void complex(const fft_complex<T>* in, fft_complex<T>* out, int direction) const {
    if constexpr (sizeof(T) == 4)
      check(cufftExecC2C(handle_, const_cast<fft_complex<T>*>(in), out, direction));
    else
      check(cufftExecZ2Z(handle_, const_cast<fft_complex<T>*>(in), out, direction));
  }

 private:
  static cufftType type(fft_kind kind) {
    constexpr bool narrow = sizeof(T) == 4;
    switch (kind) {
      case fft_kind::real_to_complex:
        return narrow ? CUFFT_R2C : CUFFT_D2Z;
      case fft_kind::complex_to_real:
        return narrow ? CUFFT_C2R : CUFFT_Z2D;
      case fft_kind::complex:
        return narrow ? CUFFT_C2C : CUFFT_Z2Z;
    }
    throw std::invalid_argument("unknown kind of transform");
  }

  cufftHandle handle_ = 0;
  std::size_t work_bytes_ = 0;
  bool made_ = false;
};

}  // namespace tutorial
