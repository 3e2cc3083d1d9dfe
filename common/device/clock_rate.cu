// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "clock_rate.hpp"

#include <algorithm>
#include <cstddef>

#include "check.hpp"
#include "device.hpp"
#include "measure.hpp"

namespace tutorial {
namespace {

/// A reading for each block: of which multiprocessor, the device decides.
__global__ void read_clocks_kernel(clock_reading* readings) {
  unsigned multiprocessor;
  clock_reading now;
  asm volatile("mov.u32 %0, %%smid;" : "=r"(multiprocessor));
  now.multiprocessor = multiprocessor;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now.nanoseconds));
  asm volatile("mov.u64 %0, %%clock64;" : "=l"(now.cycles));
  readings[blockIdx.x] = now;
}

void read_clocks(device_buffer<clock_reading>& readings) {
  read_clocks_kernel<<<unsigned(readings.size()), 1>>>(readings.data());
  check(cudaGetLastError());
}

}  // namespace

double megahertz_between(const std::vector<clock_reading>& first, const std::vector<clock_reading>& last) {
  std::vector<double> rates;
  for (const clock_reading& end : last) {
    const auto begin = std::ranges::find(first, end.multiprocessor, &clock_reading::multiprocessor);
    if (begin != first.end() && end.nanoseconds > begin->nanoseconds)
      rates.push_back(1e3 * double(end.cycles - begin->cycles) /
                      double(end.nanoseconds - begin->nanoseconds));
  }
  return rates.empty() ? 0 : median(rates);
}

clock_rate::clock_rate() : first_(std::size_t(current_device().multiprocessors)), last_(first_.size()) {}

void clock_rate::begin() { read_clocks(first_); }

double clock_rate::end_megahertz() {
  read_clocks(last_);
  return current_device().emulated ? 0 : megahertz_between(first_.to_host(), last_.to_host());
}

}  // namespace tutorial
