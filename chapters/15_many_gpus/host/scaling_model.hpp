// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// How much faster many devices are, from three numbers that one measurement each gives. A model: it knows of
// no caches, no shared power and no network with several levels.
#pragma once

#include <cstddef>

namespace tutorial {

// [model]
/// What a step costs.
struct step_price {
  double us_each_sample = 0;       ///< Kernel time on one device.
  double us_each_exchange = 0;     ///< Of a few samples: it hardly depends on their number.
  double bytes_each_us = 295'000;  ///< What a link moves.
};

/// Microseconds of a step of N samples on G devices that exchange `halo_bytes` with each neighbor.
constexpr double predicted_step_us(const step_price& price, std::size_t samples, int devices,
                                   std::size_t halo_bytes) {
  const double kernel = price.us_each_sample * double(samples) / devices;
  if (devices == 1) return kernel;
  return kernel + price.us_each_exchange + double(halo_bytes) / price.bytes_each_us;
}

/// How many times as fast G devices are as one.
constexpr double predicted_speedup(const step_price& price, std::size_t samples, int devices,
                                   std::size_t halo_bytes) {
  return predicted_step_us(price, samples, 1, halo_bytes) /
         predicted_step_us(price, samples, devices, halo_bytes);
}
// [model]

}  // namespace tutorial
