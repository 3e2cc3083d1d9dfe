// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "broken_files.hpp"

#include <cmath>
#include <cstddef>
#include <utility>

#include "09_dct_compression/host/color.hpp"
#include "09_dct_compression/host/compress_serial.hpp"
#include "09_dct_compression/host/jpeg_output.hpp"
#include "09_dct_compression/host/quantization.hpp"

namespace tutorial::broken {
namespace {

/// Level i of every 8x8 block becomes what stands at from(i) now.
template <class From>
void rearrange(plane<std::int16_t>& levels, const From& from) {
  const plane<std::int16_t> old = levels;
  for (int row = 0; row < levels.height; ++row)
    for (int col = 0; col < levels.width; ++col) {
      const int other = from(8 * (row % 8) + col % 8);
      levels.at(row, col) = old.at(row / 8 * 8 + other / 8, col / 8 * 8 + other % 8);
    }
}

}  // namespace

wrong_file make_file(file_mistake made, const image& picture, int quality, chroma_sampling sampling) {
  compressed_picture right = compress_serial(picture, quality, sampling);
  if (made == file_mistake::luminance_table_for_color || made == file_mistake::truncated) {
    const std::vector<plane<std::uint8_t>> planes = split(picture, right.sampling);
    for (std::size_t c = 0; c < planes.size(); ++c) {
      compressed_component& one = right.components[c];
      if (made == file_mistake::luminance_table_for_color)
        one.steps = table_for(component_kind::luminance, quality);
      const plane<double> ratios = unrounded_levels(planes[c], one.steps);
      for (std::size_t i = 0; i < ratios.values.size(); ++i)
        one.levels.values[i] = std::int16_t(made == file_mistake::truncated ? std::trunc(ratios.values[i])
                                                                            : std::round(ratios.values[i]));
    }
  }
  if (made == file_mistake::no_level_shift)
    for (compressed_component& one : right.components)
      for (int row = 0; row < one.levels.height; row += 8)
        for (int col = 0; col < one.levels.width; col += 8)
          one.levels.at(row, col) = std::int16_t(one.levels.at(row, col) + 1024 / one.steps[0]);
  if (made == file_mistake::colors_exchanged && right.components.size() == 3)
    std::swap(right.components[1], right.components[2]);

  compressed_picture written = right;
  for (std::size_t c = 0; c < written.components.size(); ++c) {
    compressed_component& one = written.components[c];
    if (made == file_mistake::table_in_zigzag_order)
      for (std::size_t i = 0; i < 64; ++i) one.steps[i] = right.components[c].steps[zigzag_order()[i]];
    if (made == file_mistake::levels_in_zigzag_order)
      rearrange(one.levels, [](int i) { return int(zigzag_order()[std::size_t(i)]); });
    if (made == file_mistake::blocks_transposed)
      rearrange(one.levels, [](int i) { return i % 8 * 8 + i / 8; });
    if (made == file_mistake::steps_of_another_quality)
      one.steps = table_for(c == 0 ? component_kind::luminance : component_kind::chrominance, quality + 10);
  }
  std::vector<std::uint8_t> bytes = jpeg_bytes(written);
  return {std::move(right), std::move(bytes)};
}

}  // namespace tutorial::broken
