// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "console.hpp"

#include <nvtx3/nvToolsExt.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <utility>

namespace tutorial {
namespace {

using namespace std::chrono_literals;

bool is_set(const char* variable) {
  const char* value = std::getenv(variable);
  return value != nullptr && *value != '\0';
}

// Of one work after the other: each may be short.
std::atomic<std::chrono::steady_clock::time_point> last_printed = std::chrono::steady_clock::now();

double seconds_of_silence() {
  const char* text = std::getenv("TUTORIAL_PROGRESS");
  if (text == nullptr) return 10;
  char* end = nullptr;
  const double seconds = std::strtod(text, &end);
  return end == text || !(seconds >= 0 && seconds < 1e6) ? 10 : seconds;
}

std::string_view escape_code(tone tone) {
  switch (tone) {
    case tone::heading:
      return "\033[1m";
    case tone::good:
      return "\033[32m";
    case tone::bad:
      return "\033[31m";
    case tone::faint:
      return "\033[2m";
    case tone::plain:
      break;
  }
  return "";
}

}  // namespace

bool color_wanted(bool is_terminal) {
  if (is_set("NO_COLOR")) return false;
  if (is_set("CLICOLOR_FORCE") && std::string_view(std::getenv("CLICOLOR_FORCE")) != "0") return true;
  const char* terminal = std::getenv("TERM");
  return is_terminal && terminal != nullptr && std::string_view(terminal) != "dumb";
}

std::string colored(std::string_view text, tone tone) {
  if (tone == tone::plain || text.empty() || !color_wanted(isatty(STDOUT_FILENO))) return std::string(text);
  return std::string(escape_code(tone)).append(text).append("\033[0m");
}

progress::progress(std::string what, std::size_t total) : what_(std::move(what)), total_(total) {
  nvtxRangePushA(what_.c_str());
  const char* terminal = std::getenv("TERM");
  if (isatty(STDERR_FILENO) && terminal != nullptr && std::string_view(terminal) != "dumb")
    drawer_ = std::thread([this] { draw_until_the_end(); });
  else if (const double seconds = seconds_of_silence(); seconds > 0)
    drawer_ = std::thread(&progress::print_until_the_end, this, std::chrono::duration<double>(seconds));
}

void progress::step(std::string_view now) {
  const std::lock_guard lock(mutex_);
  ++begun_;
  now_ = now;
  if (std::exchange(step_has_range_, !now.empty())) nvtxRangePop();
  if (step_has_range_) nvtxRangePushA(now_.c_str());
}

void progress::hide() {
  const std::lock_guard lock(mutex_);
  if (shown_) std::fputs("\r\033[K", stderr);
  shown_ = false;
}

std::string progress::line() const {
  const auto seconds =
      std::chrono::duration_cast<std::chrono::seconds>(std::chrono::steady_clock::now() - begin_);
  std::string text = what_;
  if (total_ != 0) text += " (" + std::to_string(begun_) + " of " + std::to_string(total_) + ")";
  if (!now_.empty()) text += ": " + now_;
  const std::string time = ", " + std::to_string(seconds.count()) + " s";
  return text.substr(0, 79 - time.size()) + time;
}

void progress::draw_until_the_end() {
  std::unique_lock lock(mutex_);
  for (auto wait = 1000ms; !end_.wait_for(lock, wait, [this] { return ended_; }); wait = 500ms) {
    // The cursor goes back to the beginning: what others print stands there alone, and not behind this.
    std::fprintf(stderr, "\r\033[K%s\r", line().c_str());
    shown_ = true;
  }
  if (shown_) std::fputs("\r\033[K", stderr);
}

void progress::printed() { last_printed = std::chrono::steady_clock::now(); }

void progress::print_until_the_end(std::chrono::duration<double> silence) {
  const auto due = [&] {
    return last_printed.load() + std::chrono::duration_cast<std::chrono::steady_clock::duration>(silence);
  };
  std::unique_lock lock(mutex_);
  while (!end_.wait_until(lock, due(), [this] { return ended_; })) {
    if (std::chrono::steady_clock::now() < due()) continue;
    std::fprintf(stderr, "%s\n", line().c_str());
    printed();
  }
}

progress::~progress() {
  if (step_has_range_) nvtxRangePop();
  nvtxRangePop();
  if (!drawer_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
  }
  end_.notify_one();
  drawer_.join();
}

}  // namespace tutorial
