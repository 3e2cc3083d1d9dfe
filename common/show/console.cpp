// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "console.hpp"

#include <unistd.h>

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
  const char* terminal = std::getenv("TERM");
  if (isatty(STDERR_FILENO) && terminal != nullptr && std::string_view(terminal) != "dumb")
    drawer_ = std::thread([this] { draw_until_the_end(); });
}

void progress::step(std::string_view now) {
  const std::lock_guard lock(mutex_);
  ++begun_;
  now_ = now;
}

void progress::draw_until_the_end() {
  const auto begin = std::chrono::steady_clock::now();
  bool shown = false;
  std::unique_lock lock(mutex_);
  for (auto wait = 1000ms; !end_.wait_for(lock, wait, [this] { return ended_; }); wait = 500ms) {
    const auto seconds =
        std::chrono::duration_cast<std::chrono::seconds>(std::chrono::steady_clock::now() - begin);
    std::string line = what_;
    if (total_ != 0) line += " (" + std::to_string(begun_) + " of " + std::to_string(total_) + ")";
    if (!now_.empty()) line += ": " + now_;
    line += ", " + std::to_string(seconds.count()) + " s";
    std::fprintf(stderr, "\r\033[K%s", line.substr(0, 79).c_str());
    shown = true;
  }
  if (shown) std::fputs("\r\033[K", stderr);
}

progress::~progress() {
  if (!drawer_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
  }
  end_.notify_one();
  drawer_.join();
}

}  // namespace tutorial
