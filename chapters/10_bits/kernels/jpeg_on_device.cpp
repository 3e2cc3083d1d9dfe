// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "jpeg_on_device.hpp"

#include <cstddef>
#include <memory>

#include "09_dct_compression/host/quantization.hpp"
#include "09_dct_compression/kernels/color_planes.hpp"
#include "common/device/check.hpp"
#include "encode_tiles.hpp"
#include "tiles.hpp"

namespace tutorial {
namespace {

/// As many tiles as a large GPU has at work at once, about: beyond that the tiles of the fused encoder wait
/// for each other.
constexpr int few_tiles = 1024;

std::vector<std::uint8_t> to_host(device_plane_span<const std::uint8_t> samples) {
  const std::size_t width = std::size_t(samples.width()), height = std::size_t(samples.height());
  std::vector<std::uint8_t> values(width * height);
  check(cudaMemcpy2D(values.data(), width, samples.data(), samples.pitch(), width, height,
                     cudaMemcpyDeviceToHost));
  return values;
}

}  // namespace

jpeg_planes device_picture::planes() const {
  return {{component[0].span(), component[1].span(), component[2].span()}};
}

device_picture on_device(const image& picture, chroma_sampling sampling) {
  const plane<std::uint8_t> rows(int(picture.stride()), picture.height(),
                                 {picture.pixels().begin(), picture.pixels().end()});
  device_picture result;
  if (picture.channels() == 1) {
    result.component[0] = device_plane<std::uint8_t>(rows);
    return result;
  }
  const bool halves = sampling == chroma_sampling::s420;
  const int width = halves ? half_as_many(picture.width()) : picture.width();
  const int height = halves ? half_as_many(picture.height()) : picture.height();
  result.component[0] = device_plane<std::uint8_t>(picture.width(), picture.height());
  for (int c = 1; c < 3; ++c) result.component[c] = device_plane<std::uint8_t>(width, height);
  const device_plane<std::uint8_t> rgb(rows);
  split_colors(rgb, result.component[0], result.component[1], result.component[2], sampling);
  return result;
}

jpeg_description description_of(const image& picture, int quality, chroma_sampling sampling) {
  jpeg_description result{picture.width(),
                          picture.height(),
                          picture.channels(),
                          picture.channels() == 3 ? sampling : chroma_sampling::s444,
                          {}};
  for (int c = 0; c < picture.channels(); ++c)
    result.steps[c] = table_for(c == 0 ? component_kind::luminance : component_kind::chrominance, quality);
  return result;
}

std::vector<std::uint8_t> encode_jpeg_on_device(const image& picture, int quality, chroma_sampling sampling,
                                                const jpeg_coding& coding) {
  const jpeg_description description = description_of(picture, quality, sampling);
  const tile_layout layout(scan_layout_of(picture.width(), picture.height(), picture.channels(),
                                          description.sampling, coding.restart_interval));
  const std::unique_ptr<jpeg_encoder> encoder = layout.tiles <= few_tiles
                                                    ? make_fused_encoder(description, coding)
                                                    : make_split_encoder(description, coding);
  const device_picture pixels = on_device(picture, sampling);
  device_buffer<std::uint8_t> file(roomy_file_size(description));
  return encoded_file(*encoder, pixels.planes(), file);
}

image decode_jpeg_on_device(std::span<const std::uint8_t> file) {
  const jpeg_head head = read_jpeg_head(file);
  jpeg_decoder decoder(head);
  const device_buffer<std::uint8_t> scan(file.subspan(head.scan_begin));
  decoder.decode(scan);
  const jpeg_description& picture = head.picture;
  if (picture.channels == 1) return image(picture.width, picture.height, 1, to_host(decoder.samples(0)));
  device_plane<std::uint8_t> rgb(3 * picture.width, picture.height);
  join_colors(decoder.samples(0), decoder.samples(1), decoder.samples(2), picture.sampling, rgb);
  return image(picture.width, picture.height, 3, to_host(rgb.span()));
}

}  // namespace tutorial
