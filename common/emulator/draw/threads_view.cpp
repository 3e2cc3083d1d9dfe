// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "views.hpp"

namespace cuda_emulator::draw {
namespace {

constexpr double row_height_ = 21, panel_gap = 44, widest_page = 1000;
constexpr std::size_t tallest_stack = 8;
constexpr std::uint64_t widest_row = 32;

/// Where a staged element came from.
struct origin {
  bool loaded = false;  // false: stored without a load
  std::size_t array = 0;
  std::uint64_t from = 0;
};

/// What one kind of access does to one array within an interval: for each element the threads.
struct strip {
  std::size_t array = 0;
  access_type type{};
  std::map<std::uint64_t, std::set<int>> threads;
  std::map<std::uint64_t, origin> origins;  // for stores to shared memory

  bool staged() const {
    return std::any_of(origins.begin(), origins.end(), [](const auto& each) { return each.second.loaded; });
  }
};

using panel = std::vector<strip>;  // in the order in which they begin

/// All of one launch that was chosen, by interval.
class sorted {
 public:
  sorted(const traced_launch& launch, const choice& what) : launch_(launch), what_(what) {
    for (const traced_request& request : launch.requests)
      for (const traced_access& access : request.accesses) add(request, access);
  }

  std::map<int, panel> panels;
  std::set<std::uint64_t> outputs;  // numbers of the elements of global memory that the block stores
  std::map<std::size_t, std::set<std::uint64_t>>
      staged;  // by array: what the block has brought to shared memory

 private:
  void add(const traced_request& request, const traced_access& access) {
    const traced_array& array = launch_.arrays[access.array];
    const std::uint64_t elements = std::max<std::uint64_t>(1, request.bytes / array.element_size);
    std::optional<origin> from;
    if (array.where == memory::global && request.type == access_type::store)
      for (std::uint64_t e = 0; e < elements; ++e) outputs.insert(access.index + e);
    if ((array.where == memory::global && request.type == access_type::load) ||
        (request.type == access_type::fetch && !loaded_.contains(access.thread)))
      loaded_[access.thread] = {true, access.array, access.index};
    if (array.where == memory::shared && request.type == access_type::store) {
      const auto found = loaded_.find(access.thread);
      from = found == loaded_.end() ? origin{} : found->second;
      if (from->loaded)
        for (std::uint64_t e = 0; e < elements; ++e) staged[from->array].insert(from->from + e);
      if (found != loaded_.end()) loaded_.erase(found);
    }
    if (!what_.has(launch_, request, access)) return;
    strip& to = strip_of(request, access);
    for (std::uint64_t e = 0; e < elements; ++e) {
      to.threads[access.index + e].insert(access.thread);
      if (from) to.origins[access.index + e] = {from->loaded, from->array, from->from + e};
    }
  }

  strip& strip_of(const traced_request& request, const traced_access& access) {
    panel& in = panels[request.interval];
    for (strip& each : in)
      if (each.array == access.array && each.type == request.type) return each;
    in.push_back({access.array, request.type, {}, {}});
    return in.back();
  }

  const traced_launch& launch_;
  const choice& what_;
  std::map<int, origin> loaded_;  // by thread: what it has loaded and not yet stored
};

class drawing {
 public:
  drawing(const traced_launch& launch, const choice& what)
      : launch_(launch), what_(what), all_(launch, what) {
    std::size_t cells = 0;
    std::uint64_t largest = 0;
    for (const auto& [interval, strips] : all_.panels)
      for (const strip& each : strips)
        for (const auto& [index, threads] : each.threads) {
          cells += std::min(threads.size(), tallest_stack);
          largest = std::max({largest, index, static_cast<std::uint64_t>(*threads.rbegin())});
        }
    if (cells == 0)
      throw nothing_to_see("launch " + std::to_string(launch.number) + " (" + launch.kernel +
                           ") has no access that was chosen");
    if (cells > what.most_cells)
      throw too_much_to_see("the picture would have " + std::to_string(cells) +
                            " cells, and can be read with up to " + std::to_string(what.most_cells) +
                            ": run with fewer threads or data, or choose with --array, --warp, --interval");
    cell_width_ = std::max(24.0, text_width(std::to_string(largest), 11) + 6);
    for (const auto& [interval, strips] : all_.panels)
      for (const strip& each : strips)
        label_width_ = std::max(label_width_, text_width(from_text(each), 11) + 8);
  }

