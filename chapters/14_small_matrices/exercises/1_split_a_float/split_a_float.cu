// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Exercise 1: a float as the sum of two numbers of 16 bits.
#include <cuda_fp16.h>

#include "common/device/ceil_div.hpp"
#include "common/device/check.hpp"
#include "split_a_float.hpp"

namespace tutorial {
namespace {

constexpr int threads_per_block = 256;

/// halves[i] = x[i] as the sum of two fp16 numbers.
__global__ void split_a_float_kernel(const float* x, two_halves* halves, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= size) return;
  // TODO: the nearest fp16 number, the remainder, and the number nearest to that (about 3 lines)
  const __half high = __float2half(x[i]), low = __float2half(0);
  halves[i] = {__half_as_ushort(high), __half_as_ushort(low)};
}

}  // namespace

void split_a_float(device_span<const float> x, device_span<two_halves> halves) {
  if (x.empty()) return;
  const int size = static_cast<int>(x.size());
  split_a_float_kernel<<<ceil_div(size, threads_per_block), threads_per_block>>>(x.data(), halves.data(),
                                                                                 size);
  check(cudaGetLastError());
}

}  // namespace tutorial
