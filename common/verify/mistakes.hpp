// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
/// \file
/// From a mistake that is chosen while the program runs to the kernel that was compiled with it.
#pragma once

#include <type_traits>

namespace tutorial::broken {

/// Calls `function` with std::integral_constant<Mistake, made>, if `made` is one of Mistakes. Returns whether
/// it is.
template <auto... Mistakes, class Mistake, class Function>
bool with_mistake(Mistake made, const Function& function) {
  return ((made == Mistakes ? (function(std::integral_constant<Mistake, Mistakes>{}), true) : false) || ...);
}

}  // namespace tutorial::broken
