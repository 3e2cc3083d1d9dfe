// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Atomic functions for all types that CUDA has, with their _block and _system forms.
#pragma once

#include <cstdint>
#include <type_traits>

#include "emulator/export.hpp"

namespace cuda_emulator {

enum class atomic_operation : std::uint8_t {
  add,
  exchange,
  minimum,
  maximum,
  bit_and,
  bit_or,
  bit_xor,
  increment,
  decrement,
  compare_and_swap
};
enum class atomic_type : std::uint8_t { int32, uint32, int64, uint64, float32, float64, uint16 };

/// Does the operation on the value at `address` and returns the old one; both as bits.
EMULATOR_API std::uint64_t atomic(atomic_operation operation, atomic_type type, void* address,
                                  std::uint64_t value, std::uint64_t compare = 0);

template <class T>
consteval atomic_type atomic_type_of() {
  if constexpr (std::is_same_v<T, float>)
    return atomic_type::float32;
  else if constexpr (std::is_same_v<T, double>)
    return atomic_type::float64;
  else if constexpr (sizeof(T) == 8)
    return std::is_signed_v<T> ? atomic_type::int64 : atomic_type::uint64;
  else if constexpr (sizeof(T) == 4)
    return std::is_signed_v<T> ? atomic_type::int32 : atomic_type::uint32;
  else
    return atomic_type::uint16;
}

template <class T>
EMULATOR_DEVICE T atomic_on(atomic_operation operation, T* address, T value, T compare = T()) {
  if constexpr (sizeof(T) == 8) {
    return __builtin_bit_cast(
        T, atomic(operation, atomic_type_of<T>(), address, __builtin_bit_cast(std::uint64_t, value),
                  __builtin_bit_cast(std::uint64_t, compare)));
  } else if constexpr (sizeof(T) == 4) {
    return __builtin_bit_cast(T,
                              static_cast<std::uint32_t>(atomic(operation, atomic_type_of<T>(), address,
                                                                __builtin_bit_cast(std::uint32_t, value),
                                                                __builtin_bit_cast(std::uint32_t, compare))));
  } else {
    return static_cast<T>(atomic(operation, atomic_type_of<T>(), address, value, compare));
  }
}

}  // namespace cuda_emulator

#define EMULATOR_ATOMIC(name, operation, T)                                                      \
  EMULATOR_DEVICE T name(T* address, T value) {                                                  \
    return cuda_emulator::atomic_on(cuda_emulator::atomic_operation::operation, address, value); \
  }
