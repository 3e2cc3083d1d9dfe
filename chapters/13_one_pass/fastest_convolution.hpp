// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Chapter 07's convolution that chooses how, with one more way to choose from.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

#include "07_fft_convolution/best_convolution.hpp"
#include "convolve_one_pass.hpp"

namespace tutorial {

/// What one design costs on one device, in microseconds.
struct one_pass_price {
  int length = 0;
  element_type type = element_type::float32;
  double alone = 0;      ///< A call with one pair of segments.
  double each_pair = 0;  ///< Each further pair of segments, with enough of them for the whole GPU.
};

/// Those of all designs, and where they were measured.
struct one_pass_price_list {
  std::string device = {};
  std::vector<one_pass_price> prices = {};
};

/// From an NVIDIA H200: the default on a GPU.
const one_pass_price_list& recorded_one_pass_prices();

/// Measures them on the device that kernels run on. Throws std::logic_error on the emulated device,
/// cuda_error.
one_pass_price_list measure_one_pass_prices();

/// What everything is chosen by where nothing else is asked for: the list that use_one_pass_prices() was
/// given last, before that the recorded one. The emulated device counts operations, as chapter 07 does there.
const one_pass_price_list& one_pass_prices_here();
/// From now on one_pass_prices_here(). Not to be called while another thread chooses.
void use_one_pass_prices(one_pass_price_list prices);

/// How often one_pass_prices_here() has changed.
std::uint64_t one_pass_prices_version();

/// Whether what is made of the filter serves more than one call.
enum class filter_use {
  many_calls,  ///< It is prepared once, and its cost does not count.
  one_call     ///< Each call has a filter of its own, and a kernel makes its spectrum.
};

/// What is chosen, and what it was chosen by.
struct fastest_choice {
  convolution_choice others;    ///< The best of chapter 07's methods.
  one_pass_design design = {};  ///< The cheapest one; length 0 where one pass cannot do it.
  double one_pass_cost = 0;     ///< In the unit of `others`.
  double spectrum_cost = 0;     ///< The same for the spectrum of the filter; 0 if it serves many calls.
  bool one_pass = false;        ///< It is cheaper than all others.
  /// "13 one_pass 4,096", or what chapter 07 chooses.
  std::string short_text() const;
  /// One line: the choice, and the costs of all methods.
  std::string text() const;
};

/// What one_pass_convolver with this design is expected to cost, in the unit of `prices`: infinity where
/// `one_pass` has prices, and none for segments of this length.
double one_pass_cost(std::size_t samples, std::size_t taps, convolution_mode mode, element_type type,
                     const one_pass_design& design, const price_list& prices = prices_here(),
                     const one_pass_price_list& one_pass = one_pass_prices_here());

/// What the kernel in front of it costs, which makes the filter's spectrum. It is the first half of what one
/// pair of segments takes, and that pair's price alone is charged: the most that it can cost.
double one_pass_spectrum_cost(element_type type, const one_pass_design& design,
                              const price_list& prices = prices_here(),
                              const one_pass_price_list& one_pass = one_pass_prices_here());

/// The cheapest way of all chapters. int32 and filters that are too long for one pass are chapter 07's.
/// Throws std::invalid_argument if the two lists are of two devices.
fastest_choice choose_fastest(std::size_t samples, std::size_t taps, convolution_mode mode, element_type type,
                              const price_list& prices = prices_here(),
                              const one_pass_price_list& one_pass = one_pass_prices_here(),
                              filter_use use = filter_use::many_calls);

/// One filter for many calls, by the way that choose_fastest() takes: prepared once. Move-only. T is
/// std::int32_t, float or double; rounding is that of the way. The calls of one object must follow each
/// other.
template <class T>
class fastest_convolver {
 public:
  /// As best_convolver.
  fastest_convolver(device_span<const T> h, std::size_t samples, convolution_mode mode,
                    const price_list& prices = prices_here(),
                    const one_pass_price_list& one_pass = one_pass_prices_here());
  /// x has the samples, y the outputs of the mode; std::invalid_argument otherwise. Launches in the stream
  /// and does not wait.
  void operator()(device_span<const T> x, device_span<T> y, cudaStream_t stream = nullptr);
  /// What was chosen, and what each way would cost.
  const fastest_choice& choice() const { return choice_; }

 private:
  fastest_choice choice_;
  std::optional<std::conditional_t<std::is_integral_v<T>, std::monostate, one_pass_convolver<T>>> one_pass_;
  std::optional<best_convolver<T>> other_;
};

/// The same in one call, with a filter that may be another one each time; by what is cheapest then, see
/// filter_use. Launches and does not wait: one pass takes two kernels, and h is read by the first one. What
/// it needs besides x, h and y, the choice, roots of unity and memory for one spectrum, is kept for the last
/// kept_calls_at_most lengths of each type, until forget_fastest_convolutions(); what best_convolution()
/// keeps, if it is chosen, is kept there. Where x, h and y are the arrays of the call before, whatever is
/// in them, both kernels are one graph, which is kept, too. All calls work in the default stream, one
/// behind the other: the next spectrum is made when the call before has used its own. May be called by
/// several threads. fastest_convolver works in any stream.
template <class T>
void fastest_convolution(device_span<const T> x, device_span<const T> h, device_span<T> y,
                         convolution_mode mode);

/// Waits for the device, and gives back what fastest_convolution() and best_convolution() keep.
void forget_fastest_convolutions();

}  // namespace tutorial
