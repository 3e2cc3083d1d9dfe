// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "tables.hpp"

#include <chrono>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "01_serial_definition/versions.hpp"
#include "04_constant_memory/constant_walks.hpp"
#include "04_constant_memory/first_calls.hpp"
#include "common/device/check.hpp"
#include "common/device/measure.hpp"
#include "common/files/numbers.hpp"
#include "common/program/signal_task.hpp"
#include "common/verify/compare.hpp"
#include "common/verify/inputs.hpp"

namespace tutorial {
namespace {

using align = text_table::align;

constexpr const char* nothing_counted = "Nothing is counted: checking and counting are switched off.";

struct walk_case {
  std::string name, title;
  int warp_step, lane_step;
};

/// The 64 warps that a multiprocessor can hold begin at 64 places of the table, far from their neighbors.
std::vector<walk_case> cases(int words) {
  return {{"in_step", "all warps in step", 0, 0},
          {"warps_apart", "each warp elsewhere", words / 64 * 21, 0},
          {"lanes_apart", "each lane elsewhere", 0, 1}};
}

/// One walk, in constant or in global memory: what it counted or how long it took, verified.
struct walk_result {
  launch_counts counts;
  timing time;
  std::string verdict;
};

class walker {
 public:
  walker(chapter_run& run, int words)
      : run_(run),
        words_(words),
        reads_(run.device().emulated ? 64 : 16384),
        host_(random_full_range(std::size_t(words))),
        table_(host_),
        // On a GPU as many warps as it can hold.
        y_(run.device().emulated ? 512 : std::size_t(run.device().multiprocessors) * 2048) {
    load_walk_table(table_);
  }

  walk_result operator()(const walk_case& which, bool constant) {
    const table_walk walk{words_, reads_, which.warp_step, which.lane_step};
    const auto go = [&](int) {
      if (constant)
        walk_constant(walk, y_);
      else
        walk_global(table_, walk, y_);
    };
    walk_result result;
    poison(y_.span());
    result.counts = sum(count_launches([&] { go(0); }));
    const agreement verified = compare<std::int32_t>(y_.to_host(), expected(walk));
    result.verdict = describe(verified);
    if (!verified) run_.fail("walk '" + which.name + "': " + result.verdict);
    if (!run_.device().emulated && verified) result.time = measure(go);
    return result;
  }

 private:
  std::vector<std::int32_t> expected(const table_walk& walk) const {
    std::map<int, std::uint32_t> by_start;  // few threads begin at a place of their own
    std::vector<std::int32_t> sums(y_.size());
    for (std::size_t i = 0; i < sums.size(); ++i) {
      const int start = walk_start(walk, int(i));
      const auto [at, is_new] = by_start.try_emplace(start, 0);
      for (int r = 0; is_new && r < walk.reads; ++r)
        at->second = 31 * at->second + std::uint32_t(host_[std::size_t((start + r) % walk.words)]);
      sums[i] = std::int32_t(at->second);
    }
    return sums;
  }