#define EMULATOR_ATOMIC_ALL(name, operation, T) \
  EMULATOR_ATOMIC(name, operation, T)           \
  EMULATOR_ATOMIC(name##_block, operation, T)   \
  EMULATOR_ATOMIC(name##_system, operation, T)
#define EMULATOR_ATOMIC_CAS(name, T)                                                                   \
  EMULATOR_DEVICE T name(T* address, T compare, T value) {                                             \
    return cuda_emulator::atomic_on(cuda_emulator::atomic_operation::compare_and_swap, address, value, \
                                    compare);                                                          \
  }
EMULATOR_ATOMIC_ALL(atomicAdd, add, int)
EMULATOR_ATOMIC_ALL(atomicAdd, add, unsigned int)
EMULATOR_ATOMIC_ALL(atomicAdd, add, unsigned long long)
EMULATOR_ATOMIC_ALL(atomicAdd, add, float)
EMULATOR_ATOMIC_ALL(atomicAdd, add, double)
EMULATOR_DEVICE int atomicSub(int* address, int value) {
  return atomicAdd(address, static_cast<int>(0u - static_cast<unsigned>(value)));
}
EMULATOR_DEVICE int atomicSub_block(int* address, int value) {
  return atomicAdd_block(address, static_cast<int>(0u - static_cast<unsigned>(value)));
}
EMULATOR_DEVICE int atomicSub_system(int* address, int value) {
  return atomicAdd_system(address, static_cast<int>(0u - static_cast<unsigned>(value)));
}
EMULATOR_DEVICE unsigned int atomicSub(unsigned int* address, unsigned int value) {
  return atomicAdd(address, 0u - value);
}
EMULATOR_DEVICE unsigned int atomicSub_block(unsigned int* address, unsigned int value) {
  return atomicAdd_block(address, 0u - value);
}
EMULATOR_DEVICE unsigned int atomicSub_system(unsigned int* address, unsigned int value) {
  return atomicAdd_system(address, 0u - value);
}
EMULATOR_ATOMIC_ALL(atomicExch, exchange, int)
EMULATOR_ATOMIC_ALL(atomicExch, exchange, unsigned int)
EMULATOR_ATOMIC_ALL(atomicExch, exchange, unsigned long long)
EMULATOR_ATOMIC_ALL(atomicExch, exchange, float)
EMULATOR_ATOMIC_ALL(atomicMin, minimum, int)
EMULATOR_ATOMIC_ALL(atomicMin, minimum, unsigned int)
EMULATOR_ATOMIC_ALL(atomicMin, minimum, unsigned long long)
EMULATOR_ATOMIC_ALL(atomicMin, minimum, long long)
EMULATOR_ATOMIC_ALL(atomicMax, maximum, int)
EMULATOR_ATOMIC_ALL(atomicMax, maximum, unsigned int)
EMULATOR_ATOMIC_ALL(atomicMax, maximum, unsigned long long)
EMULATOR_ATOMIC_ALL(atomicMax, maximum, long long)
EMULATOR_ATOMIC_ALL(atomicInc, increment, unsigned int)
EMULATOR_ATOMIC_ALL(atomicDec, decrement, unsigned int)
EMULATOR_ATOMIC_ALL(atomicAnd, bit_and, int)
EMULATOR_ATOMIC_ALL(atomicAnd, bit_and, unsigned int)
EMULATOR_ATOMIC_ALL(atomicAnd, bit_and, unsigned long long)
EMULATOR_ATOMIC_ALL(atomicAnd, bit_and, long long)
EMULATOR_ATOMIC_ALL(atomicOr, bit_or, int)
EMULATOR_ATOMIC_ALL(atomicOr, bit_or, unsigned int)
EMULATOR_ATOMIC_ALL(atomicOr, bit_or, unsigned long long)
EMULATOR_ATOMIC_ALL(atomicOr, bit_or, long long)
EMULATOR_ATOMIC_ALL(atomicXor, bit_xor, int)
EMULATOR_ATOMIC_ALL(atomicXor, bit_xor, unsigned int)
EMULATOR_ATOMIC_ALL(atomicXor, bit_xor, unsigned long long)
EMULATOR_ATOMIC_ALL(atomicXor, bit_xor, long long)
EMULATOR_ATOMIC_CAS(atomicCAS, int)
EMULATOR_ATOMIC_CAS(atomicCAS, unsigned int)
EMULATOR_ATOMIC_CAS(atomicCAS, unsigned long long)
EMULATOR_ATOMIC_CAS(atomicCAS, unsigned short)
EMULATOR_ATOMIC_CAS(atomicCAS_block, int)
EMULATOR_ATOMIC_CAS(atomicCAS_block, unsigned int)
EMULATOR_ATOMIC_CAS(atomicCAS_block, unsigned long long)
EMULATOR_ATOMIC_CAS(atomicCAS_block, unsigned short)
EMULATOR_ATOMIC_CAS(atomicCAS_system, int)
EMULATOR_ATOMIC_CAS(atomicCAS_system, unsigned int)
EMULATOR_ATOMIC_CAS(atomicCAS_system, unsigned long long)
EMULATOR_ATOMIC_CAS(atomicCAS_system, unsigned short)
#undef EMULATOR_ATOMIC
#undef EMULATOR_ATOMIC_ALL
#undef EMULATOR_ATOMIC_CAS
