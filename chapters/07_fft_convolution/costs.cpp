// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "costs.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "07_fft_convolution/host/fft_length.hpp"
#include "07_fft_convolution/kernels/convolve_overlap_save.hpp"
#include "common/device/device.hpp"

namespace tutorial {
namespace {

// [prices]
/// Transforms there and back, in microseconds per million samples of blocks of 2^log2_length: on an H200,
/// with enough blocks for all of it. Up to 2^13 a transform of float is one pass over memory; what is longer
/// takes two, then three.
struct transform_price {
  int log2_length;
  double float32, float64;
};
constexpr transform_price transform_prices[] = {
    {8, 4.7, 9.4}, {9, 4.6, 9.2},  {10, 4.7, 9.4}, {11, 4.7, 9.4}, {12, 4.8, 9.6},
    {13, 4.9, 11}, {14, 5.7, 15},  {15, 7.6, 18},  {16, 9.4, 19},  {17, 10.1, 20},
    {20, 11, 22},  {24, 15.4, 31}, {25, 15.8, 32}};
constexpr double copy_price = 0.52e-6;  // per byte that is read and written: what a copy takes
constexpr double kernel_price = 3;      // for each kernel: to launch it, and until all of the GPU is at work
constexpr double product_price32 = 33e-9;   // per product of float: some nine tenths of the FMA rate
constexpr double product_price64 = 68e-9;   // of double, and of int32
constexpr double outputs_of_round = 473e3;  // on all multiprocessors at once, 3584 each
constexpr double slow_start = 270e3;        // the first round takes longer, as if it had so many outputs more
// [prices]

double price_of_transform(std::size_t length, bool wide) {
  const auto price = [&](const transform_price& row) { return (wide ? row.float64 : row.float32) * 1e-6; };
  const double log2_length = std::log2(double(length));
  const auto* const end = std::end(transform_prices);
  const auto* const above = std::find_if(std::begin(transform_prices), end, [&](const transform_price& row) {
    return row.log2_length >= log2_length;
  });
  const double odd_factors = transform_cost(length) / double(length);
  if (above == std::begin(transform_prices)) return price(*above) * odd_factors;
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

}  // namespace

cost_unit cost_unit_here() {
  static const bool emulated = current_device().emulated;
  return emulated ? cost_unit::operations : cost_unit::microseconds;
}

// [direct]
double direct_cost(std::size_t samples, std::size_t taps, convolution_mode mode, element_type type,
                   cost_unit unit) {
  const double outputs = double(output_length(samples, taps, mode)), used = double(std::min(samples, taps));
  if (unit == cost_unit::operations) return outputs * (2 * used + 1);
  const double memory = outputs * double(size_of(type)) * copy_price;
  const double product = type == element_type::float32 ? product_price32 : product_price64;
  // The last round of blocks takes as long as a full one, once arithmetic is the limit.
  const double rounds = std::ceil(outputs / outputs_of_round) * outputs_of_round + slow_start;
  const double arithmetic = outputs * double(taps) * product, by_rounds = rounds * double(taps) * product;
  return kernel_price + std::max({memory, by_rounds, memory / 2 + arithmetic});
}
// [direct]

// [blocks]
double block_cost(std::size_t samples, std::size_t taps, convolution_mode mode, std::size_t block,
                  element_type type, cost_unit unit) {
  const auto [blocks, gathered] = divide(samples, taps, mode, block);
  const double length = double(block), inside = blocks - gathered;
  const double outputs = double(output_length(samples, taps, mode));
  // 5 M log2 M for a transform of M = L / 2 complex numbers; 40 for a frequency and its mirror image.
  if (unit == cost_unit::operations)
    return blocks * length * (5 * std::log2(length / 2) + 10) + gathered * length + outputs;
  const double bytes = double(size_of(type)) * copy_price;
  const double transform = price_of_transform(block, size_of(type) == 8) / 2;  // one way
  const double kernels = block <= 16384 ? 1 : 3;                               // of a transform
  double us = kernel_price * (3 + 2 * kernels);  // gather, transform, multiply, transform back, scatter
  if (inside > 0) us += kernel_price * kernels + inside * length * transform;
  us += gathered * length * (bytes + transform);
  us += (blocks + 0.5) * length * bytes;  // the filter's spectrum is half as much again: it is only read
  us += blocks * length * transform + outputs * bytes;
  return us;
}
// [blocks]

std::size_t whole_signal_block(std::size_t samples, std::size_t taps, convolution_mode mode) {
  return good_fft_length(one_block_length(samples, taps, mode));
}

std::size_t overlap_save_block(std::size_t samples, std::size_t taps, convolution_mode mode,
                               element_type type, cost_unit unit) {
  const std::size_t whole = one_block_length(samples, taps, mode);
  std::size_t best = good_fft_length(whole);
  double least = block_cost(samples, taps, mode, best, type, unit);
  for (std::size_t block = 32; block < whole; block *= 2) {
    if (block < shortest_block<float>(taps)) continue;
    const double cost = block_cost(samples, taps, mode, block, type, unit);
    if (cost < least) least = cost, best = block;
  }
  return best;
}

}  // namespace tutorial
