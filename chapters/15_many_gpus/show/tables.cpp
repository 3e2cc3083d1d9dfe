// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "tables.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "15_many_gpus/checks/broken.hpp"
#include "15_many_gpus/host/devices.hpp"
#include "15_many_gpus/host/scaling_model.hpp"
#include "15_many_gpus/nccl/exchange_price.hpp"
#include "15_many_gpus/versions.hpp"
#include "apart_tables.hpp"
#include "common/device/measure.hpp"
#include "common/device/movement_counts.hpp"
#include "common/files/numbers.hpp"
#include "common/program/shown_mistakes.hpp"
#include "common/show/console.hpp"
#include "spread_work.hpp"

namespace tutorial {
namespace {

bool is_wrong_on_purpose(const version_name& version) {
  return version.name == std::string(versions::no_exchange.name);
}

std::vector<int> first_devices(int count) {
  std::vector<int> all(static_cast<std::size_t>(count));
  std::iota(all.begin(), all.end(), 0);
  return all;
}

/// "24 outputs wrong at 3 seams after 2 steps": what is wrong without an exchange.
std::string wrong_text(const agreement& found, const signal_split& split, int steps) {
  return several(found.mismatches, "output") + " wrong at " +
         several(std::size_t(std::max(split.parts() - 1, 0)), "seam") + " after " +
         several(std::size_t(steps), "step") + ", the first is y[" + grouped(found.first_index) + "]";
}

/// One version with one signal: made, run, verified.
class spread_run {
 public:
  spread_run(const spread_work& work, std::span<const int> devices, const spread_version<float>& version)
      : work_(work), version_(version), signal_(work.h, work.x.size(), devices, version.steps_each) {}

  /// What the steps of the work make of its signal. `result` is memory for it.
  agreement verify(std::vector<float>& result) {
    result.assign(work_.x.size(), std::nanf(""));
    signal_.bring(work_.x);
    version_.filter(signal_, work_.steps);
    signal_.take(result);
    return work_.verify(result, signal_.split());
  }
  /// What a number of steps moves.
  std::optional<movement_counts> count(int steps) {
    return count_movements([&] { version_.filter(signal_, steps); });
  }
  /// Microseconds of a step, of so many.
  double measure(int steps) {
    const auto begin = std::chrono::steady_clock::now();
    version_.filter(signal_, steps);
    return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin).count() /
           steps;
  }
  const spread_version<float>& version() const { return version_; }
  const signal_split& split() const { return signal_.split(); }

