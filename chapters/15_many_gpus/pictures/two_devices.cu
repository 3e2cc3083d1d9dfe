// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// The smallest exchange: one step of a filter with 5 taps on two devices, without and with it. The lesson
// shows what it prints.
#include <algorithm>
#include <cstdio>
#include <vector>

#include "common/device/device_memory.hpp"
#include "common/device/stream.hpp"

using namespace tutorial;

// [exchange]
constexpr int size = 1000, halo = 2;  // samples that a device owns, and needs on each side

/// y[n] = x[n - 2] + x[n - 1] + x[n] + x[n + 1] + x[n + 2]
__global__ void add_five_kernel(const float* x, float* y) {
  const int n = blockIdx.x * blockDim.x + threadIdx.x;
  if (n < size) y[n] = x[n - 2] + x[n - 1] + x[n] + x[n + 1] + x[n + 2];
}

/// Device p owns x[p][0, size). There is room for a halo before and after it.
void step(float* const x[2], float* const y[2], const cudaStream_t stream[2], bool exchange) {
  if (exchange) {
    const int bytes = halo * sizeof(float);
    // Each device gets the samples of the other device that are next to its own part: its halo.
    check(cudaMemcpyAsync(x[1] - halo, x[0] + size - halo, bytes, cudaMemcpyDefault, stream[1]));
    check(cudaMemcpyAsync(x[0] + size, x[1], bytes, cudaMemcpyDefault, stream[0]));
  }
  for (int p = 0; p < 2; ++p) {
    check(cudaSetDevice(p));
    add_five_kernel<<<4, 256, 0, stream[p]>>>(x[p], y[p]);
    check(cudaGetLastError());
  }
}
// [exchange]

/// What a device works with.
struct part {
  device_buffer<float> x, y;
  stream work;
};

/// How many outputs are wrong after one step of a signal of ones.
int wrong_outputs(bool exchange) {
  std::vector<float> ones(size + 2 * halo, 0.0f), outputs(2 * size);
  std::fill_n(ones.begin() + halo, size, 1.0f);
  std::vector<part> parts;
  for (int p = 0; p < 2; ++p) {
    check(cudaSetDevice(p));
    parts.push_back({device_buffer<float>(ones), device_buffer<float>(size), stream()});
    check(cudaDeviceSynchronize());
  }
  float *const x[2] = {parts[0].x.data() + halo, parts[1].x.data() + halo}, *const y[2] = {parts[0].y.data(),
                                                                                           parts[1].y.data()};
  const cudaStream_t streams[2] = {parts[0].work, parts[1].work};
  step(x, y, streams, exchange);
  for (int p = 0; p < 2; ++p) parts[p].work.wait();
  for (int p = 0; p < 2; ++p)
    check(cudaMemcpy(&outputs[p * size], y[p], size * sizeof(float), cudaMemcpyDeviceToHost));
  int wrong = 0;
  for (int n = 0; n < 2 * size; ++n) {
    const int missing = std::max(0, 2 - n) + std::max(0, n - (2 * size - 3));
    wrong += outputs[n] != float(5 - missing);
  }
  return wrong;
}

int main() {
  for (const bool exchange : {false, true})
    std::printf("%s an exchange, %d of %d outputs are wrong\n", exchange ? "with" : "without",
                wrong_outputs(exchange), 2 * size);
}
