// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "picture.hpp"

#include <algorithm>
#include <cmath>
#include <exception>
#include <fstream>
#include <iostream>
#include <set>
#include <sstream>
#include <stdexcept>
#include <utility>

namespace cuda_emulator::draw {
namespace {

long tenths(double pixels) { return std::lround(pixels * 10); }

/// One digit behind the point where it is needed; never "-0".
std::string number(long tenths) {
  std::string text = (tenths < 0 ? "-" : "") + std::to_string(std::abs(tenths) / 10);
  return tenths % 10 == 0 ? text : text + "." + std::to_string(std::abs(tenths) % 10);
}

std::string number(double pixels) { return number(tenths(pixels)); }

struct role {
  const char* name;
  const char *fill, *line;            // on light pages
  const char *dark_fill, *dark_line;  // on dark ones
  const char* more = "";
};
// The hues of common/show/chart.cpp, pale behind text.
constexpr role roles[] = {{"input", "#cfe6f6", "#0072b2", "#0f3f5e", "#58b0ec"},
                          {"output", "#f3d7e8", "#b0508c", "#5a2748", "#e69ac9"},
                          {"shared", "#fbe0ca", "#d55e00", "#66330d", "#ff8d4d"},
                          {"constant", "#c9ecdd", "#007f5f", "#0c4637", "#33c7a0"},
                          {"texture", "#ded6f9", "#6a4fc0", "#392b70", "#b3a0ff"},
                          {"halo", "#fbf0bf", "#8a6500", "#4f4108", "#e3b341"},
                          {"ghost", "none", "#6e7781", "none", "#8b949e", ";stroke-dasharray:3 2"},
                          {"conflict", "#f7c4c0", "#c0281f", "#6d1f1b", "#ff7b72", ";stroke-width:1.6"},
                          {"empty", "none", "#b3bcc6", "none", "#4d5661"}};

/// Of the other classes what they set, and what is different on dark pages. The last one holds for all before
/// it.
struct rule {
  const char *name, *light, *dark = "";
};
constexpr rule rules[] = {
    {"small", "font-size:11px"},
    {"tiny", "font-size:9px"},
    {"dim", "font-size:11px;fill:#57606a", "fill:#9aa4ae"},
    {"strong", "font-weight:700"},
    {"page", "fill:#ffffff", "fill:#0d1117"},
    {"frame", "fill:none;stroke:#57606a;stroke-width:2", "stroke:#9aa4ae"},
    {"barrier", "fill:none;stroke:#57606a;stroke-width:2;stroke-dasharray:6 4", "stroke:#9aa4ae"},
    {"wire", "stroke-opacity:.75"},
    {"thick", "stroke-width:2.5"},
    {"borderless", "stroke:none", "stroke:none"}};

/// The style sheet of the classes that are used.
std::string style_of(const std::function<bool(const std::string&)>& used) {
  std::string light =
      "text{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,\"DejaVu Sans Mono\",\"Liberation "
      "Mono\",monospace;font-size:13px;fill:#1f2328}\n";
  std::string dark = "text{fill:#e6edf3}\n";
  const auto add = [&](std::string& to, const std::string& name, const std::string& what) {
    if (!what.empty() && used(name)) to += "." + name + "{" + what + "}\n";
  };
  for (const role& each : roles) {
    const std::string name = each.name, wire = "wire_" + name, line = each.line, dark_line = each.dark_line;
    add(light, name, std::string("fill:") + each.fill + ";stroke:" + line + each.more);
    add(dark, name, std::string("fill:") + each.dark_fill + ";stroke:" + dark_line);
    add(light, wire, "fill:none;stroke:" + line);
    add(dark, wire, "stroke:" + dark_line);
  }
  for (const rule& each : rules) {
    add(light, each.name, each.light);
    add(dark, each.name, each.dark);
  }
  return light + "@media (prefers-color-scheme:dark){\n" + dark + "}\n";
}

double size_of(std::string_view css) { return css == "tiny" ? 9 : css == "small" || css == "dim" ? 11 : 13; }

/// From one place to another, as short as it goes.
std::string step(long dx, long dy) {
  if (dx == 0) return "v" + number(dy);
  if (dy == 0) return "h" + number(dx);
  return "l" + number(dx) + " " + number(dy);
}

std::string move(long x, long y) { return "M" + number(x) + " " + number(y); }

/// Cells that fill a rectangle, by the lines around and between them.
struct grid {
  std::vector<long> x, y;

