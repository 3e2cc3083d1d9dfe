// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <string>

#include "both_sides.hpp"

using namespace tutorial;

namespace {

void check_piece(std::size_t first, std::size_t outputs, std::size_t samples, std::size_t radius) {
  const piece p = piece_for(first, outputs, samples, radius);
  const std::string what = "outputs " + std::to_string(first) + " to " + std::to_string(first + outputs - 1) +
                           " of " + std::to_string(samples) + " samples, radius " + std::to_string(radius);
  REQUIRE_MESSAGE(p.first_sample <= samples, what, ": first_sample is ", p.first_sample, ", and there are ",
                  samples, " samples");
  const std::size_t elements = p.ghosts_before + p.samples + p.ghosts_behind, wanted = outputs + 2 * radius;
  const std::int64_t begin = std::int64_t(first) - std::int64_t(radius),
                     got_begin = std::int64_t(p.first_sample) - std::int64_t(p.ghosts_before);
  REQUIRE_MESSAGE(elements == wanted, what, ": the piece has ", elements, " elements, which stand for x[",
                  got_begin, "] to x[", got_begin + std::int64_t(elements) - 1, "], and should have ", wanted,
                  ", for x[", begin, "] to x[", begin + std::int64_t(wanted) - 1, "]");
  REQUIRE_MESSAGE(p.first_sample + p.samples <= samples, what, ": the last sample of the piece is x[",
                  p.first_sample + p.samples - 1, "], which does not exist");
  for (std::size_t i = 0; i < wanted; ++i) {
    const std::int64_t is = std::int64_t(first + i) - std::int64_t(radius);
    const bool exists = 0 <= is && is < std::int64_t(samples);
    const bool copied = p.ghosts_before <= i && i < p.ghosts_before + p.samples;
    REQUIRE_MESSAGE(copied == exists, what, ": element ", i, " of the piece stands for x[", is, "], which ",
                    std::string(exists ? "exists" : "does not exist"), ", and is ",
                    std::string(copied ? "copied" : "zero"));
    if (!copied) continue;
    const auto got = std::int64_t(p.first_sample + i - p.ghosts_before);
    REQUIRE_MESSAGE(got == is, what, ": element ", i, " of the piece should be x[", is, "], and is x[", got,
                    "]");
  }
}

}  // namespace

TEST_CASE("a chunk in the middle: neighbors on both sides") { check_piece(100, 50, 1000, 4); }
TEST_CASE("the first chunk: nothing comes before it") { check_piece(0, 50, 1000, 4); }
TEST_CASE("the last chunk: nothing comes behind it") { check_piece(950, 50, 1000, 4); }
TEST_CASE("every chunk, of all lengths") {
  for (const std::size_t samples : {1, 2, 31, 100})
    for (const std::size_t radius : {0, 1, 5, 200})
      for (const std::size_t outputs : {1, 7, 100})
        for (std::size_t first = 0; first < samples; first += outputs)
          check_piece(first, first + outputs < samples ? outputs : samples - first, samples, radius);
}
