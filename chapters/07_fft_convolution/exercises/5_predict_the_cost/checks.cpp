// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "predict_the_cost.hpp"

#include <doctest/doctest.h>

#include <string>

#include <cmath>

using namespace tutorial;

namespace {

// Round figures, about those of an H200: 60 TFLOP/s, 4 TB/s, 3 us.
constexpr device_rates large{60e12, 4e12, 3e-6};
// One that computes slowly for its memory.
constexpr device_rates small{1e12, 0.5e12, 3e-6};
constexpr double many = 1 << 24;

double sums_us(double samples, double taps, const device_rates& device) {
  return 1e6 * seconds(work_of_sums(samples, taps), device);
}
double blocks_us(double samples, double taps, std::size_t length, const device_rates& device) {
  return 1e6 * seconds(work_of_transforms(samples, taps, length), device);
}

/// Counts are exact; a time may be rounded.
void check_number(double got, double expected, const std::string& what, const std::string& because,
                  bool is_time = false) {
  const bool right = is_time ? got == doctest::Approx(expected) : got == expected;
  CHECK_MESSAGE(right, what, " should be ", expected, " (", because, "), and is ", got);
}

}  // namespace

TEST_CASE("sums: 100 samples, 29 taps") {
  const method_work work = work_of_sums(100, 29);
  const std::string what = "100 samples, 29 taps, sums: ";
  check_number(work.operations, 2 * 29 * 128, what + "operations", "128 outputs, 29 multiply-adds each");
  check_number(work.bytes, 4 * (100 + 128), what + "bytes", "100 floats are read, 128 are written");
  check_number(work.kernels, 1, what + "kernels", "one launch computes all");
}

TEST_CASE("transforms: 100 samples, 29 taps, blocks of 64") {
  const method_work work = work_of_transforms(100, 29, 64);
  const std::string what = "100 samples, 29 taps, blocks of 64: ";
  check_number(work.operations, 4 * (5 * 64 * 6 + 5 * 64), what + "operations",
               "64 - 28 = 36 outputs of each block, so 4 blocks for 128 outputs; log2 of 64 is 6");
  check_number(work.bytes, 4 * 64 * 8 * 3 + 128 * 8, what + "bytes",
               "three times over each block (there, product, back), reading and writing, then the outputs");
  check_number(work.kernels, 4, what + "kernels", "there, product, back, outputs");
  check_number(work_of_transforms(80, 29, 64).operations, 3 * (5 * 64 * 6 + 5 * 64),
               "80 samples, 29 taps, blocks of 64: operations", "108 outputs are exactly 3 blocks of 36");
  check_number(work_of_transforms(100, 29, 128).bytes, 128 * 8 * 3 + 128 * 8,
               "100 samples, 29 taps, blocks of 128: bytes", "one block holds all 128 outputs");
}

TEST_CASE("a transform that does not fit into shared memory goes over its block several times") {
  const method_work twice = work_of_transforms(100000, 100, 16384);
  const std::string what = "100000 samples, 100 taps, blocks of 16384: ";
  check_number(twice.kernels, 6, what + "kernels", "two passes there and two back, product, outputs");
  check_number(twice.bytes, 7 * 16384.0 * 8 * 5 + 100099 * 8, what + "bytes",
               "7 blocks, five times over each of them, then 100099 outputs");
  check_number(work_of_transforms(many, 1025, 18874368).kernels, 8,
               "16777216 samples, 1025 taps, one block of 18874368: kernels", "three there, three back");
}

TEST_CASE("the time: kernels one after the other, and the slower of arithmetic and memory") {
  const device_rates device{1000, 100, 2};
  const std::string what = "1000 operations/s, 100 bytes/s, 2 s a kernel; ";
  check_number(seconds({3000, 200, 1}, device), 5, what + "3000 operations, 200 bytes, 1 kernel: seconds",
               "arithmetic 3 s, memory 2 s, one kernel 2 s", true);
  check_number(seconds({1000, 400, 3}, device), 10, what + "1000 operations, 400 bytes, 3 kernels: seconds",
               "arithmetic 1 s, memory 4 s, three kernels 6 s", true);
}

TEST_CASE("and the choice follows") {
  CHECK_MESSAGE(sums_us(many, 5, large) < blocks_us(many, 5, 8192, large),
                "5 taps on the large device: sums should take less time than blocks of 8192");
  CHECK_MESSAGE(sums_us(many, 1025, large) > blocks_us(many, 1025, 8192, large),
                "1025 taps on the large device: blocks of 8192 should take less time than sums");
  CHECK_MESSAGE(blocks_us(many, 1025, 8192, large) < blocks_us(many, 1025, 18874368, large),
                "1025 taps on the large device: one block should take more time than blocks of 8192");
  CHECK_MESSAGE(
      sums_us(1000, 1025, large) < blocks_us(1000, 1025, 2048, large),
      "1000 samples, 1025 taps: sums should take less time than a block of 2048, which needs more kernels");
  // The first number of taps for which blocks are faster.
  const auto crossover = [](const device_rates& device) {
    int taps = 2;
    while (taps < 8192 && sums_us(many, taps, device) < blocks_us(many, taps, 8192, device)) ++taps;
    return taps;
  };
  REQUIRE_MESSAGE(
      crossover(large) < 8192,
      "on the large device blocks of 8192 should be faster than sums from some number of taps on, "
      "below 8192");
  MESSAGE("Blocks of 8,192 pay from " << crossover(large) << " taps on the large device, from "
                                      << crossover(small) << " on the small one.");
  CHECK_MESSAGE(crossover(large) > 200,
                "on the large device blocks should be faster from more than 200 taps on, and are from ",
                crossover(large));
  CHECK_MESSAGE(crossover(small) < crossover(large),
                "on the small device blocks should be faster from fewer taps on (", crossover(small),
                ") than on the large one (", crossover(large), ")");
}
