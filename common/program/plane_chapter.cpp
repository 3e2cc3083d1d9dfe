// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "plane_chapter.hpp"

#include <algorithm>
#include <iterator>
#include <map>

#include "common/device/limits.hpp"
#include "common/files/numbers.hpp"
#include "common/show/console.hpp"
#include "common/show/counts_table.hpp"

namespace tutorial {
namespace {

using align = text_table::align;

// What a version moves is seldom known to fewer bytes than a table can show.
std::string bytes_per_pixel(double bytes, const plane_work& work) {
  return significant(bytes / work.pixels()) + " bytes/pixel";
}

std::string skipped_text(const plane_work& work) {
  return "skipped: " + grouped(std::uint64_t(work.pixels())) + " pixels take this version too long";
}

std::string ratio(double numerator, double denominator) {
  return denominator > 0 ? fixed(numerator / denominator, 2) : "-";
}

std::string rate(double amount, double ms) { return amount > 0 && ms > 0 ? significant(amount / ms) : "-"; }

bool any_on_device(const plane_table& table) {
  return std::any_of(table.rows.begin(), table.rows.end(),
                     [](const plane_row& row) { return row.on_device; });
}

std::string heading(const plane_table& table) {
  const plane_work& work = table.work;
  return work.title + "  " + grouped(std::uint64_t(work.width)) + " x " +
         grouped(std::uint64_t(work.height)) + " pixels, " + work.type;
}

// One limit for each amount of bytes that a row is held against.
text_table times_table(const plane_table& table) {
  std::map<double, double> limits;  // bytes, milliseconds
  for (const plane_row& row : table.rows)
    if (row.copy_ms > 0) limits[row.bytes] = row.copy_ms;
  std::vector<text_table::column> columns = {
      {"version", align::left}, {"median ms"}, {"(min .. max)"}, {"GB/s"}, {"Gpixel/s"}};
  if (!limits.empty()) columns.push_back({"of limit"});
  columns.push_back({"verified", align::left});
  text_table text(columns);
  const auto add = [&](const std::string& label, const timing& time, double bytes,
                       const std::string& of_limit, const std::string& verified) {
    const std::string range =
        time.min_ms > 0 ? "(" + milliseconds(time.min_ms) + " .. " + milliseconds(time.max_ms) + ")" : "";
    std::vector<std::string> cells = {label, time.median_ms > 0 ? milliseconds(time.median_ms) : "-", range,
                                      rate(bytes * 1e-6, time.median_ms),
                                      rate(table.work.pixels() * 1e-6, time.median_ms)};
    if (!limits.empty()) cells.push_back(of_limit);
    cells.push_back(verified);
    text.add_row(std::move(cells));
  };
  for (const plane_row& row : table.rows) {
    if (row.skipped)
      text.add_row({row.label, skipped_text(table.work)});
    else
      add(row.label, row.time, row.bytes, row.of_limit > 0 ? percent(row.of_limit) : "-",
          describe(row.verified));
  }
  for (const auto& [bytes, ms] : limits)
    add("limit: plain copy, " + bytes_per_pixel(bytes, table.work), {.median_ms = ms}, bytes, "100 %", "");
  if (table.copies_ms > 0) add("copies there and back", {.median_ms = table.copies_ms}, 0, "", "");
  return text;
}

// Columns appear where a version uses what they count.
text_table counts_table(const plane_table& table) {
  const double pixels = table.work.pixels();
  const auto shared_requests = [](const launch_counts& c) {
    return double(c.shared_load_requests + c.shared_store_requests);
  };
  const auto global_requests = [](const launch_counts& c) {
    return double(c.global_load_requests + c.global_store_requests);
  };
  struct column {
    std::string title;
    std::function<double(const plane_row&)> amount, per;
    bool always = false;
  };
  const auto each_pixel = [&](const plane_row& row) { return row.launches.empty() ? 0 : pixels; };
  const std::vector<column> all = {
      {"loads/pixel", [](auto& r) { return double(r.counts.global_loads); }, each_pixel, true},
      {"fetches/pixel", [](auto& r) { return double(r.counts.texture_fetches); }, each_pixel},
      {"bytes/pixel",
       [](auto& r) { return double(r.counts.global_load_bytes + r.counts.global_store_bytes); }, each_pixel,
       true},
      {"sectors/request",
       [](auto& r) { return double(r.counts.global_load_sectors + r.counts.global_store_sectors); },
       [&](auto& r) { return global_requests(r.counts); }, true},
      {"constants/request", [](auto& r) { return double(r.counts.constant_addresses); },
       [](auto& r) { return double(r.counts.constant_requests); }},
      {"wavefronts/request",
       [](auto& r) { return double(r.counts.shared_load_wavefronts + r.counts.shared_store_wavefronts); },
       [&](auto& r) { return shared_requests(r.counts); }},
      {"barriers/block", [](auto& r) { return double(r.counts.barriers); },
       [](auto& r) { return blocks(r.launches); }}};
  std::vector<const column*> used;
  std::vector<text_table::column> columns = {{"version", align::left}};
  for (const column& each : all) {
    if (!each.always && std::none_of(table.rows.begin(), table.rows.end(),
                                     [&](const plane_row& row) { return each.amount(row) > 0; }))
      continue;
    used.push_back(&each);
    columns.push_back({each.title});
  }
  columns.push_back({"verified", align::left});
  text_table text(columns);
  for (const plane_row& row : table.rows) {
    if (row.skipped) {
      text.add_row({row.label, skipped_text(table.work)});
      continue;
    }
    std::vector<std::string> cells = {row.label};
    for (const column* each : used) cells.push_back(ratio(each->amount(row), each->per(row)));
    cells.push_back(describe(row.verified));
    text.add_row(std::move(cells));
  }
  return text;
}

plane_row make_row(const plane_variant& variant, bool timed) {
  plane_row row{.variant = variant.name, .label = variant.label};
  row.on_device = variant.on_device;
  row.bytes = variant.bytes;
  row.launches = count_launches([&] { variant.launch(0); });
  row.counts = sum(row.launches);
  row.verified = variant.verify();
  if (!timed || !row.verified) return row;  // a wrong version has no time worth telling
  const auto launch = [&](int i) { variant.launch(i % variant.sets); };
  row.time = variant.on_device ? measure(launch) : measure_host(launch);
  return row;
}

}  // namespace

std::string describe(const plane_verification& verified) {
  return describe(verified.found) + (verified.remark.empty() ? "" : ", " + verified.remark);
}

const plane_row* plane_table::find(std::string_view variant) const {
  const auto at = std::find_if(rows.begin(), rows.end(),
                               [&](const plane_row& row) { return row.variant == variant && !row.skipped; });
  return at == rows.end() ? nullptr : &*at;
}

plane_table measure_planes(chapter_run& run, const plane_work& work,
                           const std::vector<plane_variant>& variants, const std::function<void()>& copies) {
  plane_table table{.work = work};
  std::vector<const plane_variant*> chosen;
  bool on_device = false;
  for (const plane_variant& each : variants)
    if (run.wants(each.name)) {
      chosen.push_back(&each);
      on_device = on_device || each.on_device;
    }
  // Beside the counts of an emulated device times would be taken for a GPU's.
  const bool timed = !run.device().emulated || !on_device;
  progress progress(work.title, chosen.size() + 1);
  std::map<double, double> copy_ms;  // by the bytes moved
  for (const plane_variant* variant : chosen) {
    progress.step(variant->label);
    if (work.pixels() > variant->max_pixels) {
      table.rows.push_back({.variant = variant->name, .label = variant->label, .skipped = true});
      continue;
    }
    table.rows.push_back(make_row(*variant, timed));
    plane_row& row = table.rows.back();
    if (row.on_device && row.time.median_ms > 0) {
      if (!copy_ms.contains(row.bytes))
        copy_ms[row.bytes] = copy_limit(std::size_t(row.bytes / 2)).time.median_ms;
      row.copy_ms = copy_ms[row.bytes];
      row.of_limit = row.copy_ms / row.time.median_ms;
    }
    if (!row.verified) run.fail(work.title + ", " + row.label + ": " + describe(row.verified));
  }
  if (timed && on_device && copies) {
    progress.step("copies");
    table.copies_ms = measure_host([&](int) { copies(); }).median_ms;
  }
  return table;
}

void print(chapter_run& run, const plane_table& table) {
  const bool counted = run.device().emulated && any_on_device(table);
  const bool processor = run.device().emulated && !counted;  // nothing of the device is in this table
  run.show(heading(table) + (processor ? ": times of this processor" : ""),
           counted ? counts_table(table) : times_table(table));
  if (!run.options().counts) return;
  if (std::all_of(table.rows.begin(), table.rows.end(), [](const auto& row) { return row.launches.empty(); }))
    run.say(nothing_counted);
  for (const plane_row& row : table.rows)
    if (!row.launches.empty()) run.say(row.label + "\n" + counts_text(row.launches, 3));
}

void record(chapter_run& run, const plane_table& table, const std::string& chapter_number) {
  const plane_work& work = table.work;
  const auto number = [](double value) { return value > 0 ? exact_digits(value) : ""; };
  const auto per_ms = [&](double amount, double ms) { return number(ms > 0 ? amount * 1e-6 / ms : 0); };
  for (const plane_row& row : table.rows) {
    std::vector<std::pair<std::string, std::string>> cells = {
        {"chapter", chapter_number},
        {"work", work.title},
        {"variant", row.variant},
        {"label", row.label},
        {"device", row.on_device ? run.device().name : "CPU"},
        {"type", work.type},
        {"width", std::to_string(work.width)},
        {"height", std::to_string(work.height)},
        {"bytes", number(row.bytes)},
        {"median_ms", number(row.time.median_ms)},
        {"min_ms", number(row.time.min_ms)},
        {"max_ms", number(row.time.max_ms)},
        {"repeats", row.time.repeats > 0 ? std::to_string(row.time.repeats) : ""},
        {"GB_per_s", per_ms(row.bytes, row.time.median_ms)},
        {"Gpixel_per_s", per_ms(work.pixels(), row.time.median_ms)},
        {"copy_limit_ms", number(row.copy_ms)},
        {"of_limit", number(row.of_limit)},
        {"copies_ms", number(table.copies_ms)},
        {"status", row.skipped    ? "skipped"
                   : row.verified ? "verified"
                                  : "wrong"},
        {"worst_error", row.skipped ? "" : exact_digits(row.verified.found.worst_error)},
        {"worst_bound", row.skipped ? "" : exact_digits(row.verified.found.worst_bound)},
        {"remark", row.verified.remark}};
    if (!row.launches.empty()) {
      const auto counts = counts_cells(row.counts);
      cells.insert(cells.end(), counts.begin(), counts.end());
      cells.emplace_back("blocks", exact_digits(blocks(row.launches)));
    }
    run.record(cells);
  }
}

plane_table show_planes(chapter_run& run, const std::string& chapter_number, const plane_work& work,
                        const std::vector<plane_variant>& variants, const std::function<void()>& copies) {
  plane_table table = measure_planes(run, work, variants, copies);
  if (table.rows.empty()) return table;
  print(run, table);
  record(run, table, chapter_number);
  return table;
}

plane_presentation as_tables(chapter_run& run, const std::string& chapter_number) {
  return [&run, chapter_number](const auto& work, const auto& variants, const auto& copies) {
    show_planes(run, chapter_number, work, variants, copies);
  };
}

plane_presentation as_points(chapter_run& run, size_sweep& sizes) {
  return [&run, &sizes](const plane_work& work, const std::vector<plane_variant>& variants, const auto&) {
    std::vector<plane_variant> on_device;
    std::copy_if(variants.begin(), variants.end(), std::back_inserter(on_device),
                 [](const plane_variant& each) { return each.on_device; });
    const plane_table table = measure_planes(run, work, on_device);
    if (!table.rows.empty()) sizes.add_limit("copy", work.pixels(), table.rows.front().copy_ms);
    for (const plane_row& row : table.rows) sizes.add(row.label, work.pixels(), row.time.median_ms);
  };
}

}  // namespace tutorial
