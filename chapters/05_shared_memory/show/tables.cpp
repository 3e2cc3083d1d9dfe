// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "tables.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "05_shared_memory/access_formulas.hpp"
#include "05_shared_memory/broken.hpp"
#include "05_shared_memory/convolve_shared.hpp"
#include "05_shared_memory/dynamic_shared.hpp"
#include "common/device/check.hpp"
#include "common/files/numbers.hpp"
#include "common/program/shown_mistakes.hpp"

namespace tutorial {
namespace {

using align = text_table::align;

// The rows of the standard works. Interior: chapter 02's and 04's kernels without the bounds test, where a
// block meets no end of the signal.
const std::vector<std::string> in_works = {
    "direct",        "direct_interior", "constant_loaded", "constant_interior",
    "shared_loaded", "shared",          "shared_chunked"};
const std::vector<std::string> in_first = {"direct", "smooth_tile", "shared"};
const std::vector<std::string> by_taps = {"constant_loaded", "constant_interior", "shared_loaded", "shared",
                                          "shared_chunked"};
const std::vector<std::string> layouts = {"shared_neighbors", "shared_padded", "shared_side_by_side"};

bool wants_one_of(const convolution_demo& demo, const std::vector<std::string>& names) {
  return std::any_of(names.begin(), names.end(), [&](const auto& each) { return demo.wants(each); });
}

std::string per(double amount, double count) { return count > 0 ? fixed(amount / count, 2) : "-"; }

}  // namespace

void show_access(chapter_run& run) {
  const blocked_convolution work{10'000'000, 5, convolution_mode::same, 512};
  const std::size_t last = work.blocks() - 1, active = work.outputs() - last * work.tile;
  text_table table({{"loads per block, by formula", align::left},
                    {"first block"},
                    {"interior"},
                    {"last, " + std::to_string(active) + " outputs"},
                    {"all blocks"},
                    {"products/load"}});
  const double products = product_count(work.samples, work.taps, work.mode);
  const auto add = [&](const std::string& title, const std::string& name, access_kind kind) {
    const std::uint64_t all = all_loads(kind, work);
    const std::string cells[] = {
        std::to_string(block_loads(kind, work, 0)), std::to_string(block_loads(kind, work, 1)),
        std::to_string(block_loads(kind, work, last)), std::to_string(all), fixed(products / double(all), 2)};
    table.add_row({title, grouped(block_loads(kind, work, 0)), grouped(block_loads(kind, work, 1)),
                   grouped(block_loads(kind, work, last)), grouped(all), cells[4]});
    run.record({{"access", name},
                {"title", title},
                {"first", cells[0]},
                {"interior", cells[1]},
                {"last", cells[2]},
                {"all", cells[3]},
                {"products_per_load", cells[4]}});
  };
  add("02 both from global memory", "plain", access_kind::plain);
  add("04 taps in constant memory", "constant", access_kind::constant);
  add("05 samples in shared memory", "tile", access_kind::tile);
  add("05 the same, taps in constant", "shared", access_kind::shared);
  run.show("'same', 5 taps, 10,000,000 samples, blocks of 512", table);
}

void show_limits(chapter_run& run) {
  const shared_memory_limits limits = limits_of_shared_memory();
  text_table table({{"dynamic shared memory", align::left},
                    {"launched", align::left},
                    {"asked for, then launched", align::left}});
  const auto words = [](cudaError_t status) { return std::string(cudaGetErrorName(status)); };
  for (const std::size_t bytes :
       {std::size_t{16 * 1024}, limits.unasked, limits.unasked + 16, limits.asked, limits.asked + 16}) {
    const std::string alone = words(use_shared_memory(bytes)),
                      asked = words(ask_and_use_shared_memory(bytes));
    table.add_row({grouped(bytes) + " bytes", alone, asked});
    run.record({{"shared_bytes", std::to_string(bytes)}, {"launched", alone}, {"asked", asked}});
  }
  run.show("How much shared memory a block may have", table);
}

std::vector<chapter_variant> extra_variants() {
  std::vector<chapter_variant> all = {{"access", "loads per block, by formula"},
                                      {"limits", "how much shared memory a block may have"}};
  add_mistakes(all, broken::shown_mistakes());
  return all;
}

void show_first_tile(convolution_demo& demo) {
  if (!wants_one_of(demo, in_first)) return;
  convolution_work work = demo.work_a();
  work.title = "The first tile";
  work.type = element_type::float32;
  demo.table(work, in_first);
}

void show_works(convolution_demo& demo) {
  if (!wants_one_of(demo, in_works)) return;
  demo.table(demo.work_a(), in_works);
  demo.table(demo.work_b(), in_works);
}

void show_taps(convolution_demo& demo) {
  if (!demo.run().options().variant.empty()) return;  // the table is about all of them
  convolution_work work = demo.work_b();
  const std::size_t most = work.taps;
  const bool all = demo.emulated() || demo.run().options().long_tables;  // on a GPU they take a while
  const std::vector<std::size_t> all_taps =
      all ? std::vector<std::size_t>{3, 5, 9, 17, 33, 64, 96, 128, 256, 512, 1024}
          : std::vector<std::size_t>{5, 33, 64, 128, 512};
  std::vector<convolution_table> measured;
  for (const std::size_t taps : all_taps) {
    if (taps > most) break;
    work.taps = taps;
    measured.push_back(demo.quiet_table(work, by_taps));
  }

  std::vector<text_table::column> columns = {{"taps"}};
  if (!demo.emulated()) columns.push_back({"limit"});
  for (const version_row& row : measured.front().rows) columns.push_back({row.label});
  if (!demo.emulated()) columns.push_back({"shared / constant_loaded"});
  text_table table(columns);
  for (const convolution_table& each : measured) {
    std::vector<std::string> cells = {grouped(each.work.taps)};
    std::vector<std::pair<std::string, std::string>> record = {
        {"by_taps", std::to_string(each.work.taps)}, {"by_taps_limit_ms", exact_digits(each.limit_ms)}};
    if (!demo.emulated()) cells.push_back(milliseconds(each.limit_ms));
    for (const version_row& row : each.rows) {
      cells.push_back(demo.emulated() ? fixed(each.loads_per_unit(row), 2)
                                      : milliseconds(row.time.median_ms));
      record.push_back({row.name + "_loads_per_output", fixed(each.loads_per_unit(row), 2)});
      record.push_back({row.name + "_ms", exact_digits(row.time.median_ms)});
    }
    const double before = each.find("constant_loaded")->time.median_ms;
    const double ratio = before > 0 ? each.find("shared")->time.median_ms / before : 0;
    if (!demo.emulated()) cells.push_back(fixed(ratio, 2));
    record.push_back({"shared_of_constant_loaded", fixed(ratio, 2)});
    table.add_row(cells);
    demo.run().record(record);
  }
  demo.run().show(std::string("More and more taps, ") + (demo.emulated() ? "loads per output" : "ms") +
                      ": 'full', " + grouped(work.samples) + " float",
                  table);
}

void show_layouts(convolution_demo& demo) {
  if (!wants_one_of(demo, layouts)) return;
  convolution_work work = demo.work_b();
  work.taps = shared_taps_per_launch<float>;  // more would be a matter of the constant cache
  work.samples -= work.taps - 1;              // all blocks are full
  const convolution_table counted = demo.quiet_table(work, layouts);
  text_table table = demo.emulated() ? text_table({{"eight outputs per thread", align::left},
                                                   {"load requests"},
                                                   {"wavefronts"},
                                                   {"per request"},
                                                   {"per store request"},
                                                   {"verified", align::left}})
                                     : text_table({{"eight outputs per thread", align::left},
                                                   {"median ms"},
                                                   {"(min .. max)", align::left},
                                                   {"of limit"},
                                                   {"verified", align::left}});
  for (const version_row& row : counted.rows) {
    const launch_counts& counts = row.counts;
    const std::string wavefronts =
        per(double(counts.shared_load_wavefronts), double(counts.shared_load_requests));
    if (demo.emulated())
      table.add_row({row.label, grouped(counts.shared_load_requests), grouped(counts.shared_load_wavefronts),
                     wavefronts,
                     per(double(counts.shared_store_wavefronts), double(counts.shared_store_requests)),
                     describe(row.verified)});
    else
      table.add_row({row.label, milliseconds(row.time.median_ms),
                     milliseconds(row.time.min_ms) + " .. " + milliseconds(row.time.max_ms),
                     percent(row.of_limit), describe(row.verified)});
    const bool timed = row.time.median_ms > 0;
    demo.run().record({{"layout", row.name},
                       {"label", row.label},
                       {"shared_load_requests", std::to_string(counts.shared_load_requests)},
                       {"shared_load_wavefronts", std::to_string(counts.shared_load_wavefronts)},
                       {"wavefronts_per_request", wavefronts},
                       {"median_ms", timed ? exact_digits(row.time.median_ms) : ""},
                       {"min_ms", timed ? exact_digits(row.time.min_ms) : ""},
                       {"max_ms", timed ? exact_digits(row.time.max_ms) : ""},
                       {"of_limit", timed ? significant(row.of_limit) : ""}});
  }
  demo.run().show("Where the samples lie in the banks: 'full', " + grouped(work.taps) + " taps, " +
                      grouped(work.samples) + " float",
                  table);
}

void draw_sizes(convolution_demo& demo) {
  demo.draw_sizes({"direct", "constant_loaded", "shared_loaded", "shared", "shared_chunked"});
}

}  // namespace tutorial
