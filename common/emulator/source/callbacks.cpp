// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// What kernel files call before every access to memory, because they are compiled with -fsanitize=thread. That
// sanitizer's own library is never linked; these are the same functions with another purpose.
#include "emulator/export.hpp"
#include "worker.hpp"

extern "C" {
EMULATOR_API void __tsan_init() {}
EMULATOR_API void __tsan_func_entry(void*) {}
EMULATOR_API void __tsan_func_exit() {}
EMULATOR_API void __tsan_vptr_update(void**, void*) {}
EMULATOR_API void __tsan_vptr_read(void**) {}
#define ACCESS(size)                                       \
  EMULATOR_API void __tsan_read##size(void*) {}            \
  EMULATOR_API void __tsan_write##size(void*) {}           \
  EMULATOR_API void __tsan_unaligned_read##size(void*) {}  \
  EMULATOR_API void __tsan_unaligned_write##size(void*) {} \
  EMULATOR_API void __tsan_volatile_read##size(void*) {}   \
  EMULATOR_API void __tsan_volatile_write##size(void*) {}
ACCESS(1)
ACCESS(2) ACCESS(4) ACCESS(8) ACCESS(16) EMULATOR_API void __tsan_read_range(void*, unsigned long) {}
EMULATOR_API void __tsan_write_range(void*, unsigned long) {}
}
