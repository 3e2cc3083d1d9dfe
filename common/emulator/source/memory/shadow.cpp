// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "shadow.hpp"

#include <sys/mman.h>

#include <cstring>

#include "address_ranges.hpp"
#include "device/settings.hpp"
#include "device/system_page.hpp"

namespace cuda_emulator {

shadow_range global_shadow;

namespace {

void* reserve_addresses(std::size_t size) {
  void* memory =
      mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) return nullptr;
  madvise(memory, size, MADV_DONTDUMP);
  return memory;
}

/// Zero bytes again in [begin, begin + size); whole pages go back to the system.
void zero(void* begin, std::size_t size) {
  const auto first = reinterpret_cast<std::uintptr_t>(begin), last = first + size;
  const std::size_t page = system_page();
  const std::uintptr_t first_page = (first + page - 1) / page * page, last_page = last / page * page;
  if (first_page >= last_page) {
    std::memset(begin, 0, size);
    return;
  }
  std::memset(begin, 0, first_page - first);
  madvise(reinterpret_cast<void*>(first_page), last_page - first_page, MADV_DONTNEED);
  std::memset(reinterpret_cast<void*>(last_page), 0, last - last_page);
}

// Eight states at a time: a copy has as many states as bytes.
template <class T>
T get(const std::uint8_t* states) {
  T word;
  std::memcpy(&word, states, sizeof word);
  return word;
}
template <class T>
void put(std::uint8_t* states, T word) {
  std::memcpy(states, &word, sizeof word);
}
template <class T>
constexpr T everywhere(std::uint8_t state) {
  return static_cast<T>(state * static_cast<T>(0x0101010101010101ull));
}
template <class Work>
void for_each_word(std::size_t size, Work&& work) {
  std::size_t i = 0;
  for (; i + 8 <= size; i += 8) work(i, std::uint64_t{});
  for (; i < size; ++i) work(i, std::uint8_t{});
}

std::uint8_t* states_of(const void* address, std::size_t size) {
  const std::size_t offset = reinterpret_cast<std::uintptr_t>(address) - first_of_memory;
  if (global_shadow.states == nullptr || size == 0 || offset >= global_shadow.size) return nullptr;
  return global_shadow.states + offset;
}

}  // namespace

bool shadow_range::reserve(std::size_t bytes) {
  states = static_cast<std::uint8_t*>(reserve_addresses(bytes));
  cells = static_cast<cell*>(reserve_addresses(bytes / 4 * sizeof(cell)));
  fine = static_cast<cell*>(reserve_addresses(bytes * sizeof(cell)));
  size = bytes;
  has_fine = static_cast<std::atomic<std::uint8_t>*>(reserve_addresses(bytes / 4));
  if (states != nullptr && cells != nullptr && fine != nullptr && has_fine != nullptr) return true;
  if (states != nullptr) munmap(states, bytes);
  if (cells != nullptr) munmap(cells, bytes / 4 * sizeof(cell));
  if (fine != nullptr) munmap(fine, bytes * sizeof(cell));
  if (has_fine != nullptr) munmap(has_fine, bytes / 4);
  *this = {};
  return false;
}

void shadow_range::forget(std::size_t offset, std::size_t bytes) {
  if (states == nullptr) return;
  zero(states + offset, bytes);
  zero(static_cast<void*>(cells + offset / 4), (bytes + 3) / 4 * sizeof(cell));
  zero(static_cast<void*>(fine + offset), bytes * sizeof(cell));
  zero(static_cast<void*>(has_fine + offset / 4), (bytes + 3) / 4);
}

void mark_usable(const void* address, std::size_t size, bool watched, bool of_host) {
  if (std::uint8_t* states = states_of(address, size))
    std::memset(states,
                state_usable | (watched ? 0 : state_unwatched) | (of_host ? state_of_host : 0) |
                    (settings().sampling ? state_defined : 0),  // who has written it may not have been seen
                size);
}

void mark_unusable(const void* address, std::size_t size) {
  if (std::uint8_t* states = states_of(address, size)) std::memset(states, 0, size);
}

void mark_defined(const void* address, std::size_t size) {
  if (std::uint8_t* states = states_of(address, size))
    for_each_word(size, [states](std::size_t i, auto word) {
      using type = decltype(word);
      put(states + i, static_cast<type>(get<type>(states + i) | everywhere<type>(state_defined)));
    });
}

void mark_undefined(const void* address, std::size_t size) {
  std::uint8_t* states = states_of(address, size);
  if (states == nullptr || settings().sampling) return;
  static_assert(state_of_host >> 2 == state_defined);
  for_each_word(size, [states](std::size_t i, auto word) {
    using type = decltype(word);
    const type old = get<type>(states + i), of_host = (old & everywhere<type>(state_of_host)) >> 2;
    put(states + i, static_cast<type>(old & (~everywhere<type>(state_defined) | of_host)));
  });
}

void mark_copied(const void* to, const void* from, std::size_t size) {
  const std::uint8_t* origin = states_of(from, size);
  std::uint8_t* states = states_of(to, size);
  if (origin == nullptr || states == nullptr) return mark_defined(to, size);
  for_each_word(size, [states, origin](std::size_t i, auto word) {
    using type = decltype(word);
    const type bits = everywhere<type>(state_defined);
    put(states + i, static_cast<type>((get<type>(states + i) & ~bits) | (get<type>(origin + i) & bits)));
  });
}

}  // namespace cuda_emulator
