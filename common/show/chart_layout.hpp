// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Where everything in a chart stands: which room the plot has, and where names and labels cover least.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "chart.hpp"
#include "chart_axis.hpp"

namespace tutorial::detail {

// Pixels of the picture; y goes down.
inline constexpr double picture_width = 720, left = 78, margin = 16;
inline constexpr double plot_height = 440;
inline constexpr double text_size = 14, line_height = 17;  // as in the style sheet

struct pixel {
  double x = 0, y = 0;
};

/// The name of a point: where it is written, and from where a line leads to it.
struct point_name {
  std::string text;
  std::size_t series = 0;
  pixel point = {};  // what it names
  pixel place = {};  // of the text: middle of its left end, or of its right end
  bool to_the_left = false;
};

/// The part of a reference that lies within the plot, and its label along it.
struct placed_reference {
  pixel from, to;
  std::string label;
  pixel place = {};  // of the label: the left end of the line it stands on
  double degrees = 0;
};

struct legend_entry {
  std::size_t series;
  double x, y;  // from the first entry's place
};

struct chart_layout {
  settled_axis x, y;
  double top = 0, right = picture_width - 2 * margin, legend_height = 0;
  std::vector<point_name> names = {};
  std::vector<placed_reference> references = {};
  std::vector<legend_entry> legend = {};

  double bottom() const { return top + plot_height; }
  pixel at(chart_point point) const {
    return {left + x.place(point.x) * (right - left), bottom() - y.place(point.y) * plot_height};
  }
};

/// Of a chart whose values all have a place. Throws std::invalid_argument for a reference outside of the
/// axes.
chart_layout lay_out(const chart& what);

/// Of text in a chart, in pixels.
double text_width(std::string_view text);

}  // namespace tutorial::detail
