// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "findings.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <mutex>
#include <optional>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

#include "access_place.hpp"
#include "device/errors.hpp"
#include "device/failed_calls.hpp"
#include "device/settings.hpp"
#include "device/standard_error.hpp"
#include "host_variables.hpp"
#include "memory/device_memory.hpp"
#include "named_memory.hpp"
#include "report.hpp"

namespace cuda_emulator {
namespace {

bool throwing = false;
thread_local held_findings* holder = nullptr;

std::mutex& mutex = *new std::mutex;  // guards `kept`; never destroyed: used until the very end
std::optional<finding>& kept = *new std::optional<finding>;

/// What may be the cause of others comes first.
int rank(finding_kind kind) {
  switch (kind) {
    case finding_kind::divergent_barrier:
    case finding_kind::divergent_shuffle:
    case finding_kind::absent_lane:
    case finding_kind::unnamed_lane:
    case finding_kind::incomplete_warp:
    case finding_kind::skipped_meeting:
    case finding_kind::deadlock:
      return 1;
    case finding_kind::asynchronous_copy:
    case finding_kind::shared_barrier:
      return 2;
    case finding_kind::race:
    case finding_kind::stale_texture:
      return 3;
    case finding_kind::uninitialized_read:
    case finding_kind::uncopied_constant:
      return 4;
    default:
      return 0;
  }
}

/// Null, or an address beside which nothing lies: a pointer or an index that was none, and may have come from
/// a race or from uninitialized memory.
bool is_wild(const raw_finding& f) {
  if (f.fetched || f.shared_offset != ~0ull) return false;
  if (f.kind == finding_kind::out_of_bounds)
    return device_memory::instance().contains(f.address) && !device_memory::instance().near(f.address);
  const auto address = reinterpret_cast<std::uintptr_t>(f.address);
  if (f.kind != finding_kind::host_pointer) return false;
  if (address < 65536) return true;
  constexpr std::size_t page = 4096;
  return msync(reinterpret_cast<void*>(address / page * page), 1, MS_ASYNC) !=
         0;  // not even memory of the host
}

/// What the settings make of it. Tests get every finding.
bool is_note(finding_kind kind, bool same_value) {
  if (throwing || findings_are_heard()) return false;
  if (kind == finding_kind::copy_direction) return true;
  if (kind == finding_kind::uncopied_constant) return !settings().zeros_are_errors;
  if (kind == finding_kind::race) return same_value && !settings().same_values_are_errors;
  return kind == finding_kind::uninitialized_read && !settings().unwritten_are_errors;
}

/// What makes it an error, or a note.
const char* severity_text(finding_kind kind) {
  switch (kind) {
    case finding_kind::race:
      return "\n  EMULATOR_SAME_VALUE=error makes this an error.";
    case finding_kind::uncopied_constant:
      return "\n  EMULATOR_ZEROS=error makes this an error.";
    case finding_kind::uninitialized_read:
      return "\n  The program continues because of EMULATOR_UNWRITTEN=note.";
    default:
      return "";
  }
}

/// Once for each place.
void say_note(std::string text, finding_kind kind) {
  static std::set<std::string>& said = *new std::set<std::string>;
  const std::string error = ": error: ";
  if (const std::size_t at = text.find(error); at != text.npos) text.replace(at, error.size(), ": note: ");
  text += severity_text(kind);
  {
    const std::lock_guard lock(mutex);
    if (!said.insert(text.substr(0, text.find('\n'))).second) return;
  }
  begin_message();
  std::fprintf(stderr, "%s\n", text.c_str());
  report_finding({kind, text});
}

constexpr std::size_t most_printed =
    8;  // distinct ones; more would hide the first, which is the one to mend first

/// At once, as a crash on a GPU would: other threads may run, and what the program wants done at its end
/// could print over the finding, or fail itself.
[[noreturn]] void end_program() {
  std::fprintf(stderr, "The emulated device ends the program. (EMULATOR_CHECK=0 turns its checks off.)\n");
  say_failed_calls();
  finish_report(1);
  std::fflush(nullptr);
  std::_Exit(1);
}

}  // namespace

const char* name_of(finding_kind kind) {
  constexpr const char* names[] = {"out_of_bounds",
                                   "use_after_free",
                                   "misaligned",
                                   "host_pointer",
                                   "uninitialized_read",
                                   "race",
                                   "divergent_barrier",
                                   "divergent_shuffle",
                                   "absent_lane",
                                   "unnamed_lane",
                                   "incomplete_warp",
                                   "skipped_meeting",
                                   "deadlock",
                                   "leak",
                                   "too_much_shared_memory",
                                   "wrong_texture",
                                   "stale_texture",
                                   "crash",
                                   "array_index",
                                   "device_pointer",
                                   "asynchronous_copy",
                                   "shared_barrier",
                                   "unordered",
                                   "other_device",
                                   "uncopied_constant",
                                   "copy_direction",
                                   "message",
                                   "misuse"};
  static_assert(std::size(names) == static_cast<std::size_t>(finding_kind::misuse) + 1);
  return names[static_cast<std::size_t>(kind)];
}

const char* name_of(finding_cause cause) {
  constexpr const char* names[] = {"",
                                   "host_variable",
                                   "no_copy",
                                   "short_copy",
                                   "short_copy_or_index",
                                   "short_write",
                                   "small_allocation",
                                   "small_dynamic_shared",
                                   "missing_stage",
                                   "pitch_in_bytes",
                                   "returned_before",
                                   "same_index",
                                   "index_formula",
                                   "index_below_zero",
                                   "constant_write"};
  static_assert(std::size(names) == static_cast<std::size_t>(finding_cause::constant_write) + 1);
  return names[static_cast<std::size_t>(cause)];
}

namespace {

std::string title_of(const std::string& text) {
  const std::string first = text.substr(0, text.find('\n'));
  for (const std::string_view mark : {"error: ", "note: "})
    if (const std::size_t at = first.find(mark); at != first.npos) {
      const std::string title = first.substr(at + mark.size());
      return title.substr(0, title.find(" in kernel "));
    }
  return "";
}

/// Its line breaks and what stands at the begin of lines are one space.
std::string usual_cause_of(const std::string& text) {
  constexpr std::string_view mark = "Usual cause: ";
  const std::size_t begin = text.find(mark);
  if (begin == text.npos) return "";
  std::string result;
  for (std::size_t i = begin + mark.size(); i < text.size(); ++i) {
    const bool ends = i + 1 == text.size() || text[i + 1] == ' ' || text[i + 1] == '\n';
    if (text[i] == '.' && ends) break;
    if (text[i] != ' ' && text[i] != '\n')
      result += text[i];
    else if (!result.empty() && result.back() != ' ')
      result += ' ';
  }
  return result;
}

}  // namespace

finding::finding(finding_kind kind, std::string text, finding_facts facts)
    : kind_(kind), text_(std::move(text)), facts_(std::move(facts)) {
  if (facts_.title.empty()) facts_.title = title_of(text_);
  facts_.usual_cause = usual_cause_of(text_);
}
finding::finding(const finding&) = default;
finding::~finding() = default;
const char* finding::what() const noexcept { return text_.c_str(); }

void throw_findings(bool yes) {
  throwing = yes;
  const std::lock_guard lock(mutex);
  kept.reset();
}
bool throws_findings() { return throwing; }

void say_failed_calls() {
  const unasked_failures failures = failures_not_asked_about(waited_for_failure() ? cudaSuccess : failed());
  if (failures.count == 0) return;
  begin_message();
  const std::string text = text_of(failures), mark = "note: ";
  std::fprintf(stderr, "%s\n", text.c_str());
  tell_note("failed_call", failures.first.front().place, text.substr(text.find(mark) + mark.size()));
  report_failed_calls(failures);
}

void conclude(const launch_state& launch) {
  if (launch.findings.empty()) return;
  std::vector<raw_finding> raw = launch.findings;
  for (raw_finding& f : raw) {
    device_memory& memory = device_memory::instance();
    if (f.kind == finding_kind::out_of_bounds && memory.freed(f.address) && !memory.find(f.address))
      f.kind = finding_kind::use_after_free;
    name_host_variable(f, launch);
    if (f.kind == finding_kind::host_pointer && f.what != access_kind::fetch &&
        far_from_array(f, launch, place_in_source(f, launch)))
      f.kind = finding_kind::out_of_bounds;
  }
  // A read that races with the write it should wait for may well find nothing written: the race says why.
  std::erase_if(raw, [&](const raw_finding& f) {
    return f.kind == finding_kind::uninitialized_read &&
           std::any_of(raw.begin(), raw.end(), [&](const raw_finding& other) {
             return (other.kind == finding_kind::race || other.kind == finding_kind::stale_texture) &&
                    (other.pc == f.pc || other.other_pc == f.pc);
           });
  });
  std::stable_sort(raw.begin(), raw.end(), [](const raw_finding& a, const raw_finding& b) {
    return std::tuple(is_wild(a), rank(a.kind), a.block, a.thread) <
           std::tuple(is_wild(b), rank(b.kind), b.block, b.thread);
  });
  std::vector<finding> findings;
  for (const raw_finding& f : raw) {
    finding found = describe(f, launch);
    if (is_note(f.kind, f.same_value))
      say_note(found.what(), f.kind);
    else
      findings.push_back(std::move(found));
  }
  conclude(std::move(findings));
}

held_findings::held_findings() { holder = this; }
held_findings::~held_findings() { holder = nullptr; }

std::vector<finding> held_findings::sorted() {
  std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<finding> result;
  const auto is_unordered = [](const auto& f) { return f.second.kind() == finding_kind::unordered; };
  // What fails between ranks orders nothing: what comes after it is its consequence.
  const auto message = std::find_if(all.begin(), all.end(),
                                    [](const auto& f) { return f.second.kind() == finding_kind::message; });
  const auto end = message == all.end() ? message : message + 1;
  const bool some = std::any_of(all.begin(), end, is_unordered);
  for (auto each = all.begin(); each != end; ++each)
    if (!some || is_unordered(*each) || each == message) result.push_back(each->second);
  return result;
}

bool holds_findings() { return holder != nullptr; }

void set_finding_number(std::uint64_t number) {
  if (holder != nullptr) holder->number = number;
}

void conclude_later(std::vector<finding> findings) {
  if (findings.empty()) return;
  held_findings* const held = std::exchange(holder, nullptr);
  if (throwing) {
    report_finding(findings.front());
    const std::lock_guard lock(mutex);
    if (!kept) kept.emplace(findings.front());
  } else {
    conclude(std::move(findings));
  }
  holder = held;
}

void conclude(std::vector<finding> findings) {
  std::erase_if(findings, [](finding& f) {
    const bool note = is_note(f.kind(), false);
    if (note) say_note(f.what(), f.kind());
    return note;
  });
  if (findings.empty()) return;
  if (holder != nullptr) {
    for (finding& each : findings) holder->all.emplace_back(holder->number, std::move(each));
    return;
  }
  // Accesses through different lines of one expression read the same: say it once.
  std::vector<finding> different;
  for (finding& f : findings) {
    const bool known = std::any_of(different.begin(), different.end(), [&](const finding& other) {
      return other.kind() == f.kind() && std::string_view(other.what()) == f.what();
    });
    if (!known) different.push_back(std::move(f));
  }
  // Of two threads that come to here at once, one speaks and ends the program.
  static std::mutex& ends = *new std::mutex;
  const std::unique_lock speaks = throwing ? std::unique_lock<std::mutex>() : std::unique_lock(ends);
  for (const finding& each : different) report_finding(each);
  if (throwing) throw different.front();
  begin_message();
  for (std::size_t i = 0; i < different.size() && i < most_printed; ++i)
    std::fprintf(stderr, "%s\n", different[i].what());
  if (different.size() > most_printed)
    std::fprintf(stderr, "... and %zu more of other kinds or at other lines.\n",
                 different.size() - most_printed);
  end_program();
}

void conclude_in_host_code(finding&& found) {
  if (throwing) {
    const std::lock_guard lock(mutex);
    if (!kept) kept.emplace(found);
    return;
  }
  begin_message();
  std::fprintf(stderr, "%s\n", found.what());
  report_finding(found);
  end_program();
}

void throw_kept_finding() {
  std::optional<finding> found;
  {
    const std::lock_guard lock(mutex);
    found.swap(kept);
  }
  if (found) conclude(std::vector<finding>{*found});
}

}  // namespace cuda_emulator
