// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "predict_the_cost.hpp"

#include <doctest/doctest.h>

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

}  // namespace

TEST_CASE("sums: 100 samples, 29 taps") {
  const method_work work = work_of_sums(100, 29);
  CHECK_MESSAGE(work.operations == 2 * 29 * 128, "128 outputs, 29 multiply-adds each");
  CHECK_MESSAGE(work.bytes == 4 * (100 + 128), "100 samples are read, 128 outputs are written");
  CHECK(work.kernels == 1);
}

TEST_CASE("transforms: 100 samples, 29 taps, blocks of 64") {
  const method_work work = work_of_transforms(100, 29, 64);
  CHECK_MESSAGE(work.operations == 4 * (5 * 64 * 6 + 5 * 64),
                "64 - 28 = 36 outputs of each block, so 4 blocks for 128 outputs; log2 of 64 is 6");
  CHECK_MESSAGE(work.bytes == 4 * 64 * 8 * 3 + 128 * 8,
                "three times over each block (there, product, back), reading and writing, then the outputs");
  CHECK_MESSAGE(work.kernels == 4, "there, product, back, outputs");
  CHECK_MESSAGE(work_of_transforms(80, 29, 64).operations == 3 * (5 * 64 * 6 + 5 * 64),
                "80 samples: 108 outputs are exactly 3 blocks of 36");
  CHECK_MESSAGE(work_of_transforms(100, 29, 128).bytes == 128 * 8 * 3 + 128 * 8,
                "one block of 128 holds all 128 outputs");
}

TEST_CASE("a transform that does not fit into shared memory goes over its block several times") {
  const method_work twice = work_of_transforms(100000, 100, 16384);
  CHECK_MESSAGE(twice.kernels == 6, "two passes there and two back");
  CHECK(twice.bytes == 7 * 16384.0 * 8 * 5 + 100099 * 8);
  CHECK_MESSAGE(work_of_transforms(many, 1025, 18874368).kernels == 8, "three there, three back");
}

TEST_CASE("the time: kernels one after the other, and the slower of arithmetic and memory") {
  const device_rates device{1000, 100, 2};
  CHECK_MESSAGE(seconds({3000, 200, 1}, device) == doctest::Approx(5),
                "arithmetic 3 s, memory 2 s, one kernel 2 s");
  CHECK_MESSAGE(seconds({1000, 400, 3}, device) == doctest::Approx(10),
                "arithmetic 1 s, memory 4 s, three kernels 6 s");
}

TEST_CASE("and the choice follows") {
  CHECK_MESSAGE(sums_us(many, 5, large) < blocks_us(many, 5, 8192, large), "5 taps: sums");
  CHECK_MESSAGE(sums_us(many, 1025, large) > blocks_us(many, 1025, 8192, large), "1025 taps: blocks");
  CHECK_MESSAGE(blocks_us(many, 1025, 8192, large) < blocks_us(many, 1025, 18874368, large),
                "one block is slower");
  CHECK_MESSAGE(sums_us(1000, 1025, large) < blocks_us(1000, 1025, 2048, large),
                "short signals: kernels decide");
  // The first number of taps for which blocks are faster.
  const auto crossover = [](const device_rates& device) {
    int taps = 2;
    while (taps < 8192 && sums_us(many, taps, device) < blocks_us(many, taps, 8192, device)) ++taps;
    return taps;
  };
  REQUIRE_MESSAGE(crossover(large) < 8192, "with enough taps, blocks are faster");
  MESSAGE("Blocks of 8,192 pay from " << crossover(large) << " taps on the large device, from "
                                      << crossover(small) << " on the small one.");
  CHECK(crossover(large) > 200);
  CHECK(crossover(small) < crossover(large));
}
