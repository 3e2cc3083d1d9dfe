// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "standard_error.hpp"

#include <sys/stat.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <streambuf>

#include "emulator/control.hpp"

namespace cuda_emulator {
namespace {

std::atomic<void (*)(const char*, const char*, const char*)> note_listener{nullptr};

/// Do both go to one terminal, pipe or file?
bool in_one_place() {
  struct stat out {
  }, error{};
  return fstat(fileno(stdout), &out) == 0 && fstat(fileno(stderr), &error) == 0 &&
         out.st_dev == error.st_dev && out.st_ino == error.st_ino;
}

/// Of a stream buffer, what was not written yet.
struct waiting : std::streambuf {
  static char* end(const std::streambuf& buffer) { return (buffer.*(&waiting::pptr))(); }
  static char* begin(const std::streambuf& buffer) { return (buffer.*(&waiting::pbase))(); }
};

/// As far as that can be known: what was flushed before is gone.
bool line_is_unfinished() {
  // Empty where std::cout writes to stdout, and not by itself.
  if (const std::streambuf* const buffer = std::cout.rdbuf();
      buffer != nullptr && waiting::end(*buffer) > waiting::begin(*buffer))
    return waiting::end(*buffer)[-1] != '\n';
#ifdef __GLIBC__
  return stdout->_IO_write_ptr > stdout->_IO_write_base && stdout->_IO_write_ptr[-1] != '\n';
#else
  return false;
#endif
}

}  // namespace

void begin_message() {
  const bool unfinished = line_is_unfinished() && in_one_place();
  std::cout.flush();
  std::fflush(stdout);
  if (unfinished) std::fputc('\n', stderr);
}

void hear_notes(void (*listener)(const char* kind, const char* place, const char* text)) {
  note_listener = listener;
}
void tell_note(const char* kind, const std::string& place, const std::string& text) {
  if (const auto listener = note_listener.load()) listener(kind, place.c_str(), text.c_str());
}

void give_up(const std::string& message) {
  std::fputs((message + "\n").c_str(), stderr);
  std::_Exit(2);
}

}  // namespace cuda_emulator
