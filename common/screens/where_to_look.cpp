// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "where_to_look.hpp"

#include <algorithm>
#include <cstddef>
#include <regex>
#include <set>
#include <sstream>
#include <utility>

namespace tutorial {
namespace {

using std::string;

bool matches(const string& text, const string& pattern) {
  return std::regex_search(text, std::regex(pattern));
}

/// What the first group of the pattern is in its first match; empty without one.
string match(const string& text, const string& pattern) {
  std::smatch found;
  return std::regex_search(text, found, std::regex(pattern)) ? string(found[1]) : "";
}

/// The first group of each match, once.
std::vector<string> all_matches(const string& text, const string& pattern) {
  std::vector<string> result;
  const std::regex expression(pattern);
  for (std::sregex_iterator each(text.begin(), text.end(), expression), end; each != end; ++each)
    if (std::find(result.begin(), result.end(), (*each)[1]) == result.end()) result.push_back((*each)[1]);
  return result;
}

string literal(const string& text) {
  return std::regex_replace(text, std::regex(R"([.\[\]()*+?^$|\\{}])"), "\\$&");
}

bool is_mark(const string& line, const char* mark) { return trimmed(line).starts_with(mark); }

/// Lines that were taken out of `a` behind line `after` of `b`, and lines that came there.
struct change {
  int after = 0;
  source_lines gone;
  std::vector<int> came;
};

std::vector<change> changes(const source_lines& a, const source_lines& b) {
  const std::size_t n = a.size(), m = b.size();
  std::vector<std::vector<int>> common(n + 1, std::vector<int>(m + 1, 0));
  for (std::size_t i = n; i-- > 0;)
    for (std::size_t j = m; j-- > 0;)
      common[i][j] = a[i] == b[j] ? common[i + 1][j + 1] + 1 : std::max(common[i + 1][j], common[i][j + 1]);
  std::vector<change> result;
  bool open = false;
  for (std::size_t i = 0, j = 0; i < n || j < m;) {
    if (i < n && j < m && a[i] == b[j]) {
      open = false;
      ++i, ++j;
      continue;
    }
    if (!open) result.push_back({static_cast<int>(j), {}, {}});
    open = true;
    if (j == m || (i < n && common[i + 1][j] >= common[i][j + 1]))
      result.back().gone.push_back(a[i++]);
    else
      result.back().came.push_back(static_cast<int>(++j));
  }
  return result;
}

/// "lines 3 to 5 and 9".
string as_ranges(const std::vector<int>& numbers) {
  std::vector<std::pair<int, int>> ranges;
  for (const int each : numbers) {
    if (!ranges.empty() && each <= ranges.back().second + 2)
      ranges.back().second = each;
    else
      ranges.emplace_back(each, each);
  }
  string text;
  for (std::size_t i = 0; i < ranges.size() && i < 4; ++i)
    text += (i == 0                   ? ""
             : i + 1 == ranges.size() ? " and "
                                      : ", ") +
            std::to_string(ranges[i].first) +
            (ranges[i].second > ranges[i].first ? " to " + std::to_string(ranges[i].second) : "");
  const bool several = ranges.size() > 1 || (!ranges.empty() && ranges[0].second > ranges[0].first);
  return (several ? "lines " : "line ") + text + (ranges.size() > 4 ? ", ..." : "");
}

/// "26 (what you wrote: lines 26 to 28)".
string wrote(const std::vector<int>& lines) {
  const string ranges = as_ranges(lines), first = std::to_string(lines.front());
  return first + (ranges == "line " + first ? " (what you wrote)" : " (what you wrote: " + ranges + ")");
}

/// "line 24, which stores": the verb with an s where it is one line.
string which(const std::vector<int>& lines, const string& verb) {
  const string ranges = as_ranges(lines);
  return ranges + ", which " + verb + (ranges.starts_with("lines") ? "" : "s");
}

/// Looks for one answer's place.
class search {
 public:
  explicit search(const checked_answer& answer)
      : answer_(answer), result_(answer.record), text_(answer.text), sentence_(answer.record.sentence) {
    for (const change& each : changes(starter_of(answer.solution), text_))
      for (const int line : each.came)
        if (!trimmed(text(line)).empty()) own_.push_back(line);
    if (!result_.findings.empty()) finding_ = &result_.findings.front();
  }

