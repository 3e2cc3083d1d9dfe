// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Exercise 2: where the code of each 8x8 block begins.
#include "where_codes_begin.hpp"

#include "common/device/check.hpp"

namespace tutorial {
namespace {

constexpr unsigned all_lanes = 0xffffffff;
constexpr int most_lengths = 1024;

/// begins[i] = lengths[0] + ... + lengths[i - 1]. One block of threads, whole warps.
__global__ void where_codes_begin_kernel(const int* __restrict__ lengths, int* __restrict__ begins,
                                         int size) {
  const int i = threadIdx.x;
  // SOLUTION: the sum within each warp, the sums of the warps, both together (about 16 lines)
  // STARTER: (void)all_lanes;
  // STARTER: if (i < size) begins[i] = lengths[i];
  __shared__ int warp_sums[most_lengths / 32];
  const int lane = i % 32, warp = i / 32;
  const int length = i < size ? lengths[i] : 0;
  int sum = length;  // of the lanes up to this one
  for (int distance = 1; distance < 32; distance *= 2) {
    const int other = __shfl_up_sync(all_lanes, sum, distance);
    if (lane >= distance) sum += other;
  }
  if (lane == 31) warp_sums[warp] = sum;
  __syncthreads();  // the sums of all warps are there
  int before = 0;
  for (int w = 0; w < warp; ++w) before += warp_sums[w];
  if (i < size) begins[i] = before + sum - length;
  // END SOLUTION
}

}  // namespace

void where_codes_begin(device_span<const int> lengths, device_span<int> begins) {
  if (lengths.empty()) return;
  const int size = static_cast<int>(lengths.size());
  where_codes_begin_kernel<<<1, (size + 31) / 32 * 32>>>(lengths.data(), begins.data(), size);
  check(cudaGetLastError());
}

}  // namespace tutorial
