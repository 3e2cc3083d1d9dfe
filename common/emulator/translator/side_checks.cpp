// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "side_checks.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <fstream>

#include "lambdas.hpp"

namespace cuda_emulator::translator {
namespace {

template <std::size_t N>
bool contains(const std::array<std::string_view, N>& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

// Their operand is not evaluated, or none.
constexpr std::array<std::string_view, 18> unevaluated = {
    "__attribute__", "__attribute", "alignas",     "asm",      "__asm__",    "__asm",
    "sizeof",        "alignof",     "__alignof__", "decltype", "__decltype", "noexcept",
    "__typeof__",    "requires",    "typeid",      "typeof",   "__alignof",  "static_assert"};

// Words behind which an expression begins, and no name is declared.
constexpr std::array<std::string_view, 20> before_expressions = {
    "return", "co_return", "co_yield", "co_await", "else", "do",    "case", "throw",  "sizeof", "delete",
    "new",    "not",       "and",      "or",       "xor",  "compl", "goto", "bitand", "bitor",  "in"};

constexpr std::array<std::string_view, 21> binary = {
    "+", "-", "/",  "%",  "==", "!=", "<=", ">=", "<=>", "&&", "||",
    "^", "|", "+=", "-=", "*=", "/=", "%=", "&=", "|=",  "^="};
constexpr std::array<std::string_view, 12> writing = {
    "=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "<<=", ">>=", "^=", "++"};

// Functions of the C library that the headers declare and no GPU has.
constexpr std::array<std::string_view, 33> of_the_host = {
    "rand",    "srand",   "exit",   "puts",    "putchar",  "fprintf", "fputs",  "fopen",  "fclose",
    "fflush",  "fread",   "fwrite", "sprintf", "snprintf", "scanf",   "sscanf", "fscanf", "getenv",
    "usleep",  "sleep",   "strcmp", "strcpy",  "strncpy",  "time",    "atoi",   "atof",   "calloc",
    "realloc", "getchar", "system", "abort",   "memcmp",   "perror"};

// Of the runtime: what an answer can be given to in a kernel, too.
constexpr std::array<std::string_view, 7> runtime_of_both = {
    "cudaGetErrorString", "cudaGetErrorName",   "cudaGetLastError",      "cudaPeekAtLastError",
    "cudaGetDevice",      "cudaGetDeviceCount", "cudaDeviceGetAttribute"};

constexpr std::array<std::string_view, 10> copies = {
    "cudaMemcpy",      "cudaMemcpyAsync", "cudaMemcpy2D",      "cudaMemcpy2DAsync", "cudaMemset",
    "cudaMemsetAsync", "cudaMemset2D",    "cudaMemset2DAsync", "cudaMemcpyPeer",    "cudaMemcpyPeerAsync"};

// Functions of the device in our headers, of which host code is most likely to call one.
bool is_of_device(std::string_view name) {
  for (const char* prefix : {"__syncthreads", "__syncwarp", "__shfl_", "__ballot_sync", "__any_sync",
                             "__all_sync", "__match_", "__threadfence", "atomic"}) {
    if (name.starts_with(prefix)) {
      return *prefix != 'a' || (name.size() > 6 && std::isupper(static_cast<unsigned char>(name[6])));
    }
  }
  return false;
}

// Classes of the standard library that live on the heap, none of whose constructors is constexpr.
constexpr std::array<std::string_view, 20> heap_classes = {
    "map",   "set",    "multimap", "multiset", "unordered_map",  "unordered_set", "list",
    "deque", "queue",  "stack",    "function", "ostringstream",  "istringstream", "stringstream",
    "mutex", "thread", "ofstream", "ifstream", "priority_queue", "fstream"};

bool is_part_of_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

bool is_word_of(std::string_view line, std::string_view word) {
  if (word.front() == '<') return line.find(word) != line.npos;
  for (std::size_t at = line.find(word); at != line.npos; at = line.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if ((at == 0 || !is_part_of_name(line[at - 1])) && (end == line.size() || !is_part_of_name(line[end])))
      return true;
  }
  return false;
}

}  // namespace

// ---- the files

const sides::source_files::file& sides::source_files::read(std::string_view name) {
  if (const auto found = files_.find(name); found != files_.end()) return found->second;
  file& f = files_[std::string(name)];
  const std::string path = unquoted(name);
  std::error_code none;
  if (!std::filesystem::is_regular_file(path, none)) return f;
  std::ifstream stream(path, std::ios::binary);
  f.is_known = stream.good();
  std::string guard;       // of #ifndef in the first directive
  std::vector<bool> open;  // for each #if whether it may be about the side
  std::size_t directives = 0;
  for (std::string line; std::getline(stream, line);) {
    const std::size_t hash = line.find_first_not_of(" \t");
    if (hash != line.npos && line[hash] == '#') {
      const std::size_t word = std::min(line.find_first_not_of(" \t", hash + 1), line.size());
      const std::string_view rest = std::string_view(line).substr(word);
      const std::size_t name_at = rest.find_first_of(" \t");
      std::string_view argument = name_at == rest.npos ? "" : rest.substr(name_at);
      while (!argument.empty() && std::isspace(static_cast<unsigned char>(argument.front())))
        argument.remove_prefix(1);
      while (!argument.empty() && std::isspace(static_cast<unsigned char>(argument.back())))
        argument.remove_suffix(1);
      if (rest.starts_with("if")) {
        if (rest.starts_with("ifndef") && directives == 0) guard = argument;
        const bool of_cpp = argument == "__CUDACC__" || argument == "__cplusplus" || argument == "1" ||
                            argument == "defined(__CUDACC__)" || argument == "__NVCC__";
        open.push_back(!of_cpp);
      } else if (rest.starts_with("endif") && !open.empty()) {
        open.pop_back();
      } else if (rest.starts_with("define") && directives == 1 && !guard.empty() && !open.empty()) {
        if (argument.substr(0, argument.find_first_of(" \t")) == guard) open.front() = false;
      }
      if (!rest.starts_with("pragma") && !rest.starts_with("include")) ++directives;
    }
    f.is_conditional.push_back(std::find(open.begin(), open.end(), true) != open.end());
    f.lines.push_back(std::move(line));
  }
  return f;
}

bool sides::source_files::shows(const token& what, std::string_view word) {
  const file& f = read(what.file);
  if (!f.is_known) return true;
  const std::size_t line = static_cast<std::size_t>(what.line) - 1;
  return what.line > 0 && line < f.lines.size() && !f.is_conditional[line] && is_word_of(f.lines[line], word);
}

bool sides::source_files::shows_all(const syntax& text, place first, place last) {
  const file& f = read(text[first].file);
  if (!f.is_known) return true;
  while (first > 0 && text[first - 1].line == text[first].line && text[first - 1].file == text[first].file) {
    --first;  // what stands before it on its line must be as it is, too
  }
  std::vector<std::string_view> seen, written;
  for (place i = first; i <= last; ++i) {
    if (text[i].kind == token_kind::name) seen.push_back(text[i].spelling);
  }
  const std::size_t end = static_cast<std::size_t>(text[last].line);
  for (std::size_t n = static_cast<std::size_t>(text[first].line); n <= end && n <= f.lines.size(); ++n) {
    const std::string_view line = n > 0 ? std::string_view(f.lines[n - 1]) : "";
    for (std::size_t i = 0; i < line.size() && written.size() < seen.size();) {
      std::size_t length = 0;
      while (i + length < line.size() && is_part_of_name(line[i + length])) ++length;
      if (line.substr(i).starts_with("//")) break;
      if (length > 0 && !std::isdigit(static_cast<unsigned char>(line[i]))) {
        written.push_back(line.substr(i, length));
      }
      i += std::max<std::size_t>(length, 1);
    }
  }
  return seen == written;
}

// ---- names that a function declares

bool sides::body_check::ends_operand(place i) const {
  const token& t = text_[i];
  if (t.kind == token_kind::number || t.kind == token_kind::text) return true;
  if (t.kind == token_kind::name)
    return text_.is_name(i) ? !contains(before_expressions, t.spelling) : t.spelling == "this";
  return t.spelling == ")" || t.spelling == "]";
}

bool sides::body_check::is_of_parameters(place open) const {
  if (open == function_.parameters) return true;
  if (!text_.is(open, "(") || open == 0) return false;
  for (const char* word : {"]", "for", "catch", "__device__", "__host__", "if", "while", "switch"}) {
    if (text_.is(open - 1, word)) return true;
  }
  return false;
}

// Could the > at i be a bracket? Only what stands near is looked at.
bool sides::body_check::closes_angles(place i) const {
  int depth = 1;
  for (int steps = 0; i-- > function_.begin && steps < 50; ++steps) {
    if (text_.is(i, ")") || text_.is(i, "]") || text_.is(i, "}")) i = text_.partner(i);
    if (text_.is(i, ";") || text_.is(i, "(") || text_.is(i, "{")) return false;
    if (text_.is(i, ">")) ++depth;
    if (text_.is(i, "<") && --depth == 0) return true;
  }
  return false;
}

// Type * name, Type& name, ... and not factor * name.
bool sides::body_check::declares_behind_star(place i, const std::vector<place>& open) const {
  place j = i - 1;
  const auto is_mark = [&](place at) {
    for (const char* mark : {"*", "&", "&&", "const", "volatile"}) {
      if (text_.is(at, mark)) return true;
    }
    return false;
  };
  while (j > function_.begin && is_mark(j)) --j;
  const place around = open.empty() ? function_.body : open.back();
  if (text_.is(j, "(")) return text_.is(i + 1, ")") && (text_.is(i + 2, "(") || text_.is(i + 2, "["));
  if (text_.is(j, ",")) return text_.is(around, "{") || text_.is(around, "[") || is_of_parameters(around);
  if (text_.is(j, ">") || text_.is(j, "...")) return true;
  if (text_[j].kind != token_kind::name || contains(before_expressions, text_[j].spelling)) return false;
  if (!text_.is_name(j)) return true;  // a keyword: int, auto
  while (j > function_.begin + 1 && text_.is(j - 1, "::")) {
    --j;
    if (text_.is_name(j - 1)) --j;
  }
  if (j <= function_.begin) return true;
  const place before = j - 1;
  if (text_[before].kind == token_kind::name) {
    return !contains(before_expressions, text_[before].spelling);
  }
  if (text_.is(before, ";") || text_.is(before, "{") || text_.is(before, "}")) return true;
  if (text_.is(before, "(") || text_.is(before, ",")) return is_of_parameters(around);
  return text_.is(before, "<") || text_.is(before, ">");  // template <int* p>
}

// Whether the function may declare the name at i, there. In doubt it does.
bool sides::body_check::declares(place i, const std::vector<place>& open) const {
  if (i < 2 || i == function_.name) return false;
  const token& before = text_[i - 1];
  const place around = open.empty() ? nowhere : open.back();
  if (before.kind == token_kind::name) {
    return before.spelling == "goto" || !contains(before_expressions, before.spelling);
  }
  if (before.spelling == "...") return true;
  if (before.spelling == ">") return closes_angles(i - 1);
  if (before.spelling == "*" || before.spelling == "&" || before.spelling == "&&") {
    return declares_behind_star(i, open);
  }
  if (before.spelling == ",") {
    if (around == nowhere) return true;
    if (text_.is(around, "{")) return true;
    if (text_.is(around, "[")) return begins_lambda(text_, around) || !ends_operand(around - 1);
    return around > 0 && text_.is(around - 1, "for");
  }
  if (before.spelling == "[") {
    return text_.is(i - 2, "auto") || text_.is(i - 2, "&") || text_.is(i - 2, "&&") ||
           begins_lambda(text_, i - 1);
  }
  if (before.spelling == "{") {  // of an enum
    for (place j = i - 2; j > function_.body && j + 8 > i && !text_.is(j, ";"); --j) {
      if (text_.is(j, "enum")) return true;
    }
  }
  return false;
}

void sides::body_check::collect_own_names() {
  std::vector<place> open;
  for (place i = function_.begin; i < end_; ++i) {
    while (!open.empty() && text_.partner(open.back()) <= i) open.pop_back();
    if (text_.is(i, "(") || text_.is(i, "[") || text_.is(i, "{")) open.push_back(i);
    if (text_[i].kind != token_kind::name) continue;
    const std::string_view name = text_[i].spelling;
    const bool is_type = is_builtin_type(name) || name == "auto";
    if (is_type && i + 1 < end_ && text_.is_name(i + 1) && i >= function_.parameters) {
      const bool is_fixed =
          text_.is(i - 1, "const") || text_.is(i - 1, "constexpr") || text_.is(i - 1, "static");
      if (!is_fixed) varying_.insert(text_[i + 1].spelling);
    }
    if (text_.is_name(i) && !own_.contains(name) && declares(i, open)) own_.insert(name);
  }
}

// ---- the walk

void sides::body_check::run() {
  collect_own_names();
  for (place i = function_.body + 1; i < end_;) {
    while (!frames_.empty() && frames_.back().end <= i) frames_.pop_back();
    while (!open_.empty() && text_.partner(open_.back()) <= i) open_.pop_back();
    const token& t = text_[i];
    if (t.spelling == "[" && begins_lambda(text_, i)) {
      if (const place body = lambda_body(text_, i); body != nowhere && body < end_) {
        i = enter_lambda(i, body);
        continue;
      }
    }
    if (t.spelling == "(" || t.spelling == "[" || t.spelling == "{") open_.push_back(i);
    if (t.spelling == "<" && text_.is(i + 1, "<") && text_.is(i + 2, "<")) {
      if (here() == side::device && is_sure(i, {})) {
        say(severity::error, i, "<<<",
            who() + " launches a kernel: only the host can, on the emulated device");
      }
      i += 3;
      continue;
    }
    if (t.kind != token_kind::name) {
      ++i;
      continue;
    }
    if (contains(unevaluated, t.spelling)) {
      if (text_.is(i + 1, "(")) {
        i = text_.after_group(i + 1);
      } else {
        for (++i;
             i < end_ && (text_.is_name(i) || text_.is(i, "::") || text_.is(i, "...") || text_.is(i, "*"));)
          ++i;
      }
      continue;
    }
    if (t.spelling == "if" && text_.is(i + 1, "constexpr")) {
      i = skip_statement(i);
      continue;
    }
    if (t.spelling == "struct" || t.spelling == "class" || t.spelling == "union" || t.spelling == "enum") {
      place j = i + 1;  // a local class is not looked into
      while (j < end_ && (text_.is_name(j) || text_.is(j, ":") || text_.is(j, "::") || text_.is(j, "public")))
        j = text_.after_item(j);
      i = text_.is(j, "{") ? text_.after_group(j) : i + 1;
      continue;
    }
    if (t.spelling == "throw" || t.spelling == "try") {
      if (here() != side::host && function_.is_emitted && is_sure(i, t.spelling)) {
        say(severity::error, i, "throw", who() + " uses exceptions, which device code does not have");
      }
    } else if (text_.is_name(i)) {
      name(i);
    }
    ++i;
  }
}

// Captures, parameters and what stands between them are not looked at.
place sides::body_check::enter_lambda(place i, place body) {
  frame inner{text_.partner(body), here(), true, true};
  bool device = false, host = false;
  for (place j = text_.after_group(i); j < body; ++j) {
    device |= text_.is(j, "__device__");
    host |= text_.is(j, "__host__");
    if (text_.is(j, "->")) {
      for (; j < body; ++j) inner.returns_value &= !text_.is(j, "&") && !text_.is(j, "decltype");
    }
  }
  if (device) inner.where = host ? side::both : side::device;
  frames_.push_back(inner);
  open_.push_back(body);
  return body + 1;
}

// Behind if constexpr (...) statement else statement: which of them is compiled is not known.
place sides::body_check::skip_statement(place i) const {
  const auto after = [&](place j) {
    if (text_.is(j, "{")) return text_.after_group(j);
    while (j < end_ && !text_.is(j, ";")) j = text_.after_group(j);
    return std::min(j + 1, end_);
  };
  while (text_.is(i, "if") && text_.is(i + 1, "constexpr") && text_.is(i + 2, "(")) {
    i = after(text_.after_group(i + 2));
    if (!text_.is(i, "else")) return i;
    ++i;
    if (text_.is(i, "if")) {
      if (text_.is(i + 1, "constexpr")) continue;
      return i;
    }
    return after(i);
  }
  return i + 1;
}

void sides::body_check::name(place i) {
  const std::string_view word = text_[i].spelling;
  if (text_.is(i + 1, "::")) {
    if (word == "std" && here() == side::device && !text_.is(i - 1, "::")) library_class(i);
    return;
  }
  const bool is_member = text_.is(i - 1, ".") || text_.is(i - 1, "->");
  const bool is_qualified = text_.is(i - 1, "::");
  const auto found = all_.names_.find(word);
  const known* const k = found == all_.names_.end() ? nullptr : &found->second;
  if (own_.contains(word) && !is_qualified) return;
  if (!is_member && !is_qualified && !k) return stream(i);
  if (!k) return;

  const place after = text_.is(i + 1, "<") ? text_.after_item(i) : i + 1;
  if (text_.is(after, "(")) return call(i, is_member, k);
  if (is_member) return;

  // A variable: all of that name must be alike, and it must be visible here.
  if (!k->is_variable || !k->are_alike || k->is_other || k->of_namespace.any()) return;
  place first = i;
  if (is_qualified) {
    first = i - 1;
    while (text_.is_name(first - 1)) {
      if (!all_.namespaces_.contains(text_[first - 1].spelling)) return;
      --first;
      if (!text_.is(first - 1, "::")) break;
      --first;
    }
    if (text_.is(first - 1, ">")) return;
  } else if (function_.is_member && (k->is_member || function_.has_bases)) {
    return;
  }
  const variable& v = *k->is_variable;
  if (v.of_device && here() != side::device) device_variable(i, first, v);
  if (!v.of_device && here() != side::host) host_variable(i, *k);
}

// std::cout, or cout behind using namespace std
void sides::body_check::stream(place i) {
  const std::string_view word = text_[i].spelling;
  if (here() != side::device || !function_.is_emitted) return;
  if (word != "cout" && word != "cerr" && word != "clog") return;
  if (text_.is(i + 1, "<") && is_sure(i, word)) {
    say(severity::error, i, word,
        who() + " uses " + std::string(word) + ", which is the host's: use printf()");
  }
}

// std::map<int, int> m; at the word std
void sides::body_check::library_class(place i) {
  const place name = i + 2;
  if (!function_.is_emitted || !text_.is_name(name)) return;
  if (!all_.names_.contains(text_[name].spelling)) stream(name);
  if (!contains(heap_classes, text_[name].spelling)) return;
  const place after = text_.after_item(name);
  const bool begins = text_.is(i - 1, ";") || text_.is(i - 1, "{") || text_.is(i - 1, "}");
  if (!begins || !text_.is_name(after)) return;
  if (!text_.is(after + 1, ";") && !text_.is(after + 1, "(") && !text_.is(after + 1, "{") &&
      !text_.is(after + 1, "="))
    return;
  if (is_sure(name, text_[name].spelling)) {
    say(severity::error, name, text_[name].spelling,
        who() + " uses std::" + std::string(text_[name].spelling) + ", which is the host's");
  }
}

void sides::body_check::call(place i, bool is_member, const known* k) {
  const std::string_view word = text_[i].spelling;
  const std::string shown = std::string(word) + "()";
  const bool of_device = here() == side::device;

  functions candidates = k->of_namespace;
  bool is_ours = !k->is_other && !k->is_variable && !k->of_system;
  bool of_std = false;
  if (is_member) {
    candidates = k->of_class;
    is_ours = !k->is_other_member && !k->of_system_class;
  } else if (text_.is(i - 1, "::")) {
    if (text_.is_name(i - 2)) {
      const std::string_view qualifier = text_[i - 2].spelling;
      of_std = qualifier == "std" && !text_.is(i - 3, "::");
      if (const auto c = all_.classes_.find(qualifier); c != all_.classes_.end()) {
        const auto m = c->second.members.find(word);
        if (m == c->second.members.end() || c->second.has_bases) return;
        candidates = m->second;
        is_ours = true;
      } else if (!all_.namespaces_.contains(qualifier) && !of_std) {
        return;
      }
    } else if (text_.is(i - 2, ">")) {
      return;
    }
  } else if (function_.is_member) {
    if (function_.has_bases || k->is_other_member) return;
    candidates.host += k->of_class.host;
    candidates.device += k->of_class.device;
    candidates.both += k->of_class.both;
    candidates.has_constexpr |= k->of_class.has_constexpr;
  }

  if (is_ours && !of_std) {
    const bool is_used = !function_.is_template || (function_.where != side::host && function_.is_emitted);
    if (candidates.only_kernels() && !is_member && is_used && (here() == side::host || is_sure(i, word))) {
      say(severity::error, i, word,
          shown + " is a kernel: launch it with " + std::string(word) + "<<<grid, block>>>(...)");
    } else if (candidates.only_host() && here() != side::host && function_.is_emitted && is_sure(i, word) &&
               is_surely_of_host(*k)) {
      if (of_device) {
        say(severity::error, i, word,
            who() + " calls " + shown +
                ", a function of the host: declare it __device__, or __host__ __device__");
      } else if (!function_.is_unchecked && frames_.empty()) {
        say(severity::warning, i, word,
            who() + " calls " + shown + ", a function of the host, which a GPU does not have");
      }
    } else if (candidates.only_device() && !of_device && !function_.is_template &&
               (here() == side::host || is_sure(i, word))) {
      say(severity::error, i, word,
          who() + " calls " + shown +
              ", a function of the device: call it in a kernel, or declare it __host__ __device__");
    }
    return;
  }

  const bool of_library = k->of_system && !candidates.any() && !is_member && !k->is_variable;
  if (!of_library) return;
  const bool of_runtime = word.starts_with("cuda") && word.size() > 4 &&
                          std::isupper(static_cast<unsigned char>(word[4])) &&
                          !contains(runtime_of_both, word);
  if (of_device && function_.is_emitted && of_runtime && is_sure(i, word)) {
    say(severity::error, i, word,
        who() + " calls " + shown + ": only the host can call the runtime, on the emulated device");
  } else if (of_device && function_.is_emitted && contains(of_the_host, word) && is_sure(i, word)) {
    say(severity::error, i, word, who() + " calls " + shown + ", which a GPU does not have");
  } else if (here() == side::host && is_of_device(word) && !function_.is_template) {
    say(severity::error, i, word, who() + " calls " + shown + ", which is for device code");
  }
}

// ---- variables of the host in device code

bool sides::body_check::varies(place begin, place end) const {
  for (place i = begin; i < end; ++i) {
    for (const char* word : {"threadIdx", "blockIdx", "blockDim", "gridDim"}) {
      if (text_.is(i, word)) return true;
    }
    const bool is_member = text_.is(i - 1, ".") || text_.is(i - 1, "->") || text_.is(i - 1, "::");
    if (!is_member && text_.is_name(i) && varying_.contains(text_[i].spelling)) return true;
  }
  return false;
}

// A const number is a number to nvcc, and a const table is one where the index is known to it.
void sides::body_check::host_variable(place i, const known& k) {
  const variable& v = *k.is_variable;
  if (!function_.is_emitted || v.is_reference) return;
  if (v.is_const) {
    if (v.bounds == 0 || !text_.is(i + 1, "[") || !varies(i + 2, text_.partner(i + 1))) return;
  }
  const std::string_view word = text_[i].spelling;
  if (!is_sure(i, word) || !is_surely_of_host(k)) return;
  const char* const advice = v.is_const ? ": declare it __constant__ or __device__"
                                        : ": pass it to the kernel, or declare it __device__";
  say(severity::error, i, word, who() + " uses " + std::string(word) + ", a variable of the host" + advice);
}

// ---- variables of the device in host code

void sides::body_check::device_variable(place i, place first, const variable& v) {
  const bool is_value = v.is_const && v.bounds == 0;
  if (!warn_ || v.is_managed || v.is_reference || is_value) return;
  if (here() == side::both && (function_.is_template || function_.is_unchecked)) return;
  const touch what = touched(i, first, v);
  const std::string word(text_[i].spelling);
  if (what == touch::none || (here() == side::both && !is_sure(i, word))) return;
  const std::string variable =
      word + ", a " + (v.is_constant ? "__constant__" : "__device__") + " variable: ";
  if (what == touch::read) {
    say(severity::warning, i, word + " read",
        who() + " reads " + variable +
            "on a GPU the host has another one, which kernels do not change; use cudaMemcpyFromSymbol()");
  } else if (what == touch::write) {
    say(severity::warning, i, word + " write",
        who() + " writes " + variable +
            "on a GPU the host has another one, which kernels do not see; use cudaMemcpyToSymbol()");
  } else {
    say(severity::warning, i, word + " address",
        who() + " passes the address of " + variable +
            "on a GPU it is that of another one, which the host has; use cudaGetSymbolAddress()");
  }
}

// Like nvcc, this tells an element that is read or written from an array, a reference or an address that is
// only passed on.
sides::body_check::touch sides::body_check::touched(place i, place first, const variable& v) const {
  place left = first, right = i + 1;
  int depth = 0;
  bool of_member = false;
  for (;;) {
    if (text_.is(right, "[")) {
      right = text_.after_group(right);
      ++depth;
    } else if (text_.is(right, ".") && text_.is_name(right + 1)) {
      if (text_.is(right + 2, "(") || text_.is(right + 2, "<")) return touch::none;
      of_member = true;
      right += 2;
    } else if (text_.is(right, "->")) {
      return v.is_pointer && depth == v.bounds && !of_member ? touch::read : touch::none;
    } else if (text_.is(right, ")") && text_.is(left - 1, "(") && !ends_operand(left - 2) &&
               (text_[left - 2].kind != token_kind::name || text_.is(left - 2, "return"))) {
      --left;
      ++right;
    } else if (text_.is(left - 1, "*") && !ends_operand(left - 2) && !of_member) {
      if (v.is_pointer && depth == v.bounds) return touch::read;
      if (depth >= v.bounds) return touch::none;
      --left;
      ++depth;
    } else {
      break;
    }
  }
  if (!of_member && v.is_pointer && depth > v.bounds) return touch::read;
  if (!of_member && depth > v.bounds) return touch::none;
  return touched_as_value(left, right, of_member || depth == v.bounds, v);
}

// [left, right) is a variable, an element or a member, or an array where it is no value.
sides::body_check::touch sides::body_check::touched_as_value(place left, place right, bool is_value,
                                                             const variable& v) const {
  const std::string_view before = text_[left - 1].spelling, after = text_[right].spelling;
  const auto read_if = [](bool condition) { return condition ? touch::read : touch::none; };
  if (before == "&" && (!ends_operand(left - 2) || text_.is(left - 2, ")"))) {
    return is_address_for_runtime(left - 1, right) ? touch::address : touch::none;
  }
  if (!is_value) return is_address_for_runtime(left, right) ? touch::address : touch::none;
  if (contains(writing, after) || after == "--" || before == "++" || before == "--") return touch::write;
  if (contains(binary, after) || after == "*" || after == "&" || after == "?" || after == "<")
    return touch::read;
  const bool in_angles = before == "<" || before == ",";
  if (after == ">") return read_if(!in_angles);
  if (before == "<") {
    const bool in_configuration = text_.is(left - 2, "<") && text_.is(left - 3, "<");
    return read_if(after != "," || in_configuration);
  }
  if (contains(binary, before) || before == ">" || before == "!" || before == "~") return touch::read;
  if ((before == "*" || before == "&") && ends_operand(left - 2)) return touch::read;
  if (before == "=") return read_if(reads_into(left - 1));

  // From here on it matters whether a class could be made of a reference.
  if (!v.is_builtin && !v.is_pointer) return touch::none;
  if (before == "return")
    return read_if(frames_.empty() ? function_.returns_value : frames_.back().returns_value);
  if (before == "[") return read_if(after == "]" && ends_operand(left - 2));
  if (before == ")") {
    const place open = text_.partner(left - 1);
    bool of_builtin = open + 2 <= left;
    for (place i = open + 1; i + 1 < left; ++i) of_builtin &= is_builtin_type(text_[i].spelling);
    return read_if(of_builtin && open + 1 < left - 1);
  }
  if (before == "(" && after == ")") {
    for (const char* word : {"if", "while", "switch"}) {
      if (text_.is(left - 2, word)) return touch::read;
    }
    if (is_builtin_type(text_[left - 2].spelling)) return touch::read;
    if (text_.is(left - 2, ">") && text_.is(left - 4, "<") && text_.is(left - 5, "static_cast")) {
      return read_if(is_builtin_type(text_[left - 3].spelling));
    }
  }
  if (before != "(" && before != ",") return touch::none;
  if (after != ")" && after != ",") return touch::none;
  return touched_by_call(left);
}

// An argument of a call: read where it is certainly passed by value.
sides::body_check::touch sides::body_check::touched_by_call(place left) const {
  auto around = open_.rbegin();
  while (around != open_.rend() && *around >= left) ++around;  // parentheses that belong to the argument
  if (around == open_.rend() || *around < 3 || !text_.is(*around, "(")) return touch::none;
  const place open = *around;
  const std::string_view callee = text_[open - 1].spelling;
  const bool is_launch = callee == ">" && text_.is(open - 2, ">") && text_.is(open - 3, ">");
  const bool prints =
      callee == "printf" || callee == "fprintf" || callee == "snprintf" || callee == "sprintf";
  const bool of_runtime =
      callee.starts_with("cuda") && callee.find("Symbol") == callee.npos && !own_.contains(callee);
  return is_launch || prints || of_runtime ? touch::read : touch::none;
}

// Whether the = copies a value, and does not bind a reference or make an object of a class.
bool sides::body_check::reads_into(place equals) const {
  place j = equals - 1;
  while (text_.is(j, "]")) j = text_.partner(j) - 1;
  if (!text_.is_name(j)) return false;
  place before = j - 1;
  while (text_.is(before, "::") && text_.is_name(before - 1)) before -= 2;
  if (text_.is(before, "&") || text_.is(before, "&&") || text_.is(before, ">")) return false;
  if (text_[before].kind != token_kind::name) return true;
  const std::string_view word = text_[before].spelling;
  return is_builtin_type(word) || word == "auto" || word == "const" || word == "else" || word == "do";
}

// An argument of a kernel, which gets a value, or of a copy.
bool sides::body_check::is_address_for_runtime(place left, place right) const {
  const bool alone = (text_.is(left - 1, "(") || text_.is(left - 1, ",")) &&
                     (text_.is(right, ")") || text_.is(right, ",") || text_.is(right, "+"));
  if (!alone || open_.empty()) return false;
  const place open = open_.back();
  if (open < 3 || open >= left || !text_.is(open, "(")) return false;
  const std::string_view callee = text_[open - 1].spelling;
  return contains(copies, callee) || (callee == ">" && text_.is(open - 2, ">") && text_.is(open - 3, ">"));
}

// ---- saying it

std::string sides::body_check::who() const {
  const std::string name = text_.text(function_.name, std::max(function_.name + 1, function_.parameters));
  const bool in_lambda = !frames_.empty() && frames_.back().where != function_.where;
  if (in_lambda) return "a __device__ lambda in " + name + "()";
  return function_.is_kernel ? "kernel " + name : name + "()";
}

// Device code is compiled with __CUDA_ARCH__, which may change what a macro is and what lies behind an #if.
bool sides::body_check::is_sure(place i, std::string_view word) {
  const bool plain = all_.files_->shows(text_[function_.name], text_[function_.name].spelling);
  return plain && all_.files_->shows(text_[i], word.empty() ? std::string_view("<<<") : word);
}

// A function or a variable is of the host because nothing else is said where it is declared.
bool sides::body_check::is_surely_of_host(const known& name) {
  if (!name.is_plain) {
    name.is_plain = std::all_of(name.declared.begin(), name.declared.end(), [&](const auto& d) {
      const token& declared = text_[d.second];
      return all_.files_->shows(declared, declared.spelling) &&
             all_.files_->shows_all(text_, d.first, d.second);
    });
  }
  return *name.is_plain;
}

void sides::body_check::say(severity how, place i, std::string_view about, const std::string& text) {
  if (said_.insert(std::string(about)).second) text_.say(how, i, text);
}

}  // namespace cuda_emulator::translator
