// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// What an exchange between neighbors costs.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "common/device/measure.hpp"

namespace tutorial {

/// Milliseconds of an exchange in which each device gives so many floats to each neighbor, and gets as many:
/// by NCCL, a thread for each device, of so many exchanges in a row. Nothing where this build is without
/// NCCL.
std::optional<timing> exchange_price(std::span<const int> devices, std::size_t samples, int times);

}  // namespace tutorial
