// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "size_sweep.hpp"
#include "common/files/numbers.hpp"

#include <algorithm>

namespace tutorial {

void size_sweep::add(const std::string& series, double size, double ms) { add_point(series, size, ms, true); }
void size_sweep::add_limit(const std::string& series, double size, double ms) {
  add_point(series, size, ms, false);
}

void size_sweep::add_point(const std::string& series, double size, double ms, bool markers) {
  if (!(ms > 0)) return;
  auto at =
      std::find_if(series_.begin(), series_.end(), [&](const auto& each) { return each.name == series; });
  if (at == series_.end())
    at = series_.insert(at, {.name = series, .points = {}, .line = true, .markers = markers});
  at->points.push_back({size, ms});
}

void size_sweep::show(chapter_run& run, const std::string& picture_name) const {
  if (series_.empty() || run.failed()) return;
  for (const chart_series& each : series_)
    for (const chart_point& point : each.points)
      run.record({{"table", "sweep"},
                  {"sweep_of", name_},
                  {"sweep_size", fixed(point.x, 0)},
                  {"label", each.name},
                  {"sweep_ms", exact_digits(point.y)}});
  run.draw({.title = title_,
            .description =
                "Time in ms against " + size_label_ +
                ", one line for each version, on two logarithmic axes. Small workloads take as long as a "
                "launch, and large ones as long as their work.",
            .x = {.label = size_label_, .scale = axis_scale::log2},
            .y = {.label = "time (ms)", .scale = axis_scale::log10},
            .series = series_},
           picture_name);
}

std::vector<std::size_t> growing_sizes(std::size_t first, std::size_t last) {
  std::vector<std::size_t> sizes;
  for (std::size_t size = first; size <= last; size *= 4) sizes.push_back(size);
  return sizes;
}

}  // namespace tutorial
