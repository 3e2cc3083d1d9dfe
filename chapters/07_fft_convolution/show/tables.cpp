// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "tables.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "06_register_tiling/convolve_register_tiled.hpp"
#include "07_fft_convolution/costs.hpp"
#include "07_fft_convolution/host/dft.hpp"
#include "07_fft_convolution/host/fft_length.hpp"
#include "07_fft_convolution/host/fft_rounding.hpp"
#include "07_fft_convolution/kernels/convolve_fft.hpp"
#include "07_fft_convolution/kernels/convolve_overlap_save.hpp"
#include "common/files/numbers.hpp"
#include "common/verify/inputs.hpp"

namespace tutorial {
namespace {

using align = text_table::align;

constexpr auto float32 = element_type::float32;
constexpr auto full = convolution_mode::full;

std::string number(double value) { return std::isfinite(value) && value > 0 ? exact_digits(value) : ""; }

// --- the theorem -------------------------------------------------------------------------------------------

std::string small_number(double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%.2f", std::abs(value) < 0.005 ? 0.0 : value);  // no -0.00
  return text;
}

std::vector<double> padded(std::vector<double> values, std::size_t length) {
  values.resize(length);
  return values;
}

/// Whole numbers from column `first` of `count` on.
void add_row(text_table& text, std::size_t count, const std::string& what, const std::vector<double>& values,
             std::size_t first = 0) {
  std::vector<std::string> row = {what};
  row.resize(1 + first);
  for (const double value : values) row.push_back(fixed(value, 0));
  row.resize(1 + count);
  text.add_row(row);
}

void add_row(text_table& text, const std::string& what, const std::vector<std::complex<double>>& values) {
  std::vector<std::string> row = {what};
  for (const auto& value : values)
    row.push_back(small_number(value.real()) + (value.imag() < -0.005 ? " - " : " + ") +
                  small_number(std::abs(value.imag())) + "i");
  text.add_row(row);
}

std::vector<text_table::column> numbered_columns(const std::string& first, std::size_t count, int from = 0) {
  std::vector<text_table::column> columns = {{first, align::left}};
  for (std::size_t i = 0; i < count; ++i) columns.push_back({std::to_string(from + int(i))});
  return columns;
}

// --- measuring ---------------------------------------------------------------------------------------------

/// One signal in so many places that no call finds it in the cache, and a place for the output of each.
template <class T>
class rotating_buffers {
 public:
  rotating_buffers(const std::vector<T>& x, std::size_t outputs) {
    const int sets = buffer_sets((x.size() + outputs) * sizeof(T));
    for (int s = 0; s < sets; ++s) {
      x_.emplace_back(x);
      y_.emplace_back(outputs);
    }
  }
  /// Time of call(x, y).
  template <class Call>
  timing time(const Call& call) {
    return measure([&](int i) {
      const std::size_t set = std::size_t(i) % x_.size();
      call(std::as_const(x_[set]).span(), y_[set].span());
    });
  }
  template <class Call>
  std::vector<T> result(const Call& call) {
    poison(y_[0].span());
    call(std::as_const(x_[0]).span(), y_[0].span());
    return y_[0].to_host();
  }

