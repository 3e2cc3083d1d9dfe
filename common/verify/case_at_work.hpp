// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// What the code under test is given at the moment, for the one who has to say what went wrong: a check that
// failed, a finding, a crash.
#pragma once

#include <string>
#include <utility>

namespace tutorial {

/// While one exists, the code under test works on what it says. They nest: the inner one counts.
class case_at_work {
 public:
  /// `text` says with what the answer is called: "24 samples, 3 taps".
  explicit case_at_work(std::string text) : before_(std::exchange(now(), std::move(text))) { tell(); }
  ~case_at_work() {
    now() = std::move(before_);
    tell();
  }
  case_at_work(const case_at_work&) = delete;
  case_at_work& operator=(const case_at_work&) = delete;

  /// What is given now; empty where nothing was said.
  static const std::string& given() { return now(); }

  /// What was given has led to a wrong result, just now. For checks that collect what is wrong and report it
  /// later.
  static void went_wrong() {
    if (listeners().wrong != nullptr) listeners().wrong();
  }

  /// Where to look because of what the next failed check says, where its sentence alone does not tell:
  /// "launch", the numbers of the launch; "launches", where the launches are written; "arguments", what a
  /// launch passes; "last_copy", the copy of the result; "missing_copy_back", behind the launch. Until the
  /// next check is over.
  static std::string& leads_to() {
    static std::string what;
    return what;
  }

  using listener = void (*)();
  /// `given` is called whenever something else is given, `wrong` by went_wrong(); either may be null.
  struct told {
    listener given = nullptr, wrong = nullptr;
  };
  /// Those of this program.
  static told& listeners() {
    static told all;
    return all;
  }

 private:
  static std::string& now() {
    static std::string text;
    return text;
  }
  static void tell() {
    if (listeners().given != nullptr) listeners().given();
  }
  std::string before_;
};

/// `text`, which leads to `what` unless it is empty, as part of a check's message: doctest makes that only
/// where the check fails.
inline std::string leading_to(const std::string& what, std::string text) {
  if (!what.empty() && !text.empty()) case_at_work::leads_to() = what;
  return text;
}

}  // namespace tutorial
