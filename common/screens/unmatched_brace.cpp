// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "unmatched_brace.hpp"

#include <algorithm>
#include <cctype>
#include <initializer_list>
#include <map>
#include <regex>
#include <string_view>
#include <vector>

namespace tutorial {
namespace {

using std::string;

bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool is_word(char c) { return is_letter(c) || std::isdigit(static_cast<unsigned char>(c)) != 0; }

bool matches(const string& text, const std::regex& pattern) { return std::regex_search(text, pattern); }
const std::regex call("([A-Za-z_][A-Za-z0-9_]*) *\\("),
    no_head("(__launch_bounds__|__attribute__|alignas|requires) *\\("),
    goes_on("^requires|^(const|noexcept|override|final)( *[{;=]| *$)"),
    label("^(case|default|public|private|protected)[ :]"),
    space_word("(^|[^A-Za-z0-9_])(namespace|extern)([^A-Za-z0-9_(]|$)"),
    end_of_space("// *(end )?(of )?namespace");

/// "copy" of "void copy(const float* x) "; empty where it is the head of no function.
string function_in(const string& text) {
  std::smatch found;
  if (!std::regex_search(text, found, call)) return "";
  const string name = found[1];
  for (const std::string_view other : {"if", "for", "while", "switch", "catch", "return", "sizeof"})
    if (name == other) return "";
  return name;
}

class search {
 public:
  void read(const string& line) {
    ++number_;
    code_.clear();
    for (const char c : line) code_ += c == '\t' ? "    " : string(1, c);
    indent_ = static_cast<int>(std::min(code_.find_first_not_of(' '), code_.size()));
    first_ = true;
    for (std::size_t p = 0; p < code_.size(); ++p)
      if (!skips(p) && !reads(p)) break;
    if (!code_.empty()) text_ += ' ';
  }

  std::optional<unmatched_brace> result() {
    if (opens_ == closes_) return std::nullopt;
    if (opens_ < closes_) {
      result_ = {};
      const string of = "the } in line " + std::to_string(stray_) + " has no {";
      if (stray_head_ != 0)
        found(stray_head_, of + by_indentation + "behind line " + std::to_string(stray_head_));
      else
        found(stray_, of + ", or is one too many");
    } else if (result_.line == 0) {
      without_end(open_.back(), 0);
    }
    return result_;
  }

 private:
  static constexpr const char* by_indentation = ": by the indentation, it is missing ";
  struct block {
    int line, opened;  // where it begins, and how deep the statement that opens it does
    int parentheses;   // that were open around it
    bool space;        // a namespace
    string function;
    int body = 0;  // how deep its first statement begins
  };

  std::string_view rest(std::size_t p) const { return std::string_view(code_).substr(p); }

  void found(int line, const string& sentence) {
    if (result_.line != 0) return;
    result_ = {line, "", sentence};
    for (const block& each : open_)
      if (result_.function.empty()) result_.function = each.function;
  }
  void without_end(const block& b, int before) {
    found(b.line, "the { in line " + std::to_string(b.line) + " has no }" +
                      (before == 0 ? "" : by_indentation + ("before line " + std::to_string(before))));
  }
  /// The } in this line has no {: the nearest head with the same indentation may have lost its own.
  void without_begin() {
    if (stray_ != 0) return;
    stray_ = number_;
    const auto head = heads_.find(indent_);
    if (head != heads_.end() && (open_.empty() || head->second > open_.back().line))
      stray_head_ = head->second;
  }

  /// Comments, texts and spaces, to their last letter in this line.
  bool skips(std::size_t& p) {
    const char c = code_[p];
    if (comment_) {
      if (rest(p).starts_with("*/")) comment_ = false, ++p;
      return true;
    }
    if (!raw_end_.empty()) {
      if (rest(p).starts_with(raw_end_)) p += raw_end_.size() - 1, raw_end_.clear();
      return true;
    }
    if (rest(p).starts_with("/*")) {
      comment_ = true;
      ++p;
      return true;
    }
    if (c == ' ') return true;
    if (c == '"' && p > 0 && code_[p - 1] == 'R') {
      const string mark(rest(p + 1).substr(0, rest(p + 1).find('(')));
      p += mark.size() + 1;
      raw_end_ = ")" + mark + "\"";
      first_ = false;
      return true;
    }
    // Not the ' in 1'000'000.
    if (c == '"' || (c == '\'' && (p == 0 || std::isxdigit(static_cast<unsigned char>(code_[p - 1])) == 0))) {
      for (++p; p < code_.size() && code_[p] != c; ++p)
        if (code_[p] == '\\') ++p;
      first_ = false;
      return true;
    }
    return false;
  }

