// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "steps_page.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstdio>
#include <fstream>
#include <map>
#include <optional>
#include <set>

namespace cuda_emulator::draw {

extern const char steps_page_html[], steps_page_css[], steps_page_js[];  // steps_page_parts.cpp

namespace {

constexpr int most_lines_above = 12, most_lines_below = 60;

/// As a JSON string. No text in it can end the script element that it stands in.
std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (const char each : text) {
    const auto byte = static_cast<unsigned char>(each);
    if (each == '"' || each == '\\') {
      result += '\\';
      result += each;
    } else if (each == '\t') {
      result += "    ";
    } else if (byte < 0x20 || each == '<' || byte == 0x7f) {
      char code[8];
      std::snprintf(code, sizeof code, "\\u%04x", byte);
      result += code;
    } else {
      result += each;
    }
  }
  return result + "\"";
}

std::string list(const unsigned (&values)[3]) {
  return "[" + std::to_string(values[0]) + "," + std::to_string(values[1]) + "," + std::to_string(values[2]) +
         "]";
}

/// A number that JavaScript keeps as it is.
bool is_number(const std::string& word) {
  double value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  const bool whole = word.find_first_not_of("-0123456789") == word.npos;
  return error == std::errc() && end == word.data() + word.size() &&
         (word[0] == '-' || (word[0] >= '0' && word[0] <= '9')) &&
         word.find_first_not_of("-+.e0123456789") == word.npos && !(whole && word.size() > 15);
}

std::string value_json(const std::string& word) {
  if (word == "-" || word.empty()) return "null";
  if (word == "true" || word == "false" || is_number(word)) return word;
  if (word.find(',') == word.npos) return quoted(word);
  std::string text = "[";
  for (std::size_t begin = 0; begin <= word.size();) {
    const std::size_t end = std::min(word.find(',', begin), word.size());
    text += (begin == 0 ? "" : ",") + value_json(word.substr(begin, end - begin));
    begin = end + 1;
  }
  return text + "]";
}

std::optional<long long> whole(const std::string& word) {
  long long value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc() || end != word.data() + word.size() || word.size() > 15) return std::nullopt;
  return value;
}

/// Lanes in the shortest of the ways that steps_format.md has.
std::string lanes_json(std::uint32_t active, const lane_words& words) {
  std::uint32_t given = 0;
  for (int lane = 0; lane < 32; ++lane)
    if (words[lane] != "-" && !words[lane].empty()) given |= 1u << lane;
  if (given == active && active != 0) {
    const int first = std::countr_zero(active);
    bool equal = true, linear = true;
    const std::string json = value_json(words[first]);
    std::optional<long long> begin = whole(words[first]), by;
    for (std::uint32_t rest = active & (active - 1); rest != 0; rest &= rest - 1) {
      const int lane = std::countr_zero(rest);
      equal &= words[lane] == words[first];
      const std::optional<long long> value = whole(words[lane]);
      linear &= begin.has_value() && value.has_value();
      if (!linear) continue;
      if (!by && (*value - *begin) % (lane - first) == 0) by = (*value - *begin) / (lane - first);
      linear &= by.has_value() && *value == *begin + *by * (lane - first);
    }
    if (equal && json[0] != '[') return json;
    if (linear && by)
      return "{\"first\":" + std::to_string(*begin - *by * first) + ",\"by\":" + std::to_string(*by) + "}";
  }
  std::string text = "[";
  for (int lane = 0; lane < 32; ++lane)
    text += (lane == 0 ? "" : ",") + ((given & active) >> lane & 1 ? value_json(words[lane]) : "null");
  return text + "]";
}

struct source_line {
  std::string file;
  int line = 0;
};

source_line line_of(const std::string& place) {
  const std::size_t colon = place.rfind(':');
  source_line result{place.substr(0, colon), 0};
  if (colon != place.npos) result.line = static_cast<int>(whole(place.substr(colon + 1)).value_or(0));
  return result;
}

/// What the page shows of a file: the functions around the lines that were executed.
struct excerpt {
  int first = 0, last = 0;
  std::vector<std::string> lines;
};

bool is_blank(const std::string& line) { return line.find_first_not_of(" \t\r") == line.npos; }

void read_lines(const std::string& file, excerpt& of) {
  std::ifstream in(file);
  std::vector<std::string> all;
  for (std::string line; all.size() < 100'000 && std::getline(in, line);) {
    if (!line.empty() && line.back() == '\r') line.pop_back();
    all.push_back(line);
  }
  const int count = static_cast<int>(all.size());
  if (of.last > count || of.first < 1) {
    std::fprintf(stderr, "The source %s is not here, or it has changed: the page shows no lines of it.\n",
                 file.c_str());
    of.lines.clear();
    return;
  }
  const auto at = [&](int line) -> const std::string& { return all[static_cast<std::size_t>(line) - 1]; };
  // Up to the comment above the function, down to the brace that ends it.
  for (int i = 0; i < most_lines_above && of.first > 1; ++i) {
    const std::string& before = at(of.first - 1);
    if (is_blank(before) || before.starts_with("// [") || before.starts_with("// clang-format") ||
        before.starts_with("}") || before.starts_with("#"))
      break;
    --of.first;
  }
  for (int i = 0; i < most_lines_below && of.last < count && !at(of.last).starts_with("}"); ++i) ++of.last;
  of.lines.assign(all.begin() + of.first - 1, all.begin() + of.last);
}

