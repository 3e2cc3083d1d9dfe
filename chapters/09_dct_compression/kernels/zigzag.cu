// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Levels in the order in which a file holds them, block after block, each along its zig-zag path; and back.
#include "08_dct8x8/kernels/element_launch.hpp"
#include "codec_steps.hpp"
#include "common/device/ceil_div.hpp"
#include "common/device/check.hpp"

namespace tutorial {
namespace {

constexpr int threads_per_block = 256;

struct zigzag_path {
  std::uint8_t at[64];
};

zigzag_path this_path() {
  zigzag_path path{};
  for (int i = 0; i < 64; ++i) path.at[i] = zigzag_order()[std::size_t(i)];
  return path;
}

/// Where the level of path element `index` lies: threads of a warp take half a block's path, so that what
/// they gather comes from eight rows of 16 bytes, and what they write lies side by side.
__device__ std::int64_t place_of(std::int64_t index, const std::uint8_t* path, int block_columns,
                                 std::int64_t pitch) {
  const std::int64_t block = index / 64;
  const std::int64_t block_row = block / block_columns, block_column = block % block_columns;
  const int place = path[index % 64];
  return (8 * block_row + place / 8) * pitch + 8 * block_column + place % 8;
}

// [zigzag]
/// path[64 * block + i] = levels of that block at (order[i] / 8, order[i] % 8).
__global__ void to_zigzag_kernel(const std::int16_t* levels, std::int64_t pitch, int block_columns,
                                 const __grid_constant__ zigzag_path order, std::int16_t* path,
                                 std::int64_t size) {
  __shared__ std::uint8_t shared_order[64];  // each lane wants another element
  if (threadIdx.x < 64) shared_order[threadIdx.x] = order.at[threadIdx.x];
  __syncthreads();  // the whole order is there before any thread looks up a place in it

  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < size) path[i] = levels[place_of(i, shared_order, block_columns, pitch)];
}
// [zigzag]

/// The inverse of to_zigzag_kernel: the levels of each block from its path.
__global__ void from_zigzag_kernel(const std::int16_t* path, std::int64_t size,
                                   const __grid_constant__ zigzag_path order, std::int16_t* levels,
                                   std::int64_t pitch, int block_columns) {
  __shared__ std::uint8_t shared_order[64];
  if (threadIdx.x < 64) shared_order[threadIdx.x] = order.at[threadIdx.x];
  __syncthreads();  // the whole order is there before any thread looks up a place in it

  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < size) levels[place_of(i, shared_order, block_columns, pitch)] = path[i];
}

template <class Plane, class Path>
std::int64_t checked_size(const Plane& levels, const Path& path) {
  detail::require_whole_blocks(levels, "zig-zag");
  const std::int64_t size = std::int64_t{levels.width()} * levels.height();
  if (size < 1 || path.size() != std::size_t(size) || size / threads_per_block >= (std::int64_t{1} << 31) - 1)
    throw std::invalid_argument("zig-zag: " + std::to_string(size) + " levels, a path of " +
                                std::to_string(path.size()));
  return size;
}

unsigned grid(std::int64_t size) { return unsigned(ceil_div(size, threads_per_block)); }

}  // namespace

void to_zigzag(device_plane_span<const std::int16_t> levels, device_span<std::int16_t> path,
               cudaStream_t stream) {
  const std::int64_t size = checked_size(levels, path);
  to_zigzag_kernel<<<grid(size), threads_per_block, 0, stream>>>(
      levels.data(), detail::pitch_in_elements(levels), levels.width() / 8, this_path(), path.data(), size);
  check(cudaGetLastError());
}

void from_zigzag(device_span<const std::int16_t> path, device_plane_span<std::int16_t> levels,
                 cudaStream_t stream) {
  const std::int64_t size = checked_size(levels, path);
  from_zigzag_kernel<<<grid(size), threads_per_block, 0, stream>>>(
      path.data(), size, this_path(), levels.data(), detail::pitch_in_elements(levels), levels.width() / 8);
  check(cudaGetLastError());
}

}  // namespace tutorial
