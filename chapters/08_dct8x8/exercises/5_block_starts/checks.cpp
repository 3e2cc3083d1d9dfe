// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "block_starts.hpp"
#include "common/files/numbers.hpp"

using namespace tutorial;

namespace {

/// Rounded from what an H200 does with the lesson's picture: it starts 1600 blocks and moves 3,400,000 bytes.
constexpr device_rates h200{1600, 3.4e6};

bool near(double a, double b) { return std::abs(a - b) <= 1e-9 * std::abs(b); }

std::string text(const picture_launch& launch) {
  const auto by = [](std::int64_t a, std::int64_t b) {
    return std::to_string(a) + " x " + std::to_string(b);
  };
  return by(launch.width, launch.height) + " pixels, " + by(launch.block_width, launch.block_height) +
         " of them in a block";
}

void check_blocks(const picture_launch& launch, std::int64_t across, std::int64_t down) {
  const std::int64_t got = blocks_of(launch), all = launch.width * launch.height,
                     in_block = launch.block_width * launch.block_height;
  const std::string why = got == (launch.width / launch.block_width) * (launch.height / launch.block_height)
                              ? ". It is as if the pixels beyond the last whole block had no block"
                          : got == (all + in_block - 1) / in_block
                              ? ". It is as if a block took any pixels, and not a rectangle"
                              : "";
  REQUIRE_MESSAGE(got == across * down, text(launch), ": that is ", across, " blocks across and ", down,
                  " down, ", across * down, " in all, and blocks_of() gives ", got, why);
}

void check_time(const picture_launch& launch, const device_rates& rates, double blocks) {
  const double got = least_us(launch, rates), starts = blocks / rates.blocks_per_us,
               bytes = double(launch.width * launch.height * launch.bytes_per_pixel) / rates.bytes_per_us,
               right = std::max(starts, bytes);
  const std::string why = near(got, starts + bytes)
                              ? ". It is as if no byte were moved before all blocks have started"
                          : near(got, std::min(starts, bytes))
                              ? ". It is as if the launch ended when the first of the two is done"
                              : "";
  REQUIRE_MESSAGE(near(got, right), text(launch), ": to start ", blocks, " blocks takes ", starts,
                  " us, to move the bytes ", bytes, " us, so the launch takes at least ", right,
                  " us, and least_us() gives ", got, why);
}

void check_least(const device_rates& rates, std::int64_t bytes_per_pixel) {
  const int got = least_8x8_blocks(rates, bytes_per_pixel);
  const double start = 1 / rates.blocks_per_us,
               bytes = double(64 * bytes_per_pixel) / rates.bytes_per_us;  // of one 8x8 block
  REQUIRE_MESSAGE(got >= 1, "least_8x8_blocks() gives ", got, ", and a block takes at least one");
  const std::string given = grouped(std::uint64_t(rates.blocks_per_us)) + " blocks started or " +
                            grouped(std::uint64_t(rates.bytes_per_us)) + " bytes moved in a us, " +
                            std::to_string(bytes_per_pixel) + " bytes for each pixel: ";
  REQUIRE_MESSAGE(start <= got * bytes * (1 + 1e-12), given, "least_8x8_blocks() gives ", got,
                  ". The start of a block takes ", start, " us, and the bytes of so many take only ",
                  got * bytes, " us, so the starts are the limit");
  REQUIRE_MESSAGE((got == 1 || start > (got - 1) * bytes * (1 - 1e-12)), given, "least_8x8_blocks() gives ",
                  got, ". The start of a block takes ", start, " us, and the bytes of one fewer, ", got - 1,
                  ", take ", (got - 1) * bytes, " us: that is enough, too");
}

}  // namespace

TEST_CASE("how many blocks start") {
  check_blocks({2592, 2592, 8, 8, 8}, 324, 324);
  check_blocks({2592, 2592, 256, 8, 8}, 11, 324);
  check_blocks({13, 11, 8, 8, 8}, 2, 2);
  check_blocks({1, 1, 32, 8, 8}, 1, 1);
}
TEST_CASE("what limits the kernels of the lesson") {
  check_time({2592, 2592, 8, 8, 8}, h200, 324 * 324);   // per_coefficient: 65.6 us, or 15.8
  check_time({2592, 2592, 256, 8, 8}, h200, 11 * 324);  // columns: 2.2 us, or 15.8
}
TEST_CASE("other pictures, other devices") {
  check_time({100000, 100000, 16, 16, 8}, h200, 6250.0 * 6250);
  check_time({13, 11, 8, 8, 2}, {1, 100}, 4);
  check_time({13, 11, 8, 8, 8}, {1, 100}, 4);
}
TEST_CASE("what is enough for a block of threads") {
  check_least(h200, 8);
  check_least(h200, 2);
  for (const double blocks : {1.0, 100.0, 1000.0, 1e6}) check_least({blocks, 1024e3}, 8);
}
