// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "source_text.hpp"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <fstream>
#include <map>
#include <set>
#include <utility>
#include <vector>

namespace cuda_emulator {

std::string line_text(const source_place& place) {
  std::ifstream file(place.file);
  std::string line;
  for (int i = 0; i < place.line; ++i)
    if (!std::getline(file, line)) return "";
  return line;
}

namespace {

/// The arguments from `begin` to the bracket that closes a call or <<<; none where it is not closed.
std::vector<std::string> arguments_from(std::string_view text, std::size_t begin, bool of_launch) {
  std::vector<std::string> arguments(1);
  int depth = 0;
  for (std::size_t i = begin; i < text.size(); ++i) {
    const char c = text[i];
    if (depth == 0 && (of_launch ? text.substr(i, 3) == ">>>" : c == ')')) return arguments;
    if (c == '(' || c == '[' || c == '{') ++depth;
    if (c == ')' || c == ']' || c == '}') --depth;
    if (depth == 0 && c == ',')
      arguments.emplace_back();
    else if (c != '\n' && (c != ' ' || !arguments.back().empty()))
      arguments.back() += c;
  }
  return {};
}

}  // namespace

std::string stream_argument(std::string_view file_and_line, std::string_view function, bool is_launch) {
  constexpr int before = 3, behind = 8, longest = 24;
  const std::size_t colon = file_and_line.rfind(':');
  if (colon == file_and_line.npos) return "";
  const int line = std::atoi(std::string(file_and_line.substr(colon + 1)).c_str());
  std::ifstream file{std::string(file_and_line.substr(0, colon))};
  std::string text, each;
  std::size_t own = 0, last = 0;  // where the call's line begins, and the one behind it
  for (int i = 1; i <= line + behind && std::getline(file, each); ++i) {
    if (i < line - before) continue;
    if (i == line) own = text.size();
    text += each + '\n';
    if (i <= line) last = text.size();
  }
  if (last < 2) return "";
  std::size_t at = text.find(function, own);
  const bool goes_on = text[last - 2] == '(';  // check(
  if (at >= last && !goes_on) at = text.rfind(function, own);
  if (at == text.npos) return "";
  at += function.size();
  if (is_launch) {
    const std::size_t open = text.find("<<<", at);
    if (open == text.npos || text.substr(at, open - at).find_first_of(";(){}") != text.npos) return "";
    at = open + 3;
  } else if (text[at++] != '(') {
    return "";
  }
  const std::vector<std::string> arguments = arguments_from(text, at, is_launch);
  if (is_launch ? arguments.size() != 4 : arguments.size() < 2) return "";
  const std::string& name = function == "cudaStreamWaitEvent" ? arguments.front() : arguments.back();
  const bool simple = !name.empty() && name.size() <= longest &&
                      (std::isalpha(static_cast<unsigned char>(name[0])) || name[0] == '_') &&
                      name.find_first_not_of(
                          "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.[]->"
                          " +%") == name.npos;
  return simple ? name : "";
}

namespace {

/// Follows the statements of a function, character by character, as far as loops go, and ifs where wanted.
class loop_reader {
 public:
  explicit loop_reader(bool with_ifs) : with_ifs_(with_ifs) {}
  /// The heads of the loops in which any of the line is.
  std::vector<std::string> read(std::string_view line) {
    std::vector<std::string> heads;
    note(heads);
    for (std::size_t i = 0; i < line.size(); ++i) {
      const std::string_view rest = line.substr(i);
      if (in_comment_) {
        if (rest.starts_with("*/")) in_comment_ = false;
        continue;
      }
      if (rest.starts_with("//")) break;
      if (rest.starts_with("/*")) in_comment_ = true;
      if (line[i] == '"' || (line[i] == '\'' && (i == 0 || !of_name(line[i - 1])))) {  // not that of 1'000
        const char quote = line[i];
        for (++i; i < line.size() && line[i] != quote; ++i) i += line[i] == '\\' ? 1 : 0;
        continue;
      }
      if (i == 0 || !of_name(line[i - 1]))
        for (const std::string_view word : {"for", "while", "do", "if"})
          if ((with_ifs_ || word != "if") && rest.starts_with(word) &&
              (rest.size() == word.size() || !of_name(rest[word.size()]))) {
            before_body_.emplace_back();
            head_at_ = word == "do" ? -1 : parentheses_;
          }
      if (head_at_ >= 0 && !before_body_.empty()) before_body_.back() += line[i];
      if (line[i] == '(') ++parentheses_;
      if (line[i] == ')' && --parentheses_ == head_at_) head_at_ = -1;
      if (line[i] == '{')
        blocks_.push_back(head_at_ < 0 ? std::exchange(before_body_, {}) : std::vector<std::string>{});
      if (line[i] == '}' && !blocks_.empty()) blocks_.pop_back();
      note(heads);
      if (line[i] == ';' && parentheses_ == 0) before_body_.clear();
    }
    return heads;
  }

 private:
  static bool of_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }
  void note(std::vector<std::string>& heads) const {
    if (head_at_ >= 0) return;
    const auto add = [&](const std::vector<std::string>& all) {
      for (const std::string& head : all)
        if (std::find(heads.begin(), heads.end(), head) == heads.end()) heads.push_back(head);
    };
    for (const auto& block : blocks_) add(block);
    add(before_body_);
  }

