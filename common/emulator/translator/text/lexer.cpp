// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "lexer.hpp"

#include <algorithm>
#include <array>
#include <cctype>

namespace cuda_emulator::translator {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// UTF-8 letters are allowed in names, and so is the dollar sign.
bool is_name_begin(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' || (c & 0x80);
}

bool is_name(char c) { return is_name_begin(c) || is_digit(c); }

// Longest first. Not here: <<, >> and everything that could begin with a template bracket.
constexpr std::array<std::string_view, 25> operators = {
    "<<=", ">>=", "<=>", "...", "->*", "->", "::", "++", "--", "&&", "||", "==", "!=",
    "<=",  ">=",  "+=",  "-=",  "*=",  "/=", "%=", "&=", "|=", "^=", ".*", "##"};
// What stands second in one of them. Most punctuation is followed by something else.
constexpr std::string_view seconds = "<>=.-:+&|*#";

class lexer {
 public:
  lexer(std::string_view source, std::string_view file) : source_(source), file_(file) {}

  std::vector<token> run() {
    std::vector<token> tokens;
    tokens.reserve(source_.size() / 4);
    for (skip_gap(); position_ < source_.size(); skip_gap()) {
      const std::size_t begin = position_;
      const int line = line_;
      const token_kind kind = scan();
      tokens.push_back({kind, source_.substr(begin, position_ - begin), file_, line, of_system_});
    }
    tokens.push_back({token_kind::end, source_.substr(source_.size()), file_, line_, of_system_});
    return tokens;
  }

 private:
  // The character `ahead` places further on; zero beyond the end.
  char peek(std::size_t ahead = 0) const {
    return position_ + ahead < source_.size() ? source_[position_ + ahead] : '\0';
  }

  bool starts_with(std::string_view text) const { return source_.substr(position_).starts_with(text); }

  // Moves on to `position` and counts the lines passed.
  void advance_to(std::size_t position) {
    position = std::min(position, source_.size());
    line_ += static_cast<int>(std::count(source_.begin() + position_, source_.begin() + position, '\n'));
    position_ = position;
  }

  void advance_past(std::string_view terminator, const char* what) {
    const std::size_t found = source_.find(terminator, position_);
    if (found == source_.npos) throw source_error(file_, line_, std::string(what) + " without an end");
    advance_to(found + terminator.size());
  }

  // To the newline that ends this line; a backslash before it continues the line.
  void advance_to_line_end() {
    std::size_t end = source_.find('\n', position_);
    while (end != source_.npos && end > position_ && source_[end - 1] == '\\')
      end = source_.find('\n', end + 1);
    advance_to(end);
  }

  void skip_gap() {
    while (position_ < source_.size()) {
      if (peek() == '\n') {
        advance_to(position_ + 1);
        at_line_begin_ = true;
      } else if (std::isspace(static_cast<unsigned char>(peek())) || (peek() == '\\' && peek(1) == '\n')) {
        advance_to(position_ + (peek() == '\\' ? 2 : 1));
      } else if (starts_with("//")) {
        advance_to_line_end();
      } else if (starts_with("/*")) {
        advance_to(position_ + 2);
        advance_past("*/", "comment");
      } else if (peek() == '#' && at_line_begin_) {
        directive();
      } else {
        break;
      }
    }
    at_line_begin_ = false;
  }

  // A line marker, `# 12 "file.cu" 2` or `#line 12 "file.cu"`, says where the next line is from; a 3 among
  // the flags behind the name, that it is a header of the system.
  // All other directives that are left (#pragma, #ident) belong to the compiler.
  void directive() {
    const std::size_t begin = position_ + 1;
    advance_to_line_end();
    std::string_view text = source_.substr(begin, position_ - begin);
    const auto skip_blanks = [&text] {
      text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
    };
    skip_blanks();
    if (text.starts_with("line")) {
      text.remove_prefix(4);
      skip_blanks();
    }
    if (text.empty() || !is_digit(text.front())) return;
    constexpr int many = 100'000'000;  // more, and counting on, could leave the range of int
    int line = 0;
    for (; !text.empty() && is_digit(text.front()); text.remove_prefix(1))
      if (line < many) line = 10 * line + (text.front() - '0');
    line_ = line - 1;  // the newline that ends the marker is still to come
    skip_blanks();
    const std::size_t quote = text.rfind('"');
    // A name is written in many places, and must not add lines there.
    if (!text.starts_with('"') || quote == 0 || text.find('\n') != text.npos) return;
    file_ = text.substr(0, quote + 1);
    of_system_ = text.substr(quote).find(" 3") != text.npos;
  }

