// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// With -fsanitize=thread the compiler calls these for std::atomic and for the guards of static variables. In
// kernel files that is host code; CUDA's own atomic functions are in atomics.cpp.
#include <cstdint>

#include "emulator/export.hpp"
#include "host_use.hpp"
#include "run/worker.hpp"

using namespace cuda_emulator;

namespace {

template <class T>
inline void look_at(const volatile T* address, access_kind kind, void* return_address) {
  if (current_worker == nullptr)
    host_uses_flag(address, sizeof(T), kind, reinterpret_cast<std::uint64_t>(return_address));
}
#define LOOK_AT(kind) look_at(address, access_kind::kind, __builtin_return_address(0))

}  // namespace

extern "C" {

#define FETCH(bits, name)                                                                                    \
  EMULATOR_API std::uint##bits##_t __tsan_atomic##bits##_fetch_##name(volatile std::uint##bits##_t* address, \
                                                                      std::uint##bits##_t value, int) {      \
    LOOK_AT(atomic);                                                                                         \
    return __atomic_fetch_##name(address, value, __ATOMIC_SEQ_CST);                                          \
  }
#define COMPARE(bits, kind, weak)                                                                         \
  EMULATOR_API int __tsan_atomic##bits##_compare_exchange_##kind(volatile std::uint##bits##_t* address,   \
                                                                 std::uint##bits##_t* expected,           \
                                                                 std::uint##bits##_t desired, int, int) { \
    LOOK_AT(atomic);                                                                                      \
    return __atomic_compare_exchange_n(address, expected, desired, weak, __ATOMIC_SEQ_CST,                \
                                       __ATOMIC_SEQ_CST);                                                 \
  }
#define ATOMICS(bits)                                                                                        \
  EMULATOR_API std::uint##bits##_t __tsan_atomic##bits##_load(const volatile std::uint##bits##_t* address,   \
                                                              int) {                                         \
    LOOK_AT(read);                                                                                           \
    return __atomic_load_n(address, __ATOMIC_SEQ_CST);                                                       \
  }                                                                                                          \
  EMULATOR_API void __tsan_atomic##bits##_store(volatile std::uint##bits##_t* address,                       \
                                                std::uint##bits##_t value, int) {                            \
    LOOK_AT(write);                                                                                          \
    __atomic_store_n(address, value, __ATOMIC_SEQ_CST);                                                      \
  }                                                                                                          \
  EMULATOR_API std::uint##bits##_t __tsan_atomic##bits##_exchange(volatile std::uint##bits##_t* address,     \
                                                                  std::uint##bits##_t value, int) {          \
    LOOK_AT(atomic);                                                                                         \
    return __atomic_exchange_n(address, value, __ATOMIC_SEQ_CST);                                            \
  }                                                                                                          \
  FETCH(bits, add)                                                                                           \
  FETCH(bits, sub)                                                                                           \
  FETCH(bits, and)                                                                                           \
  FETCH(bits, or)                                                                                            \
  FETCH(bits, xor)                                                                                           \
  FETCH(bits, nand)                                                                                          \
  COMPARE(bits, strong, false)                                                                               \
  COMPARE(bits, weak, true)                                                                                  \
  EMULATOR_API std::uint##bits##_t __tsan_atomic##bits##_compare_exchange_val(                               \
      volatile std::uint##bits##_t* address, std::uint##bits##_t expected, std::uint##bits##_t desired, int, \
      int) {                                                                                                 \
    LOOK_AT(atomic);                                                                                         \
    __atomic_compare_exchange_n(address, &expected, desired, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);     \
    return expected;                                                                                         \
  }

ATOMICS(8)
ATOMICS(16)
ATOMICS(32)
ATOMICS(64)

EMULATOR_API void __tsan_atomic_thread_fence(int) { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
EMULATOR_API void __tsan_atomic_signal_fence(int) { __atomic_signal_fence(__ATOMIC_SEQ_CST); }
}
