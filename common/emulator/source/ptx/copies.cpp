// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// cp.async and what <cuda_pipeline.h> makes of it: copies from global to shared memory that land when their
// thread waits for them. Until then the target keeps what it had.
#include <cstdint>
#include <cstring>
#include <string>

#include "stop.hpp"

namespace cuda_emulator::ptx {
namespace {

/// `size` is a power of two up to 16, and `from_source` at most that.
void begin(void* to, const void* from, unsigned size, unsigned from_source, const char* name,
           const void* pc) {
  const auto misaligned = [size](const void* p) { return reinterpret_cast<std::uintptr_t>(p) % size != 0; };
  if (misaligned(to) || (from_source != 0 && misaligned(from)))
    stop(("a misaligned " + std::string(name)).c_str(),
         "Both addresses of a copy of 4, 8 or 16 bytes must be a multiple of its size.", pc);
  // In one piece, but for sizes that no load has.
  for (unsigned done = 0; done < from_source;) {
    unsigned piece = 16;
    while (piece > from_source - done) piece /= 2;
    observe(static_cast<const char*>(from) + done, piece, access_kind::read, pc);
    done += piece;
  }
  worker& w = running();
  copy_under_way c{w.thread(), static_cast<const char*>(from), static_cast<char*>(to), size, from_source,
                   number(pc)};
  if (current_observer != nullptr) current_observer->begin_copy(c);
  w.copies.to_shared.add(c);
}

/// Those of the thread that runs.
template <class Lands>
void land(const void* pc, Lands&& lands, unsigned groups_left = 0) {
  worker& w = running();
  for (const copy_under_way& c : w.copies.to_shared.take(w.thread(), number(pc), lands, groups_left)) {
    const bool pauses = current_observer != nullptr && current_observer->land(c);
    char value[16] = {};
    std::memcpy(value, c.from, c.from_source);
    std::memcpy(c.to, value, c.size);
    if (pauses) w.pause();
  }
}

}  // namespace

void copy_async(std::uint64_t to_shared, std::uint64_t from_global, unsigned size, unsigned from_source) {
  const void* const pc = __builtin_return_address(0);
  if (from_source > size)
    stop("cp.async from a source that is larger than the target,",
         "Its fourth operand is the number of bytes to copy, at most the third; the others become zero.", pc);
  void* const to = located(space::shared, to_shared, pc);
  // Where nothing is copied, the address may be any.
  const void* const from = from_source != 0 ? located(space::global, from_global, pc) : nullptr;
  begin(to, from, size, from_source, "cp.async,", pc);
}

void copy_async(void* to, const void* from, std::size_t size, std::size_t zeros) {
  const void* const pc = __builtin_return_address(0);
  if (size != 4 && size != 8 && size != 16)
    stop(("__pipeline_memcpy_async() of " + std::to_string(size) + " bytes").c_str(),
         "It copies 4, 8 or 16 bytes. For more, call it several times, or let each thread copy a part.", pc);
  if (zeros > size)
    stop(("__pipeline_memcpy_async() of " + std::to_string(size) + " bytes, of which " +
          std::to_string(zeros) + " are to be zero,")
             .c_str(),
         "Its fourth argument is the number of bytes at the end that become zero instead of being copied.",
         pc);
  worker& w = running();
  if (!w.shared.contains(to))
    stop("__pipeline_memcpy_async() to an address that is not in shared memory",
         "It copies from global to shared memory: the first argument is the target, as in memcpy().", pc);
  if (zeros != size && (w.shared.contains(from) || w.on_stack(from)))
    stop("__pipeline_memcpy_async() from an address that is not in global memory",
         "It copies from global to shared memory: the second argument is the source, as in memcpy().", pc);
  begin(to, from, static_cast<unsigned>(size), static_cast<unsigned>(size - zeros),
        "__pipeline_memcpy_async()", pc);
}

void copy_async_piece(void* to, const void* from, unsigned size) {
  begin(to, from, size, size, "memcpy_async()", __builtin_return_address(0));
}

void commit_copies() { running().copies.to_shared.commit(running().thread()); }

void wait_for_copies(unsigned groups_left) {
  const worker& w = running();
  const std::uint64_t committed = w.copies.to_shared.groups(w.thread());
  const auto is_meant = [&](const copy_under_way& c) {
    return c.group != 0 && c.group + groups_left <= committed;
  };
  land(__builtin_return_address(0), is_meant, groups_left);
}

void wait_for_all_copies() {
  land(__builtin_return_address(0), [](const copy_under_way&) { return true; });
}

}  // namespace cuda_emulator::ptx