 private:
  const spread_work& work_;
  const spread_version<float>& version_;
  spread_signal<float> signal_;
};

std::string sizes(std::size_t samples, std::size_t taps) {
  return several(taps, "tap") + ", " + grouped(samples) + " float";
}

/// Says what came of a verification; what is wrong on purpose has to be wrong.
std::string judged(chapter_run& run, const spread_version<float>& version, const agreement& found,
                   const signal_split& split, int steps) {
  if (!is_wrong_on_purpose(version.name)) {
    if (!found) run.fail(version.name.label() + ": " + describe(found));
    return describe(found);
  }
  if (split.parts() == 1) return describe(found);
  if (found) run.fail(version.name.label() + ": right, without an exchange?");
  return wrong_text(found, split, steps);
}

/// What each version gives to the devices in a step.
void show_counts(chapter_run& run, const spread_work& work, std::span<const int> devices) {
  constexpr int steps = 4;
  text_table table({{"version", text_table::align::left},
                    {"messages"},
                    {"bytes between"},
                    {"kernels"},
                    {"verified", text_table::align::left}});
  for (const spread_version<float>& version : all_spread_versions<float>(devices)) {
    if (!run.wants(version.name.name)) continue;
    spread_run each(work, devices, version);
    std::vector<float> result;
    const agreement found = each.verify(result);
    const auto moved = each.count(steps);
    const auto a_step = [&](std::uint64_t count) {
      return count % steps == 0 ? grouped(count / steps) : fixed(double(count) / steps, 2);
    };
    const std::string verified = judged(run, version, found, each.split(), work.steps);
    table.add_row({version.name.label(), moved ? a_step(moved->messages) : "",
                   moved ? a_step(moved->bytes_between) : "", moved ? a_step(moved->kernels) : "", verified});
    if (moved)
      run.record({{"chapter", "15"},
                  {"work", "counts"},
                  {"samples", std::to_string(work.x.size())},
                  {"taps", std::to_string(work.h.size())},
                  {"devices", std::to_string(devices.size())},
                  {"version", version.name.name},
                  {"label", version.name.label()},
                  {"messages", a_step(moved->messages)},
                  {"bytes_between", a_step(moved->bytes_between)},
                  {"kernels", a_step(moved->kernels)},
                  {"wrong", std::to_string(found.mismatches)}});
  }
  if (table.empty()) return;
  run.show("a step of " + sizes(work.x.size(), work.h.size()) + ", " + several(devices.size(), "device") +
               "      counts of all devices, for one step",
           table);
}

/// Measured times by version and number of devices, for the chart.
using step_times = std::map<std::pair<std::string, int>, double>;

/// Microseconds of a step of one version.
struct step_timing {
  std::vector<double> burst;   ///< One time after the other.
  std::vector<double> rounds;  ///< In turns with the other versions.
};

/// All versions, first one after the other, then in turns: clocks and power change within seconds, and would
/// favor one of them. A group lasts so long that what it takes to start threads does not count. Versions that
/// need more than a group for a few steps are measured once.
std::vector<step_timing> measure_in_rounds(std::span<const std::unique_ptr<spread_run>> runs,
                                           bool long_tables) {
  const double group_us = long_tables ? 50'000 : 15'000;
  constexpr int few = 4, rounds = 5;  // `few` is a multiple of what any version does between two exchanges
  std::vector<step_timing> all(runs.size());
  std::vector<int> steps;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const double first = runs[i]->measure(few);
    const bool slow = few * first > group_us;
    steps.push_back(slow ? 0 : std::clamp(int(group_us / runs[i]->measure(few)) / few * few, few, 1024));
    if (slow) all[i] = {.burst = {first}, .rounds = {first}};
    for (int r = 0; r < rounds && !slow; ++r) all[i].burst.push_back(runs[i]->measure(steps[i]));
  }
  for (int r = 0; r < rounds; ++r)
    for (std::size_t i = 0; i < runs.size(); ++i)
      if (steps[i] > 0) all[i].rounds.push_back(runs[i]->measure(steps[i]));
  return all;
}

/// Whether device 0 has room for the signals of all versions at the same time.
bool has_room(std::size_t samples) {
  const std::size_t versions = std::size(versions::all_spread);
  std::size_t free = 0, total = 0;
  check(cudaMemGetInfo(&free, &total));
  return versions * 2 * samples * sizeof(float) < free / 10 * 9;
}

/// `samples` in all, or on each device.
step_times show_scaling(chapter_run& run, std::size_t samples, std::size_t taps, bool each_device) {
  step_times times;
  if (!has_room(samples)) {
    run.say(sizes(samples, taps) + " are left out: the device has no room for the signals of all versions.");
    return times;
  }
  std::vector<int> counts;
  for (int count = 1; count <= device_count(); count *= 2) counts.push_back(count);
  std::vector<text_table::column> columns = {{"version", text_table::align::left}};
  for (const int count : counts) {
    columns.push_back({std::to_string(count) + (count == 1 ? " device, us" : " devices, us")});
    if (count > 1) columns.push_back({each_device ? "efficiency" : "times faster"});
  }
  columns.push_back({"verified", text_table::align::left});
  text_table table(columns);
  std::map<std::string, std::vector<std::string>> rows;
  std::vector<std::string> order;
  std::unique_ptr<spread_work> work;
  std::vector<float> result;
  double alone = 0, alone_burst = 0;
  for (const int count : counts) {
    const progress line(several(std::size_t(count), "device"));
    const std::vector<int> devices = first_devices(count);
    if (!work || each_device)
      work = std::make_unique<spread_work>(each_device ? samples * std::size_t(count) : samples, taps, 2);
    const std::vector<spread_version<float>> versions = all_spread_versions<float>(devices);
    std::vector<std::unique_ptr<spread_run>> runs;
    std::vector<std::string> verified;
    for (const spread_version<float>& version : versions) {
      if (!run.wants(version.name.name) && !is_wrong_on_purpose(version.name)) continue;
      runs.push_back(std::make_unique<spread_run>(*work, devices, version));
      verified.push_back(
          judged(run, version, runs.back()->verify(result), runs.back()->split(), work->steps));
    }
    const std::vector<step_timing> measured = measure_in_rounds(runs, run.options().long_tables);
    for (std::size_t i = 0; i < runs.size(); ++i) {
      const version_name& name = runs[i]->version().name;
      const std::string label = name.label();
      const double us = median(measured[i].rounds), burst = median(measured[i].burst);
      if (count == 1 && is_wrong_on_purpose(name)) alone = us, alone_burst = burst;
      times[{label, count}] = us;
      if (!rows.contains(label)) {
        order.push_back(label);
        rows[label] = {label};
      }
      std::vector<std::string>& cells = rows[label];
      if (count > 1) cells.pop_back();  // what was said of fewer devices
      cells.push_back(fixed(us, 1));
      const double faster = alone / us;
      if (count > 1) cells.push_back(each_device ? percent(faster) : fixed(faster, 2));
      cells.push_back(verified[i]);
      const auto [least, most] = std::minmax_element(measured[i].rounds.begin(), measured[i].rounds.end());
      run.record({{"chapter", "15"},
                  {"work", each_device ? "weak" : "strong"},
                  {"samples", std::to_string(work->x.size())},
                  {"taps", std::to_string(taps)},
                  {"devices", std::to_string(count)},
                  {"version", name.name},
                  {"label", label},
                  {"step_us", significant(us, 5)},
                  {"min_us", significant(*least, 5)},
                  {"max_us", significant(*most, 5)},
                  {"faster", significant(faster, 4)},
                  {"burst_us", significant(burst, 5)},
                  {"burst_faster", significant(alone_burst / burst, 4)}});
    }
  }
  for (const std::string& each : order) table.add_row(rows[each]);
  run.show(std::string(each_device ? "weak" : "strong") + " scaling, " + sizes(samples, taps) +
               (each_device ? " on each device" : " in all") +
               "      microseconds of a step, versions in turns, against one device without an exchange",
           table);
  return times;
}

