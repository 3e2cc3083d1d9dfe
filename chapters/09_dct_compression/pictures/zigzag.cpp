// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
//
// zigzag FILE.svg: the path of chapter 09's zigzag_order() through an 8x8 block.
#include <string>
#include <utility>

#include "09_dct_compression/host/quantization.hpp"
#include "picture.hpp"

using namespace cuda_emulator::draw;

namespace {

std::string draw() {
  constexpr double cell = 44, left = margin + 44, top = 70;
  picture to(
      "The zig-zag path through an 8x8 block",
      "An 8x8 block of coefficients; a path runs through it along the diagonals, from the mean at the upper "
      "left to the shortest waves at the lower right; each place has its number on the path.");
  const auto& order = tutorial::zigzag_order();
  for (int i = 0; i < 8; ++i) {
    to.text(left + i * cell + cell / 2, top - 8, "u = " + std::to_string(i), "dim", anchor::middle);
    to.text(left - 8, top + i * cell + cell / 2 + 4, "v = " + std::to_string(i), "dim", anchor::end);
  }
  for (int i = 0; i < 64; ++i)
    to.cell(left + order[std::size_t(i)] % 8 * cell, top + order[std::size_t(i)] / 8 * cell, cell, cell,
            i == 0 ? "output" : "input");
  const auto center = [&](int i) {
    return std::pair(left + (order[std::size_t(i)] % 8 + 0.5) * cell,
                     top + (order[std::size_t(i)] / 8 + 0.5) * cell);
  };
  for (int i = 1; i < 64; ++i) {
    const auto [x1, y1] = center(i - 1);
    const auto [x2, y2] = center(i);
    to.line(x1, y1, x2, y2, "thick wire_shared");
  }
  // On top of the path, each in a small cell of its own.
  for (int i = 0; i < 64; ++i) {
    const auto [x, y] = center(i);
    to.cell(x - 12, y - 10, 24, 20, i == 0 ? "output borderless" : "input borderless", std::to_string(i),
            "v = " + std::to_string(order[std::size_t(i)] / 8) +
                ", u = " + std::to_string(order[std::size_t(i)] % 8));
  }
  return to.document();
}

}  // namespace

int main(int count, char** words) {
  return picture_main(count, words, "zigzag FILE.svg", [](std::string_view) { return draw(); });
}
