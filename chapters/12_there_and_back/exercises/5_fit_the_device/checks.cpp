// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <string>

#include "common/verify/as_if.hpp"
#include "common/verify/inputs.hpp"
#include "fit_the_device.hpp"

using namespace tutorial;

namespace {

/// Do the taps and a ring for such chunks fit?
bool fits(std::size_t outputs, std::size_t bytes, std::size_t taps, std::size_t buffers, std::size_t size) {
  return (taps + buffers * (2 * outputs + taps - 1)) * size <= bytes;
}

/// The largest chunks, if only these things needed room: so many filters of `taps`, and so much of a halo.
std::size_t largest(std::size_t bytes, std::size_t taps, std::size_t halo, std::size_t buffers,
                    std::size_t size) {
  const std::size_t all = bytes / size, fixed = taps + buffers * halo;
  return fixed > all ? 0 : (all - fixed) / buffers / 2 / 256 * 256;
}

void check_fit(std::size_t bytes, std::size_t taps, std::size_t buffers, std::size_t size) {
  const std::size_t got = chunk_outputs(bytes, taps, buffers, size);
  CAPTURE(bytes);
  CAPTURE(taps);
  CAPTURE(buffers);
  CAPTURE(size);
  const std::string why = as_if<std::size_t>(
      {got}, {{"the taps themselves needed no room", {largest(bytes, 0, taps - 1, buffers, size)}},
              {"the samples of a chunk were as many as its outputs, without the halo of taps - 1",
               {largest(bytes, taps, 0, buffers, size)}},
              {"neither the taps nor the halo of taps - 1 samples needed room",
               {largest(bytes, 0, 0, buffers, size)}},
              {"each buffer had taps of its own", {largest(bytes, 0, 2 * taps - 1, buffers, size)}}});
  REQUIRE_MESSAGE(got <= bytes, "chunks of ", got,
                  " outputs: that is more than there are bytes. Has a "
                  "difference without a sign gone below zero?");
  REQUIRE_MESSAGE(got % 256 == 0, "chunks of ", got, " outputs: that is not a multiple of 256");
  REQUIRE_MESSAGE((got == 0 || fits(got, bytes, taps, buffers, size)), "chunks of ", got,
                  " outputs do not fit: a buffer has ", got, " outputs and ", got + taps - 1, " samples, ",
                  buffers, " buffers and ", taps, " taps are ", (taps + buffers * (2 * got + taps - 1)),
                  " elements of ", size, " bytes, ", (taps + buffers * (2 * got + taps - 1)) * size,
                  " in all", why);
  REQUIRE_MESSAGE(!fits(got + 256, bytes, taps, buffers, size), "chunks of ", got,
                  " outputs fit, and so do chunks of ", got + 256, why);
}

}  // namespace

TEST_CASE("a short filter") { check_fit(1 << 20, 5, 3, 4); }
TEST_CASE("a filter that takes much of the memory") { check_fit(1 << 20, 40'000, 3, 4); }
TEST_CASE("exactly enough, and one byte too few") {
  for (const std::size_t taps : {1, 5, 1025}) {
    const std::size_t exactly = (taps + 3 * (2 * 512 + taps - 1)) * 8;
    check_fit(exactly, taps, 3, 8);
    check_fit(exactly - 1, taps, 3, 8);
  }
}
TEST_CASE("nothing fits") {
  for (const std::size_t bytes : {0, 1, 100, 5000}) check_fit(bytes, 1025, 3, 4);
  check_fit(30'000, 5000, 3, 4);
}
TEST_CASE("sizes of all kinds") {
  for (std::uint64_t i = 0; i < 500; ++i)
    check_fit(random_bits(1, i) % 100'000'000, 1 + random_bits(2, i) % 5000, 1 + random_bits(3, i) % 5,
              4 + 4 * (random_bits(4, i) % 2));
}
TEST_CASE("a machine with more memory than there is") { check_fit(std::size_t{1} << 60, 1025, 3, 4); }
