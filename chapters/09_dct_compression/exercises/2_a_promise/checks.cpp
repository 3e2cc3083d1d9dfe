// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "a_promise.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "08_dct8x8/host/dct_serial.hpp"
#include "common/device/check.hpp"
#include "common/verify/inputs.hpp"

using namespace tutorial;

namespace {

/// Soft waves and some noise, level-shifted.
plane<float> picture(int width, int height) {
  plane<float> pixels(width, height);
  for (int row = 0; row < height; ++row)
    for (int col = 0; col < width; ++col)
      pixels.at(row, col) =
          float(int(70 * std::sin(0.11 * col) * std::cos(0.07 * row)) +
                int(random_bits(5, std::uint64_t(row * width + col)) % 41) - 20 + (col > width / 2 ? 30 : 0));
  return pixels;
}

plane<float> to_float(const plane<double>& values) {
  return {values.width, values.height, std::vector<float>(values.values.begin(), values.values.end())};
}

double restored(double coefficient, int step) { return std::nearbyint(coefficient / step) * step; }

/// Mean squared error of the pixels, the way back included, in double.
double mean_squared_error(const plane<float>& pixels, const plane<float>& coefficients,
                          const quantization_table& steps) {
  plane<float> quantized = coefficients;
  for (int row = 0; row < quantized.height; ++row)
    for (int col = 0; col < quantized.width; ++col)
      quantized.at(row, col) =
          float(restored(double(coefficients.at(row, col)), steps[std::size_t(row % 8 * 8 + col % 8)]));
  const plane<double> back = idct8x8_matrix(quantized, pixels.width, pixels.height);
  double sum = 0;
  for (std::size_t i = 0; i < back.values.size(); ++i) {
    const double error = back.values[i] - double(pixels.values[i]);
    sum += error * error;
  }
  return sum / double(back.values.size());
}

}  // namespace

TEST_CASE("the error of every 8x8 block") {
  for (const int width : {8, 24, 32, 40, 104})
    for (const int height : {8, 48}) {
      const plane<float> coefficients = to_float(dct8x8_matrix(picture(width, height)));
      const quantization_table steps = table_for(component_kind::luminance, 40);
      // Rows without room behind them, and nothing behind the last one: a lane that has no column reads
      // beyond.
      const device_buffer<float> memory(coefficients.values);
      const device_plane_span<const float> d_coefficients(memory.data(), width, height,
                                                          std::size_t(width) * sizeof(float));
      device_buffer<float> d_errors(std::size_t(width / 8) * std::size_t(height / 8));
      quantization_errors(d_coefficients, steps, d_errors);
      check(cudaDeviceSynchronize());
      const std::vector<float> errors = d_errors.to_host();
      for (int b = 0; b < int(errors.size()); ++b) {
        const int top = b / (width / 8) * 8, left = b % (width / 8) * 8;
        double expected = 0, bound = 0;
        for (int v = 0; v < 8; ++v)
          for (int u = 0; u < 8; ++u) {
            const double c = double(coefficients.at(top + v, left + u));
            const int step = steps[std::size_t(8 * v + u)];
            const double error = c - restored(c, step);
            expected += error * error;
            // level * step, the difference, the square and eleven additions, each rounded; next to a tie the
            // level may be the other one, which is as far from C but for the rounding of C / step
            const double rounded = 0x1p-23 * (std::abs(c) + step);
            bound += 2 * rounded * step + rounded * rounded + 16 * 0x1p-24 * error * error;
          }
        const double got = double(errors[std::size_t(b)]);
        REQUIRE_MESSAGE(std::abs(got - expected) <= bound, width, " x ", height, ", 8x8 block ", b, ": got ",
                        got, " instead of ", expected);
      }
    }
}

TEST_CASE("the promise is kept in pixels") {
  const plane<float> pixels = picture(64, 48);
  const plane<float> coefficients = to_float(dct8x8_matrix(pixels));
  const device_plane<float> d_coefficients(coefficients);
  device_buffer<float> d_errors(8 * 6);
  for (const int quality : {5, 50, 90}) {
    const quantization_table steps = table_for(component_kind::luminance, quality);
    quantization_errors(d_coefficients, steps, d_errors);
    const double promised = promised_psnr(d_errors.to_host());
    const double measured = 10 * std::log10(255 * 255 / mean_squared_error(pixels, coefficients, steps));
    CHECK_MESSAGE(std::abs(promised - measured) < 0.001, "quality ", quality, ": promised ", promised,
                  " dB, and the pixels have ", measured);
  }
}

TEST_CASE("the lowest quality that is good enough") {
  const plane<float> pixels = picture(64, 48);
  const plane<float> coefficients = to_float(dct8x8_matrix(pixels));
  const device_plane<float> d_coefficients(coefficients);
  for (const double wanted : {28.0, 33.0, 38.0, 44.0, 200.0}) {
    int expected = 1;
    while (expected < 100 &&
           10 * std::log10(255 * 255 /
                           mean_squared_error(pixels, coefficients,
                                              table_for(component_kind::luminance, expected))) <
               wanted)
      ++expected;
    CHECK_MESSAGE(quality_for(d_coefficients, wanted) == expected, "for ", wanted, " dB");
  }
}
