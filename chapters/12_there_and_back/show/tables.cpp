// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "tables.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "01_serial_definition/convolve_serial.hpp"
#include "07_fft_convolution/host/fft_rounding.hpp"
#include "12_there_and_back/checks/broken.hpp"
#include "12_there_and_back/host/chunk_filter.hpp"
#include "12_there_and_back/kernels/new_filter.hpp"
#include "12_there_and_back/kernels/there_and_back.hpp"
#include "12_there_and_back/show/new_filter_table.hpp"
#include "12_there_and_back/versions.hpp"
#include "common/device/measure.hpp"
#include "common/device/movement_counts.hpp"
#include "common/device/pinned_buffer.hpp"
#include "common/files/numbers.hpp"
#include "common/program/shown_mistakes.hpp"
#include "common/show/console.hpp"
#include "common/verify/compare.hpp"
#include "common/verify/in_parts.hpp"
#include "common/verify/inputs.hpp"

namespace tutorial {
namespace {

constexpr auto mode = convolution_mode::same;

/// A signal on the host and room for a result, both in both kinds of memory.
struct host_signal {
  explicit host_signal(std::size_t samples)
      : x(random_signal<float>(samples)),
        y(samples),
        pinned_x(std::span<const float>(x)),
        pinned_y(samples) {}

  const std::vector<float> x;
  std::vector<float> y;
  const pinned_buffer<float> pinned_x;
  pinned_buffer<float> pinned_y;
};

/// A filter for a signal, which must outlive this, and what the result has to be.
class journey_work {
 public:
  journey_work(host_signal& signal, std::size_t taps, std::size_t chunk)
      : signal(signal), h(random_taps<float>(taps)), chunk(chunk), expected_(signal.x.size()) {
    const std::vector<float>& x = signal.x;
    const std::size_t samples = x.size();
    std::vector<float> sizes_x(samples), sizes_h = h, sums(samples);
    in_parts(samples, [&](std::size_t, std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) sizes_x[i] = std::abs(x[i]);
    });
    for (float& each : sizes_h) each = std::abs(each);
    convolve_all_cores<float>(x, h, expected_, mode);
    convolve_all_cores<float>(sizes_x, sizes_h, sums, mode);
    bound_ = dot_product_bound<float>(taps, sums);
    std::size_t transform = 0;
    for (const std::size_t outputs : {chunk, samples})
      transform = std::max(transform, chunk_transform(taps, outputs, element_type::float32));
    if (transform > 0) {
      const double rounding = fft_rounding<float>(x, h, {}, transform, false).each;
      in_parts(samples, [&](std::size_t, std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) bound_[i] += rounding;
      });
    }
  }

  agreement verify(std::span<const float> result) const { return compare<float>(result, expected_, bound_); }

  host_signal& signal;
  const std::vector<float> h;
  const std::size_t chunk;

 private:
  std::vector<float> expected_;
  std::vector<double> bound_;
};

struct row {
  version_name version;
  std::string how;
  std::function<journey<float>()> prepare;
  std::span<const float> signal;
  std::span<float> result;
};

std::vector<row> rows_of(journey_work& w) {
  const std::span<const float> x = w.signal.x, h = w.h, px = w.signal.pinned_x.span();
  const std::span<float> y = w.signal.y, py = w.signal.pinned_y.span();
  const std::size_t n = x.size();
  const auto chunked = [&w](int buffers) { return chunking{w.chunk, buffers}; };
  return {{versions::copy_kernel_copy, "pageable",
           [=] { return prepare_copy_kernel_copy<float>(h, n, mode); }, x, y},
          {versions::copy_kernel_copy, "pinned", [=] { return prepare_copy_kernel_copy<float>(h, n, mode); },
           px, py},
          {versions::stream_per_chunk, "pinned, 1 stream",
           [=] { return prepare_stream_per_chunk<float>(h, n, mode, chunked(1)); }, px, py},
          {versions::stream_per_chunk, "pinned, 2 streams",
           [=] { return prepare_stream_per_chunk<float>(h, n, mode, chunked(2)); }, px, py},
          {versions::stream_per_chunk, "pinned, 3 streams",
           [=] { return prepare_stream_per_chunk<float>(h, n, mode, chunked(3)); }, px, py},
          {versions::stream_per_stage, "pinned, 3 buffers",
           [=] { return prepare_stream_per_stage<float>(h, n, mode, chunked(3)); }, px, py},
          {versions::zero_copy, "pinned", [=] { return prepare_zero_copy<float>(h, n, mode); }, px, py},
          {versions::host_threads, "pageable, 4 threads",
           [=] { return prepare_host_threads<float>(h, n, mode, chunked(3), 4); }, x, y},
          {versions::host_threads, "pageable, 16 threads",
           [=] { return prepare_host_threads<float>(h, n, mode, chunked(3), 16); }, x, y}};
}

