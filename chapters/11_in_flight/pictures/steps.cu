// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// A ring of three tiles as in convolve_ring.cu, small enough to watch: one warp, one output per lane, 'full'
// with 5 taps. It is the lesson's first ring and its page of steps (docs/book/pages_of_steps.txt).
#include <cuda_pipeline.h>

#include <vector>

#include "common/device/check.hpp"
#include "common/device/device_memory.hpp"

namespace {

// [kernel]
constexpr int lanes = 32, depth = 3, taps = 5, halo = taps - 1, tile_size = halo + lanes;

/// y[n] = sum over k of h[k] x[n - k]
__global__ void convolve_small_ring_kernel(const float* x, int samples, const float* h, float* y,
                                           int outputs) {
  __shared__ float ring[depth][tile_size];
  const int lane = threadIdx.x, tiles = (outputs + lanes - 1) / lanes;
  const auto fetch = [&](float* tile, int t) {
    for (int j = lane; j < tile_size && t < tiles; j += lanes) {
      const int m = t * lanes - halo + j;
      if (0 <= m && m < samples)
        __pipeline_memcpy_async(&tile[j], &x[m], sizeof(float));
      else
        tile[j] = 0.0f;
    }
  };
  for (int ahead = 0; ahead < depth - 1; ++ahead) {
    fetch(ring[ahead], ahead);
    __pipeline_commit();
  }
  for (int t = 0; t < tiles; ++t) {
    fetch(ring[(t + depth - 1) % depth], t + depth - 1);
    __pipeline_commit();
    __pipeline_wait_prior(depth - 1);
    __syncwarp();  // the parts of the other lanes have also arrived
    const float* const tile = ring[t % depth];
    float sum = 0;
    for (int k = 0; k < taps; ++k) sum += h[k] * tile[halo + lane - k];
    const int n = t * lanes + lane;
    if (n < outputs) y[n] = sum;
    __syncwarp();  // all have read the tile before it is replaced
  }
}
// [kernel]

}  // namespace

int main() {
  using namespace tutorial;
  constexpr int samples = 120, outputs = samples + taps - 1;
  std::vector<float> signal(samples);
  for (int n = 0; n < samples; ++n) signal[n] = float((7 * n + 3) % 10);
  const std::vector<float> filter = {1, 2, 3, 2, 1};
  const device_buffer<float> x(signal), h(filter);
  device_buffer<float> y(outputs);
  convolve_small_ring_kernel<<<1, lanes>>>(x.data(), samples, h.data(), y.data(), outputs);
  check(cudaGetLastError());
  const std::vector<float> result = y.to_host();
  for (int n = 0; n < outputs; ++n) {
    float expected = 0;
    for (int k = 0; k < taps; ++k)
      if (0 <= n - k && n - k < samples) expected += filter[k] * signal[n - k];
    if (result[n] != expected) return 1;
  }
}
