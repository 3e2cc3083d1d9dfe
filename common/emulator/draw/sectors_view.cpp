// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <iterator>
#include <map>
#include <set>

#include "views.hpp"

namespace cuda_emulator::draw {
namespace {

constexpr double page_width = 32 * 25, lane_height = 22, sector_height = 24, wires = 66;
constexpr std::uint64_t sector_bytes = 32;

/// One request: lanes above, sectors below.
void draw_sectors(picture& to, double left, const traced_launch& launch, const choice& what,
                  const traced_request& request) {
  std::map<std::uint64_t, double> sectors;  // number, x
  std::set<std::uint64_t> used;             // bytes
  for (const traced_access& each : request.accesses) {
    sectors[each.address / sector_bytes] = 0;
    for (unsigned b = 0; b < request.bytes; ++b) used.insert(each.address + b);
  }
  if (sectors.size() != request.parts)
    throw drawing_error("the request at " + request.place + " touches " + std::to_string(sectors.size()) +
                        " sectors, and the trace counts " + std::to_string(request.parts));
  const std::size_t array = request.accesses.front().array;
  const traced_array& a = launch.arrays[array];
  const std::string css = color(launch, array), name = what.name(a);

  double y = to.bottom() + 30;
  to.text(margin, y,
          request_text(launch, what, request) + " · " + short_place(request.place) + " · warp " +
              std::to_string(request.warp) + ", " + std::to_string(request.accesses.size()) +
              (request.accesses.size() == 1 ? " lane" : " lanes"));
  y += 22;
  to.text(left - 8, y + 10, "lane", "dim", anchor::end);
  to.text(left - 8, y + 29, name, "small", anchor::end);
  for (int lane = 0; lane < 32; ++lane)
    to.text(left + lane * 25 + 12.5, y + 10, std::to_string(lane), "dim", anchor::middle);
  const double lanes_y = y + 15;
  std::set<int> taking_part;
  for (const traced_access& each : request.accesses) {
    taking_part.insert(each.lane());
    to.cell(left + each.lane() * 25, lanes_y, 25, lane_height, css,
            std::to_string(each.index - common_part(request)),
            "thread " + std::to_string(each.thread) + ": " + name + "[" + std::to_string(each.index) + "]");
  }
  for (int lane = 0; lane < 32; ++lane)
    if (!taking_part.contains(lane)) to.cell(left + lane * 25, lanes_y, 25, lane_height, "empty");

  // Sectors in the order of addresses; a gap where some lie between that nobody touches.
  constexpr double gap = 12;
  std::size_t gaps = 0;
  std::uint64_t before = sectors.begin()->first;
  for (const auto& [number, x] : sectors) {
    gaps += number > before + 1;
    before = number;
  }
  const double each_gap = sectors.size() > 20 ? std::min(gap, 3.0) : gap;
  const double sector_width = std::min(
      160.0, (page_width - each_gap * static_cast<double>(gaps)) / static_cast<double>(sectors.size()));
  double x = left;
  before = sectors.begin()->first;
  for (auto& [number, place] : sectors) {
    if (number > before + 1) x += each_gap;
    place = x;
    x += sector_width;
    before = number;
  }

  const double sectors_y = lanes_y + lane_height + wires;
  // Several elements of an access, or the member of one that is a structure.
  const std::uint64_t piece = std::min<std::uint64_t>(a.element_size, request.bytes);
  const double slot = sector_width * static_cast<double>(piece) / sector_bytes;
  for (const traced_access& each : request.accesses) {
    const double within = static_cast<double>(each.address % sector_bytes) / sector_bytes * sector_width;
    const double wide = static_cast<double>(request.bytes) / sector_bytes * sector_width;
    to.line(left + each.lane() * 25 + 12.5, lanes_y + lane_height,
            sectors[each.address / sector_bytes] + within + wide / 2, sectors_y, "wire wire_" + css);
  }
  to.text(left - 8, sectors_y + 16, "sector", "dim", anchor::end);
  std::map<std::uint64_t, std::uint64_t> element_at;  // by address
  for (const traced_access& each : request.accesses)
    for (std::uint64_t b = 0; b < request.bytes; b += piece)
      element_at[each.address + b] = each.index + b / a.element_size;
  std::string widest;
  for (const auto& [address, index] : element_at)
    if (const std::string text = std::to_string(index - common_part(request)); text.size() > widest.size())
      widest = text;
  const bool has_room = text_width(widest, 9) <= slot - 1;

  for (const auto& [number, place] : sectors) to.cell(place, sectors_y, sector_width, sector_height, "empty");
  for (const auto& [number, place] : sectors) {
    const std::uint64_t begin = number * sector_bytes;
    const auto end = element_at.lower_bound(begin + sector_bytes);
    for (auto at = element_at.lower_bound(begin); at != end; ++at) {
      const auto element = [&](std::uint64_t index) { return name + "[" + std::to_string(index) + "]"; };
      std::string tip = element(at->second);
      const double x = place + static_cast<double>(at->first - begin) / sector_bytes * sector_width;
      if (has_room) {
        to.cell(x, sectors_y, slot, sector_height, css, std::to_string(at->second - common_part(request)),
                tip, widest);
        continue;
      }
      // Neighbors are told together: none of them has room for a pointer.
      int count = 1;
      for (auto next = std::next(at); next != end && next->first == at->first + piece; ++next, ++at, ++count)
        tip += " " + element(next->second);
      to.cells(count, x, sectors_y, slot, sector_height, css, tip);
    }
  }
  for (const auto& [number, place] : sectors)
    to.cell(place, sectors_y - 2, sector_width, sector_height + 4, "frame");
  const std::size_t moved = sectors.size() * sector_bytes;
  to.text(left, sectors_y + sector_height + 18,
          std::to_string(sectors.size()) + (sectors.size() == 1 ? " sector: " : " sectors: ") +
              std::to_string(moved) + " bytes are moved, " + std::to_string(used.size()) +
              " of them are asked for");
}

}  // namespace

std::string sectors_view(const traced_launch& launch, const choice& what) {
  const auto requests = representative(launch, what, memory::global);
  std::string description =
      "The lanes of a warp of " + launch.kernel + " and the sectors of 32 bytes that they touch.";
  for (const traced_request* each : requests)
    description += " " + std::string(name_of(each->type)) + " of " +
                   what.name(launch.arrays[each->accesses.front().array]) + " at " +
                   short_place(each->place) + ": " + std::to_string(each->parts) +
                   (each->parts == 1 ? " sector." : " sectors.");
  picture to(launch.kernel + ", " + block_text(launch), description);
  std::map<std::string, std::string> seen;
  for (const traced_request* each : requests) {
    draw_sectors(to, cells_begin(launch, what, requests), launch, what, *each);
    const std::string css = color(launch, each->accesses.front().array);
    seen[css] = css == "output" ? "global memory, output" : "global memory, input";
  }
  std::vector<std::pair<std::string, std::string>> entries(seen.begin(), seen.end());
  entries.emplace_back("empty", "moved, and not asked for by this request");
  legend(to, to.bottom() + 16, entries);
  return to.document(what.within_page);
}

}  // namespace cuda_emulator::draw
