// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "ring_depth.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

using namespace tutorial;

namespace {

/// What happens in `turns` turns; "" or what goes wrong first.
std::string first_problem(int depth, int turns) {
  std::vector<int> slots(std::size_t(depth), -1);  // the tile in each
  std::vector<int> stages;                         // the tile of each stage
  const auto text = [](int number) { return std::to_string(number); };
  const auto fetch = [&](int tile, int needed_from) -> std::string {
    const int slot = slot_of(tile, depth);
    if (slot < 0 || slot >= depth)
      return "slot_of(" + text(tile) + ", " + text(depth) + ") is " + text(slot) +
             ", and there are only the slots 0 to " + text(depth - 1);
    if (slots[std::size_t(slot)] >= needed_from)
      return "tile " + text(tile) + " would overwrite tile " + text(slots[std::size_t(slot)]) + " in slot " +
             text(slot) + ", which is still needed";
    slots[std::size_t(slot)] = tile;
    stages.push_back(tile);
    return "";
  };
  if (fetched_in_turn(0, depth) < 0)
    return "fetched_in_turn(0, " + text(depth) + ") is " + text(fetched_in_turn(0, depth));
  for (int tile = 0; tile < fetched_in_turn(0, depth); ++tile)
    if (const std::string problem = fetch(tile, 0); !problem.empty()) return "before turn 0, " + problem;
  for (int t = 0; t < turns; ++t) {
    const std::string turn = "in turn " + text(t) + ", ";
    if (const std::string problem = fetch(fetched_in_turn(t, depth), t); !problem.empty())
      return turn +
             (problem.starts_with("slot_of") ? ""
                                             : "fetched_in_turn(" + text(t) + ", " + text(depth) + ") is " +
                                                   text(fetched_in_turn(t, depth)) + ", but ") +
             problem;
    const int arrived = int(stages.size()) - stages_under_way(depth);
    const auto place = std::find(stages.begin(), stages.end(), t);
    if (place == stages.end()) return turn + "tile " + text(t) + " was never fetched";
    if (place - stages.begin() >= arrived)
      return turn + "tile " + text(t) + " may still be on its way: stages_under_way(" + text(depth) +
             ") is " + text(stages_under_way(depth)) + ", and so many of the last stages are not waited for";
    if (place - stages.begin() + 1 < arrived)
      return turn + "stages_under_way(" + text(depth) + ") is " + text(stages_under_way(depth)) + ": tile " +
             text(stages[std::size_t(arrived) - 1]) + " is waited for, and only tile " + text(t) +
             " is needed";
    if (slots[std::size_t(slot_of(t, depth))] != t)
      return turn + "slot " + text(slot_of(t, depth)) + " does not hold tile " + text(t);
  }
  return "";
}

/// Does a warp with that ring wait for a tile, the first ones aside?
bool waits(int depth, double latency, double compute) {
  std::vector<double> asked(2000, 0);
  double now = 0;
  for (int t = 0; t < 1000; ++t) {
    if (t > 0)
      asked[std::size_t(t + depth - 1)] = now;  // the first `depth` tiles are asked for at the beginning
    const double arrives = asked[std::size_t(t)] + latency;
    if (t >= depth && arrives > now) return true;
    now = std::max(now, arrives) + compute;
  }
  return false;
}

}  // namespace

TEST_CASE("each tile is in its slot, has arrived, and is overwritten only afterwards") {
  for (int depth = 1; depth <= 6; ++depth) {
    const std::string problem = first_problem(depth, 40);
    CHECK_MESSAGE(problem == "", "a ring of ", depth, ": ", problem);
  }
}

TEST_CASE("all other slots are under way while a tile is computed") {
  for (int depth = 1; depth <= 6; ++depth)
    CHECK_MESSAGE(fetched_in_turn(10, depth) == 10 + depth - 1, "fetched_in_turn(10, ", depth, ") is ",
                  fetched_in_turn(10, depth), ". In a ring of ", depth, ", how far ahead can it be?");
}

TEST_CASE("as deep as latency and computation want") {
  for (const double latency : {500.0, 400.0, 800.0})
    for (const double compute : {100.0, 300.0, 400.0, 799.0, 5000.0}) {
      const int depth = ring_depth(latency, compute);
      REQUIRE_MESSAGE(depth >= 1, "a ring has at least one slot, not ", depth);
      REQUIRE_MESSAGE(depth < 100, "a latency of ", latency, " ns, ", compute, " ns to compute: ", depth,
                      " slots are far too many");
      CHECK_MESSAGE(!waits(depth, latency, compute), "ring_depth(", latency, ", ", compute, ") is ", depth,
                    ", and a warp with so many slots still waits for tiles");
      CHECK_MESSAGE((depth == 1 || waits(depth - 1, latency, compute)), "ring_depth(", latency, ", ", compute,
                    ") is ", depth, ", and one slot fewer is enough");
    }
}
