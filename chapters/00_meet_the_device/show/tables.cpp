// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "tables.hpp"

#include <algorithm>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "00_meet_the_device/copies.hpp"
#include "common/device/limits.hpp"
#include "common/device/measure.hpp"
#include "common/files/numbers.hpp"
#include "common/program/size_sweep.hpp"
#include "common/verify/compare.hpp"
#include "common/verify/in_parts.hpp"
#include "common/verify/inputs.hpp"

namespace tutorial {
namespace {

using align = text_table::align;

/// y[i] = x[i * stride + offset]
struct copy_pattern {
  std::string name, title;
  std::size_t stride, offset;
  std::function<void(device_span<const float>, device_span<float>)> copy;

  std::size_t source_length(std::size_t size) const { return (size - 1) * stride + offset + 1; }
};

std::vector<copy_pattern> patterns() {
  return {{"elements", "one element per thread", 1, 0, copy_elements},
          {"vectors", "one 16-byte vector per thread", 1, 0, copy_vectors},
          // The control: what the strided kernel costs by itself, where its stride is none.
          {"stride_1", "every element, by the strided kernel", 1, 0,
           [](auto x, auto y) { copy_strided(x, y, 1); }},
          {"offset_1", "from one element further on", 1, 1, [](auto x, auto y) { copy_offset(x, y, 1); }},
          {"stride_2", "every second element", 2, 0, [](auto x, auto y) { copy_strided(x, y, 2); }},
          {"stride_32", "every 32nd element", 32, 0, [](auto x, auto y) { copy_strided(x, y, 32); }}};
}

/// Compares what a copy left in y with what it should have copied from x; a wrong copy fails the run.
/// `copied` is room for y on the host.
std::string verify(chapter_run& run, const copy_pattern& pattern, std::span<const float> x,
                   const device_buffer<float>& y, std::span<float> copied) {
  std::vector<float> taken;
  if (pattern.stride > 1) {
    taken.resize(y.size());
    in_parts(y.size(), [&](std::size_t, std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) taken[i] = x[i * pattern.stride + pattern.offset];
    });
  }
  const std::span<const float> expected = taken.empty() ? x.subspan(pattern.offset, y.size()) : taken;
  y.copy_to(copied);
  const agreement result = compare<float>(copied, expected);
  if (!result) run.fail("copy '" + pattern.name + "': " + describe(result));
  return describe(result);
}

void show_counts(chapter_run& run) {
  const std::size_t size = 1 << 16;
  text_table table({{"copy of " + grouped(size) + " floats", align::left},
                    {"loads"},
                    {"load requests"},
                    {"sectors"},
                    {"sectors per request"},
                    {"verified", align::left}});
  for (const copy_pattern& pattern : patterns()) {
    const std::vector<float> host = random_signal<float>(pattern.source_length(size));
    const device_buffer<float> x(host);
    device_buffer<float> y(size);
    const launch_counts counts = sum(count_launches([&] { pattern.copy(x, y); }));
    std::vector<float> copied(size);
    const std::string verdict = verify(run, pattern, host, y, copied);
    if (counts.global_load_requests == 0) {  // EMULATOR_CHECK=0
      run.say("Nothing is counted: checking and counting are switched off.");
      return;
    }
    const double per_request = double(counts.global_load_sectors) / double(counts.global_load_requests);
    table.add_row({pattern.title, grouped(counts.global_loads), grouped(counts.global_load_requests),
                   grouped(counts.global_load_sectors), fixed(per_request, 2), verdict});
    run.record({{"copy", pattern.name},
                {"title", pattern.title},
                {"elements", std::to_string(size)},
                {"global_loads", std::to_string(counts.global_loads)},
                {"global_load_requests", std::to_string(counts.global_load_requests)},
                {"global_load_sectors", std::to_string(counts.global_load_sectors)},
                {"sectors_per_request", fixed(per_request, 2)}});
  }
  run.show("What a warp's 32 loads cost: memory answers in whole sectors of 32 bytes", table);
}

struct timed_copy {
  timing time;
  std::string verdict;
};

/// Random data that is long enough for all of these copies.
std::vector<float> random_source(const std::vector<copy_pattern>& copies, std::size_t size) {
  std::size_t longest = 0;
  for (const copy_pattern& each : copies) longest = std::max(longest, each.source_length(size));
  return random_signal<float>(longest);
}

/// Copies as many elements as `copied` has room for. `data` is random, and at least as long as the source.
timed_copy time_copy(chapter_run& run, const copy_pattern& pattern, std::span<const float> data,
                     std::span<float> copied) {
  const std::size_t size = copied.size();
  const std::span<const float> host = data.first(pattern.source_length(size));
  // Sets of buffers in turn, so that no copy finds its data in the cache.
  const int sets = buffer_sets((host.size() + size) * sizeof(float));
  std::vector<device_buffer<float>> x, y;
  for (int s = 0; s < sets; ++s) {
    x.emplace_back(host);
    y.emplace_back(size);
  }
  const timing time = measure([&](int i) { pattern.copy(x[i % sets], y[i % sets]); });
  return {time, verify(run, pattern, host, y.front(), copied)};
}

void show_times(chapter_run& run) {
  text_table table({{"copy", align::left},
                    {"bytes read + written"},
                    {"median ms"},
                    {"(min .. max)", align::left},
                    {"TB/s"},
                    {"of limit"},
                    {"verified", align::left}});
  for (const std::size_t bytes : {std::size_t{4} << 20, std::size_t{64} << 20, std::size_t{1} << 30}) {
    const std::size_t size = bytes / sizeof(float);
    const copy_limit_result limit = copy_limit(bytes);
    std::vector<copy_pattern> timed = patterns();
    std::erase_if(timed, [&](const copy_pattern& each) {
      return each.stride > 2 && bytes > (std::size_t{64} << 20);  // its source would be 32 GiB
    });
    const std::vector<float> data = random_source(timed, size);
    std::vector<float> copied(size);
    for (const copy_pattern& pattern : timed) {
      const auto [time, verdict] = time_copy(run, pattern, data, copied);
      const double rate = 2.0 * double(bytes) / time.median_ms / 1e9;
      table.add_row({pattern.title, bytes_text(double(bytes)) + " each way", milliseconds(time.median_ms),
                     milliseconds(time.min_ms) + " .. " + milliseconds(time.max_ms), significant(rate),
                     percent(limit.time.median_ms / time.median_ms), verdict});
      run.record({{"copy", pattern.name},
                  {"title", pattern.title},
                  {"bytes_each_way", std::to_string(bytes)},
                  {"median_ms", exact_digits(time.median_ms)},
                  {"min_ms", exact_digits(time.min_ms)},
                  {"max_ms", exact_digits(time.max_ms)},
                  {"tb_per_s", significant(rate)},
                  {"limit_ms", exact_digits(limit.time.median_ms)},
                  {"limit_by", limit.by},
                  {"of_limit", significant(limit.time.median_ms / time.median_ms)}});
    }
  }
  run.show("The same copies, timed (useful bytes only)", table);
}

const copy_limit_result& largest_copy() {
  static const copy_limit_result limit = copy_limit(std::size_t{1} << 30);
  return limit;
}

const host_link_result& link_to_host() {
  static const host_link_result link = host_link(std::size_t{256} << 20);
  return link;
}

}  // namespace

