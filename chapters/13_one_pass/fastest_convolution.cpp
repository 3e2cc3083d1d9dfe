// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "fastest_convolution.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <stdexcept>
#include <type_traits>
#include <utility>

#include "common/device/ceil_div.hpp"
#include "common/device/check.hpp"
#include "common/device/stream.hpp"
#include "common/files/numbers.hpp"

namespace tutorial {
namespace {

/// The list of use_one_pass_prices(), and how often it was called.
struct chosen_prices {
  std::optional<one_pass_price_list> list;
  std::uint64_t version = 0;
};
chosen_prices& chosen() {
  static chosen_prices prices;
  return prices;
}

/// Infinite prices for a length that the list leaves out: it is not chosen then.
one_pass_price price_of(const one_pass_price_list& list, element_type type, int length) {
  if (list.prices.empty()) throw std::invalid_argument("this list has no prices of one pass");
  for (const one_pass_price& price : list.prices)
    if (price.length == length && price.type == type) return price;
  constexpr double without = std::numeric_limits<double>::infinity();
  return {length, type, without, without};
}

std::string cost_text(double cost, cost_unit unit) {
  return unit == cost_unit::microseconds ? milliseconds(cost * 1e-3) + " ms"
                                         : significant(cost * 1e-6) + " M";
}

std::span<const one_pass_design> designs_of(element_type type) {
  if (type == element_type::int32) return {};
  return type == element_type::float32 ? one_pass_designs<float>() : one_pass_designs<double>();
}

}  // namespace

// [prices]
// As measure_one_pass_prices() measured them; docs/measurements has the record.
const one_pass_price_list& recorded_one_pass_prices() {
  static const one_pass_price_list list{.device = "NVIDIA H200",
                                        .prices = {{256, element_type::float32, 3.87, 0.802e-3},
                                                   {1024, element_type::float32, 4.56, 3.43e-3},
                                                   {4096, element_type::float32, 3.80, 17.6e-3},
                                                   {8192, element_type::float32, 6.87, 34.7e-3},
                                                   {256, element_type::float64, 4.16, 1.48e-3},
                                                   {4096, element_type::float64, 6.18, 38.9e-3}}};
  return list;
}
// [prices]

const one_pass_price_list& one_pass_prices_here() {
  if (chosen().list) return *chosen().list;
  static const one_pass_price_list prices = [] {
    one_pass_price_list asked = recorded_one_pass_prices();
    for (one_pass_price& each : asked.prices)
      for (double* const price : {&each.alone, &each.each_pair})
        *price *= asked_factor("one_pass").value_or(1);
    return asked;
  }();
  return prices;
}

void use_one_pass_prices(one_pass_price_list prices) {
  chosen().list = std::move(prices);
  ++chosen().version;
}

std::uint64_t one_pass_prices_version() { return chosen().version; }

// [cost]
double one_pass_cost(std::size_t samples, std::size_t taps, convolution_mode mode, element_type type,
                     const one_pass_design& design, const price_list& prices,
                     const one_pass_price_list& one_pass) {
  const std::size_t outputs = output_length(samples, taps, mode);
  const double pairs = double(ceil_div(ceil_div(outputs, std::size_t(design.outputs())), std::size_t{2}));
  const double length = double(design.length);
  // 5 L log2 L each way, and 6 for each product.
  if (prices.unit == cost_unit::operations)
    return pairs * length * (10 * std::log2(length) + 6) + double(outputs);
  const one_pass_price price = price_of(one_pass, type, design.length);
  return std::max(prices.launch, price.alone + (pairs > 1 ? (pairs - 1) * price.each_pair : 0));
}

double one_pass_spectrum_cost(element_type type, const one_pass_design& design, const price_list& prices,
                              const one_pass_price_list& one_pass) {
  const double length = double(design.length);
  if (prices.unit == cost_unit::operations) return length * (5 * std::log2(length) + 2);
  return std::max(prices.launch, price_of(one_pass, type, design.length).alone);
}

fastest_choice choose_fastest(std::size_t samples, std::size_t taps, convolution_mode mode, element_type type,
                              const price_list& prices, const one_pass_price_list& one_pass, filter_use use) {
  if (prices.unit == cost_unit::microseconds && prices.device != one_pass.device)
    throw std::invalid_argument("prices of two devices (" + prices.device + " and " + one_pass.device +
                                ") are mixed: measure_one_pass_prices() returns this device's prices");
  fastest_choice choice{.others = choose_convolution(samples, taps, mode, type, prices)};
  constexpr std::size_t longest = std::size_t{1} << 30;  // indices are int
  if (samples + taps > longest) return choice;
  for (const one_pass_design& design : designs_of(type)) {
    if (taps > std::size_t(design.overlap) + 1) continue;
    const double cost = one_pass_cost(samples, taps, mode, type, design, prices, one_pass);
    const double spectrum =
        use == filter_use::one_call ? one_pass_spectrum_cost(type, design, prices, one_pass) : 0;
    if (choice.design.length != 0 && cost + spectrum >= choice.one_pass_cost + choice.spectrum_cost) continue;
    choice.design = design, choice.one_pass_cost = cost, choice.spectrum_cost = spectrum;
  }
  // Chapter 07's transforms need a spectrum as well, and it costs them no less.
  const double spectrum = choice.others.block > 0 ? 0 : choice.spectrum_cost;
  choice.one_pass =
      choice.design.length != 0 && choice.one_pass_cost + spectrum < choice.others.cost(choice.others.method);
  return choice;
}
// [cost]

std::string fastest_choice::short_text() const {
  return one_pass ? "13 one_pass " + grouped(std::size_t(design.length)) : others.short_text();
}

std::string fastest_choice::text() const {
  std::string text = others.text();
  if (design.length == 0) return text + "; 13 one_pass cannot do it";
  const std::string costs = text.substr(text.find(". Expected"));
  if (one_pass) text = "chosen: 13 one_pass, segments of " + grouped(std::size_t(design.length)) + costs;
  return text + ", 13 one_pass " + cost_text(one_pass_cost, others.unit);
}

template <class T>
fastest_convolver<T>::fastest_convolver(device_span<const T> h, std::size_t samples, convolution_mode mode,
                                        const price_list& prices, const one_pass_price_list& one_pass)
    : choice_(choose_fastest(samples, h.size(), mode, element_type_of<T>(), prices, one_pass)) {
  if constexpr (std::is_floating_point_v<T>)
    if (choice_.one_pass) {
      one_pass_.emplace(h, samples, mode, 1, choice_.design.length);
      return;
    }
  other_.emplace(h, samples, mode, prices);
}

template <class T>
void fastest_convolver<T>::operator()(device_span<const T> x, device_span<T> y, cudaStream_t stream) {
  if constexpr (std::is_floating_point_v<T>)
    if (one_pass_) return (*one_pass_)(x, y, stream);
  (*other_)(x, y, stream);
}

namespace {

/// What one call leaves for the next one with the same lengths: nothing where one pass was not chosen.
// [recorded]
template <class T>
struct kept_one_pass {
  struct destroy {
    void operator()(cudaGraphExec_t graph) const { cudaGraphExecDestroy(graph); }
  };
  using arrays = std::array<const void*, 3>;
  std::unique_ptr<std::remove_pointer_t<cudaGraphExec_t>, destroy> graph = nullptr;  // both kernels
  std::optional<one_pass_convolver<T>> convolve = {};  // gives its memory back first, which waits
  arrays last = {}, recorded = {};

