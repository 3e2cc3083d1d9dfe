// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "01_serial_definition/convolution_checks.hpp"
#include "01_serial_definition/convolve_serial.hpp"
#include "01_serial_definition/stream_checks.hpp"
#include "07_fft_convolution/best_convolution.hpp"
#include "07_fft_convolution/host/fft_rounding.hpp"
#include "12_there_and_back/host/chunk_filter.hpp"
#include "12_there_and_back/kernels/new_filter.hpp"
#include "12_there_and_back/kernels/there_and_back.hpp"
#include "common/device/movement_counts.hpp"
#include "common/device/pinned_buffer.hpp"
#include "common/device/stream.hpp"
#include "common/verify/compare.hpp"
#include "common/verify/counted_check.hpp"
#include "common/verify/inputs.hpp"

using namespace tutorial;

namespace {

template <class T>
using convolution =
    std::function<void(std::span<const T>, std::span<const T>, std::span<T>, convolution_mode)>;

/// The function as the checks see it, with x and y in pinned memory.
template <class T>
convolution_function<T> pinned(convolution<T> f) {
  return on_host<T>([f](std::span<const T> x, std::span<const T> h, std::span<T> y, convolution_mode mode) {
    const pinned_buffer<T> pinned_x(x);
    pinned_buffer<T> pinned_y{std::span<const T>(y)};
    f(pinned_x.span(), h, pinned_y.span(), mode);
    std::ranges::copy(pinned_y.span(), y.data());
  });
}

template <class T>
struct named_journey {
  std::string name;
  convolution_function<T> f;
};

/// All versions, in chunks so short that there are many.
template <class T>
std::vector<named_journey<T>> journeys(std::size_t outputs) {
  const chunking short_chunks{outputs, 3};
  return {
      {"copy_kernel_copy",
       on_host<T>([](auto x, auto h, auto y, auto mode) { convolve_copy_kernel_copy<T>(x, h, y, mode); })},
      {"stream_per_chunk", pinned<T>([=](auto x, auto h, auto y, auto mode) {
         convolve_stream_per_chunk<T>(x, h, y, mode, short_chunks);
       })},
      {"stream_per_stage", pinned<T>([=](auto x, auto h, auto y, auto mode) {
         convolve_stream_per_stage<T>(x, h, y, mode, short_chunks);
       })},
      {"zero_copy",
       pinned<T>([](auto x, auto h, auto y, auto mode) { convolve_zero_copy<T>(x, h, y, mode); })},
      {"host_threads", on_host<T>([=](auto x, auto h, auto y, auto mode) {
         convolve_host_threads<T>(x, h, y, mode, short_chunks, 3);
       })},
  };
}

struct filled {
  filled(std::size_t samples, std::size_t taps, convolution_mode mode)
      : x(random_signal<float>(samples)),
        h(random_taps<float>(taps)),
        px(std::span<const float>(x)),
        y(output_length(samples, taps, mode)) {}
  std::vector<float> x, h;
  pinned_buffer<float> px, y;
};

constexpr std::array all_new_filter_ways = {new_filter_way::copied, new_filter_way::parameter,
                                            new_filter_way::beside, new_filter_way::graph};

/// "error ... <= ..." where y is h * x.
std::string verdict_of(const std::vector<float>& x, const std::vector<float>& h,
                       const device_buffer<float>& y, convolution_mode mode) {
  check(cudaDeviceSynchronize());
  std::vector<float> expected(y.size());
  convolve_gather<float>(x, h, expected, mode);
  const double each = 2 * fft_rounding<float>(x, h, {}, 8192, true).each;
  return describe(compare(y.to_host(), expected, std::vector<double>(expected.size(), each)));
}

}  // namespace

