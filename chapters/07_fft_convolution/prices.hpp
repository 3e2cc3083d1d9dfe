// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// What the parts of a convolution cost on one device: the figures that the model of costs.hpp multiplies.
//
// Nothing here measures by itself. Until a program calls use_prices(), everything is chosen by
// recorded_prices(), and the same call makes the same choice every time:
//
//     use_prices(measure_prices());  // once, before the first choice
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/files/element_type.hpp"

namespace tutorial {

/// What is added up.
enum class cost_unit {
  microseconds,  ///< On a GPU: prices times work.
  operations,    ///< On the emulated device, which has no times: additions, multiplications, copied elements.
};

/// Of the kernels that add up products, for one type of sample, in microseconds. With few outputs most of the
/// GPU is idle, and a kernel takes as long as one thread or warp needs for its taps. With many, the GPU is
/// full, and all products count.
struct sum_prices {
  double direct_tap = 0;      ///< Chapter 02's direct: a tap of one thread, few outputs.
  double direct_product = 0;  ///< A product, many outputs.
  double warp_step = 0;       ///< Chapter 03's warp_per_output: 32 taps of one warp, few outputs.
  double warp_output = 0;     ///< An output without its products, many outputs.
  double warp_products = 0;   ///< 32 products of an output, many outputs.
  double tiled_tap = 0;       ///< Chapter 06's register_tiled: a tap, at most one block per multiprocessor.
  double tiled_round = 0;     ///< A tap, for each further block of every multiprocessor.
};

/// Complex transforms there and back, in microseconds per million samples in blocks of 2^log2_length, two
/// samples in each complex number, with enough blocks for the whole GPU.
struct transform_price {
  int log2_length = 0;
  double float32 = 0, float64 = 0;
};

/// What the parts of a convolution cost on one device, in `unit`: what choosing a method rests on.
struct price_list {
  std::string device = {};  ///< Where the prices were measured.
  cost_unit unit = cost_unit::microseconds;
  int multiprocessors = 1;
  double launch = 0;       ///< The host enqueues one kernel.
  double tap_copy = 0;     ///< The host enqueues a copy of taps to constant memory.
  double start = 0;        ///< A kernel begins, and the whole GPU is at work.
  double copied_byte = 0;  ///< One byte is read and written, in a large copy.
  sum_prices int32 = {}, float32 = {}, float64 = {};
  std::vector<transform_price> transforms = {};  ///< In order of length.

  /// The prices of sums of this type.
  const sum_prices& of(element_type type) const;
};

/// Measured on an NVIDIA H200: the default on a GPU.
const price_list& recorded_prices();

/// For the emulated device: the unit is operations, and there are no prices.
const price_list& counted_operations();

/// Measures the prices of the device that kernels run on, by running the methods themselves on a few sizes.
/// Takes up to a gigabyte of device memory, less where less is free. Throws
/// std::logic_error on the emulated device, cuda_error and cufft_error.
price_list measure_prices();

/// For tests, which must pass whatever things cost: how many times its recorded price a part costs, if
/// anything is asked for. Where the environment says TUTORIAL_PRICES="launch 10 copied_byte 1.4", everything
/// is chosen, on any device, by recorded prices times these factors. Parts are launch, tap_copy, start,
/// copied_byte, sums, transforms and one_pass; those that are not named cost what they did. Throws
/// std::invalid_argument for any other word.
std::optional<double> asked_factor(std::string_view part);

/// What everything is chosen by where nothing else is asked for: the list that use_prices() was given last;
/// before, that of asked_factor(); without it recorded_prices(), or counted_operations() on the emulated
/// device.
const price_list& prices_here();

/// From now on prices_here(). Not to be called while another thread chooses: the list before is gone.
void use_prices(price_list prices);

/// How often use_prices() was called: whoever keeps a choice can tell whether it still holds.
std::uint64_t prices_version();

/// One price, for tables.
struct named_price {
  std::string name, unit;
  double value;
};
/// All prices, always in the same order.
std::vector<named_price> named_prices(const price_list& prices);

}  // namespace tutorial
