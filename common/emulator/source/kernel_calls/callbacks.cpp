// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// What kernel files call before every access to memory, because they are compiled with -fsanitize=thread.
// That sanitizer's own library is never linked; these are the same functions with another purpose. They use
// nothing of which a kernel file might have an instrumented copy: that copy would call back.
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <utility>

#include "emulator/export.hpp"
#include "host_use.hpp"
#include "run/worker.hpp"

using namespace cuda_emulator;

namespace {

inline void observe(const volatile void* address, unsigned size, access_kind kind, std::uint64_t pc,
                    unsigned unit = 0) {
  if (observer* const watcher = current_observer; watcher != nullptr) {
    if (watcher->observe(address, size, kind, pc, unit)) current_worker->pause();
  } else if (current_worker == nullptr) {
    host_uses(address, size, kind, pc);
  }
}

/// A volatile variable may be the flag by which blocks hand data on.
inline void observe_volatile(const volatile void* address, unsigned size, access_kind kind,
                             std::uint64_t pc) {
  if (current_worker != nullptr) current_worker->look_at_flag(kind == access_kind::read ? address : nullptr);
  if (observer* const watcher = current_observer; watcher != nullptr) {
    watcher->next_is_volatile();
    observe(address, size, kind, pc);
  } else if (current_worker == nullptr) {
    host_uses_flag(address, size, kind, pc);
  }
}

/// In pieces as large as its place and its length admit, at most `most` bytes.
void observe_range(const volatile void* address, std::size_t size, access_kind kind, std::uint64_t pc,
                   unsigned most = 16, const char* function = nullptr) {
  if (current_observer == nullptr) {
    if (current_worker == nullptr) host_uses(address, size, kind, pc, function);
    return;
  }
  const std::uint64_t bits = reinterpret_cast<std::uint64_t>(address) | size | most;
  const auto piece = static_cast<unsigned>(bits & (~bits + 1));
  const auto* bytes = static_cast<const volatile char*>(address);
  // The size of a type is a multiple of its alignment. Of 4 bytes that go byte by byte it may be 2.
  const auto size_admits = static_cast<unsigned>(size & (~size + 1));
  const unsigned place_admits = most == 16               ? 8
                                : most == 1 && size == 4 ? 2
                                                         : most,
                 alignment = size_admits < place_admits ? size_admits : place_admits;
  for (std::size_t i = 0; i < size; i += piece) {
    if (current_observer != nullptr && kind == access_kind::read)
      current_observer->within(address, size, alignment, pc);
    observe(bytes + i, piece, kind, pc, static_cast<unsigned>(i / piece));
  }
}

void host_uses_by(const char* function, const void* memory, std::size_t size, access_kind kind,
                  std::uint64_t pc) {
  if (current_worker == nullptr) host_uses(memory, size, kind, pc, function);
}

/// Of a type that need not lie where its size would want it (g++ reports it as a range). A GPU moves it in
/// pieces that fit anywhere it may lie: words, or bytes where it is smaller than two words.
unsigned largest_piece(std::size_t size) {
  switch (size) {
    case 2:
    case 4:
      return 1;
    case 8:
    case 16:
      return 4;
    default:
      return 16;
  }
}

// Of an object that is copied as a whole g++ tells as of a range. For more than 256 bytes it then calls
// memcpy() or memset() on arm64.
#ifdef __aarch64__
constexpr std::size_t most_inline = 256;
#else
constexpr std::size_t most_inline = ~std::size_t{0};
#endif
struct range {
  const void* begin;
  std::size_t size;
};
constinit thread_local range told __attribute__((tls_model("initial-exec"))){};

bool was_told(const void* begin, std::size_t size) {
  const range before = std::exchange(told, {});
  return size > most_inline && before.begin == begin && before.size == size;
}

inline std::uint64_t here(void* return_address) { return reinterpret_cast<std::uint64_t>(return_address); }
#define PC here(__builtin_return_address(0))

}  // namespace

extern "C" {

// From -fsanitize-coverage=trace-pc: at the beginning of every basic block. Tells which way each lane goes.
EMULATOR_API void __sanitizer_cov_trace_pc() {
  if (observer* const watcher = current_observer; watcher != nullptr && watcher->step(PC))
    current_worker->pause();
}

EMULATOR_API void __tsan_init() {}
EMULATOR_API void __tsan_func_entry(void*) {}
EMULATOR_API void __tsan_func_exit() {}
// The pointer in an object with virtual functions that says what it is: set by constructors, read by calls.
EMULATOR_API void __tsan_vptr_update(void** a, void*) { observe(a, sizeof *a, access_kind::write, PC); }
EMULATOR_API void __tsan_vptr_read(void** a) { observe(a, sizeof *a, access_kind::read, PC); }

// "unaligned": of a type that need not lie where its size would want it.
#define ACCESS(size)                                                                          \
  EMULATOR_API void __tsan_read##size(void* a) { observe(a, size, access_kind::read, PC); }   \
  EMULATOR_API void __tsan_write##size(void* a) { observe(a, size, access_kind::write, PC); } \
  EMULATOR_API void __tsan_volatile_read##size(void* a) {                                     \
    observe_volatile(a, size, access_kind::read, PC);                                         \
  }                                                                                           \
  EMULATOR_API void __tsan_volatile_write##size(void* a) {                                    \
    observe_volatile(a, size, access_kind::write, PC);                                        \
  }                                                                                           \
  EMULATOR_API void __tsan_unaligned_read##size(void* a) {                                    \
    observe_range(a, size, access_kind::read, PC, largest_piece(size));                       \
  }                                                                                           \
  EMULATOR_API void __tsan_unaligned_write##size(void* a) {                                   \
    observe_range(a, size, access_kind::write, PC, largest_piece(size));                      \
  }                                                                                           \
  EMULATOR_API void __tsan_unaligned_volatile_read##size(void* a) {                           \
    observe_range(a, size, access_kind::read, PC, largest_piece(size));                       \
  }                                                                                           \
  EMULATOR_API void __tsan_unaligned_volatile_write##size(void* a) {                          \
    observe_range(a, size, access_kind::write, PC, largest_piece(size));                      \
  }
