// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Barriers, what the lanes of a warp do together, fences and clocks.
#pragma once

#include <cstdint>
#include <source_location>
#include <type_traits>

#include "emulator/export.hpp"

namespace cuda_emulator {

enum class block_vote { none, count, all, any };
EMULATOR_NO_MERGE EMULATOR_API int block_barrier(block_vote vote, int predicate);

enum class warp_operation : std::uint8_t {
  synchronize,
  shuffle,
  shuffle_up,
  shuffle_down,
  shuffle_xor,
  ballot,
  all,
  any,
  match_any,
  match_all,
  add,
  minimum_unsigned,
  minimum_signed,
  maximum_unsigned,
  maximum_signed,
  bit_and,
  bit_or,
  bit_xor,
  active,
  together  // does what the lanes bring (warp_work), and needs all 32
};
/// Waits until every lane of `mask` that has not exited has called this with the same operation and mask.
/// `value`: what this lane gives; `parameter`: lane or distance of a shuffle; `width`: of its segments;
/// `column`: where in its line the call stands.
EMULATOR_NO_MERGE EMULATOR_API std::uint64_t warp_collective(warp_operation operation, unsigned mask,
                                                             std::uint64_t value, int parameter = 0,
                                                             int width = 32, unsigned column = 0);
/// Waits for the threads of a tile of `size` threads, a multiple of 32, and takes what they bring: `bytes`
/// from the thread that is number `source` in the tile, or, with a source of -1, from the first lane of each
/// warp, one behind the other.
EMULATOR_NO_MERGE EMULATOR_API void tile_exchange(unsigned size, const void* give = nullptr,
                                                  void* take = nullptr, unsigned bytes = 0, int source = 0);
/// Ends the thread with a finding at the line of the kernel.
EMULATOR_API void refuse_in_kernel(const char* what, const char* cause);
/// Waits for all threads of the grid.
EMULATOR_NO_MERGE EMULATOR_API void grid_barrier();
EMULATOR_API bool is_cooperative_launch();
EMULATOR_API unsigned lane_index();
EMULATOR_API void fence();
EMULATOR_API long long clock_now();
EMULATOR_API void pause_thread(unsigned nanoseconds);
[[noreturn]] EMULATOR_API void trap_thread();
/// Ends the launch with a finding: what this thread does cannot be done. `why` is the title of the message.
[[noreturn]] EMULATOR_API void stop_thread(const char* why, const char* cause);
/// False: ends the launch with a finding; outside of kernels nothing is known any more.
EMULATOR_API void assume(bool holds);

enum class address_space : std::uint8_t { global, shared, constant, local };
EMULATOR_API address_space address_space_of(const void* address);

/// Values travel as 64 bits; larger ones (vectors) are not shuffled by CUDA either.
template <class T>
EMULATOR_DEVICE std::uint64_t to_bits(T value) {
  static_assert(sizeof(T) <= 8);
  if constexpr (requires { typename T::emulator_raw; })  // a pair of small floating-point numbers
    return to_bits(static_cast<typename T::emulator_raw>(value));
  else if constexpr (sizeof(T) == 8)
    return __builtin_bit_cast(std::uint64_t, value);
  else if constexpr (sizeof(T) == 4)
    return __builtin_bit_cast(std::uint32_t, value);
  else if constexpr (sizeof(T) == 2)
    return __builtin_bit_cast(std::uint16_t, value);
  else
    return __builtin_bit_cast(std::uint8_t, value);
}
template <class T>
EMULATOR_DEVICE T from_bits(std::uint64_t bits) {
  if constexpr (requires { typename T::emulator_raw; })
    return T(from_bits<typename T::emulator_raw>(bits));
  else if constexpr (sizeof(T) == 8)
    return __builtin_bit_cast(T, bits);
  else if constexpr (sizeof(T) == 4)
    return __builtin_bit_cast(T, static_cast<std::uint32_t>(bits));
  else if constexpr (sizeof(T) == 2)
    return __builtin_bit_cast(T, static_cast<std::uint16_t>(bits));
  else
    return __builtin_bit_cast(T, static_cast<std::uint8_t>(bits));
}

}  // namespace cuda_emulator

// As the default value of a parameter: where the caller stands in its line. Two shuffles on one line are two
// places, but one shuffle that the compiler has doubled (a loop that is peeled, say) is one. Debug
// information would know the column, too, but libbacktrace does not tell it.
#ifdef __clang__
#define EMULATOR_COLUMN __builtin_COLUMN()
#else
#define EMULATOR_COLUMN ::std::source_location::current().column()
#endif

EMULATOR_DEVICE void __syncthreads() { cuda_emulator::block_barrier(cuda_emulator::block_vote::none, 0); }
EMULATOR_DEVICE int __syncthreads_count(int p) {
  return cuda_emulator::block_barrier(cuda_emulator::block_vote::count, p);
}
EMULATOR_DEVICE int __syncthreads_and(int p) {
  return cuda_emulator::block_barrier(cuda_emulator::block_vote::all, p);
}
EMULATOR_DEVICE int __syncthreads_or(int p) {
  return cuda_emulator::block_barrier(cuda_emulator::block_vote::any, p);
}

