// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "jpeg_on_device.hpp"

#include <cstddef>
#include <utility>

#include "09_dct_compression/host/quantization.hpp"
#include "09_dct_compression/kernels/color_planes.hpp"
#include "10_bits/kernels/encode/encode_tiles.hpp"
#include "10_bits/kernels/encode/tiles.hpp"
#include "common/device/check.hpp"

namespace tutorial {
namespace {

/// As many tiles as a large GPU has at work at once, about: beyond that the tiles of the fused encoder wait
/// for each other.
constexpr int few_tiles = 1024;

/// One plane of what lies in the picture's rows: gray values, or R, G, B.
plane<std::uint8_t> rows_of(const image& picture) {
  return {int(picture.stride()), picture.height(), {picture.pixels().begin(), picture.pixels().end()}};
}

}  // namespace

device_picture device_components(int width, int height, chroma_sampling sampling) {
  const bool halves = sampling == chroma_sampling::s420;
  device_picture result;
  result.component[0] = device_plane<std::uint8_t>(width, height);
  for (int c = 1; c < 3; ++c)
    result.component[c] = device_plane<std::uint8_t>(halves ? half_as_many(width) : width,
                                                     halves ? half_as_many(height) : height);
  return result;
}

jpeg_planes device_picture::planes() const {
  return {{component[0].span(), component[1].span(), component[2].span()}};
}

device_picture on_device(const image& picture, chroma_sampling sampling) {
  device_plane<std::uint8_t> pixels(rows_of(picture));
  device_picture result;
  if (picture.channels() == 1) {
    result.component[0] = std::move(pixels);
    return result;
  }
  result = device_components(picture.width(), picture.height(), sampling);
  split_colors(pixels, result.component[0], result.component[1], result.component[2], sampling);
  return result;
}

jpeg_description description_of(int width, int height, int channels, int quality, chroma_sampling sampling) {
  jpeg_description result{width, height, channels, channels == 3 ? sampling : chroma_sampling::s444, {}};
  for (int c = 0; c < channels; ++c)
    result.steps[c] = table_for(c == 0 ? component_kind::luminance : component_kind::chrominance, quality);
  return result;
}

jpeg_description description_of(const image& picture, int quality, chroma_sampling sampling) {
  return description_of(picture.width(), picture.height(), picture.channels(), quality, sampling);
}

std::unique_ptr<jpeg_encoder> make_encoder(const jpeg_description& picture, const jpeg_coding& coding) {
  const tile_layout layout(scan_layout_of(picture.width, picture.height, picture.channels, picture.sampling,
                                          coding.restart_interval));
  return layout.tiles <= few_tiles ? make_fused_encoder(picture, coding)
                                   : make_split_encoder(picture, coding);
}

picture_encoder::picture_encoder(const jpeg_description& picture, const jpeg_coding& coding)
    : sampling_(picture.sampling), encoder_(make_encoder(picture, coding)) {
  if (picture.channels == 3) colors_ = device_components(picture.width, picture.height, picture.sampling);
}

void picture_encoder::encode(device_plane_span<const std::uint8_t> pixels, device_span<std::uint8_t> file,
                             std::uint64_t* size, cudaStream_t stream) {
  if (colors_.component[0].width() == 0) return encoder_->encode({{pixels}}, file, size, stream);
  split_colors(pixels, colors_.component[0], colors_.component[1], colors_.component[2], sampling_, stream);
  encoder_->encode(colors_.planes(), file, size, stream);
}

std::vector<std::uint8_t> encode_jpeg_on_device(const image& picture, int quality, chroma_sampling sampling,
                                                const jpeg_coding& coding) {
  const jpeg_description description = description_of(picture, quality, sampling);
  picture_encoder encoder(description, coding);
  const device_plane<std::uint8_t> pixels(rows_of(picture));
  device_buffer<std::uint8_t> file(roomy_file_size(description));
  device_buffer<std::uint64_t> size(1);
  encoder.encode(pixels, file, size.data());
  return file_on_host(file, size);
}

void picture_decoder::begin(std::span<const std::uint8_t> file, cudaStream_t stream) {
  const jpeg_head head = read_jpeg_head(file);
  head_.scan_begin = head.scan_begin;  // these two the kernels need not know
  head_.orientation = head.orientation;
  if (decoder_ == nullptr || head != head_) decoder_ = std::make_unique<jpeg_decoder>(head);
  head_ = head;
  file_ = file;
  stream_ = stream;
  why_host_ = head_.why_host;
  if (!why_host_.empty()) {
    const std::vector<std::vector<std::int16_t>> levels = read_levels_on_host(file, head_);
    return levels.empty() ? decoder_->take(decode_jpeg_on_host(file), stream)
                          : decoder_->decode_levels(levels, head_, stream);
  }
  const std::span<const std::uint8_t> scan = file.subspan(head_.scan_begin);
  if (scan.size() > scan_.size()) {
    scan_ = device_buffer<std::uint8_t>(scan.size());
    check(cudaStreamSynchronize(nullptr));  // it has been filled
  }
  check(cudaMemcpyAsync(scan_.data(), scan.data(), scan.size(), cudaMemcpyHostToDevice, stream));
  decoder_->decode({scan_.data(), scan.size()}, stream);
}

void picture_decoder::finish() {
  if (!why_host_.empty()) return;
  why_host_ = decoder_->why_not(stream_);
  if (!why_host_.empty()) decoder_->take(decode_jpeg_on_host(file_), stream_);
}

decoded_jpeg decode_jpeg_on_device(std::span<const std::uint8_t> file) {
  picture_decoder decoder;
  decoder.begin(file);
  decoder.finish();
  return {decoder.picture(), decoder.why_host(), decoder.head().orientation};
}

}  // namespace tutorial
