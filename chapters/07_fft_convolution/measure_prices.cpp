// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Each price from one or two runs of what it is the price of.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <stdexcept>

#include "02_direct_kernel/convolve_direct.hpp"
#include "03_tiled/convolve_tiled.hpp"
#include "06_register_tiling/convolve_register_tiled.hpp"
#include "07_fft_convolution/costs.hpp"
#include "07_fft_convolution/kernels/fft_plan.hpp"
#include "07_fft_convolution/prices.hpp"
#include "common/device/check.hpp"
#include "common/device/device.hpp"
#include "common/device/device_memory.hpp"
#include "common/device/limits.hpp"
#include "common/device/measure.hpp"

namespace tutorial {
namespace {

constexpr measure_options quick{.group_ms = 0.5, .repeats = 5};
constexpr std::size_t many_taps = 1024;

double microseconds(const std::function<void()>& launch) {
  return 1e3 * measure([&](int) { launch(); }, quick).median_ms;
}

/// Small numbers without a pattern: a multiplier that is given zeros takes less power, and may be clocked
/// higher.
template <class T>
device_buffer<T> some_numbers(std::size_t count) {
  std::vector<T> numbers(std::min<std::size_t>(count, 1 << 16));
  std::uint32_t state = 1;
  for (T& number : numbers) {
    state = state * 1664525 + 1013904223;
    number = T(std::int32_t(state) >> 16) / T(256);
  }
  device_buffer<T> all(count);
  for (std::size_t i = 0; i < count; i += numbers.size())
    check(cudaMemcpy(all.data() + i, numbers.data(), std::min(numbers.size(), count - i) * sizeof(T),
                     cudaMemcpyHostToDevice));
  return all;
}

/// One signal and one filter for all runs of one type.
template <class T>
class bench {
 public:
  bench(std::size_t samples, std::size_t taps)
      : x_(some_numbers<T>(samples)), h_(some_numbers<T>(taps)), y_(samples) {}
  /// Microseconds of convolve(x, h, y, mode) with so many of both.
  template <class Convolve>
  double operator()(const Convolve& convolve, std::size_t samples, std::size_t taps,
                    convolution_mode mode = convolution_mode::same) {
    const device_span<const T> x(x_.data(), samples), h(h_.data(), taps);
    const device_span<T> y(y_.data(), output_length(samples, taps, mode));
    return microseconds([&] { convolve(x, h, y, mode); });
  }

 private:
  device_buffer<T> x_, h_, y_;
};

constexpr auto direct = [](auto x, auto h, auto y, auto mode) { convolve_direct(x, h, y, mode); };
constexpr auto warp = [](auto x, auto h, auto y, auto mode) { convolve_warp_per_output(x, h, y, mode); };
constexpr auto tiled = [](auto x, auto h, auto y, auto mode) { convolve_register_tiled(x, h, y, mode); };

/// A kernel's time is start + outputs x something: two sizes give both.
double measure_start() {
  constexpr std::size_t few = 1 << 14, more = 1 << 16;
  bench<float> time(more, many_taps);
  const double slope = (time(warp, more, many_taps) - time(warp, few, many_taps)) / double(more - few);
  return std::max(0.5, time(warp, few, many_taps) - slope * double(few));
}

/// With few outputs and few taps, what the host enqueues is all that counts: a copy of the taps and a kernel.
double measure_tap_copy(double launch) {
  constexpr std::size_t few = 4096, taps = 17;
  bench<float> time(few, taps);
  return std::max(launch, time(tiled, few, taps) - launch);
}

template <class T>
sum_prices measure_sums(const price_list& so_far) {
  constexpr std::size_t few = 4096, many = 1 << 18, longest = 1 << 14;
  const double start = so_far.start, taps = double(many_taps);
  const std::size_t round = outputs_of_round(so_far, element_type_of<T>()), rounds = 16;
  bench<T> time(std::max({rounds * round, many, longest}), longest);
  sum_prices prices;

  prices.direct_tap = (time(direct, few, many_taps) - start) / taps;
  const double full = time(direct, many, 256) - start - double(many * sizeof(T)) * so_far.copied_byte;
  const double waiting = 256 * prices.direct_tap;  // as direct_cost() adds them up
  prices.direct_product = std::sqrt(std::max(0.0, full * full - waiting * waiting)) / double(many * 256);

  const double one_round = time(warp, many, 32), all_rounds = time(warp, many, many_taps);
  prices.warp_products = (all_rounds - one_round) / double(many) / (taps / 32 - 1);
  prices.warp_output = (one_round - start) / double(many) - prices.warp_products;
  const double one_warp = time(warp, longest, longest, convolution_mode::valid);  // a single output
  prices.warp_step = std::max(0.0, one_warp - start) / (double(longest) / 32);

  // Half a round and 15.5 rounds: an output more or less is no further round.
  const double first = time(tiled, round / 2, many_taps),
               last = time(tiled, rounds * round - round / 2, many_taps);
  prices.tiled_tap = (first - 2 * start) / taps;  // two kernels: the taps are copied, too
  prices.tiled_round = (last - first) / double(rounds - 1) / taps;
  return prices;
}

/// Microseconds per million samples, there and back.
template <class T>
double measure_transform(std::size_t block, std::size_t samples, double start, const device_buffer<T>& from,
                         device_buffer<T>& to) {
  const int size = int(block / 2), count = int(samples / block);
  fft_plan<T> plan(fft_kind::complex, size, count, size, size);
  device_buffer<unsigned char> work_area(plan.work_bytes());
  plan.use(work_area);
  const auto* in = reinterpret_cast<const fft_complex<T>*>(from.data());
  auto* out = reinterpret_cast<fft_complex<T>*>(to.data());
  const double us = microseconds([&] { plan.complex(in, out, CUFFT_FORWARD); });
  return 2 * std::max(0.0, us - start * kernels_of_transform(block)) / double(samples) * 1e6;
}

}  // namespace

price_list measure_prices() {
  const device_facts device = current_device();
  if (device.emulated) throw std::logic_error("the emulated device has no times, and so no prices");
  price_list prices;
  prices.device = device.name;
  prices.multiprocessors = device.multiprocessors;
  prices.launch = launch_cost().back_to_back_us;
  prices.tap_copy = measure_tap_copy(prices.launch);
  prices.copied_byte = 2e6 / copy_limit(std::size_t{1} << 26).bytes_per_second;
  prices.start = measure_start();
  prices.int32 = measure_sums<std::int32_t>(prices);
  prices.float32 = measure_sums<float>(prices);
  prices.float64 = measure_sums<double>(prices);

  std::size_t samples = std::size_t{1} << 25;  // in and out go far beyond the cache
  while (samples > (1 << 20) && 48 * samples > device.free_bytes) samples /= 2;
  const auto measure_all = [&]<class T>(double transform_price::*price) {
    const device_buffer<T> from = some_numbers<T>(samples);
    device_buffer<T> to(samples);
    for (transform_price& row : prices.transforms)
      row.*price = measure_transform<T>(std::size_t{1} << row.log2_length, samples, prices.start, from, to);
  };
  for (const transform_price& row : recorded_prices().transforms)
    if (std::size_t{1} << row.log2_length <= samples) prices.transforms.push_back({row.log2_length});
  measure_all.operator()<float>(&transform_price::float32);
  measure_all.operator()<double>(&transform_price::float64);
  return prices;
}

}  // namespace tutorial
