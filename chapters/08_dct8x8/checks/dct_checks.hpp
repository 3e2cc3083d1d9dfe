// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Checks of any 8x8 DCT on the device, forward or inverse. Each returns what failed, one line each; empty is
// right.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "common/device/plane.hpp"

namespace tutorial {

/// dct8x8() and its like, or idct8x8() and its like.
using device_dct = std::function<void(device_plane_span<const float> from, device_plane_span<float> to)>;

struct dct_check_options {
  std::size_t most_failures = 3;
  /// Rows of the inputs begin a multiple of so many bytes apart. With 4, that is an odd number of floats,
  /// too.
  std::size_t row_alignment = 4;
};

/// Sizes of every kind (1 x 1, 7 x 9, one more and one less than whole 8x8 blocks, several blocks of
/// threads), inputs that have no symmetry, pitches of every kind: each coefficient, or pixel, against the
/// definition, to the bound. The memory behind the rows of the input is poisoned, and so are the outputs
/// beforehand.
std::vector<std::string> forward_failures(const device_dct& dct, const dct_check_options& options = {});
/// The same for the way back.
std::vector<std::string> inverse_failures(const device_dct& idct, const dct_check_options& options = {});

/// The pictures of the 64 basis waves: each gives one coefficient, and each coefficient gives back its
/// picture. What is mixed up says so: "coefficient (1, 3) appears at (3, 1)".
std::vector<std::string> forward_basis_failures(const device_dct& dct);
/// The same for the way back.
std::vector<std::string> inverse_basis_failures(const device_dct& idct);

/// Whether anything is written beside the output: behind its rows, above or below it.
std::vector<std::string> forward_overruns(const device_dct& dct);
/// The same for the way back.
std::vector<std::string> inverse_overruns(const device_dct& idct);

/// The first five failures as one text, a line each, and how many more there are; "" if there are none.
std::string joined(const std::vector<std::string>& failures);

/// `pixels` without symmetry: any turn, reflection or shift of it is another picture.
plane<float> asymmetric_plane(int width, int height, std::uint64_t seed = 1);

/// What `dct` makes of `from` on the device, on a poisoned output of that size.
plane<float> run_dct(const device_dct& dct, const plane<float>& from, int width, int height);

}  // namespace tutorial
