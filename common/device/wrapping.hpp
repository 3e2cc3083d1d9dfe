// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Integer arithmetic that wraps.
#pragma once

#include <type_traits>

namespace tutorial {

namespace detail {
template <class T, bool IsInteger = std::is_integral_v<T>>
struct wrapping_type {
  using type = T;
};
template <class T>
struct wrapping_type<T, true> {
  using type = std::make_unsigned_t<T>;
};
}  // namespace detail

/// The type to compute in: T itself for floating point; for integers the unsigned type of the same size,
/// whose sums and products wrap modulo 2^32 on every device, where a signed overflow would be undefined
/// behavior.
template <class T>
using wrapping = typename detail::wrapping_type<T>::type;

}  // namespace tutorial
