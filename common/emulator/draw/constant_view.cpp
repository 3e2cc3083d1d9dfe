// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <map>
#include <vector>

#include "views.hpp"

namespace cuda_emulator::draw {
namespace {

constexpr double word_width = 25, word_height = 21, turn_height = 17;

/// One address, and the lanes that want it: they are served together.
struct turn {
  std::uint64_t index;
  std::vector<int> lanes;
};

/// In the order of the first lane of each.
std::vector<turn> turns_of(const traced_request& request) {
  std::vector<turn> result;
  std::map<std::uint64_t, std::size_t> by_address;
  for (const traced_access& each : request.accesses) {
    const auto [found, fresh] = by_address.try_emplace(each.address, result.size());
    if (fresh) result.push_back({each.index, {}});
    result[found->second].lanes.push_back(each.lane());
  }
  return result;
}

/// What of the legend is needed.
struct seen {
  bool waited = false, idle = false;
};

void draw_read(picture& to, double left, const traced_launch& launch, const choice& what,
               const traced_request& request, seen& what_is) {
  const std::vector<turn> turns = turns_of(request);
  if (turns.size() != request.parts)
    throw drawing_error("the request at " + request.place + " is for " + std::to_string(turns.size()) +
                        " addresses, and the trace counts " + std::to_string(request.parts));
  const std::string name = what.name(launch.arrays[request.accesses.front().array]);
  double y = lanes_row(to, left, launch, what, request, word_width, word_height, "constant",
                       std::to_string(turns.size()) +
                           (turns.size() == 1 ? " address, one turn" : " addresses, as many turns"));
  y += word_height + 12;
  for (std::size_t t = 0; t < turns.size(); ++t, y += turn_height) {
    to.text(left - 8, y + 13, "turn " + std::to_string(t + 1), "dim", anchor::end);
    const std::string text = std::to_string(turns[t].index - common_part(request));
    for (int lane = 0; lane < 32; ++lane) {
      const bool served =
          std::find(turns[t].lanes.begin(), turns[t].lanes.end(), lane) != turns[t].lanes.end();
      to.cell(
          left + lane * word_width, y, word_width, turn_height,
          !served  ? "empty"
          : t == 0 ? "constant"
                   : "conflict",
          served ? text : "",
          served ? name + "[" + std::to_string(turns[t].index) + "] for lane " + std::to_string(lane) : "");
    }
  }
  what_is.waited |= turns.size() > 1;
  what_is.idle |= turns.size() > 1 || request.accesses.size() < 32;
}

}  // namespace

std::string constant_view(const traced_launch& launch, const choice& what) {
  const auto requests = representative(launch, what, memory::constant);
  std::string description = "The lanes of a warp of " + launch.kernel +
                            " and the elements of constant memory that they want, a row for each turn.";
  for (const traced_request* each : requests)
    description += " " + std::string(name_of(each->type)) + " of " +
                   what.name(launch.arrays[each->accesses.front().array]) + " at " +
                   short_place(each->place) + ": " + std::to_string(each->parts) +
                   (each->parts == 1 ? " turn." : " turns.");
  picture to(launch.kernel + ", " + block_text(launch), description);
  seen what_is;
  for (const traced_request* each : requests)
    draw_read(to, cells_begin(launch, what, requests), launch, what, *each, what_is);
  std::vector<std::pair<std::string, std::string>> entries = {
      {"constant", "gets its word in the first turn"}};
  if (what_is.waited) entries.emplace_back("conflict", "had to wait for its turn");
  if (what_is.idle) entries.emplace_back("empty", "not served in this turn");
  legend(to, to.bottom() + 18, entries);
  return to.document(what.within_page);
}

}  // namespace cuda_emulator::draw
