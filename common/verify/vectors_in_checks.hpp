// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// What a check that compares vectors says of them: their elements. doctest alone says {?}.
#pragma once

#include <doctest/doctest.h>

#include <cstddef>
#include <sstream>
#include <vector>

namespace doctest {

/// How doctest shows a vector.
template <class T>
struct StringMaker<std::vector<T>> {
  /// "{1, 2, 3}"; of more than 16 elements the first ones, and how many there are.
  static String convert(const std::vector<T>& values) {
    constexpr std::size_t shown = 16;
    std::ostringstream text;
    text << "{";
    for (std::size_t i = 0; i < values.size() && i < shown; ++i) text << (i > 0 ? ", " : "") << values[i];
    if (values.size() > shown) text << ", ..., " << values.size() << " in all";
    text << "}";
    return text.str().c_str();
  }
};

}  // namespace doctest
