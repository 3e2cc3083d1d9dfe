// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
//
// tile_pairs TRACE FILE.svg: chapter 03's pairs of tiles above the outputs that they belong to, from what the
// threads of merge_sums_kernel have loaded, with 'full' convolution: thread n owns output n.
#include <algorithm>
#include <map>
#include <set>

#include "picture.hpp"
#include "trace_file.hpp"

using namespace cuda_emulator::draw;

namespace {

constexpr int tile = 32, sums_per_pair = 64;
constexpr double per_output = 4.5, left = margin + 92, bar_height = 22;

/// The outputs that load sums of one half of a pair.
struct half {
  int first = 1 << 30, last = -1;
};

std::string draw(const traced_launch& launch) {
  std::map<int, half> firsts, seconds;  // by pair
  std::map<int, std::set<int>> sums;    // rows of outputs: how many sums an output in them adds up
  std::map<int, int> loads;             // by output
  for (const traced_request& request : launch.requests)
    for (const traced_access& access : request.accesses) {
      if (launch.arrays[access.array].name != "sums") continue;
      const int index = static_cast<int>(access.index), output = access.thread;
      half& to = (index % sums_per_pair < tile ? firsts : seconds)[index / sums_per_pair];
      to.first = std::min(to.first, output);
      to.last = std::max(to.last, output);
      ++loads[output];
    }
  if (firsts.empty()) throw drawing_error("no thread has loaded a sum");
  for (const auto& [output, count] : loads) sums[output / tile].insert(count);
  // A pair (ia, ib) is number ia * h_tiles + ib: those of ia == 0 begin further and further right.
  int h_tiles = 1;
  while (firsts.contains(h_tiles) && firsts[h_tiles].first > firsts[h_tiles - 1].first) ++h_tiles;
  const int rows = loads.rbegin()->first / tile + 1;

  picture to(
      "Pairs of tiles, and the outputs that their sums belong to",
      "Each pair of 32 samples and 32 taps is a bar of 64 sums above the outputs that they are added to. The "
      "second half of a pair lies where the first half of its neighbor lies.");
  double y = 52;
  const auto x_of = [](int output) { return left + output * per_output; };
  for (int row = 0; row < rows; ++row)
    to.text(x_of(row * tile), y, "y[" + std::to_string(row * tile) + "]", "dim");
  y += 8;
  const double top = y;
  const int pairs = firsts.rbegin()->first + 1;
  for (int ib = 0; ib < h_tiles; ++ib)
    for (int pair = ib; pair < pairs; pair += h_tiles) {
      to.text(left - 10, y + 15, "pair (" + std::to_string(pair / h_tiles) + ", " + std::to_string(ib) + ")",
              "small", anchor::end);
      const auto bar = [&](const half& each, const char* css, const char* name) {
        if (each.last >= 0)
          to.cell(x_of(each.first), y, (each.last - each.first + 1) * per_output, bar_height, css,
                  (each.last - each.first + 1) * per_output > 110 ? name : "");
      };
      bar(firsts[pair], "input", "first 32 sums");
      bar(seconds[pair], "input", "second 32 sums");
      y += bar_height + 3;
    }
  y += 6;
  to.text(left - 10, y + 15, "outputs", "small", anchor::end);
  for (int row = 0; row < rows; ++row) {
    const int last = std::min(row * tile + tile - 1, loads.rbegin()->first);
    std::string text = std::to_string(*sums[row].rbegin());
    text += text == "1" ? " sum each" : " sums each";
    to.cell(x_of(row * tile), y, (last - row * tile + 1) * per_output, bar_height, "output",
            (last - row * tile + 1) * per_output > 80 ? text : "");
  }
  for (int row = 0; row <= rows; ++row)
    if (row * tile <= loads.rbegin()->first)
      to.line(x_of(row * tile), top, x_of(row * tile), y + bar_height, "wire_ghost");
  return to.document();
}

}  // namespace

int main(int count, char** words) {
  return picture_main(count, words, "tile_pairs TRACE FILE.svg", [](std::string_view trace) {
    for (const traced_launch& launch : read_trace(trace))
      if (launch.is_of("merge_sums_kernel")) return draw(launch);
    throw drawing_error("the trace has no merge_sums_kernel");
  });
}
