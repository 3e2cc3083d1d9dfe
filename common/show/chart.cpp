// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "chart.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>
#include <string_view>

#include "chart_layout.hpp"
#include "common/emulator/draw/svg.hpp"
#include "common/files/numbers.hpp"
#include "common/files/output_file.hpp"

namespace tutorial {
namespace {

using detail::left;
using detail::margin;
using detail::picture_width;
using detail::pixel;
using detail::plot_height;
using detail::text_width;
using svg::escaped;

std::string number(double value) {
  std::string text = fixed(value, 1);
  if (text.ends_with(".0")) text.resize(text.size() - 2);
  return text == "-0" ? "0" : text;
}

// Distinct for those who see colors otherwise, and at least 3 : 1 against the background; with 8 markers, 24
// pairs.
struct series_color {
  const char *light, *dark;
};
constexpr std::array<series_color, 6> colors = {{{"#0072b2", "#58b0ec"},
                                                 {"#d55e00", "#ff8d4d"},
                                                 {"#007f5f", "#33c7a0"},
                                                 {"#b0508c", "#e69ac9"},
                                                 {"#8a6500", "#e3b341"},
                                                 {"#4d5560", "#c3cbd5"}}};

/// From the point that they mark, at most 6 pixels in each direction.
constexpr std::array<const char*, 8> markers = {
    "m-5 0a5 5 0 1 0 10 0a5 5 0 1 0 -10 0z",
    "m-4.5 -4.5h9v9h-9z",
    "m0 -5.5l5.5 10h-11z",
    "m0 -6l6 6l-6 6l-6 -6z",
    "m0 5.5l5.5 -10h-11z",
    "m-1.8 -5.5h3.6v3.7h3.7v3.6h-3.7v3.7h-3.6v-3.7h-3.7v-3.6h3.7z",
    "m-5 -2.5l2.5 -2.5l2.5 2.5l2.5 -2.5l2.5 2.5l-2.5 2.5l2.5 2.5l-2.5 2.5l-2.5 -2.5l-2.5 2.5l-2.5 -2.5"
    "l2.5 -2.5z",
    "m-6 0l3 -5.2h6l3 5.2l-3 5.2h-6z"};

/// Only what the picture uses: this many colors, and the classes in its elements.
std::string style(std::size_t series, const std::string& elements) {
  struct rule {
    const char *name, *light, *dark = "";
  };
  constexpr rule rules[] = {
      {"title", "font-size:17px;font-weight:600"},
      {"axis", "font-size:15px"},
      {"page", "fill:#ffffff", "fill:#0d1117"},
      {"halo", "stroke:#ffffff;stroke-width:4px;stroke-linejoin:round;paint-order:stroke", "stroke:#0d1117"},
      {"marker", "stroke:#ffffff", "stroke:#0d1117"},
      {"line", "fill:none;stroke-width:2;stroke-linejoin:round"},
      {"lead", "stroke-opacity:.6"},
      {"grid", "stroke:#d8dee4", "stroke:#2a313a"},
      {"frame", "fill:none;stroke:#6e7781", "stroke:#8b949e"},
      {"mark", "stroke:#8c959f;stroke-dasharray:1 4", "stroke:#6e7681"},
      {"reference", "stroke:#57606a;stroke-width:1.6;stroke-dasharray:7 4", "stroke:#a8b1bb"}};
  std::string light, dark;
  for (const rule& each : rules) {
    const std::string name = each.name;
    const auto used = [&](char end) { return elements.find("class=\"" + name + end) != std::string::npos; };
    if (!used('"') && !used(' ')) continue;
    light += "." + name + "{" + each.light + "}\n";
    if (*each.dark != 0) dark += "." + name + "{" + each.dark + "}\n";
  }
  for (std::size_t i = 0; i < std::min(series, colors.size()); ++i) {
    const auto rule = [&](const char* color) {
      const std::string name = ".c" + std::to_string(i);
      return name + "{fill:" + color + "}" + name + "l{stroke:" + color + "}\n";
    };
    light += rule(colors[i].light);
    dark += rule(colors[i].dark);
  }
  return "<style>\n"
         "text{font-family:system-ui,-apple-system,\"Segoe UI\",Roboto,\"Liberation Sans\",sans-serif;"
         "font-size:14px;fill:#1f2328}\n" +
         light + "@media (prefers-color-scheme:dark){\ntext{fill:#e6edf3}\n" + dark + "}\n</style>\n";
}

std::string text_element(pixel at, std::string_view anchor, std::string_view text, std::string_view css = {},
                         double degrees = 0) {
  std::string element = "<text x=\"" + number(at.x) + "\" y=\"" + number(at.y) + "\"";
  if (anchor != "start") element += " text-anchor=\"" + std::string(anchor) + "\"";
  if (!css.empty()) element += " class=\"" + std::string(css) + "\"";
  if (std::abs(degrees) > 0.05)
    element += " transform=\"rotate(" + number(degrees) + " " + number(at.x) + " " + number(at.y) + ")\"";
  return element + ">" + escaped(text) + "</text>\n";
}

std::string line_element(pixel from, pixel to, std::string_view css) {
  return "<line x1=\"" + number(from.x) + "\" y1=\"" + number(from.y) + "\" x2=\"" + number(to.x) +
         "\" y2=\"" + number(to.y) + "\" class=\"" + std::string(css) + "\"/>\n";
}

/// Nothing where there is nothing to draw.
std::string path_element(const std::string& d, const std::string& css) {
  return d.empty() ? "" : "<path class=\"" + css + "\" d=\"" + d + "\"/>\n";
}

[[noreturn]] void refuse(const chart& what, const std::string& why) {
  throw std::invalid_argument("chart '" + what.title + "': " + why);
}

void require_value(const chart& what, const chart_axis& axis, double value, const std::string& where) {
  if (!std::isfinite(value))
    refuse(what, where + ": " + exact_digits(value) + " has no place on the axis '" + axis.label + "'");
  if (axis.scale != axis_scale::linear && value <= 0)
    refuse(what, where + ": " + exact_digits(value) + " has no place on the axis '" + axis.label +
                     "', which is logarithmic");
  // References are cut off at the ends of the axes, series never are.
  if (!where.starts_with("reference") &&
      ((axis.low && value < *axis.low) || (axis.high && value > *axis.high)))
    refuse(what, where + ": " + exact_digits(value) + " lies outside of the axis '" + axis.label +
                     "' as it was given");
}

void require_drawable(const chart& what) {
  if (what.title.empty()) throw std::invalid_argument("a chart needs a title");
  if (what.description.empty()) refuse(what, "a description is needed for those who do not see it");
  try {
    detail::require_range(what.x);
    detail::require_range(what.y);
  } catch (const std::invalid_argument& error) {
    refuse(what, error.what());
  }
  if (what.series.empty()) refuse(what, "there are no series");
  for (const chart_series& each : what.series) {
    const std::string where = "series '" + each.name + "'";
    if (each.name.empty()) refuse(what, "a series has no name");
    if (each.points.empty()) refuse(what, where + " has no points");
    if (!each.line && !each.markers) refuse(what, where + " has neither line nor markers");
    for (std::size_t i = 0; i < each.points.size(); ++i) {
      require_value(what, what.x, each.points[i].x, where + ", x of point " + std::to_string(i));
      require_value(what, what.y, each.points[i].y, where + ", y of point " + std::to_string(i));
    }
  }
  for (const chart_reference& each : what.references)
    for (const chart_point end : {each.from, each.to}) {
      require_value(what, what.x, end.x, "reference '" + each.label + "', x");
      require_value(what, what.y, end.y, "reference '" + each.label + "', y");
    }
  for (const chart_mark& each : what.marks) require_value(what, what.x, each.x, "mark '" + each.label + "'");
}

class drawing {
 public:
  explicit drawing(const chart& what) : what_(what), layout_(detail::lay_out(what)) {}

