// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "own_signals.hpp"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <stdexcept>

#include "common/files/array_file.hpp"
#include "common/files/numbers.hpp"
#include "common/show/console.hpp"
#include "common/show/counts_table.hpp"
#include "common/verify/inputs.hpp"
#include "signal_task.hpp"

namespace tutorial {
namespace {

// "4,096 samples, -0.31 .. 1.02, 3 of them NaN"
template <class T>
std::string summary(const std::vector<T>& values, const std::string& unit) {
  double least = HUGE_VAL, most = -HUGE_VAL;
  std::size_t nan = 0, infinite = 0;
  for (const T value : values) {
    if (std::isnan(double(value)))
      ++nan;
    else if (std::isinf(double(value)))
      ++infinite;
    else
      least = std::min(least, double(value)), most = std::max(most, double(value));
  }
  std::string text = grouped(values.size()) + " " + unit + (values.size() == 1 ? "" : "s") + " of " +
                     std::string(name(element_type_of<T>()));
  if (least <= most) {
    char range[60];
    std::snprintf(range, sizeof range, ", %.6g .. %.6g", least, most);
    text += range;
  }
  if (nan != 0) text += ", " + grouped(nan) + " NaN";
  if (infinite != 0) text += ", " + grouped(infinite) + " infinite";
  return text;
}

// The system would promise the memory, and end the program when it is used.
void require_memory(double samples, double taps, element_type type) {
  const double outputs = samples + taps;
  const double needed = double(size_of(type)) * 4 * (samples + outputs) + 8 * outputs;
  const double present = double(sysconf(_SC_PHYS_PAGES)) * double(sysconf(_SC_PAGE_SIZE));
  if (needed > present)
    throw input_error("this takes about " + bytes_text(needed) + " of memory, and the machine has " +
                      bytes_text(present) + ": use a shorter signal");
}

// The line of progress is gone before anything is printed: both would share the last line of the terminal.
template <class Function>
auto with_progress(const std::string& what, Function&& function) {
  const progress line(what);
  return function();
}

template <class T>
std::vector<T> read_or_make(const std::filesystem::path& file, const std::function<std::vector<T>()>& make) {
  return with_progress("reading", [&] { return file.empty() ? make() : read_array_as<T>(file); });
}

// A table of several columns, or a decimal comma, is read as more numbers than its writer may have meant.
void remark_on_layout(chapter_run& run, const std::filesystem::path& file) {
  const std::string remark = file.empty() ? "" : layout_remark(file);
  if (!remark.empty()) run.say("         note: " + remark);
}

// describe(), but where the data hold NaN or infinities: from them a NaN comes more likely than from an
// output that nobody wrote.
template <class T>
std::string verdict(const agreement& verified, const convolution_version& version,
                    const detail::convolution_task<T>& task) {
  const auto strange = [](T value) { return !std::isfinite(double(value)); };
  const bool transforms = bool(std::get<rounding_rule<T>>(version.rounding));
  if (std::any_of(task.x.begin(), task.x.end(), strange) ||
      std::any_of(task.h.begin(), task.h.end(), strange))
    return describe(
        verified, transforms
                      ? "the data contains NaN or infinities, and a transform spreads them to other outputs; "
                        "chapters 02 to 06 do not"
                      : "the data contains NaN or infinities, and 0 times either is NaN, so a version "
                        "that multiplies ghosts spreads them");
  if (transforms && task.non_finite_outputs != 0)
    return describe(verified, grouped(task.non_finite_outputs) + " of the exact outputs are too large for " +
                                  std::string(name(element_type_of<T>())) +
                                  ", and a transform spreads NaN from there");
  return describe(verified);
}

// A transform's errors go with the largest outputs. For much smaller ones they can be larger than the output
// itself, and within their bound all the same.
template <class T>
void remark_on_digits(chapter_run& run, const detail::convolution_task<T>& task, const std::vector<T>& y) {
  std::size_t lost = 0;
  double largest = 0;
  for (std::size_t i = 0; i < task.bound.size(); ++i) {
    const double expected = double(task.expected[i]), error = std::abs(double(y[i]) - expected);
    if (expected == 0 || error <= task.bound[i] || !(2 * error > std::abs(expected))) continue;
    ++lost;
    largest = std::max(largest, std::abs(expected));
  }
  if (lost == 0) return;
  run.say("         note: " + grouped(lost) + " of " + grouped(y.size()) + " outputs, none above " +
          significant(largest, 2) + ", have no correct digit: a");
  run.say("         transform's errors are proportional to the largest outputs. Chapters 02 to 06");
  run.say("         don't have this problem");
}

// Runs and verifies; `y` receives the result.
template <class T>
version_row make_row(chapter_run& run, const convolution_version& version,
                     const detail::convolution_task<T>& task, std::vector<T>& y) {
  version_row row{.name = version.name, .label = version.label(), .on_device = version.runs_on_device};
  detail::convolution_bench<T> bench(task, 0, false);
  const ready_version ready = bench.ready(version);
  try {
    const progress line(row.label);
    ready.prepare();
    row.launches = count_launches([&] { ready.launch(0); });
    y = bench.result_of(version);
  } catch (
      const std::invalid_argument& refused) {  // the data are the reader's, and so is the choice of version
    throw input_error(row.label + ": " + refused.what());
  }
  row.verified = task.verify(version, y);
  row.counts = sum(row.launches);
  run.say("'" + std::string(name(task.mode)) + "'   " + row.label + ": " + summary(y, "output"));
  if (task.non_finite_outputs != 0)
    run.say("         " + grouped(task.non_finite_outputs) +
            " outputs of the reference are NaN or infinite: there the result must be the same");
  run.say("verified against the serial definition: " + verdict(row.verified.found, version, task));
  if (row.verified && std::get<rounding_rule<T>>(version.rounding)) remark_on_digits(run, task, y);
  return row;
}

template <class T>
void convolve(chapter_run& run, const convolution_chapter_parts& parts, const convolution_version& version) {
  const chapter_options& options = run.options();
  const auto source = [](const std::filesystem::path& file, std::uint64_t seed) {
    return file.empty() ? "random (seed " + std::to_string(seed) + ")" : file.string();
  };
  require_memory(double(options.length.value_or(0)), double(options.taps.value_or(0)), element_type_of<T>());
  auto x = read_or_make<T>(options.signal, [&] { return random_signal<T>(*options.length, options.seed); });
  auto h = read_or_make<T>(options.filter,
                           [&] { return random_taps<T>(options.taps.value_or(5), options.seed + 1); });
  require_memory(double(x.size()), double(h.size()), element_type_of<T>());
  run.say("signal   " + source(options.signal, options.seed) + ": " + summary(x, "sample"));
  remark_on_layout(run, options.signal);
  run.say("filter   " + source(options.filter, options.seed + 1) + ": " + summary(h, "tap"));
  remark_on_layout(run, options.filter);

  const auto task = with_progress("reference", [&] {
    return detail::make_task<T>(std::move(x), std::move(h), options.mode, parts.reference,
                                non_finite::must_agree);
  });
  std::vector<T> y;
  const convolution_work work{"own data", element_type_of<T>(), task.x.size(), task.h.size(), task.mode};
  const convolution_table table = one_row_table(work, task.outputs(), make_row(run, version, task, y));
  const version_row& row = table.rows.back();
  explain(run, parts, work, table);
  record(run, table, parts.number);
  if (options.counts) run.say(row.launches.empty() ? nothing_counted : counts_text(row.launches, 3));

  if (!row.verified)
    return run.fail(row.label + ": " + verdict(row.verified.found, version, task) + ". Nothing was written");
  if (options.output.empty()) return;
  with_progress("writing", [&] { write_array<T>(options.output, y); });
  run.say("written  " + options.output.string());
}

}  // namespace

own_data convolved_signals() {
  return {.of = own_data::kind::signal,
          .input = "The signal: .npy, .txt or .csv",
          .output = "Where the result goes: .npy, .txt or .csv",
          .examples = {"--signal my.npy --taps 9 --mode same --output smooth.npy"}};
}

void convolve_own_data(chapter_run& run, const convolution_chapter_parts& parts) {
  const chapter_options& options = run.options();
  const std::string& wanted = options.variant.empty() ? parts.default_version : options.variant;
  const auto version = std::find_if(parts.versions.begin(), parts.versions.end(),
                                    [&](const convolution_version& each) { return each.name == wanted; });
  if (version == parts.versions.end())  // a part of the demo that is no version of the convolution
    throw usage_error("'" + wanted + "' does not compute a convolution: choose another --variant");
  const element_type type = options.type             ? *options.type
                            : options.signal.empty() ? element_type::float64
                                                     : stored_type(options.signal);
  if (!version->supports(type))
    throw usage_error("'" + wanted + "' does not compute " + std::string(name(type)) +
                      (type == element_type::int32 && std::get<rounding_rule<double>>(version->rounding)
                           ? ", because it rounds, and whole numbers must stay exact"
                           : "") +
                      ": choose another --type or --variant");
  with_type(type, [&]<class T>(T) { convolve<T>(run, parts, *version); });
}

}  // namespace tutorial
