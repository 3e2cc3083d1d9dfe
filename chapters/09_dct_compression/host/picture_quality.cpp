// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "picture_quality.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <stdexcept>
#include <vector>

#include "color.hpp"

namespace tutorial {
namespace {

constexpr int window = 11;

const std::array<double, window>& window_weights() {
  static const std::array<double, window> weights = [] {
    std::array<double, window> w{};
    double sum = 0;
    for (int i = 0; i < window; ++i) {
      const double distance = i - window / 2;
      sum += w[std::size_t(i)] = std::exp(-distance * distance / (2 * 1.5 * 1.5));
    }
    for (double& weight : w) weight /= sum;
    return w;
  }();
  return weights;
}

plane<std::uint8_t> at_least_a_window(const plane<std::uint8_t>& samples) {
  plane<std::uint8_t> result(std::max(samples.width, window), std::max(samples.height, window));
  for (int row = 0; row < result.height; ++row)
    for (int col = 0; col < result.width; ++col)
      result.at(row, col) = samples.at(std::min(row, samples.height - 1), std::min(col, samples.width - 1));
  return result;
}

/// Means under the window, of the values of one row of places after the other.
class window_means {
 public:
  explicit window_means(int width) : width_(width), columns_(std::size_t(width)) {}

  /// Of value(row, col) for the places whose window begins at `top`: the columns first, then along the row.
  template <class Value>
  const std::vector<double>& of(int top, const Value& value) {
    const std::array<double, window>& w = window_weights();
    for (int col = 0; col < width_; ++col) {
      double sum = 0;
      for (int i = 0; i < window; ++i) sum += w[std::size_t(i)] * value(top + i, col);
      columns_[std::size_t(col)] = sum;
    }
    means_.assign(std::size_t(width_ - window + 1), 0.0);
    for (std::size_t place = 0; place < means_.size(); ++place)
      for (std::size_t i = 0; i < window; ++i) means_[place] += w[i] * columns_[place + i];
    return means_;
  }

 private:
  int width_;
  std::vector<double> columns_, means_;
};

}  // namespace

double psnr(const image& a, const image& b) {
  if (a.width() != b.width() || a.height() != b.height() || a.channels() != b.channels())
    throw std::invalid_argument("psnr: the pictures differ in size or channels");
  std::uint64_t sum = 0;  // of squares of at most 255: room for 2^48 of them
  for (std::size_t i = 0; i < a.pixels().size(); ++i) {
    const int difference = int(a.pixels()[i]) - int(b.pixels()[i]);
    sum += std::uint64_t(difference * difference);
  }
  if (sum == 0) return std::numeric_limits<double>::infinity();
  return 10 * std::log10(255.0 * 255.0 * double(a.pixels().size()) / double(sum));
}

double ssim(const plane<std::uint8_t>& first, const plane<std::uint8_t>& second) {
  if (first.width != second.width || first.height != second.height || first.values.empty())
    throw std::invalid_argument("ssim: the pictures differ in size");
  const plane<std::uint8_t> a = at_least_a_window(first), b = at_least_a_window(second);
  constexpr double c1 = 0.01 * 255 * 0.01 * 255, c2 = 0.03 * 255 * 0.03 * 255;
  window_means mean_a(a.width), mean_b(a.width), mean_aa(a.width), mean_bb(a.width), mean_ab(a.width);
  double sum = 0;
  for (int top = 0; top + window <= a.height; ++top) {
    const auto& ma = mean_a.of(top, [&](int row, int col) { return a.at(row, col); });
    const auto& mb = mean_b.of(top, [&](int row, int col) { return b.at(row, col); });
    const auto& aa = mean_aa.of(top, [&](int row, int col) { return a.at(row, col) * a.at(row, col); });
    const auto& bb = mean_bb.of(top, [&](int row, int col) { return b.at(row, col) * b.at(row, col); });
    const auto& ab = mean_ab.of(top, [&](int row, int col) { return a.at(row, col) * b.at(row, col); });
    for (std::size_t i = 0; i < ma.size(); ++i) {
      const double product = ma[i] * mb[i], squares = ma[i] * ma[i] + mb[i] * mb[i];
      const double variances = aa[i] + bb[i] - squares, covariance = ab[i] - product;
      sum += (2 * product + c1) * (2 * covariance + c2) / ((squares + c1) * (variances + c2));
    }
  }
  return sum / (double(a.width - window + 1) * double(a.height - window + 1));
}

double ssim(const image& a, const image& b) {
  if (a.channels() != b.channels()) throw std::invalid_argument("ssim: the pictures differ in channels");
  return ssim(split(a, chroma_sampling::s444)[0], split(b, chroma_sampling::s444)[0]);
}

double zeros_per_block(const compressed_picture& picture) {
  std::size_t zeros = 0, levels = 0;
  for (const compressed_component& one : picture.components) {
    zeros += std::size_t(std::count(one.levels.values.begin(), one.levels.values.end(), std::int16_t{0}));
    levels += one.levels.values.size();
  }
  if (levels == 0) throw std::invalid_argument("zeros_per_block: a picture without blocks");
  return 64.0 * double(zeros) / double(levels);
}

}  // namespace tutorial
