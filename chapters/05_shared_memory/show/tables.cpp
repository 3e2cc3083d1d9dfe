// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "tables.hpp"

#include <string>
#include <utility>
#include <vector>

#include "05_shared_memory/access_formulas.hpp"
#include "05_shared_memory/broken.hpp"
#include "05_shared_memory/convolve_shared.hpp"
#include "05_shared_memory/dynamic_shared.hpp"
#include "common/device/check.hpp"
#include "common/files/numbers.hpp"
#include "common/show/counts_table.hpp"

namespace tutorial {
namespace {

using align = text_table::align;

std::string per(double amount, double count) { return count > 0 ? fixed(amount / count, 2) : "-"; }

}  // namespace

void show_access(chapter_run& run) {
  const blocked_convolution work{10'000'000, 5, convolution_mode::same, 512};
  const std::size_t last = work.blocks() - 1, active = work.outputs() - last * work.tile;
  text_table table({{"loads per block, by formula", align::left},
                    {"first block"},
                    {"interior"},
                    {"last, " + std::to_string(active) + " active"},
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
  add("05 samples in shared, too", "shared", access_kind::shared);
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

void show_taps(convolution_demo& demo) {
  if (!demo.run().options().variant.empty()) return;  // the table is about all of them
  const std::vector<std::string> variants = {"constant_loaded", "shared_loaded", "shared", "shared_chunked"};
  std::vector<text_table::column> columns = {{"taps"}};
  if (!demo.emulated()) columns.push_back({"limit ms"});
  const std::string unit = demo.emulated() ? " loads/output" : " ms";
  columns.push_back({"04 constant_loaded" + unit});
  columns.insert(columns.end(), {{"05 shared_loaded"}, {"05 shared"}, {"05 shared_chunked"}});
  if (!demo.emulated()) columns.push_back({"shared / constant_loaded"});
  text_table table(columns);
  convolution_work work = demo.work_b();
  const std::size_t most = work.taps;
  const bool all = demo.emulated() || demo.run().options().long_tables;  // on a GPU they take a while
  const std::vector<std::size_t> all_taps =
      all ? std::vector<std::size_t>{3, 5, 9, 17, 33, 64, 96, 128, 256, 512, 1024}
          : std::vector<std::size_t>{5, 33, 64, 128, 512};
  for (const std::size_t taps : all_taps) {
    if (taps > most) break;
    work.taps = taps;
    const convolution_table measured = demo.quiet_table(work, variants);
    std::vector<std::string> cells = {grouped(taps)};
    std::vector<std::pair<std::string, std::string>> record = {
        {"by_taps", std::to_string(taps)}, {"by_taps_limit_ms", exact_digits(measured.limit_ms)}};
    if (!demo.emulated()) cells.push_back(milliseconds(measured.limit_ms));
    for (const std::string& name : variants) {
      const version_row& row = *measured.find(name);
      cells.push_back(demo.emulated() ? fixed(measured.loads_per_unit(row), 2)
                                      : milliseconds(row.time.median_ms));
      record.push_back({name + "_loads_per_output", fixed(measured.loads_per_unit(row), 2)});
      record.push_back({name + "_ms", exact_digits(row.time.median_ms)});
    }
    const double before = measured.find("constant_loaded")->time.median_ms;
    const double ratio = before > 0 ? measured.find("shared")->time.median_ms / before : 0;
    if (!demo.emulated()) cells.push_back(fixed(ratio, 2));
    record.push_back({"shared_of_constant_loaded", fixed(ratio, 2)});
    table.add_row(cells);
    demo.run().record(record);
  }
  demo.run().show("From how many taps on it pays: 'full', " + grouped(work.samples) + " float", table);
}

void show_layouts(convolution_demo& demo, const std::vector<std::string>& layouts) {
  convolution_work work = demo.work_b();
  work.taps = shared_taps_per_launch<float>;  // more would be a matter of the constant cache
  work.samples -= work.taps - 1;              // all blocks are full
  const convolution_table counted = demo.quiet_table(work, layouts);
  if (counted.rows.empty()) return;
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

bool show_broken(chapter_run& run, const std::string& name) {
  for (const broken::shown_mistake& each : broken::shown_mistakes()) {
    if (each.name != name) continue;
    run.say(each.description);
    const std::size_t wrong = broken::wrong_outputs(each.made);
    run.say("Outputs that are wrong this time: " + grouped(wrong));
    return true;
  }
  return false;
}

}  // namespace tutorial
