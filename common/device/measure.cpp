// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "measure.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <stdexcept>

#include "check.hpp"
#include "device.hpp"
#include "stream.hpp"

namespace tutorial {
namespace {

// What the device takes from one event to the other.
class stopwatch_on_device {
 public:
  double milliseconds(const std::function<void()>& work) {
    check(cudaEventRecord(begin_));
    work();
    check(cudaEventRecord(end_));
    check(cudaEventSynchronize(end_));
    check(cudaGetLastError());
    float elapsed = 0;
    check(cudaEventElapsedTime(&elapsed, begin_, end_));
    return elapsed;
  }

 private:
  event begin_{event::kind::time}, end_{event::kind::time};
};

double milliseconds_of(const std::function<void()>& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
}

timing summary(std::vector<double> times) {
  timing result;
  result.repeats = int(times.size());
  result.min_ms = *std::min_element(times.begin(), times.end());
  result.max_ms = *std::max_element(times.begin(), times.end());
  result.median_ms = median(std::move(times));
  return result;
}

// One group of calls is timed as a whole, because a clock is too coarse for a single short call and because
// calls that are enqueued back to back hide the cost of launching. `group_time` says how long some calls took
// together.
timing measure_groups(const std::function<void(int)>& call, const measure_options& options,
                      const std::function<double(const std::function<void()>&)>& group_time) {
  int i = 0;
  const auto calls = [&](int count) {
    for (int c = 0; c < count; ++c) call(i++);
  };
  const double first_ms = group_time([&] { calls(1); });  // warm-up: code is loaded, memory is touched
  // A slow call is not repeated for the sake of the warm-up: its first run is as good an estimate.
  const double once_ms = first_ms > 200 ? first_ms : group_time([&] { calls(2); }) / 2;
  const int group = int(std::clamp(options.group_ms / std::max(once_ms, 1e-4), 1.0, 400.0));
  int repeats = std::max(1, options.repeats);
  if (once_ms > 20) repeats = std::min(repeats, 5);
  if (once_ms > 200) repeats = std::min(repeats, 3);
  if (repeats % 2 == 0) ++repeats;
  if (group > 1) group_time([&] { calls(group); });  // clocks and caches reach their steady state
  std::vector<double> times;
  for (int r = 0; r < repeats; ++r) times.push_back(group_time([&] { calls(group); }) / group);
  return summary(std::move(times));
}

}  // namespace

double median(std::vector<double> values) {
  if (values.empty()) throw std::invalid_argument("median of no values");
  for (const double value : values)
    if (std::isnan(value)) throw std::invalid_argument("median of values of which one is NaN");
  const auto middle = values.begin() + std::ptrdiff_t(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) return *middle;
  const double below = *std::max_element(values.begin(), middle);
  return below / 2 + *middle / 2;  // halves first: the sum of two large values may overflow
}

timing measure(const std::function<void(int i)>& launch, const measure_options& options) {
  stopwatch_on_device stopwatch;
  const auto group_time = [&](const std::function<void()>& work) { return stopwatch.milliseconds(work); };
  // Times of the emulated device mean nothing: one call keeps programs that ask for them working.
  if (current_device().emulated) return summary({group_time([&] { launch(0); })});
  return measure_groups(launch, options, group_time);
}

timing measure_host(const std::function<void(int i)>& work, const measure_options& options) {
  return measure_groups(work, options, milliseconds_of);
}

int buffer_sets(std::size_t bytes) {
  const device_facts device = current_device();
  if (device.emulated || bytes == 0) return 1;
  const double wanted = std::ceil(8.0 * double(device.l2_bytes) / double(bytes));
  const double room = std::min(4.0 * (1 << 30), double(device.free_bytes) / 4);
  return int(std::clamp(std::min(wanted, std::floor(room / double(bytes))), 1.0, 64.0));
}

}  // namespace tutorial
