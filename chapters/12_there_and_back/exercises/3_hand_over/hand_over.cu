// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Exercise 3: what waits for what.
#include <algorithm>

#include "common/device/device_memory.hpp"
#include "common/device/stream.hpp"
#include "hand_over.hpp"

namespace tutorial {
namespace {

constexpr int threads_per_block = 256;
constexpr std::size_t chunk = 1000;

/// out[i] = in[i + 1] - in[i]; in[0] is the sample before the chunk.
__global__ void difference_kernel(const float* in, float* out, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < size) out[i] = in[i + 1] - in[i];
}

struct buffer {
  device_buffer<float> in{chunk + 1}, out{chunk};
  event brought, computed, taken;
};

}  // namespace

void differences(std::span<const float> x, std::span<float> y) {
  buffer ring[2];
  check(cudaDeviceSynchronize());
  const stream up, compute, down;
  for (std::size_t first = 0, c = 0; first < x.size(); first += chunk, ++c) {
    const std::size_t size = std::min(chunk, x.size() - first);
    const int blocks = static_cast<int>((size + threads_per_block - 1) / threads_per_block);
    buffer& b = ring[c % 2];
    // TODO: four waits are missing: for the copy up, the kernel (2), the copy down (about 14 lines)
    if (first == 0) check(cudaMemsetAsync(b.in.data(), 0, sizeof(float), up));
    check(cudaMemcpyAsync(b.in.data() + (first == 0), x.data() + first - (first != 0),
                          (size + (first != 0)) * sizeof(float), cudaMemcpyHostToDevice, up));
    check(cudaEventRecord(b.brought, up));
    difference_kernel<<<blocks, threads_per_block, 0, compute>>>(b.in.data(), b.out.data(),
                                                                 static_cast<int>(size));
    check(cudaGetLastError());
    check(cudaEventRecord(b.computed, compute));
    check(
        cudaMemcpyAsync(y.data() + first, b.out.data(), size * sizeof(float), cudaMemcpyDeviceToHost, down));
    check(cudaEventRecord(b.taken, down));
  }
  down.wait();
}

}  // namespace tutorial
