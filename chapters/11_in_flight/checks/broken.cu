// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "broken.hpp"

#include <cuda_pipeline.h>

#include <cuda/barrier>
#include <cuda/ptx>

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <utility>

#include "01_serial_definition/convolve_serial.hpp"
#include "11_in_flight/kernels/smooth_plane.hpp"
#include "common/device/ceil_div.hpp"
#include "common/device/check.hpp"
#include "common/device/wrapping.hpp"
#include "common/verify/compare.hpp"
#include "common/verify/inputs.hpp"

namespace tutorial::broken {
namespace {

constexpr int lanes = 32, most_taps = 33, halo = most_taps - 1, tile_size = halo + lanes;

/// Blocks of one warp that stay, with a ring of two tiles and one output per lane.
template <mistake Made, class T>
__global__ void broken_kernel(const T* x, int samples, const T* h, int taps, T* y, int outputs, int first) {
  __shared__ T ring[2][tile_size];
  const int lane = threadIdx.x, tiles = (outputs + lanes - 1) / lanes;
  const auto fetch = [&](T* tile, int t) {
    const int begin = t * lanes + (Made == mistake::source_not_shifted ? 0 : first) - halo;
    for (int j = lane; j < tile_size; j += lanes) {
      if (Made == mistake::halo_left_out && j < halo) {
        tile[j] = T{};
        continue;
      }
      const bool there = 0 <= begin + j && begin + j < samples;
      if (there)
        __pipeline_memcpy_async(tile + j, x + begin + j, sizeof(T));
      else if (Made != mistake::ghosts_not_written)
        tile[j] = T{};
    }
  };
  const int step = gridDim.x * (Made == mistake::every_second_tile ? 2 : 1);
  fetch(ring[0], blockIdx.x);
  __pipeline_commit();
  int slot = 0;
  for (int t = blockIdx.x; t < tiles; t += step) {
    const int ahead = t + step;
    if (ahead < tiles) fetch(ring[1 - slot], ahead);
    if (Made != mistake::no_empty_stages || ahead < tiles) __pipeline_commit();
    if constexpr (Made == mistake::wrong_stage)
      __pipeline_wait_prior(2);
    else if constexpr (Made != mistake::no_wait)
      __pipeline_wait_prior(1);
    if (Made != mistake::no_barrier) __syncwarp();
    const T* const tile = ring[Made == mistake::slot_not_moved ? 0 : slot];
    T sum{};
    for (int k = 0; k < taps; ++k) sum += h[k] * tile[halo + lane - k];
    const int i = t * lanes + lane;
    if (i < outputs || Made == mistake::last_tile_not_cut) y[i] = sum;
    if (Made != mistake::no_second_barrier) __syncwarp();  // all have read the tile before it is replaced
    slot = 1 - slot;
  }
}

/// The same with a copy for a whole tile, and a barrier for each slot. The copy begins at a whole vector of
/// x, up to three samples before the tile.
template <mistake Made, class T>
__global__ void broken_bulk_kernel(const T* x, int samples, const T* h, int taps, T* y, int outputs,
                                   int first) {
  using arrival = cuda::barrier<cuda::thread_scope_block>;
  constexpr int copied = tile_size + 4;
  __shared__ alignas(16) T ring[2][copied];
  __shared__ alignas(arrival) unsigned char memory[2 * sizeof(arrival)];
  arrival* const arrivals = reinterpret_cast<arrival*>(memory);
  const int lane = threadIdx.x, tiles = (outputs + lanes - 1) / lanes, step = gridDim.x, shift = first % 4;
  if (lane < 2) init(arrivals + lane, 1);
  __syncwarp();  // the barriers are there
  const auto fetch = [&](int slot, int t) {
    if (t >= tiles) return;
    const int begin = t * lanes + first - halo - shift;
    const bool inside = 0 <= begin && begin + copied <= samples;
    for (int j = lane; j < copied && !inside; j += lanes)
      ring[slot][j] = 0 <= begin + j && begin + j < samples ? x[begin + j] : T{};
    if (Made != mistake::early_arrival) __syncwarp();  // all lanes have written
    if (lane != 0) return;
    if (inside)
      cuda::memcpy_async(ring[slot], x + begin, cuda::aligned_size_t<16>(sizeof ring[slot]), arrivals[slot]);
    (void)arrivals[slot].arrive();
  };
  fetch(0, blockIdx.x);
  int slot = 0;
  bool odd = false;
  for (int t = blockIdx.x; t < tiles; t += step) {
    fetch(1 - slot, t + step);
    if (Made != mistake::no_phase) arrivals[slot].wait_parity(odd);
    T sum{};
    for (int k = 0; k < taps; ++k) sum += h[k] * ring[slot][shift + halo + lane - k];
    const int i = t * lanes + lane;
    if (i < outputs) y[i] = sum;
    __syncwarp();  // all have read the tile before it is replaced
    slot = 1 - slot;
    if (slot == 0) odd = !odd;
  }
}

/// Two outputs a thread, from three sums with half of the taps each; convolve_fast_fir.cu has the formulas.
template <mistake Made, class T>
__global__ void broken_fast_fir_kernel(const T* x, int samples, const T* h, int taps, T* y, int outputs,
                                       int first) {
  const int n = blockIdx.x * lanes + threadIdx.x;
  if (2 * n >= outputs) return;
  const auto sample = [&](int i) { return 0 <= i + first && i + first < samples ? x[i + first] : T{}; };
  T even_sum{}, odd_sum{}, odd_before{}, both_sum{};
  for (int m = 0; 2 * m + (Made == mistake::last_tap_left_out ? 1 : 0) < taps; ++m) {
    const T even = h[2 * m], odd = 2 * m + 1 < taps ? h[2 * m + 1] : T{};
    const T both = Made == mistake::both_is_even ? even : even + odd;
    even_sum += even * sample(2 * (n - m));
    odd_sum += odd * sample(2 * (n - m) + 1);
    odd_before += odd * sample(2 * (n - m) - 1);
    both_sum += both * (sample(2 * (n - m)) + sample(2 * (n - m) + 1));
  }
  y[2 * n] = even_sum + (Made == mistake::odd_of_this_pair ? odd_sum : odd_before);
  if (2 * n + 1 >= outputs) return;
  y[2 * n + 1] = both_sum - even_sum - (Made == mistake::odd_not_subtracted ? T{} : odd_sum);
}

constexpr int tile_width = 8, tile_height = 4;

/// y at (row, col) = x at (row + 1, col + 4).
template <plane_mistake Made>
__global__ void broken_plane_kernel(const __grid_constant__ CUtensorMap map, float* y, int pitch, int width,
                                    int height) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
  __shared__ alignas(Made == plane_mistake::tile_not_aligned ? 16 : 128) float tile[tile_height][tile_width];
  __shared__ std::uint64_t arrived;
  namespace ptx = cuda::ptx;
  constexpr int down = Made == plane_mistake::corner_not_moved ? 0 : 1, right = 4 * down;
  const int first_row = blockIdx.y * tile_height, first_col = blockIdx.x * tile_width;
  if (threadIdx.x == 0 && threadIdx.y == 0) {
    ptx::mbarrier_init(&arrived, 1);
    ptx::fence_proxy_async(ptx::space_shared);
    ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, tile, &map,
                              {first_col + right, first_row + down}, &arrived);
    const int there = max(0, min(tile_height, height - first_row - down)) *
                      max(0, min(tile_width, width - first_col - right));
    const int elements = Made == plane_mistake::too_few_bytes ? there : tile_height * tile_width;
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &arrived,
                                   elements * sizeof(float));
  }
  __syncthreads();
  while (Made != plane_mistake::not_waited && !ptx::mbarrier_try_wait_parity(&arrived, 0u)) {
  }
  const int row = first_row + threadIdx.y, col = first_col + threadIdx.x;
  if (row < height && col < width) y[row * pitch + col] = tile[threadIdx.y][threadIdx.x];
