// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include <algorithm>

#include "08_dct8x8/host/dct_serial.hpp"
#include "09_dct_compression/checks/broken.hpp"
#include "09_dct_compression/checks/codec_verification.hpp"
#include "09_dct_compression/host/compress_serial.hpp"
#include "common/device/device_memory.hpp"
#include "common/verify/inputs.hpp"
#include "fault.hpp"

namespace tutorial {
namespace {

using mistake = broken::codec_mistake;

constexpr int width = 29, height = 13;  // neither is a multiple of 8

plane<std::uint8_t> random_picture() {
  plane<std::uint8_t> pixels(width, height);
  for (std::size_t i = 0; i < pixels.values.size(); ++i)
    pixels.values[i] = static_cast<std::uint8_t>(random_bits(1, i) >> 24);
  return pixels;
}

/// An encoder, on a picture whose memory the device has laid out.
fault encoder(std::string name, mistake made) {
  const auto use = [made] {
    const plane<std::uint8_t> pixels = random_picture();
    const quantization_table steps = table_for(component_kind::luminance, 75);
    const device_plane<std::uint8_t> from(pixels);
    device_plane<std::int16_t> levels(padded(width), padded(height));
    broken::encode(made, from, steps, levels);
    check(cudaDeviceSynchronize());
    return wrong_ones(verify_levels(pixels, steps, levels.to_host(), codec_way::fused).found.mismatches,
                      "levels");
  };
  return fault_of(std::move(name), use);
}

/// A mistake that needs memory of a certain layout: the chapter shows it itself.
fault shown(std::string name, mistake made) {
  return fault_of(std::move(name), [made] { return wrong_ones(broken::wrong_levels(made), "levels"); });
}

/// A decoder, at a quality at which ringing goes far beyond black and white.
fault decoder(std::string name, mistake made) {
  const auto decoded = [made](bool& beside) {
    constexpr unsigned char filler = 0x5A;
    constexpr std::size_t pitch = 40;
    const quantization_table steps = table_for(component_kind::luminance, 5);
    plane<std::uint8_t> pixels(width, height);
    for (int row = 0; row < height; ++row)
      for (int col = 0; col < width; ++col) pixels.at(row, col) = (row / 3 + col / 2) % 2 * 255;
    const plane<std::int16_t> levels = encode_serial(pixels, steps);
    const device_plane<std::int16_t> from(levels);
    device_buffer<std::uint8_t> bytes(pitch * height);
    check(cudaMemset(bytes.data(), filler, bytes.size()));
    broken::decode(made, from, steps, {bytes.data(), width, height, pitch});
    check(cudaDeviceSynchronize());
    const std::vector<std::uint8_t> all = bytes.to_host();
    plane<std::uint8_t> inside(width, height);
    for (std::size_t i = 0; i < all.size(); ++i) {
      const int row = int(i / pitch), col = int(i % pitch);
      if (col < width)
        inside.at(row, col) = all[i];
      else
        beside = beside || all[i] != filler;
    }
    return wrong_ones(verify_pixels(levels, steps, inside, codec_way::fused).found.mismatches,
                      "of 377 pixels");
  };
  const auto use = [decoded] {
    bool beside = false;
    const std::string wrong = decoded(beside);
    return wrong.empty() && beside ? "pixels beside the picture" : wrong;
  };
  const auto checks = [decoded] {
    bool beside = false;
    const std::string wrong = decoded(beside);
    if (!wrong.empty()) return refusal{"results", wrong};
    return beside ? refusal{"surroundings", "something behind a row was written"} : refusal{};
  };
  return {std::move(name), use, checks};
}

}  // namespace

std::vector<fault> faults() {
  return each_fault<mistake>([](const std::string& name, mistake made) {
    return made < mistake::not_clamped         ? encoder(name, made)
           : made < mistake::steps_not_awaited ? decoder(name, made)
                                               : shown(name, made);
  });
}

}  // namespace tutorial