ACCESS(1)
ACCESS(2)
ACCESS(4)
ACCESS(8)

// Of 16 bytes g++ does not say here whether it wants them at a multiple of 16 (float4) or of 8 (a pair of
// doubles). On x86-64 the processor stops where it wants 16; for arm64 g++ says so before (see emucc.in).
struct misaligned_access {
  const char* file;
  std::uint32_t line, column;
  const void* type;
  unsigned char log_alignment, kind;
};
constinit thread_local const void* wants_16 __attribute__((tls_model("initial-exec"))) = nullptr;
void observe_wide(void* address, access_kind kind, std::uint64_t pc) {
  const bool is_wanted = wants_16 == address;
  if (current_observer == nullptr || reinterpret_cast<std::uint64_t>(address) % 16 != 8 || is_wanted) {
    observe(address, 16, kind, pc);
  } else {
    current_observer->note_wide_access(address, kind, pc);
    observe_range(address, 16, kind, pc);
  }
}
#define WIDE(name, kind)                                                      \
  EMULATOR_API void __tsan_##name##16(void* a) { observe_wide(a, kind, PC); } \
  EMULATOR_API void __tsan_unaligned_##name##16(void* a) {                    \
    observe_range(a, 16, kind, PC, largest_piece(16));                        \
  }
WIDE(read, access_kind::read)
WIDE(write, access_kind::write)
WIDE(volatile_read, access_kind::read)
WIDE(volatile_write, access_kind::write)

EMULATOR_API void cuda_emulator_misaligned(const misaligned_access* what, const void* address) {
  if (what->log_alignment >= 4) wants_16 = address;
}

EMULATOR_API void __tsan_read_range(void* a, unsigned long size) {
  observe_range(a, size, access_kind::read, PC, largest_piece(size));
}
EMULATOR_API void __tsan_write_range(void* a, unsigned long size) {
  observe_range(a, size, access_kind::write, PC, largest_piece(size));
  told = {a, size};
}

// From host code of kernel files, in place of the calls above (see host_access.cpp).
void emulator_look_at_host_access(void* address, unsigned code, std::uint64_t pc) {
  const unsigned size = code & 255;
  const auto look = [&](access_kind kind) {
    if ((code & 512) != 0) {
      observe_range(address, size, kind, pc, largest_piece(size));
    } else if (size == 16) {
      observe_wide(address, kind, pc);
    } else {
      observe(address, size, kind, pc);
    }
  };
  look((code & 256) != 0 ? access_kind::write : access_kind::read);
  if ((code & 1024) != 0) look(access_kind::write);
}

// Kernel files call these instead of the C library's functions (see emucc.in).
EMULATOR_API void* cuda_emulator_memcpy(void* to, const void* from, std::size_t size) {
  if (was_told(to, size)) return std::memcpy(to, from, size);
  observe_range(from, size, access_kind::read, PC, 16, "memcpy");
  observe_range(to, size, access_kind::write, PC, 16, "memcpy");
  return std::memcpy(to, from, size);
}
EMULATOR_API void* cuda_emulator_memmove(void* to, const void* from, std::size_t size) {
  observe_range(from, size, access_kind::read, PC, 16, "memmove");
  observe_range(to, size, access_kind::write, PC, 16, "memmove");
  return std::memmove(to, from, size);
}
EMULATOR_API void* cuda_emulator_memset(void* to, int value, std::size_t size) {
  if (was_told(to, size)) return std::memset(to, value, size);
  observe_range(to, size, access_kind::write, PC, 16, "memset");
  return std::memset(to, value, size);
}
// By these names clang calls them since its version 16.
[[gnu::alias("cuda_emulator_memcpy")]] EMULATOR_API void* __tsan_memcpy(void*, const void*, std::size_t);
[[gnu::alias("cuda_emulator_memmove")]] EMULATOR_API void* __tsan_memmove(void*, const void*, std::size_t);
[[gnu::alias("cuda_emulator_memset")]] EMULATOR_API void* __tsan_memset(void*, int, std::size_t);

// Those that only the host has: it must not give them memory of the device.
EMULATOR_API int cuda_emulator_memcmp(const void* a, const void* b, std::size_t size) {
  host_uses_by("memcmp", a, size, access_kind::read, PC);
  host_uses_by("memcmp", b, size, access_kind::read, PC);
  return std::memcmp(a, b, size);
}
EMULATOR_API std::size_t cuda_emulator_fwrite(const void* from, std::size_t size, std::size_t count,
                                              std::FILE* file) {
  host_uses_by("fwrite", from, size * count, access_kind::read, PC);
  return std::fwrite(from, size, count, file);
}
EMULATOR_API std::size_t cuda_emulator_fread(void* to, std::size_t size, std::size_t count, std::FILE* file) {
  host_uses_by("fread", to, size * count, access_kind::write, PC);
  return std::fread(to, size, count, file);
}
}