  std::string text() {
    picture to(launch_.kernel + ", " + block_text(launch_) + ": which thread touches which element",
               description());
    double width = 0;
    for (const auto& [interval, strips] : all_.panels) width += panel_width(strips) + panel_gap;
    const bool side_by_side = width - panel_gap <= widest_page;
    const double top = to.bottom() + 26;
    double x = margin, y = top, bottom = top;
    const int last = last_interval();
    std::vector<double> bars;
    for (const auto& [interval, strips] : all_.panels) {
      if (!side_by_side) x = margin, y = interval == all_.panels.begin()->first ? top : bottom + 36;
      if (side_by_side && x > margin) bars.push_back(x - panel_gap / 2);
      bottom = std::max(bottom, draw_panel(to, x, y, interval, last, strips));
      x += panel_width(strips) + panel_gap;
    }
    for (const double bar : bars) to.line(bar, top - 12, bar, bottom, "barrier");
    legend(to, bottom + 18, entries());
    return to.document(what_.within_page);
  }

 private:
  int last_interval() const {
    int last = 0;
    for (const traced_request& each : launch_.requests) last = std::max(last, each.interval);
    return last;
  }

  std::string description() const {
    std::string text = "For each element that " + block_text(launch_) + " of " + launch_.kernel +
                       " touches, the threads that do.";
    const bool barriers = last_interval() > 0;
    for (const auto& [interval, strips] : all_.panels)
      for (const strip& each : strips) {
        std::string access = name_of(each.type);
        if (barriers)
          text += " After " + std::to_string(interval) + (interval == 1 ? " barrier: " : " barriers: ");
        else
          access[0] = static_cast<char>(access[0] - 'a' + 'A');
        text += (barriers ? "" : " ") + access + " of " + std::to_string(each.threads.size()) +
                " elements of " + what_.name(launch_.arrays[each.array]) + ".";
      }
    return text;
  }

  /// The array that staged elements come from, for the label of their row.
  std::string from_text(const strip& each) const {
    for (const auto& [index, from] : each.origins)
      if (from.loaded) return "from " + what_.name(launch_.arrays[from.array]);
    return "";
  }

  /// Rows of elements that are drawn together: broken where the row is full or elements are missing.
  std::vector<std::vector<std::uint64_t>> rows(const strip& each) const {
    const std::uint64_t row = row_of(each), most = row > 0 ? row : widest_row;
    std::vector<std::vector<std::uint64_t>> result;
    for (const auto& [index, threads] : each.threads) {
      const bool fresh = result.empty() || (row > 0 ? result.back().front() / most != index / most
                                                    : result.back().size() == most);
      if (fresh) result.emplace_back();
      result.back().push_back(index);
    }
    return result;
  }

  /// Elements in a row where columns stand below each other: asked for with --row, or a texture's width; else
  /// 0.
  std::uint64_t row_of(const strip& each) const {
    if (what_.row > 0) return static_cast<std::uint64_t>(what_.row);
    const traced_array& array = launch_.arrays[each.array];
    return array.where == memory::texture && array.extent[1] > 1 && array.extent[0] <= widest_row
               ? array.extent[0]
               : 0;
  }

  /// Where an element stands in its row; gaps are half a cell, unless rows have a width.
  double offset(const strip& each, const std::vector<std::uint64_t>& row, std::size_t i) const {
    if (const std::uint64_t width = row_of(each); width > 0)
      return cell_width_ * static_cast<double>(row[i] % width);
    double x = 0;
    for (std::size_t j = 1; j <= i; ++j) x += cell_width_ * (row[j] == row[j - 1] + 1 ? 1 : 1.5);
    return x;
  }

  double panel_width(const panel& strips) const {
    double width = 0;
    for (const strip& each : strips) {
      width = std::max(width, text_width(title(each)) - label_width_);
      for (const auto& row : rows(each))
        width = std::max(width, offset(each, row, row.size() - 1) + cell_width_);
    }
    return label_width_ + width;
  }

  std::string title(const strip& each) const {
    return std::string(name_of(each.type)) + " " + what_.name(launch_.arrays[each.array]) + "[...]";
  }

  std::string panel_title(int interval, int last) const {
    if (last == 0) return "the whole kernel";
    if (interval == 0) return "before the barrier" + std::string(last > 1 ? " 1" : "");
    if (last == 1) return "after the barrier";
    if (interval == last) return "after barrier " + std::to_string(last);
    return "from barrier " + std::to_string(interval) + " to barrier " + std::to_string(interval + 1);
  }

  double draw_panel(picture& to, double x, double y, int interval, int last, const panel& strips) const {
    to.text(x, y, panel_title(interval, last), "strong");
    y += 8;
    for (const strip& each : strips) y = draw_strip(to, x, y + 20, each);
    return y;
  }

