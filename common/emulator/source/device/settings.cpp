// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "settings.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>

#include "devices.hpp"
#include "emulator/control.hpp"

namespace cuda_emulator {
namespace {

bool parse_order(const char* text, settings_record& to) {
  if (std::strcmp(text, "forward") == 0) {
    to.order = thread_order::forward;
  } else if (std::strcmp(text, "reverse") == 0) {
    to.order = thread_order::reverse;
  } else if (std::strncmp(text, "random:", 7) == 0 && text[7] >= '0' && text[7] <= '9') {
    char* end = nullptr;
    errno = 0;
    const std::uint64_t seed = std::strtoull(text + 7, &end, 10);
    if (*end != '\0' || errno != 0) return false;
    to.order = thread_order::random;
    to.seed = seed;
  } else {
    return false;
  }
  return true;
}

[[noreturn]] void refuse(const char* variable, const char* value, const char* choices) {
  std::fprintf(stderr, "%s is '%s'; it can be %s.\n", variable, value, choices);
  std::_Exit(2);
}

void read_severity(const char* variable, bool& is_error) {
  const char* const text = std::getenv(variable);
  if (text == nullptr || *text == '\0') return;
  if (std::strcmp(text, "error") != 0 && std::strcmp(text, "note") != 0)
    refuse(variable, text, "error or note");
  is_error = *text == 'e';
}

/// "64MiB", "4GiB", "512KiB"; 0 where it is none of these.
std::size_t parse_size(const char* text) {
  char* end = nullptr;
  errno = 0;
  const std::uint64_t value = text[0] >= '0' && text[0] <= '9' ? std::strtoull(text, &end, 10) : 0;
  if (value == 0 || errno != 0 || value > std::uint64_t{1} << 32) return 0;
  const int shift = std::strcmp(end, "KiB") == 0   ? 10
                    : std::strcmp(end, "MiB") == 0 ? 20
                    : std::strcmp(end, "GiB") == 0 ? 30
                                                   : 0;
  return shift == 0 ? 0 : static_cast<std::size_t>(value) << shift;
}

/// As many as there are cores; fewer where addresses are limited. A thread takes up to 500 MiB of them (its
/// stack, those of a block's threads, malloc()'s), and a quarter of the limit is the program's (most_span()).
int threads_of_machine() {
  rlim_t threads = std::min(std::thread::hardware_concurrency(), unsigned{most_workers});
  if (rlimit limit{}; getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
    threads = std::min(threads, limit.rlim_cur / 4 / (512 << 20));
  return std::max(1, static_cast<int>(threads));
}

settings_record from_environment() {
  settings_record result;
  result.threads = threads_of_machine();
  if (const char* text = std::getenv("EMULATOR_THREADS"); text != nullptr && *text != '\0') {
    char* end = nullptr;
    const long threads = std::strtol(text, &end, 10);
    if (*end != '\0' || threads < 1) refuse("EMULATOR_THREADS", text, "a number from 1 on");
    result.threads = threads > most_workers ? most_workers : static_cast<int>(threads);
  }
  if (const char* text = std::getenv("EMULATOR_ORDER"); text != nullptr && *text != '\0') {
    if (!parse_order(text, result))
      refuse("EMULATOR_ORDER", text, "forward, reverse or random:SEED, as in random:7");
  }
  if (const char* text = std::getenv("EMULATOR_CHECK"); text != nullptr && *text != '\0') {
    // A report or a trace needs all blocks.
    const bool shows = std::getenv("EMULATOR_REPORT") != nullptr || std::getenv("EMULATOR_TRACE") != nullptr;
    result.sampling = std::strcmp(text, "sample") == 0 && !shows;
    if (std::strcmp(text, "0") != 0 && std::strcmp(text, "1") != 0 && std::strcmp(text, "sample") != 0)
      refuse("EMULATOR_CHECK", text, "0, 1 or sample");
    result.checking = text[0] != '0';
  }
  if (const char* text = std::getenv("EMULATOR_MEMORY"); text != nullptr && *text != '\0') {
    result.memory = parse_size(text);
    if (result.memory == 0) refuse("EMULATOR_MEMORY", text, "a size, as in 512KiB, 64MiB or 4GiB");
  }
  if (const char* text = std::getenv("EMULATOR_PATIENCE"); text != nullptr && *text != '\0') {
    char* end = nullptr;
    result.seconds_to_note = std::strtod(text, &end);
    const bool sensible = *end == '\0' && result.seconds_to_note >= 0 && result.seconds_to_note <= 1e6;
    if (!sensible) refuse("EMULATOR_PATIENCE", text, "a number of seconds, or 0 for no note");
  }
  if (const char* text = std::getenv("EMULATOR_WAIT"); text != nullptr && *text != '\0') {
    char* end = nullptr;
    result.wait = std::strtod(text, &end);
    const bool sensible = *end == '\0' && result.wait > 0 && result.wait <= 1e6;
    if (!sensible) refuse("EMULATOR_WAIT", text, "a number of seconds");
  }
  if (const char* text = std::getenv("EMULATOR_PEER_ATOMICS"); text != nullptr && *text != '\0') {
    if (std::strcmp(text, "0") != 0 && std::strcmp(text, "1") != 0)
      refuse("EMULATOR_PEER_ATOMICS", text, "0 or 1");
    result.peer_atomics = text[0] == '1';
  }
  read_severity("EMULATOR_LEAKS", result.leaks_are_errors);
  read_severity("EMULATOR_SAME_VALUE", result.same_values_are_errors);
  read_severity("EMULATOR_UNWRITTEN", result.unwritten_are_errors);
  read_severity("EMULATOR_ZEROS", result.zeros_are_errors);
  return result;
}

}  // namespace

int devices_asked_for() {
  const char* const text = std::getenv("EMULATOR_DEVICES");
  if (text == nullptr || *text == '\0') return 1;
  char* end = nullptr;
  const long devices = std::strtol(text, &end, 10);
  if (*end != '\0' || devices < 1 || devices > most_devices)
    refuse("EMULATOR_DEVICES", text, "a number from 1 to 16");
  return static_cast<int>(devices);
}

settings_record& settings() {
  static settings_record record = from_environment();
  return record;
}

bool set_order(const char* order) { return parse_order(order, settings()); }

int threads() { return settings().threads; }

void set_threads(int threads) {
  settings().threads = threads < 1 ? 1 : threads > most_workers ? most_workers : threads;
}

void set_checking(bool checking) {
  settings().checking = checking;
  settings().checking_was_set = true;
}

bool checking() { return settings().checking; }

bool counting() { return settings().checking && !settings().sampling; }

const char* order_text() {
  static char text[64];
  switch (settings().order) {
    case thread_order::forward:
      return "EMULATOR_ORDER=forward";
    case thread_order::reverse:
      return "EMULATOR_ORDER=reverse";
    case thread_order::random:
      break;
  }
  std::snprintf(text, sizeof text, "EMULATOR_ORDER=random:%llu",
                static_cast<unsigned long long>(settings().seed));
  return text;
}

}  // namespace cuda_emulator