  string look() const {
    if (const string found = of_finding_or_sentence(); !found.empty()) return answer_.name + ":" + found;
    const string found = of_text();
    return answer_.name + (found.empty() ? "" : ":" + found);
  }

  string refused() const;

 private:
  const string& text(int line) const {
    static const string none;
    return line < 1 || static_cast<std::size_t>(line) > text_.size()
               ? none
               : text_[static_cast<std::size_t>(line - 1)];
  }
  int count() const { return static_cast<int>(text_.size()); }
  bool is_own(int line) const { return std::find(own_.begin(), own_.end(), line) != own_.end(); }
  string fact(const char* name) const { return finding_ == nullptr ? "" : finding_->fact(name); }
  bool is(const char* kind) const { return fact("kind") == kind; }
  bool leads_to(const char* what) const { return result_.leads_to == what; }
  bool because(const char* cause) const { return fact("cause") == cause; }

  /// The first line from `from` on, before `to`, that has the pattern; 0: none.
  int first_line(const string& pattern, int from = 1, int to = 1 << 30) const {
    const std::regex expression(pattern);
    for (int i = from; i <= count() && i < to; ++i)
      if (std::regex_search(text(i), expression)) return i;
    return 0;
  }
  int last_line(const string& pattern, int to = 1 << 30) const {
    const std::regex expression(pattern);
    for (int i = std::min(count(), to - 1); i > 0; --i)
      if (std::regex_search(text(i), expression)) return i;
    return 0;
  }

  /// The first line of the answer that the text names; 0: none.
  int named(const string& said) const {
    const string file = answer_.name.substr(answer_.name.rfind('/') + 1);
    const string line = match(said, "(?:^|[^A-Za-z0-9_])" + literal(file) + ":([0-9]+)");
    return line.empty() ? 0 : std::stoi(line);
  }

  int launch_of(const string& kernel) const {
    const string name = kernel.substr(0, kernel.find('<'));
    return first_line("(^|[^A-Za-z0-9_])" + (name.empty() ? "[A-Za-z0-9_]+" : literal(name)) +
                      " *(<.*>)?<<<");
  }
  /// Where what the finding is about was launched, and the first failure; 0 where the answer does not.
  int launch_of_finding() const {
    const int line = named(fact("launched_at"));
    return line != 0 || fact("kernel").empty() ? line : launch_of(fact("kernel"));
  }
  int launch_of_sentence() const {
    const int line = named(result_.launch.at);
    return line != 0 ? line : launch_of(result_.launch.kernel);
  }

  std::vector<int> own_in_function_of(int begin) const {
    const int end = first_line("^\\}", begin + 1);
    std::vector<int> result;
    for (const int line : own_)
      if (begin <= line && line <= end) result.push_back(line);
    return result;
  }

  enum { of_blocks, of_threads, of_bytes };
  /// "26 (blocks, for the launch at line 27)": where that number of the launch is computed, if it has a name.
  string place_of_grid(int line, std::size_t number) const {
    string code = match(text(line), "<<<(.*)");
    code = code.substr(0, code.find(">>>"));  // the launch may go on in the next line
    for (string before; before != code;) {
      before = code;
      code = std::regex_replace(code, std::regex(R"([({][^(){}]*[)}])"), "#");
    }
    std::vector<string> parts;
    std::istringstream stream(code);
    for (string part; std::getline(stream, part, ',');)
      parts.push_back(std::regex_replace(part, std::regex(" "), ""));
    const string at = std::to_string(line);
    if (number < parts.size() && matches(parts[number], "^[A-Za-z_][A-Za-z0-9_]*$"))
      if (const int made = last_line("[^A-Za-z0-9_.]" + parts[number] + " *[=({]", line + 1); made != 0)
        return std::to_string(made) + " (" + parts[number] + ", for the launch at line " + at + ")";
    return at + " (the launch)";
  }

