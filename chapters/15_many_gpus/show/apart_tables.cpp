// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "apart_tables.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "12_there_and_back/host/chunk_filter.hpp"
#include "15_many_gpus/host/devices.hpp"
#include "15_many_gpus/host/spread_jpeg.hpp"
#include "15_many_gpus/host/spread_picture.hpp"
#include "15_many_gpus/host/threads.hpp"
#include "15_many_gpus/kernels/from_host.hpp"
#include "15_many_gpus/versions.hpp"
#include "common/device/device_memory.hpp"
#include "common/device/measure.hpp"
#include "common/device/pinned_buffer.hpp"
#include "common/device/stream.hpp"
#include "common/files/numbers.hpp"
#include "common/show/console.hpp"
#include "common/verify/compare.hpp"
#include "common/verify/in_parts.hpp"
#include "one_transform.hpp"
#include "spread_work.hpp"

namespace tutorial {
namespace {

std::vector<int> first_devices(int count) {
  std::vector<int> all(static_cast<std::size_t>(count));
  std::iota(all.begin(), all.end(), 0);
  return all;
}

std::vector<int> counts_of_devices() {
  std::vector<int> counts;
  for (int count = 1; count <= device_count(); count *= 2) counts.push_back(count);
  return counts;
}

/// What one device copies while it does nothing else: its share up, and as much down at the same time.
struct copier {
  explicit copier(std::size_t samples) : up(samples), down(samples) { check(cudaDeviceSynchronize()); }
  device_buffer<float> up, down;
  stream a, b;
};

/// Milliseconds of all devices copying their shares of x up, and as much down to y, at the same time.
double copies_ms(std::span<const float> x, std::span<float> y, std::span<const int> devices) {
  const signal_split shares(x.size(), int(devices.size()), {});
  std::vector<std::unique_ptr<copier>> all;
  for (int p = 0; p < shares.parts(); ++p) {
    const current_device_guard at(devices[std::size_t(p)]);
    all.push_back(std::make_unique<copier>(shares.owned(p).size()));
  }
  return measure_host([&](int) {
           in_threads(shares.parts(), [&](int p) {
             check(cudaSetDevice(devices[std::size_t(p)]));
             copier& mine = *all[std::size_t(p)];
             const sample_range own = shares.owned(p);
             check(cudaMemcpyAsync(mine.up.data(), x.data() + own.begin, own.size() * sizeof(float),
                                   cudaMemcpyHostToDevice, mine.a));
             check(cudaMemcpyAsync(y.data() + own.begin, mine.down.data(), own.size() * sizeof(float),
                                   cudaMemcpyDeviceToHost, mine.b));
             mine.a.wait();
             mine.b.wait();
           });
         })
      .median_ms;
}

/// A picture with `width` pixels in a row: waves to the right and downward.
void fill_with_waves(std::span<std::uint8_t> pixels, std::size_t width) {
  in_parts(pixels.size(), [&](std::size_t, std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i)
      pixels[i] =
          std::uint8_t(128 + 90 * std::sin(double(i % width) / 37) * std::cos(double(i / width) / 53));
  });
}

}  // namespace

void show_from_host(chapter_run& run) {
  if (!run.wants(versions::from_host.name) || run.device().emulated) return;
  constexpr std::size_t taps = 1025;
  const std::size_t samples = std::size_t{1} << (run.options().long_tables ? 29 : 26);
  const progress line(versions::from_host.label());
  const spread_work work(samples, taps, 1);
  const pinned_buffer<float> x(work.x);
  pinned_buffer<float> y(samples);
  text_table table(
      {{"devices"}, {"ms"}, {"copies alone, ms"}, {"of copies"}, {"verified", text_table::align::left}});
  for (const int count : counts_of_devices()) {
    const std::vector<int> devices = first_devices(count);
    std::fill_n(y.data(), samples, std::nanf(""));
    const journey<float> filter = prepare_from_host<float>(work.h, samples, convolution_mode::same, devices);
    const timing time = measure_host([&](int) { filter(x.span(), y.span()); });
    const agreement found =
        work.verify(y.span(), signal_split(samples, count, {}),
                    chunk_transform(taps, std::min(chunking{}.outputs, samples / std::size_t(count)),
                                    element_type::float32));
    const double copies = copies_ms(x.span(), y.span(), devices);
    if (!found) run.fail(versions::from_host.label() + ": " + describe(found));
    table.add_row({std::to_string(count), milliseconds(time.median_ms), milliseconds(copies),
                   percent(copies / time.median_ms), describe(found)});
    run.record({{"chapter", "15"},
                {"work", "from host"},
                {"samples", std::to_string(samples)},
                {"taps", std::to_string(taps)},
                {"devices", std::to_string(count)},
                {"version", versions::from_host.name},
                {"median_ms", significant(time.median_ms, 5)},
                {"min_ms", significant(time.min_ms, 5)},
                {"max_ms", significant(time.max_ms, 5)},
                {"copies_ms", significant(copies, 5)},
                {"of_copies", significant(copies / time.median_ms, 4)}});
  }
  run.show(several(taps, "tap") + ", " + grouped(samples) + " float from pinned memory to pinned memory",
           table);
}

