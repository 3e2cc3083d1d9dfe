// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <vector>

#include "views.hpp"

namespace cuda_emulator::draw {
namespace {

constexpr double texel_width = 46, texel_height = 34;
constexpr std::int64_t most_cells = 1200, most_threads_named = 3;

/// Of one axis or of both.
struct place {
  std::int64_t x = 0, y = 0;
  friend bool operator<(const place& a, const place& b) { return a.y != b.y ? a.y < b.y : a.x < b.x; }
  friend bool operator==(const place&, const place&) = default;
};

/// What of one texture was chosen: where threads ask, and what they read.
struct fetches {
  std::map<place, std::set<int>> threads;  // by the texel whose area they ask in
  std::map<place, std::set<place>> read;   // from there
  std::set<place> texels;                  // that are read at all
  bool filtered = false;                   // someone mixes texels
  std::set<std::string> places;            // in the source
};

place place_of(const traced_array& texture, std::uint64_t index) {
  return {static_cast<std::int64_t>(index % texture.extent[0]),
          static_cast<std::int64_t>(index / texture.extent[0])};
}

std::map<std::size_t, fetches> chosen_fetches(const traced_launch& launch, const choice& what) {
  std::map<std::size_t, fetches> result;
  for (std::size_t r = 0; r < launch.requests.size(); ++r) {
    const traced_request& request = launch.requests[r];
    if (request.where != memory::texture || (what.request && *what.request != r)) continue;
    for (const traced_sample& each : request.samples) {
      traced_access as_access;
      as_access.array = each.array;
      if (!what.has(launch, request, as_access)) continue;
      const traced_array& texture = launch.arrays[each.array];
      if (texture.extent[2] > 1)
        throw drawing_error("the texture " + what.name(texture) +
                            " has three dimensions, and a picture of texels two");
      fetches& to = result[each.array];
      const place asked = {static_cast<std::int64_t>(std::floor(each.point[0])),
                           static_cast<std::int64_t>(std::floor(each.point[1]))};
      to.places.insert(short_place(request.place));
      to.threads[asked].insert(each.thread);
      int texels = 0;
      for (const traced_access& access : request.accesses) {
        if (access.thread != each.thread || access.array != each.array) continue;
        const place at = place_of(texture, access.index);
        to.read[asked].insert(at);
        to.texels.insert(at);
        ++texels;
      }
      to.filtered |= texels > 1;
    }
  }
  return result;
}

std::string text_of(const place& at, bool rows) {
  return rows ? std::to_string(at.x) + ", " + std::to_string(at.y) : std::to_string(at.x);
}

std::string threads_text(const std::set<int>& threads) {
  if (static_cast<std::int64_t>(threads.size()) > most_threads_named)
    return std::to_string(threads.size()) + "x";
  std::string text;
  for (const int thread : threads) text += (text.empty() ? "" : " ") + std::to_string(thread);
  return text;
}

/// Returns whether there is a texel that nobody reads.
bool draw_texture(picture& to, const traced_launch& launch, const choice& what, std::size_t array,
                  const fetches& all) {
  const traced_array& texture = launch.arrays[array];
  const bool rows = texture.extent[1] > 1;
  place low = all.threads.begin()->first, high = low;
  const auto widen = [&](const place& at) {
    low = {std::min(low.x, at.x), std::min(low.y, at.y)};
    high = {std::max(high.x, at.x), std::max(high.y, at.y)};
  };
  for (const auto& [at, threads] : all.threads) widen(at);
  for (const place& at : all.texels) widen(at);
  if (high.x - low.x > most_cells || high.y - low.y > most_cells ||
      (high.x - low.x + 1) * (high.y - low.y + 1) > most_cells)
    throw drawing_error("the fetches from " + what.name(texture) + " reach over " +
                        std::to_string(high.x - low.x + 1) + " x " + std::to_string(high.y - low.y + 1) +
                        " texels, and a picture can be read with up to " + std::to_string(most_cells) +
                        ": run with a smaller texture, or choose with --array, --warp, --request");

  double y = to.bottom() + 30;
  std::string where;
  for (const std::string& each : all.places) where += " · " + each;
  to.text(margin, y,
          "fetch " + what.name(texture) + where + " · " + std::to_string(texture.extent[0]) +
              (rows ? " x " + std::to_string(texture.extent[1]) : "") + " texels");
  y += 26;
  const double left = margin + text_width("y = " + std::to_string(high.y), 11) + 10;
  bool unread = false;
  const auto x_of = [&](std::int64_t x) { return left + static_cast<double>(x - low.x) * texel_width; };
  const auto y_of = [&](std::int64_t at) { return y + static_cast<double>(at - low.y) * texel_height; };
  for (std::int64_t x = low.x; x <= high.x; ++x)
    to.text(x_of(x) + texel_width / 2, y - 7, "x = " + std::to_string(x), "dim", anchor::middle);
  for (std::int64_t row = low.y; row <= high.y; ++row) {
    if (rows) to.text(left - 8, y_of(row) + 21, "y = " + std::to_string(row), "dim", anchor::end);
    for (std::int64_t x = low.x; x <= high.x; ++x) {
      const place at = {x, row};
      const bool exists = 0 <= x && x < static_cast<std::int64_t>(texture.extent[0]) && 0 <= row &&
                          row < static_cast<std::int64_t>(texture.extent[1]);
      unread |= exists && !all.texels.contains(at);
      const auto asked = all.threads.find(at);
      if (!exists && asked == all.threads.end()) continue;
      to.cell(x_of(x), y_of(row), texel_width, texel_height,
              !exists                   ? "ghost"
              : all.texels.contains(at) ? "texture"
                                        : "empty");
      if (asked == all.threads.end()) continue;
      const auto read = all.read.find(at);
      std::string tip = "threads";
      for (const int thread : asked->second) tip += " " + std::to_string(thread);
      tip += read == all.read.end() ? ": border" : ":";
      if (read != all.read.end())
        for (const place& each : read->second) tip += " (" + text_of(each, rows) + ")";
      // Which texel it gets is said where that is another one.
      const bool other = read == all.read.end() || read->second != std::set<place>{at};
      const double middle = x_of(x) + texel_width / 2;
      to.text(middle, y_of(row) + (other ? 15 : 21), threads_text(asked->second), "", anchor::middle, tip);
      if (!other) continue;
      const std::string gets = read == all.read.end()     ? "border"
                               : read->second.size() == 1 ? text_of(*read->second.begin(), rows)
                                                          : std::to_string(read->second.size()) + " mixed";
      to.text(middle, y_of(row) + 28, gets, "tiny", anchor::middle);
    }
  }
  return unread;
}

}  // namespace

std::string texels_view(const traced_launch& launch, const choice& what) {
  const std::map<std::size_t, fetches> textures = chosen_fetches(launch, what);
  if (textures.empty())
    throw nothing_to_see("launch " + std::to_string(launch.number) + " (" + launch.kernel +
                         ") has no fetch from a texture that was chosen");
  std::string description = "The texels that " + block_text(launch) + " of " + launch.kernel +
                            " fetches, with the numbers of the threads where they ask.";
  bool outside = false, unread = false, filtered = false;
  for (const auto& [array, all] : textures) {
    const traced_array& texture = launch.arrays[array];
    description += " " + what.name(texture) + ": " + std::to_string(all.texels.size()) +
                   (all.texels.size() == 1 ? " texel is read." : " texels are read.");
    filtered |= all.filtered;
    for (const auto& [at, threads] : all.threads)
      outside |= at.x < 0 || at.y < 0 || at.x >= static_cast<std::int64_t>(texture.extent[0]) ||
                 at.y >= static_cast<std::int64_t>(texture.extent[1]);
  }
  picture to(launch.kernel + ", " + block_text(launch) + ": which thread asks for which texel", description);
  for (const auto& [array, all] : textures) unread |= draw_texture(to, launch, what, array, all);
  std::vector<std::pair<std::string, std::string>> entries = {
      {"texture", filtered ? "texel that is read; the threads that ask in its area"
                           : "texel, and the threads that ask for it"}};
  if (outside) entries.emplace_back("ghost", "outside: threads, and what they get");
  if (unread) entries.emplace_back("empty", "texel that is not read");
  legend(to, to.bottom() + 18, entries);
  return to.document(what.within_page);
}

}  // namespace cuda_emulator::draw
