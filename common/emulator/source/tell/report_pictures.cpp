// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "report_pictures.hpp"

#include <algorithm>
#include <sstream>
#include <utility>

#include "steps_page.hpp"
#include "timeline_view.hpp"
#include "views.hpp"

namespace cuda_emulator {
namespace {

// A picture of more cells is for a page of its own: chapters/draw.
constexpr std::size_t most_cells = 400, most_requests = 8;

using view = std::string (*)(const draw::traced_launch&, const draw::choice&);

/// Parts of a launch, the largest first, and how to call them.
std::vector<std::pair<draw::choice, std::string>> parts_of(const draw::traced_launch& launch, int warp) {
  std::vector<std::pair<draw::choice, std::string>> result;
  const int threads = static_cast<int>(launch.block[0] * launch.block[1] * launch.block[2]);
  const std::string warps = " of " + std::to_string((threads + 31) / 32);
  draw::choice what;
  result.emplace_back(what, "");
  const auto first = std::find_if(launch.requests.begin(), launch.requests.end(),
                                  [&](const draw::traced_request& each) { return each.warp == warp; });
  const draw::traced_request& shown = first == launch.requests.end() ? launch.requests.front() : *first;
  what.warp = shown.warp;
  std::string words = "Only warp " + std::to_string(*what.warp) + warps;
  if (threads > 32) result.emplace_back(what, words + ": all of the block would be too large for this page.");
  what.interval = shown.interval;
  words = threads > 32 ? words + ", and only what" : "Only what";
  words += *what.interval == 0 ? " comes before the first barrier"
                               : " comes after the barrier " + std::to_string(*what.interval);
  result.emplace_back(what, words + ": more would be too large for this page.");
  what.interval.reset();
  for (const draw::traced_array& array : launch.arrays) {
    what.arrays = {array.name};
    result.emplace_back(
        what, (threads > 32 ? "Only warp " + std::to_string(*what.warp) + warps + ", and only " : "Only ") +
                  array.name + ": more would be too large for this page.");
  }
  return result;
}

/// "--warp 0 --interval 1 --array x", as chapters/draw takes it.
std::string options_of(const draw::choice& what) {
  std::string text;
  if (what.warp) text += " --warp " + std::to_string(*what.warp);
  if (what.interval) text += " --interval " + std::to_string(*what.interval);
  for (const std::string& array : what.arrays) text += " --array " + array;
  return text.empty() ? text : text.substr(1);
}

/// The first part of the launch that the view takes. Kernels in which no part of it is small enough: `why`
/// says so.
void add(reported_kernel& to, const draw::traced_launch& launch, const std::string& name, const char* title,
         const char* view_name, view draw, int warp, std::string& why) {
  for (auto& [what, words] : parts_of(launch, warp)) {
    what.most_cells = most_cells;
    what.most_requests = most_requests;
    what.within_page = name;
    try {
      std::string svg = draw(launch, what);
      if (launch.cut)
        words += (words.empty() ? "" : " ") +
                 std::string("The block does more than a trace takes: this is its beginning.");
      to.pictures.push_back({title, words, view_name, options_of(what), std::move(svg)});
      return;
    } catch (const draw::drawing_error& error) {
      why = error.what();
    }
  }
}

}  // namespace

void draw_accesses(reported_kernel& to, const std::string& name, const std::string& trace, int warp) {
  try {
    std::istringstream in(trace);
    const std::vector<draw::traced_launch> launches = draw::read_trace(in, "the trace");
    if (launches.empty() || launches.front().requests.empty()) {
      to.without_pictures =
          "No picture: the first block of the first launch did not access memory, or did not come to it.";
      return;
    }
    const draw::traced_launch& launch = launches.front();
    const auto has = [&](draw::memory where) {
      return std::any_of(launch.requests.begin(), launch.requests.end(), [&](const draw::traced_request& r) {
        return r.where == where && r.type != draw::access_type::atomic && !r.accesses.empty();
      });
    };
    std::string why;
    add(to, launch, name + "_threads", "Which thread touches which element.", "threads", draw::threads_view,
        warp, why);
    if (has(draw::memory::global))
      add(to, launch, name + "_sectors",
          "Global memory: the lanes of a warp and the sectors that they touch.", "sectors",
          draw::sectors_view, warp, why);
    if (has(draw::memory::shared))
      add(to, launch, name + "_banks", "Shared memory: its 32 banks, a row for each wavefront.", "banks",
          draw::banks_view, warp, why);
    if (has(draw::memory::constant))
      add(to, launch, name + "_constant", "Constant memory: a row for each turn.", "constant",
          draw::constant_view, warp, why);
    if (has(draw::memory::texture))
      add(to, launch, name + "_texels",
          "Textures: the texels that fetches read, and the points that they ask for.", "texels",
          draw::texels_view, warp, why);
    try {
      if (!launch.steps.empty()) to.steps = draw::steps_page(launch, {});
    } catch (const draw::drawing_error&) {
      // too large: chapters/draw makes pages of parts
    }
    if (to.pictures.empty())
      to.without_pictures =
          "No picture: it would be too large for this page. chapters/draw draws parts of it.";
  } catch (const std::exception& error) {
    to.without_pictures = std::string("No picture: ") + error.what();
  }
}

std::string timeline_svg(const std::string& text) {
  if (text.empty()) return "";
  try {
    std::istringstream in(text);
    return draw::timeline_view(in, "the timeline", {}, 0, "timeline");
  } catch (const draw::drawing_error&) {
    return "";  // nothing was copied, and no kernel ran
  }
}

}  // namespace cuda_emulator
