// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Division rounded up.
#pragma once

#include <type_traits>

namespace tutorial {

/// How many parts of `part` elements hold `size` elements, where the last part need not be full: the blocks
/// that a launch needs. It is (size + part - 1) / part, without a sum that could overflow. size >= 0,
/// part > 0.
template <class T>
constexpr T ceil_div(T size, std::type_identity_t<T> part) {
  return size / part + (size % part != 0);
}

}  // namespace tutorial
