// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Two runs of each design give its two prices.
#include <algorithm>
#include <stdexcept>

#include "common/device/device.hpp"
#include "common/device/device_memory.hpp"
#include "common/device/measure.hpp"
#include "common/verify/inputs.hpp"
#include "fastest_convolution.hpp"

namespace tutorial {
namespace {

constexpr measure_options quick{.group_ms = 0.5, .repeats = 5};

/// Microseconds of a call with so many samples, 'same', and as many taps as the design takes.
template <class T>
double microseconds(const one_pass_design& design, const device_buffer<T>& x, device_buffer<T>& y,
                    std::size_t samples) {
  const device_buffer<T> h(random_taps<T>(std::size_t(design.overlap) + 1));
  const one_pass_convolver<T> convolve(h, samples, convolution_mode::same, 1, design.length);
  const device_span<const T> from(x.data(), samples);
  const device_span<T> to(y.data(), samples);
  return 1e3 * measure([&](int) { convolve(from, to); }, quick).median_ms;
}

// [calibration]
template <class T>
void measure_designs(std::vector<one_pass_price>& prices, std::size_t most) {
  const device_buffer<T> x(random_signal<T>(most));
  device_buffer<T> y(most);
  for (const one_pass_design& design : one_pass_designs<T>()) {
    const std::size_t pair = 2 * std::size_t(design.outputs()), pairs = most / pair;
    const double alone = microseconds(design, x, y, pair), all = microseconds(design, x, y, pairs * pair);
    prices.push_back({design.length, element_type_of<T>(), alone,
                      std::max(0.0, all - alone) / std::max(1.0, double(pairs) - 1)});
  }
}
// [calibration]

}  // namespace

one_pass_price_list measure_one_pass_prices() {
  const device_facts device = current_device();
  if (device.emulated) throw std::logic_error("the emulated device has no times, and so no prices");
  std::size_t samples = std::size_t{1} << 25;  // in and out go far beyond the cache
  while (samples > (1 << 20) && 32 * samples > device.free_bytes) samples /= 2;
  one_pass_price_list list{.device = device.name};
  measure_designs<float>(list.prices, samples);
  measure_designs<double>(list.prices, samples / 2);
  return list;
}

}  // namespace tutorial