EMULATOR_DEVICE void __syncwarp(unsigned mask = 0xffffffffu) {
  cuda_emulator::warp_collective(cuda_emulator::warp_operation::synchronize, mask, 0);
}
template <class T>
EMULATOR_DEVICE T __shfl_sync(unsigned mask, T value, int lane, int width = 32,
                              unsigned column = EMULATOR_COLUMN) {
  return cuda_emulator::from_bits<T>(cuda_emulator::warp_collective(
      cuda_emulator::warp_operation::shuffle, mask, cuda_emulator::to_bits(value), lane, width, column));
}
template <class T>
EMULATOR_DEVICE T __shfl_up_sync(unsigned mask, T value, unsigned delta, int width = 32,
                                 unsigned column = EMULATOR_COLUMN) {
  return cuda_emulator::from_bits<T>(cuda_emulator::warp_collective(cuda_emulator::warp_operation::shuffle_up,
                                                                    mask, cuda_emulator::to_bits(value),
                                                                    static_cast<int>(delta), width, column));
}
template <class T>
EMULATOR_DEVICE T __shfl_down_sync(unsigned mask, T value, unsigned delta, int width = 32,
                                   unsigned column = EMULATOR_COLUMN) {
  return cuda_emulator::from_bits<T>(
      cuda_emulator::warp_collective(cuda_emulator::warp_operation::shuffle_down, mask,
                                     cuda_emulator::to_bits(value), static_cast<int>(delta), width, column));
}
template <class T>
EMULATOR_DEVICE T __shfl_xor_sync(unsigned mask, T value, int lane_mask, int width = 32,
                                  unsigned column = EMULATOR_COLUMN) {
  return cuda_emulator::from_bits<T>(
      cuda_emulator::warp_collective(cuda_emulator::warp_operation::shuffle_xor, mask,
                                     cuda_emulator::to_bits(value), lane_mask, width, column));
}
EMULATOR_DEVICE unsigned __ballot_sync(unsigned mask, int predicate) {
  return static_cast<unsigned>(
      cuda_emulator::warp_collective(cuda_emulator::warp_operation::ballot, mask, predicate != 0));
}
EMULATOR_DEVICE int __all_sync(unsigned mask, int predicate) {
  return static_cast<int>(
      cuda_emulator::warp_collective(cuda_emulator::warp_operation::all, mask, predicate != 0));
}
EMULATOR_DEVICE int __any_sync(unsigned mask, int predicate) {
  return static_cast<int>(
      cuda_emulator::warp_collective(cuda_emulator::warp_operation::any, mask, predicate != 0));
}
EMULATOR_DEVICE unsigned __activemask() {
  return static_cast<unsigned>(
      cuda_emulator::warp_collective(cuda_emulator::warp_operation::active, 0xffffffffu, 0));
}
template <class T>
EMULATOR_DEVICE unsigned __match_any_sync(unsigned mask, T value) {
  return static_cast<unsigned>(cuda_emulator::warp_collective(cuda_emulator::warp_operation::match_any, mask,
                                                              cuda_emulator::to_bits(value)));
}
template <class T>
EMULATOR_DEVICE unsigned __match_all_sync(unsigned mask, T value, int* all_equal) {
  const unsigned equal = static_cast<unsigned>(cuda_emulator::warp_collective(
      cuda_emulator::warp_operation::match_all, mask, cuda_emulator::to_bits(value)));
  *all_equal = equal != 0;
  return equal;
}
#define EMULATOR_REDUCE(name, T, operation)                                                              \
  EMULATOR_DEVICE T __reduce_##name##_sync(unsigned mask, T value) {                                     \
    return static_cast<T>(cuda_emulator::warp_collective(cuda_emulator::warp_operation::operation, mask, \
                                                         cuda_emulator::to_bits(value)));                \
  }
EMULATOR_REDUCE(add, unsigned, add)
EMULATOR_REDUCE(add, int, add)
EMULATOR_REDUCE(min, unsigned, minimum_unsigned)
EMULATOR_REDUCE(min, int, minimum_signed)
EMULATOR_REDUCE(max, unsigned, maximum_unsigned)
EMULATOR_REDUCE(max, int, maximum_signed)
EMULATOR_REDUCE(and, unsigned, bit_and)
EMULATOR_REDUCE(or, unsigned, bit_or)
EMULATOR_REDUCE(xor, unsigned, bit_xor)
#undef EMULATOR_REDUCE
#undef EMULATOR_COLUMN

EMULATOR_DEVICE void __threadfence() { cuda_emulator::fence(); }
EMULATOR_DEVICE void __threadfence_block() { cuda_emulator::fence(); }
EMULATOR_DEVICE void __threadfence_system() { cuda_emulator::fence(); }

EMULATOR_DEVICE long long clock64() { return cuda_emulator::clock_now(); }
EMULATOR_DEVICE void __nanosleep(unsigned nanoseconds) { cuda_emulator::pause_thread(nanoseconds); }
EMULATOR_DEVICE void __trap() { cuda_emulator::trap_thread(); }
EMULATOR_DEVICE void __brkpt() { cuda_emulator::trap_thread(); }
EMULATOR_DEVICE void __prof_trigger(int) {}

EMULATOR_DEVICE unsigned __isGlobal(const void* address) {
  return cuda_emulator::address_space_of(address) == cuda_emulator::address_space::global;
}
EMULATOR_DEVICE unsigned __isShared(const void* address) {
  return cuda_emulator::address_space_of(address) == cuda_emulator::address_space::shared;
}
EMULATOR_DEVICE unsigned __isConstant(const void* address) {
  return cuda_emulator::address_space_of(address) == cuda_emulator::address_space::constant;
}
EMULATOR_DEVICE unsigned __isLocal(const void* address) {
  return cuda_emulator::address_space_of(address) == cuda_emulator::address_space::local;
}

// A promise to the compiler, which here is held to it.
#define __builtin_assume(condition) cuda_emulator::assume(static_cast<bool>(condition))
#define __assume(condition) cuda_emulator::assume(static_cast<bool>(condition))
