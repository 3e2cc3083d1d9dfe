// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "08_dct8x8/checks/dct_checks.hpp"
#include "08_dct8x8/checks/dct_verification.hpp"
#include "08_dct8x8/host/dct_serial.hpp"
#include "08_dct8x8/kernels/dct8x8_columns.hpp"
#include "08_dct8x8/kernels/dct8x8_per_coefficient.hpp"
#include "08_dct8x8/kernels/dct8x8_shared_matrix.hpp"
#include "08_dct8x8/kernels/dct8x8_textured.hpp"
#include "common/device/check.hpp"
#include "common/device/stream.hpp"
#include "common/files/array_file.hpp"
#include "common/files/image_file.hpp"
#include "common/files/input_error.hpp"
#include "common/files/numbers.hpp"
#include "common/show/console.hpp"
#include "common/show/counts_table.hpp"
#include "filters.hpp"
#include "tables.hpp"

namespace tutorial {
namespace {

std::string size_text(int width, int height) {
  return grouped(std::uint64_t(width)) + " x " + grouped(std::uint64_t(height));
}

/// An empty one for what does not transform pictures.
device_dct version(const std::string& name) {
  if (name == "textured") return [](auto from, auto to) { dct8x8_textured(from, to); };
  if (name == "per_coefficient") return in_default_stream<dct8x8_per_coefficient>;
  if (name == "shared_matrix") return in_default_stream<dct8x8_shared_matrix>;
  if (name == "columns" || name.empty()) return in_default_stream<dct8x8>;
  return {};
}

}  // namespace

plane<float> luminance(const image& picture) {
  plane<float> pixels(picture.width(), picture.height());
  const auto values = picture.pixels();
  for (std::size_t i = 0; i < pixels.values.size(); ++i)
    pixels.values[i] = picture.channels() == 1
                           ? float(values[i])
                           : 0.299f * float(values[3 * i]) + 0.587f * float(values[3 * i + 1]) +
                                 0.114f * float(values[3 * i + 2]);
  return pixels;
}

std::string own_picture_line(const std::string& file, const image& picture) {
  return "picture  " + file + ": " + size_text(picture.width(), picture.height()) + " pixels, " +
         (picture.channels() == 1 ? "gray" : "in color: its luminance is used, 0.299 R + 0.587 G + 0.114 B");
}

void transform_own_picture(chapter_run& run) {
  const chapter_options& options = run.options();
  if (is_filter(options.variant)) return filter_own_picture(run);
  if (!options.output.empty() && options.output.extension() != ".npy")
    throw usage_error("coefficients are an array: give --output a name that ends in .npy");
  const std::string name = options.variant.empty() ? "columns" : options.variant;
  const device_dct dct = version(name);
  if (!dct)
    throw usage_error(
        "'" + name +
        "' can't be used with your picture: choose --variant textured, per_coefficient, shared_matrix, "
        "columns, square, separable or fused");
  const image picture = read_image(options.image, options.limits);
  const plane<float> pixels = luminance(picture);
  run.say(own_picture_line(options.image.string(), picture));
  const int width = padded(pixels.width), height = padded(pixels.height);
  if (width != pixels.width || height != pixels.height)
    run.say("         padded to " + size_text(width, height) + ": the last column and row are repeated");

  plane<float> coefficients;
  std::vector<launch_counts> launches;
  {
    progress progress(name);
    try {
      launches = count_launches([&] { coefficients = run_dct(dct, pixels, width, height); });
    } catch (const cuda_error& error) {
      if (name != "textured" || error.code() != cudaErrorInvalidValue) throw;
      throw input_error(options.image.string() + ": " + size_text(pixels.width, pixels.height) +
                        " pixels are more than a texture of this device can have: choose another --variant");
    }
  }
  const agreement verified = verify_dct8x8(pixels, coefficients);
  std::size_t small = 0;
  float largest = 0;
  for (const float value : coefficients.values) {
    small += std::abs(value) < 1;
    largest = std::max(largest, std::abs(value));
  }
  run.say("result   " + name + ": " + size_text(pixels.width, pixels.height) + " coefficients, the largest " +
          significant(largest) + ", " + percent(double(small) / double(coefficients.values.size())) +
          " of them below 1");
  run.say("verified against the definition: " + describe(verified));
  run.record({{"picture", options.image.filename().string()},
              {"variant", name},
              {"width", std::to_string(pixels.width)},
              {"height", std::to_string(pixels.height)},
              {"status", verified ? "verified" : "wrong"},
              {"worst_error", exact_digits(verified.worst_error)},
              {"worst_bound", exact_digits(verified.worst_bound)}});
  if (options.counts && !launches.empty()) run.say(counts_text(launches, 3));
  if (!verified) return run.fail(name + ": " + describe(verified) + ". Nothing was written");
  if (options.output.empty()) return;
  write_array_2d(options.output, coefficients.values, std::size_t(width));
  run.say("written  " + options.output.string() + ": " + std::to_string(height) + " rows of " +
          std::to_string(width) + " coefficients; (v, u) of a block at row v, column u of its place");
}

}  // namespace tutorial
