// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Versions of the convolution as values. A chapter says its versions once, in its versions.hpp:
//
//     namespace tutorial::versions {
//     inline constexpr device_version direct{
//         "02", "direct", "one output per thread",
//         [](auto x, auto h, auto y, auto mode) { convolve_direct(x, h, y, mode); }};
//     }
//
// versions::direct can be called as the function is, and stands for it in tables, checks and later chapters.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

#include "common/device/device_memory.hpp"
#include "common/files/element_type.hpp"
#include "common/verify/compare.hpp"
#include "common/verify/convolution.hpp"
#include "common/verify/convolution_function.hpp"

namespace tutorial {

/// What a version does with the filter beforehand, once for many calls with signals of that length: to put it
/// where it keeps it, or to transform it.
template <class T>
using filter_preparation =
    std::function<void(device_span<const T> h, std::size_t samples, convolution_mode mode)>;
/// Of y = h * x; `expected` is y by the reference. Empty for a version that adds up products:
/// dot_product_bound().
template <class T>
using rounding_rule = std::function<rounding_allowance(std::span<const T> x, std::span<const T> h,
                                                       std::span<const T> expected, convolution_mode mode)>;

/// One function for each type; empty for a type that is not supported.
template <template <class> class Function>
using for_each_type = std::tuple<Function<std::int32_t>, Function<float>, Function<double>>;

/// A generic function as one for each of Types (all three if there are none).
template <template <class> class Wanted, class... Types, class Function>
for_each_type<Wanted> for_types(const Function& function) {
  const auto one = [&]<class T>(T) -> Wanted<T> {
    if constexpr (sizeof...(Types) == 0 || (std::is_same_v<T, Types> || ...))
      return function;
    else
      return {};
  };
  return {one(std::int32_t()), one(float()), one(double())};
}

/// One task that all versions are given.
struct convolution_work {
  std::string title = {};  ///< "A"; the sizes are added by the table.
  element_type type = element_type::float64;
  std::size_t samples = 0, taps = 0;
  convolution_mode mode = convolution_mode::same;
  /// Signal and output begin so many elements behind an aligned address, as parts of larger arrays do.
  std::size_t offset = 0;
};

/// A version of the convolution, on the host or on the device, for the types that it supports.
struct convolution_version {
  std::string chapter = {};  ///< "02"
  std::string name = {};     ///< For --variant: "direct". The file and the function are called so, too.
  std::string about = {};    ///< For --list: "one output per thread".
  for_each_type<host_convolution> on_host = {};
  for_each_type<device_convolution> on_device = {};
  /// Called with h before every series of calls of on_device with that h, and neither timed nor counted. Most
  /// versions have nothing to prepare.
  for_each_type<filter_preparation> prepare = {};
  /// For transforms and the like, which round in another way than sums. Allowed in addition to
  /// dot_product_bound().
  for_each_type<rounding_rule> rounding = {};
  /// What --explain says: what the version chooses for a work, and why. Most have nothing to choose.
  std::function<std::string(const convolution_work& work)> explain = {};
  bool runs_on_device = false;
  /// More products than this, and tables skip it, saying so.
  double max_products = std::numeric_limits<double>::infinity();

  /// "02 direct"
  std::string label() const { return chapter + " " + name; }
  /// Whether there is a function for that type.
  bool supports(element_type type) const {
    return with_type(type, [&]<class T>(T) {
      return runs_on_device ? bool(std::get<device_convolution<T>>(on_device))
                            : bool(std::get<host_convolution<T>>(on_host));
    });
  }
};

/// A version on the host as its chapter defines it: a generic function of (x, h, y, mode), spans of host
/// memory. It is called as the function is, and becomes a convolution_version of all three types by itself.
template <class Function>
struct host_version {
  const char *chapter, *name, *about;
  Function function;

  /// By its chapter, its name, one line about it, and what it does.
  constexpr host_version(const char* chapter, const char* name, const char* about, Function function)
      : chapter(chapter), name(name), about(about), function(function) {}
  /// Calls the function.
  template <class X, class H, class Y>
  void operator()(X x, H h, Y y, convolution_mode mode) const {
    function(x, h, y, mode);
  }
  /// The version for all three types.
  operator convolution_version() const {
    return {
        .chapter = chapter, .name = name, .about = about, .on_host = for_types<host_convolution>(function)};
  }
};

/// The same on the device, with device_spans: the function launches and need not wait.
template <class Function>
struct device_version {
  const char *chapter, *name, *about;
  Function function;

  /// By its chapter, its name, one line about it, and what it does.
  constexpr device_version(const char* chapter, const char* name, const char* about, Function function)
      : chapter(chapter), name(name), about(about), function(function) {}
  /// Calls the function.
  template <class X, class H, class Y>
  void operator()(X x, H h, Y y, convolution_mode mode) const {
    function(x, h, y, mode);
  }
  /// The version for all three types.
  operator convolution_version() const {
    return {.chapter = chapter,
            .name = name,
            .about = about,
            .on_device = for_types<device_convolution>(function),
            .runs_on_device = true};
  }
};

/// A version on the device that puts each filter where it wants it beforehand: load(h), then function(x,
/// taps, y, mode).
template <class Load, class Function>
struct loaded_version {
  const char *chapter, *name, *about;
  Load load;
  Function function;

  /// By its chapter, its name, one line about it, and what it does.
  constexpr loaded_version(const char* chapter, const char* name, const char* about, Load load,
                           Function function)
      : chapter(chapter), name(name), about(about), load(load), function(function) {}
  /// Loads the filter and calls the function.
  template <class X, class H, class Y>
  void operator()(X x, H h, Y y, convolution_mode mode) const {
    load(h);
    function(x, h.size(), y, mode);
  }
  /// The version for all three types.
  operator convolution_version() const {
    return {
        .chapter = chapter,
        .name = name,
        .about = about,
        .on_device = for_types<device_convolution>(
            [*this](auto x, auto h, auto y, convolution_mode mode) { function(x, h.size(), y, mode); }),
        .prepare = for_types<filter_preparation>([*this](auto h, std::size_t, convolution_mode) { load(h); }),
        .runs_on_device = true};
  }
};

/// A version on the device that keeps an object for the filter that it was last prepared for: make(h,
/// samples, mode) gives it, a function of (x, y).
template <class... Types, class Make>
convolution_version kept_version(std::string chapter, std::string name, std::string about, const Make& make) {
  const auto slots = std::make_tuple(
      std::make_shared<
          std::optional<decltype(make(device_span<const Types>(), std::size_t{}, convolution_mode{}))>>()...);
  const auto slot_of = [slots]<class T>(device_span<const T>) {
    using object =
        decltype(std::declval<const Make&>()(device_span<const T>(), std::size_t{}, convolution_mode{}));
    return std::get<std::shared_ptr<std::optional<object>>>(slots);
  };
  convolution_version version{
      .chapter = std::move(chapter), .name = std::move(name), .about = std::move(about)};
  version.runs_on_device = true;
  version.on_device = for_types<device_convolution, Types...>(
      [slot_of](auto x, auto, auto y, convolution_mode) { (**slot_of(x))(x, y); });
  version.prepare = for_types<filter_preparation, Types...>(
      [slot_of, make](auto h, std::size_t samples, convolution_mode mode) {
        auto& kept = *slot_of(h);
        kept.reset();  // before the next one takes its memory
        kept.emplace(make(h, samples, mode));
      });
  return version;
}

/// The version, left out of tables with more products.
inline convolution_version up_to(double max_products, convolution_version version) {
  version.max_products = max_products;
  return version;
}

}  // namespace tutorial
