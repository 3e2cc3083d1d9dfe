// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Four works for which a speed-up was once reported, timed the way it was reported and other ways: for
// docs/then_and_now.md. Every result is compared with the definition; what runs once,
// after it has been timed.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "01_serial_definition/convolve_serial.hpp"
#include "02_direct_kernel/convolve_direct.hpp"
#include "03_tiled/convolve_tiled.hpp"
#include "04_constant_memory/convolve_constant.hpp"
#include "05_shared_memory/convolve_shared.hpp"
#include "06_register_tiling/convolve_register_tiled.hpp"
#include "07_fft_convolution/kernels/convolve_fft.hpp"
#include "08_dct8x8/checks/dct_checks.hpp"
#include "08_dct8x8/checks/dct_verification.hpp"
#include "08_dct8x8/host/dct_serial.hpp"
#include "08_dct8x8/kernels/dct8x8_columns.hpp"
#include "08_dct8x8/kernels/dct8x8_textured.hpp"
#include "12_there_and_back/kernels/there_and_back.hpp"
#include "common/device/device.hpp"
#include "common/device/measure.hpp"
#include "common/device/pinned_buffer.hpp"
#include "common/device/plane.hpp"
#include "common/device/stream.hpp"
#include "common/files/numbers.hpp"
#include "common/files/output_file.hpp"
#include "common/show/table.hpp"
#include "common/verify/compare.hpp"
#include "common/verify/convolution.hpp"
#include "common/verify/inputs.hpp"
#include "serial_loops.hpp"

namespace tutorial {
namespace {

constexpr const char* usage =
    "then_and_now PART [--small] --csv FILE\n"
    "PART is S1, S2, S3 or S4: every version, warm; or S2-once, S3-once, S4-once: each version once, in a\n"
    "process that has not run it before. --small takes sizes for a test. Status 1 if a result is wrong.\n";

/// Memory that nobody has touched: the system hands out its pages at the first write to each.
template <class T>
using untouched = std::unique_ptr<T[], decltype(&std::free)>;
template <class T>
untouched<T> make_untouched(std::size_t size) {
  return {static_cast<T*>(std::calloc(size, sizeof(T))), &std::free};
}

// --- rows --------------------------------------------------------------------------------------------------

/// What is timed, and how.
class part {
 public:
  part(std::string source, bool small) : source(std::move(source)), small(small) {}

  const std::string source;
  const bool small;
  int length = 0;  ///< Of S1's curve.

  void must_be_right(const std::string& what, const agreement& result) const {
    if (!result) throw std::runtime_error(source + ", " + what + ": " + describe(result));
  }

  /// side: "one core, -O0", "one core, -O3", "all cores", "GPU", ... way: "once", "warm", "with copies", ...
  void add(const std::string& side, const std::string& version, const std::string& way, const timing& time) {
    rows_.add_row({{"source", source},
                   {"length", length == 0 ? "" : std::to_string(length)},
                   {"side", side},
                   {"version", version},
                   {"way", way},
                   {"median_ms", exact_digits(time.median_ms)},
                   {"min_ms", exact_digits(time.min_ms)},
                   {"max_ms", exact_digits(time.max_ms)},
                   {"repeats", std::to_string(time.repeats)}});
    std::printf("%-8s %-14s %-34s %-20s %s ms\n",
                length == 0 ? source.c_str() : std::to_string(length).c_str(), side.c_str(), version.c_str(),
                way.c_str(), milliseconds(time.median_ms).c_str());
    std::fflush(stdout);
  }

