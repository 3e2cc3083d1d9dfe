// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
/// \file
/// One convolution with its answer: what the tables and the reader's own data are verified with.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <span>
#include <tuple>
#include <type_traits>
#include <vector>

#include "common/device/device_memory.hpp"
#include "common/verify/compare.hpp"
#include "convolution_chapter.hpp"

namespace tutorial::detail {

template <class T>
struct convolution_task {
  std::vector<T> x, h;
  convolution_mode mode;
  std::vector<T> expected;    ///< By the reference.
  std::vector<double> bound;  ///< By dot_product_bound(); empty for int32.
  non_finite rule = non_finite::is_a_mismatch;
  std::size_t non_finite_outputs = 0;  ///< Of the reference, with rule must_agree.

  std::size_t outputs() const { return expected.size(); }
  agreement verify(const std::vector<T>& actual) const { return compare<T>(actual, expected, bound, rule); }
  /// For the result of that variant. Element by element, and in addition as a whole where the variant says how near it must be as a whole.
  agreement verify(const convolution_variant& variant, const std::vector<T>& actual) const {
    const auto& rounding = std::get<rounding_rule<T>>(variant.rounding);
    if (!rounding) return verify(actual);
    const rounding_allowance allowed = rounding(x, h, expected, mode);
    return compare_as_a_whole(actual, expected, bound, allowed.each, allowed.all, rule);
  }
};

/// NaN, or 0xA5A5... for integers, as on the device.
template <class T>
std::vector<T> poisoned(std::size_t size) {
  std::vector<T> values(size);
  std::memset(values.data(), std::is_floating_point_v<T> ? 0xFF : 0xA5, size * sizeof(T));
  return values;
}

template <class T>
convolution_task<T> make_task(std::vector<T> x, std::vector<T> h, convolution_mode mode,
                              const host_convolutions& reference,
                              non_finite rule = non_finite::is_a_mismatch) {
  convolution_task<T> task{std::move(x), std::move(h), mode, {}, {}, rule};
  const host_convolution<T>& convolve = std::get<host_convolution<T>>(reference);
  task.expected = poisoned<T>(output_length(task.x.size(), task.h.size(), mode));
  convolve(task.x, task.h, task.expected, mode);
  if constexpr (std::is_floating_point_v<T>) {
    const auto absolute = [](std::vector<T> values) {
      for (T& value : values) value = std::abs(value);
      return values;
    };
    std::vector<T> sums = poisoned<T>(task.expected.size());
    convolve(absolute(task.x), absolute(task.h), sums, mode);
    task.bound = dot_product_bound<T>(task.h.size(), std::span<const T>(sums));
    task.non_finite_outputs = std::size_t(std::count_if(task.expected.begin(), task.expected.end(),
                                                        [](T value) { return !std::isfinite(value); }));
  }
  return task;
}

/// Runs a variant on the host on poisoned output.
template <class T>
std::vector<T> run_on_host(const convolution_variant& variant, const convolution_task<T>& task) {
  std::vector<T> y = poisoned<T>(task.outputs());
  std::get<host_convolution<T>>(variant.on_host)(task.x, task.h, y, task.mode);
  return y;
}

/// Gives the filter to a variant that prepares it.
template <class T>
void prepare(const convolution_variant& variant, device_span<const T> h, const convolution_task<T>& task) {
  const auto& preparation = std::get<filter_preparation<T>>(variant.prepare);
  if (preparation) preparation(h, task.x.size(), task.mode);
}

/// Signal and output on the device, `offset` elements behind the beginning of their memory, which is aligned.
template <class T>
struct placed_buffers {
  device_buffer<T> x_memory, y_memory;
  device_span<T> x, y;

  placed_buffers(const convolution_task<T>& task, std::size_t offset)
      : x_memory(task.x.size() + offset),
        y_memory(task.outputs() + offset),
        x(x_memory.span().subspan(offset, task.x.size())),
        y(y_memory.span().subspan(offset, task.outputs())) {
    check(cudaMemcpy(x.data(), task.x.data(), x.size_bytes(), cudaMemcpyHostToDevice));
  }
};

/// Runs a variant on the device on poisoned output; `launches` receives what it counted.
template <class T>
std::vector<T> run_on_device(const convolution_variant& variant, const convolution_task<T>& task,
                             std::vector<launch_counts>& launches, std::size_t offset = 0) {
  const placed_buffers<T> buffers(task, offset);
  const device_buffer<T> h(task.h);
  const auto& convolve = std::get<device_convolution<T>>(variant.on_device);
  prepare<T>(variant, h.span(), task);
  launches = count_launches([&] { convolve(buffers.x, h.span(), buffers.y, task.mode); });
  std::vector<T> y(task.outputs());
  check(cudaMemcpy(y.data(), buffers.y.data(), buffers.y.size_bytes(), cudaMemcpyDeviceToHost));
  return y;
}

}  // namespace tutorial::detail