ruler_rates rates_of_ruler() {
  if (current_device().emulated) return {};
  return {.memory = largest_copy().bytes_per_second, .host_link = link_to_host().pinned_to_device};
}

void show_copies(chapter_run& run) {
  if (run.device().emulated)
    show_counts(run);
  else
    show_times(run);
}

void draw_copies(chapter_run& run) {
  if (run.options().picture.empty()) return;
  size_sweep sizes("copies", "00 Meet the device: copies", "bytes each way");
  for (const std::size_t bytes : growing_sizes(std::size_t{1} << 14, std::size_t{1} << 26)) {
    sizes.add_limit("limit", double(bytes), copy_limit(bytes).time.median_ms);
    const std::size_t size = bytes / sizeof(float);
    const std::vector<float> data = random_source(patterns(), size);
    std::vector<float> copied(size);
    for (const copy_pattern& pattern : patterns())
      sizes.add(pattern.title, double(bytes), time_copy(run, pattern, data, copied).time.median_ms);
  }
  sizes.show(run, "");
}

void show_limits(chapter_run& run) {
  if (run.device().emulated) {
    run.say(
        "Later chapters compare times with the device's limits. The emulated device has no times.\n"
        "The lesson shows those of a real GPU.\n");
    return;
  }
  const auto row = [&](text_table& table, const std::string& what, const std::string& key, double value,
                       const std::string& unit) {
    table.add_row({what, significant(value), unit});
    run.record({{"limit", key}, {"title", what}, {"value", significant(value, 4)}, {"unit", unit}});
  };
  text_table table({{"limit", align::left}, {"measured"}, {"", align::left}});
  for (const int shift : {22, 24, 26, 28, 30}) {
    const std::size_t bytes = std::size_t{1} << shift;
    row(table, "copy, " + bytes_text(double(bytes)) + " each way", "copy_" + std::to_string(bytes),
        (shift == 30 ? largest_copy() : copy_limit(bytes)).bytes_per_second / 1e12, "TB/s");
  }
  row(table, "multiply-add, float", "fma_float", fma_limit<float>() / 1e12, "TFLOP/s");
  row(table, "multiply-add, double", "fma_double", fma_limit<double>() / 1e12, "TFLOP/s");
  row(table, "multiply-add, int32", "fma_int32", fma_limit<std::int32_t>() / 1e12, "Top/s");
  const host_link_result& link = link_to_host();
  row(table, "host to device, pageable", "pageable_to_device", link.pageable_to_device / 1e9, "GB/s");
  row(table, "device to host, pageable", "pageable_to_host", link.pageable_to_host / 1e9, "GB/s");
  row(table, "host to device, pinned", "pinned_to_device", link.pinned_to_device / 1e9, "GB/s");
  row(table, "device to host, pinned", "pinned_to_host", link.pinned_to_host / 1e9, "GB/s");
  const launch_cost_result launch = launch_cost();
  row(table, "launches, back to back", "launch_back_to_back", launch.back_to_back_us, "us each");
  row(table, "launch and wait", "launch_round_trip", launch.round_trip_us, "us");
  run.show("The limits of this device, measured now", table);
}

}  // namespace tutorial
