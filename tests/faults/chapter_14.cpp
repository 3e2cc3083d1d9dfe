// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include <cstddef>
#include <string>
#include <vector>

#include "14_small_matrices/checks/broken.hpp"
#include "14_small_matrices/checks/round_trip_verification.hpp"
#include "common/device/device_memory.hpp"
#include "common/verify/inputs.hpp"
#include "fault.hpp"

namespace tutorial {
namespace {

using mistake = broken::product_mistake;

/// A round trip, on a picture that has what the mistake is about: a black 8x8 block, and perhaps an edge.
fault round_trip(std::string name, mistake made, int width, int quality) {
  const auto use = [made, width, quality] {
    constexpr std::size_t pitch = 128;
    constexpr int height = 8;
    const quantization_table steps = table_for(component_kind::luminance, quality);
    plane<std::uint8_t> pixels(width, height);
    for (std::size_t i = 0; i < pixels.values.size(); ++i)
      pixels.values[i] = static_cast<std::uint8_t>(random_bits(9, i) >> 24);
    for (int i = 0; i < 64; ++i) pixels.at(i / 8, i % 8) = 0;
    const device_plane<std::uint8_t> from(pixels);
    device_buffer<std::uint8_t> bytes(pitch * height);
    check(cudaMemset(bytes.data(), 0x5A, bytes.size()));
    broken::round_trip(made, from, steps, {bytes.data(), width, height, pitch});
    const std::vector<std::uint8_t> all = bytes.to_host();
    plane<std::uint8_t> inside(width, height);
    std::size_t beside = 0;
    for (std::size_t i = 0; i < all.size(); ++i) {
      const int row = int(i / pitch), col = int(i % pitch);
      if (col < width)
        inside.at(row, col) = all[i];
      else
        beside += all[i] != 0x5A;
    }
    const std::size_t wrong = verify_round_trip(pixels, steps, inside).found.mismatches;
    return wrong > 0    ? std::to_string(wrong) + " pixels"
           : beside > 0 ? std::to_string(beside) + " bytes beside the picture"
                        : std::string();
  };
  return fault_of(std::move(name), use);
}

}  // namespace

std::vector<fault> faults() {
  using enum broken::product_mistake;
  return each_fault<mistake>([](const std::string& name, mistake made) {
    const int width = made == zeros_outside || made == whole_words_stored ? 125
                      : made == lanes_guarded                             ? 100
                                                                          : 128;
    return round_trip(name, made, width, made == small_levels_assumed ? 100 : 95);
  });
}

}  // namespace tutorial
