// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Tiles of a plane. By a tensor map, one thread requests a whole tile with its halo and its ghosts.
#include "smooth_plane.hpp"

#include <cuda/barrier>
#include <cuda/ptx>

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <string>

#include "common/device/ceil_div.hpp"
#include "common/device/check.hpp"
#include "common/device/device_attribute.hpp"

namespace tutorial {
namespace {

constexpr int radius = 2, tile_width = 32, tile_height = 16, vector = 16 / sizeof(float);
constexpr int loaded_width = radius + tile_width + radius, loaded_height = radius + tile_height + radius;
// A box begins at a whole vector, so its halo on the left is wider than it has to be.
constexpr int box_width = vector + tile_width + vector;

/// y at (row, col) = the mean of the 25 samples around it; the tile begins `radius` rows and (Width -
/// tile_width) / 2 columns before the block's outputs.
template <int Width>
__device__ void store_mean(const float (&tile)[loaded_height][Width], float* y, int width, int height,
                           std::int64_t pitch) {
  constexpr int left = (Width - tile_width) / 2 - radius;
  const int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= height || col >= width) return;
  float sum = 0;
  for (int r = 0; r <= 2 * radius; ++r)
    for (int c = 0; c <= 2 * radius; ++c) sum += tile[threadIdx.y + r][left + threadIdx.x + c];
  y[row * pitch + col] = sum / 25;
}

__global__ void smooth_by_threads_kernel(const float* x, std::int64_t x_pitch,  // in elements
                                         float* y, std::int64_t y_pitch, int width, int height) {
  __shared__ float tile[loaded_height][loaded_width];
  const int first_row = blockIdx.y * tile_height - radius, first_col = blockIdx.x * tile_width - radius;
  const int thread = threadIdx.y * blockDim.x + threadIdx.x;
  for (int i = thread; i < loaded_height * loaded_width; i += blockDim.x * blockDim.y) {
    const int row = first_row + i / loaded_width, col = first_col + i % loaded_width;
    const bool there = 0 <= row && row < height && 0 <= col && col < width;
    tile[i / loaded_width][i % loaded_width] = there ? x[row * x_pitch + col] : 0.0f;  // else a ghost
  }
  __syncthreads();  // the tile is there before a thread reads what others have loaded
  store_mean(tile, y, width, height, y_pitch);
}

// [by_map]
__global__ void smooth_by_map_kernel(const __grid_constant__ CUtensorMap map,  //
                                     float* y, std::int64_t y_pitch, int width, int height) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
  namespace ptx = cuda::ptx;
  using arrival = cuda::barrier<cuda::thread_scope_block>;
  __shared__ alignas(128) float tile[loaded_height][box_width];
  __shared__ alignas(arrival) unsigned char memory[sizeof(arrival)];
  arrival& arrived = *reinterpret_cast<arrival*>(memory);
  const int first_row = blockIdx.y * tile_height - radius, first_col = blockIdx.x * tile_width - vector;
  if (threadIdx.x == 0 && threadIdx.y == 0) {
    init(&arrived, 1);
    ptx::fence_proxy_async(ptx::space_shared);  // the TMA sees the barrier
    ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, tile, &map, {first_col, first_row},
                              cuda::device::barrier_native_handle(arrived));
    (void)cuda::device::barrier_arrive_tx(arrived, 1, sizeof tile);  // ghosts count, too
  }
  __syncthreads();             // the barrier is there before a thread waits for it
  arrived.wait_parity(false);  // for every thread: the tile is there
  store_mean(tile, y, width, height, y_pitch);
#endif
}
// [by_map]

constexpr dim3 block(tile_width, tile_height);

/// A block for each tile.
dim3 checked_grid(device_plane_span<const float> x, device_plane_span<float> y) {
  if (x.width() != y.width() || x.height() != y.height()) throw std::invalid_argument("smooth: sizes differ");
  return dim3(ceil_div(x.width(), tile_width), ceil_div(x.height(), tile_height));
}

std::int64_t elements(std::size_t pitch) { return std::int64_t(pitch / sizeof(float)); }

}  // namespace

// [map]
CUtensorMap tensor_map_of(device_plane_span<const float> x, int box_width, int box_height) {
  if (device_attribute(cudaDevAttrComputeCapabilityMajor) < 9)
    throw std::runtime_error("tensor maps need a device of compute capability 9.0 or higher");
  void* encode = nullptr;  // a function of the driver, to which programs need not be linked
  check(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &encode, 12000, cudaEnableDefault));
  const cuuint64_t size[] = {cuuint64_t(x.width()), cuuint64_t(x.height())};  // columns first
  const cuuint64_t strides[] = {x.pitch()};                                   // bytes from row to row
  const cuuint32_t box[] = {cuuint32_t(box_width), cuuint32_t(box_height)}, steps[] = {1, 1};
  CUtensorMap map;
  const CUresult result = reinterpret_cast<decltype(&cuTensorMapEncodeTiled)>(encode)(
      &map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 2, const_cast<float*>(x.data()), size, strides, box, steps,
      CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_L2_PROMOTION_NONE,
      CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);  // zeros outside x
  if (result != CUDA_SUCCESS)
    throw std::invalid_argument("cuTensorMapEncodeTiled() refuses: CUresult " + std::to_string(int(result)));
  return map;
}
// [map]

plane<float> smooth_serial(const plane<float>& x) {
  plane<float> y(x.width, x.height);
  for (int row = 0; row < x.height; ++row)
    for (int col = 0; col < x.width; ++col) {
      for (int r = std::max(0, row - 2); r <= std::min(row + 2, x.height - 1); ++r)
        for (int c = std::max(0, col - 2); c <= std::min(col + 2, x.width - 1); ++c)
          y.at(row, col) += x.at(r, c);
      y.at(row, col) /= 25;
    }
  return y;
}

void smooth_by_threads(device_plane_span<const float> x, device_plane_span<float> y, cudaStream_t stream) {
  smooth_by_threads_kernel<<<checked_grid(x, y), block, 0, stream>>>(
      x.data(), elements(x.pitch()), y.data(), elements(y.pitch()), y.width(), y.height());
  check(cudaGetLastError());
}

void smooth_by_map(device_plane_span<const float> x, device_plane_span<float> y, cudaStream_t stream) {
  smooth_by_map_kernel<<<checked_grid(x, y), block, 0, stream>>>(
      tensor_map_of(x, box_width, loaded_height), y.data(), elements(y.pitch()), y.width(), y.height());
  check(cudaGetLastError());
}

}  // namespace tutorial
