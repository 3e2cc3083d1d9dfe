// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "costs.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "06_register_tiling/convolve_register_tiled.hpp"
#include "07_fft_convolution/host/fft_length.hpp"
#include "07_fft_convolution/kernels/convolve_overlap_save.hpp"

namespace tutorial {
namespace {

/// Of one sample, there and back; between two lengths of the list it is interpolated.
double price_of_transform(const price_list& prices, std::size_t length, bool wide) {
  const auto price = [&](const transform_price& row) { return (wide ? row.float64 : row.float32) * 1e-6; };
  const double log2_length = std::log2(double(length));
  const auto end = prices.transforms.end();
  const auto above = std::find_if(prices.transforms.begin(), end,
                                  [&](const transform_price& row) { return row.log2_length >= log2_length; });
  const double odd_factors = transform_cost(length) / double(length);
  if (above == prices.transforms.begin()) return price(*above) * odd_factors;
  if (above == end) return price(end[-1]) * odd_factors;
  const double part = (log2_length - above[-1].log2_length) / (above->log2_length - above[-1].log2_length);
  return (price(above[-1]) + part * (price(*above) - price(above[-1]))) * odd_factors;
}

/// How the blocks of an overlap_save_convolver divide the work.
struct division {
  double blocks, gathered;
};
division divide(std::size_t samples, std::size_t taps, convolution_mode mode, std::size_t block) {
  if (one_block_length(samples, taps, mode) <= block) return {1, 1};
  const double step = double(block - taps), outputs = double(output_length(samples, taps, mode));
  const double blocks = std::ceil(outputs / step);
  return {blocks, mode == convolution_mode::valid ? 1.0 : std::min(blocks, 3.0)};
}

/// A multiplication and an addition for each product, and one store.
double operations_of_sums(std::size_t samples, std::size_t taps, convolution_mode mode) {
  const double used = double(std::min(samples, taps));
  return double(output_length(samples, taps, mode)) * (2 * used + 1);
}

/// How often chapter 06 copies taps to constant memory before a kernel: never, or once for each part.
double tap_copies_of_register_tiled(std::size_t samples, std::size_t taps, element_type type) {
  constexpr std::size_t bytes_of_part = 57344;
  const std::string_view choice = register_tiled_choice(samples, taps, type);
  if (choice == "vectors" || choice == "register_blocked") return 0;
  return std::ceil(double(taps * size_of(type)) / double(bytes_of_part));
}

}  // namespace

std::size_t outputs_of_round(const price_list& prices, element_type type) {
  constexpr std::size_t bytes_of_block = 14336;  // 128 threads with 28 outputs of 4 bytes, 14 of 8
  return std::size_t(prices.multiprocessors) * (bytes_of_block / size_of(type));
}

int kernels_of_transform(std::size_t block) { return block <= 16384 ? 1 : 3; }

// [sums]
double direct_cost(std::size_t samples, std::size_t taps, convolution_mode mode, element_type type,
                   const price_list& prices) {
  const double outputs = double(output_length(samples, taps, mode)), products = outputs * double(taps);
  if (prices.unit == cost_unit::operations) return operations_of_sums(samples, taps, mode);
  const sum_prices& price = prices.of(type);
  const double memory = outputs * double(size_of(type)) * prices.copied_byte;
  const double sums = std::hypot(double(taps) * price.direct_tap, products * price.direct_product);
  return std::max(prices.launch, prices.start + memory + sums);
}

double warp_per_output_cost(std::size_t samples, std::size_t taps, convolution_mode mode, element_type type,
                            const price_list& prices) {
  const double outputs = double(output_length(samples, taps, mode)), rounds = std::ceil(double(taps) / 32);
  // Five steps of 32 additions, of which one result is used.
  if (prices.unit == cost_unit::operations) return operations_of_sums(samples, taps, mode) + outputs * 160;
  const sum_prices& price = prices.of(type);
  const double sums = outputs * (price.warp_output + rounds * price.warp_products);
  return std::max(prices.launch, prices.start + std::hypot(rounds * price.warp_step, sums));
}

double register_tiled_cost(std::size_t samples, std::size_t taps, convolution_mode mode, element_type type,
                           const price_list& prices) {
  if (prices.unit == cost_unit::operations) return operations_of_sums(samples, taps, mode);
  const double outputs = double(output_length(samples, taps, mode));
  const sum_prices& price = prices.of(type);
  const double memory = outputs * double(size_of(type)) * prices.copied_byte;
  const double parts = outputs / double(outputs_of_round(prices, type)), rounds = std::ceil(parts);
  // The last round of blocks takes as long as a full one, once arithmetic is the limit.
  const double by_rounds = double(taps) * (price.tiled_tap + (rounds - 1) * price.tiled_round);
  const double arithmetic = double(taps) * parts * price.tiled_round;
  const double copies = tap_copies_of_register_tiled(samples, taps, type), kernels = std::max(1.0, copies);
  return std::max(kernels * prices.launch + copies * prices.tap_copy,
                  (kernels + copies) * prices.start + std::max({memory, by_rounds, memory / 2 + arithmetic}));
}
// [sums]

// [blocks]
double block_cost(std::size_t samples, std::size_t taps, convolution_mode mode, std::size_t block,
                  element_type type, const price_list& prices) {
  const auto [blocks, gathered] = divide(samples, taps, mode, block);
  const double length = double(block), inside = blocks - gathered;
  const double outputs = double(output_length(samples, taps, mode));
  // 5 M log2 M for a transform of M = L / 2 complex numbers; 40 for a frequency and its mirror image.
  if (prices.unit == cost_unit::operations)
    return blocks * length * (5 * std::log2(length / 2) + 10) + gathered * length + outputs;
  const double bytes = double(size_of(type)) * prices.copied_byte;
  const double transform = price_of_transform(prices, block, size_of(type) == 8) / 2;  // one way
  const double of_transform = kernels_of_transform(block);
  double kernels = 3 + 2 * of_transform;  // gather, transform, multiply, transform back, scatter
  double work = gathered * length * (bytes + transform);
  if (inside > 0) kernels += of_transform, work += inside * length * transform;
  work += (blocks + 0.5) * length * bytes;  // the filter's spectrum is half as much again: it is only read
  work += blocks * length * transform + outputs * bytes;
  return std::max(kernels * prices.launch, kernels * prices.start + work);
}
// [blocks]

std::size_t whole_signal_block(std::size_t samples, std::size_t taps, convolution_mode mode) {
  return good_fft_length(one_block_length(samples, taps, mode));
}

std::size_t overlap_save_block(std::size_t samples, std::size_t taps, convolution_mode mode,
                               element_type type, const price_list& prices) {
  const std::size_t whole = one_block_length(samples, taps, mode);
  std::size_t best = good_fft_length(whole);
  double least = block_cost(samples, taps, mode, best, type, prices);
  for (std::size_t block = 32; block < whole; block *= 2) {
    if (block < shortest_block<float>(taps)) continue;
    const double cost = block_cost(samples, taps, mode, block, type, prices);
    if (cost < least) least = cost, best = block;
  }
  return best;
}

}  // namespace tutorial
