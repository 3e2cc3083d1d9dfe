// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "tables.hpp"

#include <cmath>
#include <string>
#include <vector>

#include "00_meet_the_device/chains.hpp"
#include "00_meet_the_device/pointer_chase.hpp"
#include "01_serial_definition/convolve_serial.hpp"
#include "11_in_flight/kernels/convolve_ring.hpp"
#include "11_in_flight/kernels/copy_in_flight.hpp"
#include "11_in_flight/kernels/smooth_plane.hpp"
#include "11_in_flight/kernels/two_paths.hpp"
#include "common/device/check.hpp"
#include "common/device/device_attribute.hpp"
#include "common/device/limits.hpp"
#include "common/device/measure.hpp"
#include "common/files/numbers.hpp"
#include "common/verify/compare.hpp"
#include "common/verify/inputs.hpp"

namespace tutorial {
namespace {

using align = text_table::align;

constexpr std::size_t page_bytes = std::size_t{2} << 20;  // what one entry of the address translation covers

/// part / whole, and "-" where nothing is counted.
std::string ratio(double part, double whole) { return whole > 0 ? fixed(part / whole, 2) : "-"; }

// --- the law ---

/// Nanoseconds of a load from device memory: chapter 00's walk, on from page to page.
double memory_latency_ns(chapter_run& run) {
  const std::size_t page_nodes = page_bytes / sizeof(chain_node);
  const std::vector<std::uint32_t> order =
      walk_order(2 * run.device().l2_bytes / page_bytes * page_nodes, page_nodes);
  device_buffer<chain_node> nodes(order.size());
  const std::vector<chain_node> ring = ring_of_nodes(order, nodes.data(), 1);
  check(cudaMemcpy(nodes.data(), ring.data(), ring.size() * sizeof(chain_node), cudaMemcpyHostToDevice));
  const device_buffer<std::uint32_t> other(run.device().l2_bytes / 2);  // takes the place of the copy in L2
  const int warm_up = 1024, steps = 8192, chain = 1 << 22;
  const pointer_walk walk = chase_pointers(nodes.data() + order.front(), warm_up, steps);
  if (walk.end != nodes.data() + order[warm_up + steps]) run.fail("the walk ended at the wrong link");

  device_buffer<multiply_add_walk> result(1);
  const timing time = measure([&](int) { chase_multiply_adds(0.75f, 0.5f, chain, result); }, {.repeats = 5});
  const double cycles_per_ns = double(result.to_host().front().cycles) / (time.median_ms * 1e6);
  return double(walk.cycles) / steps / cycles_per_ns;
}

/// values[i mod n] for i in [0, size): what a few values become is quickly computed for all of them.
std::vector<float> repeated(const std::vector<float>& values, std::size_t size) {
  std::vector<float> all(size);
  for (std::size_t i = 0; i < size; ++i) all[i] = values[i % values.size()];
  return all;
}

/// The shape with as many blocks as are really resident: fewer on a device with room for fewer threads.
copy_shape resident_shape(copy_shape shape) {
  shape.blocks = copy_in_flight_facts(shape).blocks_per_multiprocessor;
  return shape;
}

/// Resident on a multiprocessor.
int warps_of(const copy_shape& shape) { return shape.blocks * copy_threads_per_block / 32; }

struct copy_row {
  launch_counts counts;
  timing time;
  agreement verified;
};

/// A signal on the device, and room for its copy: so many times that no copy finds its data in the cache.
struct copy_buffers {
  std::vector<device_buffer<float>> x, y;