/// An exchange by itself, by its length.
void show_exchanges(chapter_run& run) {
  if (!run.options().variant.empty()) return;
  const std::vector<int> devices = first_devices(device_count());
  text_table table({{"floats to each neighbor"}, {"us"}, {"GB/s each way"}});
  for (std::size_t samples = 4; samples <= std::size_t{1} << 26; samples *= 16) {
    const progress line("exchanges");
    const std::optional<timing> time = exchange_price(devices, samples, samples > 1'000'000 ? 8 : 200);
    if (!time) return;
    const double us = 1000 * time->median_ms;
    table.add_row({grouped(samples), fixed(us, 1), fixed(double(samples) * sizeof(float) / us * 1e-3, 1)});
    run.record({{"chapter", "15"},
                {"work", "exchange"},
                {"samples", std::to_string(samples)},
                {"devices", std::to_string(devices.size())},
                {"step_us", significant(us, 5)},
                {"min_us", significant(1000 * time->min_ms, 5)},
                {"max_us", significant(1000 * time->max_ms, 5)}});
  }
  run.show(
      "an exchange by itself, " + several(devices.size(), "device") + "      NCCL, a thread for each device",
      table);
}

/// Measured points on the curves of the model, which takes its numbers from one and two devices. With one
/// device there are no curves.
void draw_model(chapter_run& run, const std::map<std::size_t, step_times>& measured) {
  chart what{.title = "One signal on many devices: a model, and what was measured",
             .description =
                 "How many times faster a step of 5 taps is, by the number of devices up to 1,024. "
                 "Each signal's curve is at half the straight line where an exchange takes as long as "
                 "the kernel.",
             .x = {.label = "devices", .scale = axis_scale::log2},
             .y = {.label = "times faster than one device", .scale = axis_scale::log2},
             .names = chart_names::at_last_point};
  bool has_curves = false;
  for (const auto& [samples, times] : measured) {
    const std::string floor = versions::no_exchange.label();
    if (!times.contains({floor, 1})) continue;  // no room for this signal
    const bool by_nccl = times.contains({versions::thread_per_device.label(), 1});
    const std::string label = by_nccl ? versions::thread_per_device.label() : floor;
    const double alone = times.at({floor, 1});
    if (by_nccl && times.contains({label, 2})) {
      has_curves = true;
      const step_price price{.us_each_sample = alone / double(samples),
                             .us_each_exchange = std::max(0.0, times.at({label, 2}) - alone / 2)};
      chart_series curve{.name = grouped(samples) + " samples, model", .markers = false};
      for (int devices = 1; devices <= 1024; devices *= 2)
        curve.points.push_back({double(devices), predicted_speedup(price, samples, devices, 8)});
      what.series.push_back(std::move(curve));
    }
    chart_series points{
        .name = grouped(samples) + " samples, measured" + (by_nccl ? "" : " without an exchange"),
        .line = false};
    for (const auto& [key, us] : times)
      if (key.first == label) points.points.push_back({double(key.second), alone / us});
    what.series.push_back(std::move(points));
  }
  if (what.series.empty()) return;
  what.references.push_back({"as many times as devices", {1, 1}, {1024, 1024}});
  if (!has_curves && !run.options().picture.empty())
    run.say("The picture has no curves: the model takes the price of an exchange from two devices and NCCL.");
  run.draw(std::move(what));
}