  void host(const std::string& side, const std::string& version, const std::function<void()>& work) {
    add(side, version, "warm", measure_host([&](int) { work(); }, options()));
  }
  void host_once(const std::string& side, const std::string& version, const std::string& way,
                 const std::function<void()>& work) {
    const auto begin = std::chrono::steady_clock::now();
    work();
    add(side, version, way,
        single(std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count()));
  }
  void device(const std::string& version, const std::function<void(int)>& work) {
    add("GPU", version, "warm", measure(work));
  }
  /// By the wall clock: what the host waits for.
  void device_and_host(const std::string& version, const std::string& way,
                       const std::function<void()>& work) {
    add("GPU", version, way, measure_host([&](int) { work(); }, options()));
  }
  /// Between two events, the first time that this process launches it.
  void device_once(const std::string& version, const std::function<void()>& work) {
    const event begin(event::kind::time), end(event::kind::time);
    check(cudaDeviceSynchronize());
    check(cudaEventRecord(begin));
    work();
    check(cudaEventRecord(end));
    end.wait();
    check(cudaGetLastError());
    float ms = 0;
    check(cudaEventElapsedTime(&ms, begin, end));
    add("GPU", version, "once", single(ms));
  }

  void save(const std::filesystem::path& file) const { rows_.save(file); }

 private:
  static timing single(double ms) { return {ms, ms, ms, 1}; }
  measure_options options() const {
    return small ? measure_options{.group_ms = 0.1, .repeats = 1} : measure_options{};
  }

  csv_table rows_;
};

/// A name, and a function of the device: y = x * h.
template <class T>
using version =
    std::pair<std::string,
              std::function<void(device_span<const T> x, device_span<const T> h, device_span<T> y)>>;

/// Arrays for a function of the device, so many that none is found in the cache.
template <class T>
class device_arrays {
 public:
  device_arrays(const std::vector<T>& x, const std::vector<T>& h, std::size_t outputs)
      : host_h_(h), h_(h), length_(x.size()) {
    const int sets = buffer_sets((x.size() + outputs) * sizeof(T));
    for (int i = 0; i < sets; ++i) x_.emplace_back(x), y_.emplace_back(outputs);
  }
  device_span<const T> h() const { return h_.span(); }

  void call(const version<T>& what, int i) {
    const std::size_t set = std::size_t(i) % x_.size();
    what.second(std::as_const(x_[set]).span(), h(), y_[set].span());
  }
  std::vector<T> result(const version<T>& what) {
    poison(y_[0].span());
    call(what, 0);
    return y_[0].to_host();
  }
  /// Copies x and h to the device, calls, and copies the result to y.
  void call_with_copies(const version<T>& what, const T* x, T* y) {
    check(cudaMemcpy(x_[0].data(), x, length_ * sizeof(T), cudaMemcpyHostToDevice));
    h_.copy_from(host_h_);
    call(what, 0);
    check(cudaMemcpy(y, y_[0].data(), y_[0].size() * sizeof(T), cudaMemcpyDeviceToHost));
  }

