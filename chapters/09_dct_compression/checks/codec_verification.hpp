// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Are these the levels of those pixels, and the pixels of those levels? To a derived bound, and with a count
// of the values over which two correct programs may disagree.
//
// A level is right if it is a nearest whole number of something that is at most `bound` away from
// coefficient / step:
//     |level - coefficient / step| <= 1/2 + bound
// and likewise a pixel before it is clamped. With a bound far below 1/2 that leaves a choice only where the
// exact value is nearly halfway between two whole numbers.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "09_dct_compression/host/quantization.hpp"
#include "common/device/plane.hpp"
#include "common/verify/compare.hpp"

namespace tutorial {

/// How the device calculates, and so how far it may be off.
enum class codec_way {
  stepwise,  ///< Two products with the matrix of the DCT, then the quantizer.
  fused      ///< The factorized DCT, its scale in the quantizer.
};

/// For each coefficient: how far that which is rounded may be from coefficient / step.
///   stepwise: 18 * 2^-24 sum |A||A||X| for the DCT (08_dct8x8/checks/dct_verification.hpp), over step, and
///     one rounding for the division.
///   fused: the kernel's own operations on numbers that carry a bound of their size and of their error: each
///     operation adds its rounding, at most 2^-24 of the result.
/// Pixels are 0..255.
std::array<double, 64> level_bounds(const quantization_table& steps, codec_way way);

/// The same for the 64 pixels of a block with these levels.
std::array<double, 64> pixel_bounds(std::span<const std::int16_t, 64> levels, const quantization_table& steps,
                                    codec_way way);

struct codec_agreement {
  agreement found;            ///< Errors are |value - what is rounded|, bounds 1/2 and the bound above.
  std::size_t differing = 0;  ///< Values that the reference rounds the other way: right, and not the same.
  /// Whether all are right.
  explicit operator bool() const { return bool(found); }
};

/// Throws std::invalid_argument if the levels are not padded(width) x padded(height).
codec_agreement verify_levels(const plane<std::uint8_t>& pixels, const quantization_table& steps,
                              const plane<std::int16_t>& levels, codec_way way);

/// Throws std::invalid_argument if the levels are not padded(width) x padded(height).
codec_agreement verify_pixels(const plane<std::int16_t>& levels, const quantization_table& steps,
                              const plane<std::uint8_t>& pixels, codec_way way);

}  // namespace tutorial
