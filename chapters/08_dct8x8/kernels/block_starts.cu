// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "08_dct8x8/host/dct_sizes.hpp"
#include "block_starts.hpp"
#include "common/device/ceil_div.hpp"

namespace tutorial {
namespace {

/// Does nothing: what is left of its time is that of starting blocks.
__global__ void start_threads_kernel() {}

// [copy]
/// to[row][col] = from[row][col], one thread per value; pitches in elements.
__global__ void copy_values_kernel(const float* from, std::int64_t from_pitch, int width, int height,
                                   float* to, std::int64_t to_pitch) {
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < height && col < width) to[row * to_pitch + col] = from[row * from_pitch + col];
}
// [copy]

dim3 threads_of(block_shape shape) { return dim3(shape == block_shape::threads_8_by_8 ? 8 : 32, 8); }

dim3 grid_of(block_shape shape, int width, int height) {
  const dim3 threads = threads_of(shape);
  return dim3(ceil_div(unsigned(width), threads.x), ceil_div(unsigned(height), threads.y));
}

}  // namespace

void start_threads(block_shape shape, int width, int height) {
  start_threads_kernel<<<grid_of(shape, width, height), threads_of(shape)>>>();
  check(cudaGetLastError());
}

void copy_values(block_shape shape, device_plane_span<const float> from, device_plane_span<float> to) {
  if (from.width() != to.width() || from.height() != to.height())
    throw std::invalid_argument("copy_values: sizes differ");
  copy_values_kernel<<<grid_of(shape, to.width(), to.height()), threads_of(shape)>>>(
      from.data(), detail::pitch_in_elements(from), to.width(), to.height(), to.data(),
      detail::pitch_in_elements(to));
  check(cudaGetLastError());
}

kernel_facts start_threads_facts(block_shape shape) {
  const dim3 threads = threads_of(shape);
  return facts_of(start_threads_kernel, int(threads.x * threads.y));
}

kernel_facts copy_values_facts(block_shape shape) {
  const dim3 threads = threads_of(shape);
  return facts_of(copy_values_kernel, int(threads.x * threads.y));
}

std::int64_t blocks_for(block_shape shape, int width, int height) {
  const dim3 grid = grid_of(shape, width, height);
  return std::int64_t(grid.x) * grid.y;
}

}  // namespace tutorial