#endif
}

template <plane_mistake Made>
void move_plane(device_plane_span<const float> x, device_plane_span<float> y) {
  const dim3 grid(ceil_div(x.width(), tile_width), ceil_div(x.height(), tile_height));
  broken_plane_kernel<Made>
      <<<grid, dim3(tile_width, tile_height)>>>(tensor_map_of(x, tile_width, tile_height), y.data(),
                                                int(y.pitch() / sizeof(float)), x.width(), x.height());
}

template <mistake Made, class T>
void launch(device_span<const T> x, device_span<const T> h, device_span<T> y, convolution_mode mode) {
  const auto [samples, taps, outputs, first] = checked_int_sizes(x.size(), h.size(), y.size(), mode, lanes);
  if (taps > most_taps) throw std::invalid_argument("broken::convolve: too many taps");
  // Two blocks, so that each takes many tiles.
  const int blocks = std::min(2, ceil_div(outputs, lanes));
  constexpr bool bulk =
      Made == mistake::none_bulk || Made == mistake::no_phase || Made == mistake::early_arrival;
  constexpr bool fast = Made >= mistake::none_fast;
  if constexpr (fast)
    broken_fast_fir_kernel<Made, wrapping<T>><<<ceil_div(outputs, 2 * lanes), lanes>>>(
        wrapping_data(x), samples, wrapping_data(h), taps, wrapping_data(y), outputs, first);
  else if constexpr (bulk)
    broken_bulk_kernel<Made, wrapping<T>><<<blocks, lanes>>>(wrapping_data(x), samples, wrapping_data(h),
                                                             taps, wrapping_data(y), outputs, first);
  else
    broken_kernel<Made, wrapping<T>><<<blocks, lanes>>>(wrapping_data(x), samples, wrapping_data(h), taps,
                                                        wrapping_data(y), outputs, first);
  check(cudaGetLastError());
}

}  // namespace

