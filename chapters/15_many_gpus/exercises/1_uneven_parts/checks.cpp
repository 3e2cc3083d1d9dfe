// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <initializer_list>

#include <algorithm>
#include <cstddef>
#include <string>

#include "uneven_parts.hpp"

using namespace tutorial;

namespace {

void check_parts(std::size_t samples, std::size_t parts) {
  std::size_t next = 0, least = samples, most = 0;
  for (std::size_t p = 0; p < parts; ++p) {
    const owned_samples own = samples_of(samples, parts, p);
    REQUIRE_MESSAGE(own.begin == next, samples, " samples in ", parts, " parts: part ", p,
                    " should begin at sample ", next, ", where the one before ends, and begins at ",
                    own.begin);
    REQUIRE_MESSAGE(own.end >= own.begin, samples, " samples in ", parts, " parts: part ", p,
                    " ends before it begins");
    next = own.end;
    least = std::min(least, own.end - own.begin);
    most = std::max(most, own.end - own.begin);
  }
  const std::size_t short_one = samples / parts, longer = samples % parts;
  std::string fair = ". No part may have two samples more than another: " + std::to_string(parts - longer) +
                     " parts of " + std::to_string(short_one);
  if (longer > 0) fair += " and " + std::to_string(longer) + " of " + std::to_string(short_one + 1);
  REQUIRE_MESSAGE(next <= samples, samples, " samples in ", parts, " parts: the last part ends at sample ",
                  next, ", beyond the end of the signal", fair);
  REQUIRE_MESSAGE(next == samples, samples, " samples in ", parts, " parts: the last part ends at sample ",
                  next, ", so ", samples - next, " samples belong to no part", fair);
  REQUIRE_MESSAGE(most - least <= 1, samples, " samples in ", parts, " parts: one part has ", most,
                  " samples, and another one ", least, ". All wait for the longest one");
}

}  // namespace

TEST_CASE("parts of equal lengths") { check_parts(1000, 4); }
TEST_CASE("samples are left over") {
  check_parts(1003, 4);
  check_parts(15, 8);
}
TEST_CASE("fewer samples than parts") { check_parts(3, 8); }
TEST_CASE("all small ones") {
  for (std::size_t samples = 0; samples < 70; ++samples)
    for (std::size_t parts = 1; parts <= 16; ++parts) check_parts(samples, parts);
}
