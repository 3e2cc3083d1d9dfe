// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "views.hpp"

#include <algorithm>
#include <map>
#include <tuple>

namespace cuda_emulator::draw {

std::string choice::name(const traced_array& array) const {
  const auto found = names.find(array.name);
  return found == names.end() ? array.name : found->second;
}

bool choice::has(const traced_launch& launch, const traced_request& each, const traced_access& access) const {
  const traced_array& array = launch.arrays[access.array];
  return (arrays.empty() || arrays.contains(array.name) || arrays.contains(name(array))) &&
         (!warp || *warp == each.warp) && (!interval || *interval == each.interval);
}

std::string color(const traced_launch& launch, std::size_t array) {
  if (launch.arrays[array].where == memory::shared) return "shared";
  if (launch.arrays[array].where == memory::constant) return "constant";
  if (launch.arrays[array].where == memory::texture) return "texture";
  for (const traced_request& request : launch.requests)
    for (const traced_access& access : request.accesses)
      if (access.array == array && request.type != access_type::load) return "output";
  return "input";
}

std::string short_place(const std::string& place) { return place.substr(place.find_last_of('/') + 1); }

std::string block_text(const traced_launch& launch) {
  const auto index = [](const unsigned(&at)[3], int axes) {
    std::string text = std::to_string(at[0]);
    for (int axis = 1; axis < axes; ++axis) text += ", " + std::to_string(at[axis]);
    return axes > 1 ? "(" + text + ")" : text;
  };
  const int axes = launch.grid[2] > 1 ? 3 : launch.grid[1] > 1 ? 2 : 1;
  return "block " + index(launch.traced, axes) + " of " + index(launch.grid, axes);
}

void legend(picture& to, double y, const std::vector<std::pair<std::string, std::string>>& entries) {
  double x = margin;
  for (const auto& [css, text] : entries) {
    if (x > margin && x + 30 + text_width(text) > std::max(to.right(), 700.0)) x = margin, y += 24;
    to.cell(x, y, 18, 15, css);
    to.text(x + 25, y + 12, text);
    x += 25 + text_width(text) + 22;
  }
}

std::vector<const traced_request*> representative(const traced_launch& launch, const choice& what,
                                                  memory where) {
  if (what.request) {
    if (*what.request >= launch.requests.size() || launch.requests[*what.request].where != where)
      throw drawing_error("request " + std::to_string(*what.request) + " of launch " +
                          std::to_string(launch.number) + " is none to " + name_of(where) + " memory");
    return {&launch.requests[*what.request]};
  }
  std::vector<const traced_request*> result;
  // Parts of one access share a place and a type: the array tells some of them apart.
  const auto key = [](const traced_request& r) {
    return std::tuple(r.place, r.type, r.interval, r.accesses.front().array);
  };
  for (const traced_request& each : launch.requests) {
    if (each.where != where || each.type == access_type::atomic || each.accesses.empty() ||
        !what.has(launch, each, each.accesses.front()))
      continue;
    const auto same = std::find_if(result.begin(), result.end(),
                                   [&](const traced_request* r) { return key(*r) == key(each); });
    if (same == result.end())
      result.push_back(&each);
    else if (std::pair((*same)->accesses.size(), (*same)->parts) <
             std::pair(each.accesses.size(), each.parts))
      *same = &each;
  }
  if (result.empty())
    throw nothing_to_see("launch " + std::to_string(launch.number) + " (" + launch.kernel +
                         ") has no load or store of " + name_of(where) + " memory that was chosen");
  if (result.size() > what.most_requests)
    throw drawing_error("the picture would have " + std::to_string(result.size()) +
                        " requests, and has room for " + std::to_string(what.most_requests) +
                        ": choose with --array, --interval or --request");
  return result;
}

std::uint64_t common_part(const traced_request& request) {
  std::uint64_t least = ~std::uint64_t{0}, most = 0;
  for (const traced_access& each : request.accesses) {
    least = std::min(least, each.index);
    most = std::max(most, each.index);
  }
  return most < 10'000 ? 0 : least;
}

std::string request_text(const traced_launch& launch, const choice& what, const traced_request& request) {
  const std::uint64_t base = common_part(request);
  return std::string(name_of(request.type)) + " " + what.name(launch.arrays[request.accesses.front().array]) +
         (base == 0 ? "[...]" : "[" + std::to_string(base) + " + ...]");
}

double cells_begin(const traced_launch& launch, const choice& what,
                   const std::vector<const traced_request*>& requests) {
  double width = text_width("turn 32", 11);
  for (const traced_request* each : requests)
    width = std::max(width, text_width(what.name(launch.arrays[each->accesses.front().array]), 11));
  return margin + width + 10;
}

double lanes_row(picture& to, double left, const traced_launch& launch, const choice& what,
                 const traced_request& request, double cell_width, double cell_height,
                 const std::string& color, const std::string& result) {
  double y = to.bottom() + 30;
  to.text(margin, y,
          request_text(launch, what, request) + " · " + short_place(request.place) + " · warp " +
              std::to_string(request.warp) + ": " + result);
  y += 22;
  to.text(left - 8, y + 10, "lane", "dim", anchor::end);
  to.text(left - 8, y + 29, what.name(launch.arrays[request.accesses.front().array]), "small", anchor::end);
  for (int lane = 0; lane < 32; ++lane)
    to.text(left + lane * cell_width + cell_width / 2, y + 10, std::to_string(lane), "dim", anchor::middle);
  y += 15;
  std::map<int, std::uint64_t> index;
  for (const traced_access& each : request.accesses) index[each.lane()] = each.index;
  for (int lane = 0; lane < 32; ++lane) {
    const auto found = index.find(lane);
    to.cell(left + lane * cell_width, y, cell_width, cell_height, found == index.end() ? "empty" : color,
            found == index.end() ? "" : std::to_string(found->second - common_part(request)));
  }
  return y;
}

}  // namespace cuda_emulator::draw
