// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Draws the 64 pictures that every 8x8 block is a sum of: what the inverse transform makes of one
// coefficient alone.
//
//     basis_pictures FILE.png           writes it
//     basis_pictures --check FILE.png   status 1 if the file shows anything else
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string_view>

#include "08_dct8x8/host/dct_serial.hpp"
#include "common/files/image_file.hpp"

namespace tutorial {
namespace {

constexpr int pixel = 6, gap = 6;  // of the drawing, for a pixel of a block and between two blocks
constexpr int cell = 8 * pixel + gap;

/// Coefficient (v, u) in row v, column u. Black and white are the least and the largest value of the block,
/// or minus that; gray is zero.
image basis_pictures() {
  image drawing(8 * cell + gap, 8 * cell + gap, 1);
  std::ranges::fill(drawing.pixels(), std::uint8_t(255));
  for (int v = 0; v < 8; ++v)
    for (int u = 0; u < 8; ++u) {
      plane<float> one(8, 8);
      one.at(v, u) = 1;
      const plane<double> block = idct8x8_matrix(one, 8, 8);
      double largest = 0;
      for (const double value : block.values) largest = std::max(largest, std::abs(value));
      for (int row = 0; row < 8 * pixel; ++row)
        for (int col = 0; col < 8 * pixel; ++col)
          drawing.at(gap + v * cell + row, gap + u * cell + col) =
              std::uint8_t(std::lround(128 + 100 * block.at(row / pixel, col / pixel) / largest));
    }
  return drawing;
}

}  // namespace
}  // namespace tutorial

int main(int argc, char** argv) try {
  using namespace tutorial;
  if (argc == 2) {
    write_png(argv[1], basis_pictures());
    return 0;
  }
  if (argc != 3 || std::string_view(argv[1]) != "--check") {
    std::fputs("basis_pictures [--check] FILE.png\n", stderr);
    return 2;
  }
  if (read_image(argv[2]) == basis_pictures()) return 0;
  std::fprintf(stderr, "%s differs from what basis_pictures draws: write it again.\n", argv[2]);
  return 1;
} catch (const std::exception& error) {
  std::fprintf(stderr, "basis_pictures: %s\n", error.what());
  return 2;
}
