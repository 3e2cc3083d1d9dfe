// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <vector>

#include "15_many_gpus/host/split.hpp"

using namespace tutorial;

namespace {

constexpr std::size_t lengths[] = {0, 1, 2, 3, 7, 16, 17, 100, 1001};

/// f(split) for all parts and halos that are worth a look.
template <class F>
void for_all_splits(F&& f) {
  for (const std::size_t samples : lengths)
    for (int parts = 1; parts <= 16; ++parts)
      for (const halo_widths halo : {halo_widths{0, 0}, {2, 2}, {1, 0}, {0, 3}, {40, 5}, {2000, 2000}}) {
        CAPTURE(samples);
        CAPTURE(parts);
        CAPTURE(halo.left);
        CAPTURE(halo.right);
        f(signal_split(samples, parts, halo));
      }
}

}  // namespace

TEST_CASE("each sample is owned once, in order, and parts differ by one sample at most") {
  for_all_splits([](const signal_split& split) {
    std::size_t next = 0, least = split.samples(), most = 0;
    bool in_order = true;
    for (int p = 0; p < split.parts(); ++p) {
      const sample_range own = split.owned(p);
      in_order &= own.begin == next && own.begin <= own.end;
      next = own.end;
      least = std::min(least, own.size());
      most = std::max(most, own.size());
    }
    CHECK(in_order);
    CHECK(next == split.samples());
    CHECK(most - least <= 1);
  });
}

TEST_CASE("own samples and messages together are what the outputs of a part need, each sample once") {
  for_all_splits([](const signal_split& split) {
    bool right = true;
    for (int p = 0; p < split.parts(); ++p) {
      const sample_range own = split.owned(p);
      std::vector<int> there(split.samples(), 0), wanted(split.samples(), 0);
      // By the definition, output for output, without a formula for ranges.
      for (std::size_t n = own.begin; n < own.end; ++n)
        for (std::int64_t m = std::int64_t(n) - std::int64_t(split.halo().left);
             m <= std::int64_t(n + split.halo().right); ++m)
          if (0 <= m && m < std::int64_t(split.samples())) wanted[std::size_t(m)] = 1;
      for (std::size_t n = own.begin; n < own.end; ++n) ++there[n];
      for (const halo_message& each : split.messages_to(p)) {
        right &= each.to == p && each.from != p && !each.samples.empty();
        right &= common_part(split.owned(each.from), each.samples) == each.samples;
        for (std::size_t n = each.samples.begin; n < each.samples.end; ++n) ++there[n];
      }
      right &= there == wanted;
    }
    CHECK(right);
  });
}

TEST_CASE("what one part gives is what the others get, and two parts share one message a direction") {
  for_all_splits([](const signal_split& split) {
    std::size_t given = 0, got = 0;
    bool once = true;
    for (int p = 0; p < split.parts(); ++p) {
      got += split.messages_to(p).size();
      std::vector<int> seen(std::size_t(split.parts()), 0);
      for (const halo_message& each : split.messages_from(p)) {
        ++given;
        once &= each.from == p && ++seen[std::size_t(each.to)] == 1;
        const auto theirs = split.messages_to(each.to);
        once &= std::ranges::find(theirs, each) != theirs.end();
      }
    }
    CHECK(given == got);
    CHECK(once);
  });
}

TEST_CASE("halos of odd and even filters, and of several steps") {
  CHECK(halo_of(1).left + halo_of(1).right == 0);
  CHECK(halo_of(5).left == 2);
  CHECK(halo_of(5).right == 2);
  CHECK(halo_of(4).left == 2);
  CHECK(halo_of(4).right == 1);
  CHECK(halo_of(5, 3).left == 6);
  CHECK_THROWS_AS(halo_of(0), std::invalid_argument);
  CHECK_THROWS_AS(signal_split(10, 0, {}), std::invalid_argument);
}

TEST_CASE("signals too long for a product of samples and parts") {
  const std::size_t samples = std::numeric_limits<std::size_t>::max() - 5;
  const signal_split split(samples, 16, {2, 2});
  CHECK(split.owned(15).end == samples);
  CHECK(split.owned(15).size() - split.owned(0).size() <= 1);
  CHECK(split.needed(15).end == samples);
}
