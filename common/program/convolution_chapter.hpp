// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
/// \file
/// What the convolution chapters share: versions side by side, verified, measured or counted, on standard works and
/// on the reader's own data.
///
///     tutorial::chapter tutorial::this_chapter() {
///       return convolution_chapter({
///           .number = "02", .name = "direct_kernel", .title = "Direct kernel", .next = "03",
///           .reference = all_types_on_host([](auto x, auto h, auto y, convolution_mode m) { ... }),
///           .variants = {host_variant("serial", "01 serial", [](auto x, auto h, auto y, convolution_mode m) { ... }),
///                        device_variant("direct", "02 direct kernel", [](auto x, ...) { ... })},
///           .demo = [](convolution_demo& demo) { demo.table(demo.work_a()); },
///       });
///     }
#pragma once

#include <functional>
#include <limits>
#include <span>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

#include "chapter.hpp"
#include "common/device/device_memory.hpp"
#include "common/device/measure.hpp"
#include "common/files/element_type.hpp"
#include "common/verify/compare.hpp"
#include "common/verify/convolution.hpp"
#include "common/verify/convolution_function.hpp"

namespace tutorial {

/// What a version does with the filter beforehand, once for many calls with signals of that length: to put it where it
/// keeps it, or to transform it.
template <class T>
using filter_preparation =
    std::function<void(device_span<const T> h, std::size_t samples, convolution_mode mode)>;

/// Of y = h * x; `expected` is y by the reference. Empty for a version that adds up products: dot_product_bound().
template <class T>
using rounding_rule = std::function<rounding_allowance(std::span<const T> x, std::span<const T> h,
                                                       std::span<const T> expected, convolution_mode mode)>;

/// One function for each type; empty for a type that is not supported.
using host_convolutions =
    std::tuple<host_convolution<std::int32_t>, host_convolution<float>, host_convolution<double>>;
using device_convolutions =
    std::tuple<device_convolution<std::int32_t>, device_convolution<float>, device_convolution<double>>;
using filter_preparations =
    std::tuple<filter_preparation<std::int32_t>, filter_preparation<float>, filter_preparation<double>>;
using rounding_rules = std::tuple<rounding_rule<std::int32_t>, rounding_rule<float>, rounding_rule<double>>;

/// One task that all versions are given.
struct convolution_work {
  std::string title = {};  ///< "A"; the sizes are added by the table.
  element_type type = element_type::float64;
  std::size_t samples = 0, taps = 0;
  convolution_mode mode = convolution_mode::same;
  /// Signal and output begin so many elements behind an aligned address, as parts of larger arrays do.
  std::size_t offset = 0;
};

/// A version of the convolution, on the host or on the device.
struct convolution_variant {
  std::string name;   ///< For --variant: "direct".
  std::string label;  ///< For tables and --list: "02 direct kernel".
  host_convolutions on_host;
  device_convolutions on_device;
  /// Called with h before every series of calls of on_device with that h, and neither timed nor counted. Most versions
  /// have nothing to prepare.
  filter_preparations prepare;
  /// For transforms and the like, which round in another way than sums. Allowed in addition to dot_product_bound().
  rounding_rules rounding;
  /// What --explain says: what the version chooses for a work, and why. Most have nothing to choose.
  std::function<std::string(const convolution_work& work)> explain;
  bool runs_on_device = false;
  /// More products than this, and tables skip it, saying so.
  double max_products = std::numeric_limits<double>::infinity();

