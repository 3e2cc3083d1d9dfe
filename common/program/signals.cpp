// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "signals.hpp"

#include <algorithm>
#include <iterator>
#include <memory>
#include <span>
#include <stdexcept>
#include <utility>

#include "common/device/limits.hpp"
#include "common/device/pinned_buffer.hpp"
#include "common/files/numbers.hpp"
#include "common/show/console.hpp"
#include "common/verify/inputs.hpp"
#include "own_signals.hpp"
#include "signal_task.hpp"
#include "size_sweep.hpp"

namespace tutorial {
namespace {

// Measured once per run of the program: it depends on nothing else.
template <class T>
double fma_rate() {
  static const double rate = fma_limit<T>();
  return rate;
}

// Signal and filter there, output back, once from and to ordinary (pageable) memory of the host and once from
// and to page-locked (pinned) memory, in which a program has had its data from the beginning.
template <class T>
void measure_copies(const detail::convolution_task<T>& task, convolution_table& table) {
  device_buffer<T> x(task.x.size()), h(task.h.size()), y(task.outputs());
  const auto time = [&](std::span<const T> from_x, std::span<const T> from_h, std::span<T> to_y) {
    return measure_host([&](int) {
             x.copy_from(from_x);
             h.copy_from(from_h);
             check(cudaMemcpy(to_y.data(), y.data(), to_y.size_bytes(), cudaMemcpyDeviceToHost));
           })
        .median_ms;
  };
  std::vector<T> pageable_y(task.outputs());
  table.copies_ms = time(task.x, task.h, pageable_y);
  const pinned_buffer<T> pinned_x(task.x), pinned_h(task.h);
  pinned_buffer<T> pinned_y(task.outputs());
  table.pinned_copies_ms = time(pinned_x.span(), pinned_h.span(), pinned_y.span());
}

// Where no limit was measured (nothing runs on a device), a long filter is taken for bound by arithmetic.
bool bound_by_arithmetic(const convolution_table& table) {
  return table.limit_ms > 0 ? table.fma_ms > table.copy_ms : table.work.taps >= 32;
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

// The unit in which all rows of a table are compared: bytes or operations a second.
version_column rate_column(const convolution_table& table) {
  if (!bound_by_arithmetic(table)) return {"GB/s", [](const auto& row) { return row.bytes * 1e-6; }, {}};
  // A table of the CPU alone would show hundredths of a tera.
  const double amount = 2 * table.products * (table.limit_ms == 0 ? 1e-6 : 1e-9);
  const bool integer = table.work.type == element_type::int32;
  return {std::string(table.limit_ms == 0 ? "G" : "T") + (integer ? "op/s" : "FLOP/s"),
          [amount](const auto&) { return amount; },
          {}};
}

// What is known of the table before any version has run.
void describe_work(convolution_table& table) {
  const convolution_work& work = table.work;
  table.title = work.title;
  table.heading = heading(table);
  table.too_large = grouped(std::uint64_t(table.products)) + " products";
  table.units = double(table.outputs);
  table.rates = {rate_column(table)};
  table.counts = count_columns("output", table.units, false);
  table.described = {{"type", std::string(name(work.type))},    {"mode", std::string(name(work.mode))},
                     {"samples", std::to_string(work.samples)}, {"taps", std::to_string(work.taps)},
                     {"offset", std::to_string(work.offset)},   {"outputs", std::to_string(table.outputs)},
                     {"products", exact_digits(table.products)}};
  const double operations = 2e-9 * table.products;
  table.measured = [operations, copy_ms = table.copy_ms, fma_ms = table.fma_ms](const version_row& row) {
    const auto rate = [&](double amount) {
      return measured_figure(row.time.median_ms > 0 ? amount / row.time.median_ms : 0);
    };
    return csv_cells{{"GB_per_s", rate(row.bytes * 1e-6)},
                     {"TFLOP_per_s", rate(operations)},
                     {"copy_limit_ms", measured_figure(copy_ms)},
                     {"fma_limit_ms", measured_figure(fma_ms)}};
  };
}

template <class T>
convolution_table make_table(chapter_run& run, const convolution_work& work,
                             const std::vector<convolution_version>& versions,
                             const for_each_type<host_convolution>& reference, bool with_copies) {
  const auto task = [&] {
    progress line(work.title + ": reference");
    return detail::make_task<T>(random_signal<T>(work.samples), random_taps<T>(work.taps), work.mode,
                                reference);
  }();
  const bool emulated = run.device().emulated;
  const bool on_device =
      std::any_of(versions.begin(), versions.end(), [](const auto& each) { return each.runs_on_device; });
  detail::convolution_bench<T> bench(task, work.offset, !emulated || !on_device);
  std::vector<ready_version> ready;
  for (const convolution_version& each : versions) ready.push_back(bench.ready(each));

  convolution_table table;
  table.work = work;
  table.outputs = task.outputs();
  table.products = product_count(work.samples, work.taps, work.mode);
  if (!emulated && on_device) {
    progress line(work.title + ": limits");
    table.copy_ms = copy_limit(task.bytes() / 2).time.median_ms;  // reads one half and writes the other
    table.fma_ms = 2 * table.products / fma_rate<T>() * 1e3;
    table.limit_ms = std::max(table.copy_ms, table.fma_ms);
    table.limits = {
        {.label = bound_by_arithmetic(table) ? "limit: multiply-adds from registers" : "limit: plain copy",
         .bytes = double(task.bytes()),
         .time = {.median_ms = table.limit_ms}}};
    if (with_copies) measure_copies(task, table);
  }
  describe_work(table);
  run_versions(run, table, ready, [&](const ready_version&) { return table.limit_ms; });
  return table;
}

}  // namespace

// An emulated device is thousands of times slower than a GPU: the same work, but less of it. What runs on the
// host alone runs at full size everywhere.
convolution_work convolution_demo::work_a() const {
  const bool reduced = emulated() && any_on_device(parts_);
  return {reduced ? "A, reduced" : "A", element_type::float64, reduced ? 100'000u : 10'000'000u, 5,
          convolution_mode::same};
}

convolution_work convolution_demo::work_b() const {
  const bool reduced = emulated() && any_on_device(parts_);
  return {reduced ? "B, reduced" : "B", element_type::float32, reduced ? 2048u : 1u << 24,
          reduced ? 257u : 1025u, convolution_mode::full};
}

convolution_table convolution_demo::compute(const convolution_work& work,
                                            const std::vector<std::string>& names, bool with_copies) {
  std::vector<convolution_version> chosen;
  for (const convolution_version& each : parts_.versions) {
    const bool named = names.empty() || std::find(names.begin(), names.end(), each.name) != names.end();
    if (named && wants(each.name) && each.supports(work.type)) chosen.push_back(each);
  }
  return with_type(work.type, [&]<class T>(T) {
    return make_table<T>(run_, work, chosen, parts_.reference, with_copies);
  });
}

convolution_table convolution_demo::table(const convolution_work& work,
                                          const std::vector<std::string>& names) {
  convolution_table result = compute(work, names, true);
  print(run_, result);
  explain(run_, parts_, work, result);
  record(run_, result, parts_.number);
  return result;
}

convolution_table convolution_demo::quiet_table(const convolution_work& work,
                                                const std::vector<std::string>& names) {
  return compute(work, names, false);
}

void convolution_demo::draw_sizes(
    const std::vector<std::string>& versions, const std::string& name,
    const std::function<bool(const std::string& version, const convolution_work& work)>& fits) {
  if (run_.options().picture.empty()) return;
  // A version that is out of the race may not hold up the others: the next size takes four times as long.
  constexpr double patience_ms = 100;
  const auto sweep = [&](const std::string& title, element_type type, std::size_t taps, convolution_mode mode,
                         std::size_t longest, const std::string& picture) {
    size_sweep sizes(title, parts_.number + " " + parts_.title + ": " + title, "samples");
    std::vector<std::string> present = versions;
    for (const std::size_t samples : growing_sizes(1024, longest)) {
      const convolution_work work{title, type, samples, taps, mode};
      std::erase_if(present,
                    [&](const std::string& each) { return !wants(each) || (fits && !fits(each, work)); });
      if (present.empty()) break;
      const convolution_table table = quiet_table(work, present);
      sizes.add_limit("copy", double(samples), table.copy_ms);
      for (const version_row& row : table.rows) {
        sizes.add(row.label, double(samples), row.time.median_ms);
        if (row.time.median_ms > patience_ms) std::erase(present, row.name);
      }
    }
    sizes.show(run_, picture);
  };
  sweep("5 taps, doubles", element_type::float64, 5, convolution_mode::same, std::size_t{1} << 26, name);
  sweep("1025 taps, floats", element_type::float32, 1025, convolution_mode::full, std::size_t{1} << 24,
        "long");
}

bool any_on_device(const convolution_chapter_parts& parts) {
  return std::any_of(parts.versions.begin(), parts.versions.end(),
                     [](const auto& each) { return each.runs_on_device; });
}

void explain(chapter_run& run, const convolution_chapter_parts& parts, const convolution_work& work,
             const version_table& table) {
  if (!run.options().explain) return;
  std::string choosers;
  bool explained = false;
  for (const convolution_version& each : parts.versions) {
    if (!each.explain) continue;
    choosers += (choosers.empty() ? "" : ", ") + each.name;
    if (!table.find(each.name)) continue;
    run.say(each.label() + ": " + each.explain(work) + "\n");
    explained = true;
  }
  if (!explained)
    run.say("Nothing to explain: --explain is only for versions that choose a method, as with --variant " +
            choosers + "\n");
}

convolution_table one_row_table(const convolution_work& work, std::size_t outputs, version_row row) {
  convolution_table table;
  table.work = work;
  table.outputs = outputs;
  table.products = product_count(work.samples, work.taps, work.mode);
  describe_work(table);
  table.rows.push_back(std::move(row));
  return table;
}

chapter convolution_chapter(convolution_chapter_parts given) {
  if (given.versions.empty()) throw std::invalid_argument("convolution_chapter: no versions");
  if (given.default_version.empty()) given.default_version = given.versions.back().name;
  // Shared, because the two functions below outlive this call.
  const auto parts = std::make_shared<const convolution_chapter_parts>(std::move(given));
  chapter result{.number = parts->number,
                 .name = parts->name,
                 .title = parts->title,
                 .next = parts->next,
                 .accepts = convolved_signals(),
                 .picture = parts->picture,
                 .has_long_tables = parts->has_long_tables,
                 .explains = std::any_of(parts->versions.begin(), parts->versions.end(),
                                         [](const auto& each) { return bool(each.explain); }),
                 .on_host = !any_on_device(*parts)};
  for (const convolution_version& each : parts->versions)
    result.variants.push_back({each.name, version_label(each.chapter, each.about)});
  result.variants.insert(result.variants.end(), parts->extras.begin(), parts->extras.end());
  result.demo = [parts](chapter_run& run) {
    convolution_demo demo(run, *parts);
    parts->demo(demo);
  };
  result.on_own_data = [parts](chapter_run& run) { convolve_own_data(run, *parts); };
  return result;
}

}  // namespace tutorial