TEST_CASE("chunks hold every output once, and the samples that they need") {
  for (const convolution_mode mode : all_modes)
    for (const std::size_t samples : {1, 2, 31, 100, 257})
      for (const std::size_t taps : {1, 2, 5, 64, 300})
        for (const std::size_t outputs : {1, 7, 64, 1000}) {
          CAPTURE(samples);
          CAPTURE(taps);
          CAPTURE(outputs);
          const signal_chunks all(samples, taps, mode, outputs);
          std::size_t next = 0;
          bool right = true;
          for (std::size_t c = 0; c < all.count(); ++c) {
            const signal_chunk chunk = all[c];
            right &= chunk.first_output == next && chunk.outputs > 0 && chunk.outputs <= all.outputs();
            next += chunk.outputs;
            right &= chunk.first_sample + chunk.samples <= samples &&
                     chunk.ghosts + chunk.samples <= chunk.outputs + taps - 1;
            // Output j of the chunk needs x[n - k], n = first + first_output + j: those that exist are in it.
            const auto first = std::int64_t(first_output(samples, taps, mode) + chunk.first_output);
            const std::int64_t least = std::max<std::int64_t>(0, first - std::int64_t(taps) + 1),
                               most = std::min<std::int64_t>(std::int64_t(samples),
                                                             first + std::int64_t(chunk.outputs));
            if (least < most)
              right &= std::int64_t(chunk.first_sample) == least &&
                       std::int64_t(chunk.first_sample + chunk.samples) == most;
          }
          CHECK(right);
          CHECK(next == output_length(samples, taps, mode));
        }
  CHECK_THROWS_AS(signal_chunks(5, 3, convolution_mode::same, 0), std::invalid_argument);
}

TEST_CASE("there and back, in short chunks: whole numbers") {
  for (const named_journey<std::int32_t>& each : journeys<std::int32_t>(33)) {
    CAPTURE(each.name);
    CHECK(summary(convolution_failures<std::int32_t>(each.f, {.tile = 33})) == "");
  }
}

TEST_CASE("there and back, in chunks that are summed and in chunks that are transformed") {
  const auto x = random_signal<float>(5003);
  for (const std::size_t taps : {5, 40, 1025}) {
    const auto h = random_taps<float>(taps);
    for (const convolution_mode mode : all_modes) {
      std::vector<float> expected(output_length(x.size(), taps, mode)), sums(expected.size());
      convolve_gather<float>(x, h, expected, mode);
      std::vector<float> ax = x, ah = h;
      for (float& each : ax) each = std::abs(each);
      for (float& each : ah) each = std::abs(each);
      convolve_gather<float>(ax, ah, sums, mode);
      const std::size_t transform =
          std::max(chunk_transform(taps, 1500, element_type::float32), std::size_t{8192});
      const double rounding = fft_rounding<float>(x, h, {}, transform, true).each;
      std::vector<double> bound = dot_product_bound<float>(taps, sums);
      for (double& each : bound) each += rounding;
      for (const named_journey<float>& each : journeys<float>(1500)) {
        CAPTURE(each.name);
        CAPTURE(taps);
        const agreement found = compare(each.f(x, h, mode), expected, bound);
        CAPTURE(describe(found));
        CHECK(found.mismatches == 0);
      }
    }
  }
}

TEST_CASE("few outputs of a long filter: a warp for each, in the stream") {
  const price_list before = prices_here();
  use_prices(recorded_prices());  // those of the emulated device never choose it
  const std::size_t outputs = 300;
  const auto h = random_taps<std::int32_t>(1025);
  REQUIRE(choose_convolution(outputs + h.size() - 1, h.size(), convolution_mode::valid, element_type::int32)
              .method == convolution_method::warp_per_output);
  const auto x = random_signal<std::int32_t>(outputs + h.size() - 1);
  std::vector<std::int32_t> expected(outputs);
  convolve_gather<std::int32_t>(x, h, expected, convolution_mode::valid);
  const pinned_buffer<std::int32_t> from{std::span<const std::int32_t>(x)};
  pinned_buffer<std::int32_t> to(outputs);
  chunk_slot<std::int32_t> slot(h, signal_chunks(x.size(), h.size(), convolution_mode::valid, outputs));
  const stream work;
  // Nothing but the stream orders the copies and the kernel.
  check(cudaMemcpyAsync(slot.in.data(), from.span().data(), from.span().size_bytes(), cudaMemcpyHostToDevice,
                        work));
  slot.filter(slot.in, slot.out, work);
  check(cudaMemcpyAsync(to.data(), slot.out.data(), to.span().size_bytes(), cudaMemcpyDeviceToHost, work));
  work.wait();
  CHECK(std::ranges::equal(to.span(), expected));
  use_prices(before);
}

