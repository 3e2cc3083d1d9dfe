// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
//
// Decides what the barriers cost in work A (5 taps, 10,000,000 doubles): chapter 05's `shared` and chapter
// 06's `register_blocked` with and without theirs, and 05's with a tile for each warp, where __syncwarp() is
// enough. Without barriers results may be wrong; only the time counts, and the emulated device does not run
// them.
#include <algorithm>

#include "06_register_tiling/sliding_window.cuh"
#include "common/device/check.hpp"
#include "common/device/device.hpp"
#include "common/device/device_memory.hpp"
#include "common/verify/inputs.hpp"
#include "controls.hpp"

namespace tutorial {
namespace {

constexpr int threads = 256, blocked_threads = 64, taps = 5, first_output = 2;  // 'same'
constexpr int vector_taps = whole_vectors<double>(taps);
static __constant__ __align__(16) double constant_h[taps];

enum class wait { none, block, warp };

template <wait Wait>
__device__ void meet() {
  if constexpr (Wait == wait::block) __syncthreads();
  if constexpr (Wait == wait::warp) __syncwarp();
}

/// Chapter 02's.
__global__ void direct_kernel(const double* __restrict__ x, int samples, const double* __restrict__ h,
                              int count, double* __restrict__ y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= samples) return;
  const int n = first_output + i;
  double sum = 0;
  for (int k = 0; k < count; ++k) {
    const int m = n - k;
    if (0 <= m && m < samples) sum += h[k] * x[m];
  }
  y[i] = sum;
}

/// Chapter 05's: each group of Group threads, the block or a warp, has a tile.
template <int Group, wait Wait>
__global__ void __launch_bounds__(threads)
    shared_kernel(const double* __restrict__ x, int samples, int count, double* __restrict__ y) {
  extern __shared__ __align__(16) double memory[];
  const int halo = count - 1, tile_size = Group + halo, group = threadIdx.x / Group,
            thread = threadIdx.x % Group;
  double* const tile = memory + group * tile_size;
  const int tile_begin = first_output + blockIdx.x * threads + group * Group - halo;
  for (int j = thread; j < tile_size; j += Group) {
    const int m = tile_begin + j;
    tile[j] = 0 <= m && m < samples ? x[m] : 0.0;
  }
  meet<Wait>();  // the tile is complete before any thread of the group reads it
  const int i = blockIdx.x * threads + threadIdx.x;
  if (i >= samples) return;
  const int n = first_output + i;
  double sum = 0;
  for (int k = 0; k < count; ++k) sum += constant_h[k] * tile[n - k - tile_begin];
  y[i] = sum;
}

constexpr int blocked_outputs = blocked_threads * outputs_per_thread<double>;

/// Chapter 06's register_blocked for one round of taps and outputs whose vectors are aligned.
template <wait Wait>
__global__ void __launch_bounds__(blocked_threads)
    blocked_kernel(const double* __restrict__ x, int samples, const double* __restrict__ h, int count,
                   double* __restrict__ y) {
  extern __shared__ __align__(16) double memory[];
  constexpr int width = vector_size<double>, own = outputs_per_thread<double>;
  const int halo = whole_vectors<double>(count), begin = blockIdx.x * blocked_outputs;
  double* const tile = memory;
  double* const tap_tile = tile + halo + blocked_outputs;
  for (int j = threadIdx.x; j < halo; j += blocked_threads) tap_tile[j] = j < count ? h[j] : 0.0;
  load_tile(tile, halo, x, samples, first_output + begin - halo);
  meet<Wait>();  // samples and taps are there before any thread reads them
  double sum[own] = {};
  add_products(sum, tile + halo + threadIdx.x * own, shared_taps<double>{tap_tile}, count);
  meet<Wait>();  // all have read the samples before outputs replace them
#pragma unroll
  for (int r = 0; r < own; r += width) store_vector(tile + threadIdx.x * own + r, sum + r);
  meet<Wait>();  // all outputs are there before any thread reads its neighbors'
  if (begin + blocked_outputs <= samples) {
#pragma unroll
    for (int r = 0; r < own; r += width) {
      const int j = r * blocked_threads + threadIdx.x * width;
      put_vector(y + begin + j, get_vector(tile + j));
    }
  } else {
    for (int j = threadIdx.x; begin + j < samples && j < blocked_outputs; j += blocked_threads)
      y[begin + j] = tile[j];
  }
}

void measure_all(control_rows& rows) {
  const int samples = rows.size(10'000'000, 3000);
  const std::size_t bytes = 2 * sizeof(double) * samples;
  std::vector<device_buffer<double>> x, y;
  for (int s = 0; s < rows.size(std::max(2, buffer_sets(bytes)), 1); ++s) {
    x.emplace_back(random_whole_numbers<double>(std::size_t(samples), s + 1));  // so that sums are exact
    y.emplace_back(std::size_t(samples));
  }
  const std::vector<double> h_on_host = random_whole_numbers<double>(taps, 99);
  const device_buffer<double> h(h_on_host);
  check(cudaMemcpyToSymbol(constant_h, h_on_host.data(), sizeof(constant_h)));
  std::vector<double> first;
  const bool emulated = current_device().emulated;
  const auto row = [&](const char* version, const char* barrier, const auto& kernel) {
    const bool right = std::string(barrier) != "left out";
    if (!right && emulated) return;
    const auto launch = [&](int i) {
      const std::size_t set = std::size_t(i) % x.size();
      kernel(x[set].data(), y[set].data());
      check(cudaGetLastError());
    };
    poison(y[0].span());
    launch(0);
    if (right) must_be_the_same(first, y[0].to_host(), version);
    rows.measure({{"version", version}, {"barrier", barrier}}, launch);
  };
  const int blocks = ceil_div(samples, threads);
  const auto tile_bytes = [](int group) { return threads / group * (group + taps - 1) * sizeof(double); };
  row("02 direct", "no tile", [&](const double* from, double* to) {
    direct_kernel<<<blocks, threads>>>(from, samples, h.data(), taps, to);
  });
  row("05 shared", "of the block", [&](const double* from, double* to) {
    shared_kernel<threads, wait::block><<<blocks, threads, tile_bytes(threads)>>>(from, samples, taps, to);
  });
  row("05 shared", "left out", [&](const double* from, double* to) {
    shared_kernel<threads, wait::none><<<blocks, threads, tile_bytes(threads)>>>(from, samples, taps, to);
  });
  row("05 shared, a tile for each warp", "of the warp", [&](const double* from, double* to) {
    shared_kernel<32, wait::warp><<<blocks, threads, tile_bytes(32)>>>(from, samples, taps, to);
  });
  const int blocked_blocks = ceil_div(samples, blocked_outputs);
  const std::size_t blocked_bytes = (2 * vector_taps + blocked_outputs) * sizeof(double);
  row("06 register_blocked", "of the block", [&](const double* from, double* to) {
    blocked_kernel<wait::block>
        <<<blocked_blocks, blocked_threads, blocked_bytes>>>(from, samples, h.data(), taps, to);
  });
  row("06 register_blocked", "left out", [&](const double* from, double* to) {
    blocked_kernel<wait::none>
        <<<blocked_blocks, blocked_threads, blocked_bytes>>>(from, samples, h.data(), taps, to);
  });
}

}  // namespace
}  // namespace tutorial

int main(int argc, char** argv) { return tutorial::controls_main(argc, argv, tutorial::measure_all); }
