// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Our convolutions of given sizes, for docs/record/peers: their times, and outputs for others to be held
// against. The signals and filters are those of common/verify/inputs.hpp, so that whoever compares can make
// the same.
#include <algorithm>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "01_serial_definition/convolve_serial.hpp"
#include "07_fft_convolution/host/convolve_fft_all_cores.hpp"
#include "13_one_pass/fastest_convolution.hpp"
#include "common/device/device.hpp"
#include "common/device/measure.hpp"
#include "common/files/numbers.hpp"
#include "common/files/output_file.hpp"
#include "common/program/signals.hpp"
#include "common/show/table.hpp"
#include "common/verify/inputs.hpp"

namespace tutorial {
namespace {

constexpr const char* usage =
    "time_convolutions --csv FILE [--outputs FOLDER] [--host] TYPE:MODE:SAMPLES:TAPS...\n"
    "TYPE is int32, float32 or float64, MODE full, same or valid. "
    "--outputs writes of each result the stretches\n"
    "that docs/record/peers looks at, as they lie in memory. --host times our versions for the CPU, too.\n";

/// So many outputs are written, all where there are no more; else so many stretches of them, evenly spaced,
/// the first at the beginning and the last at the end.
constexpr std::size_t most_outputs = 65536, stretches = 64;
constexpr std::size_t longest_of_all_ways = std::size_t{1} << 24;

struct work {
  std::string type;
  convolution_mode mode = convolution_mode::full;
  std::size_t samples = 0, taps = 0;
  std::string name() const {
    return type + "_" + std::string(tutorial::name(mode)) + "_" + std::to_string(samples) + "_" +
           std::to_string(taps);
  }
};

work parse(const std::string& text) {
  std::vector<std::string> parts;
  for (std::size_t from = 0; from <= text.size();) {
    const std::size_t to = std::min(text.find(':', from), text.size());
    parts.push_back(text.substr(from, to - from));
    from = to + 1;
  }
  work result;
  if (parts.size() != 4) throw std::invalid_argument("'" + text + "' is no TYPE:MODE:SAMPLES:TAPS");
  result.type = parts[0];
  const auto mode = std::ranges::find(all_modes, parts[1], [](convolution_mode m) { return name(m); });
  if (mode == std::end(all_modes)) throw std::invalid_argument("'" + parts[1] + "' is no mode");
  result.mode = *mode;
  const auto number = [&](const std::string& digits) {
    if (digits.empty() || digits.size() > 10 || digits.find_first_not_of("0123456789") != std::string::npos ||
        std::stoull(digits) == 0)
      throw std::invalid_argument("'" + digits + "' in '" + text + "' is no length");
    return std::size_t(std::stoull(digits));
  };
  result.samples = number(parts[2]);
  result.taps = number(parts[3]);
  return result;
}

template <class T>
void write_outputs(const std::filesystem::path& file, device_span<const T> y) {
  std::vector<T> kept;
  const auto take = [&](std::size_t begin, std::size_t count) {
    std::vector<T> part(count);
    check(cudaMemcpy(part.data(), y.data() + begin, count * sizeof(T), cudaMemcpyDeviceToHost));
    kept.insert(kept.end(), part.begin(), part.end());
  };
  if (y.size() <= most_outputs)
    take(0, y.size());
  else
    for (std::size_t s = 0; s < stretches; ++s) {
      const std::size_t length = most_outputs / stretches;
      take((y.size() - length) * s / (stretches - 1), length);
    }
  output_file out(file);
  out.write(kept.data(), kept.size() * sizeof(T));
  out.commit();
}

struct options {
  std::string csv, outputs;
  bool host = false;
};

template <class T>
class timer {
 public:
  void run(const work& w, const options& wanted, csv_table& rows) {
    if (signal_.size() != w.samples) signal_ = random_signal<T>(w.samples);
    const std::vector<T> h = random_taps<T>(w.taps);
    const std::size_t outputs = output_length(w.samples, w.taps, w.mode);
    const device_buffer<T> d_h(h);
    std::vector<device_buffer<T>> x, y;
    const int sets = buffer_sets((w.samples + outputs) * sizeof(T));
    for (int s = 0; s < sets; ++s) x.emplace_back(signal_), y.emplace_back(outputs);

    fastest_convolver<T> convolve(d_h.span(), w.samples, w.mode);
    const timing prepared = measure([&](int i) {
      const std::size_t s = std::size_t(i) % x.size();
      convolve(std::as_const(x[s]).span(), y[s].span());
    });
    poison(y[0].span());
    convolve(std::as_const(x[0]).span(), y[0].span());
    if (!wanted.outputs.empty())
      write_outputs(std::filesystem::path(wanted.outputs) / (w.name() + ".bin"), std::as_const(y[0]).span());

    // What takes long, and is not what is compared, is left out for the longest signals.
    timing one_call, with_copies;
    std::vector<T> there(outputs);
    if (w.samples <= longest_of_all_ways) {
      // A function that is called once does not know that the filter stays.
      one_call = measure_host(
          [&](int) {
            fastest_convolution<T>(std::as_const(x[0]).span(), d_h.span(), y[0].span(), w.mode);
            check(cudaDeviceSynchronize());
          },
          {.repeats = 3});
      forget_fastest_convolutions();
      // There and back, prepared, by the wall clock.
      with_copies = measure_host(
          [&](int) {
            x[0].copy_from(signal_);
            convolve(std::as_const(x[0]).span(), y[0].span());
            check(cudaMemcpy(there.data(), y[0].data(), outputs * sizeof(T), cudaMemcpyDeviceToHost));
          },
          {.repeats = 3});
    }
    const auto text = [](const timing& time) {
      return time.median_ms == 0 ? std::string() : exact_digits(time.median_ms);
    };
    std::vector<std::pair<std::string, std::string>> cells = {
        {"type", w.type},
        {"mode", std::string(name(w.mode))},
        {"samples", std::to_string(w.samples)},
        {"taps", std::to_string(w.taps)},
        {"chosen", convolve.choice().one_pass ? "13 one_pass" : name(convolve.choice().others.method)},
        {"ours_ms", exact_digits(prepared.median_ms)},
        {"one_call_ms", text(one_call)},
        {"with_copies_ms", text(with_copies)},
        {"all_cores_ms", wanted.host ? all_cores(w, h, there) : ""}};
    rows.add_row(cells);
    std::printf("%-36s %-14s %s ms\n", w.name().c_str(), cells[4].second.c_str(),
                milliseconds(prepared.median_ms).c_str());
    std::fflush(stdout);
  }