  std::string text() const {
    const double height = layout_.bottom() + 54 + layout_.legend_height;
    std::string svg = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + fixed(picture_width, 0) +
                      "\" height=\"" + fixed(height, 0) + "\" viewBox=\"0 0 " + fixed(picture_width, 0) +
                      " " + fixed(height, 0) + "\" role=\"img\" aria-labelledby=\"title description\">\n" +
                      "<title id=\"title\">" + escaped(what_.title) + "</title>\n" +
                      "<desc id=\"description\">" + escaped(what_.description) + "</desc>\n";
    std::string elements = "<rect class=\"page\" width=\"100%\" height=\"100%\"/>\n";
    elements += text_element({margin, 28}, "start", what_.title, "title");
    elements += axes() + marks() + references() + lines() + leads() + points() + names() + legend();
    return svg + style(what_.series.size(), elements) + elements + "</svg>\n";
  }

 private:
  std::string upright(double x) const {
    return "M" + number(x) + " " + number(layout_.top) + "V" + number(layout_.bottom());
  }

  std::string axes() const {
    std::string svg, grid;
    double free_from = -1e9;
    for (const detail::chart_tick& tick : layout_.x.ticks) {
      const double x = layout_.at({tick.value, layout_.y.low}).x;
      grid += upright(x);
      const double half = text_width(tick.label) / 2;
      if (tick.label.empty() || x - half < free_from) continue;
      svg += text_element({x, layout_.bottom() + 18}, "middle", tick.label);
      free_from = x + half + 8;
    }
    double free_above = 1e9;
    for (const detail::chart_tick& tick : layout_.y.ticks) {
      const double y = layout_.at({layout_.x.low, tick.value}).y;
      grid += "M" + number(left) + " " + number(y) + "H" + number(layout_.right);
      if (tick.label.empty() || y + 7 > free_above) continue;
      svg += text_element({left - 7, y + 4.5}, "end", tick.label);
      free_above = y - 7;
    }
    svg = path_element(grid, "grid") + svg + "<rect class=\"frame\" x=\"" + number(left) + "\" y=\"" +
          number(layout_.top) + "\" width=\"" + number(layout_.right - left) + "\" height=\"" +
          number(plot_height) + "\"/>\n";
    svg += text_element({(left + layout_.right) / 2, layout_.bottom() + 42}, "middle", what_.x.label, "axis");
    return svg + text_element({20, layout_.top + plot_height / 2}, "middle", what_.y.label, "axis", -90);
  }

