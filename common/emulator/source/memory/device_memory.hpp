// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// The memory of the emulated device: one large range of addresses, of which pages are used only when
// touched. Of several devices each has an equal part of that range. Allocations lie far apart in it and
// their addresses are not soon used again, so that an index out of range or a pointer kept for too long hits
// nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "code/call_stack.hpp"
#include "emulator/export.hpp"

namespace cuda_emulator {

/// The heap's: malloc() or new in a kernel made it.
enum class allocation_kind : std::uint8_t { device, host, managed, heap };

/// Among the flags of an allocation: cudaMallocAsync() made it.
constexpr unsigned int from_pool = 0x8000'0000;

struct allocation {
  char* begin;
  std::size_t size;
  allocation_kind kind;
  std::uint32_t number;  ///< 1 for the first one of the program.
  bool watched;          ///< Races in it are looked for.
  call_stack made_at;
  unsigned int flags;    ///< What cudaHostAlloc() was given, or from_pool.
  bool leaving = false;  ///< A stream is to free it: the host may not use it any more.
  std::size_t row = 0,
              pitch = 0;  ///< Rows of so many bytes lie so far apart; 0: cudaMallocPitch() did not make it.
};

/// What a copy, or a fill, has written of an allocation: its first bytes, but not all.
struct written_part {
  const char* function;
  std::size_t size;
  call_stack made_at;
};

/// Bytes whose contents a call of a library has destroyed, and what to say of that.
struct lost_part {
  const char* begin;
  std::size_t size;
  const char* function;  ///< "cufftExecC2R"
  call_stack called_at;
  const char* why;    ///< " has overwritten it: ..."
  const char* cause;  ///< What the mistake of a later read usually is.

  /// "cufftExecC2R() at a.cu:12 has overwritten it: ..."
  EMULATOR_FOR_LIBRARIES std::string text() const;
};

class device_memory {
 public:
  EMULATOR_FOR_LIBRARIES static device_memory& instance();
  /// Has anything been allocated at all?
  static bool ever_used();

  /// Null where the device has no more memory. Aligned to 256 bytes. No bytes: a place of its own all the
  /// same.
  EMULATOR_FOR_LIBRARIES void* allocate(std::size_t size, allocation_kind kind, unsigned int flags = 0);
  /// False if nothing that lives begins there.
  EMULATOR_FOR_LIBRARIES bool release(void* pointer, allocation_kind kind);
  /// What lives and begins there will be released.
  void leave(const void* pointer);
  /// What the current device has.
  void release_all();

  /// malloc() of a kernel that runs on `device`, called at `pc`; null where the heap has no room. The
  /// addresses
  /// of what was freed come again only when all around them is freed, too.
  void* allocate_on_heap(std::size_t size, int device, std::uint64_t pc);
  bool release_on_heap(void* pointer, int device);
  /// cudaLimitMallocHeapSize of the current device. False where kernels have used the heap already.
  bool limit_heap(std::size_t bytes);
  std::size_t heap_limit() const;

  /// The allocations that an address outside of all of them may have meant: the last one before it and the
  /// first one behind it, where they are no further away than the gap between allocations; the nearer one
  /// first. For messages.
  std::vector<allocation> around(const void* address);
  /// The one in which `address` lies, or else the nearest of those. For messages.
  EMULATOR_FOR_LIBRARIES std::optional<allocation> near(const void* address);
  /// The allocation that was freed last among those in which `address` once lay.
  EMULATOR_FOR_LIBRARIES std::optional<allocation> freed(const void* address);
  /// The one on the heap behind whose end `address` lay: kernels free what others of their findings are
  /// about.
  std::optional<allocation> freed_before(const void* address);
  /// What has not been freed, in the order of allocation.
  std::vector<allocation> left();
  /// The allocation in which `address` lies.
  EMULATOR_FOR_LIBRARIES std::optional<allocation> find(const void* address);
  /// What begins there has rows of `row` bytes that lie `pitch` bytes apart.
  void note_rows(const void* pointer, std::size_t row, std::size_t pitch);
  /// `function` writes `size` bytes from `to` on; called by the one who asks for it.
  void note_written(const char* function, const void* to, std::size_t size);
  /// The last one that began where the allocation begins, and ended before its end. For messages.
  std::optional<written_part> part_written(const allocation& in);
  EMULATOR_FOR_LIBRARIES void note_lost(lost_part&& part);
  /// Of the unwritten byte at `address`. For messages.
  EMULATOR_FOR_LIBRARIES std::optional<lost_part> lost(const void* address);
  /// Of the current device.
  std::size_t free_bytes();
  /// Of each device.
  std::size_t total_bytes() const { return total_; }
  /// Whose range of addresses that is. It must be one of the devices' memory.
  int device_of(const void* address) const {
    return static_cast<int>(static_cast<std::size_t>(static_cast<const char*>(address) - base_) / each_);
  }
  /// Is it memory of the current device? Where there is only one, all is.
  bool of_current(const void* address) const;
  /// The part of one device: where it begins, as an offset from base(), and how long it is.
  std::size_t first_of(int device) const { return static_cast<std::size_t>(device) * each_; }
  std::size_t span_of_each() const { return each_; }

  /// Shared memory for one more worker; null where there have been too many. It lies before the device's
  /// memory, in the same range of addresses.
  char* next_arena();

  char* base() const { return base_; }
  std::size_t span() const { return span_; }
  bool contains(const void* address) const {
    return static_cast<std::size_t>(static_cast<const char*>(address) - base_) < span_;
  }

 private:
  device_memory();

  bool reserve(std::size_t span);
  std::size_t room_for(std::size_t needed, int device);

  char* base_ = nullptr;
  std::size_t span_ = 0;          // addresses
  std::size_t each_ = 1;          // of those, for one device
  std::size_t total_ = 0;         // bytes that may be allocated on each
  std::size_t most_of_host_ = 0;  // and at once in memory of the host
};

}  // namespace cuda_emulator
