// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Charts as data, and as SVG pictures for the lessons.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace tutorial {

enum class axis_scale { linear, log2, log10 };

/// One axis: its label, its scale, and the values at its ends.
struct chart_axis {
  std::string label = {};  ///< With the unit: "time (ms)".
  axis_scale scale = axis_scale::linear;
  std::optional<double> low = {}, high = {};  ///< Where not given: chosen so that all data have room.
};

struct chart_point {
  double x = 0, y = 0;
};

/// Points with a name.
struct chart_series {
  std::string name = {};
  std::vector<chart_point> points = {};  ///< At least one; a line connects them in this order.
  bool line = true, markers = true;      ///< One of them at least.
};

/// A limit that series are held against: a dashed line, straight in the picture, with its label along it.
/// What lies outside of the axes is cut off. On two logarithmic axes y = c x is straight too.
struct chart_reference {
  std::string label = {};
  chart_point from = {}, to = {};
};

/// A place on the x axis that has a name; the name stands above the plot.
struct chart_mark {
  double x = 0;
  std::string label = {};
};

/// Where the reader finds which series is which.
enum class chart_names { legend, at_last_point, at_every_point };

/// A chart as data, for svg_text().
struct chart {
  std::string title = {};
  std::string description = {};  ///< What is to be seen, for those who do not see it.
  chart_axis x = {}, y = {};
  std::vector<chart_series> series = {};
  std::vector<chart_reference> references = {};
  std::vector<chart_mark> marks = {};
  chart_names names = chart_names::at_last_point;
};

/// A standalone SVG document: the same text for the same chart, colors for light and dark pages on a
/// background of its own, text as text. Names that would cover one another or a point are moved, and a thin
/// line leads to them. Throws std::invalid_argument, naming chart, series and point, for what cannot be
/// drawn: no title, description, series or points; a value that is not finite, or not positive on a
/// logarithmic axis, or outside of the axis as given.
std::string svg_text(const chart& what);

/// svg_text() as a file that is there whole or not at all; input_error where it cannot be written.
void write_svg(const chart& what, const std::filesystem::path& file);

}  // namespace tutorial