  string wrote_at_launch(int launch) const {
    for (const int line : own_)
      if (matches(text(line), "^ *[^/ ].*<<<")) return std::to_string(line) + " (the launch)";
    if (launch == 0) return "";
    const auto lines = own_in_function_of(last_line("^\\}", launch + 1) + 1);
    return lines.empty() ? "" : wrote(lines);
  }

  /// "line 24, which stores to tile only where a condition holds".
  string stores_to(const string& array) const {
    if (array.empty()) return "";
    const std::regex store("^ *(if [(].*[) ])?" + array + R"(\[[^=]*\] *=[^=])"), head("^ *if [(]"),
        before("^ *if [(].*[)]$");
    std::vector<int> all, some;
    for (int i = 1; i <= count(); ++i) {
      if (!std::regex_search(text(i), store)) continue;
      all.push_back(i);
      if (std::regex_search(text(i), head) || std::regex_search(text(i - 1), before)) some.push_back(i);
    }
    if (!some.empty()) return which(some, "store") + " to " + array + " only where a condition holds";
    return all.empty() ? "" : which(all, "store") + " to " + array;
  }

  string returns_before(int to) const {
    std::vector<int> lines;
    for (int i = 1; i < to; ++i) {
      if (text(i).starts_with("}")) lines.clear();
      if (!matches(text(i), "^ *//") && matches(text(i), "(^|[^A-Za-z0-9_])return;")) lines.push_back(i);
    }
    return lines.empty() ? "" : which(lines, "return");
  }

  /// Where the line calls a function in which the learner has written: "13 (place), which line 22 calls".
  string function_written_in(int line) const {
    for (const string& function : all_matches(text(line), "([A-Za-z_][A-Za-z0-9_]*)\\(")) {
      const int begin = first_line("^[A-Za-z_][^;]*[^A-Za-z0-9_]" + function + "\\(");
      if (begin != 0 && begin < line && !own_in_function_of(begin).empty())
        return std::to_string(begin) + " (" + function + "), which line " + std::to_string(line) + " calls";
    }
    return "";
  }

  /// "17, which computes its index", of what the learner wrote.
  string line_of_index(int line) const {
    const string array = fact("array");
    if (array.empty() || fact("index").empty()) return "";
    string names;
    for (const string& each : all_matches(match(text(line), "(?:^|[^A-Za-z0-9_])" + array + "\\[([^\\]]+)"),
                                          "([A-Za-z_][A-Za-z0-9_]*)"))
      names += (names.empty() ? "" : "|") + each;
    if (names.empty()) return "";
    const int made = last_line("(^|[^A-Za-z0-9_.])(" + names + ") *= ", line);
    return made != 0 && is_own(made) ? std::to_string(made) + ", which computes its index" : "";
  }

  /// Where an allocation that is too small is made, or the function that makes it is called.
  string place_of_allocation() const {
    int line = noted("small_allocation");
    for (const recorded_finding& each : result_.findings)
      if (line == 0 && each.fact("cause") == "small_allocation") line = named(each.fact("cause_at"));
    if (line == 0) return "";
    if (!is_own(line))
      if (const int head = last_line("^[A-Za-z_][^;]*\\(", line + 1); head != 0) {
        const string function = match(text(head), "([A-Za-z_][A-Za-z0-9_]*)\\(");
        if (const int call = first_line("^[^/]*[^A-Za-z0-9_]" + function + "\\(", line + 1);
            call != 0 && !function.empty())
          return std::to_string(call) + " (" + function + ")";
      }
    return std::to_string(line);
  }

  /// All that was said, in the order of its weight.
  string all_said() const {
    string all;
    for (const recorded_finding& each : result_.findings) all += each.text + "\n";
    all += result_.crash_places + "\n" + sentence_ + "\n";
    for (const string& line : answer_.errors)
      if (named(line) != 0) all += line + "\n";
    return all;
  }

