// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
/// \file
/// Which case it was, where an answer ends the program: a library that checks its indices does so by abort(),
/// and then no message of doctest is printed.
#pragma once

#include <unistd.h>

#include <csignal>
#include <string>

namespace tutorial {

/// While one exists, a program that abort() ends says its text first, on standard error. One at a time.
class case_at_work {
 public:
  /// `text` says with what the answer was called: "24 samples, 3 taps".
  explicit case_at_work(const std::string& text) {
    note() = "This happened with " + text + ".\n";
    previous() = std::signal(SIGABRT, say_it);
  }
  ~case_at_work() { std::signal(SIGABRT, previous()); }
  case_at_work(const case_at_work&) = delete;
  case_at_work& operator=(const case_at_work&) = delete;

 private:
  using handler = void (*)(int);
  static std::string& note() {
    static std::string text;
    return text;
  }
  static handler& previous() {
    static handler of_doctest = SIG_DFL;
    return of_doctest;
  }
  static void say_it(int signal) {
    [[maybe_unused]] const auto written = write(STDERR_FILENO, note().data(), note().size());
    std::signal(signal, previous());
    std::raise(signal);
  }
};

}  // namespace tutorial