  /// Arrays that come for the second time are worth a graph: one launch starts both kernels.
  void operator()(device_span<const T> x, device_span<const T> h, device_span<T> y) {
    const arrays now = {x.data(), h.data(), y.data()};
    if (now != recorded && now == last) record(x, h, y), recorded = now;
    last = now;
    if (now != recorded) return (*convolve)(x, h, y);
    check(cudaGraphLaunch(graph.get(), nullptr));
  }

  void record(device_span<const T> x, device_span<const T> h, device_span<T> y) {
    const stream recorder;
    cudaGraph_t made = nullptr;
    check(cudaStreamBeginCapture(recorder, cudaStreamCaptureModeThreadLocal));
    (*convolve)(x, h, y, recorder);
    check(cudaStreamEndCapture(recorder, &made));
    cudaGraphExec_t ready = nullptr;
    cudaGraphExecUpdateResultInfo what{};
    if (graph == nullptr) {
      check(cudaGraphInstantiate(&ready, made, 0));
      graph.reset(ready);
    } else {
      check(cudaGraphExecUpdate(graph.get(), made, &what));  // launches before this one keep their arrays
    }
    check(cudaGraphDestroy(made));
  }
};
// [recorded]

template <class T>
kept_calls<kept_one_pass<T>>& kept_one_passes() {
  static kept_calls<kept_one_pass<T>> all;
  return all;
}

}  // namespace

// [one_call]
template <class T>
void fastest_convolution(device_span<const T> x, device_span<const T> h, device_span<T> y,
                         convolution_mode mode) {
  require_output_length(x.size(), h.size(), y.size(), mode);
  bool done = false;
  if constexpr (std::is_floating_point_v<T>) {
    const auto make = [&] {
      const fastest_choice choice =
          choose_fastest(x.size(), h.size(), mode, element_type_of<T>(), prices_here(),
                         one_pass_prices_here(), filter_use::one_call);
      kept_one_pass<T> made;
      if (choice.one_pass) made.convolve.emplace(h, x.size(), mode, 1, choice.design.length);
      return made;
    };
    const std::uint64_t prices = prices_version() + one_pass_prices_version();  // both only grow
    kept_one_passes<T>().with({x.size(), h.size(), mode, prices}, make, [&](kept_one_pass<T>& kept) {
      if (!kept.convolve) return;
      kept(x, h, y);  // after the previous call, which has used the spectrum by then
      done = true;
    });
  }
  if (!done) best_convolution(x, h, y, mode);  // which keeps what it has prepared
}
// [one_call]

void forget_fastest_convolutions() {
  forget_best_convolutions();  // waits
  kept_one_passes<float>().forget();
  kept_one_passes<double>().forget();
}

template class fastest_convolver<std::int32_t>;
template class fastest_convolver<float>;
template class fastest_convolver<double>;
TUTORIAL_INSTANTIATE_CONVOLUTION(fastest_convolution);

}  // namespace tutorial