  /// A copy that is missing or too short, not the kernel that reads what it should have brought.
  string of_copy() const {
    for (const recorded_finding& each : result_.findings) {
      const string cause = each.fact("cause");
      if (cause != "no_copy" && cause != "short_copy" && cause != "short_copy_or_index") continue;
      const int line = named(each.fact("cause_at"));
      if (line == 0) continue;
      return cause == "short_copy_or_index" && named(all_said()) != 0
                 ? std::to_string(named(all_said())) + ", or line " + std::to_string(line) + ", which copies"
                 : std::to_string(line);
    }
    for (const recorded_finding& each : result_.findings)
      if (const int line = named(each.fact("cause_at")); each.fact("cause") == "short_write" && line != 0)
        return std::to_string(line);
    if (const int line = noted("short_write"); line != 0) return std::to_string(line);
    if (const string place = place_of_allocation(); !place.empty()) return place;
    // The last copy is the one that brings the result.
    if (leads_to("last_copy"))
      if (const int line = last_line("^[^/]*cudaMemcpy"); line != 0) return std::to_string(line);
    if (leads_to("missing_copy_back"))
      if (const int line = launch_of_sentence(); line != 0)
        return std::to_string(line) + " (the launch: the copy belongs behind it)";
    return "";
  }

  /// The first note of this kind that is about the answer; 0: there is none.
  int noted(const char* kind) const {
    for (const recorded_note& each : result_.notes)
      if (const int line = named(each.place); each.kind == kind && line != 0) return line;
    return 0;
  }

  string of_finding_or_sentence() const {
    if (const int line = noted("long_kernel"); line != 0) return std::to_string(line);
    if (is("deadlock"))
      if (const int line = named(fact("place")); line != 0) return std::to_string(line);
    // A guard that lets no thread pass.
    for (const compiler_warning& each : answer_.warnings)
      if (each.ends_an_if && named(each.text) != 0 && finding_ == nullptr)
        return std::to_string(named(each.text)) + ", an if that ends at its semicolon";
    if (const string copy = of_copy(); !copy.empty()) return copy;
    if (leads_to("arguments"))
      if (const int line = launch_of_sentence(); line != 0) return std::to_string(line) + " (the launch)";
    const string said = all_said();
    // A launch that was refused, not the check that has told.
    for (const auto& [kind, number] : {std::pair{"refused_bytes", of_bytes},
                                       {"refused_block", of_threads},
                                       {"refused_grid", of_blocks},
                                       {"refused_launch", of_blocks}})
      if (const int line = noted(kind); line != 0) return place_of_grid(line, number);
    if (finding_ != nullptr)
      if (const string place = of_launch(); !place.empty()) return place;
    const string of_finding = of_named(said);
    // A launch too small, which a check has told, before the finding of a later one.
    if (const int line = launch_of_sentence(); finding_ != nullptr && leads_to("launch") && line != 0)
      return place_of_grid(line, of_blocks) + (of_finding.empty() ? "" : "; and line " + of_finding);
    return of_finding;
  }

  /// What a launch passes, or what comes before it, not the line that uses it.
  string of_launch() const {
    const int launch = launch_of_finding();
    const string at = std::to_string(launch);
    if (because("small_dynamic_shared") && launch != 0) return place_of_grid(launch, of_bytes);
    if (is("host_pointer") && !is_out_of_bounds() && !because("host_variable") && launch != 0) {
      const int use = named(finding_->text);
      return at + " (what the launch passes" +
             (use == 0 ? "" : "; line " + std::to_string(use) + " uses it") + ")";
    }
    // Memory of the answer's own, in which nothing has been written when the kernel is launched.
    if (is("uninitialized_read") && fact("space") == "global" && named(fact("made_at")) != 0 && launch != 0)
      return at + " (the launch, before which " + fact("array") + " is to be written)";
    // A call that failed before a kernel used what it should have brought.
    if (const int line = noted("failed_call"); line != 0)
      return std::to_string(line) + ", a call that failed";
    // The wait that left a copy under way, perhaps because a stage is missing.
    if (const int line = named(fact("cause_at")); because("missing_stage") && line != 0)
      return std::to_string(line) + ", and where the stages before it are committed";
    return "";
  }

