// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
/// \file
/// The convolution that chooses how.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <type_traits>
#include <variant>

#include "07_fft_convolution/kernels/convolve_overlap_save.hpp"
#include "common/device/device_memory.hpp"
#include "common/files/element_type.hpp"
#include "common/verify/convolution.hpp"
#include "costs.hpp"

namespace tutorial {

enum class convolution_method {
  direct,        ///< Chapter 06's convolve_register_tiled().
  one_block,     ///< One transform of the whole signal.
  overlap_save,  ///< Transforms of blocks.
};

/// "direct", "one block" or "overlap-save".
std::string name(convolution_method method);

/// What is chosen, and what it was chosen by.
struct convolution_choice {
  convolution_method method = convolution_method::direct;
  std::size_t block = 0;  ///< The length of a transform; 0 for direct.
  element_type type;
  cost_unit unit;
  bool transforms = false;  ///< Could it be done by transforms? If not, there are no costs of the last two.
  double direct = 0, one_block = 0, overlap_save = 0;  ///< The expected costs.

  /// One line: the choice, and the costs of all three.
  std::string text() const;
};

/// The cheapest of the three. int32 is always direct: its sums are exact, and a transform rounds. So is what
/// is too long for transforms, longest_for_transforms.
convolution_choice choose_convolution(std::size_t samples, std::size_t taps, convolution_mode mode,
                                      element_type type, cost_unit unit = cost_unit_here());

/// One filter for many calls, by the method that choose_convolution() takes: prepared once. Move-only. T is
/// std::int32_t, float or double; rounding is that of the method. The calls of one object must follow each
/// other.
template <class T>
class best_convolver {
 public:
  /// Chooses for signals of `samples` samples, and prepares the filter h. Throws as the method does that was
  /// chosen.
  best_convolver(device_span<const T> h, std::size_t samples, convolution_mode mode);
  /// x has the samples, y the outputs of the mode; std::invalid_argument otherwise. Launches and does not
  /// wait.
  void operator()(device_span<const T> x, device_span<T> y);
  /// What was chosen, and what all three would cost.
  const convolution_choice& choice() const { return choice_; }

 private:
  std::size_t samples_;
  convolution_mode mode_;
  convolution_choice choice_;
  device_buffer<T> taps_;  ///< For the direct method.
  /// For the others. There is none of int32.
  std::optional<std::conditional_t<std::is_integral_v<T>, std::monostate, overlap_save_convolver<T>>> blocks_;
};

/// One call. What has to be prepared for it counts: where that would cost more than it gains, keep a
/// best_convolver.
template <class T>
void best_convolution(device_span<const T> x, device_span<const T> h, device_span<T> y,
                      convolution_mode mode);

}  // namespace tutorial
