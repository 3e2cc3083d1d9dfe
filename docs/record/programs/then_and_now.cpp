// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
/// \file
/// Four works for which a speed-up was once reported, timed the way it was reported and other ways: for
/// docs/then_and_now.md. Every result is compared with the definition; what runs once,
/// after it has been timed.
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
#include "common/device/plane.hpp"
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

// --- pinned memory of the host, for fast copies ---------------------------------------------------------

template <class T>
class pinned_array {
 public:
  explicit pinned_array(std::size_t size) : size_(size) {
    check(cudaMallocHost(reinterpret_cast<void**>(&data_), size * sizeof(T)));
  }
  ~pinned_array() { cudaFreeHost(data_); }
  pinned_array(const pinned_array&) = delete;
  pinned_array& operator=(const pinned_array&) = delete;
  T* data() { return data_; }
  std::size_t bytes() const { return size_ * sizeof(T); }

 private:
  T* data_ = nullptr;
  std::size_t size_;
};

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
    cudaEvent_t begin, end;
    check(cudaEventCreate(&begin));
    check(cudaEventCreate(&end));
    check(cudaDeviceSynchronize());
    check(cudaEventRecord(begin));
    work();
    check(cudaEventRecord(end));
    check(cudaEventSynchronize(end));
    check(cudaGetLastError());
    float ms = 0;
    check(cudaEventElapsedTime(&ms, begin, end));
    check(cudaEventDestroy(begin));
    check(cudaEventDestroy(end));
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

template <class T>
void copy_in(device_span<T> to, const T* from) {
  check(cudaMemcpy(to.data(), from, to.size_bytes(), cudaMemcpyHostToDevice));
}
template <class T>
void copy_out(T* to, device_span<T> from) {
  check(cudaMemcpy(to, from.data(), from.size_bytes(), cudaMemcpyDeviceToHost));
}

/// A device function on arrays of its own, so many that none is found in the cache.
template <class T>
class device_arrays {
 public:
  device_arrays(const std::vector<T>& x, const std::vector<T>& h, std::size_t outputs) : h_(h) {
    const int sets = buffer_sets((x.size() + outputs) * sizeof(T));
    for (int i = 0; i < sets; ++i) x_.emplace_back(x), y_.emplace_back(outputs);
  }
  device_span<const T> x(int i) const { return x_[std::size_t(i) % x_.size()].span(); }
  device_span<T> x_to_write(int i) { return x_[std::size_t(i) % x_.size()].span(); }
  device_span<const T> h() const { return h_.span(); }
  device_span<T> h_to_write() { return h_.span(); }
  device_span<T> y(int i) { return y_[std::size_t(i) % y_.size()].span(); }

  template <class F>
  std::vector<T> result(const F& f) {
    poison(y(0));
    f(0);
    return y_[0].to_host();
  }

