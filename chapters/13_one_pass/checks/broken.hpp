// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Wrong on purpose: the fused kernel with one mistake each. The checks must refuse every one of them.
#pragma once

#include <vector>

#include "13_one_pass/host/one_pass_tables.hpp"
#include "common/device/device_memory.hpp"
#include "common/verify/convolution.hpp"
#include "common/verify/mistakes.hpp"

namespace tutorial::broken {

/// Segments of so many samples, which share so many: 65 taps at most.
inline constexpr one_pass_design fused_design{4096, 64, false};

enum class fused_mistake {
  none,  ///< As it should be: the checks must accept it.
  // Wrong in its results, on every device:
  sign_of_roots,         ///< The forward transform uses the roots of the inverse.
  natural_order,         ///< The filter's spectrum lies in natural order, the signal's in bit-reversed order.
  digits_reversed,       ///< The spectrum lies in the order of reversed four-bit digits, not reversed bits.
  overlap_one_short,     ///< Segments share one sample too few.
  no_history,            ///< The first segment begins with x[0] where its history should be.
  parts_exchanged,       ///< Stores the real part where the imaginary part belongs, and vice versa.
  scale_forgotten,       ///< Does not divide by L.
  conjugate_of_product,  ///< Multiplies by the conjugate of the spectrum: correlates.
  roots_of_lane,         ///< The second pass of the inverse uses the half-warp's root, not the lane's.
  end_not_checked,       ///< Stores the whole last segment, even past the end of y.
  // Wrong in a way that a result may or may not show:
  no_first_barrier,   ///< Has no barrier after the first pass.
  no_second_barrier,  ///< Has no barrier before the last pass.
  no_warp_barrier,    ///< Has no __syncwarp() in the second exchange.
  // Right, and slower than it should be: only a count shows it.
  no_padding,    ///< Numbers 16 apart share a bank.
  wrong_padding  ///< One place in 33 is left free: two lanes share a bank.
};

/// 'x * h' for at most 65 taps, with that mistake.
void convolve_fused(fused_mistake made, device_span<const float> x, device_span<const float> h,
                    device_span<float> y, convolution_mode mode);

/// Those that the chapter's program shows.
std::vector<shown_mistake> shown_fused_mistakes();

/// Runs that kernel once and returns how many of its outputs are wrong: on the emulated device a finding ends
/// the program before that.
std::size_t wrong_outputs(fused_mistake made);

}  // namespace tutorial::broken