  std::string path() const {
    const long width = x.back() - x.front(), height = y.back() - y.front();
    std::string d = move(x.front(), y.front()) + step(width, 0) + step(0, height) + step(-width, 0) + "z";
    for (std::size_t i = 1; i + 1 < x.size(); ++i)  // down and up again
      d += "m" + number(x[i] - x[i - 1]) + " 0" + step(0, i % 2 == 1 ? height : -height);
    for (std::size_t i = 1; i + 1 < y.size(); ++i)
      d += (i == 1 ? move(x.front(), y[i]) : "m0 " + number(y[i] - y[i - 1])) +
           step(i % 2 == 1 ? width : -width, 0);
    return d;
  }
};

std::string lines_path(const std::vector<corners>& parts) {
  std::string d;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const corners& each = parts[i];
    const bool goes_on = i > 0 && parts[i - 1].x2 == each.x1 && parts[i - 1].y2 == each.y1;
    d += (goes_on ? "" : move(each.x1, each.y1)) + step(each.x2 - each.x1, each.y2 - each.y1);
  }
  return d;
}

/// Neighbors share the line between them, but for cells with dashes around them, which begin at each cell.
std::string cells_path(const std::vector<corners>& parts, bool apart) {
  std::vector<grid> rows, grids;
  for (const corners& each : parts) {
    const auto before = std::find_if(rows.rbegin(), rows.rend(), [&](const grid& row) {
      return !apart && row.y.front() == each.y1 && row.y.back() == each.y2 && row.x.back() == each.x1;
    });
    if (before == rows.rend())
      rows.push_back({{each.x1, each.x2}, {each.y1, each.y2}});
    else
      before->x.push_back(each.x2);
  }
  for (const grid& each : rows) {
    const auto above = std::find_if(grids.rbegin(), grids.rend(), [&](const grid& other) {
      return !apart && other.x == each.x && other.y.back() == each.y.front();
    });
    if (above == grids.rend())
      grids.push_back(each);
    else
      above->y.push_back(each.y.back());
  }
  std::string d;
  for (const grid& each : grids) d += each.path();
  return d;
}

std::string title_element(const std::string& text) {
  return text.empty() ? "" : "<title>" + escaped(text) + "</title>";
}

std::string class_attribute(const std::string& css) { return css.empty() ? "" : " class=\"" + css + "\""; }

}  // namespace

std::string picture_style() {
  return style_of([](const std::string&) { return true; });
}

picture::picture(std::string title, std::string description)
    : title_(std::move(title)), description_(std::move(description)) {
  text(margin, 28, title_, "strong");
}

void picture::reach(double x, double y) {
  right_ = std::max(right_, x);
  bottom_ = std::max(bottom_, y);
}

void picture::text(double x, double y, std::string_view text, std::string_view css, anchor where,
                   std::string_view tooltip) {
  const double width = text_width(text, size_of(css));
  reach(where == anchor::start ? x + width : where == anchor::middle ? x + width / 2 : x, y + 4);
  // A label or a heading begins something new.
  if (where != anchor::middle) open_ = rows_.size() + 1;
  const auto same = std::find_if(rows_.begin() + std::ptrdiff_t(std::min(open_, rows_.size())), rows_.end(),
                                 [&](const row& each) { return each.y == y && each.css == css; });
  row& to = same == rows_.end() ? rows_.emplace_back(row{y, std::string(css), where}) : *same;
  to.words.push_back({x, std::string(text), std::string(tooltip)});
}

void picture::add(bool cells, std::string_view css, std::string_view tooltip,
                  const std::vector<corners>& parts) {
  // Cells that only share an edge do not: it is drawn in the color of the class that comes later.
  const auto meet = [&](const corners& a, const corners& b, bool both_cells) {
    const auto apart = [line = both_cells ? 0 : 10](long a1, long a2, long b1, long b2) {
      return std::max(a1, a2) + line <= std::min(b1, b2) || std::max(b1, b2) + line <= std::min(a1, a2);
    };
    return !apart(a.x1, a.x2, b.x1, b.x2) && !apart(a.y1, a.y2, b.y1, b.y2);
  };
  for (auto each = shapes_.rbegin(); tooltip.empty() && each != shapes_.rend(); ++each) {
    if (each->css == css && each->cells == cells) {
      if (!each->tooltip.empty()) continue;
      each->parts.insert(each->parts.end(), parts.begin(), parts.end());
      return;
    }
    if (std::any_of(each->parts.begin(), each->parts.end(), [&](const corners& other) {
          return std::any_of(parts.begin(), parts.end(),
                             [&](const corners& part) { return meet(part, other, cells && each->cells); });
        }))
      break;
  }
  shapes_.push_back({std::string(css), std::string(tooltip), cells, parts});
}

