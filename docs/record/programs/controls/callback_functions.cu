// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
//
// The functions that cuFFT's kernels call in controls/callbacks.cu. nvcc compiles them for the linker of the
// running program (-dlto -fatbin), and cuFFT finds them by their names.
#include <cufft.h>

#include "callback_work.cuh"

using tutorial::callback_work;

/// Sample `place` of segments that begin callback_step apart: those before and behind the signal are zero.
__device__ cufftReal load_sample(void*, unsigned long long place, void* info, void*) {
  const auto& work = *static_cast<const callback_work*>(info);
  const unsigned n = unsigned(place) - tutorial::callback_overlap;  // wraps before the signal
  return n < work.samples ? work.x[n] : 0.0f;
}

/// A number of a spectrum, times that of the filter.
__device__ void store_product(void* spectra, unsigned long long place, cufftComplex number, void* info,
                              void*) {
  const auto& work = *static_cast<const callback_work*>(info);
  const float2 factor = work.filter[unsigned(place) % tutorial::callback_bins];
  static_cast<cufftComplex*>(spectra)[place] = tutorial::callback_product(number, factor);
}

/// A sample of a segment: an output, or nothing.
__device__ void store_output(void*, unsigned long long place, cufftReal sample, void* info, void*) {
  const auto& work = *static_cast<const callback_work*>(info);
  const unsigned segment = unsigned(place) / tutorial::callback_length,
                 p = unsigned(place) % tutorial::callback_length;
  const unsigned n = segment * tutorial::callback_step + p - tutorial::callback_overlap;
  if (p >= tutorial::callback_overlap && n < work.outputs) work.y[n] = sample;
}
