// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "compiler_words.hpp"

#include <algorithm>
#include <filesystem>
#include <regex>
#include <set>
#include <utility>

#include "common/program/letters_between.hpp"
#include "unmatched_brace.hpp"

namespace tutorial {
namespace {

using std::string;

const char* const error_mark = "(?:fatal |catastrophic )?error(?: #[0-9A-Z-]+)?: ";

string replaced(string text, const string& what, const string& by) {
  for (std::size_t at = 0; (at = text.find(what, at)) != text.npos; at += by.size())
    text.replace(at, what.size(), by);
  return text;
}

/// "a.cu:12" at its begin, also where it is written as nvcc does, a.cu(12); else empty.
string place_at_begin(const string& line) {
  static const std::regex form("^([^:(]+)(?::([0-9]+)|\\(([0-9]+)\\))");
  std::smatch found;
  if (!std::regex_search(line, found, form)) return "";
  return string(found[1]) + ":" + string(found[2]) + string(found[3]);
}

/// The place of the first error; empty where no error has one. Of one in what a line of ours uses, a template
/// for example, that line.
string first_error(const source_lines& messages) {
  static const std::regex error("[0-9)]: " + string(error_mark));
  string user, outside;
  for (const string& line : messages) {
    const string place = place_at_begin(line);
    if (line.find(" required from here") != line.npos && !place.starts_with('/')) user = place;
    if (place.empty() || !std::regex_search(line, error)) continue;
    if (!user.empty()) return user;
    if (!place.starts_with('/')) return place;
    if (outside.empty()) outside = place;
  }
  return outside;
}

/// The line before this one that has code; 0: none.
int code_before(const source_lines& file, int line) {
  for (int i = std::min(line - 1, static_cast<int>(file.size())); i > 0; --i) {
    const string& text = file[static_cast<std::size_t>(i - 1)];
    const std::size_t begin = text.find_first_not_of(' ');
    if (begin != text.npos && text[begin] != '/') return i;
  }
  return 0;
}

/// The word of the file, or of the language, that this one is misspelled for; empty where none is near.
string meant(const string& word, const source_lines& file) {
  if (word.size() < 3) return "";
  std::set<string> known;
  static const std::regex form("[A-Za-z_][A-Za-z0-9_]*");
  for (const string& line : file) {
    const string code = line.substr(0, line.find("//"));
    for (std::sregex_iterator each(code.begin(), code.end(), form), end; each != end; ++each)
      known.insert(each->str());
  }
  known.erase(word);
  std::vector<string> words(known.begin(), known.end());
  words.insert(words.end(), {"return", "break", "continue", "const", "float", "double", "while"});
  string best;
  std::size_t least = std::min<std::size_t>(word.size() / 2, 2) + 1;  // so many letters are too many
  for (const string& each : words) {
    std::size_t letters = letters_between(word, each);
    if (each.starts_with(word)) letters = std::min<std::size_t>(letters, 1);
    if (letters >= least) continue;
    least = letters;
    best = each;
  }
  return best;
}

string header_of(const string& name) {
  const std::pair<const char*, const char*> headers[] = {
      {"algorithm", " clamp copy fill max max_element min min_element reverse sort transform "},
      {"numeric", " accumulate iota reduce "},
      {"cmath", " abs cos exp fabs isnan log pow sin sqrt "},
      {name.c_str(), " array span string vector "}};
  for (const auto& [header, names] : headers)
    if (string(names).find(" " + name + " ") != string::npos) return header;
  return "";
}

/// A ; that may be missing, or something else, before `next`, which may be unknown.
error_words missing_before(const string& next, const source_lines& file, int line) {
  const string text = line < 1 || static_cast<std::size_t>(line) > file.size()
                          ? ""
                          : trimmed(file[static_cast<std::size_t>(line - 1)]);
  if (next == "}" && text.find('}', 1) != text.npos) return {"a ; may be missing before }."};
  if (!next.empty() && !text.empty() && text.find(next, 1) != text.npos)
    return {"something is missing before " + next + ": an operator such as + or *, a comma, or a ;."};
  const int at = next.empty() || text.starts_with(next) ? code_before(file, line) : line;
  if (at == 0) return {};
  return {"a ; may be missing at the end of line " + std::to_string(at) + ".", at};
}

/// A form of a message, and what it says; $1 are its parts.
struct known_error {
  std::regex form;
  const char* words;
};

const std::vector<known_error>& known_errors() {
  static const std::vector<known_error> all = {
      {std::regex("no matching function.*'(__shfl[a-z_]*_sync)\\([^,]*,[^,]*\\)'"),
       "$1 takes three values, and the first says which lanes take part: 0xffffffff for all."},
      {std::regex("'include' does not name a type"), "a line that includes a header begins with #: #include"},
      {std::regex("invalid use of non-static member function .*::([A-Za-z_]+)\\(\\)"),
       "$1 is a function. To call it, write $1()."},
      {std::regex("assignment of read-only location '[*(]*([A-Za-z_][A-Za-z0-9_]*)"),
       "$1 is const, which can only be read. Is it the array that you want to write?"},
      {std::regex("assignment of read-only [a-z]+ '([^']+)'"),
       "$1 is const, and = would change it. Leave out const; or, to compare, write ==."},
      {std::regex("cannot convert .*device_span.* to .*\\*"),
       "a kernel takes a pointer: write .data() behind the name of what you pass."},
      {std::regex("invalid conversion from 'const ([a-z]+)\\*' to '[a-z]+\\*'"),
       "a read-only array is passed where the function needs one that it can write to. Are two arguments "
       "exchanged?"},
      {std::regex("incomplete type '[A-Za-z0-9_: ]+\\[\\]'"),
       "shared memory whose size the launch gives is declared with extern: extern __shared__ float tile[];"}};
  return all;
}

string gone_from(const source_lines& starter, const source_lines& text) {
  string result;
  for (const string& line : starter)
    if (trimmed(line).starts_with("#include") &&
        std::none_of(text.begin(), text.end(),
                     [&](const string& each) { return trimmed(each) == trimmed(line); }))
      result += "\nMissing from the file that you started with: " + line;
  return result;
}

}  // namespace

source_lines compiler_messages(const source_lines& log, const string& root) {
  static const std::regex tool("^(\\[[ 0-9/%]*\\]|ninja: |g?make|-- )");
  source_lines result;
  bool command = false, blank = false;
  for (const string& line : log) {
    if (std::exchange(command, line.starts_with("FAILED:")) || command || std::regex_search(line, tool))
      continue;
    if (trimmed(line).empty()) {
      blank = true;
      continue;
    }
    if (std::exchange(blank, false) && !result.empty()) result.emplace_back();
    result.push_back(without(line, root + "/"));
  }
  return result;
}

source_lines each_error_once(const source_lines& messages) {
  static const std::regex error(
      "^([^:]+:[0-9]+)(:[0-9]+)?(.*: (?:fatal )?error: .*|: (?:fatal )?error: .*)$");
  std::set<string> seen;
  bool again = false;
  source_lines result;
  for (const string& line : messages) {
    if (line.ends_with(" In lambda function:")) continue;
    std::smatch found;
    if (std::regex_search(line, found, error))
      again = !seen.insert(string(found[1]) + string(found[3])).second;
    else if (!line.empty() && line[0] != ' ')
      again = false;
    if (!again) result.push_back(line);
  }
  return result;
}

error_words error_in_words(const string& said, const source_lines& file, int line, bool is_kernel_file) {
  // The quotation marks differ.
  string message = said;
  for (const char* mark : {"\u2018", "\u2019", "\"", "`"}) message = replaced(message, mark, "'");
  std::smatch found;
  const auto says = [&](const char* form) { return std::regex_search(message, found, std::regex(form)); };
  const auto text_at = [&](int number) { return trimmed(file.at(static_cast<std::size_t>(number - 1))); };
  if (says("expected.*;.*before '?([^']+)'") || says("expected a ';'") ||
      says("expected initializer before '([^']+)'"))
    return missing_before(found.size() > 1 ? string(found[1]) : "", file, line);
  if (says("'\\{' is closed by '([)\\]])' on line ([0-9]+)"))
    return {"the " + string(found[1]) + " in line " + string(found[2]) +
                " is one too many, or what opens it is missing.",
            std::stoi(found[2])};
  if (says("'([(\\[])' is closed by '"))
    return {"a " + string(found[1]) + " in line " + std::to_string(line) + " is not closed."};
  for (const known_error& each : known_errors())
    if (std::regex_search(message, found, each.form)) return {found.format(each.words)};
  if (says("'([A-Za-z_][A-Za-z0-9_]*)' was not declared in this scope$")) {
    const string name = found[1],
                 text = line < 1 || static_cast<std::size_t>(line) > file.size() ? "" : text_at(line);
    if (std::regex_search(text, std::regex("^" + name + " *=[^=]")))
      return {name + " is new here. Its type belongs before it, as in: const int " + text};
    const string other = meant(name, file);
    return {other.empty() ? "" : "there is no " + name + ". Did you mean " + other + "?"};
  }
  if (says("'([a-z_]+)' is not a member of 'std"))
    if (const string name = found[1], header = header_of(name); !header.empty())
      return {"std::" + name + " is in a header of its own: #include <" + header + ">." +
              (is_kernel_file ? " (A kernel has min(), max(), sqrtf() and the like without std::.)" : "")};
  return {};
}

string failed_build_screen(const failed_build& build) {
  const string log = without(build.log, build.root + "/"), whole = "whole log: " + log;
  const source_lines messages = compiler_messages(lines_of_file(build.log), build.root);
  string text;
  if (build.all_is_wanted) {
    text = text_of_lines(messages);
  } else {
    source_lines short_ones;
    // How the compiler came to a file is of no use here.
    for (const string& line : each_error_once(messages))
      if (!line.starts_with("In file included from") &&
          !(line[0] == ' ' && trimmed(line).starts_with("from ")))
        short_ones.push_back(line);
    text = first_lines(text_of_lines(short_ones), 16, build.width,
                       build.shows_all.empty() ? log : build.shows_all);
  }
  text += "\n\n";
  string place = first_error(messages);
  if (!place.empty()) {
    const string name = place.substr(0, place.rfind(':')),
                 full = name.starts_with('/') ? name : build.root + "/" + name;
    const source_lines file = lines_of_file(full);
    if (const auto brace = find_unmatched_brace(file)) {
      // The compiler has counted to the end of the file, and names what is left then.
      text += "It does not compile yet (" + whole + "). First, the braces: " + brace->sentence + ".";
      place = name + ":" + std::to_string(brace->line) +
              (brace->function.empty() ? "" : " (in " + brace->function + ")");
    } else {
      text += "It does not compile yet. The compiler's first message is the one to read (" + whole + ").";
      static const std::regex error(error_mark);
      const auto message = std::find_if(messages.begin(), messages.end(),
                                        [&](const string& line) { return std::regex_search(line, error); });
      const error_words words =
          error_in_words(*message, file, std::stoi(place.substr(name.size() + 1)), name.ends_with(".cu"));
      if (!words.text.empty()) text += "\nIn other words: " + words.text;
      if (words.line != 0) place = name + ":" + std::to_string(words.line);
    }
  } else {
    place = build.file;
    string missing;
    static const std::regex undefined("undefined reference to [`'](.*)'$");
    std::smatch found;
    for (const string& line : messages)
      if (missing.empty() && std::regex_search(line, found, undefined)) missing = found[1];
    if (missing.empty()) {
      text += "It could not be built (" + whole + ").";
    } else {
      text += "It compiles, but no file defines " + missing + " (" + whole + ").";
      const string header = place.substr(0, place.rfind('.')) + ".hpp";
      if (!place.empty() && std::filesystem::exists(build.root + "/" + header))
        text += "\nIts name, its parameters and the namespace around it must be those of " +
                header.substr(header.rfind('/') + 1) + ".";
    }
  }
  if (!place.empty()) text += "\nWhere to look: " + place;
  if (!build.solution.empty())
    text += gone_from(starter_of(build.solution), lines_of_file(build.root + "/" + build.file));
  return text;
}

std::vector<compiler_warning> warnings_about(const source_lines& log, const string& root,
                                             const string& name) {
  const string file = name.substr(name.rfind('/') + 1);
  static const std::regex kinds(
      " \\[-W(address|empty-body|maybe-uninitialized|misleading-indentation|parentheses|return-type|"
      "sequence-point|"
      "uninitialized|unused-value)\\]$");
  static const std::regex an_if("(^|[^a-z])if[^a-z]");
  std::vector<compiler_warning> result;
  for (const string& line : log) {
    const std::size_t at = line.find(": warning: ");
    std::smatch kind;
    if (at == line.npos || line.find(file + ":") > at || !std::regex_search(line, kind, kinds)) continue;
    string text = line.substr(at + 11, static_cast<std::size_t>(kind.position(0)) - at - 11);
    const bool ends_an_if = kind[1] == "empty-body" && std::regex_search(text, an_if);
    if (ends_an_if) text = "this if ends at its semicolon, so what follows it always runs";
    text = without(line.substr(0, at), root + "/") + ": " + text;
    if (std::none_of(result.begin(), result.end(), [&](const auto& each) { return each.text == text; }))
      result.push_back({text, ends_an_if});
  }
  return result;
}

}  // namespace tutorial