  std::string marks() const {
    std::string svg, marked;
    double free_from = left - 40;
    for (const chart_mark& each : what_.marks) {
      const double x = layout_.at({each.x, layout_.y.low}).x, width = text_width(each.label);
      marked += upright(x);
      const double begin = std::max(free_from, std::min(x - width / 2, picture_width - 8 - width));
      svg += text_element({begin + width / 2, layout_.top - 8}, "middle", each.label);
      free_from = begin + width + 10;
    }
    return path_element(marked, "mark") + svg;
  }

  std::string references() const {
    std::string svg;
    for (const detail::placed_reference& each : layout_.references) {
      svg += line_element(each.from, each.to, "reference");
      if (!each.label.empty()) svg += text_element(each.place, "start", each.label, "halo", each.degrees);
    }
    return svg;
  }

  std::string color(std::size_t series) const { return "c" + std::to_string(series % colors.size()); }
  static std::string marker(std::size_t series, pixel at) {
    return "M" + number(at.x) + " " + number(at.y) + markers[series % markers.size()];
  }

  std::string lines() const {
    std::string svg;
    for (std::size_t s = 0; s < what_.series.size(); ++s) {
      if (!what_.series[s].line || what_.series[s].points.size() < 2) continue;
      svg += "<polyline class=\"line " + color(s) + "l\" points=\"";
      std::string places;
      for (const chart_point& point : what_.series[s].points)
        places +=
            (places.empty() ? "" : " ") + number(layout_.at(point).x) + "," + number(layout_.at(point).y);
      svg += places + "\"/>\n";
    }
    return svg;
  }

  std::string leads() const {
    std::vector<std::string> of(what_.series.size());
    for (const detail::point_name& each : layout_.names) {
      const double side = each.to_the_left ? -1 : 1;
      of[each.series] += "M" + number(each.point.x + side * 7) + " " + number(each.point.y) + "L" +
                         number(each.place.x - side * 3) + " " + number(each.place.y);
    }
    std::string svg;
    for (std::size_t s = 0; s < of.size(); ++s) svg += path_element(of[s], "lead " + color(s) + "l");
    return svg;
  }

  std::string points() const {
    std::string svg;
    for (std::size_t s = 0; s < what_.series.size(); ++s) {
      std::string places;
      if (what_.series[s].markers)
        for (const chart_point& point : what_.series[s].points) places += marker(s, layout_.at(point));
      svg += path_element(places, "marker " + color(s));
    }
    return svg;
  }

  std::string names() const {
    std::string svg;
    for (const detail::point_name& each : layout_.names)
      svg += text_element({each.place.x, each.place.y + 4.5}, each.to_the_left ? "end" : "start", each.text,
                          "halo");
    return svg;
  }

  std::string legend() const {
    std::string svg;
    for (const detail::legend_entry& each : layout_.legend) {
      const double x = left + each.x, y = layout_.bottom() + 66 + each.y;
      const chart_series& series = what_.series[each.series];
      if (series.line) svg += line_element({x, y}, {x + 24, y}, "line " + color(each.series) + "l");
      if (series.markers)
        svg += path_element(marker(each.series, {x + 12, y}), "marker " + color(each.series));
      svg += text_element({x + 31, y + 4.5}, "start", series.name);
    }
    return svg;
  }

  const chart& what_;
  const detail::chart_layout layout_;
};

}  // namespace

std::string svg_text(const chart& what) {
  require_drawable(what);
  return drawing(what).text();
}

void write_svg(const chart& what, const std::filesystem::path& file) {
  const std::string text = svg_text(what);
  output_file out(file);
  out.write(text);
  out.commit();
}

}  // namespace tutorial