  /// False: the rest of the line is none of ours.
  bool reads(std::size_t p) {
    const char c = code_[p];
    if (rest(p).starts_with("//") || (c == '#' && first_)) return false;
    if (first_) begin_statement(p);
    if (c == '(') ++parentheses_;
    if (c == ')' && parentheses_ > 0) --parentheses_;
    if (c == '{') {
      open();
    } else if (c == '}') {
      close();
    } else {
      if (c == ';' && parentheses_ == 0) new_statement_ = true;
      text_ += c;
      if (is_word(c) && p + 1 < code_.size() && code_[p + 1] == ' ') text_ += ' ';
    }
    first_ = false;
    last_ = number_;
    return true;
  }

  void begin_statement(std::size_t p) {
    const string code(rest(p));
    // Behind if (...), or the head of a function, a word on the next line begins a statement of its own.
    const std::size_t end = text_.find_last_not_of(' ');
    if (parentheses_ == 0 && is_letter(code[0]) && end != text_.npos && text_[end] == ')' &&
        !matches(text_, no_head) && !matches(code, goes_on)) {
      new_statement_ = true;
      if (indent_ > statement_) heads_[statement_] = last_;
    }
    if (!new_statement_) return;
    statement_ = indent_;
    text_.clear();
    // What begins no deeper than the line that opened the block around it, although lines of the block before
    // it did.
    if (code[0] != '{' && code[0] != '}' && !matches(code, label))
      while (!open_.empty() && !open_.back().space && open_.back().body > open_.back().opened &&
             indent_ <= open_.back().opened)
        drop(number_);
    if (!open_.empty() && open_.back().body == 0 && code[0] != '}') open_.back().body = indent_;
    new_statement_ = false;
  }

  void drop(int before) {
    without_end(open_.back(), before);
    open_.pop_back();
  }

  void open() {
    ++opens_;
    const bool space = text_.find('(') == text_.npos && matches(text_, space_word);
    const bool inside = !open_.empty() && !open_.back().function.empty();
    open_.push_back({number_, statement_, parentheses_, space, inside ? "" : function_in(text_)});
    parentheses_ = 0;
    new_statement_ = true;
    text_.clear();
  }

  void close() {
    ++closes_;
    if (first_) {
      while (open_.size() > 1 && open_.back().opened > indent_) drop(number_);
      const bool ends_space = matches(code_, end_of_space);
      if (ends_space && open_.size() > 1 && !open_.back().space) {
        without_end(open_.back(), number_);
        while (open_.size() > 1 && !open_.back().space) open_.pop_back();
      }
      const bool is_deeper = !open_.empty() && open_.back().opened < indent_ && number_ != open_.back().line;
      if (is_deeper || (!open_.empty() && open_.back().space && !ends_space)) without_begin();
      if (is_deeper) {
        new_statement_ = true;
        return;
      }
    }
    if (open_.empty()) {
      without_begin();
    } else {
      parentheses_ = open_.back().parentheses;
      open_.pop_back();
    }
    new_statement_ = parentheses_ == 0;
    if (new_statement_) text_.clear();
  }

  string code_, text_;  // the line, and the statement so far
  int number_ = 0, indent_ = 0, statement_ = 0, last_ = 0, parentheses_ = 0;
  bool first_ = true, comment_ = false, new_statement_ = false;
  string raw_end_;
  std::vector<block> open_;
  std::map<int, int> heads_;  // by their indentation
  int opens_ = 0, closes_ = 0, stray_ = 0, stray_head_ = 0;
  unmatched_brace result_;
};

}  // namespace

std::optional<unmatched_brace> find_unmatched_brace(const source_lines& lines) {
  search all;
  for (const string& line : lines) all.read(line);
  return all.result();
}

}  // namespace tutorial