void show_pictures(chapter_run& run) {
  if (!run.wants(versions::by_rows.name) || run.device().emulated) return;
  constexpr int side = 16384;
  const progress line(versions::by_rows.label());
  plane<std::uint8_t> pixels(side, side);
  fill_with_waves(pixels.values, side);
  const quantization_table steps = table_for(component_kind::luminance, 75);
  text_table table({{"devices"}, {"us"}, {"times faster"}, {"verified", text_table::align::left}});
  plane<std::int16_t> expected;
  double alone = 0;
  for (const int count : counts_of_devices()) {
    spread_picture picture(side, side, first_devices(count));
    picture.bring(pixels);
    timing time = measure_host([&](int) { picture.encode(steps, 20); });
    for (double* each : {&time.median_ms, &time.min_ms, &time.max_ms}) *each *= 1000.0 / 20;
    if (count == 1) alone = time.median_ms, expected = picture.levels();
    const bool same = picture.levels() == expected;
    if (!same) run.fail(versions::by_rows.label() + ": other levels than one device's");
    table.add_row({std::to_string(count), fixed(time.median_ms, 1), fixed(alone / time.median_ms, 2),
                   count == 1 ? ""
                   : same     ? "the levels of one device"
                              : "WRONG"});
    run.record({{"chapter", "15"},
                {"work", "picture by rows"},
                {"pixels", std::to_string(pixels.values.size())},
                {"devices", std::to_string(count)},
                {"version", versions::by_rows.name},
                {"step_us", significant(time.median_ms, 5)},
                {"min_us", significant(time.min_ms, 5)},
                {"max_us", significant(time.max_ms, 5)},
                {"faster", significant(alone / time.median_ms, 4)}});
  }
  run.show("pixels to levels, " + grouped(std::size_t(side)) + " x " + grouped(std::size_t(side)) +
               " in parts of whole rows of 8x8 blocks      20 pictures between two waits",
           table);
}

void show_files(chapter_run& run) {
  if (!run.wants(versions::file_by_rows.name) || run.device().emulated) return;
  constexpr int side = 16384;
  const progress line(versions::file_by_rows.label());
  image pixels(side, side, 1);
  fill_with_waves(pixels.pixels(), side);
  text_table table({{"devices"}, {"us"}, {"times faster"}, {"verified", text_table::align::left}});
  std::vector<std::uint8_t> expected;
  double alone = 0;
  for (const int count : counts_of_devices()) {
    spread_jpeg files(description_of(pixels, 75, chroma_sampling::s444), first_devices(count));
    files.bring(pixels);
    timing time = measure_host([&](int) { files.encode(20); });
    for (double* each : {&time.median_ms, &time.min_ms, &time.max_ms}) *each *= 1000.0 / 20;
    if (count == 1) alone = time.median_ms, expected = files.file();
    const bool same = files.file() == expected;
    if (!same) run.fail(versions::file_by_rows.label() + ": another file than one device's");
    table.add_row({std::to_string(count), fixed(time.median_ms, 1), fixed(alone / time.median_ms, 2),
                   count == 1 ? ""
                   : same     ? "the file of one device"
                              : "WRONG"});
    run.record({{"chapter", "15"},
                {"work", "file by rows"},
                {"pixels", std::to_string(pixels.pixels().size())},
                {"devices", std::to_string(count)},
                {"version", versions::file_by_rows.name},
                {"step_us", significant(time.median_ms, 5)},
                {"min_us", significant(time.min_ms, 5)},
                {"max_us", significant(time.max_ms, 5)},
                {"faster", significant(alone / time.median_ms, 4)}});
  }
  run.show("pixels to a JPEG file, " + grouped(std::size_t(side)) + " x " + grouped(std::size_t(side)) +
               " in parts of 64 rows, each piece on its device      20 pictures between two waits",
           table);
}

void show_one_transform(chapter_run& run) {
  if (!run.options().variant.empty() || run.device().emulated || device_count() < 2) return;
  text_table table({{"complex numbers"},
                    {"devices"},
                    {"there and back, ms"},
                    {"one device, ms"},
                    {"times faster"},
                    {"error"}});
  for (const int lg : {20, 24, 26, 28})
    for (int count = 2; count <= device_count(); count *= 2) {
      const progress line("one transform over several devices");
      const std::size_t length = std::size_t{1} << lg;
      const one_transform_times found = time_one_transform(length, first_devices(count));
      const double faster = found.one_device_ms / found.several_ms;
      table.add_row({grouped(length), std::to_string(count), milliseconds(found.several_ms),
                     milliseconds(found.one_device_ms), fixed(faster, 2), significant(found.error, 2)});
      if (!(found.error < 1e-5))
        run.fail("a transform over several devices is off by " + significant(found.error, 2));
      run.record({{"chapter", "15"},
                  {"work", "one transform"},
                  {"samples", std::to_string(length)},
                  {"devices", std::to_string(count)},
                  {"median_ms", significant(found.several_ms, 5)},
                  {"one_device_ms", significant(found.one_device_ms, 5)},
                  {"faster", significant(faster, 4)}});
    }
  run.show("one complex transform of cuFFT over several devices: to the spectrum, into natural order, back",
           table);
}

}  // namespace tutorial
