// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "experiment.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "03_tiled/convolve_tiled.hpp"
#include "04_constant_memory/convolve_constant.hpp"
#include "07_fft_convolution/best_convolution.hpp"
#include "07_fft_convolution/costs.hpp"
#include "07_fft_convolution/host/convolve_fft_all_cores.hpp"
#include "common/files/numbers.hpp"
#include "common/show/chart.hpp"

namespace tutorial {
namespace {

using align = text_table::align;
using cells = std::vector<std::pair<std::string, std::string>>;

constexpr auto float32 = element_type::float32;
constexpr auto full = convolution_mode::full;

std::string number(double value) { return std::isfinite(value) && value > 0 ? exact_digits(value) : ""; }

/// A version, and what its time grows with.
struct competitor {
  std::string chapter, name;
  bool sums;  ///< Makes the products: its time grows with them. The others' time grows with the outputs.
  bool on_host = false;
  /// "03 tiled"
  std::string label() const { return version_label(chapter, name); }
};

/// In the order of their columns.
const std::vector<competitor> competitors = {{"01", "gather", true, true},
                                             {"01", "all_cores", true, true},
                                             {"07", "fft_all_cores", false, true},
                                             {"02", "direct", true},
                                             {"03", "tiled", true},
                                             {"03", "warp_per_output", true},
                                             {"04", "constant", true},
                                             {"05", "shared", true},
                                             {"06", "register_tiled", true},
                                             {"07", "fft_from_scratch", false},
                                             {"07", "fft", false},
                                             {"07", "fft_one_block", false},
                                             {"07", "overlap_save", false},
                                             {"07", "best", false}};

struct experiment_point {
  double at = 0;  ///< Samples or taps.
  convolution_table table;
  std::string chosen;
};

/// A version that one experiment goes on without.
struct absence {
  std::string name, label;
  double from = 0;  ///< The first point that it is not in.
  std::string reason;
};

struct experiment {
  std::string name;  ///< In the column "table" of the data.
  std::string unit;  ///< What `at` counts.
  std::vector<experiment_point> points = {};
  std::vector<absence> absences = {};
};

double time_of(const experiment_point& point, const std::string& version) {
  const version_row* row = point.table.find(version);
  return row ? row->time.median_ms : 0;
}

/// The fastest on the device of those that do not choose.
std::pair<std::string, double> fastest(const experiment_point& point) {
  std::pair<std::string, double> best{"", 0};
  for (const competitor& each : competitors) {
    const double ms = each.on_host || each.name == "best" ? 0 : time_of(point, each.name);
    if (ms > 0 && (best.second == 0 || ms < best.second)) best = {each.name, ms};
  }
  return best;
}

// A version that is far behind is left out, so that the others need not wait for minutes.
constexpr double patience_ms = 120, patience_ratio = 30;
// Of the device's memory, for the tiles of chapter 03.
constexpr std::size_t most_intermediate = std::size_t{8} << 30;

/// Why that version is not part of that work; empty if it is. `before` is the point before it, nullptr for
/// the first.
std::string reason_to_leave_out(convolution_demo& demo, const competitor& what, const convolution_work& work,
                                const experiment_point* before) {
  if (what.name == "fft_all_cores" && !has_kissfft())
    return "this program was built without kissfft (package libkissfft-dev)";
  if (what.name == "constant" && work.taps > max_constant_taps<float>)
    return "constant memory holds " + grouped(max_constant_taps<float>) + " taps";
  if (what.name == "tiled") {
    const std::size_t most = std::min(most_intermediate, demo.run().device().free_bytes / 4);
    if (tiled_intermediate_bytes<float>(work.samples, work.taps) > most)
      return "the intermediate would take more than " + bytes_text(double(most));
  }
  if (before == nullptr) return "";
  const convolution_work& last = before->table.work;
  const double growth = what.sums ? product_count(work.samples, work.taps, work.mode) / before->table.products
                                  : double(work.samples + work.taps) / double(last.samples + last.taps);
  const double ms = time_of(*before, what.name), least = fastest(*before).second;
  return ms * growth > patience_ms && ms > patience_ratio * least
             ? "it is more than " + grouped(std::size_t(patience_ratio)) +
                   " times slower than the fastest on the device, and would take more than " +
                   grouped(std::size_t(patience_ms)) + " ms"
             : "";
}

experiment run_experiment(convolution_demo& demo, const std::string& name, const std::string& unit,
                          const std::vector<convolution_work>& works) {
  experiment result{name, unit};
  for (const convolution_work& work : works) {
    const double at = double(unit == "taps" ? work.taps : work.samples);
    std::vector<std::string> present;
    for (const competitor& each : competitors) {
      const auto is_it = [&](const absence& one) { return one.name == each.name; };
      if (std::any_of(result.absences.begin(), result.absences.end(), is_it)) continue;
      const std::string reason =
          reason_to_leave_out(demo, each, work, result.points.empty() ? nullptr : &result.points.back());
      if (reason.empty())
        present.push_back(each.name);
      else
        result.absences.push_back({each.name, each.label(), at, reason});
    }
    result.points.push_back({at, demo.quiet_table(work, present),
                             choose_convolution(work.samples, work.taps, work.mode, work.type).short_text()});
  }
  return result;
}

void show_points(chapter_run& run, const std::string& heading, const experiment& what) {
  std::vector<text_table::column> columns = {{"samples"}, {"taps"}};
  for (const competitor& each : competitors) columns.push_back({each.label()});
  columns.insert(columns.end(), {{"of the fastest"}, {"chosen", align::left}});
  text_table text(columns);
  for (const experiment_point& point : what.points) {
    const convolution_work& work = point.table.work;
    std::vector<std::string> row = {grouped(work.samples), grouped(work.taps)};
    cells data = {
        {"table", what.name}, {"samples", std::to_string(work.samples)}, {"taps", std::to_string(work.taps)}};
    for (const competitor& each : competitors) {
      const double ms = time_of(point, each.name);
      row.push_back(ms > 0 ? milliseconds(ms) : "-");
      data.emplace_back(each.name + "_ms", number(ms));
    }
    const auto [winner, least] = fastest(point);
    const double best = time_of(point, "best");
    row.push_back(best > 0 && least > 0 ? fixed(best / least, 2) : "-");
    row.push_back(point.chosen);
    data.insert(data.end(), {{"fastest", winner},
                             {"fastest_ms", number(least)},
                             {"of_fastest", least > 0 ? number(best / least) : ""},
                             {"chosen", point.chosen}});
    text.add_row(row);
    run.record(data);
  }
  run.show(heading, text);
  for (const absence& each : what.absences) {
    const bool never = each.from == what.points.front().at;
    run.say(each.label + " is left out" +
            (never ? "" : " at " + grouped(std::size_t(each.from)) + " " + what.unit + " and above") + ": " +
            each.reason);
    run.record({{"table", what.name + "_left_out"},
                {"label", each.label},
                {"from", std::to_string(std::size_t(each.from))},
                {"reason", each.reason}});
  }
  if (!what.absences.empty()) run.say();
}

/// Where `later` becomes faster than `earlier` and stays so: between two points of the experiment, as if both
/// were straight lines on logarithmic axes. Only points that have both count.
struct crossover {
  bool comparable = false;  ///< Some point has both.
  bool always = false;      ///< `later` is faster at all of them.
  double at = 0;            ///< 0 where that does not happen.

