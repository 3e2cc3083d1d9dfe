// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "a_promise.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <sstream>
#include <string>
#include <vector>

#include "08_dct8x8/host/dct_serial.hpp"
#include "common/device/check.hpp"
#include "common/verify/counted_check.hpp"
#include "common/verify/inputs.hpp"
#include "common/verify/work_spread.hpp"

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

std::string text_of(double value) {
  std::ostringstream text;
  text << value;
  return text.str();
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

TEST_CASE("one coefficient at a time") {
  quantization_table steps;
  for (int v = 0; v < 8; ++v)
    for (int u = 0; u < 8; ++u) steps[std::size_t(8 * v + u)] = std::uint16_t(31 + 2 * u + 5 * v);
  const auto lost = [](double c, int step, double level) { return (c - level * step) * (c - level * step); };
  for (int v = 0; v < 8; ++v)
    for (int u = 0; u < 8; ++u) {
      plane<float> coefficients(8, 8);
      const double c = 170;
      coefficients.at(v, u) = float(c);
      const device_plane<float> d_coefficients(coefficients);
      device_buffer<float> d_errors(1);
      quantization_errors(d_coefficients, steps, d_errors);
      check(cudaDeviceSynchronize());
      const double got = double(d_errors.to_host()[0]);
      const int step = steps[std::size_t(8 * v + u)], other = steps[std::size_t(8 * u + v)];
      const double level = std::nearbyint(c / step), expected = lost(c, step, level);
      const auto is = [&](double value) { return std::abs(got - value) <= 1e-3 * value; };
      std::string why;
      if (got == 0)
        why = ". Do the errors of column " + std::to_string(u) + " get to errors[0]?";
      else if (is(lost(c, other, std::nearbyint(c / other))))
        why = ", as with the step of (" + std::to_string(u) + ", " + std::to_string(v) + "), " +
              std::to_string(other);
      else if (is(lost(c, step, level - 1)) || is(lost(c, step, level + 1)))
        why = ", as with another level than the nearest one to " + text_of(c / step);
      REQUIRE_MESSAGE(is(expected), "only coefficient (", v, ", ", u, ") is not 0, but ", c, ". Its step is ",
                      step, ": it comes back as ", level, " * ", step, " = ", level * step,
                      ", so the squared error of the 8x8 block should be ", expected, ", and is ", got, why);
    }
}

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
      std::vector<double> exact(errors.size());
      for (int row = 0; row < height; ++row)
        for (int col = 0; col < width; ++col) {
          const double c = double(coefficients.at(row, col));
          const double error = c - restored(c, steps[std::size_t(row % 8 * 8 + col % 8)]);
          exact[std::size_t(row / 8 * (width / 8) + col / 8)] += error * error;
        }
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
        double of_warp = 0;  // four 8x8 blocks
        for (int i = left / 32 * 4; i < std::min(left / 32 * 4 + 4, width / 8); ++i)
          of_warp += exact[std::size_t(top / 8 * (width / 8) + i)];
        const bool four = expected < of_warp && std::abs(got - of_warp) <= 1e-3 * of_warp;
        REQUIRE_MESSAGE(std::abs(got - expected) <= bound, width, " x ", height, " coefficients, 8x8 block (",
                        top / 8, ", ", left / 8, "): the squared errors of its coefficients add up to ",
                        expected, ", and errors[", b, "] is ", got,
                        std::string(four ? ", the sum of all 8x8 blocks of its warp" : ""));
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
    std::ostringstream why;
    if (std::abs(promised - 2 * measured) < 0.001)
      why << "twice as many. For squares, such as the mean squared error, it is 10 times the logarithm";
    else
      why << "as if the mean squared error were " << std::pow(10, (measured - promised) / 10)
          << " times what it is";
    CHECK_MESSAGE(std::abs(promised - measured) < 0.001, "quality ", quality, ": promised_psnr() gives ",
                  promised, " dB, and the pixels have ", measured, " dB: ", why.str());
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
    const int got = quality_for(d_coefficients, wanted);
    CHECK_MESSAGE(got == expected, "at least ", wanted, " dB: the lowest quality should be ", expected,
                  ", and quality_for() says ", got);
  }
}

TEST_CASE("a lane for each column") {
  const device_plane<float> coefficients(plane<float>(256, 64, 1.0f));
  device_buffer<float> errors(32 * 8);
  const quantization_table steps = table_for(component_kind::luminance, 50);
  const auto launches = count_launches([&] { quantization_errors(coefficients, steps, errors); });
  if (!has_counts(launches)) return;
  const launch_counts counts = sum(launches);
  require_lanes_together(counts.global_loads, counts.global_load_requests, "load");
}
