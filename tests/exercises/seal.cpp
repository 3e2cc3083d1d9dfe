// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "seal.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace tutorial::seal {
namespace {

// The text is a polynomial whose coefficients are its bytes. Its values at two secret points, modulo a
// prime, plus two more secrets: who knows none of the four can change no byte, with any amount of computing.
constexpr std::uint64_t prime = (std::uint64_t(1) << 61) - 1;
struct secret {
  std::uint64_t point[2], offset[2], value[2];
};
secret* hidden = nullptr;

void open_to_us(bool open) { mprotect(hidden, sizeof(secret), open ? PROT_READ | PROT_WRITE : PROT_NONE); }

void take(int, char**, char** environment) {
  constexpr char name[] = "EXERCISE_SEAL=";
  while (*environment != nullptr && std::strncmp(*environment, name, sizeof name - 1) != 0) ++environment;
  if (*environment == nullptr) return;
  const int from = std::atoi(*environment + sizeof name - 1);
  void* const page =
      mmap(nullptr, sizeof(secret), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (page == MAP_FAILED) return;
  hidden = static_cast<secret*>(page);
  const bool whole = read(from, hidden, 32) == 32;
  close(from);
  for (int i = 0; i < 2; ++i) hidden->point[i] %= prime, hidden->offset[i] %= prime;
  open_to_us(false);
  if (!whole) hidden = nullptr;
}
// Before the constructors of this program, and of the libraries.
__attribute__((section(".preinit_array"), used)) void (*const taken)(int, char**, char**) = take;

}  // namespace

bool wanted() { return hidden != nullptr; }

void add(std::string_view text) {
  if (!wanted()) return;
  open_to_us(true);
  for (int i = 0; i < 2; ++i) {
    std::uint64_t value = hidden->value[i];
    for (const unsigned char c : text)
      value = std::uint64_t((static_cast<unsigned __int128>(value) + c + 1) * hidden->point[i] % prime);
    hidden->value[i] = value;
  }
  open_to_us(false);
}

std::string end() {
  if (!wanted()) return "";
  open_to_us(true);
  char text[40];
  std::snprintf(text, sizeof text, "%016llx%016llx",
                static_cast<unsigned long long>((hidden->value[0] + hidden->offset[0]) % prime),
                static_cast<unsigned long long>((hidden->value[1] + hidden->offset[1]) % prime));
  munmap(hidden, sizeof(secret));
  hidden = nullptr;
  return text;
}

}  // namespace tutorial::seal