 private:
  device_buffer<T> h_;
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

// --- S4: the mean of 5 samples, 10,000,000 doubles ---------------------------------------------------------

void time_mean(part& p, bool once) {
  constexpr int taps = 5;
  constexpr auto mode = convolution_mode::same;
  const int samples = p.small ? 3001 : 10'000'000;
  const std::vector<double> x = random_signal<double>(std::size_t(samples)), h(taps, 0.2);
  const std::vector<double> expected = definition(x, h, mode), allowed = bound(x, h, mode);
  std::vector<double> y(x.size());
  if (once) {
    // As it was: the output comes from calloc, and its pages are handed out while the loop runs.
    const auto fresh = make_untouched<double>(x.size());
    p.host_once("one core, -O0", "serial loop", "once, new memory", [&] {
      loops_without_optimization.filter_same(x.data(), samples, h.data(), taps, fresh.get());
    });
    p.must_be_right("serial loop", compare<double>(std::vector<double>(fresh.get(), fresh.get() + x.size()),
                                                   expected, allowed));
  }
  device_arrays<double> on_device(x, h, x.size());
  const std::vector<std::pair<std::string, std::function<void(int)>>> kernels = {
      {"02 direct", [&](int i) { convolve_direct(on_device.x(i), on_device.h(), on_device.y(i), mode); }},
      {"04 constant",
       [&](int i) { convolve_with_constant_taps(on_device.x(i), taps, on_device.y(i), mode); }},
      {"05 constant and shared memory",
       [&](int i) { convolve_shared_with_loaded_taps(on_device.x(i), taps, on_device.y(i), mode); }},
      {"06 register_tiled",
       [&](int i) { convolve_register_tiled(on_device.x(i), on_device.h(), on_device.y(i), mode); }}};
  load_constant_taps(on_device.h());
  load_shared_taps(on_device.h());
  for (const auto& [version, call] : kernels) {
    if (once) p.device_once(version, [&, &call = call] { call(0); });
    p.must_be_right(version, compare<double>(on_device.result(call), expected, allowed));
    if (!once) p.device(version, call);
  }
  if (once) return;
  for (const auto& [side, loops] : {std::pair{"one core, -O0", &loops_without_optimization},
                                    std::pair{"one core, -O3", &loops_with_optimization}}) {
    loops->filter_same(x.data(), samples, h.data(), taps, y.data());
    p.must_be_right(side, compare<double>(y, expected, allowed));
    p.host(side, "serial loop",
           [&, &loops = loops] { loops->filter_same(x.data(), samples, h.data(), taps, y.data()); });
  }
  convolve_all_cores<double>(x, h, y, mode);
  p.must_be_right("all cores", compare<double>(y, expected, allowed));
  p.host("all cores", "01 all_cores", [&] { convolve_all_cores<double>(x, h, y, mode); });

  const auto& [best, call] = kernels.back();
  p.device_and_host(best, "with copies", [&, &call = call] {
    copy_in(on_device.x_to_write(0), x.data());
    copy_in(on_device.h_to_write(), h.data());
    call(0);
    copy_out(y.data(), on_device.y(0));
  });
  p.must_be_right("with copies", compare<double>(y, expected, allowed));
  pinned_array<double> from(x.size()), to(x.size());
  std::copy(x.begin(), x.end(), from.data());
  p.device_and_host(best, "with copies, pinned", [&, &call = call] {
    copy_in(on_device.x_to_write(0), from.data());
    copy_in(on_device.h_to_write(), h.data());
    call(0);
    copy_out(to.data(), on_device.y(0));
  });
  const journey<double> overlapped =
      prepare_stream_per_stage<double>(h, x.size(), mode, {std::max<std::size_t>(1, x.size() / 16), 3});
  std::fill_n(to.data(), x.size(), std::nan(""));
  p.device_and_host(best, "with copies, overlapped", [&] {
    overlapped({from.data(), x.size()}, {to.data(), x.size()});
  });
  p.must_be_right("with copies, overlapped",
                  compare<double>(std::vector<double>(to.data(), to.data() + x.size()), expected, allowed));
}

// --- S2: 1024 by 1024 whole numbers ------------------------------------------------------------------------

void time_whole_numbers(part& p, bool once) {
  constexpr auto mode = convolution_mode::full;
  const int size = p.small ? 65 : 1024;
  const std::vector<std::int32_t> a = random_full_range(std::size_t(size), 1),
                                  b = random_full_range(std::size_t(size), 2);
  const std::vector<std::int32_t> expected = definition(a, b, mode);
  const std::vector<unsigned> ua(a.begin(), a.end()), ub(b.begin(), b.end());
  std::vector<unsigned> uy(expected.size());
  const auto right = [&](const std::string& what) {
    p.must_be_right(what, compare<std::int32_t>(std::vector<std::int32_t>(uy.begin(), uy.end()), expected));
  };
  device_arrays<std::int32_t> on_device(a, b, expected.size());
  device_buffer<std::byte> intermediate(tiled_intermediate_bytes<std::int32_t>(a.size(), b.size()));
  const std::vector<std::pair<std::string, std::function<void(int)>>> kernels = {
      {"03 tiled",
       [&](int i) {
         convolve_tiled<std::int32_t>(on_device.x(i), on_device.h(), on_device.y(i), mode,
                                      intermediate.span());
       }},
      {"02 direct",
       [&](int i) { convolve_direct<std::int32_t>(on_device.x(i), on_device.h(), on_device.y(i), mode); }},
      {"03 warp_per_output", [&](int i) {
         convolve_warp_per_output<std::int32_t>(on_device.x(i), on_device.h(), on_device.y(i), mode);
       }}};
  if (once) {
    const auto fresh = make_untouched<unsigned>(uy.size());
    p.host_once("one core, -O0", "serial loop", "once, new memory", [&] {
      loops_without_optimization.convolve_whole_numbers(ua.data(), ub.data(), size, fresh.get());
    });
    uy.assign(fresh.get(), fresh.get() + uy.size());
    right("serial loop");
  }
  for (const auto& [version, call] : kernels) {
    if (once) p.device_once(version, [&, &call = call] { call(0); });
    p.must_be_right(version, compare<std::int32_t>(on_device.result(call), expected));
    if (!once) p.device(version, call);
  }
  if (once) return;
  for (const auto& [side, loops] : {std::pair{"one core, -O0", &loops_without_optimization},
                                    std::pair{"one core, -O3", &loops_with_optimization}}) {
    const auto call = [&, &loops = loops] {
      loops->convolve_whole_numbers(ua.data(), ub.data(), size, uy.data());
    };
    call();
    right(side);
    p.host(side, "serial loop", call);
  }
  std::vector<std::int32_t> y(expected.size());
  convolve_all_cores<std::int32_t>(a, b, y, mode);
  p.must_be_right("all cores", compare<std::int32_t>(y, expected));
  p.host("all cores", "01 all_cores", [&] { convolve_all_cores<std::int32_t>(a, b, y, mode); });
  for (const auto& [version, call] : kernels) {
    p.device_and_host(version, "with copies", [&, &call = call] {
      copy_in(on_device.x_to_write(0), a.data());
      copy_in(on_device.h_to_write(), b.data());
      call(0);
      copy_out(y.data(), on_device.y(0));
    });
    p.must_be_right(version + " with copies", compare<std::int32_t>(y, expected));
  }
  const auto& [best, call] = kernels.back();
  pinned_array<std::int32_t> from(a.size()), to(expected.size());
  std::copy(a.begin(), a.end(), from.data());
  p.device_and_host(best, "with copies, pinned", [&, &call = call] {
    copy_in(on_device.x_to_write(0), from.data());
    copy_in(on_device.h_to_write(), b.data());
    call(0);
    copy_out(to.data(), on_device.y(0));
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
  const std::vector<std::pair<std::string, transform>> kernels = {{"08 textured", dct8x8_textured},
                                                                  {"08 columns", dct8x8}};
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
  for (const auto& [which, loops] : {std::pair{"one core, -O0", &loops_without_optimization},
                                     std::pair{"one core, -O3", &loops_with_optimization}}) {
    const auto call = [&, &loops = loops] {
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
  const auto with_copies = [&](const std::string& version, transform call, const std::string& way,
                               const float* source, float* target) {
    p.device_and_host(version, way, [&, call] {
      check(cudaMemcpy2D(from[0].span().data(), from[0].pitch(), source, row, row, std::size_t(side),
                         cudaMemcpyHostToDevice));
      call(std::as_const(from[0]).span(), to[0].span());
      check(cudaMemcpy2D(target, row, to[0].span().data(), to[0].pitch(), row, std::size_t(side),
                         cudaMemcpyDeviceToHost));
    });
  };
  for (const auto& [version, call] : kernels) {
    with_copies(version, call, "with copies", pixels.values.data(), y.values.data());
    p.must_be_right(version + " with copies", verify_dct8x8(pixels, y));
  }
  pinned_array<float> source(pixels.values.size()), target(pixels.values.size());
  std::copy(pixels.values.begin(), pixels.values.end(), source.data());
  with_copies(kernels.back().first, kernels.back().second, "with copies, pinned", source.data(),
              target.data());
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
    const auto host = [&](const char* side, const char* version, const std::function<void()>& call) {
      std::fill(y.begin(), y.end(), std::numeric_limits<float>::quiet_NaN());
      call();
      p.must_be_right(std::string(side) + ", " + version, compare<float>(y, expected, allowed));
      p.host(side, version, call);
    };
    for (const auto& [side, loops] : {std::pair{"one core, -O0", &loops_without_optimization},
                                      std::pair{"one core, -O3", &loops_with_optimization}}) {
      host(side, "direct", [&, loops = loops] { loops->convolve(ones.data(), ones.data(), size, y.data()); });
      host(side, "FFT",
           [&, loops = loops] { loops->convolve_by_transforms(ones.data(), ones.data(), size, y.data()); });
    }
    host("all cores", "01 all_cores", [&] { convolve_all_cores<float>(ones, ones, y, mode); });
    device_arrays<float> on_device(ones, ones, expected.size());
    fft_convolver<float> prepared(on_device.h(), std::size_t(size), mode);
    const std::vector<std::pair<std::string, std::function<void(int)>>> kernels = {
        {"02 direct", [&](int i) { convolve_direct(on_device.x(i), on_device.h(), on_device.y(i), mode); }},
        {"06 register_tiled",
         [&](int i) { convolve_register_tiled(on_device.x(i), on_device.h(), on_device.y(i), mode); }},
        {"07 FFT, all made in the call",
         [&](int i) { convolve_fft_from_scratch(on_device.x(i), on_device.h(), on_device.y(i), mode); }},
        {"07 FFT, prepared", [&](int i) { prepared(on_device.x(i), on_device.y(i)); }}};
    for (const auto& [version, call] : kernels) {
      p.must_be_right(version, compare<float>(on_device.result(call), expected, allowed));
      p.device(version, call);
      p.device_and_host(version, "with copies", [&, &call = call] {
        copy_in(on_device.x_to_write(0), ones.data());
        copy_in(on_device.h_to_write(), ones.data());
        call(0);
        copy_out(y.data(), on_device.y(0));
      });
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
