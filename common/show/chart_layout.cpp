// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "chart_layout.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>

#include "common/emulator/draw/svg.hpp"

namespace tutorial::detail {
namespace {

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

box extent(const point_name& name) {
  const double width = text_width(name.text);
  const double left_end = name.to_the_left ? name.place.x - width : name.place.x;
  return {left_end, name.place.y - 0.5 * text_size, left_end + width, name.place.y + 0.5 * text_size};
}

double overlaps(const std::vector<box>& boxes, const std::vector<box>& taken) {
  double count = 0;
  for (const box& each : boxes)
    for (const box& other : taken) count += each.meets(other) ? other.weight : 0;
  return count;
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

/// Fills a chart_layout.
class arrangement {
 public:
  explicit arrangement(const chart& what)
      : what_(what),
        layout_{.x = settled(what, what.x, &chart_point::x), .y = settled(what, what.y, &chart_point::y)} {
    layout_.top = what.marks.empty() ? 50 : 72;
    place_legend();
    // Names beyond the last points need room at the right, and the room moves the points.
    for (int round = 0; round < 4; ++round) {
      place_names();
      double most = 0;
      for (const point_name& each : layout_.names) most = std::max(most, extent(each).right);
      const double overhang = most - (picture_width - 8);
      if (overhang <= 0) break;
      layout_.right = std::max(layout_.right - overhang - 2, 0.55 * picture_width);
    }
    place_names();
    place_references();
  }

  chart_layout result() && { return std::move(layout_); }

 private:
  /// The part of a reference that lies within the plot; false if there is none.
  bool visible(const chart_reference& reference, pixel& from, pixel& to) const {
    const pixel a = layout_.at(reference.from), b = layout_.at(reference.to);
    double begin = 0, end = 1;
    const auto cut = [&](double start, double change, double low, double high) {
      if (change == 0) return low - 1e-6 <= start && start <= high + 1e-6;
      const double first = (low - start) / change, second = (high - start) / change;
      begin = std::max(begin, std::min(first, second));
      end = std::min(end, std::max(first, second));
      return begin <= end;
    };
    if (!cut(a.x, b.x - a.x, left, layout_.right) || !cut(a.y, b.y - a.y, layout_.top, layout_.bottom()))
      return false;
    from = {a.x + begin * (b.x - a.x), a.y + begin * (b.y - a.y)};
    to = {a.x + end * (b.x - a.x), a.y + end * (b.y - a.y)};
    if (from.x > to.x) std::swap(from, to);  // labels are read from left to right
    return true;
  }

  void place_references() {
    std::vector<box> taken = obstacles(false);
    for (const point_name& each : layout_.names) taken.push_back(extent(each));
    for (const chart_reference& each : what_.references) {
      placed_reference placed{.from = {}, .to = {}, .label = each.label};
      if (!visible(each, placed.from, placed.to))
        throw std::invalid_argument("chart '" + what_.title + "': reference '" + each.label +
                                    "' lies outside of both axes");
      if (!each.label.empty()) place_along(placed, taken);
      layout_.references.push_back(placed);
    }
  }

  /// The label along the line, where it covers least. What it covers is taken from then on.
  static void place_along(placed_reference& placed, std::vector<box>& taken) {
    const pixel from = placed.from, to = placed.to;
    const double dx = to.x - from.x, dy = to.y - from.y, length = std::max(std::hypot(dx, dy), 1e-9);
    const double width = text_width(placed.label), room = std::max(length - width, 0.0);
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
    placed.place = {from.x + along.x * best_start + up.x * baseline,
                    from.y + along.y * best_start + up.y * baseline};
    placed.degrees = std::atan2(dy, dx) * 180 / 3.14159265358979323846;
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
        if (each.markers) result.push_back(around(layout_.at(each.points[i]), 6, 6, 5));
        if (each.line && i > 0) add_line(layout_.at(each.points[i - 1]), layout_.at(each.points[i]));
      }
    if (with_references)
      for (const chart_reference& each : what_.references) {
        pixel from, to;
        if (visible(each, from, to)) add_line(from, to);
      }
    return result;
  }

  void place_names() {
    layout_.names.clear();
    if (what_.names == chart_names::legend) return;
    std::vector<point_name> wanted;
    for (std::size_t s = 0; s < what_.series.size(); ++s) {
      const auto& points = what_.series[s].points;
      const std::size_t first = what_.names == chart_names::at_every_point ? 0 : points.size() - 1;
      for (std::size_t i = first; i < points.size(); ++i)
        wanted.push_back({what_.series[s].name, s, layout_.at(points[i])});
    }
    // Points that nearly stand above one another share a column of names.
    std::stable_sort(wanted.begin(), wanted.end(),
                     [](const point_name& a, const point_name& b) { return a.point.x < b.point.x; });
    const std::vector<box> fixed_things = obstacles(true);
    for (std::size_t begin = 0; begin < wanted.size();) {
      std::size_t end = begin + 1;
      while (end < wanted.size() && wanted[end].point.x < wanted[begin].point.x + 36) ++end;
      place_column({wanted.begin() + long(begin), wanted.begin() + long(end)}, fixed_things);
      begin = end;
    }
  }

  void place_column(std::vector<point_name> column, const std::vector<box>& fixed_things) {
    std::stable_sort(column.begin(), column.end(),
                     [](const point_name& a, const point_name& b) { return a.point.y < b.point.y; });
    double leftmost = column[0].point.x, rightmost = column[0].point.x, widest = 0;
    std::vector<double> heights;
    for (const point_name& each : column) {
      leftmost = std::min(leftmost, each.point.x);
      rightmost = std::max(rightmost, each.point.x);
      widest = std::max(widest, text_width(each.text));
      heights.push_back(each.point.y);
    }
    heights = spread(heights, line_height);
    std::vector<point_name> best;
    double least = std::numeric_limits<double>::infinity();
    for (const bool to_the_left : {false, true})
      for (int step = 0; step <= 60; ++step) {
        const double shift = (step % 2 ? 1 : -1) * ((step + 1) / 2) * 3.0;
        double cost = 0.02 * step + (to_the_left ? 2 : 0);
        // Names that the frame would cross stand beyond it.
        const double right_place =
            rightmost + 20 + widest > layout_.right ? layout_.right + 10 : rightmost + 20;
        for (std::size_t i = 0; i < column.size(); ++i) {
          point_name& each = column[i];
          each.to_the_left = to_the_left;
          each.place = {to_the_left ? leftmost - 20 : right_place, heights[i] + shift};
          const box taken = extent(each);
          cost += overlaps({taken}, fixed_things);
          for (const point_name& other : layout_.names) cost += 10 * taken.meets(extent(other));
          if (taken.left < left || taken.top < layout_.top || taken.bottom > layout_.bottom()) cost += 20;
        }
        if (cost < least) least = cost, best = column;
      }
    layout_.names.insert(layout_.names.end(), best.begin(), best.end());
  }

  void place_legend() {
    if (what_.names != chart_names::legend) return;
    double x = 0, y = 0;
    for (std::size_t s = 0; s < what_.series.size(); ++s) {
      const double width = 34 + text_width(what_.series[s].name);
      if (x > 0 && left + x + width > picture_width - margin) x = 0, y += line_height + 4;
      layout_.legend.push_back({s, x, y});
      x += width + 18;
    }
    layout_.legend_height = y + line_height + 8;
  }

  const chart& what_;
  chart_layout layout_;
};

}  // namespace

chart_layout lay_out(const chart& what) { return arrangement(what).result(); }

double text_width(std::string_view text) { return svg::sans_width(text, text_size); }

}  // namespace tutorial::detail
