// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
/// \file
/// What each method is expected to cost: a model with measured prices, so that one can be chosen before
/// anything runs.
#pragma once

#include <cstddef>

#include "common/files/element_type.hpp"
#include "common/verify/convolution.hpp"

namespace tutorial {

/// What is added up.
enum class cost_unit {
  microseconds,  ///< On a GPU. The prices are those of an H200.
  operations,    ///< On the emulated device, which has no times: additions, multiplications, copied elements.
};

/// The one for the device that kernels run on.
cost_unit cost_unit_here();

/// Chapter 06's convolve_register_tiled().
double direct_cost(std::size_t samples, std::size_t taps, convolution_mode mode, element_type type,
                   cost_unit unit = cost_unit_here());

/// overlap_save_convolver with blocks of this length, its filter prepared. `block` is as its constructor
/// wants it.
double block_cost(std::size_t samples, std::size_t taps, convolution_mode mode, std::size_t block,
                  element_type type, cost_unit unit = cost_unit_here());

/// The block of the least block_cost(): a power of two, or one block for all. type is not int32.
std::size_t overlap_save_block(std::size_t samples, std::size_t taps, convolution_mode mode,
                               element_type type, cost_unit unit = cost_unit_here());

/// The block that holds all: good_fft_length(one_block_length()).
std::size_t whole_signal_block(std::size_t samples, std::size_t taps, convolution_mode mode);

}  // namespace tutorial
