// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// The three types of sample that the tutorial computes with.
#pragma once

#include <cstdint>
#include <string_view>
#include <type_traits>
#include <utility>

namespace tutorial {

enum class element_type { int32, float32, float64 };

/// As on the command line and in tables: "int32", "float" or "double".
constexpr std::string_view name(element_type type) {
  switch (type) {
    case element_type::int32:
      return "int32";
    case element_type::float32:
      return "float";
    case element_type::float64:
      return "double";
  }
  return "unknown";
}

/// Bytes of one element.
constexpr std::size_t size_of(element_type type) { return type == element_type::float64 ? 8 : 4; }

/// The other way: the element type that stands for T, which is std::int32_t, float or double.
template <class T>
constexpr element_type element_type_of() {
  static_assert(std::is_same_v<T, std::int32_t> || std::is_same_v<T, float> || std::is_same_v<T, double>,
                "the tutorial computes with std::int32_t, float and double");
  if constexpr (std::is_same_v<T, std::int32_t>) return element_type::int32;
  if constexpr (std::is_same_v<T, float>) return element_type::float32;
  return element_type::float64;
}

/// Calls function(T()) with the C++ type of `type`: the way from a type known at run time to a template.
template <class Function>
decltype(auto) with_type(element_type type, Function&& function) {
  switch (type) {
    case element_type::int32:
      return std::forward<Function>(function)(std::int32_t());
    case element_type::float32:
      return std::forward<Function>(function)(float());
    case element_type::float64:
      break;
  }
  return std::forward<Function>(function)(double());
}

}  // namespace tutorial