/// The same bytes up and down at once, and nothing computed.
double link_limit_ms(journey_work& w) {
  device_buffer<float> up(w.signal.x.size()), down(w.signal.x.size());
  check(cudaDeviceSynchronize());
  const stream a, b;
  return measure_host([&](int) {
           check(cudaMemcpyAsync(up.data(), w.signal.pinned_x.span().data(),
                                 w.signal.x.size() * sizeof(float), cudaMemcpyHostToDevice, a));
           check(cudaMemcpyAsync(w.signal.pinned_y.data(), down.data(), w.signal.y.size() * sizeof(float),
                                 cudaMemcpyDeviceToHost, b));
           a.wait();
           b.wait();
         })
      .median_ms;
}

std::string in_signals(std::uint64_t bytes, const journey_work& w) {
  return fixed(double(bytes) / (double(w.signal.x.size()) * sizeof(float)), 3);
}

journey_work make_work(host_signal& signal, std::size_t taps, std::size_t chunk) {
  const progress line("reference");
  return journey_work(signal, taps, chunk);
}

void show_work(chapter_run& run, journey_work& w) {
  const bool emulated = run.device().emulated;
  const std::size_t samples = w.signal.x.size(), taps = w.h.size(), chunk = w.chunk;
  const double limit = emulated ? 0 : link_limit_ms(w);
  using column = text_table::column;
  std::vector<column> columns = {{"version", text_table::align::left}, {"memory", text_table::align::left}};
  if (emulated)
    for (const char* title : {"to device", "to host", "copies", "kernels", "longest chain"})
      columns.push_back({title});
  else
    for (const char* title : {"ms", "min", "max", "of limit"}) columns.push_back({title});
  columns.push_back({"verified", text_table::align::left});
  text_table table(columns);
  for (const row& each : rows_of(w)) {
    if (!run.wants(each.version.name)) continue;
    in_parts(each.result.size(), [&](std::size_t, std::size_t begin, std::size_t end) {
      std::fill(each.result.begin() + std::ptrdiff_t(begin), each.result.begin() + std::ptrdiff_t(end),
                std::nanf(""));
    });
    std::optional<movement_counts> moved;
    timing time;
    {
      const progress line(each.version.label());
      const journey<float> convolve = each.prepare();
      moved = count_movements([&] { convolve(each.signal, each.result); });
      if (!emulated) time = measure_host([&](int) { convolve(each.signal, each.result); });
    }
    const agreement found = w.verify(each.result);
    std::vector<std::string> cells = {each.version.label(), each.how};
    std::vector<std::pair<std::string, std::string>> record = {{"chapter", "12"},
                                                               {"work", "there and back"},
                                                               {"samples", std::to_string(samples)},
                                                               {"taps", std::to_string(taps)},
                                                               {"chunk", std::to_string(chunk)},
                                                               {"version", each.version.name},
                                                               {"memory", each.how}};
    if (moved) {
      // Threads of the host give the device work in an order that is different each time.
      const bool by_chance = each.version.name == std::string(versions::host_threads.name);
      const std::string chain = by_chance ? "" : in_signals(moved->longest_chain, w);
      cells.insert(cells.end(),
                   {in_signals(moved->bytes_up, w), in_signals(moved->bytes_down, w), grouped(moved->copies),
                    grouped(moved->kernels), by_chance ? "varies" : chain});
      record.insert(record.end(), {{"label", each.version.label()},
                                   {"signals_up", in_signals(moved->bytes_up, w)},
                                   {"signals_down", in_signals(moved->bytes_down, w)},
                                   {"copies", std::to_string(moved->copies)},
                                   {"longest_chain", chain}});
    } else if (!emulated) {
      cells.insert(cells.end(), {milliseconds(time.median_ms), milliseconds(time.min_ms),
                                 milliseconds(time.max_ms), percent(limit / time.median_ms)});
      record.insert(record.end(), {{"median_ms", significant(time.median_ms, 5)},
                                   {"min_ms", significant(time.min_ms, 5)},
                                   {"max_ms", significant(time.max_ms, 5)},
                                   {"limit_ms", significant(limit, 5)},
                                   {"of_limit", significant(limit / time.median_ms, 4)}});
    } else {
      cells.resize(columns.size() - 1);
    }
    cells.push_back(describe(found));
    table.add_row(std::move(cells));
    run.record(record);
    if (!found) run.fail(each.version.label() + ", " + each.how + ": " + describe(found));
  }
  if (table.empty()) return;
  run.show("there and back, " + several(taps, "tap") + ", " + grouped(samples) + " float, chunks of " +
               grouped(chunk) +
               (emulated ? "      bytes as multiples of the signal"
                         : "      limit: copies both ways at once, " + milliseconds(limit) + " ms"),
           table);
}

