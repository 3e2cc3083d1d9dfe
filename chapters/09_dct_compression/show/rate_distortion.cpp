// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "rate_distortion.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "09_dct_compression/host/compress_serial.hpp"
#include "09_dct_compression/host/jpeg_output.hpp"
#include "09_dct_compression/host/picture_quality.hpp"
#include "common/files/input_error.hpp"
#include "common/files/numbers.hpp"
#include "common/program/pictures.hpp"
#include "common/show/chart.hpp"
#include "common/show/console.hpp"
#include "common/show/table.hpp"
#include "common/verify/in_parts.hpp"
#include "common/verify/test_picture.hpp"

namespace tutorial {
namespace {

const std::vector<int> shown_qualities = {5, 10, 25, 50, 75, 90, 95, 100};

std::string sampling_text(int sampling, const image& picture) {
  return picture.channels() == 1 ? "gray" : sampling == 420 ? "4:2:0" : "4:4:4";
}

/// `digit`: the axis ends at whole multiples of it. `most`: where the measure ends, if it does.
chart chart_of(const std::vector<rate_point>& points, const image& picture, const std::string& name,
               const std::string& measure, const std::string& unit, double rate_point::*value, double digit,
               std::optional<double> most) {
  std::string qualities;
  for (const int quality : shown_qualities)
    qualities += (qualities.empty() ? "" : ", ") + std::to_string(quality);
  chart result{.title = name + ": " + measure + " against size",
               .description = measure +
                              " of the compressed picture against the bits per pixel of its file, at the "
                              "qualities " +
                              qualities + " from left to right.",
               .x = {.label = "bits per pixel, at the qualities " + qualities, .scale = axis_scale::log2},
               .y = {.label = measure + unit, .high = most},
               .names = chart_names::legend};
  double least = std::numeric_limits<double>::infinity();
  for (const rate_point& point : points) {
    if (!std::isfinite(point.*value)) continue;  // the PSNR of what is equal
    const std::string series = sampling_text(point.sampling, picture);
    if (result.series.empty() || result.series.back().name != series)
      result.series.push_back({.name = series});
    result.series.back().points.push_back({point.bits_per_pixel, point.*value});
    least = std::min(least, point.*value);
  }
  result.y.low = digit * std::floor(least / digit);
  return result;
}

}  // namespace

std::vector<rate_point> rate_distortion(const image& picture, const std::vector<int>& qualities) {
  std::vector<rate_point> points;
  progress shown("rate and distortion");
  for (const int sampling : {444, 420}) {
    if (sampling == 420 && picture.channels() == 1) continue;
    for (const int quality : qualities) {
      shown.step();
      const compressed_picture compressed =
          compress_serial(picture, quality, sampling == 420 ? chroma_sampling::s420 : chroma_sampling::s444);
      const image result = reconstruct_serial(compressed);
      const std::size_t bytes = jpeg_bytes(compressed).size();
      points.push_back({quality, sampling, bytes,
                        8 * double(bytes) / (double(picture.width()) * double(picture.height())),
                        psnr(picture, result), ssim(picture, result), zeros_per_block(compressed)});
    }
  }
  return points;
}

void show_rate_distortion(chapter_run& run, const image& picture, const std::string& name) {
  const std::vector<rate_point> points = rate_distortion(picture, shown_qualities);
  const bool color = picture.channels() == 3;
  std::vector<text_table::column> columns = {{"quality"}};
  for (const char* colors : {color ? "4:4:4 bits/pixel" : "bits/pixel", "4:2:0 bits/pixel"}) {
    columns.insert(columns.end(), {{colors}, {"PSNR dB"}, {"SSIM"}, {"zeros/block"}});
    if (!color) break;
  }
  std::vector<std::vector<std::string>> rows;
  for (const int quality : shown_qualities) rows.push_back({std::to_string(quality)});
  for (std::size_t i = 0; i < points.size(); ++i) {
    const rate_point& point = points[i];
    std::vector<std::string>& row = rows[i % rows.size()];  // first all of 4:4:4, then all of 4:2:0
    row.insert(row.end(),
               {fixed(point.bits_per_pixel, 2), std::isfinite(point.psnr) ? fixed(point.psnr, 1) : "equal",
                fixed(point.ssim, 4), fixed(point.zeros_per_block, 1)});
    run.record({{"chapter", "09"},
                {"work", "rate-distortion"},
                {"picture", name},
                {"width", std::to_string(picture.width())},
                {"height", std::to_string(picture.height())},
                {"quality", std::to_string(point.quality)},
                {"sampling", sampling_text(point.sampling, picture)},
                {"file_bytes", std::to_string(point.bytes)},
                {"bits_per_pixel", exact_digits(point.bits_per_pixel)},
                {"psnr", exact_digits(point.psnr)},
                {"ssim", exact_digits(point.ssim)},
                {"zeros_per_block", exact_digits(point.zeros_per_block)}});
  }
  text_table text(columns);
  for (const std::vector<std::string>& row : rows) text.add_row(row);
  run.show("Rate and distortion: " + name + ", " + grouped(std::uint64_t(picture.width())) + " x " +
               grouped(std::uint64_t(picture.height())),
           text);
  if (std::none_of(points.begin(), points.end(),
                   [](const rate_point& point) { return std::isfinite(point.psnr); })) {
    if (run.options().picture.empty()) return;
    throw input_error(
        name + ": no quality loses anything of it, and there is no curve to draw: leave out --picture");
  }
  run.draw(chart_of(points, picture, name, "PSNR", " (dB)", &rate_point::psnr, 5, std::nullopt));
  run.draw(chart_of(points, picture, name, "SSIM", "", &rate_point::ssim, 0.1, 1.0), "ssim");
}

image sample_picture(int width, int height) {
  // The colors are a gray picture that lies across another: red and blue move against each other.
  const plane<float> shape = test_picture(width, height), tint = test_picture(height, width, 2);
  image result(width, height, 3);
  const auto columns = std::size_t(width);
  in_parts(columns * std::size_t(height), [&](std::size_t, std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const int row = int(i / columns), col = int(i % columns);
      const float hue = tint.at(col, row) - 128;
      for (int c = 0; c < 3; ++c) {
        const float value = shape.at(row, col) + (c == 0 ? 0.3F * hue : c == 2 ? -0.3F * hue : 0);
        result.at(row, col, c) = std::uint8_t(std::clamp(value, 0.0F, 255.0F));
      }
    }
  });
  return result;
}

}  // namespace tutorial
