// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "tables.hpp"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <string>
#include <utility>

#include "01_serial_definition/convolve_serial.hpp"
#include "06_register_tiling/convolve_register_tiled.hpp"
#include "06_register_tiling/window_place.hpp"
#include "common/device/limits.hpp"
#include "common/files/numbers.hpp"
#include "common/show/chart.hpp"
#include "common/verify/inputs.hpp"

namespace tutorial {
namespace {

using align = text_table::align;

constexpr auto float32 = element_type::float32;
constexpr auto float64 = element_type::float64;
constexpr auto full = convolution_mode::full;
constexpr auto same = convolution_mode::same;

// --- works ---

/// Where both limits meet on a current GPU.
convolution_work work_between(bool emulated) {
  if (emulated) return {"65 taps, reduced", float32, 20'000, 65, full};
  return {"65 taps", float32, std::size_t{1} << 24, 65, full};
}

// --- sizes ---

/// The short filters at 10,000,000 samples, and two that no cache can help; then long ones; then numbers that
/// are not round, and arrays that do not begin where vectors do.
std::vector<convolution_work> sizes_for_times() {
  const std::size_t ten_million = 10'000'000, large = std::size_t{1} << 28, usual = std::size_t{1} << 24;
  return {{"A", float64, ten_million, 5, same},
          {"A, float", float32, ten_million, 5, same},
          {"A, 2^28", float64, large, 5, same},
          {"A, 2^28 float", float32, large, 5, same},
          {"3 taps", float64, ten_million - 1, 3, same},
          {"4 taps", float32, ten_million - 1, 4, same},
          {"7 taps", float32, ten_million + 1, 7, same},
          {"9 taps", float64, ten_million + 3, 9, same},
          {"A, offset", float64, ten_million, 5, same, 1},
          {"A, float, offset", float32, ten_million, 5, same, 1},
          {"65 taps", float32, usual, 65, full},
          {"63 taps", float32, usual + 1, 63, full},
          {"66 taps", float32, usual - 3, 66, full},
          {"65 taps, offset", float32, usual, 65, full, 1},
          {"B", float32, usual, 1025, full},
          {"B, double", float64, usual, 1025, full},
          {"1000 taps", float32, usual + 1, 1000, full},
          {"1031 taps", float32, usual - 3, 1031, full},
          {"B, offset", float32, usual, 1025, full, 1},
          {"4097 taps", float32, usual, 4097, full}};
}

std::vector<convolution_work> sizes_for_counts() {
  return {{"A, float", float32, 20'000, 5, same},
          {"3 taps", float64, 9'999, 3, same},
          {"4 taps", float32, 19'999, 4, same},
          {"9 taps", float64, 10'003, 9, same},
          {"A, float, offset", float32, 20'000, 5, same, 1},
          {"63 taps", float32, 4'097, 63, full},
          {"66 taps", float32, 4'093, 66, full},
          {"65 taps, offset", float32, 4'096, 65, full, 1}};
}

/// Signal, output, reference, bound and their copies: on the device and on the host.
bool has_room(const chapter_run& run, const convolution_work& work) {
  const double bytes = double(work.samples) * double(size_of(work.type));
  const double host = double(sysconf(_SC_PHYS_PAGES)) * double(sysconf(_SC_PAGESIZE));
  return 3 * bytes < double(run.device().free_bytes) && 12 * bytes < host;
}

void record_size(chapter_run& run, const convolution_table& table, const version_row& row,
                 const std::string& kernel) {
  run.record({{"table", "sizes"},
              {"work", table.work.title},
              {"variant", row.name},
              {"kernel", kernel},
              {"type", std::string(name(table.work.type))},
              {"mode", std::string(name(table.work.mode))},
              {"samples", std::to_string(table.work.samples)},
              {"taps", std::to_string(table.work.taps)},
              {"offset", std::to_string(table.work.offset)},
              {"median_ms", row.time.median_ms > 0 ? exact_digits(row.time.median_ms) : ""},
              {"min_ms", row.time.median_ms > 0 ? exact_digits(row.time.min_ms) : ""},
              {"max_ms", row.time.median_ms > 0 ? exact_digits(row.time.max_ms) : ""},
              {"limit_ms", table.limit_ms > 0 ? exact_digits(table.limit_ms) : ""},
              {"of_limit", row.of_limit > 0 ? exact_digits(row.of_limit) : ""},
              {"of_copy", row.time.median_ms > 0 ? exact_digits(table.copy_ms / row.time.median_ms) : ""},
              {"loads_per_output", exact_digits(table.loads_per_unit(row))},
              {"status", row.verified ? "verified" : "wrong"}});
}

// --- roofline ---

double operations(const convolution_table& table) { return 2 * table.products; }

/// What every version has to move at least: each input read once, each output written once.
double bytes_to_move(const convolution_table& table) {
  return double(table.work.samples + table.work.taps + table.outputs) * double(size_of(table.work.type));
}

double intensity(const convolution_table& table) { return operations(table) / bytes_to_move(table); }

/// In units of 10^12 operations per second.
double tera(const convolution_table& table, double ms) { return operations(table) / ms * 1e-9; }

/// The rate of tensor cores for the table's type, in units of 10^12 operations per second; 0 for none.
double tensor_tera(const convolution_table& table) {
  static const double for_double = tensor_limit<double>() * 1e-12, for_float = tensor_limit<float>() * 1e-12;
  return table.work.type == element_type::float64   ? for_double
         : table.work.type == element_type::float32 ? for_float
                                                    : 0;
}

/// The labels of all rows, by chapter.
std::vector<std::string> versions(const std::vector<convolution_table>& tables) {
  std::vector<std::string> labels;
  for (const convolution_table& table : tables)
    for (const version_row& row : table.rows)
      if (!row.skipped && std::find(labels.begin(), labels.end(), row.label) == labels.end())
        labels.push_back(row.label);
  std::stable_sort(labels.begin(), labels.end(),
                   [](const auto& a, const auto& b) { return a.substr(0, 2) < b.substr(0, 2); });
  return labels;
}

const version_row* row_of(const convolution_table& table, const std::string& label) {
  for (const version_row& row : table.rows)
    if (row.label == label && !row.skipped) return &row;
  return nullptr;
}

/// "65 taps" -> "65_taps_TFLOP_per_s": a column of the CSV.
std::string column_of(const convolution_table& table, const std::string& quantity) {
  std::string name = table.work.title + "_" + quantity;
  std::replace(name.begin(), name.end(), ' ', '_');
  return name;
}

void show_roofline_table(chapter_run& run, const std::vector<convolution_table>& tables) {
  std::vector<text_table::column> columns = {{"version", align::left}};
  for (const convolution_table& table : tables)
    columns.insert(columns.end(), {{table.work.title}, {"of roof"}});
  text_table text(columns);

  // One row: what it is called, and for each work a figure with its share of the roof; none where that is not
  // positive.
  const auto add = [&](const std::string& label, const auto& value, const auto& of_roof) {
    std::vector<std::string> cells = {label};
    std::vector<std::pair<std::string, std::string>> data = {{"table", "roofline"}, {"label", label}};
    for (const convolution_table& table : tables) {
      const double figure = value(table), share = of_roof(table);
      cells.push_back(figure > 0 ? significant(figure) : "-");
      cells.push_back(share > 0 ? percent(share) : "");
      data.emplace_back(column_of(table, "TFLOP_per_s"), figure > 0 ? exact_digits(figure) : "");
      data.emplace_back(column_of(table, "of_roof"), share > 0 ? exact_digits(share) : "");
    }
    text.add_row(cells);
    run.record(data);
  };
  const auto nothing = [](const convolution_table&) { return 0.0; };
  add("operations per byte", intensity, nothing);
  add(
      "memory roof", [](const auto& table) { return tera(table, table.copy_ms); }, nothing);
  add(
      "FMA roof", [](const auto& table) { return tera(table, table.fma_ms); }, nothing);
  add("tensor roof", tensor_tera, nothing);
  for (const std::string& label : versions(tables)) {
    const auto timed = [&](const convolution_table& table) {
      const version_row* row = row_of(table, label);
      return row && row->time.median_ms > 0 ? row : nullptr;
    };
    add(
        label,
        [&](const auto& table) { return timed(table) ? tera(table, timed(table)->time.median_ms) : 0; },
        [&](const auto& table) { return timed(table) ? timed(table)->of_limit : 0; });
  }
  run.show("Roofline: TFLOP/s of each version, and of the roof above it", text);
}

chart roofline_chart(const chapter_run& run, const std::vector<convolution_table>& tables) {
  double memory = 0;  // in units of 10^12 bytes per second
  std::map<element_type, double> arithmetic, tensor;
  for (const convolution_table& table : tables) {
    memory = std::max(memory, bytes_to_move(table) / table.copy_ms * 1e-9);
    arithmetic[table.work.type] = tera(table, table.fma_ms);
    if (tensor_tera(table) > 0) tensor[table.work.type] = tensor_tera(table);
  }
  double peak = 0, lowest = 1e30, least = 1e30, most = 0;
  for (const auto& [type, rate] : arithmetic) peak = std::max(peak, rate);
  for (const auto& [type, rate] : tensor) peak = std::max(peak, rate);
  chart what{
      .title = "What each version reaches on " + run.device().name,
      .description =
          "Operations per second against operations per byte that has to move. A rising line is the "
          "memory roof, flat ones are the roofs of multiply-adds and of tensor cores, and each version of "
          "chapters 02 to 06 is a point below them.",
      .x = {"operations per byte that has to move", axis_scale::log10},
      .y = {"TFLOP/s", axis_scale::log10},
      .names = chart_names::at_every_point};
  for (const convolution_table& table : tables) {
    least = std::min(least, intensity(table));
    most = std::max(most, intensity(table));
    const std::string taps = grouped(table.work.taps) + " taps";
    what.marks.push_back({intensity(table), (table.work.title == taps ? "" : table.work.title + ": ") + taps +
                                                ", " + std::string(name(table.work.type))});
  }
  for (const std::string& label : versions(tables)) {
    chart_series series{.name = {}, .line = false};
    for (const convolution_table& table : tables) {
      const version_row* row = row_of(table, label);
      // register_tiled would cover the version that it has chosen.
      if (!row || row->time.median_ms <= 0 || (row->name == "register_tiled" && table.rows.size() > 1))
        continue;
      series.name = label;
      series.points.push_back({intensity(table), tera(table, row->time.median_ms)});
      lowest = std::min(lowest, series.points.back().y);
    }
    if (!series.points.empty()) what.series.push_back(series);
  }
  // Room at the right for the names of the last column.
  const double low = least / 3, high = most * 20;
  what.x.low = low;
  what.x.high = high;
  what.y.low = std::min(lowest / 1.6, low * memory);
  what.y.high = peak * 1.6;
  what.references.push_back(
      {"memory roof, " + significant(memory) + " TB/s", {low, low * memory}, {peak / memory, peak}});
  // Roofs that are nearly as high share a line, or their labels would cover each other.
  std::map<double, std::string, std::greater<>> flat;
  const auto add_flat = [&](const std::string& label, double rate) {
    for (auto& [other, labels] : flat)
      if (std::abs(rate / other - 1) < 0.05) {
        labels += "; " + label;
        return;
      }
    flat[rate] = label;
  };
  for (const auto& [type, rate] : arithmetic) add_flat(std::string(name(type)) + " FMA", rate);
  for (const auto& [type, rate] : tensor)
    add_flat(type == element_type::float32 ? "tf32 tensor" : std::string(name(type)) + " tensor", rate);
  for (const auto& [rate, labels] : flat)
    what.references.push_back({labels, {rate / memory, rate}, {high, rate}});
  return what;
}

/// One row per version, one column per work: numerator / denominator of each.
template <class Numerator, class Denominator>
text_table ratios(const std::string& title, const std::vector<convolution_table>& tables,
                  const Numerator& numerator, const Denominator& denominator) {
  std::vector<text_table::column> columns = {{title, align::left}};
  for (const convolution_table& table : tables) columns.push_back({table.work.title});
  text_table text(columns);
  for (const std::string& label : versions(tables)) {
    std::vector<std::string> cells = {label};
    for (const convolution_table& table : tables) {
      const version_row* row = row_of(table, label);
      const double below = row ? double(denominator(row->counts)) : 0;
      cells.push_back(below > 0 ? fixed(numerator(table) / below, 2) : "-");
    }
    text.add_row(cells);
  }
  return text;
}

void show_counted_ratios(chapter_run& run, const std::vector<convolution_table>& tables) {
  run.show("Products per load of a thread, from global or shared memory",
           ratios(
               "version", tables, [](const auto& table) { return table.products; },
               [](const launch_counts& counts) { return counts.global_loads + counts.shared_loads; }));
  text_table asked = ratios("version", tables, operations, [](const launch_counts& counts) {
    return counts.global_load_bytes + counts.global_store_bytes;
  });
  std::vector<std::string> to_move = {"bytes that have to move"};
  for (const convolution_table& table : tables) to_move.push_back(fixed(intensity(table), 2));
  asked.add_row(to_move);
  run.show("Operations per byte of global memory that threads ask for", asked);
  run.say(
      "A roofline needs speeds, which the emulated device does not have; the lesson shows one of a GPU.\n");
}

}  // namespace

std::vector<convolution_table> show_works(convolution_demo& demo) {
  const std::vector<std::string> in_all = {
      "direct",         "warp_per_output",  "constant_loaded",   "shared",
      "shared_chunked", "register_blocked", "constant_operands", "register_tiled"};
  std::vector<std::string> short_filters = in_all, medium_filters = in_all, long_filters = in_all;
  short_filters.insert(short_filters.end(), {"prefetched", "vectors"});
  medium_filters.push_back("prefetched");
  long_filters.push_back("shared_loaded");
  // A warp for each of work A's outputs would keep the emulated device busy for as long as all the rest.
  if (demo.emulated()) std::erase(short_filters, "warp_per_output");
  return {demo.table(demo.work_a(), short_filters), demo.table(work_between(demo.emulated()), medium_filters),
          demo.table(demo.work_b(), long_filters)};
}

void show_sizes(convolution_demo& demo, const std::vector<convolution_table>& tables) {
  if (!demo.emulated() && !demo.run().options().long_tables) {
    demo.say(
        "Other lengths, types, numbers of taps and alignments take most of a minute: --long shows them.\n");
    return;
  }
  chapter_run& run = demo.run();
  const bool counted = demo.emulated();
  std::vector<text_table::column> columns = {
      {"work", align::left}, {"taps"}, {"samples"}, {"type", align::left}, {"kernel", align::left}};
  if (counted)
    columns.insert(columns.end(), {{"loads/output"}, {"bytes/output"}, {"sectors/request"}});
  else
    columns.insert(columns.end(), {{"median ms"}, {"limit ms"}, {"of limit"}});
  columns.push_back({"verified", align::left});
  text_table text(columns);
  std::string without_room;
  for (const convolution_work& work : counted ? sizes_for_counts() : sizes_for_times()) {
    if (!counted && !has_room(run, work)) {
      without_room += (without_room.empty() ? "" : ", ") + work.title;
      continue;
    }
    const auto known = std::find_if(tables.begin(), tables.end(), [&](const convolution_table& each) {
      return each.work.title == work.title && each.find("register_tiled");
    });
    const convolution_table table =
        known != tables.end() ? *known : demo.quiet_table(work, {"register_tiled"});
    if (table.rows.empty()) return;  // --variant wants another one
    const version_row& row = *table.find("register_tiled");
    const std::string kernel(register_tiled_choice(work.samples, work.taps, work.type));
    const launch_counts& counts = row.counts;
    const auto ratio = [](double part, double whole) { return whole > 0 ? fixed(part / whole, 2) : "-"; };
    std::vector<std::string> cells = {work.title, grouped(work.taps), grouped(work.samples),
                                      std::string(name(work.type)), kernel};
    if (counted)
      cells.insert(
          cells.end(),
          {ratio(double(counts.global_loads), double(table.outputs)),
           ratio(double(counts.global_load_bytes + counts.global_store_bytes), double(table.outputs)),
           ratio(double(counts.global_load_sectors), double(counts.global_load_requests))});
    else
      cells.insert(cells.end(), {milliseconds(row.time.median_ms), milliseconds(table.limit_ms),
                                 row.of_limit > 0 ? percent(row.of_limit) : "-"});
    cells.push_back(row.verified ? "yes" : describe(row.verified));
    text.add_row(cells);
    record_size(run, table, row, kernel);
  }
  run.show("One function for all: other lengths, types and alignments (offset: not where vectors begin)",
           text);
  if (!without_room.empty()) run.say("   Left out, because memory is short here: " + without_room + "\n");
}

void show_kernels(chapter_run& run) {
  if (!run.options().variant.empty()) return;
  if (run.device().emulated) {
    run.say(
        "Registers and occupancy are a GPU's; the emulated device has none. "
        "The chapter's more.md shows them.\n");
    return;
  }
  text_table text({{"kernel", align::left},
                   {"type", align::left},
                   {"registers"},
                   {"spilled bytes"},
                   {"shared bytes"},
                   {"threads"},
                   {"blocks at a time"},
                   {"warps at a time"}});
  for (const element_type type : {float32, float64})
    with_type(type, [&]<class T>(T) {
      for (const kernel_facts& facts : register_tiled_kernels<T>()) {
        const int warps = facts.blocks_per_multiprocessor * facts.threads_per_block / 32;
        text.add_row({facts.kernel, std::string(name(type)), std::to_string(facts.registers),
                      std::to_string(facts.local_bytes), grouped(std::uint64_t(facts.shared_bytes)),
                      std::to_string(facts.threads_per_block),
                      std::to_string(facts.blocks_per_multiprocessor), std::to_string(warps)});
        run.record({{"table", "kernels"},
                    {"kernel", facts.kernel},
                    {"type", std::string(name(type))},
                    {"registers", std::to_string(facts.registers)},
                    {"local_bytes", std::to_string(facts.local_bytes)},
                    {"shared_bytes", std::to_string(facts.shared_bytes)},
                    {"threads_per_block", std::to_string(facts.threads_per_block)},
                    {"blocks_per_multiprocessor", std::to_string(facts.blocks_per_multiprocessor)},
                    {"warps_per_multiprocessor", std::to_string(warps)}});
      }
    });
  run.show("What the compiler made of the kernels, and how much of it a multiprocessor holds", text);
}

void show_window_places(chapter_run& run) {
  if (!run.options().variant.empty()) return;
  const std::size_t samples = run.device().emulated ? 3000 : std::size_t{1} << 24;
  const std::size_t taps = run.device().emulated ? 35 : 257;
  // Small whole numbers: every sum is exact.
  const auto host_x = random_whole_numbers<float>(samples, 1, 100);
  const auto host_h = random_whole_numbers<float>(taps, 2, 100);
  std::vector<float> expected(samples + taps - 1);
  convolve_all_cores<float>(host_x, host_h, expected, full);
  const device_buffer<float> x(host_x), h(host_h);

  text_table text({{"window", align::left},
                   {"registers"},
                   {"bytes of local memory"},
                   {"median ms"},
                   {"verified", align::left}});
  for (const window_place place : {window_place::registers, window_place::local_memory}) {
    device_buffer<float> y(expected.size());
    convolve_with_window_in(place, x, h, y);
    const agreement verified = compare<float>(y.to_host(), expected);
    const kernel_facts facts = window_facts(place);
    if (!verified) run.fail("window " + facts.kernel + ": " + describe(verified));
    if (run.device().emulated) continue;
    const timing time = measure([&](int) { convolve_with_window_in(place, x, h, y); });
    text.add_row({facts.kernel, std::to_string(facts.registers), std::to_string(facts.local_bytes),
                  milliseconds(time.median_ms), describe(verified)});
    run.record({{"table", "window"},
                {"kernel", facts.kernel},
                {"registers", std::to_string(facts.registers)},
                {"local_bytes", std::to_string(facts.local_bytes)},
                {"median_ms", exact_digits(time.median_ms)},
                {"min_ms", exact_digits(time.min_ms)},
                {"max_ms", exact_digits(time.max_ms)}});
  }
  if (!text.empty())
    run.show("One loop not unrolled: 'full', " + grouped(taps) + " taps, " + grouped(samples) + " float",
             text);
}

void show_roofline(chapter_run& run, const std::vector<convolution_table>& tables) {
  if (run.device().emulated) return show_counted_ratios(run, tables);
  show_roofline_table(run, tables);
  if (!versions(tables).empty() && !run.failed()) run.draw(roofline_chart(run, tables));
}

}  // namespace tutorial
