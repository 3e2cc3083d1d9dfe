// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// From values to places along an axis of a chart.
#pragma once

#include <string>
#include <vector>

#include "chart.hpp"

namespace tutorial::detail {

struct chart_tick {
  double value = 0;
  std::string label = {};  ///< Empty: a line without a number.
};

/// An axis whose range and ticks are settled.
struct settled_axis {
  axis_scale scale = axis_scale::linear;
  double low = 0, high = 1;  ///< low < high
  std::vector<chart_tick> ticks = {};

  /// 0 at low, 1 at high.
  double place(double value) const;
};

/// Throws std::invalid_argument for a given range that is empty, or not positive on a logarithmic scale.
void require_range(const chart_axis& axis);

/// `values`: all that must find room, finite, positive for logarithmic scales, within the range as given; not
/// empty.
settled_axis settle(const chart_axis& axis, const std::vector<double>& values);

}  // namespace tutorial::detail
