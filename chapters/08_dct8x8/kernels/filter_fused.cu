// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Both passes in one kernel. A thread smooths each row that its outputs need, and adds it to those outputs
// at once: what was a picture between two kernels are now a few registers.
#include "filter_fused.hpp"

#include "06_register_tiling/vectors.cuh"
#include "08_dct8x8/host/filter_serial.hpp"
#include "common/device/ceil_div.hpp"
#include "common/device/early_start.cuh"
#include "element_launch.hpp"

namespace tutorial {
namespace {

using namespace detail;

constexpr int r = filter_radius, taps = 2 * r + 1;
__constant__ float g[taps] = {filter_taps[0], filter_taps[1], filter_taps[2], filter_taps[3],
                              filter_taps[4], filter_taps[5], filter_taps[6]};

constexpr int side = vector_size<float>;  // of the square of outputs that a thread has
constexpr int columns = 32, rows = 4;     // of threads in a block
constexpr int threads_per_block = columns * rows;
static_assert(r <= side, "a window has one vector on each side of the thread's own");

// [window]
/// window[i] = x[col - side + i] of one row, for all i that an output of col .. col + side - 1 needs.
struct whole_windows {  // no part is beyond an edge
  const float* x;       // x[row][col]
  std::int64_t pitch;
  __device__ __forceinline__ void load(int m, float (&window)[3 * side]) const {
#pragma unroll
    for (int i = 0; i < 3 * side; i += side) load_vector(window + i, x + m * pitch - side + i);
  }
};
struct any_windows {  // beyond the edges the last column and row are repeated
  const float* x;     // x[0][0]
  std::int64_t pitch;
  int col, row, width, height;
  __device__ __forceinline__ void load(int m, float (&window)[3 * side]) const {
    const float* const line = x + min(max(row + m, 0), height - 1) * pitch;
#pragma unroll
    for (int i = side - r; i < 2 * side + r; ++i) window[i] = line[min(max(col - side + i, 0), width - 1)];
  }
};
// [window]

// [kernel]
/// sum[k][c] = sum over j of g[j] s[row + k + r - j][col + c], where s is each row smoothed by itself:
/// s[row][col] = sum over i of g[i] x[row][col + r - i].
template <class Windows>
__device__ __forceinline__ void smooth_square(const Windows& x, float (&sum)[side][side]) {
#pragma unroll
  for (int m = -r; m < side + r; ++m) {
    float window[3 * side];  // of row + m
    x.load(m, window);
#pragma unroll
    for (int c = 0; c < side; ++c) {
      float s = 0;  // s[row + m][col + c]
#pragma unroll
      for (int i = 0; i < taps; ++i) s += g[i] * window[side + c + r - i];
#pragma unroll
      for (int k = 0; k < side; ++k) {
        const int j = k + r - m;
        if (0 <= j && j < taps) sum[k][c] += g[j] * s;
      }
    }
  }
}

/// y[row + k][col + c] = sum[k][c] above, for the square of each thread. Pitches are in floats. aligned: all
/// rows of x and y begin at a vector.
__global__ void __launch_bounds__(threads_per_block)
    filter_fused_kernel(const float* x, std::int64_t x_pitch, float* __restrict__ y, std::int64_t y_pitch,
                        int width, int height, bool aligned) {
  const int col = side * (blockIdx.x * blockDim.x + threadIdx.x);
  const int row = side * (blockIdx.y * blockDim.y + threadIdx.y);
  let_the_next_begin();
  wait_for_the_one_before();  // it may write x, or read y
  if (row >= height || col >= width) return;

  float sum[side][side] = {};
  float* const first = y + row * y_pitch + col;
  // The code is here twice, so that squares inside don't pay for the edges: all loads of such a square are
  // under way together.
  if (aligned && col >= side && col + 2 * side <= width && row >= r && row + side + r <= height) {
    smooth_square(whole_windows{x + row * x_pitch + col, x_pitch}, sum);
#pragma unroll
    for (int k = 0; k < side; ++k) store_vector(first + k * y_pitch, sum[k]);
  } else {
    smooth_square(any_windows{x, x_pitch, col, row, width, height}, sum);
#pragma unroll
    for (int k = 0; k < side; ++k)
#pragma unroll
      for (int c = 0; c < side; ++c)
        if (row + k < height && col + c < width) first[k * y_pitch + c] = sum[k][c];
  }
}
// [kernel]

template <class T>
bool begins_at_vectors(device_plane_span<T> plane) {
  return elements_past_boundary(plane.data()) == 0 && plane.pitch() % (side * sizeof(float)) == 0;
}

}  // namespace

void filter_fused(device_plane_span<const float> x, device_plane_span<float> y, cudaStream_t stream) {
  require_same_size(x, y, "filter_fused");
  const dim3 blocks(unsigned(ceil_div(y.width(), side * columns)),
                    unsigned(ceil_div(y.height(), side * rows)));
  launch_early(filter_fused_kernel, blocks, dim3(columns, rows), 0, stream, x.data(), pitch_in_elements(x),
               y.data(), pitch_in_elements(y), y.width(), y.height(),
               begins_at_vectors(x) && begins_at_vectors(y));
}

}  // namespace tutorial
