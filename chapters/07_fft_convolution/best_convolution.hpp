// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// The convolution that chooses how.
#pragma once

#include <array>
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
#include "kept_calls.hpp"

namespace tutorial {

enum class convolution_method {
  direct,           ///< Chapter 02: one output per thread.
  warp_per_output,  ///< Chapter 03: one output per warp.
  register_tiled,   ///< Chapter 06: many outputs per thread.
  fft_one_block,    ///< One transform of the whole signal.
  overlap_save,     ///< Transforms of blocks.
};
inline constexpr std::array all_convolution_methods = {
    convolution_method::direct, convolution_method::warp_per_output, convolution_method::register_tiled,
    convolution_method::fft_one_block, convolution_method::overlap_save};

/// As the versions are called in tables: "02 direct", "07 overlap_save".
std::string name(convolution_method method);

/// What is chosen, and what it was chosen by.
struct convolution_choice {
  convolution_method method = convolution_method::register_tiled;
  std::size_t block = 0;  ///< The length of a transform; 0 where there is none.
  element_type type;
  cost_unit unit;
  std::string device = {};  ///< Where the prices were measured.
  bool transforms = false;  ///< Could it be done by transforms? If not, there are no costs of the last two.
  std::array<double, all_convolution_methods.size()> costs = {};  ///< Expected, in the order of the methods.

  /// Expected, of one method, in `unit`.
  double cost(convolution_method which) const { return costs[std::size_t(which)]; }
  /// "07 overlap_save 8,192"
  std::string short_text() const;
  /// One line: the choice, and the costs of all methods.
  std::string text() const;
};

/// The cheapest of the five by these prices. int32 is never transformed: its sums are exact, and a transform
/// rounds. Nor is what is too long for transforms, longest_for_transforms.
convolution_choice choose_convolution(std::size_t samples, std::size_t taps, convolution_mode mode,
                                      element_type type, const price_list& prices = prices_here());

/// One filter for many calls, by the method that choose_convolution() takes: prepared once. Move-only. T is
/// std::int32_t, float or double; rounding is that of the method. The calls of one object must follow each
/// other.
template <class T>
class best_convolver {
 public:
  /// Chooses for signals of `samples` samples, and prepares the filter h. Nothing is measured: prices come
  /// from recorded_prices(), unless use_prices() or the caller says otherwise. Throws as the chosen method
  /// does.
  best_convolver(device_span<const T> h, std::size_t samples, convolution_mode mode,
                 const price_list& prices = prices_here());
  /// x has the samples, y the outputs of the mode; std::invalid_argument otherwise. Launches in the stream
  /// and does not wait.
  void operator()(device_span<const T> x, device_span<T> y, cudaStream_t stream = nullptr);
  /// What was chosen, and what each method would cost.
  const convolution_choice& choice() const { return choice_; }

 private:
  std::size_t samples_;
  convolution_mode mode_;
  convolution_choice choice_;
  device_buffer<T> taps_;  ///< For the methods without transforms.
  /// For those with transforms. There is none of int32.
  std::optional<std::conditional_t<std::is_integral_v<T>, std::monostate, overlap_save_convolver<T>>> blocks_;
};

/// The same in one call, with a filter that may be another one each time. Launches and does not wait. What it
/// needs besides x, h and y, the choice, plans and device memory, is kept for the next calls with these
/// lengths: for the last kept_calls_at_most lengths of each type, until forget_best_convolutions(). All calls
/// work in the default stream, one behind the other; best_convolver works in any. May be called by several
/// threads.
template <class T>
void best_convolution(device_span<const T> x, device_span<const T> h, device_span<T> y,
                      convolution_mode mode);

/// Waits for the device, and gives back what best_convolution() keeps.
void forget_best_convolutions();

}  // namespace tutorial
