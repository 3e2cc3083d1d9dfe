// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// One convolution with its answer, and a version at work on it: what the tables and the reader's own data
// share.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstring>
#include <span>
#include <tuple>
#include <type_traits>
#include <vector>

#include "common/device/device_memory.hpp"
#include "common/verify/compare.hpp"
#include "signals.hpp"

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
  std::size_t bytes() const { return (x.size() + h.size() + outputs()) * sizeof(T); }
  agreement verify(const std::vector<T>& actual) const { return compare<T>(actual, expected, bound, rule); }
  /// For the result of that version. Element by element, and in addition as a whole where the version says
  /// how near it must be as a whole.
  agreement verify(const convolution_version& version, const std::vector<T>& actual) const {
    const auto& rounding = std::get<rounding_rule<T>>(version.rounding);
    if (!rounding) return verify(actual);
    const rounding_allowance allowed = rounding(x, h, expected, mode);
    // Of NaN and infinities nothing can be said as a whole, and an infinite allowance would allow everything.
    if (non_finite_outputs != 0 || !std::isfinite(allowed.each) || std::isnan(allowed.all))
      return verify(actual);
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
                              const for_each_type<host_convolution>& reference,
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

/// The memory that the versions of a task work on, host's and device's, made when the first one needs it.
/// Buffers take turns, so that no call finds its signal in the cache: on the host half a GiB in all, more
/// than the caches of a large processor hold.
template <class T>
class convolution_bench {
 public:
  /// `task` must outlive it. With `timed` there are as many buffers as times need, otherwise one.
  convolution_bench(const convolution_task<T>& task, std::size_t offset, bool timed)
      : task_(task), offset_(offset), timed_(timed) {}

  /// The version on this task; it must not outlive the bench, nor `version`.
  ready_version ready(const convolution_version& version) {
    ready_version result{.name = version.name,
                         .label = version.label(),
                         .bytes = double(task_.bytes()),
                         .prepare = [&] { prepare(version); },
                         .launch = [&](int set) { launch(version, std::size_t(set)); },
                         .verify = [&] { return verification(task_.verify(version, result_of(version))); }};
    result.on_device = version.runs_on_device;
    result.too_large = product_count(task_.x.size(), task_.h.size(), task_.mode) > version.max_products;
    result.sets = int(sets(version));
    return result;
  }
  /// What the version that was launched last on set 0 has left, until the next call.
  const std::vector<T>& result_of(const convolution_version& version) {
    if (!version.runs_on_device) return host_y_.front();
    result_.resize(task_.outputs());
    const device_span<T> from = device_.front().y;
    check(cudaMemcpy(result_.data(), from.data(), from.size_bytes(), cudaMemcpyDeviceToHost));
    return result_;
  }

 private:
  std::size_t sets(const convolution_version& version) const {
    if (!timed_) return 1;
    const std::size_t bytes = (task_.x.size() + task_.outputs()) * sizeof(T);
    return version.runs_on_device ? std::size_t(buffer_sets(bytes))
                                  : std::clamp<std::size_t>((std::size_t{1} << 29) / bytes, 1, 64);
  }
  void prepare(const convolution_version& version) {
    if (!version.runs_on_device) {
      host_x_.assign(sets(version), task_.x);
      host_y_.assign(sets(version), poisoned<T>(task_.outputs()));
      return;
    }
    host_x_ = host_y_ = {};
    if (h_.size() == 0) h_ = device_buffer<T>(task_.h);
    while (device_.size() < sets(version)) device_.emplace_back(task_, offset_);
    poison(device_.front().y_memory.span());
    const auto& preparation = std::get<filter_preparation<T>>(version.prepare);
    if (preparation) preparation(h_.span(), task_.x.size(), task_.mode);
  }
  void launch(const convolution_version& version, std::size_t set) {
    if (version.runs_on_device)
      std::get<device_convolution<T>>(version.on_device)(device_[set].x, h_.span(), device_[set].y,
                                                         task_.mode);
    else
      std::get<host_convolution<T>>(version.on_host)(host_x_[set], task_.h, host_y_[set], task_.mode);
  }

  const convolution_task<T>& task_;
  std::size_t offset_;
  bool timed_;
  std::vector<std::vector<T>> host_x_, host_y_;
  std::vector<T> result_;
  device_buffer<T> h_;
  std::vector<placed_buffers<T>> device_;
};

}  // namespace tutorial::detail