  token_kind scan() {
    if (is_name_begin(peek())) {
      std::size_t length = 1;
      while (is_name(peek(length))) ++length;
      const std::string_view name = source_.substr(position_, length);
      const char next = peek(length);
      if (next == '"' && (name == "R" || name == "LR" || name == "uR" || name == "UR" || name == "u8R")) {
        advance_to(position_ + length);
        return raw_string();
      }
      const bool prefix = name == "L" || name == "u" || name == "U" || name == "u8";
      advance_to(position_ + length);
      return prefix && (next == '"' || next == '\'') ? quoted() : token_kind::name;
    }
    if (is_digit(peek()) || (peek() == '.' && is_digit(peek(1)))) return number();
    if (peek() == '"' || peek() == '\'') return quoted();
    const auto found =
        seconds.find(peek(1)) == seconds.npos
            ? operators.end()
            : std::find_if(operators.begin(), operators.end(), [this](auto o) { return starts_with(o); });
    advance_to(position_ + (found == operators.end() ? 1 : found->size()));
    return token_kind::punctuation;
  }

  token_kind number() {
    for (;;) {
      const char c = peek();
      const bool exponent = c == 'e' || c == 'E' || c == 'p' || c == 'P';
      if (exponent && (peek(1) == '+' || peek(1) == '-')) {
        position_ += 2;
      } else if (is_name(c) || c == '.' || (c == '\'' && is_name(peek(1)))) {
        ++position_;
      } else {
        return token_kind::number;
      }
    }
  }

  token_kind quoted() {
    const char quote = peek();
    std::size_t end = position_ + 1;
    while (end < source_.size() && source_[end] != quote && source_[end] != '\n')
      end += source_[end] == '\\' ? 2 : 1;
    if (end >= source_.size() || source_[end] != quote)
      throw source_error(file_, line_, "literal without an end");
    advance_to(end + 1);
    return suffix();
  }

  // R"delimiter( anything )delimiter"
  token_kind raw_string() {
    const std::size_t open = source_.find('(', position_);
    if (open == source_.npos) throw source_error(file_, line_, "raw string without an end");
    const std::string delimiter(source_.substr(position_ + 1, open - position_ - 1));
    advance_past(")" + delimiter + "\"", "raw string");
    return suffix();
  }

  // "abc"_suffix is one literal.
  token_kind suffix() {
    while (is_name(peek())) ++position_;
    return token_kind::text;
  }

  std::string_view source_, file_;
  std::size_t position_ = 0;
  int line_ = 1;
  bool of_system_ = false;
  bool at_line_begin_ = true;
};

// The file name of a line marker as a person would write it.
std::string plain_name(std::string_view literal) {
  std::string name;
  if (literal.size() >= 2 && literal.front() == '"') literal = literal.substr(1, literal.size() - 2);
  for (std::size_t i = 0; i < literal.size(); ++i) {
    if (literal[i] == '\\' && i + 1 < literal.size()) ++i;
    name += literal[i];
  }
  return name;
}

}  // namespace

std::string message(std::string_view file, int line, severity how, std::string_view text) {
  const char* const word = how == severity::error     ? ": error: "
                           : how == severity::warning ? ": warning: "
                                                      : ": note: ";
  return (plain_name(file) + ":" + std::to_string(line)).append(word).append(text);
}

std::vector<token> tokenize(std::string_view source, std::string_view file) {
  return lexer(source, file).run();
}

}  // namespace cuda_emulator::translator
