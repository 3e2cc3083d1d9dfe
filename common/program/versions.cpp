// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "versions.hpp"

#include <algorithm>

#include "common/files/numbers.hpp"
#include "common/show/console.hpp"
#include "common/show/counts_table.hpp"

namespace tutorial {
namespace {

using align = text_table::align;

std::string range(const timing& time) {
  return time.min_ms > 0 ? "(" + milliseconds(time.min_ms) + " .. " + milliseconds(time.max_ms) + ")" : "";
}

std::string quotient(double amount, double per, bool as_rate) {
  if (per <= 0 || (as_rate && amount <= 0)) return "-";
  return as_rate ? significant(amount / per) : fixed(amount / per, 2);
}

bool any_on_device(const version_table& table) {
  return std::any_of(table.rows.begin(), table.rows.end(), [](const auto& row) { return row.on_device; });
}

std::string skipped_text(const version_table& table) {
  return "skipped: " + table.too_large + " take this version too long";
}

text_table times_table(const version_table& table) {
  std::vector<text_table::column> columns = {{"version", align::left}, {"median ms"}, {"(min .. max)"}};
  for (const version_column& each : table.rates) columns.push_back({each.title});
  if (!table.limits.empty()) columns.push_back({"of limit"});
  columns.push_back({"verified", align::left});
  text_table text(columns);
  const auto add = [&](const version_row& row, const std::string& of_limit, const std::string& verified) {
    std::vector<std::string> cells = {
        row.label, row.time.median_ms > 0 ? milliseconds(row.time.median_ms) : "-", range(row.time)};
    for (const version_column& each : table.rates)
      cells.push_back(quotient(each.amount(row), row.time.median_ms, true));
    if (!table.limits.empty()) cells.push_back(of_limit);
    cells.push_back(verified);
    text.add_row(std::move(cells));
  };
  for (const version_row& row : table.rows) {
    if (row.skipped)
      text.add_row({row.label, skipped_text(table)});
    else
      add(row, row.of_limit > 0 ? percent(row.of_limit) : "-", describe(row.verified));
  }
  for (const version_row& limit : table.limits) add(limit, "100 %", "");
  if (table.copies_ms > 0) text.add_row({"copies there and back, pageable", milliseconds(table.copies_ms)});
  if (table.pinned_copies_ms > 0)
    text.add_row({"copies there and back, pinned", milliseconds(table.pinned_copies_ms)});
  return text;
}

text_table counts_table(const version_table& table) {
  std::vector<const version_column*> used;
  std::vector<text_table::column> columns = {{"version", align::left}};
  for (const version_column& each : table.counts) {
    if (!each.always && std::none_of(table.rows.begin(), table.rows.end(),
                                     [&](const version_row& row) { return each.amount(row) > 0; }))
      continue;
    used.push_back(&each);
    columns.push_back({each.title});
  }
  columns.push_back({"verified", align::left});
  text_table text(columns);
  for (const version_row& row : table.rows) {
    if (row.skipped) {
      text.add_row({row.label, skipped_text(table)});
      continue;
    }
    std::vector<std::string> cells = {row.label};
    for (const version_column* each : used)
      cells.push_back(quotient(each->amount(row), each->per(row), false));
    cells.push_back(describe(row.verified));
    text.add_row(std::move(cells));
  }
  return text;
}

version_row make_row(const ready_version& version, bool timed) {
  version_row row{.name = version.name, .label = version.label};
  row.on_device = version.on_device;
  row.bytes = version.bytes;
  row.skipped = version.too_large;
  if (row.skipped) return row;
  if (version.prepare) version.prepare();
  row.launches = count_launches([&] { version.launch(0); }, version.counted);
  row.counts = sum(row.launches);
  row.verified = version.verify();
  if (!timed || !row.verified) return row;  // a wrong version has no time worth telling
  const auto launch = [&](int i) { version.launch(i % version.sets); };
  row.time = version.on_device ? measure(launch) : measure_host(launch);
  return row;
}

}  // namespace

std::string describe(const verification& verified) {
  return describe(verified.found) + (verified.remark.empty() ? "" : ", " + verified.remark);
}

const version_row* version_table::find(std::string_view name) const {
  const auto at = std::find_if(rows.begin(), rows.end(),
                               [&](const version_row& row) { return row.name == name && !row.skipped; });
  return at == rows.end() ? nullptr : &*at;
}

std::vector<version_column> count_columns(const std::string& unit, double units, bool stores_too) {
  using row = version_row;
  const auto each_unit = [units](const row& r) { return r.launches.empty() ? 0 : units; };
  const auto of_stores = [stores_too](std::uint64_t count) { return stores_too ? double(count) : 0; };
  std::vector<version_column> columns = {
      {"loads/" + unit, [](const row& r) { return double(r.counts.global_loads); }, each_unit, true},
      {"fetches/" + unit, [](const row& r) { return double(r.counts.texture_fetches); }, each_unit},
      {"bytes/" + unit,
       [](const row& r) { return double(r.counts.global_load_bytes + r.counts.global_store_bytes); },
       each_unit, true},
      {"sectors/request",
       [=](const row& r) {
         return double(r.counts.global_load_sectors) + of_stores(r.counts.global_store_sectors);
       },
       [=](const row& r) {
         return double(r.counts.global_load_requests) + of_stores(r.counts.global_store_requests);
       },
       true},
      {"wavefronts/request",
       [](const row& r) {
         return double(r.counts.shared_load_wavefronts + r.counts.shared_store_wavefronts);
       },
       [](const row& r) { return double(r.counts.shared_load_requests + r.counts.shared_store_requests); }},
      {"barriers/block", [](const row& r) { return double(r.counts.barriers); },
       [](const row& r) { return blocks(r.launches); }}};
  if (stores_too)
    columns.insert(columns.begin() + 4,
                   {"constants/request", [](const row& r) { return double(r.counts.constant_addresses); },
                    [](const row& r) { return double(r.counts.constant_requests); }});
  return columns;
}

bool times_mean_something(const chapter_run& run, const std::vector<ready_version>& versions) {
  return !run.device().emulated ||
         std::none_of(versions.begin(), versions.end(), [](const auto& each) { return each.on_device; });
}

void run_versions(chapter_run& run, version_table& table, const std::vector<ready_version>& versions,
                  const std::function<double(const ready_version&)>& limit) {
  const bool timed = times_mean_something(run, versions);
  progress progress(table.title, versions.size());
  for (const ready_version& version : versions) {
    progress.step(version.label);
    version_row row = make_row(version, timed);
    if (row.on_device && row.time.median_ms > 0) {
      row.limit_ms = limit(version);
      row.of_limit = row.limit_ms / row.time.median_ms;
    }
    if (!row.skipped && !row.verified) {
      progress.hide();
      run.fail("work " + table.title + ", " + row.label + ": " + describe(row.verified));
    }
    table.rows.push_back(std::move(row));
  }
}

void print(chapter_run& run, const version_table& table) {
  const bool counted = run.device().emulated && any_on_device(table);
  const bool processor = run.device().emulated && !counted;  // nothing of the device is in this table
  run.show(table.heading + (processor ? ": times of this processor" : ""),
           counted ? counts_table(table) : times_table(table));
  if (!run.options().counts) return;
  if (std::all_of(table.rows.begin(), table.rows.end(), [](const auto& row) { return row.launches.empty(); }))
    run.say(nothing_counted);
  for (const version_row& row : table.rows)
    if (!row.launches.empty()) run.say(row.label + "\n" + counts_text(row.launches, 3));
}

std::string measured_figure(double value) { return value > 0 ? exact_digits(value) : ""; }

void record(chapter_run& run, const version_table& table, const std::string& chapter_number) {
  for (const version_row& row : table.rows) {
    csv_cells cells = {{"chapter", chapter_number},
                       {"work", table.title},
                       {"variant", row.name},
                       {"label", row.label},
                       {"device", row.on_device ? run.device().name : "CPU"}};
    const auto add = [&](const csv_cells& more) { cells.insert(cells.end(), more.begin(), more.end()); };
    add(table.described);
    add({{"median_ms", measured_figure(row.time.median_ms)},
         {"min_ms", measured_figure(row.time.min_ms)},
         {"max_ms", measured_figure(row.time.max_ms)},
         {"repeats", row.time.repeats > 0 ? std::to_string(row.time.repeats) : ""}});
    add(table.measured(row));
    add({{"of_limit", measured_figure(row.of_limit)},
         {"copies_ms", measured_figure(table.copies_ms)},
         {"pinned_copies_ms", measured_figure(table.pinned_copies_ms)},
         {"status", row.skipped    ? "skipped"
                    : row.verified ? "verified"
                                   : "wrong"},
         {"worst_error", row.skipped ? "" : exact_digits(row.verified.found.worst_error)},
         {"worst_bound", row.skipped ? "" : exact_digits(row.verified.found.worst_bound)},
         {"remark", row.verified.remark}});
    if (!row.launches.empty()) {
      add(counts_cells(row.counts));
      add({{"blocks", exact_digits(blocks(row.launches))}});
    }
    run.record(cells);
  }
}

}  // namespace tutorial