 private:
  std::vector<device_buffer<T>> x_, y_;
};

/// y = h * x, full, in double, by chapter 06.
template <class T>
std::vector<double> exact(const std::vector<T>& x, const std::vector<T>& h) {
  const device_buffer<double> wide_x(std::vector<double>(x.begin(), x.end())),
      wide_h(std::vector<double>(h.begin(), h.end()));
  device_buffer<double> y(output_length(x.size(), h.size(), full));
  convolve_register_tiled<double>(wide_x.span(), wide_h.span(), y.span(), full);
  return y.to_host();
}

struct distance {
  double relative = 0, worst = 0;  ///< |actual - right| / |right|, and the largest error of one output
};

template <class T>
distance between(const std::vector<T>& actual, const std::vector<double>& right) {
  double errors = 0, squares = 0, worst = 0;
  for (std::size_t i = 0; i < right.size(); ++i) {
    const double error = double(actual[i]) - right[i];
    errors += error * error;
    squares += right[i] * right[i];
    if (!(std::abs(error) <= worst)) worst = std::abs(error);  // NaN is the worst of all
  }
  return {std::sqrt(errors / squares), worst};
}

/// Does it hold to what fft_rounding() allows it? Otherwise the run fails.
bool within(chapter_run& run, const std::string& what, const distance& found, double allowed) {
  if (found.worst <= allowed) return true;
  run.fail(what + ": an output is off by " + significant(found.worst) + ", and " + significant(allowed) +
           " is allowed");
  return false;
}

std::string factors(std::size_t length) {
  std::string text;
  for (const std::size_t p : {2, 3, 5, 7}) {
    int power = 0;
    for (; length % p == 0; length /= p) ++power;
    if (power > 0)
      text += (text.empty() ? "" : " ") + std::to_string(p) + (power > 1 ? "^" + std::to_string(power) : "");
  }
  return text;
}

}  // namespace

void calibrate(chapter_run& run) {
  if (run.device().emulated) return;
  const auto begin = std::chrono::steady_clock::now();
  use_prices(measure_prices());
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  const std::vector<named_price> recorded = named_prices(recorded_prices()),
                                 here = named_prices(prices_here());
  text_table text({{"price", align::left}, {"unit", align::left}, {recorded_prices().device}, {"this GPU"}});
  for (std::size_t i = 0; i < recorded.size(); ++i) {
    const bool measured = i < here.size();  // with little memory the longest transforms are left out
    if (measured && !(std::isfinite(here[i].value) && here[i].value >= 0))
      run.fail("the price '" + here[i].name + "' was measured as " + significant(here[i].value));
    text.add_row({recorded[i].name, recorded[i].unit, significant(recorded[i].value),
                  measured ? significant(here[i].value) : "-"});
    run.record({{"table", "prices"},
                {"label", recorded[i].name},
                {"unit", recorded[i].unit},
                {"recorded", number(recorded[i].value)},
                {"measured", measured ? number(here[i].value) : ""}});
  }
  run.record({{"table", "calibration"}, {"median_ms", number(1e3 * seconds)}});
  run.say("Prices measured on this GPU in " + significant(seconds, 2) +
          " s. 07 best uses them to choose. (A program that measures no prices uses the H200's.)");
  if (run.options().long_tables)
    run.show("Prices", text);
  else
    run.say("--long lists them.\n");
}

void show_theorem(chapter_run& run) {
  const std::vector<double> x{1, 2, 3, 4}, h{1, 0, 2};
  const std::size_t whole = x.size() + h.size() - 1;
  const std::vector<double> linear = circular_convolution(padded(x, whole), h);
  text_table text(numbered_columns("n", whole));
  add_row(text, whole, "x", x);
  add_row(text, whole, "h", h);
  add_row(text, whole, "full convolution, 4 + 3 - 1 outputs", linear);
  add_row(text, whole, "circular, length 4: 4 and 5 fall on 0 and 1", circular_convolution(x, h));
  add_row(text, whole, "circular, length 6: zeros make room", circular_convolution(padded(x, whole), h));
  run.show("Around in a circle", text);

  std::vector<std::complex<double>> wide_x(x.begin(), x.end()), wide_h(h.begin(), h.end());
  wide_x.resize(whole), wide_h.resize(whole);
  const std::vector<std::complex<double>> x_spectrum = dft(wide_x), h_spectrum = dft(wide_h);
  std::vector<std::complex<double>> product = x_spectrum;
  for (std::size_t k = 0; k < whole; ++k) product[k] *= h_spectrum[k];
  text_table spectra(numbered_columns("k", whole));
  add_row(spectra, "X", x_spectrum);
  add_row(spectra, "H", h_spectrum);
  add_row(spectra, "X H", product);
  add_row(spectra, "back", inverse_dft(product));
  run.show("Spectra of x and h with zeros. X[6 - k] mirrors X[k], so 4 of the 6 numbers are enough", spectra);
}

void show_blocks_that_overlap(chapter_run& run) {
  constexpr std::size_t length = 8, blocks = 2;
  const std::vector<double> h{1, 0, 2};
  const std::size_t overlap = h.size() - 1, step = length - overlap, samples = blocks * step;
  std::vector<double> x(samples);
  std::iota(x.begin(), x.end(), 1.0);
  std::vector<double> y = circular_convolution(padded(x, samples + overlap), h);
  y.resize(samples);
  const std::size_t columns = overlap + samples;
  text_table text(numbered_columns("n", columns, -int(overlap)));
  add_row(text, columns, "x", x, overlap);
  add_row(text, columns, "y = x[n] + 2 x[n - 2]", y, overlap);
  std::vector<double> zeros_and_x(overlap);
  zeros_and_x.insert(zeros_and_x.end(), x.begin(), x.end());
  for (std::size_t b = 0; b < blocks; ++b) {
    const auto begin = zeros_and_x.begin() + std::ptrdiff_t(b * step);
    const std::vector<double> block(begin, begin + length), around = circular_convolution(block, h);
    add_row(text, columns, "block " + std::to_string(b) + " reads", block, b * step);
    std::vector<std::string> gives = {"block " + std::to_string(b) + " gives, in a circle"};
    gives.resize(1 + b * step);
    for (std::size_t i = 0; i < length; ++i)
      gives.push_back(i < overlap ? "(" + fixed(around[i], 0) + ")" : fixed(around[i], 0));
    gives.resize(1 + columns);
    text.add_row(gives);
  }
  run.show("Overlap-save: blocks of 8 samples, one every 6 samples. The outputs in parentheses are wrong",
           text);
}

void show_lengths(chapter_run& run) {
  constexpr std::size_t taps = 1025;
  const bool timed = !run.device().emulated;
  std::vector<text_table::column> columns = {
      {"needed"}, {"rule", align::left}, {"length"}, {"factors", align::left}, {"expected"}};
  if (timed) columns.push_back({"median ms"});
  text_table text(columns);
  const std::vector<std::pair<fft_length_rule, std::string>> rules = {{fft_length_rule::smallest, "smallest"},
                                                                      {fft_length_rule::good, "good"},
                                                                      {fft_length_rule::power_of_two, "2^n"}};
  for (const std::size_t samples : {std::size_t{1} << 20, std::size_t{10'000'019}, std::size_t{1} << 24}) {
    const std::size_t needed = output_length(samples, taps, full);
    const double power = transform_cost(fft_length(needed, fft_length_rule::power_of_two));
    for (const auto& [rule, label] : rules) {
      const std::size_t length = fft_length(needed, rule);
      std::vector<std::string> row = {grouped(needed), label, grouped(length), factors(length),
                                      percent(transform_cost(length) / power)};
      double ms = 0;
      if (timed) {
        const device_buffer<float> h(random_taps<float>(taps));
        rotating_buffers<float> buffers(random_signal<float>(samples), needed);
        fft_convolver<float> convolve(h, samples, full, 1, rule);
        ms = buffers.time([&](auto x, auto y) { convolve(x, y); }).median_ms;
        row.push_back(milliseconds(ms));
      }
      text.add_row(row);
      run.record({{"table", "lengths"},
                  {"needed", std::to_string(needed)},
                  {"rule", label},
                  {"length", std::to_string(length)},
                  {"factors", factors(length)},
                  {"expected", number(transform_cost(length) / power)},
                  {"median_ms", number(ms)}});
    }
  }
  run.show("Lengths of a transform that are long enough", text);
}

void show_blocks(convolution_demo& demo) {
  chapter_run& run = demo.run();
  const bool timed = !demo.emulated();
  const std::size_t samples = timed ? std::size_t{1} << 24 : 20'000;
  std::vector<text_table::column> columns = {{"taps"}, {"block"}, {"blocks"}, {"outputs of a block"}};
  if (timed)
    columns.insert(columns.end(), {{"expected ms"}, {"median ms"}});
  else
    columns.push_back({"operations/output"});
  columns.push_back({"chosen", align::left});
  text_table text(columns);
  const std::vector<std::size_t> all_taps = !timed ? std::vector<std::size_t>{65, 257}
                                            : run.options().long_tables
                                                ? std::vector<std::size_t>{65, 257, 1025, 4097, 16385}
                                                : std::vector<std::size_t>{65, 1025};
  for (const element_type type : {float32, element_type::float64})
    with_type(type, [&]<class T>(T) {
      if constexpr (std::is_floating_point_v<T>) {
        for (const std::size_t taps : all_taps) {
          if (sizeof(T) == 8 && (taps != 1025 || !timed)) continue;
          const std::vector<T> x = random_signal<T>(samples), h = random_taps<T>(taps);
          const device_buffer<T> d_h(h);
          const std::size_t outputs = output_length(samples, taps, full);
          const std::size_t chosen = overlap_save_block(samples, taps, full, type);
          const std::vector<double> right = exact(x, h);
          rotating_buffers<T> buffers(x, outputs);
          std::size_t least = 32;
          while (least < 2 * taps) least *= 2;
          const std::size_t most = timed ? std::max<std::size_t>(32 * least, 32768) : 32 * least;
          for (std::size_t block = timed ? std::max<std::size_t>(least, 512) : least; block <= most;
               block *= 2) {
            overlap_save_convolver<T> convolve(d_h, samples, full, block);
            const auto call = [&](auto from, auto to) { convolve(from, to); };
            const double allowed =
                fft_rounding<T>(x, h, {}, block, one_block_length(samples, taps, full) <= block).each;
            if (!within(run, "blocks of " + grouped(block), between(buffers.result(call), right), allowed))
              return;
            const double expected = block_cost(samples, taps, full, block, type);
            const double ms = timed ? buffers.time(call).median_ms : 0;
            std::vector<std::string> row = {grouped(taps) + (sizeof(T) == 8 ? ", double" : ""),
                                            grouped(block), grouped(convolve.blocks()),
                                            grouped((outputs + convolve.blocks() - 1) / convolve.blocks())};
            if (timed)
              row.insert(row.end(), {milliseconds(expected * 1e-3), milliseconds(ms)});
            else
              row.push_back(significant(expected / double(outputs)));
            row.push_back(block == chosen ? "yes" : "");
            text.add_row(row);
            run.record({{"table", "blocks"},
                        {"type", std::string(name(type))},
                        {"samples", std::to_string(samples)},
                        {"taps", std::to_string(taps)},
                        {"block", std::to_string(block)},
                        {"blocks", std::to_string(convolve.blocks())},
                        {"expected_ms", timed ? number(expected * 1e-3) : ""},
                        {"median_ms", number(ms)},
                        {"chosen", block == chosen ? "yes" : ""}});
          }
        }
      }
    });
  run.show("Overlap-save: which block? " + grouped(samples) + " samples", text);
}

void show_batches(chapter_run& run) {
  const bool timed = !run.device().emulated;
  const std::size_t signals = timed ? 1000 : 4, samples = timed ? 4096 : 300, taps = 257;
  const std::size_t outputs = output_length(samples, taps, full);
  const std::vector<float> x = random_signal<float>(signals * samples), h = random_taps<float>(taps);
  const device_buffer<float> d_h(h);
  rotating_buffers<float> buffers(x, signals * outputs);
  fft_convolver<float> all(d_h, samples, full, signals), one(d_h, samples, full);
  const auto together = [&](auto from, auto to) { all(from, to); };
  const auto one_by_one = [&](auto from, auto to) {
    for (std::size_t s = 0; s < signals; ++s)
      one(from.subspan(s * samples, samples), to.subspan(s * outputs, outputs));
  };
  std::vector<double> right;
  for (std::size_t s = 0; s < signals; ++s) {
    const std::vector<double> part = exact(std::vector<float>(x.begin() + std::ptrdiff_t(s * samples),
                                                              x.begin() + std::ptrdiff_t((s + 1) * samples)),
                                           h);
    right.insert(right.end(), part.begin(), part.end());
  }
  const double allowed = fft_rounding<float>(x, h, {}, all.transform_length(), true).each;
  std::vector<text_table::column> columns = {{"version", align::left}};
  if (timed) columns.push_back({"median ms"});
  columns.push_back({"verified", align::left});
  text_table text(columns);
  const auto add = [&](const std::string& label, const auto& call) {
    const bool well = within(run, label, between(buffers.result(call), right), allowed);
    const double ms = timed ? buffers.time(call).median_ms : 0;
    std::vector<std::string> row = {label};
    if (timed) row.push_back(milliseconds(ms));
    row.push_back(well ? "yes" : "WRONG");
    text.add_row(row);
    run.record({{"table", "batches"}, {"label", label}, {"median_ms", number(ms)}});
  };
  add("all signals in one call", together);
  add("one call for each signal", one_by_one);
  run.show("Many signals, one filter: " + grouped(signals) + " signals of " + grouped(samples) + " floats, " +
               grouped(taps) + " taps",
           text);
}

void show_rounding(convolution_demo& demo) {
  const std::size_t samples = demo.emulated() ? 4096 : std::size_t{1} << 20;
  text_table text({{"taps"},
                   {"direct"},
                   {"one block"},
                   {"overlap-save"},
                   {"worst, one block"},
                   {"bound"},
                   {"worst, overlap-save"},
                   {"bound"}});
  const std::vector<std::size_t> all_taps =
      demo.emulated() ? std::vector<std::size_t>{5, 65} : std::vector<std::size_t>{5, 65, 1025, 16385};
  for (const std::size_t taps : all_taps) {
    const std::vector<float> x = random_signal<float>(samples), h = random_taps<float>(taps);
    const std::vector<double> right = exact(x, h);
    const std::vector<float> rounded(right.begin(), right.end());
    const device_buffer<float> d_x(x), d_h(h);
    device_buffer<float> y(right.size());
    convolve_register_tiled<float>(d_x, d_h, y, full);
    const distance direct = between(y.to_host(), right);
    // Blocks of at least 4 K, also where one block of all would be expected to cost less.
    std::size_t block = 1024;
    while (block < 4 * taps) block *= 2;
    const std::size_t whole = whole_signal_block(samples, taps, full);
    const auto by_blocks = [&](std::size_t length) {
      overlap_save_convolver<float> convolve(d_h, samples, full, length);
      poison(y.span());
      convolve(d_x, y);
      return between(y.to_host(), right);
    };
    const distance one = by_blocks(whole), several = by_blocks(block);
    const double one_allowed = fft_rounding<float>(x, h, rounded, whole, true).each;
    const double several_allowed = fft_rounding<float>(x, h, rounded, block, false).each;
    within(demo.run(), "one block", one, one_allowed);
    within(demo.run(), "overlap-save", several, several_allowed);
    text.add_row({grouped(taps), significant(direct.relative, 2), significant(one.relative, 2),
                  significant(several.relative, 2), significant(one.worst, 2), significant(one_allowed, 2),
                  significant(several.worst, 2), significant(several_allowed, 2)});
    demo.run().record({{"table", "rounding"},
                       {"samples", std::to_string(samples)},
                       {"taps", std::to_string(taps)},
                       {"direct", number(direct.relative)},
                       {"one_block", number(one.relative)},
                       {"overlap_save", number(several.relative)},
                       {"one_block_worst", number(one.worst)},
                       {"one_block_bound", number(one_allowed)},
                       {"overlap_save_worst", number(several.worst)},
                       {"overlap_save_bound", number(several_allowed)}});
  }
  demo.run().show(
      "Rounding: " + grouped(samples) + " floats, against double; |error| / |y|, then the worst output",
      text);
}

}  // namespace tutorial