std::vector<broken::shown_mistake> shown_mistakes() {
  std::vector<broken::shown_mistake> all = broken::shown_spread_mistakes();
  for (broken::shown_mistake& each : broken::shown_flag_mistakes()) all.push_back(each);
  for (broken::shown_mistake& each : broken::shown_nccl_mistakes()) all.push_back(each);
  return all;
}

}  // namespace

std::vector<chapter_variant> spread_variants() {
  std::vector<chapter_variant> all(std::begin(versions::all_spread), std::end(versions::all_spread));
  all.insert(all.end(), std::begin(versions::all_apart), std::end(versions::all_apart));
  add_mistakes(all, shown_mistakes());
  return all;
}

void show_spread(chapter_run& run) {
  const int count = device_count();
  for (const broken::shown_mistake& each : shown_mistakes()) {
    if (run.options().variant != each.name) continue;
    const std::size_t wrong = each.use();
    return run.say(each.name + ": " + several(wrong, "number") +
                   " wrong this time. The emulated device says what is wrong with the program.");
  }
  const auto named = [&](const version_name& each) { return run.options().variant == each.name; };
  if (std::any_of(std::begin(versions::all_apart), std::end(versions::all_apart), named)) {
    if (run.device().emulated)
      run.say(
          "The parts need nothing from each other, so there is nothing to count. The checks compare them "
          "with one device.");
    show_from_host(run);
    show_pictures(run);
    show_files(run);
    return;
  }
  if (const peer_access peers(first_devices(count)); !peers.has_atomics())
    run.say(
        peers.complete()
            ? "The links between these devices have no atomic operations: versions with flags are left out."
            : "These devices can't access each other's memory: versions that need it are left out.");
  if (run.device().emulated) {
    const std::vector<int> devices = count > 1 ? first_devices(count) : std::vector<int>(4, 0);
    show_counts(run, spread_work(20'000, 5, 2), devices);
    show_counts(run, spread_work(4'000, 257, 2), devices);
  } else {
    std::map<std::size_t, step_times> measured;
    if (count > 1) show_exchanges(run);
    const std::size_t large = std::size_t{1} << 28, small = std::size_t{1} << 24;
    const bool all =
        run.options().long_tables || !run.options().picture.empty();  // the large ones take minutes
    const std::vector<std::size_t> lengths = all ? std::vector{large, small} : std::vector{small};
    for (const std::size_t samples : lengths) measured[samples] = show_scaling(run, samples, 5, false);
    for (const std::size_t samples : lengths) show_scaling(run, samples, 1025, false);
    if (count > 1) show_scaling(run, all ? large : small, 5, true);
    draw_model(run, measured);
    show_from_host(run);
    show_pictures(run);
    show_files(run);
    show_one_transform(run);
    if (count == 1) {
      run.say(
          "With one device, all four parts share it. You can check that the exchange is right, but it won't "
          "be faster.");
      show_counts(run, spread_work(std::size_t{1} << 20, 5, 2), std::vector<int>(4, 0));
    }
  }
  if (count == 1)
    run.say(
        run.device().emulated
            ? "One device: parts share it, and NCCL is left out, because it needs a device for each rank. "
              "EMULATOR_DEVICES=4 gives four."
            : "NCCL needs a device for each rank, so with one GPU its versions have no neighbor to talk "
              "to. The emulated device shows them with four: chapters/run 15 --preset emulated\n"
              "Exchanges, weak scaling and cuFFT's transform over several devices need two GPUs: their "
              "tables are left out.");
  if (nccl_versions<float>(std::vector<int>{0}).empty())
    run.say("This build was made without NCCL: nccl.h and libnccl were not found when it was configured.");
}

}  // namespace tutorial
