// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// The functors between the transforms.
#pragma once

#include <thrust/complex.h>

#include "fft_plan.hpp"

namespace tutorial {

// [product]
/// One frequency of the output from that of the signal and that of the filter. Two transforms, there and
/// back, have multiplied everything by L; `scale` is 1 / L.
template <class T>
struct scaled_product {
  T scale;
  /// scale x h.
  __host__ __device__ thrust::complex<T> operator()(thrust::complex<T> x, thrust::complex<T> h) const {
    return scale * (x * h);
  }
};
// [product]

/// cuFFT's and Thrust's complex numbers have the same layout.
template <class T>
thrust::complex<T>* as_thrust(fft_complex<T>* data) {
  return reinterpret_cast<thrust::complex<T>*>(data);
}

}  // namespace tutorial
