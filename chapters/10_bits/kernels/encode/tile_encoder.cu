// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "tile_encoder.hpp"

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "common/device/check.hpp"
#include "optimize_codes.hpp"

namespace tutorial {

tile_input tile_input_of(const jpeg_planes& planes, const jpeg_description& picture) {
  detail::require_planes(planes, picture);
  tile_input in{};
  for (int c = 0; c < picture.channels; ++c) {
    in.pixels[c] = planes.of[c].data();
    in.pitch[c] = std::int64_t(planes.of[c].pitch());
    in.width[c] = planes.of[c].width();
    in.height[c] = planes.of[c].height();
    in.factors[c] = encode_factors(picture.steps[c]);
  }
  return in;
}

tile_board_memory::tile_board_memory(int members) : words_(2 * std::size_t(members) + 1) {
  check(cudaMemsetAsync(words_.data(), 0, words_.span().size_bytes(), nullptr));
  check(cudaStreamSynchronize(nullptr));
}

tile_board tile_board_memory::next_call(cudaStream_t stream) {
  if (!is_known_) check(cudaMemsetAsync(words_.data(), 0, words_.span().size_bytes(), stream));
  is_known_ = false;
  unsigned long long* const words = words_.data();
  return {{words, words + members()}, members(), words + 2 * members()};
}

tile_encoder::tile_encoder(const jpeg_description& picture, const jpeg_coding& coding)
    : picture_(picture),
      optimized_(coding.optimized),
      layout_(scan_layout_of(picture.width, picture.height, picture.channels, picture.sampling,
                             coding.restart_interval)),
      coding_(1),
      counts_(coding.optimized ? symbol_tables * 256 : 0) {
  const bool all_colors = picture.channels == 3 && picture.sampling == chroma_sampling::s444;
  const std::uint64_t colors = all_colors ? 2 : 1;  // share their symbols
  if (optimized_ && colors * std::uint64_t(picture.width) * std::uint64_t(picture.height) > most_counted)
    throw std::invalid_argument("codes made for a picture of " + std::to_string(picture.width) + " x " +
                                std::to_string(picture.height) +
                                " pixels in 4:4:4: a symbol may occur more than 2^32 times");
  coding_.copy_from(
      std::vector<device_coding>{device_coding_of(picture, standard_codes(), coding.restart_interval)});
}

void tile_encoder::encode(const jpeg_planes& planes, device_span<std::uint8_t> file, std::uint64_t* size,
                          cudaStream_t stream) {
  const tile_input in = tile_input_of(planes, picture_);
  if (optimized_) optimize_codes(in, layout_, counts_, coding_.data(), stream);
  launch(in, file, size, stream);
}

}  // namespace tutorial
