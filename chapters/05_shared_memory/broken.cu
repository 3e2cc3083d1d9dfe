// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "broken.hpp"

#include <utility>

#include "01_serial_definition/convolve_serial.hpp"
#include "common/device/ceil_div.hpp"
#include "common/device/check.hpp"
#include "common/device/wrapping.hpp"
#include "common/verify/compare.hpp"
#include "common/verify/inputs.hpp"

namespace tutorial::broken {
namespace {

constexpr int threads_per_block = 256, chunk = 256, threads_of_smooth = 512;

/// The kernel of smooth_tile.cu.
template <tile_mistake Made>
__global__ void broken_tile_kernel(const float* x, const float* h, float* y, int length) {
  constexpr int halo = 4;
  __shared__ float tile[threads_of_smooth + halo];
  const int tile_begin = blockIdx.x * blockDim.x - halo / 2;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (Made == tile_mistake::guard_first && i >= length) return;

  const int rounds_end = Made == tile_mistake::one_round ? threads_of_smooth : threads_of_smooth + halo;
  for (int j = threadIdx.x; j < rounds_end; j += blockDim.x) {
    const int m = tile_begin + j;
    tile[j] = 0 <= m && m < length ? x[m] : 0.0f;
  }
  if (Made != tile_mistake::no_barrier) __syncthreads();

  if (i >= length) return;
  float sum = 0.0f;
  for (int k = 0; k <= halo; ++k) sum += h[k] * tile[i + 2 - k - tile_begin];
  y[i] = sum;
}

/// The kernel of convolve_shared.cu, with the taps in global memory.
template <mistake Made, class T>
__global__ void broken_kernel(const T* x, int samples, const T* h, int taps, T* y, int outputs, int first) {
  extern __shared__ __align__(16) unsigned char shared_bytes[];
  T* const tile = reinterpret_cast<T*>(shared_bytes);
  const int halo = taps - 1;
  const int block_begin = blockIdx.x * blockDim.x + (Made == mistake::begins_at_zero ? 0 : first);
  const int tile_begin = block_begin - halo;
  const int tile_size = threads_per_block + halo - (Made == mistake::halo_one_short ? 1 : 0);
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (Made == mistake::return_before_barrier && i >= outputs) return;

  for (int j = threadIdx.x; j < tile_size; j += threads_per_block) {
    int m = tile_begin + j;
    if (Made == mistake::ghosts_not_zero) m = min(max(m, 0), samples - 1);
    const bool exists = 0 <= m && (m < samples || Made == mistake::end_not_checked);
    const bool wanted = Made != mistake::halo_left_out || m >= block_begin;
    if (exists || Made != mistake::ghosts_not_written) tile[j] = exists && wanted ? x[m] : T{};
  }
  if (Made != mistake::no_barrier) __syncthreads();

  if (Made != mistake::no_guard && i >= outputs) return;
  T sum{};
  for (int k = 0; k < taps; ++k)
    sum += h[k] * tile[Made == mistake::not_flipped ? threadIdx.x + k : threadIdx.x + halo - k];
  y[i] = sum;
}

/// The kernel of convolve_shared_chunked.cu.
template <mistake Made, class T>
__global__ void broken_chunked_kernel(const T* x, int samples, const T* h, int taps, T* y, int outputs,
                                      int first) {
  __shared__ T tile[threads_per_block + chunk - 1], chunk_h[chunk];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  T sum{};
  for (int k_begin = 0; k_begin < taps; k_begin += chunk) {
    const int chunk_taps = min(chunk, taps - k_begin), halo = chunk_taps - 1;
    const int moved = Made == mistake::chunks_not_moved ? 0 : k_begin;
    const int tile_begin = first + static_cast<int>(blockIdx.x * blockDim.x) - moved - halo;
    for (int j = threadIdx.x; j < threads_per_block + halo; j += threads_per_block) {
      const int m = tile_begin + j;
      tile[j] = 0 <= m && m < samples ? x[m] : T{};
    }
    for (int k = threadIdx.x; k < chunk_taps; k += threads_per_block) chunk_h[k] = h[k_begin + k];
    __syncthreads();
    for (int k = 0; k < chunk_taps; ++k) sum += chunk_h[k] * tile[threadIdx.x + halo - k];
    if (Made != mistake::no_second_barrier) __syncthreads();
  }
  if (i < outputs) y[i] = sum;
}

template <mistake Made, class T>
void launch(device_span<const T> x, device_span<const T> h, device_span<T> y, convolution_mode mode) {
  using W = wrapping<T>;
  const auto [samples, taps, outputs, first] =
      checked_int_sizes(x.size(), h.size(), y.size(), mode, threads_per_block);
  const int blocks = ceil_div(outputs, threads_per_block);
  constexpr bool chunked = Made == mistake::none_chunked || Made == mistake::chunks_not_moved ||
                           Made == mistake::no_second_barrier;
  if constexpr (chunked)
    broken_chunked_kernel<Made, W><<<blocks, threads_per_block>>>(wrapping_data(x), samples, wrapping_data(h),
                                                                  taps, wrapping_data(y), outputs, first);
  else
    broken_kernel<Made, W><<<blocks, threads_per_block, (threads_per_block + h.size() - 1) * sizeof(T)>>>(
        wrapping_data(x), samples, wrapping_data(h), taps, wrapping_data(y), outputs, first);
  check(cudaGetLastError());
}

template <tile_mistake Made>
void launch_tile(const float* x, const float* h, float* y, int length) {
  broken_tile_kernel<Made><<<ceil_div(length, threads_of_smooth), threads_of_smooth>>>(x, h, y, length);
  check(cudaGetLastError());
}

}  // namespace

void smooth_tile(tile_mistake made, device_span<const float> x, device_span<const float> h,
                 device_span<float> y) {
  using enum tile_mistake;
  const int length = static_cast<int>(x.size());
  with_mistakes<none, one_round>(
      made, [&](auto constant) { launch_tile<constant.value>(x.data(), h.data(), y.data(), length); });
}

template <class T>
void convolve(mistake made, device_span<const T> x, device_span<const T> h, device_span<T> y,
              convolution_mode mode) {
  using enum mistake;
  with_mistakes<none, ghosts_not_written>(made,
                                          [&](auto constant) { launch<constant.value, T>(x, h, y, mode); });
}

template void convolve<std::int32_t>(mistake, device_span<const std::int32_t>,
                                     device_span<const std::int32_t>, device_span<std::int32_t>,
                                     convolution_mode);
template void convolve<float>(mistake, device_span<const float>, device_span<const float>, device_span<float>,
                              convolution_mode);

std::vector<shown_mistake> shown_mistakes() {
  using enum mistake;
  std::vector<shown_mistake> all = shown<tile_mistake>(
      wrong_outputs,
      {{tile_mistake::no_barrier, "broken: no barrier after staging", "race"},
       {tile_mistake::guard_first, "broken: the guard before the barrier", "divergent barrier"},
       {tile_mistake::one_round, "broken: staged in one round, without the halo",
        "read of uninitialized memory"}});
  for (shown_mistake& each : shown<mistake>(
           wrong_outputs,
           {{no_second_barrier, "broken: no barrier before the next chunk", "race"},
            {halo_one_short, "broken: the last element of the tile is not staged",
             "read of uninitialized memory"},
            {ghosts_not_written, "broken: ghosts are not made zero", "read of uninitialized memory"},
            {end_not_checked, "broken: stages behind the last sample", "access out of bounds"},
            {no_guard, "broken: spare threads also write", "access out of bounds"}}))
    all.push_back(std::move(each));
  return all;
}

namespace {

/// Runs f(x, h, y) for that many taps. Whole numbers: right is exactly right. The last block is not full.
template <class Function>
std::size_t wrong_outputs_of(const Function& f, std::size_t taps) {
  const std::vector<float> x = random_whole_numbers<float>(600, 1), h = random_whole_numbers<float>(taps, 2);
  std::vector<float> expected(600);
  convolve_gather<float>(x, h, expected, convolution_mode::same);
  const device_buffer<float> d_x(x), d_h(h);
  device_buffer<float> d_y(expected.size());
  f(d_x.span(), d_h.span(), d_y.span());
  check(cudaDeviceSynchronize());
  return compare<float>(d_y.to_host(), expected).mismatches;
}

}  // namespace

std::size_t wrong_outputs(mistake made) {
  const auto f = [made](auto x, auto h, auto y) { convolve<float>(made, x, h, y, convolution_mode::same); };
  return wrong_outputs_of(f, 301);  // more than a chunk
}
std::size_t wrong_outputs(tile_mistake made) {
  return wrong_outputs_of([made](auto x, auto h, auto y) { smooth_tile(made, x, h, y); }, 5);
}

}  // namespace tutorial::broken
