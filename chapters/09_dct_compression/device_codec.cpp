// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "device_codec.hpp"

#include <cstdint>
#include <utility>
#include <vector>

#include "08_dct8x8/dct_serial.hpp"
#include "color.hpp"
#include "common/plane.hpp"
#include "compress_fused.hpp"
#include "quantization.hpp"

namespace tutorial {

compressed_picture compress_on_device(const image& picture, int quality, chroma_sampling sampling) {
  const bool color = picture.channels() == 3;
  compressed_picture result{picture.width(), picture.height(), color ? sampling : chroma_sampling::s444, {}};
  for (const plane<std::uint8_t>& samples : split(picture, result.sampling)) {
    const component_kind kind =
        result.components.empty() ? component_kind::luminance : component_kind::chrominance;
    compressed_component component{samples.width, samples.height, table_for(kind, quality), {}};
    const device_plane<std::uint8_t> pixels(samples);
    device_plane<std::int16_t> levels(padded(samples.width), padded(samples.height));
    encode_fused(pixels, component.steps, levels);
    component.levels = levels.to_host();
    result.components.push_back(std::move(component));
  }
  return result;
}

plane<std::uint8_t> decode_on_device(const compressed_component& component) {
  const device_plane<std::int16_t> levels(component.levels);
  device_plane<std::uint8_t> pixels(component.width, component.height);
  decode_fused(levels, component.steps, pixels);
  return pixels.to_host();
}

image reconstruct_on_device(const compressed_picture& picture) {
  std::vector<plane<std::uint8_t>> planes;
  for (const compressed_component& component : picture.components)
    planes.push_back(decode_on_device(component));
  return joined(planes, picture.width, picture.height, picture.sampling);
}

}  // namespace tutorial