void show_chunk_sizes(chapter_run& run, journey_work& w) {
  if (!run.wants(versions::stream_per_stage.name)) return;
  const bool emulated = run.device().emulated;
  const std::size_t samples = w.signal.x.size(), taps = w.h.size();
  text_table table({{"outputs per chunk"},
                    {"chunks"},
                    {emulated ? "to device" : "ms"},
                    {emulated ? "longest chain" : "of limit"}});
  const double limit = emulated ? 0 : link_limit_ms(w);
  const auto x = w.signal.pinned_x.span();
  for (std::size_t chunk = std::max<std::size_t>(samples / 256, 1); chunk <= samples; chunk *= 4) {
    const auto convolve = prepare_stream_per_stage<float>(w.h, samples, mode, {chunk, 3});
    const auto work = [&] { convolve(x, w.signal.pinned_y.span()); };
    const std::optional<movement_counts> moved = count_movements(work);
    const double ms = emulated ? 0 : measure_host([&](int) { work(); }).median_ms;
    table.add_row({grouped(chunk), grouped(signal_chunks(samples, taps, mode, chunk).count()),
                   moved ? in_signals(moved->bytes_up, w) : milliseconds(ms),
                   moved ? in_signals(moved->longest_chain, w) : percent(limit / ms)});
    run.record({{"chapter", "12"},
                {"work", "chunk sizes"},
                {"samples", std::to_string(samples)},
                {"taps", std::to_string(taps)},
                {"chunk", std::to_string(chunk)},
                {"signals_up", moved ? in_signals(moved->bytes_up, w) : ""},
                {"longest_chain", moved ? in_signals(moved->longest_chain, w) : ""},
                {"median_ms", emulated ? "" : significant(ms, 5)},
                {"limit_ms", emulated ? "" : significant(limit, 5)}});
  }
  run.show("the size of a chunk: " + versions::stream_per_stage.label() + ", " + several(taps, "tap") + ", " +
               grouped(samples) + " float" + (emulated ? "      bytes as multiples of the signal" : ""),
           table);
}

/// More than fits into the memory of the device, through the ring: the same signal again and again.
void show_longer_than_device(chapter_run& run, journey_work& w) {
  if (!run.wants(versions::stream_per_stage.name)) return;
  const std::size_t samples = w.signal.x.size(), taps = w.h.size(), bytes = samples * sizeof(float);
  const auto memory = [](bool in_all) {
    std::size_t free = 0, total = 0;
    check(cudaMemGetInfo(&free, &total));
    return in_all ? total : free;
  };
  const std::size_t calls = std::max<std::size_t>((std::size_t{144} << 30) / bytes, memory(true) / bytes + 1);
  const double limit = double(calls) * link_limit_ms(w);
  const std::size_t free_before = memory(false);
  const auto convolve = prepare_stream_per_stage<float>(w.h, samples, mode, {w.chunk, 3});
  const std::size_t on_device = free_before - memory(false);
  const std::span<float> y = w.signal.pinned_y.span();
  std::fill(y.begin(), y.end(), std::nanf(""));
  const auto begin = std::chrono::steady_clock::now();
  for (std::size_t call = 0; call < calls; ++call) convolve(w.signal.pinned_x.span(), y);
  const double ms =
      std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
  const agreement found = w.verify(y);
  text_table table(
      {{"each way"}, {"device memory"}, {"ms"}, {"of limit"}, {"verified", text_table::align::left}});
  table.add_row({bytes_text(double(calls * bytes)), bytes_text(double(on_device)), milliseconds(ms),
                 percent(limit / ms), describe(found)});
  run.record({{"chapter", "12"},
              {"work", "longer than the device"},
              {"samples", std::to_string(calls * samples)},
              {"taps", std::to_string(taps)},
              {"chunk", std::to_string(w.chunk)},
              {"version", versions::stream_per_stage.name},
              {"device_bytes", std::to_string(on_device)},
              {"median_ms", significant(ms, 5)},
              {"limit_ms", significant(limit, 5)},
              {"of_limit", significant(limit / ms, 4)}});
  if (!found) run.fail("longer than the device: " + describe(found));
  run.show("longer than the memory of the device: " + versions::stream_per_stage.label() + ", " +
               several(taps, "tap") + ", " + grouped(samples) + " float " + grouped(calls) + " times",
           table);
}

