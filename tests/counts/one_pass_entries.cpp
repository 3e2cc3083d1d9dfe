// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// The kernels of chapters 13 and 15, through their public functions. Of chapter 15 those that one device can
// run by itself: parts whose kernels wait for each other need a device each.
#include "13_one_pass/convolve_one_pass.hpp"
#include "13_one_pass/host/roots.hpp"
#include "13_one_pass/kernels/convolve_by_radix.hpp"
#include "13_one_pass/kernels/pieces.hpp"
#include "15_many_gpus/kernels/spread_filters.hpp"
#include "convolution_entry.hpp"
#include "count_kernels.hpp"

namespace tutorial {
namespace {

/// One signal; the filter's spectrum first.
template <class T>
void add_one_pass(std::vector<count_entry>& entries, int length, const convolution_case& what) {
  const std::string kernel = one_pass_design_of<T>(what.taps, length).in_a_warp ? "warp" : "block";
  const auto one_pass = [=](auto x, auto h, auto y, auto mode) {
    one_pass_convolver<T> convolve(h, x.size(), mode, 1, length);
    convolve(x, y);
    check(cudaDeviceSynchronize());
  };
  entries.push_back(
      convolution_entry<T>("one_pass_convolver, segments of " + std::to_string(length),
                           {"one_pass_" + kernel + "_filter_kernel", "one_pass_" + kernel + "_kernel"}, what,
                           one_pass, nullptr, true));
}

/// Three signals of a length that does not end at a sector, in one call.
template <class T>
void add_batch(std::vector<count_entry>& entries, int length) {
  const std::string name = "one_pass_convolver, segments of " + std::to_string(length) +
                           ", 3 signals of 1001 " + std::string(tutorial::name(element_type_of<T>()));
  const std::string kernel = one_pass_design_of<T>(5, length).in_a_warp ? "warp" : "block";
  const auto run = [=] {
    constexpr std::size_t samples = 1001, taps = 5, signals = 3;
    const auto x = small_values<T>(signals * samples), h = small_values<T>(taps, 2);
    std::vector<T> expected(x.size());
    for (std::size_t i = 0; i < x.size(); ++i)
      for (std::size_t k = 0; k < taps; ++k)
        if (const std::size_t n = i % samples + 2; n >= k && n - k < samples)
          expected[i] += h[k] * x[i / samples * samples + n - k];
    const device_buffer<T> d_x(x), d_h(h);
    device_buffer<T> d_y(unwritten<T>(x.size()));
    one_pass_convolver<T> convolve(d_h, samples, convolution_mode::same, signals, length);
    convolve(d_x, d_y);
    std::vector<T> y = d_y.to_host();
    round_to_whole(y);
    return difference(y, expected);
  };
  entries.push_back({name, "one_pass_" + kernel + "_filter_kernel", run, {"one_pass_" + kernel + "_kernel"}});
}

// Segments with all of their samples inside, and some over both edges; pairs of segments, and one alone.
template <class T>
void add_designs(std::vector<count_entry>& entries) {
  add_one_pass<T>(entries, 256, {1000, 5, convolution_mode::same});
  add_one_pass<T>(entries, 256, {2021, 64, convolution_mode::valid});
  add_batch<T>(entries, 256);
  add_one_pass<T>(entries, 4096, {9001, 257, convolution_mode::full});
  add_one_pass<T>(entries, 4096, {12000, 64, convolution_mode::valid});
  if constexpr (sizeof(T) == 4) {
    add_one_pass<T>(entries, 1024, {4099, 63, convolution_mode::full});
    add_one_pass<T>(entries, 1024, {5003, 256, convolution_mode::valid});
    add_batch<T>(entries, 1024);
    add_one_pass<T>(entries, 8192, {9001, 500, convolution_mode::same});
  }
}

void add_radix(std::vector<count_entry>& entries) {
  const std::pair<const char*, radix_passes> all_ways[] = {{"2", radix_passes::of_2},
                                                           {"4", radix_passes::of_4},
                                                           {"16", radix_passes::of_16},
                                                           {"16, padded", radix_passes::of_16_padded}};
  for (const auto& [name, passes] : all_ways) {
    const auto by_radix = [passes = passes](auto x, auto h, auto y, auto mode) {
      radix_convolver convolve(h, x.size(), mode, passes);
      convolve(x, y);
      check(cudaDeviceSynchronize());
    };
    entries.push_back(convolution_entry<float>("radix_convolver, passes of " + std::string(name),
                                               {"radix_filter_kernel", "convolve_by_radix_kernel"},
                                               {7000, 33, convolution_mode::same}, by_radix, nullptr, true));
  }
}

/// Empty if all numbers are 1. (A zero may have a sign.)
template <class T>
std::string not_ones(const complex_numbers<T>& numbers) {
  for (const auto& each : numbers)
    if (each.x != 1 || each.y != 0) return "a transform of an impulse is not 1 everywhere";
  return {};
}
template <class T>
complex_numbers<T> impulse_of(std::size_t size) {
  complex_numbers<T> numbers(size);
  numbers[0].x = 1;
  return numbers;
}

template <class T>
void add_pieces(std::vector<count_entry>& entries) {
  const std::string type = " " + std::string(name(element_type_of<T>()));
  entries.push_back({"run_butterflies" + type, "butterflies_kernel", [] {
                       complex_numbers<T> a(100), b(100), w(100, {0, 1}), sums, rest;
                       for (int i = 0; i < 100; ++i) {
                         a[std::size_t(i)] = {T(i), T(3)}, b[std::size_t(i)] = {T(7), T(2 * i)};  // w b = i b
                         sums.push_back({T(i - 2 * i), T(3 + 7)});
                         rest.push_back({T(i + 2 * i), T(3 - 7)});
                       }
                       run_butterflies<T>(a, b, w);
                       for (std::size_t i = 0; i < a.size(); ++i)
                         if (a[i].x != sums[i].x || a[i].y != sums[i].y || b[i].x != rest[i].x ||
                             b[i].y != rest[i].y)
                           return std::string("a butterfly is wrong");
                       return std::string();
                     }});
  for (const bool forward : {true, false}) {
    const std::string way = (forward ? " forward" : " back") + type;
    for (const std::size_t size : {4, 16, 32})
      for (const double turns : {0.0, 1 / 256.0})
        entries.push_back({"run_pass of " + std::to_string(size) + way +
                               (turns == 0 ? ", constant roots" : ", roots of a table"),
                           "pass_kernel", [=] {
                             auto x = impulse_of<T>(size);
                             run_pass<T>(x, forward, turns);
                             return not_ones<T>(x);
                           }});
    for (const one_pass_design& design : one_pass_designs<T>())
      if (!design.in_a_warp)
        entries.push_back(
            {"run_transform of " + std::to_string(design.length) + way, "transform_kernel", [=] {
               const auto x = impulse_of<T>(std::size_t(design.length));
               return not_ones<T>(run_transform<T>(design, x, forward));
             }});
  }
}

void add_exchanges(std::vector<count_entry>& entries) {
  const std::pair<const char*, exchange_padding> all_ways[] = {{"no padding", exchange_padding::none},
                                                               {"one in 17", exchange_padding::one_in_17},
                                                               {"one in 33", exchange_padding::one_in_33}};
  for (const auto& [name, padding] : all_ways)
    entries.push_back({"run_exchange, " + std::string(name), "exchange_kernel", [padding = padding] {
                         std::vector<float2> x;
                         for (int i = 0; i < 4096; ++i) x.push_back({float(i), float(-i)});
                         return difference(run_exchange(x, padding), x);
                       }});
}

using spread_filter = void (*)(spread_signal<std::int32_t>&, int steps);

/// `steps` steps of a signal of int32 that lies in parts on one device.
void add_spread(std::vector<count_entry>& entries, const std::string& version, const std::string& kernel,
                spread_filter filter, int parts, std::size_t samples, std::size_t taps, int steps) {
  const std::string name = version + ", " + std::to_string(parts) + (parts == 1 ? " part, " : " parts, ") +
                           std::to_string(taps) + " taps, " + std::to_string(samples);
  const auto run = [=] {
    const auto x = small_values<std::int32_t>(samples), h = small_values<std::int32_t>(taps, 2);
    std::vector<std::int32_t> expected = x;
    for (int s = 0; s < steps; ++s) {
      const std::vector<std::int32_t> before = expected;
      for (std::size_t i = 0; i < samples; ++i) {
        expected[i] = 0;
        for (std::size_t k = 0; k < taps; ++k)
          if (const std::size_t n = i + (taps - 1) / 2; n >= k && n - k < samples)
            expected[i] += h[k] * before[n - k];
      }
    }
    const std::vector<int> devices(std::size_t(parts), 0);
    spread_signal<std::int32_t> signal(h, samples, devices);
    signal.bring(x);
    filter(signal, steps);
    std::vector<std::int32_t> y(samples);
    signal.take(y);
    return difference(y, expected);
  };
  entries.push_back({name, kernel, run, std::vector<std::string>(std::size_t(parts * steps - 1), kernel)});
}

}  // namespace

std::vector<count_entry> one_pass_entries() {
  std::vector<count_entry> entries;
  add_designs<float>(entries);
  add_designs<double>(entries);
  add_radix(entries);
  add_pieces<float>(entries);
  add_pieces<double>(entries);
  add_exchanges(entries);
  // Two parts are each other's mirror image, and count the same: either stream may be the first.
  for (const std::size_t taps : {5, 33}) {
    add_spread(entries, "filter_from_next_door", "from_next_door_kernel", filter_from_next_door<std::int32_t>,
               1, 999, taps, 1);
    add_spread(entries, "filter_from_next_door", "from_next_door_kernel", filter_from_next_door<std::int32_t>,
               2, 1024, taps, 2);
  }
  for (const std::size_t taps : {5, 13, 33})  // a window of each length, and none
    add_spread(entries, "filter_flags_in_kernel", "flag_step_kernel", filter_flags_in_kernel<std::int32_t>, 1,
               3001, taps, 2);
  return entries;
}

}  // namespace tutorial
