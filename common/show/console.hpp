// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Color, which only a terminal gets, and progress.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

namespace tutorial {

/// Color for a stream that is (or is not) a terminal: never with NO_COLOR or TERM=dumb, otherwise on a
/// terminal; CLICOLOR_FORCE (not "0") gives it elsewhere too. NO_COLOR wins.
bool color_wanted(bool is_terminal);

/// What a text is, and so in which color it stands.
enum class tone { plain, heading, good, bad, faint };
/// `text` for standard output, in color where that is wanted. The words alone must carry the meaning.
std::string colored(std::string_view text, tone tone);

/// One line on standard error that says what long work is at. On a terminal it is shown after a second,
/// redrawn a few times a second, and wiped when the work ends. Elsewhere a line is printed when nothing was
/// for 10 seconds; TUTORIAL_PROGRESS=SECONDS says after how many, and 0 that there is to be none. For a
/// profiler, the work is an NVTX range, and each step with a name is one inside it: docs/profilers.md.
class progress {
 public:
  /// `total` steps; 0 if their number is not known.
  explicit progress(std::string what, std::size_t total = 0);
  ~progress();
  progress(const progress&) = delete;
  progress& operator=(const progress&) = delete;
  /// The next step begins, and this is its name.
  void step(std::string_view now = {});
  /// Something is printed now: the line makes room, and comes back below it.
  void hide();
  /// Something was printed just now, by whatever work.
  static void printed();

 private:
  void draw_until_the_end();
  void print_until_the_end(std::chrono::duration<double> silence);
  std::string line() const;

  std::string what_, now_;
  std::size_t total_ = 0, begun_ = 0;
  bool ended_ = false, shown_ = false, step_has_range_ = false;
  const std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  std::mutex mutex_;
  std::condition_variable end_;
  std::thread drawer_;  // a step may take minutes without coming back here
};

}  // namespace tutorial
