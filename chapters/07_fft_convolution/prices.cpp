// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "prices.hpp"

#include <cstdlib>
#include <functional>
#include <map>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "common/device/device.hpp"

namespace tutorial {
namespace {

/// The list of use_prices().
std::optional<price_list>& chosen_list() {
  static std::optional<price_list> list;
  return list;
}

std::uint64_t& version() {
  static std::uint64_t calls = 0;
  return calls;
}

}  // namespace

const sum_prices& price_list::of(element_type type) const {
  if (type == element_type::int32) return int32;
  return type == element_type::float32 ? float32 : float64;
}

// The kernels' prices are those that measure_prices() found on that device, rounded. tap_copy is read from
// the times of chapter 06's short calls in the same record, and the transforms' from whole convolutions.
const price_list& recorded_prices() {
  static const price_list prices{
      .device = "NVIDIA H200",
      .unit = cost_unit::microseconds,
      .multiprocessors = 132,
      .launch = 3.6,
      .tap_copy = 5.8,
      .start = 2.7,
      .copied_byte = 0.52e-6,
      .int32 = {.direct_tap = 28e-3,
                .direct_product = 0.315e-6,
                .warp_step = 32e-3,
                .warp_output = 71e-6,
                .warp_products = 8.2e-6,
                .tiled_tap = 33e-3,
                .tiled_round = 29e-3},
      .float32 = {.direct_tap = 28e-3,
                  .direct_product = 0.32e-6,
                  .warp_step = 32e-3,
                  .warp_output = 72e-6,
                  .warp_products = 8.2e-6,
                  .tiled_tap = 20e-3,
                  .tiled_round = 16e-3},
      .float64 = {.direct_tap = 48e-3,
                  .direct_product = 0.56e-6,
                  .warp_step = 58e-3,
                  .warp_output = 76e-6,
                  .warp_products = 15.6e-6,
                  .tiled_tap = 25e-3,
                  .tiled_round = 15.4e-3},
      // Up to 2^13, a sample of a transform of float costs about the same; with 2^14 or more, it costs more.
      .transforms = {{8, 4.7, 9.4},
                     {9, 4.6, 9.2},
                     {10, 4.7, 9.4},
                     {11, 4.7, 9.4},
                     {12, 4.8, 9.6},
                     {13, 4.9, 11},
                     {14, 5.7, 15},
                     {15, 7.6, 18},
                     {16, 9.4, 19},
                     {17, 10.1, 20},
                     {20, 11, 22},
                     {24, 15.4, 31},
                     {25, 15.8, 32}}};
  return prices;
}

const price_list& counted_operations() {
  static const price_list none{.device = "emulated device", .unit = cost_unit::operations};
  return none;
}

std::optional<double> asked_factor(std::string_view part) {
  static const std::optional<std::map<std::string, double, std::less<>>> all = [] {
    std::optional<std::map<std::string, double, std::less<>>> factors;
    const char* const text = std::getenv("TUTORIAL_PRICES");
    if (text == nullptr) return factors;
    factors = {{"launch", 1}, {"tap_copy", 1},   {"start", 1},   {"copied_byte", 1},
               {"sums", 1},   {"transforms", 1}, {"one_pass", 1}};
    std::istringstream words(text);
    for (std::string word; words >> word;)
      if (!factors->contains(word) || !(words >> (*factors)[word]))
        throw std::invalid_argument("TUTORIAL_PRICES: \"" + word + "\" is no part with a factor");
    return factors;
  }();
  if (!all) return {};
  return all->find(part)->second;
}

const price_list& prices_here() {
  if (chosen_list()) return *chosen_list();
  static const price_list prices = [] {
    if (!asked_factor("launch")) return current_device().emulated ? counted_operations() : recorded_prices();
    price_list asked = recorded_prices();
    asked.launch *= *asked_factor("launch"), asked.tap_copy *= *asked_factor("tap_copy");
    asked.start *= *asked_factor("start"), asked.copied_byte *= *asked_factor("copied_byte");
    for (sum_prices* const sums : {&asked.int32, &asked.float32, &asked.float64})
      for (double* const price :
           {&sums->direct_tap, &sums->direct_product, &sums->warp_step, &sums->warp_output,
            &sums->warp_products, &sums->tiled_tap, &sums->tiled_round})
        *price *= *asked_factor("sums");
    for (transform_price& each : asked.transforms)
      each.float32 *= *asked_factor("transforms"), each.float64 *= *asked_factor("transforms");
    return asked;
  }();
  return prices;
}

void use_prices(price_list prices) {
  chosen_list() = std::move(prices);
  ++version();
}

std::uint64_t prices_version() { return version(); }

std::vector<named_price> named_prices(const price_list& prices) {
  std::vector<named_price> all = {{"launch", "us", prices.launch},
                                  {"copy of taps to constant memory", "us", prices.tap_copy},
                                  {"start", "us", prices.start},
                                  {"byte copied", "ps", prices.copied_byte * 1e6}};
  for (const auto& [type, sums] : {std::pair<std::string, const sum_prices&>{"int32", prices.int32},
                                   {"float", prices.float32},
                                   {"double", prices.float64}}) {
    all.push_back({"02 direct, " + type + ": a tap, few outputs", "ns", sums.direct_tap * 1e3});
    all.push_back({"02 direct, " + type + ": a product", "ps", sums.direct_product * 1e6});
    all.push_back({"03 warp_per_output, " + type + ": 32 taps, few outputs", "ns", sums.warp_step * 1e3});
    all.push_back({"03 warp_per_output, " + type + ": an output", "ps", sums.warp_output * 1e6});
    all.push_back({"03 warp_per_output, " + type + ": 32 products", "ps", sums.warp_products * 1e6});
    all.push_back({"06 register_tiled, " + type + ": a tap, few outputs", "ns", sums.tiled_tap * 1e3});
    all.push_back({"06 register_tiled, " + type + ": a tap of a round", "ns", sums.tiled_round * 1e3});
  }
  for (const transform_price& row : prices.transforms) {
    const std::string name = "transforms of 2^" + std::to_string(row.log2_length) + ", ";
    all.push_back({name + "float", "ps a sample", row.float32});
    all.push_back({name + "double", "ps a sample", row.float64});
  }
  return all;
}

}  // namespace tutorial
