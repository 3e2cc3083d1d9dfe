// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "ties_shown.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>

#include "09_dct_compression/host/quantization.hpp"
#include "09_dct_compression/host/tie_example.hpp"
#include "common/files/numbers.hpp"
#include "common/show/table.hpp"
#include "common/verify/inputs.hpp"

namespace tutorial {
namespace {

/// "-7/2"
std::string halves(std::int64_t numerator) { return std::to_string(numerator) + "/2"; }

/// Of `blocks` random blocks, how many hold a tie.
int blocks_with_ties(const quantization_table& steps, int blocks) {
  int count = 0;
  for (int block = 0; block < blocks; ++block) {
    whole_block pixels{};
    for (std::size_t i = 0; i < 64; ++i)
      pixels[i] = std::int32_t(random_bits(2, 64 * std::uint64_t(block) + i) % 256) - 128;
    count += has_tie(pixels, steps);
  }
  return count;
}

}  // namespace

void show_tie(chapter_run& run) {
  constexpr int quality = 50, blocks = 40000;
  const quantization_table steps = table_for(component_kind::luminance, quality);
  const tie_example tie = find_tie(steps);
  run.say("A tie: random pixels, quality " + std::to_string(quality) + ", the coefficient (v, u) = (" +
          std::to_string(tie.v) + ", " + std::to_string(tie.u) + "), step " + std::to_string(tie.step) + ".");
  run.say("In whole numbers: 8 C = " + std::to_string(tie.exact[0]) + ", so C / step is exactly " +
          halves(tie.twice_the_ratio) + ", level " + std::to_string(tie.level) + " (halves away from zero).");
  run.say();
  text_table table({{"calculated in", text_table::align::left}, {"C / step"}, {"level"}});
  for (const tie_example::way& way : tie.ways) {
    table.add_row({way.name, exact_digits(way.ratio), std::to_string(way.level)});
    run.record({{"chapter", "09"},
                {"work", "tie"},
                {"label", way.name},
                {"ratio", exact_digits(way.ratio)},
                {"level", std::to_string(way.level)}});
  }
  run.show("The same coefficient, four times", table);
  const int count = blocks_with_ties(steps, blocks);
  double expected = 0;
  for (const std::size_t i : {0, 4, 32, 36}) expected += blocks / (8.0 * steps[i]);
  run.say("Of " + grouped(blocks) + " blocks of random pixels, " + grouped(std::uint64_t(count)) +
          " hold at least one tie.");
  run.say("Expected: one in 8 * step for each of the four coefficients that are always rational, together " +
          grouped(std::uint64_t(std::lround(expected))) + ".");
  run.record({{"chapter", "09"},
              {"work", "blocks with ties"},
              {"blocks", std::to_string(blocks)},
              {"with_ties", std::to_string(count)},
              {"expected", fixed(expected, 1)},
              {"quality", std::to_string(quality)}});
}

}  // namespace tutorial
