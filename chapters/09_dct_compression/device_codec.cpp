// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "device_codec.hpp"

#include <stdexcept>
#include <utility>
#include <vector>

#include "08_dct8x8/host/dct_serial.hpp"
#include "09_dct_compression/host/quantization.hpp"
#include "09_dct_compression/kernels/color_planes.hpp"
#include "09_dct_compression/kernels/compress_fused.hpp"

namespace tutorial {
namespace {

using device_samples = device_plane<std::uint8_t>;

/// The picture's rows as they are: of a colored one three bytes for each pixel.
device_samples on_device(const image& picture) {
  return device_samples(plane<std::uint8_t>(int(picture.stride()), picture.height(),
                                            {picture.pixels().begin(), picture.pixels().end()}));
}

image to_image(const device_samples& rows, int channels) {
  return image(rows.width() / channels, rows.height(), channels, rows.to_host().values);
}

device_samples decoded(const compressed_component& component) {
  const device_plane<std::int16_t> levels(component.levels);
  device_samples samples(component.width, component.height);
  decode_fused(levels, component.steps, samples);
  return samples;
}

}  // namespace

compressed_picture compress_on_device(const image& picture, int quality, chroma_sampling sampling) {
  const int width = picture.width(), height = picture.height();
  compressed_picture result{width, height, picture.channels() == 3 ? sampling : chroma_sampling::s444, {}};
  const quantization_table luminance = table_for(component_kind::luminance, quality);
  const quantization_table chrominance = table_for(component_kind::chrominance, quality);

  std::vector<device_samples> planes;
  planes.push_back(on_device(picture));
  if (picture.channels() == 3) {
    const device_samples rgb = std::move(planes[0]);
    const bool halved = result.sampling == chroma_sampling::s420;
    const int color_width = halved ? half_as_many(width) : width,
              color_height = halved ? half_as_many(height) : height;
    planes.clear();
    planes.emplace_back(width, height);
    planes.emplace_back(color_width, color_height);
    planes.emplace_back(color_width, color_height);
    split_colors(rgb, planes[0], planes[1], planes[2], result.sampling);
  }
  for (const device_samples& samples : planes) {
    compressed_component& component = result.components.emplace_back(compressed_component{
        samples.width(), samples.height(), result.components.empty() ? luminance : chrominance, {}});
    device_plane<std::int16_t> levels(padded(samples.width()), padded(samples.height()));
    encode_fused(samples, component.steps, levels);
    component.levels = levels.to_host();
  }
  return result;
}

plane<std::uint8_t> decode_on_device(const compressed_component& component) {
  return decoded(component).to_host();
}

image reconstruct_on_device(const compressed_picture& picture) {
  if (picture.components.size() == 1) return to_image(decoded(picture.components[0]), 1);
  if (picture.components.size() != 3)
    throw std::invalid_argument("reconstruct_on_device: neither gray nor three components");
  const device_samples y = decoded(picture.components[0]), cb = decoded(picture.components[1]),
                       cr = decoded(picture.components[2]);
  device_samples rgb(3 * picture.width, picture.height);
  join_colors(y, cb, cr, picture.sampling, rgb);
  return to_image(rgb, 3);
}

}  // namespace tutorial