 private:
  std::vector<T> host_h_;
  device_buffer<T> h_;
  std::size_t length_;
  std::vector<device_buffer<T>> x_, y_;
};

template <class T>
std::vector<T> definition(const std::vector<T>& x, const std::vector<T>& h, convolution_mode mode) {
  std::vector<T> y(output_length(x.size(), h.size(), mode));
  convolve_gather_on_all_cores<T>(x, h, y, mode);
  return y;
}

/// What two sums may differ by; nothing for whole numbers.
template <class T>
std::vector<double> bound(const std::vector<T>& x, const std::vector<T>& h, convolution_mode mode) {
  if constexpr (std::is_integral_v<T>)
    return {};
  else {
    const auto magnitudes = [](std::vector<T> values) {
      for (T& value : values) value = std::abs(value);
      return values;
    };
    return dot_product_bound<T>(h.size(), definition(magnitudes(x), magnitudes(h), mode));
  }
}

// --- S2 and S4 -----------------------------------------------------------------------------------------

const std::vector<std::pair<std::string, const serial_loops*>> both_loops = {
    {"one core, -O0", &loops_without_optimization}, {"one core, -O3", &loops_with_optimization}};

/// Each version once, in a process that has not run it before, or everything warm: all versions, the loops,
/// all cores, and the last version with the copies.
template <class T>
void time_convolution(part& p, bool once, const std::vector<T>& x, const std::vector<T>& h,
                      convolution_mode mode, const std::vector<version<T>>& versions,
                      const std::function<void(const serial_loops& loops, T* y)>& loop) {
  const std::vector<T> expected = definition(x, h, mode);
  const std::vector<double> allowed = bound(x, h, mode);
  const auto must_be_right = [&](const std::string& what, const std::vector<T>& y) {
    p.must_be_right(what, compare<T>(y, expected, allowed));
  };
  if (once) {
    // As it was: the output comes from calloc, and its pages are handed out while the loop runs.
    const auto fresh = make_untouched<T>(expected.size());
    p.host_once("one core, -O0", "serial loop", "once, new memory",
                [&] { loop(loops_without_optimization, fresh.get()); });
    must_be_right("serial loop", {fresh.get(), fresh.get() + expected.size()});
  }
  device_arrays<T> on_device(x, h, expected.size());
  for (const version<T>& each : versions) {
    if (once) p.device_once(each.first, [&] { on_device.call(each, 0); });
    must_be_right(each.first, on_device.result(each));
    if (!once) p.device(each.first, [&](int i) { on_device.call(each, i); });
  }
  if (once) return;
  std::vector<T> y(expected.size());
  for (const auto& [side, loops] : both_loops) {
    const auto call = [&, loops = loops] { loop(*loops, y.data()); };
    call();
    must_be_right(side, y);
    p.host(side, "serial loop", call);
  }
  convolve_all_cores<T>(x, h, y, mode);
  must_be_right("all cores", y);
  p.host("all cores", "01 all_cores", [&] { convolve_all_cores<T>(x, h, y, mode); });

  const version<T>& best = versions.back();
  p.device_and_host(best.first, "with copies", [&] { on_device.call_with_copies(best, x.data(), y.data()); });
  must_be_right("with copies", y);
  pinned_buffer<T> from{std::span<const T>(x)}, to(expected.size());
  p.device_and_host(best.first, "with copies, pinned",
                    [&] { on_device.call_with_copies(best, from.data(), to.data()); });
  must_be_right("with copies, pinned", {to.data(), to.data() + expected.size()});
}

/// S4: the mean of 5 samples, 10,000,000 doubles.
void time_mean(part& p, bool once) {
  constexpr int taps = 5;
  constexpr auto mode = convolution_mode::same;
  const int samples = p.small ? 3001 : 10'000'000;
  const std::vector<double> x = random_signal<double>(std::size_t(samples)), h(taps, 0.2);
  const std::vector<version<double>> versions = {
      {"02 direct", [](auto x, auto h, auto y) { convolve_direct(x, h, y, mode); }},
      {"04 constant", [](auto x, auto, auto y) { convolve_with_constant_taps(x, taps, y, mode); }},
      {"05 constant and shared memory",
       [](auto x, auto, auto y) { convolve_shared_with_loaded_taps(x, taps, y, mode); }},
      {"06 register_tiled", [](auto x, auto h, auto y) { convolve_register_tiled(x, h, y, mode); }}};
  const device_buffer<double> on_device(h);
  load_constant_taps(on_device.span());
  load_shared_taps(on_device.span());
  time_convolution<double>(p, once, x, h, mode, versions, [&](const serial_loops& loops, double* y) {
    loops.filter_same(x.data(), samples, h.data(), taps, y);
  });
  if (once) return;
  pinned_buffer<double> from{std::span<const double>(x)}, to(x.size());
  const journey<double> overlapped =
      prepare_stream_per_stage<double>(h, x.size(), mode, {std::max<std::size_t>(1, x.size() / 16), 3});
  std::ranges::fill(to.span(), std::nan(""));
  p.device_and_host("06 register_tiled", "with copies, overlapped", [&] {
    overlapped({from.data(), x.size()}, {to.data(), x.size()});
  });
  p.must_be_right("with copies, overlapped",
                  compare<double>(std::vector<double>(to.data(), to.data() + x.size()),
                                  definition(x, h, mode), bound(x, h, mode)));
}

/// S2: 1024 by 1024 whole numbers.
void time_whole_numbers(part& p, bool once) {
  constexpr auto mode = convolution_mode::full;
  const int size = p.small ? 65 : 1024;
  const std::vector<std::int32_t> a = random_full_range(std::size_t(size), 1),
                                  b = random_full_range(std::size_t(size), 2);
  const std::vector<unsigned> ua(a.begin(), a.end()), ub(b.begin(), b.end());
  device_buffer<std::byte> intermediate(tiled_intermediate_bytes<std::int32_t>(a.size(), b.size()));
  const std::vector<version<std::int32_t>> versions = {
      {"03 tiled", [&](auto x, auto h, auto y) { convolve_tiled(x, h, y, mode, intermediate.span()); }},
      {"03 warp_per_output", [](auto x, auto h, auto y) { convolve_warp_per_output(x, h, y, mode); }}};
  time_convolution<std::int32_t>(
      p, once, a, b, mode, versions, [&](const serial_loops& loops, std::int32_t* y) {
        loops.convolve_whole_numbers(ua.data(), ub.data(), size, reinterpret_cast<unsigned*>(y));
      });
}

// --- S3: the 8x8 DCT of 2592 x 2592 pixels -----------------------------------------------------------------

void time_dct(part& p, bool once) {
  const int side = p.small ? 64 : 2592;
  const plane<float> pixels = asymmetric_plane(side, side);
  plane<float> y(side, side);
  std::vector<float> matrix;
  for (const auto& row : dct_matrix()) matrix.insert(matrix.end(), row.begin(), row.end());
  std::vector<device_plane<float>> from, to;
  const int sets = buffer_sets(2 * pixels.values.size() * sizeof(float));
  for (int i = 0; i < sets; ++i) from.emplace_back(pixels), to.emplace_back(side, side);
  const auto set = [&](int i) { return std::size_t(i) % from.size(); };
  using transform = void (*)(device_plane_span<const float>, device_plane_span<float>);
  const std::vector<std::pair<std::string, transform>> kernels = {
      {"08 textured", dct8x8_textured}, {"08 columns", [](auto a, auto b) { dct8x8(a, b); }}};
  if (once) {
    const auto fresh = make_untouched<float>(pixels.values.size());
    p.host_once("one core, -O0", "serial loop", "once, new memory", [&] {
      loops_without_optimization.transform_blocks(pixels.values.data(), side, side, matrix.data(),
                                                  fresh.get());
    });
    y.values.assign(fresh.get(), fresh.get() + y.values.size());
    p.must_be_right("serial loop", verify_dct8x8(pixels, y));
  }
  for (const auto& [version, call] : kernels) {
    if (once) p.device_once(version, [&, call = call] { call(std::as_const(from[0]).span(), to[0].span()); });
    to[0].poison();
    call(std::as_const(from[0]).span(), to[0].span());
    p.must_be_right(version, verify_dct8x8(pixels, to[0].to_host()));
    if (!once)
      p.device(version,
               [&, call = call](int i) { call(std::as_const(from[set(i)]).span(), to[set(i)].span()); });
  }
  if (once) return;
  for (const auto& [which, loops] : both_loops) {
    const auto call = [&, loops = loops] {
      loops->transform_blocks(pixels.values.data(), side, side, matrix.data(), y.values.data());
    };
    call();
    p.must_be_right(which, verify_dct8x8(pixels, y));
    p.host(which, "serial loop", call);
  }
  dct8x8_all_cores(pixels, y);
  p.must_be_right("all cores", verify_dct8x8(pixels, y));
  p.host("all cores", "08 all cores", [&] { dct8x8_all_cores(pixels, y); });
  const std::size_t row = std::size_t(side) * sizeof(float);
  const auto& [best, call] = kernels.back();
  const auto with_copies = [&, call = call](const float* source, float* target) {
    check(cudaMemcpy2D(from[0].span().data(), from[0].pitch(), source, row, row, std::size_t(side),
                       cudaMemcpyHostToDevice));
    call(std::as_const(from[0]).span(), to[0].span());
    check(cudaMemcpy2D(target, row, to[0].span().data(), to[0].pitch(), row, std::size_t(side),
                       cudaMemcpyDeviceToHost));
  };
  p.device_and_host(best, "with copies", [&] { with_copies(pixels.values.data(), y.values.data()); });
  p.must_be_right("with copies", verify_dct8x8(pixels, y));
  pinned_buffer<float> source{std::span<const float>(pixels.values)}, target(pixels.values.size());
  p.device_and_host(best, "with copies, pinned", [&] { with_copies(source.data(), target.data()); });
}

// --- S1: direct and by FFT, over lengths 1000 n + 10 -------------------------------------------------------

void time_curve(part& p) {
  constexpr auto mode = convolution_mode::full;
  for (int n = 0; n < (p.small ? 2 : 10); ++n) {
    const int size = (p.small ? 50 : 1000) * n + 10;
    p.length = size;
    // All ones, as they were: sums are whole numbers up to the length. Transforms round; a tenth would be a
    // mistake.
    const std::vector<float> ones(std::size_t(size), 1.0f);
    const std::vector<float> expected = definition(ones, ones, mode);
    const std::vector<double> allowed(expected.size(), 0.1);
    std::vector<float> y(expected.size());
    const auto host = [&](const std::string& side, const std::string& version,
                          const std::function<void()>& call) {
      std::fill(y.begin(), y.end(), std::numeric_limits<float>::quiet_NaN());
      call();
      p.must_be_right(side + ", " + version, compare<float>(y, expected, allowed));
      p.host(side, version, call);
    };
    for (const auto& [side, loops] : both_loops) {
      host(side, "direct", [&, loops = loops] { loops->convolve(ones.data(), ones.data(), size, y.data()); });
      host(side, "FFT",
           [&, loops = loops] { loops->convolve_by_transforms(ones.data(), ones.data(), size, y.data()); });
    }
    host("all cores", "01 all_cores", [&] { convolve_all_cores<float>(ones, ones, y, mode); });
    device_arrays<float> on_device(ones, ones, expected.size());
    fft_convolver<float> prepared(on_device.h(), std::size_t(size), mode);
    const std::vector<version<float>> versions = {
        {"02 direct", [](auto x, auto h, auto y) { convolve_direct(x, h, y, mode); }},
        {"06 register_tiled", [](auto x, auto h, auto y) { convolve_register_tiled(x, h, y, mode); }},
        {"07 FFT, all made in the call",
         [](auto x, auto h, auto y) { convolve_fft_from_scratch(x, h, y, mode); }},
        {"07 FFT, prepared", [&](auto x, auto, auto y) { prepared(x, y); }}};
    for (const version<float>& each : versions) {
      p.must_be_right(each.first, compare<float>(on_device.result(each), expected, allowed));
      p.device(each.first, [&](int i) { on_device.call(each, i); });
      p.device_and_host(each.first, "with copies",
                        [&] { on_device.call_with_copies(each, ones.data(), y.data()); });
    }
  }
}

}  // namespace
}  // namespace tutorial

int main(int argc, char** argv) {
  using namespace tutorial;
  const std::map<std::string, std::function<void(part&)>> parts = {
      {"S1", time_curve},
      {"S2", [](part& p) { time_whole_numbers(p, false); }},
      {"S3", [](part& p) { time_dct(p, false); }},
      {"S4", [](part& p) { time_mean(p, false); }},
      {"S2-once", [](part& p) { time_whole_numbers(p, true); }},
      {"S3-once", [](part& p) { time_dct(p, true); }},
      {"S4-once", [](part& p) { time_mean(p, true); }}};
  std::string name, file;
  bool small = false, good = true;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--help") return std::fputs(usage, stdout), 0;
    if (word == "--small")
      small = true;
    else if (word == "--csv" && i + 1 < argc)
      file = argv[++i];
    else if (name.empty() && parts.contains(word))
      name = word;
    else
      good = false;
  }
  if (!good || name.empty() || file.empty()) return std::fputs(usage, stderr), 2;
  try {
    require_writable(file);
    part p(name.substr(0, 2), small);
    parts.at(name)(p);
    p.save(file);
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "then_and_now: %s\n", error.what());
    return 1;
  }
}
