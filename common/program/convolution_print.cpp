// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "convolution_print.hpp"

#include <algorithm>

#include "common/files/numbers.hpp"
#include "common/show/counts_table.hpp"

namespace tutorial {
namespace {

using align = text_table::align;

// The unit in which all rows of a table are compared: bytes or operations a second.
struct rate_unit {
  std::string title;
  double amount = 0;  // bytes or operations, in units of the title, times 1e-3: divide by milliseconds
};

double bytes_moved(const convolution_table& table) {
  return double(table.work.samples + table.work.taps + table.outputs) * double(size_of(table.work.type));
}

// Where no limit was measured (nothing runs on a device), a long filter is taken for bound by arithmetic.
bool bound_by_arithmetic(const convolution_table& table) {
  return table.limit_ms > 0 ? table.fma_ms > table.copy_ms : table.work.taps >= 32;
}

rate_unit unit_of(const convolution_table& table) {
  if (!bound_by_arithmetic(table)) return {"GB/s", bytes_moved(table) * 1e-6};
  const bool integer = table.work.type == element_type::int32;
  // A table of the CPU alone would show hundredths of a tera.
  if (table.limit_ms == 0) return {integer ? "Gop/s" : "GFLOP/s", 2 * table.products * 1e-6};
  return {integer ? "Top/s" : "TFLOP/s", 2 * table.products * 1e-9};
}

std::string heading(const convolution_table& table) {
  const convolution_work& work = table.work;
  std::string text = work.title + "  '" + std::string(name(work.mode)) + "', " + grouped(work.taps) +
                     (work.taps == 1 ? " tap, " : " taps, ") + grouped(work.samples) + " " +
                     std::string(name(work.type));
  if (work.offset > 0) text += ", from element " + grouped(work.offset) + " on";
  if (table.limit_ms > 0) {
    text.resize(std::max<std::size_t>(text.size() + 2, 60), ' ');
    text += std::string("limit: ") + (bound_by_arithmetic(table) ? "arithmetic" : "one copy") + ", " +
            milliseconds(table.limit_ms) + " ms";
  }
  return text;
}

std::string range(const timing& time) {
  return "(" + milliseconds(time.min_ms) + " .. " + milliseconds(time.max_ms) + ")";
}

std::string rate(const rate_unit& unit, double ms) { return ms > 0 ? significant(unit.amount / ms) : "-"; }

std::string skipped_text(const convolution_table& table) {
  return "skipped: " + grouped(std::uint64_t(table.products)) + " products take this version too long";
}

text_table times_table(const convolution_table& table) {
  const rate_unit unit = unit_of(table);
  const bool limits = table.limit_ms > 0;
  std::vector<text_table::column> columns = {
      {"version", align::left}, {"median ms"}, {"(min .. max)"}, {unit.title}};
  if (limits) columns.push_back({"of limit"});
  columns.push_back({"verified", align::left});
  text_table text(columns);
  const auto add = [&](std::vector<std::string> cells, const std::string& of_limit,
                       const std::string& verified) {
    if (limits) cells.push_back(of_limit);
    cells.push_back(verified);
    text.add_row(std::move(cells));
  };
  for (const convolution_row& row : table.rows) {
    if (row.skipped)
      text.add_row({row.label, skipped_text(table)});
    else
      add({row.label, milliseconds(row.time.median_ms), range(row.time), rate(unit, row.time.median_ms)},
          row.of_limit > 0 ? percent(row.of_limit) : "-", describe(row.verified));
  }
  if (limits)
    add({bound_by_arithmetic(table) ? "limit: multiply-adds from registers" : "limit: plain copy",
         milliseconds(table.limit_ms), "", rate(unit, table.limit_ms)},
        "100 %", "");
  if (table.copies_ms > 0) add({"copies there and back", milliseconds(table.copies_ms), "", ""}, "", "");
  return text;
}

std::string ratio(double numerator, double denominator) {
  return denominator > 0 ? fixed(numerator / denominator, 2) : "-";
}

// Columns for shared memory and barriers appear where a version uses them.
text_table counts_table(const convolution_table& table) {
  const auto shared_requests = [](const launch_counts& counts) {
    return counts.shared_load_requests + counts.shared_store_requests;
  };
  const auto any = [&](auto count) {
    return std::any_of(table.rows.begin(), table.rows.end(),
                       [&](const convolution_row& row) { return count(row.counts) > 0; });
  };
  const bool shared = any(shared_requests);
  const bool barriers = any([](const launch_counts& counts) { return counts.barriers; });

  std::vector<text_table::column> columns = {
      {"version", align::left}, {"loads/output"}, {"bytes/output"}, {"sectors/request"}};
  if (shared) columns.push_back({"wavefronts/request"});
  if (barriers) columns.push_back({"barriers/block"});
  columns.push_back({"verified", align::left});
  text_table text(columns);
  for (const convolution_row& row : table.rows) {
    if (row.skipped) {
      text.add_row({row.label, skipped_text(table)});
      continue;
    }
    const launch_counts& counts = row.counts;
    const double outputs = row.launches.empty() ? 0 : double(table.outputs);
    std::vector<std::string> cells = {
        row.label, ratio(double(counts.global_loads), outputs),
        ratio(double(counts.global_load_bytes + counts.global_store_bytes), outputs),
        ratio(double(counts.global_load_sectors), double(counts.global_load_requests))};
    if (shared)
      cells.push_back(ratio(double(counts.shared_load_wavefronts + counts.shared_store_wavefronts),
                            double(shared_requests(counts))));
    if (barriers) cells.push_back(ratio(double(counts.barriers), blocks(row.launches)));
    cells.push_back(describe(row.verified));
    text.add_row(std::move(cells));
  }
  return text;
}

}  // namespace

void print(chapter_run& run, const convolution_table& table) {
  const bool counted = run.device().emulated && std::any_of(table.rows.begin(), table.rows.end(),
                                                            [](const auto& row) { return row.on_device; });
  const bool processor = run.device().emulated && !counted;  // nothing of the device is in this table
  run.show(heading(table) + (processor ? ": times of this processor" : ""),
           counted ? counts_table(table) : times_table(table));
  if (!run.options().counts) return;
  if (std::all_of(table.rows.begin(), table.rows.end(), [](const auto& row) { return row.launches.empty(); }))
    run.say(nothing_counted);
  for (const convolution_row& row : table.rows)
    if (!row.launches.empty()) run.say(row.label + "\n" + counts_text(row.launches, 3));
}

void explain(chapter_run& run, const convolution_chapter_parts& parts, const convolution_table& table) {
  if (!run.options().explain) return;
  std::string choosers;
  bool explained = false;
  for (const convolution_variant& each : parts.variants) {
    if (!each.explain) continue;
    choosers += (choosers.empty() ? "" : ", ") + each.name;
    if (!table.find(each.name)) continue;
    run.say(each.label + ": " + each.explain(table.work) + "\n");
    explained = true;
  }
  if (!explained) run.say("Nothing to explain: --explain is for what chooses, --variant " + choosers + "\n");
}

void record(chapter_run& run, const convolution_table& table, const std::string& chapter_number) {
  const convolution_work& work = table.work;
  const auto number = [](double value) { return value > 0 ? exact_digits(value) : ""; };
  for (const convolution_row& row : table.rows) {
    std::vector<std::pair<std::string, std::string>> cells = {
        {"chapter", chapter_number},
        {"work", work.title},
        {"variant", row.variant},
        {"label", row.label},
        {"device", row.on_device ? run.device().name : "CPU"},
        {"type", std::string(name(work.type))},
        {"mode", std::string(name(work.mode))},
        {"samples", std::to_string(work.samples)},
        {"taps", std::to_string(work.taps)},
        {"offset", std::to_string(work.offset)},
        {"outputs", std::to_string(table.outputs)},
        {"products", exact_digits(table.products)},
        {"median_ms", number(row.time.median_ms)},
        {"min_ms", number(row.time.min_ms)},
        {"max_ms", number(row.time.max_ms)},
        {"repeats", row.time.repeats > 0 ? std::to_string(row.time.repeats) : ""},
        {"GB_per_s", number(row.time.median_ms > 0 ? bytes_moved(table) * 1e-6 / row.time.median_ms : 0)},
        {"TFLOP_per_s", number(row.time.median_ms > 0 ? 2e-9 * table.products / row.time.median_ms : 0)},
        {"copy_limit_ms", number(table.copy_ms)},
        {"fma_limit_ms", number(table.fma_ms)},
        {"of_limit", number(row.of_limit)},
        {"copies_ms", number(table.copies_ms)},
        {"status", row.skipped    ? "skipped"
                   : row.verified ? "verified"
                                  : "wrong"},
        {"worst_error", row.skipped ? "" : exact_digits(row.verified.worst_error)},
        {"worst_bound", row.skipped ? "" : exact_digits(row.verified.worst_bound)}};
    if (!row.launches.empty()) {
      const auto counts = counts_cells(row.counts);
      cells.insert(cells.end(), counts.begin(), counts.end());
      cells.emplace_back("blocks", exact_digits(blocks(row.launches)));
    }
    run.record(cells);
  }
}

}  // namespace tutorial
