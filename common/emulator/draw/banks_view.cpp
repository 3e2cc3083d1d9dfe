// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <map>
#include <vector>

#include "views.hpp"

namespace cuda_emulator::draw {
namespace {

constexpr double cell_width = 25, cell_height = 21;
constexpr unsigned banks = 32;

/// A word of 4 bytes, and who gets it.
struct served {
  std::uint64_t word;
  std::vector<int> lanes;
  bool waited;  // the bank had another word to serve first
};
/// One pass through the banks: what each of them serves; at most one word.
using wavefront = std::map<unsigned, served>;

bool in_pairs(const traced_request& request, int step) {
  std::map<int, std::uint64_t> address;
  for (const traced_access& each : request.accesses) address[each.lane()] = each.address;
  return std::all_of(address.begin(), address.end(), [&](const auto& each) {
    const auto other = address.find(each.first ^ step);
    return other == address.end() || other->second == each.second;
  });
}

/// As the emulated device counts (see "What it counts" in counts.md), with the lanes that each turn serves.
std::vector<wavefront> wavefronts(const traced_request& request) {
  int lanes_at_once = request.bytes <= 4 ? 32 : request.bytes == 8 ? 16 : 8;
  if (request.type == access_type::load && request.bytes > 4 &&
      (in_pairs(request, 1) || in_pairs(request, 2)))
    lanes_at_once *= 2;
  std::vector<wavefront> result;
  for (int first = 0; first < 32; first += lanes_at_once) {
    std::map<std::uint64_t, std::vector<int>> words;
    for (const traced_access& each : request.accesses) {
      if (each.lane() < first || each.lane() >= first + lanes_at_once) continue;
      for (std::uint64_t w = each.address / 4; w <= (each.address + request.bytes - 1) / 4; ++w)
        words[w].push_back(each.lane());
    }
    const std::size_t begin = result.size();
    std::size_t turns[banks] = {};
    for (const auto& [word, lanes] : words) {
      const unsigned bank = word % banks;
      const std::size_t turn = turns[bank]++;
      if (begin + turn == result.size()) result.emplace_back();
      result[begin + turn].emplace(bank, served{word, lanes, turn > 0});
    }
  }
  return result;
}

/// "3", "0-31", "0 2 4": as short as it goes; empty where it does not fit.
std::string lanes_text(const std::vector<int>& lanes) {
  if (lanes.size() == 1) return std::to_string(lanes.front());
  const bool row = lanes.back() - lanes.front() + 1 == static_cast<int>(lanes.size());
  return row ? std::to_string(lanes.front()) + "-" + std::to_string(lanes.back())
             : std::to_string(lanes.size()) + "x";
}

/// Returns whether something had to wait.
bool draw_request(picture& to, double left, const traced_launch& launch, const choice& what,
                  const traced_request& request) {
  const std::vector<wavefront> turns = wavefronts(request);
  if (turns.size() != request.parts)
    throw drawing_error("the request at " + request.place + " takes " + std::to_string(turns.size()) +
                        " wavefronts, and the trace counts " + std::to_string(request.parts));
  double y = lanes_row(to, left, launch, what, request, cell_width, cell_height, "shared",
                       std::to_string(turns.size()) + (turns.size() == 1 ? " wavefront" : " wavefronts"));
  y += cell_height + 20;
  to.text(left - 8, y, "bank", "dim", anchor::end);
  for (unsigned bank = 0; bank < banks; ++bank)
    to.text(left + bank * cell_width + cell_width / 2, y, std::to_string(bank), "dim", anchor::middle);
  y += 5;
  bool waited = false;
  for (std::size_t turn = 0; turn < turns.size(); ++turn, y += cell_height) {
    to.text(left - 8, y + 15, "turn " + std::to_string(turn + 1), "dim", anchor::end);
    for (unsigned bank = 0; bank < banks; ++bank) {
      const auto found = turns[turn].find(bank);
      const double x = left + bank * cell_width;
      if (found == turns[turn].end()) {
        to.cell(x, y, cell_width, cell_height, "empty");
        continue;
      }
      waited |= found->second.waited;
      const std::string lanes = lanes_text(found->second.lanes);
      to.cell(x, y, cell_width, cell_height, found->second.waited ? "conflict" : "shared", lanes,
              "word " + std::to_string(found->second.word) + " for lane " + lanes);
    }
  }
  return waited;
}

}  // namespace

std::string banks_view(const traced_launch& launch, const choice& what) {
  const auto requests = representative(launch, what, memory::shared);
  std::string description = "The 32 banks of shared memory in " + launch.kernel +
                            ", a row for each turn, the lanes that it serves in the cells.";
  for (const traced_request* each : requests)
    description += " " + std::string(name_of(each->type)) + " of " +
                   what.name(launch.arrays[each->accesses.front().array]) + " at " +
                   short_place(each->place) + ": " + std::to_string(each->parts) +
                   (each->parts == 1 ? " wavefront." : " wavefronts.");
  picture to(launch.kernel + ", " + block_text(launch), description);
  bool waited = false;
  for (const traced_request* each : requests)
    waited |= draw_request(to, cells_begin(launch, what, requests), launch, what, *each);
  std::vector<std::pair<std::string, std::string>> entries = {{"shared", "lane that the bank serves"}};
  if (waited) entries.emplace_back("conflict", "had to wait for the bank");
  entries.emplace_back("empty", "bank has nothing to do");
  legend(to, to.bottom() + 18, entries);
  return to.document(what.within_page);
}

}  // namespace cuda_emulator::draw