/// What a call takes that gets memory and gives it back: only a GPU has such times.
void show_memory_in_every_call(chapter_run& run) {
  text_table table(
      {{"in every call", text_table::align::left}, {"1 MiB, ms"}, {"64 MiB, ms"}, {"1 GiB, ms"}});
  const std::size_t sizes[] = {std::size_t{1} << 20, std::size_t{1} << 26, std::size_t{1} << 30};
  const stream work;
  cudaMemPool_t pool{};
  int device = 0;
  check(cudaGetDevice(&device));
  check(cudaDeviceGetDefaultMemPool(&pool, device));
  const auto row = [&](const char* name, const std::function<void(std::size_t)>& get_and_give) {
    std::vector<std::string> cells = {name};
    for (const std::size_t size : sizes) {
      const timing time = measure_host([&](int) { get_and_give(size); });
      cells.push_back(milliseconds(time.median_ms));
      run.record({{"chapter", "12"},
                  {"work", "memory in every call"},
                  {"version", name},
                  {"bytes", std::to_string(size)},
                  {"median_ms", significant(time.median_ms, 5)}});
    }
    table.add_row(std::move(cells));
  };
  row("cudaMalloc, cudaFree", [](std::size_t size) {
    void* memory = nullptr;
    check(cudaMalloc(&memory, size));
    check(cudaFree(memory));
  });
  const auto from_pool = [&](std::size_t size) {
    void* memory = nullptr;
    check(cudaMallocAsync(&memory, size, work));
    check(cudaFreeAsync(memory, work));
    work.wait();
  };
  row("cudaMallocAsync, cudaFreeAsync, wait", from_pool);
  std::uint64_t before = 0, all = ~std::uint64_t{0};
  check(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &before));
  check(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &all));
  row("the same, and the pool keeps its memory", from_pool);
  check(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &before));
  check(cudaMemPoolTrimTo(pool, 0));
  run.show("memory in every call", table);
}

/// A filter that is another one in each call.
void show_new_filters(chapter_run& run, std::size_t samples, std::size_t taps) {
  host_signal signal(samples);
  const journey_work w(signal, taps, samples);
  const device_buffer<float> x(signal.x);
  device_buffer<float> y(samples);
  new_filter_table table(run, "12", samples, taps, y);
  const auto verify = [&](const std::vector<float>& outputs) { return w.verify(outputs); };
  table.add(
      versions::filter_from_scratch, [&] { convolve_new_filter_from_scratch(x, w.h, y, mode); }, verify);
  for (const auto& [version, way] : {std::pair(versions::filter_copied, new_filter_way::copied),
                                     {versions::filter_parameter, new_filter_way::parameter},
                                     {versions::filter_beside, new_filter_way::beside},
                                     {versions::filter_graph, new_filter_way::graph}}) {
    new_filter_convolver convolve(samples, taps, mode, way);
    table.add(
        version, [&] { convolve(x, w.h, y); }, verify);
  }
  table.show();
}

}  // namespace

std::vector<chapter_variant> journey_variants() {
  std::vector<chapter_variant> all(std::begin(versions::all_journeys), std::end(versions::all_journeys));
  all.insert(all.end(), std::begin(versions::all_new_filters), std::end(versions::all_new_filters));
  add_mistakes(all, broken::shown_journey_mistakes());
  return all;
}

void show_journeys(chapter_run& run) {
  if (show_mistake(run, broken::shown_journey_mistakes(), "Outputs")) return;
  const bool emulated = run.device().emulated;
  const std::size_t samples = emulated ? 1 << 17 : std::size_t{1} << 27, chunk = samples / 32;
  const auto show = [&](host_signal& signal, std::size_t taps, std::size_t outputs, bool sizes_too = false) {
    journey_work work = make_work(signal, taps, outputs);
    show_work(run, work);
    if (sizes_too) show_chunk_sizes(run, work);
  };
  {
    host_signal signal(samples);
    show(signal, 1025, chunk, true);
    show(signal, 5, chunk);
  }
  if (run.options().long_tables && !emulated) {
    host_signal signal(std::size_t{1} << 29);
    for (const std::size_t taps : {1025, 5}) {
      journey_work work = make_work(signal, taps, std::size_t{1} << 22);
      show_work(run, work);
      if (taps > 5) show_longer_than_device(run, work);
    }
  }
  for (const std::size_t length : emulated
                                      ? std::vector<std::size_t>{1 << 15}
                                      : std::vector<std::size_t>{std::size_t{1} << 20, std::size_t{1} << 24})
    show_new_filters(run, length, 1025);
  if (!emulated && run.options().variant.empty()) show_memory_in_every_call(run);
}

}  // namespace tutorial