  bool is_out_of_bounds() const {
    return is("out_of_bounds") ? !because("constant_write")
                               : is("host_pointer") && because("index_below_zero");
  }

  /// The line that the findings name, and what else may be the reason.
  string of_named(const string& said) const {
    int line = named(said);
    if (line == 0) return "";
    if (!is_own(line)) {
      // An index that a function computes in which the learner has written, and that is called here.
      if (is_out_of_bounds() || because("same_index"))
        if (const string place = function_written_in(line); !place.empty()) return place;
      // In a function that was given, and that the learner's kernel calls? Then the call.
      if (const int call = named(fact("called_at")); call != 0) line = call;
    }
    string place = std::to_string(line);
    if (finding_ == nullptr) return place;
    const int launch = launch_of_finding();
    if (because("pitch_in_bytes") && named(fact("cause_at")) != 0)
      place += ", and line " + std::to_string(named(fact("cause_at"))) + ", which launches it";
    // A kernel that was given goes through a pointer into an array, which the learner's launch passes.
    if (is_out_of_bounds() && !fact("begins_at").empty() && !is_own(line) && launch != 0 && is_own(launch))
      place += ", and line " + std::to_string(launch) + ", which launches it";
    if (because("returned_before"))
      if (const string returns = returns_before(line); !returns.empty())
        place += ", and " + returns + " before it";
    // What is uninitialized may be what a store, perhaps under a condition, leaves out.
    if (is("uninitialized_read") && fact("space") == "shared" && !fact("index").empty())
      if (const string stores = stores_to(fact("array")); !stores.empty()) place += ", and " + stores;
    if (place.find(',') == place.npos && (because("same_index") || because("index_formula")))
      if (const string index = line_of_index(line); !index.empty()) place += ", and line " + index;
    return place;
  }

  /// The lines of the TODOs that the learner has not begun: each with the lines around it that the starter
  /// has, from the given line before it to the given line behind its part.
  std::set<int> open_todos() const {
    struct part {
      string before;
      source_lines lines;
    };
    std::vector<part> parts;
    string before;
    bool waiting = false, inside = false;
    for (const string& each : answer_.solution) {
      string line = trimmed(each);
      if (line.starts_with("// SOLUTION:")) {
        line.replace(3, 9, "TODO:");
        if (std::exchange(waiting, false)) parts.back().lines.push_back(line);
        parts.push_back({before, {line}});
        inside = true;
      } else if (line.starts_with("// END SOLUTION")) {
        inside = false;
        before.clear();  // what stands above the next part may have been written
        waiting = true;
      } else if (inside) {
        if (line.starts_with("// STARTER:") && !trimmed(line.substr(11)).empty())
          parts.back().lines.push_back(trimmed(line.substr(11)));
      } else if (!line.empty()) {
        if (std::exchange(waiting, false)) parts.back().lines.push_back(line);
        before = line;
      }
    }
    std::vector<std::pair<int, string>> lines;
    for (int i = 1; i <= count(); ++i)
      if (const string line = trimmed(text(i)); !line.empty()) lines.emplace_back(i, line);
    std::set<int> result;
    for (const part& each : parts)
      for (std::size_t i = 0; i + each.lines.size() <= lines.size(); ++i) {
        if (!each.before.empty() && (i == 0 || lines[i - 1].second != each.before)) continue;
        if (std::equal(each.lines.begin(), each.lines.end(), lines.begin() + static_cast<std::ptrdiff_t>(i),
                       [](const string& a, const auto& b) { return a == b.second; }))
          result.insert(lines[i].first);
      }
    return result;
  }

  /// "42, after which a line that was given is missing: tile = tile_before;"
  string missing_line() const {
    source_lines given;
    bool theirs = false;
    for (const string& line : answer_.solution) {
      if (is_mark(line, "// SOLUTION")) theirs = true;
      if (!theirs) given.push_back(line);
      if (is_mark(line, "// END SOLUTION")) theirs = false;
    }
    for (const change& each : changes(given, text_)) {
      // Not gone, but changed?
      if (std::any_of(each.came.begin(), each.came.end(),
                      [&](int line) { return !trimmed(text(line)).empty(); }))
        continue;
      for (const string& line : each.gone)
        if (!trimmed(line).empty() && !matches(line, "^ *(//|[{}]*$)"))
          return std::to_string(each.after) +
                 ", after which a line that was given is missing: " + trimmed(line);
    }
    return "";
  }

