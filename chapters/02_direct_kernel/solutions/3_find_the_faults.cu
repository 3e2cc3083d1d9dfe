// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Exercise 3: two faults. On a GPU the result is right for some lengths, and for others only sometimes.

#include "find_the_faults.hpp"

#include "common/device/check.hpp"

namespace tutorial {
namespace {

constexpr int threads_per_block = 256;

/// total[n] = x[n - 4] + ... + x[n], change[n] = total[n] - total[n - 1], one thread per day.
__global__ void rain_of_five_days_kernel(const int* x, int samples, int* total, int* change, int outputs) {
  const int n = blockIdx.x * blockDim.x + threadIdx.x;
  if (n >= outputs) return;
  // SOLUTION: one fault is in these lines (about 7 lines)
  // STARTER: int sum = 0;
  // STARTER: for (int m = n - 4; m <= n; ++m)
  // STARTER:   if (0 <= m && m < samples) sum += x[m];
  // STARTER: total[n] = sum;
  // STARTER: change[n] = n == 0 ? total[0] : total[n] - total[n - 1];
  int sum = 0, day_before = 0;
  for (int m = n - 4; m <= n; ++m) {
    if (0 <= m && m < samples) sum += x[m];
    if (0 <= m - 1 && m - 1 < samples) day_before += x[m - 1];  // total[n - 1] may not be written yet
  }
  total[n] = sum;
  change[n] = sum - day_before;
  // END SOLUTION
}

}  // namespace

void rain_of_five_days(device_span<const std::int32_t> x, device_span<std::int32_t> total,
                       device_span<std::int32_t> change) {
  // SOLUTION: the other one is in these (about 5 lines)
  // STARTER: const int samples = static_cast<int>(x.size()), outputs = static_cast<int>(total.size());
  // STARTER: const int blocks = (samples + threads_per_block - 1) / threads_per_block;
  // STARTER: rain_of_five_days_kernel<<<blocks, threads_per_block>>>(x.data(), samples, total.data(), change.data(),
  // STARTER:                                                         outputs);
  const int samples = static_cast<int>(x.size()), outputs = static_cast<int>(total.size());
  const int blocks = (outputs + threads_per_block - 1) / threads_per_block;  // one thread for each output
  rain_of_five_days_kernel<<<blocks, threads_per_block>>>(x.data(), samples, total.data(), change.data(),
                                                          outputs);
  // END SOLUTION
  check(cudaGetLastError());
}

}  // namespace tutorial