TEST_CASE("a new filter in every call, by every way") {
  const auto x = random_signal<float>(3001);
  const device_buffer<float> d_x(x);
  for (const std::size_t taps : {5, 300, 1100})
    for (const convolution_mode mode : all_modes) {
      device_buffer<float> y(output_length(x.size(), taps, mode));
      const auto judge = [&](const std::vector<float>& h) { return verdict_of(x, h, y, mode); };
      CAPTURE(taps);
      for (const new_filter_way way : all_new_filter_ways) {
        new_filter_convolver convolve(x.size(), taps, mode, way);
        for (std::uint64_t seed = 1; seed <= 3; ++seed) {
          std::vector<float> h = random_taps<float>(taps, seed);
          poison(y.span());
          convolve(d_x, h, y);
          const std::vector<float> used = h;
          std::fill(h.begin(), h.end(), 0.0f);  // the call has taken what it needs
          const std::string verdict = judge(used);
          CAPTURE(verdict);
          CHECK(verdict.starts_with("error"));
        }
      }
      const std::vector<float> h = random_taps<float>(taps, 4);
      poison(y.span());
      convolve_new_filter_from_scratch(d_x, h, y, mode);
      CHECK(judge(h).starts_with("error"));
    }
  CHECK_THROWS_AS(new_filter_convolver(10'000, 5000, convolution_mode::same, new_filter_way::parameter),
                  std::invalid_argument);
}

TEST_CASE("a new filter as a parameter: a thread for each tap, in blocks of 256") {
  const device_buffer<float> x(random_signal<float>(3001));
  device_buffer<float> y(x.size());
  for (const std::size_t taps : {5, 256, 257}) {
    new_filter_convolver convolve(x.size(), taps, convolution_mode::same, new_filter_way::parameter);
    const auto launches = count_launches([&] { convolve(x, random_taps<float>(taps), y); });
    if (!has_counts(launches)) return;
    CHECK(launches.front().threads == (taps + 255) / 256 * 256);
  }
}

TEST_CASE("a new filter with other lengths is refused, and nothing is written") {
  const auto x = random_signal<float>(3001);
  const auto h = random_taps<float>(5);
  const device_buffer<float> d_x(x), other(x);
  const device_span<const float> all = d_x;
  device_buffer<float> y(x.size());
  for (const new_filter_way way : all_new_filter_ways) {
    CAPTURE(int(way));
    new_filter_convolver convolve(x.size(), h.size(), convolution_mode::same, way);
    convolve(all, h, y);  // a graph knows these arrays from now on
    poison(y.span());
    CHECK_THROWS_AS(convolve(all.subspan(0, 100), h, y.span().subspan(0, 100)), std::invalid_argument);
    CHECK_THROWS_AS(convolve(all, h, y.span().subspan(0, 100)), std::invalid_argument);
    CHECK_THROWS_AS(convolve(all, random_taps<float>(6), y), std::invalid_argument);
    CHECK_THROWS_AS(convolve(other.span().subspan(0, 100), h, y), std::invalid_argument);
    check(cudaDeviceSynchronize());
    const std::vector<float> untouched = y.to_host();
    CHECK(std::all_of(untouched.begin(), untouched.end(), [](float value) { return std::isnan(value); }));
    convolve(all, h, y);
    CHECK(verdict_of(x, h, y, convolution_mode::same).starts_with("error"));
  }
}

TEST_CASE("a call with a new filter that fails leaves nothing behind") {
  const auto x = random_signal<float>(3001), other_x = random_signal<float>(3001, 2);
  const device_buffer<float> d_x(x), d_other(other_x);
  device_buffer<float> y(x.size());
  for (const new_filter_way way : all_new_filter_ways) {
    CAPTURE(int(way));
    new_filter_convolver convolve(x.size(), 5, convolution_mode::same, way);
    convolve(d_x, random_taps<float>(5, 1), y);
    // The first launch in the call finds the error of another one.
    CHECK(cudaSetDevice(-1) == cudaErrorInvalidDevice);
    CHECK_THROWS_AS(convolve(d_other, random_taps<float>(5, 2), y), cuda_error);
    for (std::uint64_t seed = 3; seed <= 4; ++seed) {
      const auto h = random_taps<float>(5, seed);
      convolve(d_x, h, y);
      CHECK(verdict_of(x, h, y, convolution_mode::same).starts_with("error"));
      convolve(d_other, h, y);
      CHECK(verdict_of(other_x, h, y, convolution_mode::same).starts_with("error"));
    }
  }
}

TEST_CASE("a new filter in pinned memory may change as soon as the call returns") {
  const stream other;
  const auto x = random_signal<float>(3001);
  const auto h = random_taps<float>(5);
  const device_buffer<float> d_x(x);
  device_buffer<float> y(x.size());
  pinned_buffer<float> pinned_h(h.size());
  const device_buffer<float> zeros(std::vector<float>(h.size()));
  check(cudaDeviceSynchronize());  // the other stream does not wait for the zeros
  for (const new_filter_way way : all_new_filter_ways) {
    CAPTURE(int(way));
    new_filter_convolver convolve(x.size(), h.size(), convolution_mode::same, way);
    std::ranges::copy(h, pinned_h.data());
    check(cudaLaunchHostFunc(  // the device is late
        nullptr, [](void*) { std::this_thread::sleep_for(std::chrono::milliseconds(10)); }, nullptr));
    convolve(d_x, pinned_h.span(), y);
    // Not by the host: the emulated device does not see what it does here.
    check(cudaMemcpyAsync(pinned_h.data(), zeros.data(), pinned_h.span().size_bytes(), cudaMemcpyDeviceToHost,
                          other));
    other.wait();
    CHECK(verdict_of(x, h, y, convolution_mode::same).starts_with("error"));
  }
}

TEST_CASE("a call that fails has waited, too: its arrays may go away") {
  const filled f(3001, 5, convolution_mode::same);
  const chunking short_chunks{700, 2};
  const auto same = convolution_mode::same;
  const journey<float> all[] = {prepare_copy_kernel_copy<float>(f.h, f.x.size(), same),
                                prepare_stream_per_chunk<float>(f.h, f.x.size(), same, short_chunks),
                                prepare_stream_per_stage<float>(f.h, f.x.size(), same, short_chunks),
                                prepare_zero_copy<float>(f.h, f.x.size(), same)};
  for (const journey<float>& convolve : all) {
    CAPTURE(&convolve - all);
    const pinned_buffer<float> x{std::span<const float>(f.x)};
    pinned_buffer<float> y(f.x.size());
    // The first launch in the call finds the error of another one.
    CHECK(cudaSetDevice(-1) == cudaErrorInvalidDevice);
    CHECK_THROWS_AS(convolve(x.span(), y.span()), cuda_error);
  }
}

TEST_CASE("what does not fit is refused") {
  filled f(100, 5, convolution_mode::same);
  const std::span<const float> x = f.px.span();
  const auto same = convolution_mode::same;
  CHECK_THROWS_AS(convolve_stream_per_stage<float>(x, f.h, f.y.span().first(99), same),
                  std::invalid_argument);
  CHECK_THROWS_AS(convolve_stream_per_stage<float>(x, f.h, f.y.span(), same, {64, 0}), std::invalid_argument);
  CHECK_THROWS_AS(convolve_stream_per_chunk<float>(x, f.h, f.y.span(), same, {64, 0}), std::invalid_argument);
  CHECK_THROWS_AS(convolve_stream_per_chunk<float>(x, f.h, f.y.span(), same, {0, 1}), std::invalid_argument);
  CHECK_THROWS_AS(convolve_host_threads<float>(x, f.h, f.y.span(), same, {}, 0), std::invalid_argument);
  std::vector<float> pageable(100);
  CHECK_THROWS_AS(convolve_zero_copy<float>(x, f.h, pageable, same), std::invalid_argument);
  CHECK_THROWS_AS(convolve_zero_copy<float>(f.x, f.h, f.y.span(), same), std::invalid_argument);
}

// [chain]
TEST_CASE("the longest chain: twice the signal one after the other, the signal and a chunk in a pipeline") {
  constexpr std::size_t samples = 100'000, taps = 5, chunk = 10'000;
  filled f(samples, taps, convolution_mode::same);
  const std::span<const float> x = f.px.span();
  const auto moved = [&](const auto& convolve) { return count_movements(convolve); };
  const auto plain =
      moved([&] { convolve_copy_kernel_copy<float>(x, f.h, f.y.span(), convolution_mode::same); });
  if (!plain) {
    ++checks_without_counts;
    return;
  }
  constexpr std::uint64_t signal = samples * sizeof(float), tap_bytes = taps * sizeof(float);
  CHECK(plain->bytes_up == signal + tap_bytes);
  CHECK(plain->bytes_down == signal);
  CHECK(plain->longest_chain == 2 * signal + tap_bytes);

  // Each chunk but the first brings taps - 1 samples of history, but those that `same` leaves out at the end.
  const std::uint64_t history = ((samples / chunk - 1) * (taps - 1)) * sizeof(float);
  const auto stages = moved([&] {
    convolve_stream_per_stage<float>(x, f.h, f.y.span(), convolution_mode::same, {chunk, 3});
  });
  CHECK(stages->bytes_up == signal + history + tap_bytes);
  CHECK(stages->bytes_down == signal);
  CHECK(stages->longest_chain == signal + history + tap_bytes + chunk * sizeof(float));

  // One stream is not enough.
  const auto one = moved([&] {
    convolve_stream_per_chunk<float>(x, f.h, f.y.span(), convolution_mode::same, {chunk, 1});
  });
  CHECK(one->longest_chain == 2 * signal + history + tap_bytes);

  // Kernels that read and write the host's memory: both ways at once, and no copy but that of the taps.
  const auto zero = moved([&] { convolve_zero_copy<float>(x, f.h, f.y.span(), convolution_mode::same); });
  CHECK(zero->bytes_up == signal + tap_bytes);
  CHECK(zero->bytes_down == signal);
  CHECK(zero->longest_chain == signal + tap_bytes);
}
// [chain]

TEST_CASE("in any stream: recorded in a graph, and by two threads at once") {
  CHECK(failure_in_streams_of({.mode = convolution_mode::valid}, [](auto h, auto) {
          const auto filter = std::make_shared<chunk_filter<float>>(h, 696);
          return [=](auto x, auto y, auto stream) { (*filter)(x, y, stream); };
        }) == "");
  for (const auto way :
       {new_filter_way::copied, new_filter_way::parameter, new_filter_way::beside, new_filter_way::graph}) {
    CAPTURE(int(way));
    // A copy reads the taps when it runs, and no graph can be launched into another one.
    const stream_use use{.recorded = way == new_filter_way::parameter || way == new_filter_way::beside};
    CHECK(failure_in_streams_of({.use = use}, [=](auto h, auto) {
            const auto convolve = std::make_shared<new_filter_convolver>(700, 5, convolution_mode::full, way);
            return [=](auto x, auto y, auto stream) { (*convolve)(x, h, y, stream); };
          }) == "");
  }
}