void picture::cell(double x, double y, double width, double height, std::string_view css,
                   std::string_view text, std::string_view tooltip, std::string_view widest) {
  cells(1, x, y, width, height, css, text.empty() ? tooltip : std::string_view());
  if (text.empty()) return;
  // Numbers grow, cells do not.
  if (widest.empty()) widest = text;
  const bool small = text_width(widest) > width - 5, tiny = text_width(widest, 11) > width - 1;
  this->text(x + width / 2,
             y + height / 2 +
                 (tiny    ? 3.5
                  : small ? 4
                          : 4.5),
             text,
             tiny    ? "tiny"
             : small ? "small"
                     : "",
             anchor::middle, tooltip);
}

void picture::cells(int count, double x, double y, double width, double height, std::string_view css,
                    std::string_view tooltip) {
  std::vector<corners> parts;
  for (int i = 0; i < count; ++i)
    parts.push_back({tenths(x + i * width), tenths(y), tenths(x + (i + 1) * width), tenths(y + height)});
  add(true, css, tooltip, parts);
  reach(x + count * width, y + height);
}

void picture::line(double x1, double y1, double x2, double y2, std::string_view css) {
  add(false, css, {}, {{tenths(x1), tenths(y1), tenths(x2), tenths(y2)}});
  reach(std::max(x1, x2), std::max(y1, y2));
}

std::string picture::document(std::string_view name) const {
  std::set<std::string> used = {"page"};
  const auto use = [&](const std::string& css) {
    for (std::size_t begin = 0, end; begin < css.size(); begin = end + 1) {
      end = std::min(css.find(' ', begin), css.size());
      used.insert(css.substr(begin, end - begin));
    }
  };
  std::string body;
  for (const shape& each : shapes_) {
    use(each.css);
    const std::string d = each.cells ? cells_path(each.parts, each.css == "ghost") : lines_path(each.parts);
    body += "<path" + class_attribute(each.css) + " d=\"" + d + "\"";
    body += each.tooltip.empty() ? "/>\n" : ">" + title_element(each.tooltip) + "</path>\n";
  }
  for (const row& each : rows_) {
    use(each.css);
    const word& first = each.words.front();
    constexpr const char* anchors[] = {"", " text-anchor=\"middle\"", " text-anchor=\"end\""};
    const std::string y = " y=\"" + number(each.y) + "\"", css = class_attribute(each.css);
    if (each.words.size() == 1) {
      body += "<text x=\"" + number(first.x) + "\"" + y + anchors[static_cast<int>(each.where)] + css + ">" +
              title_element(first.tooltip) + escaped(first.text) + "</text>\n";
      continue;
    }
    // With spaces between the words, for who copies them. A space would be a part of what is centered:
    // so each word has its left end.
    body += "<text" + y + css + ">";
    for (const word& w : each.words) {
      const double left = w.x - svg::monospace_width(w.text, size_of(each.css)) * 0.6 / 0.61 / 2;
      body += (&w == &first ? "<tspan x=\"" : " <tspan x=\"") + number(left) + "\">" +
              title_element(w.tooltip) + escaped(w.text) + "</tspan>";
    }
    body += "</text>\n";
  }
  const std::string width = number(std::ceil(right_ + margin)), height = number(std::ceil(bottom_ + margin));
  const std::string prefix = name.empty() ? "" : std::string(name) + "_";
  return "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + width + "\" height=\"" + height +
         "\" viewBox=\"0 0 " + width + " " + height + "\" role=\"img\" aria-labelledby=\"" + prefix +
         "title " + prefix + "description\">\n<title id=\"" + prefix + "title\">" + escaped(title_) +
         "</title>\n<desc id=\"" + prefix + "description\">" + escaped(description_) + "</desc>\n" +
         (name.empty() ? "<style>\n" + style_of([&](const std::string& css) { return used.contains(css); }) +
                             "</style>\n"
                       : "") +
         "<rect class=\"page\" width=\"100%\" height=\"100%\"/>\n" + body + "</svg>\n";
}

int picture_main(int count, char** words, const std::string& usage,
                 const std::function<std::string(std::string_view)>& draw) {
  std::istringstream named(usage);
  std::string program, which, file;
  named >> program >> which >> file;
  const bool chooses = !file.empty();
  const std::string_view chosen = chooses && count == 3 ? words[1] : "";
  const bool known = which.find('|') == which.npos ||
                     ("|" + which + "|").find("|" + std::string(chosen) + "|") != which.npos;
  try {
    if (count != (chooses ? 3 : 2) || (chooses && !known)) throw std::invalid_argument("usage: " + usage);
    return (std::ofstream(words[count - 1]) << draw(chosen) << std::flush) ? 0 : 1;
  } catch (const std::exception& error) {
    std::cerr << error.what() << "\n";
    return 1;
  }
}

}  // namespace cuda_emulator::draw
