// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "own_signal.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "12_there_and_back/host/chunk_filter.hpp"
#include "12_there_and_back/host/chunks.hpp"
#include "12_there_and_back/host/filter_file.hpp"
#include "12_there_and_back/versions.hpp"
#include "common/device/movement_counts.hpp"
#include "common/files/array_file.hpp"
#include "common/files/npy_reader.hpp"
#include "common/files/numbers.hpp"
#include "common/files/output_file.hpp"
#include "common/show/console.hpp"
#include "common/show/counts_table.hpp"
#include "common/verify/inputs.hpp"

namespace tutorial {
namespace {

/// "read 8.1 ms, copy up 0.3 ms, ..."
std::string stages_text(const filtering_report& report, bool device_has_times) {
  std::string text;
  for (const stage each : all_stages) {
    if (!device_has_times && each != stage::read && each != stage::write) continue;
    text += (text.empty() ? "" : ", ") + std::string(name(each)) + " " +
            milliseconds(report.stage_seconds[std::size_t(each)] * 1e3) + " ms";
  }
  return text;
}

std::string limit_text(stage which) {
  switch (which) {
    case stage::read:
      return "reading the signal is the limit";
    case stage::write:
      return "writing the outputs is the limit";
    case stage::kernel:
      return "the filter's kernels are the limit";
    default:
      return "the link between host and device is the limit";
  }
}

/// "2 of 3 outputs, three per chunk, against their definition: exact; 1 is NaN, infinite or too large to
/// be compared"
std::string verified_text(const filtering_report& report) {
  const std::size_t compared = report.verified.size, left_out = report.not_finite;
  return grouped(compared) + (left_out == 0 ? "" : " of " + grouped(compared + left_out)) +
         " outputs, three per chunk, against their definition" +
         (compared == 0 ? "" : ": " + describe(report.verified)) +
         (left_out == 0 ? ""
                        : "; " + grouped(left_out) + (left_out == 1 ? " is" : " are") +
                              " NaN, infinite or too large to be compared") +
         (report.without_digits == 0
              ? ""
              : "; " + grouped(report.without_digits) +
                    " without a correct digit, because a transform's errors are proportional to "
                    "the largest outputs: use chapters 02 to 06");
}

/// A sum of products keeps a NaN where it is; a transform spreads it to all outputs of its block, and the
/// file would hold them without a word.
template <class T>
void require_finite(std::span<const T> values, std::size_t first, const std::string& source,
                    const char* one) {
  if constexpr (std::is_floating_point_v<T>) {
    const auto strange =
        std::find_if(values.begin(), values.end(), [](T value) { return !std::isfinite(value); });
    if (strange == values.end()) return;
    throw input_error(
        source + ": " + one + " " + grouped(first + std::size_t(strange - values.begin())) +
        " is NaN or infinite, and with this many taps the program uses transforms, which would spread it to "
        "other outputs: replace it, or use chapters 02 to 06");
  }
}

template <class T>
void filter(chapter_run& run) {
  const chapter_options& options = run.options();
  std::optional<npy_reader> file;
  std::vector<T> made;
  sample_source<T> source;
  bool transformed = false;
  if (!options.signal.empty()) {
    file.emplace(options.signal);
    source = [&](std::size_t first, std::span<T> to) {
      file->read<T>(first, to);
      if (transformed) require_finite<T>(to, first, options.signal.string(), "sample");
    };
  } else {
    made = random_signal<T>(*options.length, options.seed);
    source = [&](std::size_t first, std::span<T> to) {
      std::copy_n(made.data() + first, to.size(), to.data());
    };
  }
  const std::size_t samples = file ? file->size() : made.size();
  const std::vector<T> h = options.filter.empty() ? random_taps<T>(options.taps.value_or(5), options.seed + 1)
                                                  : read_array_as<T>(options.filter);
  const std::size_t outputs = output_length(samples, h.size(), options.mode);
  const auto random = [&](std::uint64_t seed) { return "random (seed " + std::to_string(seed) + ")"; };
  run.say("signal   " + (file ? options.signal.string() : random(options.seed)) + ": " + grouped(samples) +
          " samples of " + std::string(name(element_type_of<T>())) + ", " +
          bytes_text(double(samples) * sizeof(T)));
  run.say("filter   " + (options.filter.empty() ? random(options.seed + 1) : options.filter.string()) + ": " +
          several(h.size(), "tap"));

  const chunking how = chunks_that_fit(h.size(), sizeof(T));
  const signal_chunks all(samples, h.size(), options.mode, how.outputs);
  transformed = !std::is_integral_v<T> && chunk_transform(h.size(), all.outputs(), element_type_of<T>()) != 0;
  if (transformed) require_finite<T>(h, 0, options.filter.string(), "tap");

  std::optional<output_file> out;
  if (!options.output.empty()) {
    out.emplace(options.output);
    out->write(detail::npy_prefix<T>({outputs}));
  }
  const output_sink<T> sink = [&](std::span<const T> piece) {
    if (out) out->write(piece.data(), piece.size_bytes());
  };
  filtering_report report;
  const auto work = [&] {
    progress line("filtering", all.count());
    report = filter_stream<T>(samples, source, h, options.mode, sink, how, [&](std::size_t chunk) {
      line.step("chunk " + grouped(chunk + 1) + " of " + grouped(all.count()));
    });
  };
  std::optional<movement_counts> moved;
  if (options.counts)
    moved = count_movements(work);
  else
    work();
  run.say("'" + std::string(name(options.mode)) + "'   " + grouped(outputs) + " outputs" + " in " +
          grouped(report.chunks) + (report.chunks == 1 ? " chunk of " : " chunks of ") +
          grouped(report.chunk_outputs) + "; " + bytes_text(double(report.device_bytes)) +
          " of device memory and " + bytes_text(double(report.pinned_bytes)) + " of pinned memory at a time");
  const bool device_has_times = !run.device().emulated;
  run.say("took     " + milliseconds(report.seconds * 1e3) +
          " ms; per chunk: " + stages_text(report, device_has_times) +
          (device_has_times ? ". So " + limit_text(report.slowest())
                            : ". The device is emulated: its times mean nothing"));
  run.say("verified " + verified_text(report));
  run.record({{"chapter", "12"},
              {"work", "own data"},
              {"type", std::string(name(element_type_of<T>()))},
              {"samples", std::to_string(samples)},
              {"taps", std::to_string(h.size())},
              {"outputs", std::to_string(outputs)},
              {"chunks", std::to_string(report.chunks)},
              {"seconds", significant(report.seconds, 5)},
              {"limit", std::string(device_has_times ? name(report.slowest()) : "")}});
  if (options.counts)
    run.say(moved ? "moved    " + bytes_text(double(moved->bytes_up)) + " up, " +
                        bytes_text(double(moved->bytes_down)) + " down; the longest chain has " +
                        bytes_text(double(moved->longest_chain))
                  : std::string(nothing_counted));
  if (!report.verified) return run.fail("an output is wrong. Nothing was written");
  if (!out) return;
  out->commit();
  run.say("written  " + options.output.string());
}

}  // namespace

void filter_own_signal(chapter_run& run) {
  const chapter_options& options = run.options();
  if (!options.variant.empty() && options.variant != versions::stream_per_stage.name)
    throw usage_error("a signal of your own is filtered by stream_per_stage: leave out --variant");
  const element_type type = options.type             ? *options.type
                            : options.signal.empty() ? element_type::float32
                                                     : stored_type(options.signal);
  with_type(type, [&]<class T>(T) { filter<T>(run); });
}

}  // namespace tutorial