 private:
  /// The faster of our two on all cores of the CPU; "" where both would take long.
  std::string all_cores(const work& w, const std::vector<T>& h, std::vector<T>& y) const {
    double best = 0;
    const auto time = [&](const auto& call) {
      const double ms = measure_host([&](int) { call(); }, {.repeats = 5}).median_ms;
      best = best == 0 ? ms : std::min(best, ms);
    };
    if (product_count(w.samples, w.taps, w.mode) < 2e10)
      time([&] { convolve_all_cores<T>(signal_, h, y, w.mode); });
    if constexpr (!std::is_integral_v<T>)
      if (has_kissfft() && w.taps >= 64) time([&] { convolve_fft_all_cores<T>(signal_, h, y, w.mode); });
    return best == 0 ? "" : exact_digits(best);
  }

  std::vector<T> signal_;
};

int run(int argc, char** argv) {
  options wanted;
  std::vector<work> works;
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    if (word == "--help") return std::fputs(usage, stdout), 0;
    if (word == "--host")
      wanted.host = true;
    else if (word == "--csv" && i + 1 < argc)
      wanted.csv = argv[++i];
    else if (word == "--outputs" && i + 1 < argc)
      wanted.outputs = argv[++i];
    else if (!word.starts_with("-"))
      works.push_back(parse(argv[i]));
    else
      throw std::invalid_argument("unknown option " + std::string(word));
  }
  if (wanted.csv.empty() || works.empty()) return std::fputs(usage, stderr), 2;
  require_writable(wanted.csv);
  csv_table rows;
  timer<std::int32_t> whole;
  timer<float> single;
  timer<double> wide;
  for (const work& w : works) {
    if (w.type == "int32")
      whole.run(w, wanted, rows);
    else if (w.type == "float32")
      single.run(w, wanted, rows);
    else if (w.type == "float64")
      wide.run(w, wanted, rows);
    else
      throw std::invalid_argument("'" + w.type + "' is no type");
  }
  rows.save(wanted.csv);
  return 0;
}

}  // namespace
}  // namespace tutorial

int main(int argc, char** argv) {
  try {
    return tutorial::run(argc, argv);
  } catch (const std::invalid_argument& error) {
    std::fprintf(stderr, "time_convolutions: %s\n", error.what());
    return 2;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "time_convolutions: %s\n", error.what());
    return 1;
  }
}
