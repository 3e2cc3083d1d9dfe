// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Kernel files are compiled with -fsanitize=bounds: before an index leaves an array whose type says how long
// it is, they call this. The sanitizer's own library is not linked. Arrays in memory of the device are left
// to the checks of each access, so only those count that the translator has listed.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <string>
#include <vector>

#include "emulator/export.hpp"
#include "emulator/launch.hpp"
#include "run/worker.hpp"

namespace cuda_emulator {
namespace {

struct table {
  const subscript* begin;
  std::size_t count;
};
std::mutex& tables_mutex = *new std::mutex;  // never destroyed: used by whatever runs last
std::vector<table>& tables = *new std::vector<table>;

/// g++ names the column of the closing bracket, in a template that of the opening one; clang that of the
/// name.
const subscript* find_subscript(const char* file, int line, int column) {
  const std::lock_guard lock(tables_mutex);
  const subscript* by_name = nullptr;
  for (const table& t : tables) {
    bool here = false;
    for (const subscript* s = t.begin; s != t.begin + t.count; ++s) {
      if (s->line == 0) here = std::strcmp(s->name, file) == 0;
      if (!here || s->line != line) continue;
      if (s->close_column == column || s->open_column == column) return s;
      if (s->base_column == column && by_name == nullptr) by_name = s;
    }
  }
  return by_name;
}

}  // namespace

void register_subscripts(const subscript* begin, std::size_t count) {
  const std::lock_guard lock(tables_mutex);
  tables.push_back({begin, count});
}

}  // namespace cuda_emulator

using namespace cuda_emulator;

namespace {

/// As the compilers write them.
struct type_description {
  std::uint16_t kind, info;  // of an integer: 2 * log2(bits), and 1 where it is signed
  char name[1];              // in quotes: 'float [8]'
};
struct index_description {
  const char* file;
  std::uint32_t line, column;
  const type_description* array;
  const type_description* index;
};

std::string index_text(const index_description& d, std::uint64_t index) {
  const bool is_signed = (d.index->info & 1) != 0;
  const unsigned bits = 1u << (d.index->info >> 1);
  if (bits > 64) return "?";
  if (!is_signed) return std::to_string(index);
  return std::to_string(static_cast<std::int64_t>(index << (64 - bits)) >> (64 - bits));
}

/// An index without a sign that is a small one below zero with a sign; 0: it is not.
std::int64_t below_zero(const index_description& d, std::uint64_t index) {
  const unsigned bits = 1u << (d.index->info >> 1);
  if ((d.index->info & 1) != 0 || bits > 64) return 0;
  const std::int64_t with_sign = static_cast<std::int64_t>(index << (64 - bits)) >> (64 - bits);
  return -(1 << 24) < with_sign ? std::min<std::int64_t>(with_sign, 0) : 0;
}

[[noreturn]] void stop_at_index(const std::string& name, const std::string& index, std::uint64_t size,
                                const void* pc, const std::string& below = "") {
  if (current_worker == nullptr) std::abort();  // only code of the device calls
  worker& w = *current_worker;
  raw_finding f{.kind = finding_kind::array_index};
  f.block = w.block();
  f.thread = w.thread();
  f.pc = reinterpret_cast<std::uint64_t>(pc);
  f.text = " uses " + name + "[" + index + "], and " + name + " has " + std::to_string(size) +
           " elements, numbered from 0 to " + std::to_string(size - 1);
  f.details = below;
  w.launch().note(f);
  w.launch().abandon();
  w.abandon();
}

}  // namespace

extern "C" EMULATOR_API void cuda_emulator_index_beyond(const index_description* d, std::uint64_t index) {
  if (current_worker == nullptr || current_observer == nullptr) return;  // of the host, or checks are off
  const subscript* const known =
      find_subscript(d->file, static_cast<int>(d->line), static_cast<int>(d->column));
  const char* const bracket = std::strchr(d->array->name, '[');
  const long size = bracket != nullptr ? std::strtol(bracket + 1, nullptr, 10) : 0;
  // An array of one or no element at the end of a structure stands for as many as follow it.
  if (known == nullptr || size <= 1) return;
  const std::int64_t below = below_zero(*d, index);
  stop_at_index(known->name, index_text(*d, index), static_cast<std::uint64_t>(size),
                __builtin_return_address(0),
                below == 0 ? "" : known->name + ("[" + std::to_string(below)) + "]");
}

// Called from assembly, by element() in emulator/launch.hpp.
extern "C" EMULATOR_API void cuda_emulator_element_beyond(std::int64_t index, std::uint64_t size,
                                                          const char* name) {
  stop_at_index(name, std::to_string(index), size, __builtin_return_address(0));
}