  /// Whether there is a function for that type.
  bool supports(element_type type) const;
};

namespace detail {
/// The function for each of the three types if it is among Types (all three if there are none).
template <template <class> class Convolution, class... Types, class Function>
auto for_types(const Function& function) {
  const auto one = [&]<class T>(T) -> Convolution<T> {
    if constexpr (sizeof...(Types) == 0 || (std::is_same_v<T, Types> || ...))
      return function;
    else
      return {};
  };
  return std::make_tuple(one(std::int32_t()), one(float()), one(double()));
}
}  // namespace detail

/// A generic function (x, h, y, mode) for all three types.
template <class... Types, class Function>
host_convolutions all_types_on_host(const Function& function) {
  return detail::for_types<host_convolution, Types...>(function);
}

/// A variant from a generic function of (x, h, y, mode), spans of host memory.
/// host_variant<float, double>(...) is for these types only.
template <class... Types, class Function>
convolution_variant host_variant(std::string name, std::string label, const Function& function,
                                 double max_products = std::numeric_limits<double>::infinity()) {
  convolution_variant variant;
  variant.name = std::move(name);
  variant.label = std::move(label);
  variant.on_host = detail::for_types<host_convolution, Types...>(function);
  variant.max_products = max_products;
  return variant;
}

/// The same with device_spans: the function launches and need not wait.
template <class... Types, class Function>
convolution_variant device_variant(std::string name, std::string label, const Function& function,
                                   double max_products = std::numeric_limits<double>::infinity()) {
  convolution_variant variant;
  variant.name = std::move(name);
  variant.label = std::move(label);
  variant.on_device = detail::for_types<device_convolution, Types...>(function);
  variant.runs_on_device = true;
  variant.max_products = max_products;
  return variant;
}

/// The variant with a generic function of (h) or of (h, samples, mode), h a span of device memory, that prepares each
/// filter for it:
///     with_preparation(device_variant("once", "04 taps already there", ...), [](auto h) { load_taps(h); })
template <class... Types, class Function>
convolution_variant with_preparation(convolution_variant variant, const Function& function) {
  const auto prepare = [function](auto h, std::size_t samples, convolution_mode mode) {
    if constexpr (std::is_invocable_v<const Function&, decltype(h)>)
      function(h);
    else
      function(h, samples, mode);
  };
  variant.prepare = detail::for_types<filter_preparation, Types...>(prepare);
  return variant;
}

/// The variant with a generic rounding_rule.
template <class... Types, class Function>
convolution_variant with_rounding(convolution_variant variant, const Function& function) {
  variant.rounding = detail::for_types<rounding_rule, Types...>(function);
  return variant;
}

/// What became of one variant in one table.
struct convolution_row {
  std::string variant = {}, label = {};
  bool skipped = false, on_device = false;
  timing time = {};                          ///< Zero where counts are shown instead.
  double of_limit = 0;                       ///< limit / median; 0 where it has no meaning.
  std::vector<launch_counts> launches = {};  ///< Empty where nothing is counted.
  launch_counts counts = {};                 ///< Their sum.
  double loads_per_output = 0;               ///< From global memory, as threads ask for them.
  agreement verified = {};
};

struct convolution_table {
  convolution_work work;
  std::size_t outputs = 0;
  double products = 0;   ///< Multiplications whose result counts.
  double copy_ms = 0;    ///< A plain copy of as many bytes; 0 if not measured.
  double fma_ms = 0;     ///< The arithmetic at the measured FMA rate; 0 if not measured.
  double limit_ms = 0;   ///< The larger of the two.
  double copies_ms = 0;  ///< Signal and filter there, output back, from pageable memory; 0 if not measured.
  std::vector<convolution_row> rows;

  /// The row of a variant; nullptr if it is not in the table or was skipped.
  const convolution_row* find(std::string_view variant) const;
};

struct convolution_chapter_parts;

/// What a chapter's demo works with.
class convolution_demo {
 public:
  /// Both must outlive it.
  convolution_demo(chapter_run& run, const convolution_chapter_parts& parts) : run_(run), parts_(parts) {}

  /// Smoothing: 'same', 5 taps, 10,000,000 doubles; bound by memory. Smaller on the emulated device.
  convolution_work work_a() const;
  /// Full, 1025 taps, 2^24 floats; bound by arithmetic. Smaller on the emulated device.
  convolution_work work_b() const;

  /// Runs, verifies, measures or counts every variant (or those named), prints the table and returns it.
  convolution_table table(const convolution_work& work, const std::vector<std::string>& variants = {});
  /// The same, but nothing is printed or recorded for --csv, and the copies there and back are not measured: for a
  /// chapter's own table over many works. A row that is
  /// wrong fails the run here, too.
  convolution_table quiet_table(const convolution_work& work, const std::vector<std::string>& variants = {});

  /// For --picture: the times of these versions against the length of the signal, beside those of a copy. 5 taps
  /// ('same', doubles, as work A) are the picture under `name`, 1025 (full, floats, as work B) the one under "long". A
  /// version is left out from the first work on that it does not fit. Does nothing without --picture.
  void draw_sizes(
      const std::vector<std::string>& variants, const std::string& name = "",
      const std::function<bool(const std::string& variant, const convolution_work& work)>& fits = {});

  /// Prints a paragraph, as chapter_run::say() does.
  void say(std::string_view text = {}) { run_.say(text); }
  /// Whether kernels run on the emulated device: it counts and has no times.
  bool emulated() const { return run_.device().emulated; }
  /// The run that all of this belongs to.
  chapter_run& run() { return run_; }

 private:
  convolution_table compute(const convolution_work& work, const std::vector<std::string>& variants,
                            bool with_copies);
  void fail_where_wrong(const convolution_table& table);

  chapter_run& run_;
  const convolution_chapter_parts& parts_;
};

struct convolution_chapter_parts {
  std::string number = {}, name = {}, title = {}, next = {};
  /// The oracle of every verification: chapter 01's function, the fastest form of it.
  host_convolutions reference = {};
  std::vector<convolution_variant> variants = {};
  std::string default_variant = {};         ///< For the reader's own data; empty: the last one.
  own_picture picture = own_picture::none;  ///< What --picture gives.
  std::function<void(convolution_demo&)> demo = {};
};

/// The chapter that these parts make: its demo, what it does with a reader's own data, and its list of variants.
chapter convolution_chapter(convolution_chapter_parts parts);

}  // namespace tutorial
