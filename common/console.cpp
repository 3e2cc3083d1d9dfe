// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "common/console.hpp"

#include <unistd.h>

#include <algorithm>
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

progress::progress(std::string what, std::size_t total)
    : what_(std::move(what)), total_(total), start_(clock::now()), last_(start_) {
  const char* terminal = std::getenv("TERM");
  terminal_ = isatty(STDERR_FILENO) && terminal != nullptr && std::string_view(terminal) != "dumb";
}

void progress::step(std::string_view now) {
  ++done_;
  if (!terminal_) return;
  const auto time = clock::now();
  if (time - start_ < 1s || (shown_ && time - last_ < 200ms)) return;
  last_ = time;
  shown_ = true;
  std::string line = what_;
  if (total_ != 0) line += " " + std::to_string(100 * done_ / total_) + " %";
  if (!now.empty()) line.append(" ").append(now);
  std::fprintf(stderr, "\r\033[K%.*s", int(std::min<std::size_t>(line.size(), 79)), line.c_str());
  std::fflush(stderr);
}

progress::~progress() {
  if (shown_) std::fputs("\r\033[K", stderr);
}

}  // namespace tutorial
