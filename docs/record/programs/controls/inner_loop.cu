// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
//
// Decides what makes chapter 05's inner loop faster than chapter 04's and chapter 02's: the test for ghosts
// that it lacks, the load that brings the tap, or the memory that the sample comes from. Each combination is
// a row.
#include <algorithm>

#include "common/device/check.hpp"
#include "common/device/device_memory.hpp"
#include "common/verify/inputs.hpp"
#include "controls.hpp"

namespace tutorial {
namespace {

constexpr int threads = 256, taps = 64;
constexpr int zeros = taps;  // before the signal, for loops without a test
static __constant__ __align__(16) float constant_h[taps];

enum class tap_by { ldg, ldc, uldc };

/// y[n] = sum over k of h[k] x[n - k], n in [0, samples), a multiple of `threads`. x[-zeros, 0) exists and is
/// zero. `none` is 0: at an index that may be another for each lane, nvcc makes LDC instead of ULDC.
template <bool Test, tap_by Tap, bool Staged>
__global__ void __launch_bounds__(threads)
    loop_kernel(const float* __restrict__ x, int samples, const float* __restrict__ h, int none, int count,
                float* __restrict__ y) {
  extern __shared__ float tile[];
  const int n = blockIdx.x * threads + threadIdx.x, tile_begin = blockIdx.x * threads - (count - 1);
  if constexpr (Staged) {
    for (int j = threadIdx.x; j < threads + count - 1; j += threads) {
      const int m = tile_begin + j;
      tile[j] = 0 <= m && m < samples ? x[m] : 0.0f;
    }
    __syncthreads();  // the tile is complete before any thread reads it
  }
  const int lane_begin = none * int(threadIdx.x);
  float sum = 0;
  for (int k = 0; k < count; ++k) {
    const int m = n - k;
    const auto tap = [&] {
      if constexpr (Tap == tap_by::ldg)
        return h[k];
      else if constexpr (Tap == tap_by::ldc)
        return constant_h[lane_begin + k];
      else
        return constant_h[k];
    };
    const auto sample = [&] {
      if constexpr (Staged)
        return tile[m - tile_begin];
      else
        return x[m];
    };
    if constexpr (!Test) {
      sum += tap() * sample();
    } else if constexpr (Tap == tap_by::uldc) {
      const float t = tap();  // outside of the test: all lanes want it, so nvcc makes ULDC
      sum += t * (0 <= m && m < samples ? sample() : 0.0f);
    } else {
      if (0 <= m && m < samples) sum += tap() * sample();
    }
  }
  y[n] = sum;
}

struct work {
  control_rows& rows;
  int samples;
  device_buffer<float> x, h, y;
  std::vector<float> first;
};

template <bool Test, tap_by Tap, bool Staged>
void measure_loop(work& w) {
  static const char* const names[] = {"LDG", "LDC", "ULDC"};
  const std::size_t bytes = Staged ? (threads + taps - 1) * sizeof(float) : 0;
  const auto launch = [&](int) {
    loop_kernel<Test, Tap, Staged><<<w.samples / threads, threads, bytes>>>(w.x.data() + zeros, w.samples,
                                                                            w.h.data(), 0, taps, w.y.data());
    check(cudaGetLastError());
  };
  poison(w.y.span());
  launch(0);
  must_be_the_same(w.first, w.y.to_host(), names[int(Tap)]);
  w.rows.measure(
      {{"test", Test ? "yes" : "no"}, {"tap", names[int(Tap)]}, {"sample", Staged ? "shared" : "global"}},
      launch);
}

template <tap_by Tap>
void measure_tap(work& w) {
  measure_loop<true, Tap, false>(w);
  measure_loop<false, Tap, false>(w);
  measure_loop<true, Tap, true>(w);
  measure_loop<false, Tap, true>(w);
}

void measure_all(control_rows& rows) {
  const int samples = rows.size(1 << 24, 1 << 10);
  std::vector<float> x = random_whole_numbers<float>(std::size_t(zeros) + samples);  // so that sums are exact
  std::fill(x.begin(), x.begin() + zeros, 0.0f);
  const std::vector<float> h = random_whole_numbers<float>(taps, 2);
  check(cudaMemcpyToSymbol(constant_h, h.data(), sizeof(constant_h)));
  work w{rows,
         samples,
         device_buffer<float>(x),
         device_buffer<float>(h),
         device_buffer<float>(std::size_t(samples)),
         {}};
  measure_tap<tap_by::ldg>(w);
  measure_tap<tap_by::ldc>(w);
  measure_tap<tap_by::uldc>(w);
}

}  // namespace
}  // namespace tutorial

int main(int argc, char** argv) { return tutorial::controls_main(argc, argv, tutorial::measure_all); }