class data {
 public:
  data(const traced_launch& launch, const choice& what) : launch_(launch), what_(what) {}

  std::string text(const std::string& title) {
    if (launch_.steps.empty())
      throw drawing_error("the trace has no steps of " + launch_.kernel +
                          ": EMULATOR_STEPS=1 in the environment of the program records them");
    find_files();
    std::string steps;
    for (const traced_step& each : launch_.steps) {
      if (what_.warp && each.warp != *what_.warp) continue;
      if (what_.interval && each.interval != *what_.interval) continue;
      for (const std::string& one : step_json(each)) steps += (steps.empty() ? "" : ",\n") + one;
    }
    if (steps.empty())
      throw drawing_error("the trace has no steps of " + launch_.kernel + " that were chosen");
    std::string result = "{\"format\":1";
    if (!title.empty()) result += ",\"title\":" + quoted(title);
    result += ",\"kernel\":" + quoted(launch_.kernel) + ",\"grid\":" + list(launch_.grid) +
              ",\"block\":" + list(launch_.block) + ",\"traced\":" + list(launch_.traced);
    if (launch_.steps_cut) result += ",\"cut\":true";
    return result + ",\n\"files\":" + files_json() + ",\n\"arrays\":" + arrays_json() +
           ",\n\"variables\":" + variables_json() + ",\n\"steps\":[\n" + steps + "]}\n";
  }

 private:
  void find_files() {
    std::map<std::string, excerpt> found;
    const auto add = [&](const std::string& place) {
      const source_line at = line_of(place);
      if (at.line == 0) return;
      excerpt& in = found[at.file];
      if (in.first == 0) in.first = in.last = at.line;
      in.first = std::min(in.first, at.line);
      in.last = std::max(in.last, at.line);
    };
    add(launch_.place);
    for (const traced_step& each : launch_.steps) add(each.place);
    const std::string own = line_of(launch_.place).file;  // comes first
    for (auto& [name, lines] : found) {
      read_lines(name, lines);
      files_.insert(name == own ? files_.begin() : files_.end(), {name, lines});
    }
  }

  std::size_t file_of(const std::string& name) const {
    for (std::size_t f = 0; f < files_.size(); ++f)
      if (files_[f].first == name) return f;
    return 0;
  }

  std::string files_json() const {
    std::string text = "[";
    for (const auto& [name, lines] : files_) {
      text += (text.size() > 1 ? "," : "") + std::string("{\"name\":") +
              quoted(name.substr(name.rfind('/') == name.npos ? 0 : name.rfind('/') + 1)) +
              ",\"first\":" + std::to_string(lines.first) + ",\"lines\":[";
      for (std::size_t i = 0; i < lines.lines.size(); ++i)
        text += (i == 0 ? "" : ",\n") + quoted(lines.lines[i]);
      text += "]}";
    }
    return text + "]";
  }

  std::string arrays_json() const {
    std::string text = "[";
    for (std::size_t a = 0; a < launch_.arrays.size(); ++a) {
      const traced_array& array = launch_.arrays[a];
      const std::string name = array.alias.empty() ? array.name : array.alias;
      const auto renamed = what_.names.find(name);
      text += (a == 0 ? "" : ",\n") + std::string("{\"name\":") +
              quoted(renamed == what_.names.end() ? name : renamed->second) + ",\"memory\":\"" +
              name_of(array.where) + "\",\"type\":" + quoted(array.type) +
              ",\"bytes\":" + std::to_string(array.element_size) + ",\"extents\":[";
      if (array.extents.empty()) {
        text += std::to_string(array.count);
      } else {
        for (std::size_t i = 0; i < array.extents.size(); ++i)
          text += (i == 0 ? "" : ",") + std::to_string(array.extents[i]);
      }
      text += "],\"address\":" + std::to_string(address_of(a)) + "}";
    }
    return text + "]";
  }

  /// Of the first element.
  std::uint64_t address_of(std::size_t array) const {
    for (const traced_request& request : launch_.requests)
      for (const traced_access& each : request.accesses)
        if (each.array == array)
          return each.address - each.address % launch_.arrays[array].element_size -
                 each.index * launch_.arrays[array].element_size;
    return 0;
  }

  std::string variables_json() const {
    std::string text = "[";
    for (const std::string& each : launch_.variables) text += (text.size() > 1 ? "," : "") + quoted(each);
    return text + "]";
  }