  std::string css(const strip& each, std::uint64_t index) const {
    const std::string usual = color(launch_, each.array);
    if (!each.staged()) return usual;
    const auto found = each.origins.find(index);
    if (found == each.origins.end() || !found->second.loaded) return "ghost";
    // A texel's number says nothing about outputs.
    if (launch_.arrays[found->second.array].where == memory::texture) return usual;
    // One block has no neighbors, and a single output, of a sum for example, says nothing about numbers.
    if (launch_.grid[0] * launch_.grid[1] * launch_.grid[2] == 1 || all_.outputs.size() < 2) return usual;
    if (all_.outputs.contains(found->second.from) || !surrounds_outputs(found->second.array)) return usual;
    const bool known = std::any_of(each.origins.begin(), each.origins.end(), [&](const auto& other) {
      return other.second.loaded && all_.outputs.contains(other.second.from);
    });
    return known ? "halo" : usual;
  }

  /// A halo lies around what has the numbers of the block's outputs: all of that is staged, too, as far as
  /// the array has it. A transpose stages as many elements as it stores, under other numbers: some of those
  /// are only by chance the same.
  bool surrounds_outputs(std::size_t array) const {
    const auto found = all_.staged.find(array);
    return found != all_.staged.end() &&
           std::all_of(all_.outputs.begin(), all_.outputs.end(), [&](std::uint64_t output) {
             return output >= launch_.arrays[array].count || found->second.contains(output);
           });
  }

  double draw_strip(picture& to, double x, double y, const strip& each) const {
    to.text(x, y, title(each));
    y += 6;
    const double cells_x = x + label_width_;
    for (const auto& row : rows(each)) {
      std::size_t tallest = 1;
      bool high = false;
      for (const std::uint64_t index : row) {
        tallest = std::max(tallest, each.threads.at(index).size());
        high |= each.threads.at(index).size() > tallest_stack;
      }
      if (high) tallest = 1;
      to.text(cells_x - 6, y + 11, "element", "dim", anchor::end);
      to.text(cells_x - 6, y + 30, high ? "threads" : "thread", "dim", anchor::end);
      for (std::size_t i = 0; i < row.size(); ++i) {
        const std::uint64_t index = row[i];
        const double at = cells_x + offset(each, row, i);
        to.text(at + cell_width_ / 2, y + 11, std::to_string(index), "dim", anchor::middle);
        const std::set<int>& threads = each.threads.at(index);
        if (high) {
          to.cell(at, y + 15, cell_width_, row_height_, css(each, index),
                  std::to_string(threads.size()) + "x");
        } else {
          double cell_y = y + 15;
          for (const int thread : threads) {
            to.cell(at, cell_y, cell_width_, row_height_, css(each, index), std::to_string(thread));
            cell_y += row_height_;
          }
        }
        if (!each.staged()) continue;
        const auto from = each.origins.find(index);
        if (from != each.origins.end() && from->second.loaded)
          to.text(at + cell_width_ / 2, y + 15 + row_height_ * static_cast<double>(tallest) + 13,
                  std::to_string(from->second.from), "dim", anchor::middle);
      }
      y += 15 + row_height_ * static_cast<double>(tallest);
      if (each.staged()) {
        to.text(cells_x - 6, y + 13, from_text(each), "dim", anchor::end);
        y += 16;
      }
      y += 6;
    }
    return y;
  }

  std::vector<std::pair<std::string, std::string>> entries() const {
    const std::map<std::string, std::string> words = {
        {"input", "global memory, input"},
        {"output", "global memory, output"},
        {"shared", "shared memory"},
        {"constant", "constant memory"},
        {"texture", "texture"},
        {"halo", "halo: a sample that a neighboring block owns"},
        {"ghost", "ghost: stored without a load"}};
    std::set<std::string> seen;
    for (const auto& [interval, strips] : all_.panels)
      for (const strip& each : strips)
        for (const auto& [index, threads] : each.threads) seen.insert(css(each, index));
    std::vector<std::pair<std::string, std::string>> result;
    for (const char* name : {"input", "texture", "constant", "shared", "halo", "ghost", "output"})
      if (seen.contains(name)) result.emplace_back(name, words.at(name));
    return result;
  }

  const traced_launch& launch_;
  const choice& what_;
  sorted all_;
  double cell_width_ = 24, label_width_ = text_width("element", 11) + 8;
};

}  // namespace

std::string threads_view(const traced_launch& launch, const choice& what) {
  return drawing(launch, what).text();
}

}  // namespace cuda_emulator::draw
