// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Exercise 3: what waits for what, between neighbors.
#include <memory>
#include <vector>

#include "15_many_gpus/host/devices.hpp"
#include "common/device/device_memory.hpp"
#include "common/device/stream.hpp"
#include "missing_wait.hpp"

namespace tutorial {
namespace {

constexpr int threads_per_block = 256, parts = 4;

/// y[n] = x[n] + x[n - 1]; x[-1] is the halo.
__global__ void add_kernel(const float* x, float* y, int size) {
  const int n = blockIdx.x * blockDim.x + threadIdx.x;
  if (n < size) y[n] = x[n] + x[n - 1];
}

struct part {
  explicit part(std::size_t size) : buffer{device_buffer<float>(size + 1), device_buffer<float>(size + 1)} {}
  /// Its first sample in buffer 0 or 1; the halo is before it.
  float* samples(int which) { return buffer[which].data() + 1; }
  device_buffer<float> buffer[2];
  stream work;
  event computed, copied[2];
};

}  // namespace

void add_neighbors(std::span<const float> x, std::span<float> y, int steps) {
  const std::vector<int> devices = devices_in_turn(parts);
  const peer_access peers(devices);
  const std::size_t size = x.size() / parts, bytes = size * sizeof(float);
  const int blocks = static_cast<int>((size + threads_per_block - 1) / threads_per_block);
  std::vector<std::unique_ptr<part>> all;
  for (int p = 0; p < parts; ++p) {
    const current_device_guard at(devices[p]);
    all.push_back(std::make_unique<part>(size));
    for (int which = 0; which < 2; ++which)
      check(cudaMemset(all[p]->buffer[which].data(), 0, sizeof(float)));  // what is before the signal
    check(cudaMemcpy(all[p]->samples(0), x.data() + p * size, bytes, cudaMemcpyHostToDevice));
    check(cudaDeviceSynchronize());
  }
  int from = 0;
  for (int s = 0; s < steps; ++s, from = 1 - from)
    for (int p = parts - 1; p >= 0; --p) {  // from the right: no part's left neighbor has made its step yet
      part &mine = *all[p], *left = p > 0 ? all[p - 1].get() : nullptr,
           *right = p < parts - 1 ? all[p + 1].get() : nullptr;
      const current_device_guard at(devices[p]);
      if (left != nullptr) {
        // SOLUTION: the copy reads what the step before has computed next door (about 1 line)
        // STARTER: // the copy
        check(cudaStreamWaitEvent(mine.work, left->computed));
        // END SOLUTION
        check(cudaMemcpyAsync(mine.samples(from) - 1, left->samples(from) + size - 1, sizeof(float),
                              cudaMemcpyDefault, mine.work));
        check(cudaEventRecord(mine.copied[from], mine.work));
      }
      // SOLUTION: the kernel overwrites what the neighbor has copied in the step before (about 2 lines)
      // STARTER: (void)right;
      if (right != nullptr) check(cudaStreamWaitEvent(mine.work, right->copied[1 - from]));
      // END SOLUTION
      add_kernel<<<blocks, threads_per_block, 0, mine.work>>>(mine.samples(from), mine.samples(1 - from),
                                                              static_cast<int>(size));
      check(cudaGetLastError());
      check(cudaEventRecord(mine.computed, mine.work));
    }
  for (int p = 0; p < parts; ++p) {
    const current_device_guard at(devices[p]);
    all[p]->work.wait();
    check(cudaMemcpy(y.data() + p * size, all[p]->samples(from), bytes, cudaMemcpyDeviceToHost));
  }
}

}  // namespace tutorial
