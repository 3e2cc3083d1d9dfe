// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// The product of packed spectra: a real transform's work by a complex transform of half the length.
#pragma once

#include <thrust/complex.h>

#include <cstdint>

namespace tutorial {

// [multiply]
/// Frequency k and its mirror image, M - k, of packed blocks of M complex numbers:
/// block[n] = x[2 n] + i x[2 n + 1].
template <class T>
__global__ void multiply_packed_kernel(thrust::complex<T>* __restrict__ blocks, int count, int size,  // M
                                       const thrust::complex<T>* __restrict__ even_taps,
                                       const thrust::complex<T>* __restrict__ odd_taps) {
  using complex = thrust::complex<T>;
  const int k = blockIdx.x * blockDim.x + threadIdx.x;
  if (k > size / 2) return;
  const int mirror = k == 0 ? 0 : size - k;
  const complex i(0, 1), he = even_taps[k], ho = odd_taps[k];
  const T angle = T(2) * T(k) / T(size);  // in units of pi
  T sine, cosine;
  if constexpr (sizeof(T) == 4)
    sincospif(angle, &sine, &cosine);
  else
    sincospi(angle, &sine, &cosine);
  const complex ho_later = complex(cosine, -sine) * ho;  // the odd taps, shifted by one place

  for (int b = blockIdx.y; b < count; b += gridDim.y) {
    complex* const z = blocks + std::int64_t{b} * size;
    const complex one = z[k], behind = z[mirror], other = conj(behind);
    // one = E + i O and other = E - i O, with E of the even and O of the odd samples: this is 2 E and 2 O.
    const complex even = one + other, odd = -i * (one - other);
    const complex y_even = he * even + ho_later * odd;
    const complex y_odd = ho * even + he * odd;
    z[k] = y_even + i * y_odd;
    if (mirror != k) z[mirror] = conj(y_even - i * y_odd);
  }
}
// [multiply]

}  // namespace tutorial
