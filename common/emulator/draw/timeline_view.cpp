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

enum engine { up, kernels, down };
constexpr std::array<const char*, 3> row_names = {"copies up", "kernels", "copies down"};
constexpr std::array<const char*, 3> colors = {"input", "shared", "output"};

struct timed_operation {
  engine by{};
  std::uint64_t begin = 0, end = 0, bytes_up = 0, bytes_down = 0;
  std::string text;  ///< "stream 2 at a.cu:12: kernel scale_kernel"
};

/// "up begin 0 end 400 up 400 down 0 within 0 in stream 1 at a.cu:7: cudaMemcpyAsync()"
std::vector<timed_operation> read_timeline(const std::filesystem::path& file) {
  std::ifstream in(file);
  if (!in) throw drawing_error(file.string() + " cannot be read");
  std::string line;
  if (!std::getline(in, line) || line != "emulator-timeline 1")
    throw drawing_error(file.string() +
                        " is no timeline: a program on the emulated device writes one with "
                        "EMULATOR_TIMELINE=FILE.timeline");
  std::vector<timed_operation> result;
  for (int number = 2; std::getline(in, line); ++number) {
    std::istringstream words(line);
    std::string kind, word;
    words >> kind;
    if (kind == "end") return result;
    timed_operation each;
    std::uint64_t within = 0;
    words >> word >> each.begin >> word >> each.end >> word >> each.bytes_up >> word >> each.bytes_down >>
        word >> within >> word >> std::ws;
    std::getline(words, each.text);
    // "stream 2 at a.cu:12: ...", without the folders: pictures are the same wherever they are made.
    if (const std::size_t at = each.text.find(" at "), end = each.text.rfind(": ");
        end != each.text.npos && at < end)
      if (const std::size_t slash = each.text.rfind('/', end); slash != each.text.npos && slash > at)
        each.text.erase(at + 4, slash + 1 - (at + 4));
    if (!words && each.text.empty())
      throw drawing_error(file.string() + ":" + std::to_string(number) + " is no line of a timeline");
    if (kind == "up" || kind == "down" || kind == "kernel") {
      each.by = kind == "up" ? up : kind == "down" ? down : kernels;
      result.push_back(each);
    }
  }
  throw drawing_error(file.string() + " ends too early: has the program ended?");
}

std::string bytes_text(std::uint64_t bytes) {
  std::string digits = std::to_string(bytes);
  for (std::size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, ",");
  return digits + (bytes == 1 ? " byte" : " bytes");
}

}  // namespace

std::string timeline_view(const std::filesystem::path& file, const std::string& title, std::uint64_t bytes) {
  const std::vector<timed_operation> all = read_timeline(file);
  if (all.empty()) throw drawing_error(file.string() + ": nothing was copied, and no kernel ran");
  if (all.size() > most_operations)
    throw drawing_error(file.string() + " has " + std::to_string(all.size()) +
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
  const double left = margin + text_width("copies down", 11) + 12, top = result.bottom() + 22;
  const auto x = [&](std::uint64_t step) {
    return left + width * double(step) / double(std::max(steps, bytes));
  };
  for (std::size_t r = 0; r < row_names.size(); ++r) {
    const double y = top + row_step * double(r);
    result.text(left - 8, y + row_height / 2 + 4, row_names[r], "small", anchor::end);
    result.line(left, y + row_height, left + width, y + row_height, "wire_empty");
  }
  std::array<std::size_t, 3> numbers = {};
  std::array<double, 3> last = {-1e9, -1e9, -1e9};  // where the last cell of each row ends
  for (const timed_operation& each : all) {
    const double y = top + row_step * double(each.by), begin = x(each.begin);
    // What is too small to be seen (the taps) has no number: those of the chunks are then the same in all
    // rows.
    const bool seen = each.end == each.begin || x(each.end) - begin >= 2;
    const std::string number = seen ? std::to_string(numbers[each.by]++) : "";
    const std::string tip = each.text + " (" + bytes_text(each.end - each.begin) + ")";
    if (each.end > each.begin) {
      result.cell(begin, y, x(each.end) - begin, row_height, colors[each.by],
                  x(each.end) - begin >= text_width(number, 9) ? number : "", tip);
      last[each.by] = x(each.end);
    } else {  // a kernel that moves nothing over the link; several of them at one place stand side by side
      const double at = std::max(begin, last[each.by]);
      result.cell(at, y, kernel_width, row_height, colors[each.by], "", number + ": " + tip);
      last[each.by] = at + kernel_width;
    }
  }
  const double bottom = top + row_step * 3;
  result.text(left, bottom + 4, "0", "dim", anchor::middle);
  result.text(x(steps), bottom + 4, bytes_text(steps), "dim", anchor::end);
  result.text(left, bottom + 24, sums, "small");
  result.text(left, bottom + 42,
              "Widths are bytes over the link, not times. A narrow kernel uses the device's memory only.",
              "dim");
  return result.document();
}

}  // namespace cuda_emulator::draw