  /// Is part of the function left to the learner?
  bool is_asked_for(const string& function) const {
    bool inside = false;
    for (const string& line : answer_.solution) {
      if (matches(line, "^[A-Za-z_]") && line.find(';') == line.npos &&
          line.find(function + "(") != line.npos)
        inside = true;
      if (inside && line.find("// SOLUTION") != line.npos) return true;
      if (line.starts_with("}")) inside = false;
    }
    return false;
  }

  string of_todos() const {
    std::vector<int> marked;
    for (const int line : open_todos()) marked.push_back(line);
    // Of faults to be found, one that is repaired says nothing about the others.
    if (marked.empty())
      for (int i = 1; i <= count(); ++i)
        if (matches(text(i), "^ *// TODO:.*(fault|missing|right\\?)")) marked.push_back(i);
    if (marked.empty()) return "";
    return std::to_string(marked[0]) + ", at the " +
           (marked.size() == 1   ? "TODO"
            : marked.size() == 2 ? "TODO, or line " + std::to_string(marked[1]) + ", at the other one"
                                 : "first of " + std::to_string(marked.size()) + " TODOs");
  }

  string of_text() const {
    if (const string place = of_todos(); !place.empty()) return place;
    if (const string place = missing_line(); !place.empty()) return place;
    for (const string& function : all_matches(sentence_, "([A-Za-z_][A-Za-z0-9_]*)\\(")) {
      int line = first_line("^[A-Za-z][^;]*[^A-Za-z0-9_]" + function + "\\(");
      // A function of the device may have been given whole.
      if (line == 0 && is_asked_for(function)) line = first_line("^__[^;]*[^A-Za-z0-9_]" + function + "\\(");
      if (line != 0) return std::to_string(line) + " (" + function + ")";
    }
    const int launch = launch_of_sentence();
    if (leads_to("launch") && launch != 0) return place_of_grid(launch, of_blocks);
    if (leads_to("launches"))
      if (const string place = wrote_at_launch(launch); !place.empty()) return place;
    const int kernel = named(result_.launch.place);
    const string ranges = own_.empty() ? "" : as_ranges(own_);
    // Where the learner has written in several places, the kernel's among them, it or its launch comes first.
    if (kernel != 0 && (own_.empty() || (matches(ranges, ",|and") && !own_in_function_of(kernel).empty()))) {
      const auto own = own_in_function_of(kernel);
      const string name = result_.launch.kernel.substr(0, result_.launch.kernel.find('<'));
      return std::to_string(kernel) + " (" + name +
             (own.empty() ? "" : "; what you wrote: " + as_ranges(own)) + ")" +
             (launch == 0 ? "" : ", or line " + std::to_string(launch) + ", which launches it");
    }
    if (!own_.empty()) return wrote(own_);
    // What the header declares, the first of it that the file has.
    for (const string& line : answer_.header) {
      if (is_mark(line, "//")) continue;
      for (const string& function : all_matches(line, "([A-Za-z_][A-Za-z0-9_]*)\\("))
        if (const int found = first_line("^[^/]*[^A-Za-z0-9_]" + function + "\\("); found != 0)
          return std::to_string(found) + " (" + function + ")";
    }
    return "";
  }

