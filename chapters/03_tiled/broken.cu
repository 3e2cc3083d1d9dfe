// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "broken.hpp"
#include "common/device/ceil_div.hpp"
#include "common/device/check.hpp"

namespace tutorial::broken {
namespace {

constexpr int threads_per_block = 256;
constexpr int warps_per_block = threads_per_block / 32;
constexpr unsigned all_lanes = 0xffffffff;

// The mistake is an argument here and no template parameter: the same for all threads, so they stay together.
template <class T>
__global__ void broken_multiply_kernel(tiled_mistake made, const T* x, int samples, const T* h, int taps,
                                       T* sums, int x_tiles, int h_tiles) {
  const int lane = threadIdx.x % 32;
  const int pair = blockIdx.x * warps_per_block + threadIdx.x / 32;
  if (pair >= x_tiles * h_tiles) return;
  int ia = pair / h_tiles, ib = pair % h_tiles;
  if (made == tiled_mistake::pairs_transposed) ia = pair % x_tiles, ib = pair / x_tiles;
  const int m = ia * 32 + lane, k = ib * 32 + lane;
  T sample = m < samples ? x[m] : T{}, tap = k < taps ? h[k] : T{};
  if (made == tiled_mistake::ghost_samples_not_zero) sample = x[min(m, samples - 1)];
  if (made == tiled_mistake::ghost_taps_not_zero) tap = h[min(k, taps - 1)];

  T first{}, second{};
  for (int j = 0; j < 32; ++j) {
    const int from = made == tiled_mistake::not_rotated && lane < j ? lane : (lane - j) & 31;
    const T tap_j = __shfl_sync(all_lanes, tap, j), sample_i = __shfl_sync(all_lanes, sample, from);
    (j <= lane ? first : second) += tap_j * sample_i;
  }
  sums[std::int64_t{pair} * 64 + lane] = first;
  sums[std::int64_t{pair} * 64 + 32 + lane] = second;
}

template <class T>
__global__ void broken_merge_kernel(tiled_mistake made, const T* sums, int x_tiles, int h_tiles, T* y,
                                    int outputs, int first) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= outputs) return;
  const int row = (first + i) / 32, s = (first + i) % 32;
  const int rows = made == tiled_mistake::last_row_lost ? x_tiles + h_tiles - 1 : x_tiles + h_tiles;
  const int ib_end = made == tiled_mistake::last_pair_lost ? h_tiles - 1 : h_tiles;
  T sum{};
  for (int ib = 0; ib < ib_end && row < rows; ++ib) {
    const int ia = made == tiled_mistake::wrong_diagonal ? row + ib : row - ib;
    const int neighbor = made == tiled_mistake::second_half_in_place ? ia : ia - 1;
    if (0 <= ia && ia < x_tiles) sum += sums[(std::int64_t{ia} * h_tiles + ib) * 64 + s];
    if (made != tiled_mistake::halves_not_merged && 0 <= neighbor && neighbor < x_tiles)
      sum += sums[(std::int64_t{neighbor} * h_tiles + ib) * 64 + 32 + s];
  }
  y[i] = sum;
}

template <class T>
__global__ void broken_warp_kernel(warp_mistake made, const T* x, int samples, const T* h, int taps, T* y,
                                   int outputs, int first) {
  const int lane = threadIdx.x % 32;
  const int i = blockIdx.x * warps_per_block + threadIdx.x / 32;
  if (i >= outputs) return;
  const int n = first + i;
  int k_end = taps;
  if (made == warp_mistake::rest_lost) k_end = taps / 32 * 32;
  if (made == warp_mistake::one_round_only) k_end = min(taps, 32);
  T sum{};
  for (int k = lane; k < k_end; k += 32)
    if (0 <= n - k && n - k < samples) sum += h[k] * x[n - k];
  const int last_distance = made == warp_mistake::last_step_missing ? 2 : 1;
  const int width = made == warp_mistake::half_warps ? 16 : 32;
  for (int distance = width / 2; distance >= last_distance; distance /= 2)
    sum += __shfl_down_sync(all_lanes, sum, distance, width);
  if (lane == (made == warp_mistake::wrong_lane_stores ? 31 : 0)) y[i] = sum;
}

}  // namespace

template <class T>
void convolve_tiled(tiled_mistake made, device_span<const T> x, device_span<const T> h, device_span<T> y,
                    convolution_mode mode) {
  const auto [samples, taps, outputs, first] =
      checked_int_sizes(x.size(), h.size(), y.size(), mode, threads_per_block);
  const int x_tiles = ceil_div(samples, 32), h_tiles = ceil_div(taps, 32), pairs = x_tiles * h_tiles;
  device_buffer<T> sums(static_cast<std::size_t>(pairs) * 64);
  broken_multiply_kernel<<<ceil_div(pairs, warps_per_block), threads_per_block>>>(
      made, wrapping_data(x), samples, wrapping_data(h), taps, wrapping_data(sums.span()), x_tiles, h_tiles);
  check(cudaGetLastError());
  broken_merge_kernel<<<ceil_div(outputs, threads_per_block), threads_per_block>>>(
      made, wrapping_data(sums.span()), x_tiles, h_tiles, wrapping_data(y), outputs, first);
  check(cudaGetLastError());
  check(cudaDeviceSynchronize());
}

template <class T>
void convolve_warp_per_output(warp_mistake made, device_span<const T> x, device_span<const T> h,
                              device_span<T> y, convolution_mode mode) {
  const auto [samples, taps, outputs, first] =
      checked_int_sizes(x.size(), h.size(), y.size(), mode, threads_per_block);
  broken_warp_kernel<<<ceil_div(outputs, warps_per_block), threads_per_block>>>(
      made, wrapping_data(x), samples, wrapping_data(h), taps, wrapping_data(y), outputs, first);
  check(cudaGetLastError());
}

#define INSTANTIATE(T)                                                                                    \
  template void convolve_tiled(tiled_mistake, device_span<const T>, device_span<const T>, device_span<T>, \
                               convolution_mode);                                                         \
  template void convolve_warp_per_output(warp_mistake, device_span<const T>, device_span<const T>,        \
                                         device_span<T>, convolution_mode)
INSTANTIATE(std::int32_t);
INSTANTIATE(float);
INSTANTIATE(double);
#undef INSTANTIATE

}  // namespace tutorial::broken
