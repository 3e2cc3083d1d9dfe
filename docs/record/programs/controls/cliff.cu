// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
//
// Decides what chapter 05's cliff needs, where all taps come by uniform loads: the same loop, as nvcc unrolls
// it and with bodies of a given number of taps, with a barrier behind each body and without one. A barrier
// keeps the warps of a block at the same taps.

#include "common/device/check.hpp"
#include "common/device/device_memory.hpp"
#include "common/verify/inputs.hpp"
#include "controls.hpp"

namespace tutorial {
namespace {

constexpr int threads = 256, most_taps = 1024;
static __constant__ __align__(16) float constant_h[most_taps];

/// y[n] = sum over k of h[k] x[n - k], n in [0, samples), a multiple of `threads`; `taps` is a multiple of
/// Body. Body 0 is the plain loop.
template <int Body, bool Barrier>
__global__ void __launch_bounds__(threads)
    body_kernel(const float* __restrict__ x, int samples, int taps, float* __restrict__ y) {
  extern __shared__ float tile[];
  const int n = blockIdx.x * threads + threadIdx.x, tile_begin = blockIdx.x * threads - (taps - 1);
  for (int j = threadIdx.x; j < threads + taps - 1; j += threads) {
    const int m = tile_begin + j;
    tile[j] = 0 <= m && m < samples ? x[m] : 0.0f;
  }
  __syncthreads();  // the tile is complete before any thread reads it
  float sum = 0;
  if constexpr (Body == 0) {
    for (int k = 0; k < taps; ++k) sum += constant_h[k] * tile[n - k - tile_begin];
  } else {
#pragma unroll 1
    for (int begin = 0; begin < taps; begin += Body) {
#pragma unroll
      for (int k = begin; k < begin + Body; ++k) sum += constant_h[k] * tile[n - k - tile_begin];
      if constexpr (Barrier) __syncthreads();  // the warps go on together; the results do not need it
    }
  }
  y[n] = sum;
}

struct work {
  control_rows& rows;
  int samples;
  device_buffer<float> x, y;
};

template <int Body, bool Barrier>
void measure_body(work& w, int taps, std::vector<float>& first) {
  const auto launch = [&](int) {
    body_kernel<Body, Barrier><<<w.samples / threads, threads, (threads + taps - 1) * sizeof(float)>>>(
        w.x.data(), w.samples, taps, w.y.data());
    check(cudaGetLastError());
  };
  poison(w.y.span());
  launch(0);
  const std::string name = Body == 0 ? "as nvcc unrolls it" : std::to_string(Body) + " taps";
  must_be_the_same(first, w.y.to_host(), name);
  w.rows.measure({{"body", name}, {"barrier", Barrier ? "yes" : "no"}, {"taps", std::to_string(taps)}},
                 launch);
}

void measure_all(control_rows& rows) {
  const int samples = rows.size(1 << 24, 1 << 10);
  const std::vector<float> h = random_whole_numbers<float>(most_taps, 2);
  check(cudaMemcpyToSymbol(constant_h, h.data(), sizeof(constant_h)));
  work w{rows, samples,
         device_buffer<float>(random_whole_numbers<float>(std::size_t(samples))),  // sums are exact
         device_buffer<float>(std::size_t(samples))};
  for (const int taps : {64, 128, 256, 1024}) {
    if (rows.small() && taps > 128) continue;
    std::vector<float> first;
    measure_body<0, false>(w, taps, first);
    measure_body<8, false>(w, taps, first);
    measure_body<16, false>(w, taps, first);
    measure_body<32, false>(w, taps, first);
    measure_body<64, false>(w, taps, first);
    measure_body<16, true>(w, taps, first);
    measure_body<64, true>(w, taps, first);
  }
}

}  // namespace
}  // namespace tutorial

int main(int argc, char** argv) { return tutorial::controls_main(argc, argv, tutorial::measure_all); }
