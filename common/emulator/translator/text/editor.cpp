// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "editor.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

namespace cuda_emulator::translator {
namespace {

constexpr std::array<std::pair<std::string_view, cuda_word>, 11> words = {{
    {"__global__", cuda_word::kernel},
    {"__launch_bounds__", cuda_word::launch_bounds},
    {"__maxnreg__", cuda_word::launch_bounds},
    {"__device__", cuda_word::device},
    {"__host__", cuda_word::host},
    {"__constant__", cuda_word::constant},
    {"__managed__", cuda_word::managed},
    {"__shared__", cuda_word::shared},
    {"__cluster_dims__", cuda_word::unsupported},
    {"__block_size__", cuda_word::unsupported},
    {"__nv_pure__", cuda_word::unsupported},
}};

}  // namespace

editor::editor(std::string_view source, std::string_view file) : syntax(source, file), source_(source) {
  replaced_.assign(size() + 1, false);
}

cuda_word editor::word(place i) const {
  const std::string_view spelling = (*this)[i].spelling;
  if (!spelling.starts_with("__") || replaced_[i]) return cuda_word::none;
  const auto found =
      std::find_if(words.begin(), words.end(), [&](const auto& w) { return w.first == spelling; });
  return found == words.end() ? cuda_word::none : found->second;
}

void editor::replace(place i, std::string text) {
  if (replaced_[i])
    fail(i, "'" + std::string((*this)[i].spelling) + "' cannot be translated inside of something else");
  const std::string_view old = (*this)[i].spelling;
  const auto lines = std::count(old.begin(), old.end(), '\n');  // of a raw string
  text.append(static_cast<std::size_t>(lines), '\n');
  replaced_[i] = true;
  changes_.push_back({position(i), old.size(), std::move(text)});
}

void editor::erase(place begin, place end) {
  for (place i = begin; i < end; ++i) {
    replace(i, "");
    // Blanks between erased tokens go too; comments and newlines do not.
    const std::size_t gap = changes_.back().position + changes_.back().length;
    const std::size_t next = std::min(source_.find_first_not_of(" \t", gap), source_.size());
    if (i + 1 < end && next == position(i + 1)) changes_.back().length += next - gap;
  }
}

void editor::insert_after(place i, std::string text) {
  changes_.push_back({position(i) + (*this)[i].spelling.size(), 0, std::move(text)});
}

std::string editor::where(place i) const {
  return std::string((*this)[i].file) + ", " + std::to_string((*this)[i].line);
}

void editor::say(severity how, place i, const std::string& text) { say(how, i, (*this)[i].line, text); }

void editor::say(severity how, place i, int line, const std::string& text) {
  if (how != severity::note) silent_ = how == severity::warning && (*this)[i].of_system;
  if (silent_) return;
  failed_ |= how == severity::error;
  const bool follows = how == severity::note && !said_.empty();
  said_.push_back({follows ? said_.back().about : i, message((*this)[i].file, line, how, text)});
}

void editor::fail(place i, const std::string& text) const {
  editor last = *this;
  last.say(severity::error, i, text);
  throw source_error(last.messages());
}

std::string editor::messages() const {
  std::vector<saying> said = said_;
  std::stable_sort(said.begin(), said.end(),
                   [](const saying& a, const saying& b) { return a.about < b.about; });
  std::string text;
  for (const saying& s : said) text.append(text.empty() ? "" : "\n").append(s.text);
  return text;
}

std::string editor::result() const {
  if (failed_) throw source_error(messages());
  std::vector<change> changes = changes_;
  std::stable_sort(changes.begin(), changes.end(),
                   [](const change& a, const change& b) { return a.position < b.position; });
  std::string text;
  std::size_t copied = 0;
  for (const change& c : changes) {
    text.append(source_, copied, c.position - copied).append(c.text);
    copied = c.position + c.length;
  }
  return text.append(source_, copied);
}

std::size_t editor::place_in_result(place i) const {
  if (moved_.size() != changes_.size()) {
    std::vector<change> changes = changes_;
    std::stable_sort(changes.begin(), changes.end(),
                     [](const change& a, const change& b) { return a.position < b.position; });
    moved_.clear();
    std::ptrdiff_t longer = 0;
    for (const change& c : changes) {
      longer += static_cast<std::ptrdiff_t>(c.text.size()) - static_cast<std::ptrdiff_t>(c.length);
      moved_.emplace_back(c.position + c.length, longer);
    }
  }
  const std::size_t at = position(i);
  const auto behind = std::upper_bound(moved_.begin(), moved_.end(), at,
                                       [](std::size_t wanted, const auto& m) { return wanted < m.first; });
  return at + static_cast<std::size_t>(behind == moved_.begin() ? 0 : std::prev(behind)->second);
}

std::size_t editor::position(place i) const {
  return static_cast<std::size_t>((*this)[i].spelling.data() - source_.data());
}

std::string in_quotes(std::string_view text) {
  std::string literal = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') literal += '\\';
    literal += c;
  }
  return literal + '"';
}

std::string unquoted(std::string_view literal) {
  std::string text;
  for (std::size_t i = 1; i + 1 < literal.size(); ++i) {
    const auto digit = [&](std::size_t k) {
      return k + 1 < literal.size() && literal[k] >= '0' && literal[k] <= '7' ? literal[k] - '0' : -1;
    };
    if (literal[i] == '\\' && digit(i + 1) >= 0 && digit(i + 2) >= 0 && digit(i + 3) >= 0) {
      text += static_cast<char>(digit(i + 1) * 64 + digit(i + 2) * 8 + digit(i + 3));
      i += 3;
      continue;
    }
    if (literal[i] == '\\' && i + 2 < literal.size()) ++i;
    text += literal[i];
  }
  return text;
}

}  // namespace cuda_emulator::translator
