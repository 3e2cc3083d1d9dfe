// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "picture.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <utility>

namespace cuda_emulator::draw {
namespace {

/// One digit behind the point where it is needed; never "-0".
std::string number(double value) {
  const double tenths = std::round(value * 10);
  char text[32];
  std::snprintf(text, sizeof text, std::fmod(tenths, 10) == 0 ? "%.0f" : "%.1f",
                tenths == 0 ? 0.0 : tenths / 10);
  return text;
}

struct role {
  const char* name;
  const char *fill, *line;            // on light pages
  const char *dark_fill, *dark_line;  // on dark ones
};
// The hues of common/show/chart.cpp, pale behind text.
constexpr role roles[] = {{"input", "#cfe6f6", "#0072b2", "#0f3f5e", "#58b0ec"},
                          {"output", "#f3d7e8", "#b0508c", "#5a2748", "#e69ac9"},
                          {"shared", "#fbe0ca", "#d55e00", "#66330d", "#ff8d4d"},
                          {"constant", "#c9ecdd", "#007f5f", "#0c4637", "#33c7a0"},
                          {"texture", "#ded6f9", "#6a4fc0", "#392b70", "#b3a0ff"},
                          {"halo", "#fbf0bf", "#8a6500", "#4f4108", "#e3b341"},
                          {"ghost", "none", "#6e7781", "none", "#8b949e"},
                          {"conflict", "#f7c4c0", "#c0281f", "#6d1f1b", "#ff7b72"},
                          {"empty", "none", "#b3bcc6", "none", "#4d5661"}};

}  // namespace

std::string picture_style() {
  std::string light, dark;
  for (const role& each : roles) {
    const auto rules = [&](const char* fill, const char* line) {
      const std::string name = each.name;
      return "." + name + "{fill:" + fill + ";stroke:" + line + "}.wire_" + name + "{stroke:" + line + "}\n";
    };
    light += rules(each.fill, each.line);
    dark += rules(each.dark_fill, each.dark_line);
  }
  return "text{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,\"DejaVu Sans Mono\",\"Liberation "
         "Mono\",monospace;font-size:13px;fill:#1f2328}\n"
         "text.small{font-size:11px}\n"
         "text.tiny{font-size:9px}\n"
         "text.dim{font-size:11px;fill:#57606a}\n"
         "text.strong{font-weight:700}\n"
         ".page{fill:#ffffff}\n"
         "rect,path,line{stroke-width:1}\n"
         "rect.ghost{stroke-dasharray:3 2}\n"
         "rect.conflict{stroke-width:1.6}\n"
         "path,line,.frame{fill:none}\n"
         ".frame{stroke:#57606a;stroke-width:2}\n"
         ".wire{stroke-opacity:.75}\n"
         ".thick{stroke-width:2.5}\n"
         ".barrier{stroke:#57606a;stroke-width:2;stroke-dasharray:6 4}\n" +
         light +
         "@media (prefers-color-scheme:dark){\n"
         "text{fill:#e6edf3}\n"
         "text.dim{fill:#9aa4ae}\n"
         ".page{fill:#0d1117}\n"
         ".barrier,.frame{stroke:#9aa4ae}\n" +
         dark + "}\n.borderless{stroke:none}\n";
}

picture::picture(std::string title, std::string description)
    : title_(std::move(title)), description_(std::move(description)) {
  text(margin, 28, title_, "strong");
}

void picture::reach(double x, double y) {
  right_ = std::max(right_, x);
  bottom_ = std::max(bottom_, y);
}

void picture::text(double x, double y, std::string_view text, std::string_view css, anchor where) {
  constexpr const char* anchors[] = {"", " text-anchor=\"middle\"", " text-anchor=\"end\""};
  body_ += "<text x=\"" + number(x) + "\" y=\"" + number(y) + "\"" + anchors[static_cast<int>(where)];
  if (!css.empty()) body_ += " class=\"" + std::string(css) + "\"";
  body_ += ">" + escaped(text) + "</text>\n";
  const double width = text_width(text, css == "tiny" ? 9 : css == "small" || css == "dim" ? 11 : 13);
  reach(where == anchor::start ? x + width : where == anchor::middle ? x + width / 2 : x, y + 4);
}

void picture::cell(double x, double y, double width, double height, std::string_view css,
                   std::string_view text, std::string_view tooltip, std::string_view widest) {
  body_ += "<rect x=\"" + number(x) + "\" y=\"" + number(y) + "\" width=\"" + number(width) + "\" height=\"" +
           number(height) + "\" class=\"" + std::string(css) + "\"";
  body_ += tooltip.empty() ? "/>\n" : "><title>" + escaped(tooltip) + "</title></rect>\n";
  reach(x + width, y + height);
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
             anchor::middle);
}

void picture::line(double x1, double y1, double x2, double y2, std::string_view css) {
  body_ += "<line x1=\"" + number(x1) + "\" y1=\"" + number(y1) + "\" x2=\"" + number(x2) + "\" y2=\"" +
           number(y2) + "\" class=\"" + std::string(css) + "\"/>\n";
  reach(std::max(x1, x2), std::max(y1, y2));
}

void picture::path(std::string_view d, std::string_view css) {
  body_ += "<path d=\"" + std::string(d) + "\" class=\"" + std::string(css) + "\"/>\n";
}

std::string picture::document(std::string_view name) const {
  const std::string width = number(std::ceil(right_ + margin)), height = number(std::ceil(bottom_ + margin));
  const std::string prefix = name.empty() ? "" : std::string(name) + "_";
  return "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + width + "\" height=\"" + height +
         "\" viewBox=\"0 0 " + width + " " + height + "\" role=\"img\" aria-labelledby=\"" + prefix +
         "title " + prefix + "description\">\n<title id=\"" + prefix + "title\">" + escaped(title_) +
         "</title>\n<desc id=\"" + prefix + "description\">" + escaped(description_) + "</desc>\n" +
         (name.empty() ? "<style>\n" + picture_style() + "</style>\n" : "") +
         "<rect class=\"page\" width=\"100%\" height=\"100%\"/>\n" + body_ + "</svg>\n";
}

}  // namespace cuda_emulator::draw
