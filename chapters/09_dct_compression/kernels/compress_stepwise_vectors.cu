// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// A control: the same steps in as many kernels with as many bytes, but a thread moves four columns of eight
// rows, with eight loads under way at once.
#include "compress_stepwise_vectors.hpp"

#include "08_dct8x8/host/dct_serial.hpp"
#include "08_dct8x8/kernels/dct8x8_columns.hpp"
#include "08_dct8x8/kernels/element_launch.hpp"
#include "09_dct_compression/host/block_factors.hpp"
#include "common/device/check.hpp"
#include "fused_launch.hpp"

namespace tutorial {
namespace {

using namespace detail;

constexpr int columns = 4, rows = 8;  // of a thread

/// One plane in, one of the same size out; pitches in elements.
template <class From, class To>
struct planes {
  const From* from;
  std::int64_t from_pitch;
  To* to;
  std::int64_t to_pitch;
  int width, height;
};

// [change]
/// to(row + r, col + c) = change(from(row + r, col + c), r, c) for this thread's four columns of eight rows.
/// From4 and To4 are four values of From and of To.
template <class From4, class To4, class From, class To, class Change>
__device__ __forceinline__ void change_values(const planes<From, To>& p, const Change& change) {
  const int col = columns * (blockIdx.x * blockDim.x + threadIdx.x);
  const int row = rows * (blockIdx.y * blockDim.y + threadIdx.y);
  const From* const from = p.from + row * p.from_pitch + col;
  To* const to = p.to + row * p.to_pitch + col;
  if (col + columns <= p.width && row + rows <= p.height) {
    From4 values[rows];
#pragma unroll
    for (int r = 0; r < rows; ++r) values[r] = *reinterpret_cast<const From4*>(from + r * p.from_pitch);
#pragma unroll
    for (int r = 0; r < rows; ++r) {
      To4 changed;
      changed.x = change(values[r].x, r, 0), changed.y = change(values[r].y, r, 1);
      changed.z = change(values[r].z, r, 2), changed.w = change(values[r].w, r, 3);
      *reinterpret_cast<To4*>(to + r * p.to_pitch) = changed;
    }
    return;
  }
  for (int r = 0; r < rows && row + r < p.height; ++r)
    for (int c = 0; c < columns && col + c < p.width; ++c)
      to[r * p.to_pitch + c] = change(from[r * p.from_pitch + c], r, c);
}
// [change]

/// to = from - 128: pixels as signed numbers around 0.
__global__ void shift_vectors_kernel(planes<std::uint8_t, float> p) {
  change_values<uchar4, float4>(
      p, [](unsigned char pixel, int, int) { return static_cast<float>(int(pixel) - 128); });
}

/// to = clamp(round(from + 128), 0, 255), ties to even.
__global__ void to_pixels_vectors_kernel(planes<float, std::uint8_t> p) {
  change_values<float4, uchar4>(p, [](float value, int, int) {
    return static_cast<std::uint8_t>(min(max(__float2int_rn(value + 128), 0), 255));
  });
}

/// step[8 * v + u], by all threads of the block. A thread has the columns u = 0..3 or 4..7.
__device__ __forceinline__ void stage_steps(const block_factors& steps, float* step) {
  const int thread = threadIdx.y * blockDim.x + threadIdx.x;
  if (thread < 64) step[thread] = steps.at[thread];
  __syncthreads();  // all steps are there before any thread reads one
}

/// to = round(from / steps[8 * v + u]) at place (v, u) of each 8x8 block, ties away from zero.
__global__ void quantize_vectors_kernel(planes<float, std::int16_t> p,
                                        const __grid_constant__ block_factors steps) {
  __shared__ float step[64];
  stage_steps(steps, step);
  const float* const own = step + 4 * (threadIdx.x % 2);
  change_values<float4, short4>(p, [own](float coefficient, int v, int u) {
    return static_cast<std::int16_t>(roundf(coefficient / own[8 * v + u]));
  });
}

/// to = from * steps[8 * v + u] at place (v, u) of each 8x8 block.
__global__ void dequantize_vectors_kernel(planes<std::int16_t, float> p,
                                          const __grid_constant__ block_factors steps) {
  __shared__ float step[64];
  stage_steps(steps, step);
  const float* const own = step + 4 * (threadIdx.x % 2);
  change_values<short4, float4>(p,
                                [own](std::int16_t level, int v, int u) { return level * own[8 * v + u]; });
}

/// What both planes must be, and the arguments of a kernel between them.
template <class From, class To>
planes<From, To> checked(device_plane_span<const From> from, device_plane_span<To> to) {
  require_same_size(from, to, "a step");
  require_aligned_rows(from, columns * sizeof(From), "what a step reads");
  require_aligned_rows(to, columns * sizeof(To), "what a step writes");
  return {from.data(), pitch_in_elements(from), to.data(), pitch_in_elements(to), to.width(), to.height()};
}

const dim3& threads() {
  static const dim3 shape(32, 4);
  return shape;
}

template <class From, class To>
dim3 grid(const planes<From, To>& p) {
  return dim3(unsigned(ceil_div(p.width, columns * 32)), unsigned(ceil_div(p.height, rows * 4)));
}

}  // namespace

stepwise_vectors_codec::stepwise_vectors_codec(int width, int height)
    : shifted_(width, height), coefficients_(padded(width), padded(height)) {}

void stepwise_vectors_codec::encode(device_plane_span<const std::uint8_t> pixels,
                                    const quantization_table& steps, device_plane_span<std::int16_t> levels,
                                    cudaStream_t stream) {
  const auto shift = checked(pixels, shifted_.span());
  const auto quantize = checked(device_plane_span<const float>(coefficients_.span()), levels);
  shift_vectors_kernel<<<grid(shift), threads(), 0, stream>>>(shift);
  check(cudaGetLastError());
  dct8x8(shifted_, coefficients_, stream);
  quantize_vectors_kernel<<<grid(quantize), threads(), 0, stream>>>(quantize, plain_factors(steps));
  check(cudaGetLastError());
}

void stepwise_vectors_codec::decode(device_plane_span<const std::int16_t> levels,
                                    const quantization_table& steps, device_plane_span<std::uint8_t> pixels,
                                    cudaStream_t stream) {
  const auto dequantize = checked(levels, coefficients_.span());
  const auto round = checked(device_plane_span<const float>(shifted_.span()), pixels);
  dequantize_vectors_kernel<<<grid(dequantize), threads(), 0, stream>>>(dequantize, plain_factors(steps));
  check(cudaGetLastError());
  idct8x8(coefficients_, shifted_, stream);
  to_pixels_vectors_kernel<<<grid(round), threads(), 0, stream>>>(round);
  check(cudaGetLastError());
}

}  // namespace tutorial
