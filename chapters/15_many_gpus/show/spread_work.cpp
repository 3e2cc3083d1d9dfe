// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "spread_work.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "01_serial_definition/convolve_serial.hpp"
#include "07_fft_convolution/host/fft_rounding.hpp"
#include "common/verify/inputs.hpp"

namespace tutorial {
namespace {

constexpr auto mode = convolution_mode::same;
constexpr double most_products = 3e9;       // of a whole verification
constexpr std::size_t beside_seams = 1024;  // outputs compared on each side

std::vector<float> even_taps(std::size_t taps) {
  std::vector<float> h = random_taps<float>(taps);
  double sum = 0;
  for (const float each : h) sum += std::abs(each);
  for (float& each : h) each = float(each / sum);
  return h;
}

template <class T>
std::vector<T> magnitudes(std::vector<T> values) {
  for (T& each : values) each = std::abs(each);
  return values;
}

}  // namespace

spread_work::spread_work(std::size_t samples, std::size_t taps, int steps)
    : x(random_signal<float>(samples)), h(even_taps(taps)), steps(steps) {}

agreement spread_work::verify(std::span<const float> result, const signal_split& split,
                              std::size_t other_transform) const {
  part_transform transform{.length = other_transform};
  for (int p = 0; p < split.parts(); ++p)
    if (const std::size_t length = split.owned(p).size(); length > 0)
      if (const part_transform by = part_transform_of(h.size(), length, element_type::float32);
          by.length >= transform.length)
        transform = by;
  if (double(x.size()) * double(h.size()) * steps < most_products)
    return verify(result, {0, x.size()}, transform);
  agreement all;
  for (int p = 0; p <= split.parts(); ++p) {
    const std::size_t seam = p < split.parts() ? split.owned(p).begin : x.size();
    const agreement near = verify(
        result, {seam - std::min(seam, beside_seams), std::min(x.size(), seam + beside_seams)}, transform);
    const std::size_t mismatches = all.mismatches + near.mismatches, size = all.size + near.size;
    if (p == 0 || !near || (all && near.worst_error > all.worst_error)) all = near;
    all.mismatches = mismatches;
    all.size = size;
  }
  return all;
}

spread_work::expectation spread_work::expect(const sample_range& where,
                                             const part_transform& transform) const {
  // A piece that is so much longer than what is compared that its own ends do not matter there.
  const std::size_t further = std::size_t(steps) * h.size() + transform.length;
  const std::size_t begin = where.begin - std::min(where.begin, further),
                    end = std::min(x.size(), where.end + further);
  std::vector<float> expected(x.begin() + std::ptrdiff_t(begin), x.begin() + std::ptrdiff_t(end)),
      next(expected.size());
  const std::vector<float> h_size = magnitudes(h);
  double before = 0;  // what any sample may be off
  const double gain = std::accumulate(h_size.begin(), h_size.end(), 0.0);
  std::vector<double> bound;
  for (int s = 0; s < steps; ++s) {
    std::vector<float> sizes = magnitudes(expected), sums(sizes.size());
    for (float& each : sizes) each += float(before);
    convolve_all_cores<float>(sizes, h_size, sums, mode);
    bound = dot_product_bound<float>(h.size(), sums);
    double rounding =
        transform.length > 0 ? fft_rounding<float>(expected, h, {}, transform.length, false).each : 0.0;
    if (transform.one_pass) rounding *= std::sqrt(2.0);  // two segments share a transform: chapter 13
    for (double& each : bound) each += rounding + gain * before;
    before = *std::max_element(bound.begin(), bound.end());
    convolve_all_cores<float>(expected, h, next, mode);
    expected.swap(next);
  }
  const auto only_where = [&](auto& values) {
    values.erase(values.begin(), values.begin() + std::ptrdiff_t(where.begin - begin));
    values.resize(where.size());
  };
  only_where(expected);
  only_where(bound);
  return {where, transform, std::move(expected), std::move(bound)};
}

agreement spread_work::verify(std::span<const float> result, const sample_range& where,
                              const part_transform& transform) const {
  const std::span<const float> found = result.subspan(where.begin, where.size());
  if (where.size() < x.size()) {
    const expectation part = expect(where, transform);
    return compare<float>(found, part.values, part.bound);
  }
  if (whole_.values.empty() || !(whole_.transform == transform)) whole_ = expect(where, transform);
  return compare<float>(found, whole_.values, whole_.bound);
}

}  // namespace tutorial