template <class T>
void convolve(mistake made, device_span<const T> x, device_span<const T> h, device_span<T> y,
              convolution_mode mode) {
  using enum mistake;
  with_mistakes<none, last_tap_left_out>(made,
                                         [&](auto constant) { launch<constant.value, T>(x, h, y, mode); });
}

template void convolve<std::int32_t>(mistake, device_span<const std::int32_t>,
                                     device_span<const std::int32_t>, device_span<std::int32_t>,
                                     convolution_mode);
template void convolve<float>(mistake, device_span<const float>, device_span<const float>, device_span<float>,
                              convolution_mode);
template void convolve<double>(mistake, device_span<const double>, device_span<const double>,
                               device_span<double>, convolution_mode);

std::vector<shown_mistake> shown_mistakes() {
  using enum mistake;
  const char* const filling = "read of memory that an asynchronous copy is still filling";
  std::vector<shown_mistake> all = shown<mistake>(
      wrong_outputs,
      {{no_wait, "broken: a tile is computed before it has arrived", filling},
       {wrong_stage, "broken: waits for one stage too few", filling},
       {no_barrier, "broken: each lane waits for its own copies only", filling},
       {no_second_barrier, "broken: the next tile comes too early", filling},
       {slot_not_moved, "broken: computes from the slot that is being filled", filling},
       {no_empty_stages, "broken: the last tile is not waited for", filling},
       {no_phase, "broken: a whole tile is computed before it has arrived", filling},
       {early_arrival, "broken: the barrier says that ghosts are there, and they are not", "race"},
       {ghosts_not_written, "broken: ghosts are what was there before", "read of uninitialized memory"}});
  using of_plane = plane_mistake;
  for (shown_mistake& each : shown<plane_mistake>(
           wrong_copies,
           {{of_plane::not_waited, "broken: a tile of a plane is used before it has arrived", filling},
            {of_plane::too_few_bytes, "broken: ghosts are not counted as bytes",
             "copies that bring more bytes than their barrier expects"},
            {of_plane::tile_not_aligned, "broken: a tile anywhere in shared memory",
             "a misaligned copy of a tile"}}))
    all.push_back(std::move(each));
  return all;
}

std::size_t wrong_outputs(mistake made) {
  const std::vector<float> x = random_whole_numbers<float>(500, 1), h = random_whole_numbers<float>(33, 2);
  std::vector<float> expected(532);
  convolve_gather<float>(x, h, expected, convolution_mode::full);
  const device_buffer<float> d_x(x), d_h(h);
  device_buffer<float> d_y(expected.size());
  convolve<float>(made, d_x, d_h, d_y, convolution_mode::full);
  check(cudaDeviceSynchronize());
  return compare<float>(d_y.to_host(), expected).mismatches;
}

std::size_t wrong_copies(plane_mistake made) {
  constexpr int width = 21, height = 10;
  const plane<float> x(width, height, random_whole_numbers<float>(width * height));
  plane<float> expected(width, height);
  for (int row = 0; row + 1 < height; ++row)
    for (int col = 0; col + 4 < width; ++col) expected.at(row, col) = x.at(row + 1, col + 4);
  const device_plane<float> d_x(x);
  device_plane<float> d_y(width, height);
  using enum plane_mistake;
  with_mistakes<none, corner_not_moved>(made,
                                        [&](auto constant) { move_plane<constant.value>(d_x, d_y.span()); });
  check(cudaDeviceSynchronize());
  return compare<float>(d_y.to_host().values, expected.values).mismatches;
}

}  // namespace tutorial::broken
