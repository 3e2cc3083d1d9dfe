// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// A loop of a kernel whose index is a constant in each round.
#pragma once

#include <type_traits>
#include <utility>

namespace tutorial {

/// Calls f(std::integral_constant<int, i>()) for i in [0, Count): an index that is a constant in each of
/// them. Loops over arrays in registers need nothing less.
template <int Count, class F>
__device__ __forceinline__ void for_each_constant(const F& f) {
  [&]<int... I>(std::integer_sequence<int, I...>) { (f(std::integral_constant<int, I>()), ...); }
  (std::make_integer_sequence<int, Count>());
}

}  // namespace tutorial
