// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// What each method is expected to cost, before anything runs: work times prices, in the unit of the prices.
#pragma once

#include <cstddef>

#include "common/files/element_type.hpp"
#include "common/verify/convolution.hpp"
#include "prices.hpp"

namespace tutorial {

/// Chapter 02's convolve_direct().
double direct_cost(std::size_t samples, std::size_t taps, convolution_mode mode, element_type type,
                   const price_list& prices = prices_here());

/// Chapter 03's convolve_warp_per_output().
double warp_per_output_cost(std::size_t samples, std::size_t taps, convolution_mode mode, element_type type,
                            const price_list& prices = prices_here());

/// Chapter 06's convolve_register_tiled().
double register_tiled_cost(std::size_t samples, std::size_t taps, convolution_mode mode, element_type type,
                           const price_list& prices = prices_here());

/// overlap_save_convolver with blocks of this length, its filter prepared. `block` is as its constructor
/// wants it.
double block_cost(std::size_t samples, std::size_t taps, convolution_mode mode, std::size_t block,
                  element_type type, const price_list& prices = prices_here());

/// The block of the least block_cost(): a power of two, or one block for all. type is not int32.
std::size_t overlap_save_block(std::size_t samples, std::size_t taps, convolution_mode mode,
                               element_type type, const price_list& prices = prices_here());

/// The block that holds all: good_fft_length(one_block_length()).
std::size_t whole_signal_block(std::size_t samples, std::size_t taps, convolution_mode mode);

/// Outputs of register_tiled while each multiprocessor works on one block of threads.
std::size_t outputs_of_round(const price_list& prices, element_type type);

/// How many kernels cuFFT is expected to launch for one transform of a block.
int kernels_of_transform(std::size_t block);

}  // namespace tutorial
