// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "encode_strips.hpp"

#include <algorithm>
#include <stdexcept>

#include "09_dct_compression/kernels/color_planes.hpp"
#include "common/device/ceil_div.hpp"
#include "common/device/check.hpp"
#include "common/device/settled.hpp"

namespace tutorial {
namespace {

device_plane_span<std::uint8_t> rows_of(device_plane<std::uint8_t>& all, int begin, int end) {
  const device_plane_span<std::uint8_t> span = all.span();
  return {span.data() + std::size_t(begin) * span.pitch(), span.width(), end - begin, span.pitch()};
}

const jpeg_coding& not_optimized(const jpeg_coding& coding) {
  if (coding.optimized)
    throw std::invalid_argument("codes made for a picture need all of its pixels before the first tile");
  return coding;
}

}  // namespace

strip_encoder::strip_encoder(const jpeg_description& picture, const jpeg_coding& coding, int strips)
    : picture_(picture),
      encoder_(picture, not_optimized(coding)),
      pixels_(picture.channels * picture.width, picture.height) {
  if (strips < 1) throw std::invalid_argument("a picture has at least one strip");
  if (picture.channels == 3) components_ = device_components(picture.width, picture.height, picture.sampling);
  input_ =
      tile_input_of(picture.channels == 3 ? components_.planes() : jpeg_planes{{pixels_.span()}}, picture);

  const tile_layout& layout = encoder_.layout();
  const bool halves = picture.channels == 3 && picture.sampling == chroma_sampling::s420;
  const int unit = halves ? 16 : 8;                            // rows
  const int units = ceil_div(layout.scan.units_high, strips);  // in a strip, from top to bottom
  for (int begin = 0, tile = 0; begin < picture.height; begin += unit * units) {
    const int end = std::min(begin + unit * units, picture.height);
    const int blocks = ceil_div(end, unit) * layout.scan.units_wide * layout.scan.blocks_in_unit;
    while (tile < layout.tiles && layout.at(tile).first + layout.at(tile).count <= blocks) ++tile;
    strips_.push_back({begin, end, tile, event()});
  }
  check(cudaStreamSynchronize(nullptr));  // which has worked on the memory
}

void strip_encoder::split_strip(const picture_strip& rows, cudaStream_t stream) {
  const bool halves = picture_.sampling == chroma_sampling::s420;
  const int begin = halves ? rows.begin / 2 : rows.begin, end = halves ? half_as_many(rows.end) : rows.end;
  split_colors(rows_of(pixels_, rows.begin, rows.end),
               rows_of(components_.component[0], rows.begin, rows.end),
               rows_of(components_.component[1], begin, end), rows_of(components_.component[2], begin, end),
               picture_.sampling, stream);
}

void strip_encoder::encode(const std::uint8_t* pixels, device_span<std::uint8_t> file, std::uint64_t* size,
                           cudaStream_t stream) {
  settled([&] { launch(pixels, file, size, stream); })();
}

// [strips]
void strip_encoder::launch(const std::uint8_t* pixels, device_span<std::uint8_t> file, std::uint64_t* size,
                           cudaStream_t stream) {
  const std::size_t width = std::size_t(pixels_.width());
  check(cudaEventRecord(begun_, stream));
  check(cudaStreamWaitEvent(copies_, begun_));
  int tile = 0;
  for (const picture_strip& each : strips_) {
    const auto to = rows_of(pixels_, each.begin, each.end);
    check(cudaMemcpy2DAsync(to.data(), to.pitch(), pixels + std::size_t(each.begin) * width, width, width,
                            std::size_t(to.height()), cudaMemcpyHostToDevice, copies_));
    check(cudaEventRecord(each.arrived, copies_));
    check(cudaStreamWaitEvent(stream, each.arrived));
    if (picture_.channels == 3) split_strip(each, stream);
    encoder_.code_tiles(input_, tile, each.end_of_tiles, file, size, stream);
    tile = each.end_of_tiles;
  }
  encoder_.join_tiles(file, size, stream);
}
// [strips]

}  // namespace tutorial
