// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "chart.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string_view>

#include "chart_axis.hpp"
#include "common/files/numbers.hpp"
#include "common/files/output_file.hpp"

namespace tutorial {
namespace {

using detail::settled_axis;

// Pixels of the picture; y goes down.
constexpr double picture_width = 720, left = 78, margin = 16;
constexpr double text_size = 14, line_height = 17;  // as in style()
constexpr double plot_height = 440;

struct pixel {
  double x = 0, y = 0;
};

struct box {
  double left = 0, top = 0, right = 0, bottom = 0;
  double weight = 1;  // how bad it is to cover this
  bool meets(const box& other) const {
    return left < other.right && other.left < right && top < other.bottom && other.top < bottom;
  }
};

box around(pixel center, double half_width, double half_height, double weight = 1) {
  return {center.x - half_width, center.y - half_height, center.x + half_width, center.y + half_height,
          weight};
}

// Fonts differ between readers: rather too wide than too narrow.
double text_width(std::string_view text, double size = text_size) {
  double width = 0;
  for (const char each : text) {
    if ((each & 0xC0) == 0x80) continue;  // a further byte of the same character
    if (std::string_view("iljtfrI.,:;'|!() ").find(each) != std::string_view::npos)
      width += 0.38;
    else
      width += std::string_view("mwMW%@").find(each) != std::string_view::npos ? 0.92 : 0.62;
  }
  return width * size;
}

std::string escaped(std::string_view text) {
  std::string result;
  for (const char each : text) switch (each) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      default:
        result += static_cast<unsigned char>(each) < 0x20 ? ' ' : each;  // XML has no control characters
    }
  return result;
}

std::string number(double value) {
  const std::string text = fixed(value, 1);
  return text == "-0.0" ? "0.0" : text;
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

/// Around (0, 0), at most 6 pixels in each direction.
constexpr std::array<const char*, 8> markers = {
    "M-5 0A5 5 0 1 0 5 0A5 5 0 1 0 -5 0Z",
    "M-4.5 -4.5H4.5V4.5H-4.5Z",
    "M0 -5.5L5.5 4.5H-5.5Z",
    "M0 -6L6 0L0 6L-6 0Z",
    "M0 5.5L5.5 -4.5H-5.5Z",
    "M-1.8 -5.5H1.8V-1.8H5.5V1.8H1.8V5.5H-1.8V1.8H-5.5V-1.8H-1.8Z",
    "M-5 -2.5L-2.5 -5L0 -2.5L2.5 -5L5 -2.5L2.5 0L5 2.5L2.5 5L0 2.5L-2.5 5L-5 2.5L-2.5 0Z",
    "M-6 0L-3 -5.2H3L6 0L3 5.2H-3Z"};

std::string style() {
  std::string light, dark;
  for (std::size_t i = 0; i < colors.size(); ++i) {
    const auto rule = [&](const char* color) {
      const std::string name = ".c" + std::to_string(i);
      return name + "{fill:" + color + "}" + name + "l{stroke:" + color + "}";
    };
    light += rule(colors[i].light) + "\n";
    dark += rule(colors[i].dark) + "\n";
  }
  return "<style>\n"
         "text{font-family:system-ui,-apple-system,\"Segoe UI\",Roboto,\"Liberation Sans\",sans-serif;"
         "font-size:14px;fill:#1f2328}\n"
         ".title{font-size:17px;font-weight:600}\n"
         ".axis{font-size:15px}\n"
         ".page{fill:#ffffff}\n"
         ".halo{stroke:#ffffff;stroke-width:4px;stroke-linejoin:round;paint-order:stroke}\n"
         ".marker{stroke:#ffffff;stroke-width:1}\n"
         ".line{fill:none;stroke-width:2;stroke-linejoin:round}\n"
         ".lead{fill:none;stroke-width:1;stroke-opacity:.6}\n"
         ".grid{stroke:#d8dee4;stroke-width:1}\n"
         ".frame{fill:none;stroke:#6e7781;stroke-width:1}\n"
         ".mark{stroke:#8c959f;stroke-width:1;stroke-dasharray:1 4}\n"
         ".reference{fill:none;stroke:#57606a;stroke-width:1.6;stroke-dasharray:7 4}\n" +
         light +
         "@media (prefers-color-scheme:dark){\n"
         "text{fill:#e6edf3}\n"
         ".page{fill:#0d1117}\n"
         ".halo{stroke:#0d1117}\n"
         ".marker{stroke:#0d1117}\n"
         ".grid{stroke:#2a313a}\n"
         ".frame{stroke:#8b949e}\n"
         ".mark{stroke:#6e7681}\n"
         ".reference{stroke:#a8b1bb}\n" +
         dark + "}\n</style>\n";
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

settled_axis settled(const chart& what, const chart_axis& axis, double chart_point::*coordinate) {
  std::vector<double> values;
  for (const chart_series& each : what.series)
    for (const chart_point& point : each.points) values.push_back(point.*coordinate);
  for (const chart_reference& each : what.references)
    for (const chart_point end : {each.from, each.to}) {
      const double value = end.*coordinate;
      if ((!axis.low || value >= *axis.low) && (!axis.high || value <= *axis.high)) values.push_back(value);
    }
  if (coordinate == &chart_point::x)
    for (const chart_mark& each : what.marks) values.push_back(each.x);
  return detail::settle(axis, values);
}

/// The name of a point: where it is written, and from where a line leads to it.
struct label {
  std::string text;
  std::size_t series = 0;
  pixel point = {};  // what it names
  pixel place = {};  // of the text: middle of its left end, or of its right end
  bool to_the_left = false;

  box extent() const {
    const double width = text_width(text);
    const double left_end = to_the_left ? place.x - width : place.x;
    return {left_end, place.y - 0.5 * text_size, left_end + width, place.y + 0.5 * text_size};
  }
};

/// Heights as near as possible to those wanted (which ascend), `gap` apart: neighbors that would touch form
/// groups, and each group stands around the mean of what its members want.
std::vector<double> spread(const std::vector<double>& wanted, double gap) {
  struct group {
    double sum;  // of wanted[i] - i * gap
    std::size_t count;
    double first() const { return sum / double(count); }
  };
  std::vector<group> groups;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    groups.push_back({wanted[i] - double(i) * gap, 1});
    while (groups.size() > 1 && groups[groups.size() - 2].first() > groups.back().first()) {
      const group last = groups.back();
      groups.pop_back();
      groups.back().sum += last.sum;
      groups.back().count += last.count;
    }
  }
  std::vector<double> places;
  for (const group& each : groups)
    for (std::size_t i = 0; i < each.count; ++i) places.push_back(each.first() + double(places.size()) * gap);
  return places;
}

class drawing {
 public:
  explicit drawing(const chart& what)
      : what_(what), x_(settled(what, what.x, &chart_point::x)), y_(settled(what, what.y, &chart_point::y)) {
    top_ = what.marks.empty() ? 50 : 72;
    place_legend();
    // Names beyond the last points need room at the right, and the room moves the points.
    for (int round = 0; round < 4; ++round) {
      place_names();
      double most = 0;
      for (const label& each : names_) most = std::max(most, each.extent().right);
      const double overhang = most - (picture_width - 8);
      if (overhang <= 0) break;
      right_ = std::max(right_ - overhang - 2, 0.55 * picture_width);
    }
    place_names();
  }

  std::string text() const {
    const double height = bottom() + 54 + legend_height_;
    std::string svg = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + fixed(picture_width, 0) +
                      "\" height=\"" + fixed(height, 0) + "\" viewBox=\"0 0 " + fixed(picture_width, 0) +
                      " " + fixed(height, 0) + "\" role=\"img\" aria-labelledby=\"title description\">\n" +
                      "<title id=\"title\">" + escaped(what_.title) + "</title>\n" +
                      "<desc id=\"description\">" + escaped(what_.description) + "</desc>\n" + style();
    svg += "<rect class=\"page\" width=\"100%\" height=\"100%\"/>\n";
    svg += text_element({margin, 28}, "start", what_.title, "title");
    svg += axes() + marks() + references() + lines() + leads() + points() + names() + legend();
    return svg + "</svg>\n";
  }

 private:
  double bottom() const { return top_ + plot_height; }
  pixel at(chart_point point) const {
    return {left + x_.place(point.x) * (right_ - left), bottom() - y_.place(point.y) * plot_height};
  }

  std::string axes() const {
    std::string svg;
    double free_from = -1e9;
    for (const detail::chart_tick& tick : x_.ticks) {
      const double x = at({tick.value, y_.low}).x;
      svg += line_element({x, top_}, {x, bottom()}, "grid");
      const double half = text_width(tick.label) / 2;
      if (tick.label.empty() || x - half < free_from) continue;
      svg += text_element({x, bottom() + 18}, "middle", tick.label);
      free_from = x + half + 8;
    }
    double free_above = 1e9;
    for (const detail::chart_tick& tick : y_.ticks) {
      const double y = at({x_.low, tick.value}).y;
      svg += line_element({left, y}, {right_, y}, "grid");
      if (tick.label.empty() || y + 7 > free_above) continue;
      svg += text_element({left - 7, y + 4.5}, "end", tick.label);
      free_above = y - 7;
    }
    svg += "<rect class=\"frame\" x=\"" + number(left) + "\" y=\"" + number(top_) + "\" width=\"" +
           number(right_ - left) + "\" height=\"" + number(plot_height) + "\"/>\n";
    svg += text_element({(left + right_) / 2, bottom() + 42}, "middle", what_.x.label, "axis");
    return svg + text_element({20, top_ + plot_height / 2}, "middle", what_.y.label, "axis", -90);
  }

  std::string marks() const {
    std::string svg;
    double free_from = left - 40;
    for (const chart_mark& each : what_.marks) {
      const double x = at({each.x, y_.low}).x, width = text_width(each.label);
      svg += line_element({x, top_}, {x, bottom()}, "mark");
      const double begin = std::max(free_from, std::min(x - width / 2, picture_width - 8 - width));
      svg += text_element({begin + width / 2, top_ - 8}, "middle", each.label);
      free_from = begin + width + 10;
    }
    return svg;
  }

  /// The part of a reference that lies within the plot; false if there is none.
  bool visible(const chart_reference& reference, pixel& from, pixel& to) const {
    const pixel a = at(reference.from), b = at(reference.to);
    double begin = 0, end = 1;
    const auto cut = [&](double start, double change, double low, double high) {
      if (change == 0) return low - 1e-6 <= start && start <= high + 1e-6;
      const double first = (low - start) / change, second = (high - start) / change;
      begin = std::max(begin, std::min(first, second));
      end = std::min(end, std::max(first, second));
      return begin <= end;
    };
    if (!cut(a.x, b.x - a.x, left, right_) || !cut(a.y, b.y - a.y, top_, bottom())) return false;
    from = {a.x + begin * (b.x - a.x), a.y + begin * (b.y - a.y)};
    to = {a.x + end * (b.x - a.x), a.y + end * (b.y - a.y)};
    if (from.x > to.x) std::swap(from, to);  // labels are read from left to right
    return true;
  }

  std::string references() const {
    std::string svg;
    std::vector<box> taken = obstacles(false);
    for (const label& each : names_) taken.push_back(each.extent());
    for (const chart_reference& each : what_.references) {
      pixel from, to;
      if (!visible(each, from, to)) refuse(what_, "reference '" + each.label + "' lies outside of both axes");
      svg += line_element(from, to, "reference");
      if (!each.label.empty()) svg += along(each.label, from, to, taken);
    }
    return svg;
  }

  /// A label along a line, where it covers least. What it covers is taken from then on.
  std::string along(const std::string& text, pixel from, pixel to, std::vector<box>& taken) const {
    const double dx = to.x - from.x, dy = to.y - from.y, length = std::max(std::hypot(dx, dy), 1e-9);
    const double width = text_width(text), room = std::max(length - width, 0.0);
    const pixel along{dx / length, dy / length}, up{dy / length, -dx / length};
    const auto boxes = [&](double start, double side) {
      std::vector<box> result;
      for (double at = 0; at <= width; at += 7)
        result.push_back(around(
            {from.x + along.x * (start + at) + up.x * side, from.y + along.y * (start + at) + up.y * side}, 6,
            7));
      return result;
    };
    double best = std::numeric_limits<double>::infinity(), best_start = 0, best_side = 0;
    for (int step = 0; step <= 40; ++step)
      for (const double side : {11.0, -12.0}) {  // above the line, below it
        const double start = room * (0.5 + (step % 2 ? 1 : -1) * ((step + 1) / 2) / 40.0);
        const double cost = overlaps(boxes(start, side), taken) + 0.01 * step + (side < 0 ? 0.3 : 0);
        if (cost < best) best = cost, best_start = start, best_side = side;
      }
    for (const box& each : boxes(best_start, best_side)) taken.push_back(each);
    const double baseline = best_side - 4.5;  // text stands on its line, boxes are around its middle
    return text_element(
        {from.x + along.x * best_start + up.x * baseline, from.y + along.y * best_start + up.y * baseline},
        "start", text, "halo", std::atan2(dy, dx) * 180 / 3.14159265358979323846);
  }

  static double overlaps(const std::vector<box>& boxes, const std::vector<box>& taken) {
    double count = 0;
    for (const box& each : boxes)
      for (const box& other : taken) count += each.meets(other) ? other.weight : 0;
    return count;
  }

  /// Small boxes on everything that a name should not cover.
  std::vector<box> obstacles(bool with_references) const {
    std::vector<box> result;
    const auto add_line = [&](pixel from, pixel to) {
      const int steps = int(std::hypot(to.x - from.x, to.y - from.y) / 6) + 1;
      for (int i = 0; i <= steps; ++i)
        result.push_back(
            around({from.x + (to.x - from.x) * i / steps, from.y + (to.y - from.y) * i / steps}, 1.5, 1.5));
    };
    for (const chart_series& each : what_.series)
      for (std::size_t i = 0; i < each.points.size(); ++i) {
        if (each.markers) result.push_back(around(at(each.points[i]), 6, 6, 5));
        if (each.line && i > 0) add_line(at(each.points[i - 1]), at(each.points[i]));
      }
    if (with_references)
      for (const chart_reference& each : what_.references) {
        pixel from, to;
        if (visible(each, from, to)) add_line(from, to);
      }
    return result;
  }

  void place_names() {
    names_.clear();
    if (what_.names == chart_names::legend) return;
    std::vector<label> wanted;
    for (std::size_t s = 0; s < what_.series.size(); ++s) {
      const auto& points = what_.series[s].points;
      const std::size_t first = what_.names == chart_names::at_every_point ? 0 : points.size() - 1;
      for (std::size_t i = first; i < points.size(); ++i)
        wanted.push_back({what_.series[s].name, s, at(points[i])});
    }
    // Points that nearly stand above one another share a column of names.
    std::stable_sort(wanted.begin(), wanted.end(),
                     [](const label& a, const label& b) { return a.point.x < b.point.x; });
    const std::vector<box> fixed_things = obstacles(true);
    for (std::size_t begin = 0; begin < wanted.size();) {
      std::size_t end = begin + 1;
      while (end < wanted.size() && wanted[end].point.x < wanted[begin].point.x + 36) ++end;
      place_column({wanted.begin() + long(begin), wanted.begin() + long(end)}, fixed_things);
      begin = end;
    }
  }

  void place_column(std::vector<label> column, const std::vector<box>& fixed_things) {
    std::stable_sort(column.begin(), column.end(),
                     [](const label& a, const label& b) { return a.point.y < b.point.y; });
    double leftmost = column[0].point.x, rightmost = column[0].point.x, widest = 0;
    std::vector<double> heights;
    for (const label& each : column) {
      leftmost = std::min(leftmost, each.point.x);
      rightmost = std::max(rightmost, each.point.x);
      widest = std::max(widest, text_width(each.text));
      heights.push_back(each.point.y);
    }
    heights = spread(heights, line_height);
    std::vector<label> best;
    double least = std::numeric_limits<double>::infinity();
    for (const bool to_the_left : {false, true})
      for (int step = 0; step <= 60; ++step) {
        const double shift = (step % 2 ? 1 : -1) * ((step + 1) / 2) * 3.0;
        double cost = 0.02 * step + (to_the_left ? 2 : 0);
        // Names that the frame would cross stand beyond it.
        const double right_place = rightmost + 20 + widest > right_ ? right_ + 10 : rightmost + 20;
        for (std::size_t i = 0; i < column.size(); ++i) {
          label& each = column[i];
          each.to_the_left = to_the_left;
          each.place = {to_the_left ? leftmost - 20 : right_place, heights[i] + shift};
          const box extent = each.extent();
          cost += overlaps({extent}, fixed_things);
          for (const label& other : names_) cost += 10 * extent.meets(other.extent());
          if (extent.left < left || extent.top < top_ || extent.bottom > bottom()) cost += 20;
        }
        if (cost < least) least = cost, best = column;
      }
    names_.insert(names_.end(), best.begin(), best.end());
  }

  std::string color(std::size_t series) const { return "c" + std::to_string(series % colors.size()); }
  const char* marker(std::size_t series) const { return markers[series % markers.size()]; }

  std::string lines() const {
    std::string svg;
    for (std::size_t s = 0; s < what_.series.size(); ++s) {
      if (!what_.series[s].line || what_.series[s].points.size() < 2) continue;
      svg += "<polyline class=\"line " + color(s) + "l\" points=\"";
      std::string places;
      for (const chart_point& point : what_.series[s].points)
        places += (places.empty() ? "" : " ") + number(at(point).x) + "," + number(at(point).y);
      svg += places + "\"/>\n";
    }
    return svg;
  }

  std::string leads() const {
    std::string svg;
    for (const label& each : names_) {
      const double side = each.to_the_left ? -1 : 1;
      svg += line_element({each.point.x + side * 7, each.point.y}, {each.place.x - side * 3, each.place.y},
                          "lead " + color(each.series) + "l");
    }
    return svg;
  }

  std::string points() const {
    std::string svg;
    for (std::size_t s = 0; s < what_.series.size(); ++s)
      for (const chart_point& point : what_.series[s].points)
        if (what_.series[s].markers)
          svg += "<path class=\"marker " + color(s) + "\" transform=\"translate(" + number(at(point).x) +
                 " " + number(at(point).y) + ")\" d=\"" + marker(s) + "\"><title>" +
                 escaped(what_.series[s].name + ": " + significant(point.x) + ", " + significant(point.y)) +
                 "</title></path>\n";
    return svg;
  }

  std::string names() const {
    std::string svg;
    for (const label& each : names_)
      svg += text_element({each.place.x, each.place.y + 4.5}, each.to_the_left ? "end" : "start", each.text,
                          "halo");
    return svg;
  }

  struct legend_entry {
    std::size_t series;
    double x, y;  // from the first entry's place
  };

  void place_legend() {
    if (what_.names != chart_names::legend) return;
    double x = 0, y = 0;
    for (std::size_t s = 0; s < what_.series.size(); ++s) {
      const double width = 34 + text_width(what_.series[s].name);
      if (x > 0 && left + x + width > picture_width - margin) x = 0, y += line_height + 4;
      legend_.push_back({s, x, y});
      x += width + 18;
    }
    legend_height_ = y + line_height + 8;
  }

  std::string legend() const {
    std::string svg;
    for (const legend_entry& each : legend_) {
      const double x = left + each.x, y = bottom() + 66 + each.y;
      const chart_series& series = what_.series[each.series];
      if (series.line) svg += line_element({x, y}, {x + 24, y}, "line " + color(each.series) + "l");
      if (series.markers)
        svg += "<path class=\"marker " + color(each.series) + "\" transform=\"translate(" + number(x + 12) +
               " " + number(y) + ")\" d=\"" + marker(each.series) + "\"/>\n";
      svg += text_element({x + 31, y + 4.5}, "start", series.name);
    }
    return svg;
  }

  const chart& what_;
  settled_axis x_, y_;
  double top_ = 0, right_ = picture_width - 2 * margin, legend_height_ = 0;
  std::vector<label> names_;
  std::vector<legend_entry> legend_;
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
