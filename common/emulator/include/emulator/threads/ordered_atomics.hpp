// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Atomic functions that say their order and scope (since CUDA 12.8). Every atomic here is seen by the whole
// system; around one that releases or acquires there are fences. A load is an atomic that changes nothing.
#pragma once

#include <type_traits>

#include "emulator/export.hpp"
#include "emulator/threads/atomics.hpp"
#include "emulator/threads/synchronization.hpp"

enum {
  __NV_ATOMIC_RELAXED,
  __NV_ATOMIC_CONSUME,
  __NV_ATOMIC_ACQUIRE,
  __NV_ATOMIC_RELEASE,
  __NV_ATOMIC_ACQ_REL,
  __NV_ATOMIC_SEQ_CST
};
enum {
  __NV_THREAD_SCOPE_THREAD,
  __NV_THREAD_SCOPE_BLOCK,
  __NV_THREAD_SCOPE_CLUSTER,
  __NV_THREAD_SCOPE_DEVICE,
  __NV_THREAD_SCOPE_SYSTEM
};

namespace cuda_emulator {

EMULATOR_DEVICE void before_atomic(int order) {
  if (order == __NV_ATOMIC_RELEASE || order == __NV_ATOMIC_ACQ_REL || order == __NV_ATOMIC_SEQ_CST) fence();
}
EMULATOR_DEVICE void after_atomic(int order) {
  if (order != __NV_ATOMIC_RELAXED && order != __NV_ATOMIC_RELEASE) fence();
}

/// A value as bits, of which exchange and comparison know no more.
template <class T>
struct bits_of_atomic {
  static_assert(std::is_trivially_copyable_v<T> && (sizeof(T) == 2 || sizeof(T) == 4 || sizeof(T) == 8),
                "is for values of 2, 4 or 8 bytes on the emulated device");
  using type = std::conditional_t<sizeof(T) == 8, unsigned long long,
                                  std::conditional_t<sizeof(T) == 4, unsigned, unsigned short>>;
};
template <class T>
using atomic_bits = typename bits_of_atomic<T>::type;
template <class T>
EMULATOR_DEVICE atomic_bits<T> as_bits(const T& value) {
  return __builtin_bit_cast(atomic_bits<T>, value);
}
template <class T>
EMULATOR_DEVICE atomic_bits<T> on_bits(atomic_operation operation, const T* address, int order,
                                       atomic_bits<T> value = 0, atomic_bits<T> compare = 0) {
  before_atomic(order);
  const atomic_bits<T> old =
      atomic_on(operation, reinterpret_cast<atomic_bits<T>*>(const_cast<T*>(address)), value, compare);
  after_atomic(order);
  return old;
}
template <class T>
EMULATOR_DEVICE T on_number(atomic_operation operation, T* address, T value, int order) {
  static_assert(std::is_arithmetic_v<T> && (sizeof(T) == 4 || sizeof(T) == 8),
                "arithmetic of atomics is for numbers of 4 or 8 bytes");
  before_atomic(order);
  const T old = atomic_on(operation, address, value);
  after_atomic(order);
  return old;
}

}  // namespace cuda_emulator

template <class T>
EMULATOR_DEVICE T __nv_atomic_load_n(const T* address, int order, int = __NV_THREAD_SCOPE_SYSTEM) {
  using cuda_emulator::atomic_operation;
  constexpr auto nothing = sizeof(T) == 2 ? atomic_operation::compare_and_swap : atomic_operation::bit_or;
  return __builtin_bit_cast(T, cuda_emulator::on_bits(nothing, address, order));
}
template <class T>
EMULATOR_DEVICE void __nv_atomic_load(const T* address, T* result, int order,
                                      int = __NV_THREAD_SCOPE_SYSTEM) {
  *result = __nv_atomic_load_n(address, order);
}
template <class T>
EMULATOR_DEVICE void __nv_atomic_store_n(T* address, std::type_identity_t<T> value, int order,
                                         int = __NV_THREAD_SCOPE_SYSTEM) {
  cuda_emulator::on_bits(cuda_emulator::atomic_operation::exchange, address, order,
                         cuda_emulator::as_bits<T>(value));
}
template <class T>
EMULATOR_DEVICE void __nv_atomic_store(T* address, const T* value, int order,
                                       int = __NV_THREAD_SCOPE_SYSTEM) {
  __nv_atomic_store_n(address, *value, order);
}
template <class T>
EMULATOR_DEVICE T __nv_atomic_exchange_n(T* address, std::type_identity_t<T> value, int order,
                                         int = __NV_THREAD_SCOPE_SYSTEM) {
  return __builtin_bit_cast(T, cuda_emulator::on_bits(cuda_emulator::atomic_operation::exchange, address,
                                                      order, cuda_emulator::as_bits<T>(value)));
}
template <class T>
EMULATOR_DEVICE void __nv_atomic_exchange(T* address, const T* value, T* result, int order,
                                          int = __NV_THREAD_SCOPE_SYSTEM) {
  *result = __nv_atomic_exchange_n(address, *value, order);
}
/// `expected` gets what was there, if that is another value.
template <class T>
EMULATOR_DEVICE bool __nv_atomic_compare_exchange_n(T* address, T* expected, std::type_identity_t<T> value,
                                                    bool, int order, int, int = __NV_THREAD_SCOPE_SYSTEM) {
  const auto wanted = cuda_emulator::as_bits(*expected);
  const auto old = cuda_emulator::on_bits(cuda_emulator::atomic_operation::compare_and_swap, address, order,
                                          cuda_emulator::as_bits<T>(value), wanted);
  if (old == wanted) return true;
  *expected = __builtin_bit_cast(T, old);
  return false;
}
template <class T>
EMULATOR_DEVICE bool __nv_atomic_compare_exchange(T* address, T* expected, const T* value, bool weak,
                                                  int order, int failure, int = __NV_THREAD_SCOPE_SYSTEM) {
  return __nv_atomic_compare_exchange_n(address, expected, *value, weak, order, failure);
}

// With and without the old value.
#define EMULATOR_ORDERED(name, operation, given)                                                           \
  template <class T>                                                                                       \
  EMULATOR_DEVICE T __nv_atomic_fetch_##name(T* address, std::type_identity_t<T> value, int order,         \
                                             int = __NV_THREAD_SCOPE_SYSTEM) {                             \
    return cuda_emulator::on_number<T>(cuda_emulator::atomic_operation::operation, address, given, order); \
  }                                                                                                        \
  template <class T>                                                                                       \
  EMULATOR_DEVICE void __nv_atomic_##name(T* address, std::type_identity_t<T> value, int order,            \
                                          int = __NV_THREAD_SCOPE_SYSTEM) {                                \
    cuda_emulator::on_number<T>(cuda_emulator::atomic_operation::operation, address, given, order);        \
  }
EMULATOR_ORDERED(add, add, value)
EMULATOR_ORDERED(sub, add, static_cast<T>(T() - value))
EMULATOR_ORDERED(min, minimum, value)
EMULATOR_ORDERED(max, maximum, value)
EMULATOR_ORDERED(and, bit_and, value)
EMULATOR_ORDERED(or, bit_or, value)
EMULATOR_ORDERED(xor, bit_xor, value)
#undef EMULATOR_ORDERED

EMULATOR_DEVICE void __nv_atomic_thread_fence(int order, int = __NV_THREAD_SCOPE_SYSTEM) {
  if (order != __NV_ATOMIC_RELAXED) cuda_emulator::fence();
}
