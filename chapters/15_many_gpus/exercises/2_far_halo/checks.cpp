// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <initializer_list>

#include <algorithm>
#include <string>
#include <vector>

#include "far_halo.hpp"

using namespace tutorial;

namespace {

/// The pieces, and what they are together where that is a known mistake: samples [wanted, begin) are asked
/// for.
std::string what_is_there(const std::vector<piece_of_halo>& pieces, std::size_t wanted, std::size_t begin) {
  if (pieces.empty()) return "";
  std::string text = ". The pieces are:";
  bool backwards = pieces.size() > 1 && pieces.front().end == begin && pieces.back().begin == wanted;
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    const piece_of_halo& each = pieces[i];
    text += (i == 0 ? " [" : ", [") + std::to_string(each.begin) + ", " + std::to_string(each.end) +
            ") from part " + std::to_string(each.from);
    backwards = backwards && (i == 0 || each.end == pieces[i - 1].begin);
  }
  if (backwards) return text + ". It is as if the order were from right to left";
  if (pieces.size() == 1 && wanted < pieces[0].begin && pieces[0].end == begin)
    return text + ". It is as if only the nearest part had samples that are needed";
  if (pieces.size() == 1 && pieces[0].begin == wanted && pieces[0].end == begin)
    return text + ". It is as if that part owned all of them";
  return text;
}

void check_halo(const std::vector<std::size_t>& first, std::size_t p, std::size_t reach) {
  std::string what = "parts that begin at";
  for (std::size_t q = 0; q + 1 < first.size(); ++q) what += " " + std::to_string(first[q]);
  what += ", " + std::to_string(first.back()) + " samples, part " + std::to_string(p) + ", reach " +
          std::to_string(reach);
  const std::size_t begin = first[p],
                    wanted = first[p] == first[p + 1] ? begin : begin - std::min(begin, reach);
  std::size_t next = wanted;
  const std::vector<piece_of_halo> pieces = left_halo(first, p, reach);
  const std::string why = what_is_there(pieces, wanted, begin);
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    const piece_of_halo& each = pieces[i];
    REQUIRE_MESSAGE((i == 0 || each.from != pieces[i - 1].from), what, ": two pieces come from part ",
                    each.from, ". It is to be one piece for each part", why);
    REQUIRE_MESSAGE(each.from < p, what, ": a piece comes from part ", each.from,
                    ", which is not on the left", why);
    REQUIRE_MESSAGE(each.begin == next, what, ": the next piece should begin at sample ", next,
                    ", and begins at ", each.begin, why);
    REQUIRE_MESSAGE(each.end > each.begin, what, ": the piece from part ", each.from, " is empty", why);
    REQUIRE_MESSAGE((first[each.from] <= each.begin && each.end <= first[each.from + 1]), what, ": part ",
                    each.from, " does not own all of the samples ", each.begin, " to ", each.end - 1, why);
    next = each.end;
  }
  const std::string missing = std::to_string(next) + " to " + std::to_string(begin - 1);
  REQUIRE_MESSAGE(
      (next == begin || next != wanted), what, ": there is no piece, and samples ", missing, " are needed",
      std::string(p > 0 && first[p - 1] == begin
                      ? ". The part next door owns nothing: go on to those before it"
                      : ""),
      std::string(reach > begin ? ". begin - reach is below 0, and a std::size_t has no sign: it is "
                                  "a huge number"
                                : ""));
  REQUIRE_MESSAGE(next == begin, what, ": the samples ", missing, " are needed, too, and are in no piece",
                  why);
}

}  // namespace

TEST_CASE("the neighbor has all of it") { check_halo({0, 100, 200, 300, 400}, 2, 5); }
TEST_CASE("the first part has no neighbor on the left") { check_halo({0, 100, 200}, 0, 5); }
TEST_CASE("parts shorter than the halo") {
  check_halo({0, 4, 8, 12, 16}, 3, 6);
  check_halo({0, 4, 8, 12, 16}, 3, 100);
}
TEST_CASE("parts that own nothing") {
  check_halo({0, 1, 1, 2, 2, 3}, 4, 2);
  check_halo({0, 1, 1, 2, 2, 3}, 3, 2);
}
TEST_CASE("all small ones") {
  for (std::size_t samples = 0; samples < 30; ++samples)
    for (std::size_t parts = 1; parts <= 9; ++parts)
      for (std::size_t reach = 0; reach < 12; ++reach) {
        std::vector<std::size_t> first;
        for (std::size_t q = 0; q <= parts; ++q) first.push_back(q * samples / parts);
        for (std::size_t p = 0; p < parts; ++p) check_halo(first, p, reach);
      }
}