  const checked_answer& answer_;
  const exercise_record& result_;
  const source_lines& text_;
  const string& sentence_;
  std::vector<int> own_;  // lines that the starter does not have, and that are not empty
  const recorded_finding* finding_ = nullptr;
};

/// "a or b".
string either(const std::vector<string>& names) {
  string text;
  for (const string& each : names) text += (text.empty() ? "" : " or ") + each;
  return text;
}

string elements(const string& size, const string& name) {
  if (size == "0") return "no elements";
  if (size == "1") return "1 element, " + name + "[0]";
  return size + " elements, " + name + "[0] to " + name + "[" + std::to_string(std::stoull(size) - 1) + "]";
}

/// Of containers that are alike, it may be either.
string search::refused() const {
  const auto& [index, container, element, size, function, condition] = result_.refusal;
  if (index.empty()) return "";
  std::vector<string> accesses, alike;
  string line, code;
  if (const int place = named(result_.crash_places); place != 0) {
    code = trimmed(text(place));
    line = "\n  line " + std::to_string(place) + ": " + code;
    // No brackets within brackets: which of them is refused?
    if (!matches(code, R"(\[[^\]]*\[)"))
      accesses = all_matches(code, R"(([A-Za-z_][A-Za-z0-9_]*\[[^\]\[]+\]))");
  }
  const auto name_of = [](const string& access) { return access.substr(0, access.find('[')); };
  const string bare = container.starts_with("std::") ? container.substr(5) : container;
  for (const string& each : accesses)
    if (first_line(literal(bare) + "<" + literal(element) + "(,[^>]*)?> *&? *" + name_of(each) +
                   "([^A-Za-z0-9_]|$)") != 0)
      alike.push_back(each);
  // None of this kind? Then one of which the file does not say what it is; or what a function does that is
  // called.
  if (alike.empty())
    for (const string& each : accesses)
      if (first_line("(span|vector|array)<[^;()]*> *&? *" + name_of(each) + "([^A-Za-z0-9_]|$)") == 0)
        alike.push_back(each);
  if (alike.empty()) {
    alike = all_matches(code, R"(([A-Za-z_][A-Za-z0-9_]*\.[A-Za-z_]+\([^()]+\)))");
    if (!alike.empty())
      return either(alike) + " goes out of range: the index that it computes is " + index + ", and the " +
             container + " has " + size + " elements." + line;
    alike = accesses;
  }
  if (alike.size() == 1)
    return alike[0] + " is out of range: the index is " + index + ", and " + name_of(alike[0]) + " has " +
           elements(size, name_of(alike[0])) + "." + line;
  return (alike.empty() ? "An index is out of range: it is"
                        : either(alike) + " is out of range: the index is") +
         " " + index + ", and the " + container + " has " + elements(size, "") + "." + line;
}

}  // namespace

source_lines starter_of(const source_lines& solution) {
  source_lines result;
  bool inside = false;
  for (const string& line : solution) {
    if (is_mark(line, "// SOLUTION:")) {
      inside = true;
      result.push_back(std::regex_replace(line, std::regex("SOLUTION:"), "TODO:"));
    } else if (is_mark(line, "// END SOLUTION")) {
      inside = false;
    } else if (!inside) {
      result.push_back(line);
    } else if (is_mark(line, "// STARTER: ")) {
      result.push_back(std::regex_replace(line, std::regex("// STARTER: "), ""));
    }
  }
  return result;
}

string where_to_look(const checked_answer& answer) { return search(answer).look(); }

string refused_in_words(const checked_answer& answer) {
  if (const string index = search(answer).refused(); !index.empty()) return index;
  const recorded_refusal& refusal = answer.record.refusal;
  if (refusal.condition.empty()) return "";
  string container;
  for (const string& each : all_matches(refusal.function, "(std::[a-z_]+)<")) container = each;
  if (const string of =
          match(refusal.function,
                R"((std::[a-z_:]*[a-z_]+)<[^:]*>?::(?:operator\[\]|front|back|first|last|subspan|at)\()");
      !of.empty())
    container = of;
  if (container.empty()) container = "A container";
  const string function =
      match(refusal.function, R"((operator\[\]|front|back|first|last|subspan|pop_back)\()");
  if (function == "operator[]")
    return container + ": the index in [] is not below size(). A negative one counts as very large.";
  if (function.empty()) return "The standard library refuses a call: '" + refusal.condition + "' failed.";
  return container + ": " + function + "() was called where there is no such element.";
}

}  // namespace tutorial