  /// To two digits: more is not known.
  double rounded() const { return std::stod(significant(at, 2)); }
  std::string text() const {
    if (!comparable) return "-";
    if (always) return "all";
    if (at <= 0) return "never";
    return rounded() < 100 ? significant(at, 2) : grouped(std::size_t(rounded()));
  }
};

crossover find_crossover(const experiment& what, const std::string& earlier, const std::string& later) {
  crossover found;
  double at_before = 0, before = 0;
  for (const experiment_point& point : what.points) {
    if (time_of(point, earlier) <= 0 || time_of(point, later) <= 0) continue;
    const double lead = std::log(time_of(point, earlier) / time_of(point, later));
    if (!found.comparable)
      found.comparable = true, found.always = lead > 0;
    else if (lead <= 0)
      found.always = false, found.at = 0;
    else if (before <= 0)
      found.at = std::exp(std::log(at_before) + before / (before - lead) * std::log(point.at / at_before));
    at_before = point.at, before = lead;
  }
  return found;
}

void show_crossovers(chapter_run& run, const experiment& what) {
  std::vector<text_table::column> columns = {{"faster with at least this many " + what.unit, align::left}};
  for (const competitor& earlier : competitors)
    if (earlier.sums) columns.push_back({"than " + earlier.label()});
  text_table text(columns);
  for (const competitor& later : competitors) {
    if (later.sums || later.name == "best") continue;
    std::vector<std::string> row = {later.label()};
    cells data = {{"table", what.name + "_crossovers"}, {"label", later.label()}};
    for (const competitor& earlier : competitors) {
      if (!earlier.sums) continue;
      const crossover found = find_crossover(what, earlier.name, later.name);
      row.push_back(found.text());
      data.emplace_back("than_" + earlier.name, found.comparable && !found.always && found.at >= 100
                                                    ? std::to_string(std::size_t(found.rounded()))
                                                    : found.text());
    }
    text.add_row(row);
    run.record(data);
  }
  run.show("Crossovers, from the table above", text);
}

chart experiment_chart(const chapter_run& run, const experiment& what, const std::string& title,
                       axis_scale scale, const std::string& seen) {
  chart picture{.title = title + " on " + run.device().name,
                .description = "Time of one convolution, logarithmic, against " + what.unit + ": " + seen,
                .x = {what.unit, scale},
                .y = {"time (ms)", axis_scale::log10},
                .names = chart_names::legend};
  for (const competitor& each : competitors) {
    if (each.name == "best") continue;  // its line would hide another one
    chart_series series{.name = each.label()};
    for (const experiment_point& point : what.points)
      if (time_of(point, each.name) > 0) series.points.push_back({point.at, time_of(point, each.name)});
    if (!series.points.empty()) picture.series.push_back(series);
  }
  return picture;
}

/// The emulated device has no times: the operations that the model counts.
void show_operations(chapter_run& run, const std::string& heading,
                     const std::vector<convolution_work>& works) {
  text_table text({{"samples"},
                   {"taps"},
                   {"02 and 06: sums"},
                   {"03 warp_per_output"},
                   {"07 fft_one_block"},
                   {"07 overlap_save"},
                   {"chosen", align::left}});
  for (const convolution_work& work : works) {
    const convolution_choice choice =
        choose_convolution(work.samples, work.taps, work.mode, work.type, counted_operations());
    const double outputs = double(output_length(work.samples, work.taps, work.mode));
    const auto each = [&](convolution_method method) { return significant(choice.cost(method) / outputs); };
    text.add_row({grouped(work.samples), grouped(work.taps), each(convolution_method::register_tiled),
                  each(convolution_method::warp_per_output), each(convolution_method::fft_one_block),
                  each(convolution_method::overlap_save), choice.short_text()});
  }
  run.show(heading, text);
}

// --- the whole grid ----------------------------------------------------------------------------------------

struct grid {
  element_type type;
  std::vector<std::size_t> samples, taps;
};

/// Is what is chosen as fast as the fastest, for short and long signals, few taps and many? With whole
/// numbers and doubles, too, at fewer points.
void show_grid(convolution_demo& demo, const grid& what) {
  chapter_run& run = demo.run();
  std::vector<text_table::column> columns = {{"samples"}};
  for (const std::size_t taps : what.taps) columns.push_back({grouped(taps) + " taps", align::left});
  text_table shares(columns), choices(columns);
  const std::string type(name(what.type));
  for (const std::size_t samples : what.samples) {
    std::vector<std::string> share_row = {grouped(samples)}, choice_row = share_row;
    cells share_cells = {{"table", "grid_of_fastest"}, {"type", type}, {"samples", std::to_string(samples)}};
    cells choice_cells = {{"table", "grid_chosen"}, {"type", type}, {"samples", std::to_string(samples)}};
    for (const std::size_t taps : what.taps) {
      const convolution_work work{"grid", what.type, samples, taps, full};
      std::vector<std::string> present;
      for (const competitor& each : competitors) {
        const bool rounds = each.chapter == "07" && each.name != "best";
        if (each.on_host || each.name == "fft_from_scratch" || (rounds && what.type == element_type::int32))
          continue;
        if (reason_to_leave_out(demo, each, work, nullptr).empty()) present.push_back(each.name);
      }
      const convolution_choice choice = choose_convolution(samples, taps, full, what.type);
      const experiment_point point{double(taps), demo.quiet_table(work, present), choice.short_text()};
      const auto [winner, least] = fastest(point);
      const double best = time_of(point, "best");
      const double chosen = time_of(point, name(choice.method).substr(3));  // "02 direct" is version "direct"
      cells data = {{"table", "grid"},
                    {"type", type},
                    {"samples", std::to_string(samples)},
                    {"taps", std::to_string(taps)}};
      for (const competitor& each : competitors)
        data.emplace_back(each.name + "_ms", number(time_of(point, each.name)));
      data.insert(data.end(), {{"chosen", point.chosen},
                               {"chosen_ms", number(chosen)},
                               {"expected_ms", number(choice.cost(choice.method) * 1e-3)},
                               {"fastest", winner},
                               {"fastest_ms", number(least)},
                               {"of_fastest", least > 0 ? number(best / least) : ""}});
      run.record(data);
      share_row.push_back(least > 0 ? fixed(best / least, 2) : "-");
      choice_row.push_back(point.chosen);
      share_cells.emplace_back("taps_" + std::to_string(taps), least > 0 ? number(best / least) : "");
      choice_cells.emplace_back("taps_" + std::to_string(taps), point.chosen);
    }
    shares.add_row(share_row), choices.add_row(choice_row);
    run.record(share_cells), run.record(choice_cells);
  }
  run.show("07 best, full, " + type + ": its time over that of the fastest other version on the device",
           shares);
  run.show("07 best, full, " + type + ": what it chooses", choices);
}

void show_grids(convolution_demo& demo) {
  const auto powers = [](int from, int to, int step) {
    std::vector<std::size_t> lengths;
    for (int log2_samples = from; log2_samples <= to; log2_samples += step)
      lengths.push_back(std::size_t{1} << log2_samples);
    return lengths;
  };
  show_grid(demo, {float32, powers(8, 22, 2), {5, 17, 65, 257, 1025, 4097}});
  show_grid(demo, {element_type::float64, powers(10, 22, 4), {17, 65, 257, 1025}});
  show_grid(demo, {element_type::int32, powers(10, 22, 4), {17, 65, 257, 1025}});
}

std::vector<convolution_work> works_against_taps() {
  std::vector<convolution_work> works;
  for (const std::size_t taps : {5, 17, 33, 65, 129, 257, 385, 513, 1025, 2049, 4097, 16385})
    works.push_back({"taps", float32, std::size_t{1} << 24, taps, full});
  return works;
}

std::vector<convolution_work> works_against_length() {
  std::vector<convolution_work> works;
  for (int log2_samples = 5; log2_samples <= 24; ++log2_samples)
    works.push_back({"length", float32, std::size_t{1} << log2_samples, 1025, full});
  return works;
}

/// Signal and filter of equal length, as S1 of docs/then_and_now.md has them.
std::vector<convolution_work> works_of_equal_lengths() {
  std::vector<convolution_work> works;
  for (std::size_t n = 0; n < 10; ++n)
    works.push_back({"equal", float32, 1000 * n + 10, 1000 * n + 10, full});
  return works;
}

}  // namespace

void show_experiment(convolution_demo& demo) {
  chapter_run& run = demo.run();
  if (demo.emulated()) {
    show_operations(run, "Operations per output, against taps", works_against_taps());
    show_operations(run, "Operations per output, against length", works_against_length());
    show_operations(run, "Operations per output, signal and filter of equal length",
                    works_of_equal_lengths());
    run.say("Times, their crossovers and the pictures need a GPU; the lesson shows them.\n");
    return;
  }
  if (!run.options().long_tables && run.options().picture.empty()) {
    run.say("All versions of all chapters against taps and length take minutes: --long shows them.\n");
    return;
  }
  const experiment taps = run_experiment(demo, "taps", "taps", works_against_taps());
  show_points(run, "Times in ms against taps, full, float", taps);
  show_crossovers(run, taps);
  const experiment lengths = run_experiment(demo, "length", "samples", works_against_length());
  show_points(run, "Times in ms against length, full, float", lengths);
  show_crossovers(run, lengths);
  const experiment equal = run_experiment(demo, "equal", "samples", works_of_equal_lengths());
  show_points(run, "Signal and filter of equal length: times in ms", equal);
  show_crossovers(run, equal);
  show_grids(demo);
  if (run.failed()) return;
  run.draw(experiment_chart(run, taps, "2^24 samples", axis_scale::log2,
                            "the times of direct versions rise with the taps, and the times of transforms "
                            "hardly rise."));
  run.draw(experiment_chart(
               run, lengths, "1025 taps", axis_scale::log2,
               "the times of short signals grow little, and the times of long signals grow with the length."),
           "length");
  run.draw(experiment_chart(run, equal, "Signal and filter of equal length", axis_scale::linear,
                            "the times of direct versions rise, and the times of transforms hardly rise."),
           "equal");
}

}  // namespace tutorial