  chapter_run& run_;
  int words_, reads_;
  std::vector<std::int32_t> host_;
  device_buffer<std::int32_t> table_, y_;
};

std::string ratio(std::uint64_t numerator, std::uint64_t denominator) {
  return denominator > 0 ? fixed(double(numerator) / double(denominator), 2) : "-";
}

void show_walk_counts(chapter_run& run, int words) {
  text_table table({{"walk", align::left},
                    {"memory", align::left},
                    {"loads"},
                    {"requests"},
                    {"addresses/request"},
                    {"sectors/request"},
                    {"verified", align::left}});
  walker walk(run, words);
  for (const bool constant : {true, false})
    for (const walk_case& which : cases(words)) {
      const walk_result result = walk(which, constant);
      const launch_counts& c = result.counts;
      if (c.launches == 0) return run.say(nothing_counted);  // EMULATOR_CHECK=0
      const std::uint64_t requests = constant ? c.constant_requests : c.global_load_requests;
      const std::string addresses = constant ? ratio(c.constant_addresses, requests) : "-";
      const std::string sectors = constant ? "-" : ratio(c.global_load_sectors, requests);
      const std::string memory = constant ? "constant" : "global";
      table.add_row({which.title, memory, grouped(constant ? c.constant_loads : c.global_loads),
                     grouped(requests), addresses, sectors, result.verdict});
      run.record({{"table", "walks"},
                  {"walk", which.name},
                  {"title", which.title},
                  {"memory", memory},
                  {"words", std::to_string(words)},
                  {"requests", std::to_string(requests)},
                  {"addresses_per_request", addresses},
                  {"sectors_per_request", sectors}});
    }
  run.show("Walks through a table of " + grouped(std::uint64_t(words)) + " words", table);
  run.say("Warps in step and warps apart have the same counts. Their times differ, but only on a GPU.\n");
}

void show_walk_times(chapter_run& run, int words) {
  text_table table({{"walk", align::left},
                    {"memory", align::left},
                    {"median ms"},
                    {"(min .. max)", align::left},
                    {"times as long"},
                    {"verified", align::left}});
  walker walk(run, words);
  double in_step = 0;
  for (const bool constant : {true, false})
    for (const walk_case& which : cases(words)) {
      const walk_result result = walk(which, constant);
      const timing& time = result.time;
      if (in_step == 0) in_step = time.median_ms;
      const std::string memory = constant ? "constant" : "global";
      table.add_row({which.title, memory, milliseconds(time.median_ms),
                     milliseconds(time.min_ms) + " .. " + milliseconds(time.max_ms),
                     significant(time.median_ms / in_step), result.verdict});
      run.record({{"table", "walks"},
                  {"walk", which.name},
                  {"title", which.title},
                  {"memory", memory},
                  {"words", std::to_string(words)},
                  {"median_ms", exact_digits(time.median_ms)},
                  {"min_ms", exact_digits(time.min_ms)},
                  {"max_ms", exact_digits(time.max_ms)},
                  {"times_in_step", significant(time.median_ms / in_step)}});
    }
  run.show("Walks through a table of " + grouped(std::uint64_t(words)) + " words", table);
}

/// How large may the table be before warps that are apart take each other's words out of the cache?
void show_walk_sizes(chapter_run& run) {
  text_table table({{"table", align::right},
                    {"constant: in step"},
                    {"warps apart"},
                    {"lanes apart"},
                    {"global: in step"},
                    {"warps apart"},
                    {"lanes apart"}});
  for (const int words : {64, 128, 256, 512, 1024, 2048, 4096, 16384}) {
    walker walk(run, words);
    std::vector<std::string> cells{bytes_text(4.0 * words)};
    std::vector<std::pair<std::string, std::string>> record{{"table", "sizes"},
                                                            {"table_bytes", std::to_string(4 * words)}};
    for (const bool constant : {true, false})
      for (const walk_case& which : cases(words)) {
        const double ms = walk(which, constant).time.median_ms;
        cells.push_back(milliseconds(ms));
        record.emplace_back((constant ? "constant_" : "global_") + which.name + "_ms", exact_digits(ms));
      }
    table.add_row(cells);
    run.record(record);
  }
  run.show("The same walks through tables of other sizes (ms)", table);
}

/// From the launch until the kernel has finished, by the clock of the host.
double launch_and_wait_ms(const std::function<void()>& launch) {
  check(cudaDeviceSynchronize());
  const auto begin = std::chrono::steady_clock::now();
  launch();
  check(cudaDeviceSynchronize());
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
}

}  // namespace

void show_first_calls(chapter_run& run) {
  const std::size_t size = run.device().emulated ? 1000 : 10'000'000;
  const double taps[5] = {0.2, 0.2, 0.2, 0.2, 0.2};
  const std::vector<double> host = random_signal<double>(size), h(std::begin(taps), std::end(taps));
  const auto task = detail::make_task<double>(host, h, convolution_mode::same, reference_convolutions());
  const device_buffer<double> x(host), d_h(h);
  device_buffer<double> y(size);
  text_table table({{"call", align::left}, {"taps in", align::left}, {"ms"}, {"verified", align::left}});
  for (const int call : {1, 2, 3})
    for (const bool constant : {false, true}) {
      if (constant && call == 1) load_smoothing_taps(taps);  // not timed, as in the work that is quoted
      poison(y.span());
      const double ms = launch_and_wait_ms([&] {
        if (constant)
          smooth_constant(x, y);
        else
          smooth_plain(x, d_h, y);
      });
      const agreement verified = task.verify(y.to_host());
      const std::string memory = constant ? "constant" : "global";
      if (!verified) run.fail("first calls, taps in " + memory + " memory: " + describe(verified));
      table.add_row({std::to_string(call), memory, milliseconds(ms), describe(verified)});
      if (!run.device().emulated)
        run.record({{"table", "first_calls"},
                    {"call", std::to_string(call)},
                    {"memory", memory},
                    {"call_ms", exact_digits(ms)}});
    }
  if (run.device().emulated)  // only verified: this device has nothing to load, and no times
    return;
  run.show("One call after the other, launch and wait, without warm-up: 'same', 5 taps, 10,000,000 double",
           table);
}

void show_walks(chapter_run& run) {
  if (run.device().emulated) return show_walk_counts(run, 4096);
  show_walk_times(run, 4096);
  show_walk_sizes(run);
}

void show_taps(convolution_demo& demo) {
  const bool counted = demo.emulated();
  const std::size_t samples = counted ? 1024 : std::size_t{1} << 22;
  const std::vector<std::size_t> tap_counts =
      counted ? std::vector<std::size_t>{5, 65, 129}
              : std::vector<std::size_t>{5, 17, 65, 129, 257, 513, 1025, 4097};
  // Taps as parameters fit no further than max_parameter_taps; all of these do.
  const std::vector<std::string> names = {"direct", "constant_loaded", "constant_interior", "parameter_taps"};
  std::vector<text_table::column> columns{{"taps"}};
  for (const char* label : {"02 direct", "04 constant_loaded", "04 constant_interior", "04 parameter_taps"})
    columns.push_back({label + std::string(counted ? "" : " ms")});
  if (counted) columns.push_back({"addresses/request"});
  text_table table(columns);
  for (const std::size_t taps : tap_counts) {
    const convolution_table result = demo.quiet_table(
        {grouped(taps) + " taps", element_type::float32, samples, taps, convolution_mode::full}, names);
    std::vector<std::string> cells{grouped(taps)};
    std::vector<std::pair<std::string, std::string>> record{
        {"table", "taps"}, {"sweep_taps", std::to_string(taps)}, {"samples", std::to_string(samples)}};
    const version_row *direct = result.find("direct"), *constant = result.find("constant_loaded");
    if (direct == nullptr || constant == nullptr) return;                         // --variant
    if (counted && constant->launches.empty()) return demo.say(nothing_counted);  // EMULATOR_CHECK=0
    for (const std::string& name : names) {
      const version_row& row = *result.find(name);
      if (counted) {
        cells.push_back(fixed(result.loads_per_unit(row), 2));
        record.emplace_back(name + "_loads_per_output", cells.back());
        continue;
      }
      cells.push_back(milliseconds(row.time.median_ms));
      record.emplace_back(name + "_ms", exact_digits(row.time.median_ms));
      record.emplace_back(name + "_of_limit", exact_digits(row.of_limit));
      if (name != "direct")
        record.emplace_back("direct_by_" + name, exact_digits(direct->time.median_ms / row.time.median_ms));
    }
    if (counted)
      cells.push_back(ratio(constant->counts.constant_addresses, constant->counts.constant_requests));
    table.add_row(cells);
    demo.run().record(record);
  }
  demo.run().show("More and more taps: 'full', " + grouped(samples) + " float, every row verified" +
                      (counted ? "; loads from global memory per output" : ""),
                  table);
}

}  // namespace tutorial