  bool with_ifs_;
  std::vector<std::vector<std::string>>
      blocks_;                            // around this place: the heads of the loops that they belong to
  std::vector<std::string> before_body_;  // heads of which the body follows
  int head_at_ = -1;                      // within a head: the parentheses around it
  bool in_comment_ = false;
  int parentheses_ = 0;
};

}  // namespace

std::map<int, std::string> function_around(const source_place& place) {
  std::ifstream file(place.file);
  std::map<int, std::string> lines;
  bool inside = false;
  std::string line;
  for (int i = 1; (inside || i <= place.line) && std::getline(file, line); ++i) {
    if (has_word(line, "__global__") || has_word(line, "__device__")) {
      if (i > place.line) break;
      lines.clear();
      inside = true;
    }
    if (inside) lines.emplace(i, line);
    if (!line.starts_with("}")) continue;
    if (i >= place.line) break;
    lines.clear();
    inside = false;
  }
  return lines;
}

std::optional<std::vector<std::string>> loops_around(const source_place& place) {
  const std::map<int, std::string> lines = function_around(place);
  if (!lines.contains(place.line) || !has_word(lines.begin()->second, "__global__")) return std::nullopt;
  std::vector<std::string> heads;
  loop_reader reader(false);
  for (const auto& [number, line] : lines)
    if (number <= place.line) heads = reader.read(line);
  return heads;
}

std::string guard_around(const source_place& one, const source_place& other) {
  if (one.file != other.file) return "";
  std::ifstream file(one.file);
  const int begin = std::min(one.line, other.line), end = std::max(one.line, other.line);
  std::vector<std::string> lines(1);
  std::vector<int> conditions;  // #if: what they leave out is not known, so nothing between is read
  for (std::string line; static_cast<int>(lines.size()) <= end && std::getline(file, line);) {
    lines.push_back(line);
    if (line.starts_with("#if")) conditions.push_back(static_cast<int>(lines.size()) - 1);
    if (!line.starts_with("#endif") || conditions.empty()) continue;
    if (conditions.back() > begin || static_cast<int>(lines.size()) <= begin)
      std::fill(lines.begin() + conditions.back(), lines.end(), "");
    conditions.pop_back();
  }
  std::vector<std::string> heads, names;  // of what depends on the thread
  std::set<std::string> with_barrier;
  loop_reader reader(true);
  const auto depends = [&](std::string_view text) {
    return std::any_of(names.begin(), names.end(), [&](const auto& name) { return has_word(text, name); });
  };
  if (static_cast<int>(lines.size()) <= end) return "";
  for (int i = 1; i <= end; ++i) {
    const std::string& line = lines[static_cast<std::size_t>(i)];
    if (has_word(line, "__global__") || has_word(line, "__device__")) {
      if (i > begin) return "";
      reader = loop_reader(true);
      names = {"threadIdx", "thread_rank"};
    }
    if (const std::size_t equals = line.find(" = "); equals != line.npos && depends(line.substr(equals)))
      if (const std::string name = loop_variable("for " + line); !name.empty()) names.push_back(name);
    const std::vector<std::string> here = reader.read(line);
    if (line.find("sync") != line.npos) with_barrier.insert(here.begin(), here.end());
    if (i <= begin) heads = here;
    std::erase_if(heads,
                  [&](const auto& head) { return std::find(here.begin(), here.end(), head) == here.end(); });
  }
  for (auto head = heads.rbegin(); head != heads.rend(); ++head)
    if (head->starts_with("if") && depends(*head) && !with_barrier.contains(*head)) return *head;
  return "";
}

int barrier_behind(const source_place& place) {
  const auto here = loops_around(place);
  if (!here) return 0;
  for (const auto& [number, line] : function_around(place)) {
    const std::string code = line.substr(0, line.find("//"));
    const bool is_barrier = code.find("__syncthreads") != code.npos || code.find("sync()") != code.npos ||
                            code.find("arrive") != code.npos;
    if (!is_barrier) continue;  // what a warp does together, a whole warp may leave out
    if (number > place.line) return number;
    const auto there = loops_around({place.file, number});
    if (std::any_of(here->begin(), here->end(), [&](const std::string& head) {
          return std::find(there->begin(), there->end(), head) != there->end();
        }))
      return number;
  }
  return 0;
}

std::string loop_variable(std::string_view head) {
  const std::size_t equals = head.find('=');
  if (!head.starts_with("for") || equals == head.npos) return "";
  const auto of_name = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
  std::size_t end = equals;
  while (end > 0 && head[end - 1] == ' ') --end;
  std::size_t begin = end;
  while (begin > 0 && of_name(head[begin - 1])) --begin;
  return std::string(head.substr(begin, end - begin));
}

bool has_word(std::string_view line, std::string_view word) {
  const auto of_name = [&](std::size_t i) {
    return i < line.size() && (std::isalnum(static_cast<unsigned char>(line[i])) || line[i] == '_');
  };
  for (std::size_t i = line.find(word); i != line.npos; i = line.find(word, i + 1))
    if (!of_name(i - 1) && !of_name(i + word.size())) return true;
  return false;
}

}  // namespace cuda_emulator
