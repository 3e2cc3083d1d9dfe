// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "roofline.hpp"

#include <doctest/doctest.h>

#include <sstream>
#include <string>

using namespace tutorial;
using doctest::Approx;

namespace {
// A device whose limits are easy to reckon with: 16 operations in the time of a byte.
constexpr device_limits device{1e12, 16e12};
constexpr double many = 1e9;

std::string in_words(const full_convolution& work) {
  std::ostringstream text;
  text << work.samples << " samples, " << work.taps << " taps, " << work.element_bytes
       << " bytes an element: ";
  return text.str();
}

std::string in_words(const device_limits& limits) {
  std::ostringstream text;
  text << limits.bytes_per_second / 1e12 << " TB/s, " << limits.operations_per_second / 1e12
       << " T operations/s: ";
  return text.str();
}

void check_intensity(const full_convolution& work, double expected) {
  const double got = operations_per_byte(work);
  CHECK_MESSAGE(got == Approx(expected), in_words(work), 2 * work.samples * work.taps, " operations and ",
                work.element_bytes * (2 * (work.samples + work.taps) - 1),
                " bytes: operations_per_byte() should be ", expected, ", and is ", got);
}

void check_roof(const full_convolution& work, double expected) {
  const double got = roof(work, device);
  CHECK_MESSAGE(got == Approx(expected), in_words(work), in_words(device), "the roof should be ",
                expected / 1e12, " T operations/s, and is ", got / 1e12);
}

void check_taps(double samples, double element_bytes, const device_limits& limits, int expected) {
  const int got = first_taps_bound_by_arithmetic(samples, element_bytes, limits);
  CHECK_MESSAGE(got == expected, samples, " samples of ", element_bytes, " bytes, ", in_words(limits),
                "arithmetic should be the limit from ", expected,
                " taps on, and first_taps_bound_by_arithmetic() says ", got);
}

}  // namespace

TEST_CASE("arithmetic intensity") {
  check_intensity({4, 3, 4}, 24.0 / 52);   // 12 products; 4 + 3 + 6 floats
  check_intensity({4, 3, 8}, 24.0 / 104);  // doubles are twice as many bytes
  check_intensity({many, 5, 8}, 0.625);    // long signals: K / element_bytes
  check_intensity({many, 1025, 4}, 256.25);
}

TEST_CASE("the roof") {
  check_roof({many, 5, 8}, 0.625e12);  // memory
  check_roof({many, 1025, 4}, 16e12);  // arithmetic
  check_roof({4, 3, 4}, 24.0 / 52 * 1e12);
}

TEST_CASE("where both limits meet") {
  check_taps(many, 4, device, 65);  // 64 / 4 is 16, less the little that the taps take
  check_taps(many, 8, device, 129);
  check_taps(many, 4, {1e12, 0.25e12}, 2);
  const int taps = first_taps_bound_by_arithmetic(1e6, 4, {1e12, 100e12});
  CHECK_MESSAGE(taps > 400,
                "1e6 samples of 4 bytes, 1 TB/s, 100 T operations/s: arithmetic is the limit from more than ",
                "400 taps on, and first_taps_bound_by_arithmetic() says ", taps);
}