  copy_buffers(const chapter_run& run, const std::vector<float>& host) {
    const int sets = run.device().emulated ? 1 : buffer_sets(2 * host.size() * sizeof(float));
    for (int s = 0; s < sets; ++s) {
      x.emplace_back(host);
      y.emplace_back(host.size());
    }
  }
};

/// Runs the copy of that shape, and counts or measures it.
copy_row run_copy(chapter_run& run, copy_buffers& buffers, const std::vector<float>& expected,
                  const copy_shape& shape) {
  std::vector<device_buffer<float>>&x = buffers.x, &y = buffers.y;
  const std::size_t sets = x.size();
  check(cudaMemset(y[0].data(), 0xff, y[0].span().size_bytes()));  // NaN
  copy_row row;
  row.counts = sum(count_launches([&] { copy_in_flight(x[0], y[0], shape); }));
  row.verified = compare<float>(y[0].to_host(), expected);
  if (!row.verified) run.fail("copy_in_flight: " + describe(row.verified));
  if (!run.device().emulated)
    row.time =
        measure([&](int i) { copy_in_flight(x[std::size_t(i) % sets], y[std::size_t(i) % sets], shape); });
  return row;
}

struct law_point {
  int warps;
  chart_point at;  // kB under way on a multiprocessor, TB/s read and written
};

chart law_chart(const chapter_run& run, const std::vector<law_point>& points, double latency_ns,
                double limit) {
  chart what{
      .title = "Copies on " + run.device().name,
      .description =
          "Speed of a copy against the bytes that its loads have under way on a multiprocessor. Copies "
          "with few warps and many loads lie on one curve with those with many warps and few loads: it "
          "follows the line of bytes divided by latency, and bends to the speed of a plain copy.",
      .x = {"kB under way on a multiprocessor", axis_scale::log2},
      .y = {"TB/s, read and written", axis_scale::log2},
      .names = chart_names::legend};
  double low = 1e30, high = 0, lowest = 1e30;
  for (const law_point& point : points) {
    const std::string name = std::to_string(point.warps) + " warps";
    if (what.series.empty() || what.series.back().name != name)
      what.series.push_back({.name = name, .line = false});
    what.series.back().points.push_back(point.at);
    low = std::min(low, point.at.x);
    high = std::max(high, point.at.x);
    lowest = std::min(lowest, point.at.y);
  }
  const double slope = copy_speed(1, run.device().multiprocessors, latency_ns);
  what.x.low = low / 1.5;
  what.x.high = high * 1.5;
  what.y.low = std::min(lowest, slope * low) / 1.5;
  what.y.high = limit * 1.5;
  what.references.push_back(
      {"bytes / " + significant(latency_ns) + " ns", {low / 1.5, slope * low / 1.5}, {limit / slope, limit}});
  what.references.push_back(
      {"a plain copy, " + significant(limit) + " TB/s", {low / 1.5, limit}, {high * 1.5, limit}});
  return what;
}

// --- limits ---

struct path_row {
  const char *name, *title;
  shared_out how;
};

constexpr path_row path_rows[] = {{"by_warp", "every other warp takes the second path", shared_out::by_warp},
                                  {"by_lane", "every other lane takes the second path", shared_out::by_lane}};

void show_paths(chapter_run& run) {
  const bool counted = run.device().emulated;
  const std::size_t size = counted ? 4096 : std::size_t{1} << 24, steps = counted ? 16 : 256;
  // Whether i or i / 32 is odd repeats with these values.
  const std::vector<float> values = random_signal<float>(64 * 61), up = random_signal<float>(steps, 3),
                           down = random_signal<float>(steps, 4);
  const device_buffer<float> x(repeated(values, size)), d_up(up), d_down(down);
  text_table text({{"two paths of the same length", align::left},
                   {counted ? "requests of a warp per step" : "median ms"},
                   {"verified", align::left}});
  for (const path_row& row : path_rows) {
    device_buffer<float> y(size);
    const launch_counts counts = sum(count_launches([&] { take_two_paths(x, d_up, d_down, y, row.how); }));
    std::vector<float> expected = values;
    for (std::size_t i = 0; i < expected.size(); ++i) {
      const bool second = (row.how == shared_out::by_lane ? i : i / 32) % 2 != 0;
      for (std::size_t s = 0; s < steps; ++s)
        expected[i] = std::fma(second ? -down[s] : up[s], expected[i], 1.0f);
    }
    const agreement verified = compare<float>(y.to_host(), repeated(expected, size));
    if (!verified) run.fail(std::string("two paths, ") + row.name + ": " + describe(verified));
    const double warps = double(size) / 32;
    // One request of each warp is for x.
    const std::string requests =
        counts.global_load_requests == 0
            ? "-"
            : ratio(double(counts.global_load_requests) - warps, warps * double(steps));
    timing time;
    if (!counted) time = measure([&](int) { take_two_paths(x, d_up, d_down, y, row.how); });
    text.add_row({row.title, counted ? requests : milliseconds(time.median_ms), describe(verified)});
    run.record({{"table", "paths"},
                {"row", row.name},
                {"title", row.title},
                {"requests_per_step", counted ? requests : ""},
                {"median_ms", counted ? "" : exact_digits(time.median_ms)},
                {"min_ms", counted ? "" : exact_digits(time.min_ms)},
                {"max_ms", counted ? "" : exact_digits(time.max_ms)}});
  }
  run.show("Warp divergence: " + grouped(size) + " floats, " + grouped(steps) + " steps each", text);
}

void show_instructions(chapter_run& run) {
  const bool counted = run.device().emulated;
  const std::size_t size = counted ? 20'000 : std::size_t{1} << 26;
  const std::vector<float> values = random_signal<float>(4093);
  copy_buffers buffers(run, repeated(values, size));
  text_table text({{"multiply-adds per element"},
                   {"warps at a time"},
                   {counted ? "bytes per element" : "median ms"},
                   {counted ? "kB under way" : "TB/s"},
                   {"verified", align::left}});
  for (const int multiply_adds : counted ? std::vector{0, 64} : std::vector{0, 16, 32, 64, 128, 256}) {
    std::vector<float> expected = values;
    for (float& v : expected)
      for (int m = 0; m < multiply_adds; ++m) v = std::fma(v, 0.5f, 1.0f);
    expected = repeated(expected, size);
    for (const int blocks : {8, 4}) {
      const copy_shape shape = resident_shape({4, blocks, multiply_adds});
      const copy_row row = run_copy(run, buffers, expected, shape);
      const double bytes = double(row.counts.global_load_bytes + row.counts.global_store_bytes);
      const double rate = 2.0 * double(size) * sizeof(float) / (row.time.median_ms * 1e-3) * 1e-12;
      text.add_row({std::to_string(multiply_adds), std::to_string(warps_of(shape)),
                    counted ? fixed(bytes / double(size), 2) : milliseconds(row.time.median_ms),
                    counted ? fixed(bytes_under_way(shape) / 1e3, 2) : significant(rate),
                    describe(row.verified)});
      run.record({{"table", "instructions"},
                  {"multiply_adds", std::to_string(multiply_adds)},
                  {"warps", std::to_string(warps_of(shape))},
                  {"median_ms", counted ? "" : exact_digits(row.time.median_ms)},
                  {"min_ms", counted ? "" : exact_digits(row.time.min_ms)},
                  {"max_ms", counted ? "" : exact_digits(row.time.max_ms)},
                  {"tb_per_s", counted ? "" : significant(rate, 4)}});
    }
  }
  run.show("Issue slots: the same copy of " + grouped(size) + " floats with more instructions", text);
  if (counted)
    run.say(
        "The bytes stay the same; instructions are not counted here. On a GPU, you can see at which\n"
        "number they begin to take longer than the bytes.\n");
}

}  // namespace

void show_law(chapter_run& run) {
  const bool counted = run.device().emulated;
  const std::vector<float> host = random_signal<float>(counted ? 20'000 : std::size_t{1} << 26);
  copy_buffers buffers(run, host);
  const double latency_ns = counted ? 0 : memory_latency_ns(run);
  const double limit = counted ? 0 : copy_limit(host.size() * sizeof(float)).bytes_per_second / 1e12;
  std::vector<text_table::column> columns = {{"warps at a time"}, {"loads per thread"}, {"kB under way"}};
  if (counted)
    columns.insert(columns.end(), {{"loads/element"}, {"sectors/request"}});
  else
    columns.insert(columns.end(), {{"TB/s"}, {"the law allows"}, {"of the copy"}});
  columns.push_back({"verified", align::left});
  text_table text(columns);
  std::vector<law_point> points;
  for (const int blocks : {1, 2, 4, 8})
    for (const int loads : {1, 2, 4, 8}) {
      const copy_shape shape = resident_shape({loads, blocks});
      const int warps = warps_of(shape);
      const copy_row row = run_copy(run, buffers, host, shape);
      const double kilobytes = bytes_under_way(shape) / 1e3, size = double(host.size());
      const double rate = counted ? 0 : 2 * size * sizeof(float) / (row.time.median_ms * 1e-3) * 1e-12;
      const double allowed =
          counted ? 0 : std::min(limit, copy_speed(kilobytes, run.device().multiprocessors, latency_ns));
      std::vector<std::string> cells = {std::to_string(warps), std::to_string(loads), fixed(kilobytes, 2)};
      if (counted)
        cells.insert(cells.end(), {ratio(double(row.counts.global_loads), size),
                                   ratio(double(row.counts.global_load_sectors),
                                         double(row.counts.global_load_requests))});
      else
        cells.insert(cells.end(), {significant(rate), significant(allowed), percent(rate / limit)});
      cells.push_back(describe(row.verified));
      text.add_row(cells);
      run.record({{"table", "law"},
                  {"warps", std::to_string(warps)},
                  {"loads", std::to_string(loads)},
                  {"under_way_kb", fixed(kilobytes, 3)},
                  {"median_ms", counted ? "" : exact_digits(row.time.median_ms)},
                  {"min_ms", counted ? "" : exact_digits(row.time.min_ms)},
                  {"max_ms", counted ? "" : exact_digits(row.time.max_ms)},
                  {"tb_per_s", counted ? "" : significant(rate, 4)},
                  {"law_tb_per_s", counted ? "" : significant(allowed, 4)},
                  {"of_limit", counted ? "" : exact_digits(rate / limit)},
                  {"latency_ns", counted ? "" : significant(latency_ns, 4)},
                  {"limit_tb_per_s", counted ? "" : significant(limit, 4)}});
      if (!counted) points.push_back({warps, {kilobytes, rate}});
    }
  run.show("Copies: what the loads of a multiprocessor have under way at a time, " + grouped(host.size()) +
               " floats",
           text);
  if (counted)
    run.say("A GPU also shows the speeds. Here every copy loads each element once, in whole sectors.\n");
  else
    run.draw(law_chart(run, points, latency_ns, limit));
}

void show_limits(chapter_run& run) {
  const copy_shape shape = {.loads = 4, .blocks = 4};
  const kernel_facts facts = copy_in_flight_facts(shape);
  const int most = device_attribute(cudaDevAttrMaxThreadsPerMultiProcessor) / 32;
  run.say("Occupancy, by the runtime: of blocks of " + std::to_string(facts.threads_per_block) +
          " threads with " + grouped(std::uint64_t(facts.shared_bytes)) + " bytes of shared memory, " +
          std::to_string(facts.blocks_per_multiprocessor) +
          " are\nresident: " + std::to_string(warps_of(resident_shape(shape))) + " of " +
          std::to_string(most) + " warps. Without shared memory, the suggestion is blocks of " +
          std::to_string(suggested_threads(shape)) + " threads.\n");
  show_paths(run);
  show_instructions(run);
}

void show_plane(chapter_run& run) {
  const bool counted = run.device().emulated;
  const plane<float> x(
      counted ? 320 : 8192, counted ? 160 : 4096,
      random_whole_numbers<float>(counted ? std::size_t{320} * 160 : std::size_t{8192} * 4096));
  const double samples = double(x.values.size());
  const plane<float> expected = smooth_serial(x);
  const device_plane<float> d_x(x);
  device_plane<float> d_y(x.width, x.height);
  text_table text({{"brought by", align::left},
                   {counted ? "loads per output" : "median ms"},
                   {counted ? "bytes loaded per output" : "TB/s"},
                   {"verified", align::left}});
  const auto row = [&](const char* by, const auto& smooth) {
    d_y.poison();
    const launch_counts counts = sum(count_launches([&] { smooth(d_x, d_y, nullptr); }));
    const agreement verified = compare<float>(d_y.to_host().values, expected.values);
    if (!verified) run.fail(std::string("smooth by ") + by + ": " + describe(verified));
    const timing time = counted ? timing{} : measure([&](int) { smooth(d_x, d_y, nullptr); });
    const double rate = 2 * samples * sizeof(float) / (time.median_ms * 1e-3) * 1e-12;
    text.add_row({by, counted ? ratio(double(counts.global_loads), samples) : milliseconds(time.median_ms),
                  counted ? ratio(double(counts.global_load_bytes), samples) : significant(rate),
                  describe(verified)});
    run.record({{"table", "plane"},
                {"by", by},
                {"median_ms", counted ? "" : exact_digits(time.median_ms)},
                {"min_ms", counted ? "" : exact_digits(time.min_ms)},
                {"max_ms", counted ? "" : exact_digits(time.max_ms)},
                {"tb_per_s", counted ? "" : significant(rate, 4)}});
  };
  row("threads", smooth_by_threads);
  if (device_attribute(cudaDevAttrComputeCapabilityMajor) >= 9) row("a tensor map", smooth_by_map);
  run.show("Tiles of a plane: means of 5 x 5 samples, " + grouped(x.values.size()) + " float", text);
}

void show_ring(convolution_demo& demo) {
  const auto full = convolution_mode::full;
  const auto float32 = element_type::float32;
  demo.table(demo.emulated() ? convolution_work{"65 taps, reduced", float32, 20'000, 65, full}
                             : convolution_work{"65 taps", float32, std::size_t{1} << 24, 65, full});
}

void show_depths(chapter_run& run) {
  const bool counted = run.device().emulated;
  const std::size_t samples = counted ? 20'000 : std::size_t{1} << 24, taps = 65;
  // Small whole numbers: every sum is exact.
  const auto host_x = random_whole_numbers<float>(samples, 1, 100),
             h = random_whole_numbers<float>(taps, 2, 100);
  std::vector<float> expected(samples + taps - 1);
  convolve_all_cores<float>(host_x, h, expected, convolution_mode::full);
  const int sets = counted ? 1 : buffer_sets(2 * samples * sizeof(float));
  std::vector<device_buffer<float>> x, y;
  for (int s = 0; s < sets; ++s) {
    x.emplace_back(host_x);
    y.emplace_back(expected.size());
  }
  std::vector<text_table::column> columns = {
      {"tiles in a ring"}, {"warps at a time"}, {"kB under way while a tile is computed"}};
  if (!counted) columns.push_back({"median ms"});
  columns.push_back({"verified", align::left});
  text_table text(columns);
  for (int depth = 1; depth <= ring_max_depth; ++depth) {
    const auto convolve = [&](int i) {
      convolve_ring<float>(x[i % sets], h, y[i % sets], convolution_mode::full, {.depth = depth});
    };
    convolve(0);
    const agreement verified = compare<float>(y[0].to_host(), expected);
    if (!verified) run.fail("a ring of " + std::to_string(depth) + ": " + describe(verified));
    const kernel_facts facts = ring_facts<float>(depth);
    const int warps = facts.blocks_per_multiprocessor * facts.threads_per_block / 32;
    const double kilobytes = warps * ring_bytes_under_way<float>(int(taps), depth) / 1e3;
    const timing time = counted ? timing{} : measure(convolve);
    std::vector<std::string> cells = {std::to_string(depth), std::to_string(warps), fixed(kilobytes, 1)};
    if (!counted) cells.push_back(milliseconds(time.median_ms));
    cells.push_back(describe(verified));
    text.add_row(cells);
    run.record({{"table", "depths"},
                {"depth", std::to_string(depth)},
                {"warps", std::to_string(warps)},
                {"under_way_kb", fixed(kilobytes, 3)},
                {"registers", std::to_string(facts.registers)},
                {"shared_bytes", std::to_string(facts.shared_bytes)},
                {"median_ms", counted ? "" : exact_digits(time.median_ms)},
                {"min_ms", counted ? "" : exact_digits(time.min_ms)},
                {"max_ms", counted ? "" : exact_digits(time.max_ms)}});
  }
  run.show("Rings: 'full', " + grouped(taps) + " taps, " + grouped(samples) + " float", text);
}

}  // namespace tutorial