  std::string beginning(const traced_step& step, const char* kind, std::uint32_t active) const {
    const source_line at = line_of(step.place);
    char lanes[16];
    std::snprintf(lanes, sizeof lanes, "%08x", active);
    return std::string("{\"kind\":\"") + kind + "\",\"warp\":" + std::to_string(step.warp) +
           ",\"interval\":" + std::to_string(step.interval) +
           ",\"file\":" + std::to_string(file_of(at.file)) + ",\"line\":" + std::to_string(at.line) +
           ",\"active\":\"" + lanes + "\"";
  }

  /// Mostly one; a request that is about several arrays becomes one step for each of them.
  std::vector<std::string> step_json(const traced_step& step) {
    switch (step.kind) {
      case step_kind::line:
        return {beginning(step, "line", step.lanes) + sets_json(step) + "}"};
      case step_kind::leave:
        return {beginning(step, "return", step.lanes) + "}"};
      case step_kind::barrier: {
        std::string text =
            beginning(step, "barrier", step.lanes) + ",\"name\":" + quoted(step.name) + ",\"waiting\":[";
        for (std::size_t i = 0; i < step.waiting.size(); ++i)
          text += (i == 0 ? "" : ",") + std::to_string(step.waiting[i]);
        return {text + "]}"};
      }
      case step_kind::collective: {
        std::string text = beginning(step, "collective", step.lanes) + ",\"name\":" + quoted(step.name);
        if (!step.give.empty()) text += ",\"give\":" + lanes_json(step.lanes, step.give);
        if (!step.from.empty()) text += ",\"from\":" + lanes_json(step.lanes, step.from);
        if (!step.value.empty()) text += ",\"value\":" + lanes_json(step.lanes, step.value);
        return {text + "}"};
      }
      case step_kind::request:
        break;
    }
    const traced_request& request = launch_.requests[step.request];
    std::map<std::size_t, std::uint32_t> lanes_of;  // by array
    lane_words index(32, "-");
    for (const traced_access& each : request.accesses) {
      const std::uint32_t lane = 1u << each.lane();
      if (index[static_cast<std::size_t>(each.lane())] != "-") continue;  // one of several texels
      index[static_cast<std::size_t>(each.lane())] = std::to_string(each.index);
      lanes_of[each.array] |= lane;
    }
    std::vector<std::string> result;
    for (const auto& [array, lanes] : lanes_of) {
      const char* const kind = request.type == access_type::store    ? "store"
                               : request.type == access_type::atomic ? "atomic"
                                                                     : "load";
      std::string text = beginning(step, kind, lanes) + ",\"array\":" + std::to_string(array) +
                         ",\"size\":" + std::to_string(request.bytes) +
                         ",\"index\":" + lanes_json(lanes, index);
      if (!step.name.empty()) text += ",\"name\":" + quoted(step.name);
      if (!step.value.empty()) text += ",\"value\":" + lanes_json(lanes, step.value);
      if (request.parts != 0 && result.empty()) text += ",\"parts\":" + std::to_string(request.parts);
      result.push_back(text + "}");
    }
    return result;
  }

  /// Those that have changed.
  std::string sets_json(const traced_step& step) {
    std::string text;
    for (const auto& [variable, words] : step.sets) {
      lane_words& known = known_[{step.warp, variable}];
      known.resize(32);
      bool changed = false;
      for (std::size_t lane = 0; lane < 32; ++lane) {
        if (words[lane] == "-" || words[lane] == known[lane]) continue;
        changed = true;
        known[lane] = words[lane];
      }
      if (changed)
        text += (text.empty() ? "" : ",") + quoted(launch_.variables[variable]) + ":" +
                lanes_json(step.lanes, words);
    }
    return text.empty() ? "" : ",\"set\":{" + text + "}";
  }

  const traced_launch& launch_;
  const choice& what_;
  std::vector<std::pair<std::string, excerpt>> files_;
  std::map<std::pair<int, std::size_t>, lane_words> known_;
};

}  // namespace

std::string steps_data(const traced_launch& launch, const choice& what, const std::string& title) {
  return data(launch, what).text(title);
}

std::string steps_page(const traced_launch& launch, const choice& what, const std::string& title) {
  std::string page = steps_page_html;
  const auto put = [&](const std::string& word, const std::string& text) {
    const std::size_t at = page.find(word);
    if (at != page.npos) page.replace(at, word.size(), text);
  };
  put("STEPS_STYLE", steps_page_css);
  put("STEPS_SCRIPT", steps_page_js);
  put("STEPS_DATA", steps_data(launch, what, title));
  if (page.size() > largest_page) {
    char size[64];
    std::snprintf(size, sizeof size, "%.1f MB, and %.0f MB", static_cast<double>(page.size()) / 1e6,
                  static_cast<double>(largest_page) / 1e6);
    throw drawing_error(
        "the page would have " + std::string(size) +
        " is the most; --warp N or --interval N makes it smaller, and so does a smaller block");
  }
  return page;
}

}  // namespace cuda_emulator::draw
