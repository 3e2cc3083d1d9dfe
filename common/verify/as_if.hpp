// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Which well-known mistake a wrong result comes from, where it is exactly what that mistake gives.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "case_at_work.hpp"

namespace tutorial {

/// A mistake, in words that follow "It is as if", and all values of a result that it gives.
template <class T>
struct known_mistake {
  std::string words;
  std::vector<T> values;
  const char* leads_to = "";  ///< case_at_work::leads_to()
};

/// ". It is as if ..." with the first of `mistakes` that gives `got`, each element up to `near`; empty where
/// none of them does.
template <class T>
std::string as_if(const std::vector<T>& got, const std::vector<known_mistake<T>>& mistakes, double near = 0) {
  const auto same = [near](T a, T b) { return a == b || std::abs(double(a) - double(b)) <= near; };
  for (const known_mistake<T>& each : mistakes)
    if (std::equal(got.begin(), got.end(), each.values.begin(), each.values.end(), same))
      return leading_to(each.leads_to, ". It is as if " + each.words);
  return "";
}

}  // namespace tutorial
