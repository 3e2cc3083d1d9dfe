// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "timeline_view.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <fstream>
#include <sstream>
#include <vector>

#include "picture.hpp"
#include "trace_file.hpp"

namespace cuda_emulator::draw {
namespace {

constexpr double width = 720, row_height = 34, row_step = 46, kernel_width = 9;
constexpr std::size_t most_operations = 600;

enum engine { up, kernels, down, within };
constexpr std::array<const char*, 4> row_names = {"copies up", "kernels", "copies down", "other copies"};
constexpr std::array<const char*, 4> colors = {"input", "shared", "output", "halo"};

struct timed_operation {
  engine by{};
  int device = 0;
  std::uint64_t begin = 0, end = 0, bytes_up = 0, bytes_down = 0;
  std::string text;  ///< "stream 2 at a.cu:12: kernel scale_kernel"
};

/// "up begin 0 end 400 up 400 down 0 within 0 in stream 1 at a.cu:7: cudaMemcpyAsync()"
std::vector<timed_operation> read_timeline(std::istream& in, const std::string& name) {
  std::string line;
  if (!std::getline(in, line) || line != "emulator-timeline 1")
    throw drawing_error(name +
                        " is no timeline: a program on the emulated device writes one with "
                        "EMULATOR_TIMELINE=FILE.timeline");
  std::vector<timed_operation> result;
  for (int number = 2; std::getline(in, line); ++number) {
    std::istringstream words(line);
    std::string kind, word;
    words >> kind;
    if (kind == "end") return result;
    timed_operation each;
    std::uint64_t bytes_within = 0;
    words >> word >> each.begin >> word >> each.end >> word >> each.bytes_up >> word >> each.bytes_down >>
        word >> bytes_within >> word;
    if (word == "device") words >> each.device >> word;
    words >> std::ws;
    std::getline(words, each.text);
    // "stream 2 at a.cu:12: ...", without the folders: pictures are the same wherever they are made.
    if (const std::size_t at = each.text.find(" at "), end = each.text.rfind(": ");
        end != each.text.npos && at < end)
      if (const std::size_t slash = each.text.rfind('/', end); slash != each.text.npos && slash > at)
        each.text.erase(at + 4, slash + 1 - (at + 4));
    if (!words && each.text.empty())
      throw drawing_error(name + ":" + std::to_string(number) + " is no line of a timeline");
    if (kind == "other") continue;
    each.by = kind == "up" ? up : kind == "down" ? down : kind == "kernel" ? kernels : within;
    result.push_back(each);
  }
  throw drawing_error(name + " ends too early: has the program ended?");
}

std::string bytes_text(std::uint64_t bytes) {
  std::string digits = std::to_string(bytes);
  for (std::size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, ",");
  return digits + (bytes == 1 ? " byte" : " bytes");
}

}  // namespace

std::string timeline_view(const std::filesystem::path& file, const std::string& title, std::uint64_t bytes) {
  std::ifstream in(file);
  if (!in) throw drawing_error(file.string() + " cannot be read");
  return timeline_view(in, file.string(), title, bytes);
}

std::string timeline_view(std::istream& in, const std::string& name, const std::string& title,
                          std::uint64_t bytes, const std::string& within_page) {
  std::vector<timed_operation> all = read_timeline(in, name);
  const bool several = std::any_of(all.begin(), all.end(), [](const auto& each) { return each.device != 0; });
  // What fills memory, or copies within the only device, takes no engine that others wait for.
  std::erase_if(all, [&](const timed_operation& each) {
    return each.by == within && (!several || each.end == each.begin);
  });
  if (all.empty()) throw drawing_error(name + ": nothing was copied, and no kernel ran");
  if (all.size() > most_operations)
    throw drawing_error(name + " has " + std::to_string(all.size()) +
                        " copies and kernels, and a picture has room for " + std::to_string(most_operations) +
                        ": draw a shorter program");
  std::uint64_t steps = 1, moved_up = 0, moved_down = 0;
  for (const timed_operation& each : all) {
    steps = std::max(steps, each.end);
    moved_up += each.bytes_up;
    moved_down += each.bytes_down;
  }
  const std::string sums = bytes_text(moved_up) + " up, " + bytes_text(moved_down) +
                           " down; the longest chain has " +
                           bytes_text(steps == 1 && moved_up + moved_down == 0 ? 0 : steps);
  picture result(title.empty() ? "What follows what" : title,
                 "A row each for copies up, kernels and copies down. " + sums + ".");
  // Of one device all engines; of several those that did something.
  std::vector<std::pair<int, engine>> rows;
  const int devices = several ? 1 + std::max_element(all.begin(), all.end(),
                                                     [](auto& a, auto& b) { return a.device < b.device; })
                                        ->device
                              : 1;
  for (int d = 0; d < devices; ++d)
    for (const engine by : {up, kernels, down, within})
      if ((!several && by != within) || std::any_of(all.begin(), all.end(), [&](const timed_operation& each) {
            return each.device == d && each.by == by;
          }))
        rows.emplace_back(d, by);
  const auto row_name = [&](const std::pair<int, engine>& row) {
    return (several ? "device " + std::to_string(row.first) + ": " : "") + row_names[row.second];
  };
  double left = 0;
  for (const auto& row : rows) left = std::max(left, margin + text_width(row_name(row), 11) + 12);
  const double top = result.bottom() + 22;
  const auto x = [&](std::uint64_t step) {
    return left + width * double(step) / double(std::max(steps, bytes));
  };
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const double y = top + row_step * double(r);
    result.text(left - 8, y + row_height / 2 + 4, row_name(rows[r]), "small", anchor::end);
    result.line(left, y + row_height, left + width, y + row_height, "wire_empty");
  }
  std::vector<std::size_t> numbers(rows.size());
  std::vector<double> last(rows.size(), -1e9);  // where the last cell of each row ends
  for (const timed_operation& each : all) {
    const auto r = static_cast<std::size_t>(
        std::find(rows.begin(), rows.end(), std::pair(each.device, each.by)) - rows.begin());
    const double y = top + row_step * double(r), begin = x(each.begin);
    // What is too small to be seen (the taps) has no number: those of the chunks are then the same in all
    // rows.
    const bool seen = each.end == each.begin || x(each.end) - begin >= 2;
    const std::string number = seen ? std::to_string(numbers[r]++) : "";
    const std::string tip = each.text + " (" + bytes_text(each.end - each.begin) + ")";
    if (each.end > each.begin) {
      result.cell(begin, y, x(each.end) - begin, row_height, colors[each.by],
                  x(each.end) - begin >= text_width(number, 9) ? number : "", tip);
      last[r] = x(each.end);
    } else {  // what moves nothing over the link; several of them at one place stand side by side
      const double at = std::max(begin, last[r]);
      result.cell(at, y, kernel_width, row_height, colors[each.by], "", number + ": " + tip);
      last[r] = at + kernel_width;
    }
  }
  const double bottom = top + row_step * double(rows.size());
  result.text(left, bottom + 4, "0", "dim", anchor::middle);
  result.text(x(steps), bottom + 4, bytes_text(steps), "dim", anchor::end);
  result.text(left, bottom + 24, sums, "small");
  result.text(
      left, bottom + 42,
      several ? "Widths are bytes that are copied, not times. A narrow kernel moves none of them."
              : "Widths are bytes over the link, not times. A narrow kernel uses the device's memory only.",
      "dim");
  return result.document(within_page);
}

}  // namespace cuda_emulator::draw
