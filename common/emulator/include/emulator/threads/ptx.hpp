// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// What inline PTX is translated to. Registers are unsigned integers of their width, whatever is in them, and
// predicates are bool.
#pragma once

#include <cstdint>
#include <type_traits>

#include "atomics.hpp"
#include "device_launch_parameters.h"
#include "emulator/export.hpp"
#include "ptx_operations.hpp"
#include "synchronization.hpp"

namespace cuda_emulator::ptx {

/// What the instruction (ptx_operations.hpp) makes of its operands.
EMULATOR_API std::uint64_t calculate(std::uint64_t code, std::uint64_t a, std::uint64_t b = 0,
                                     std::uint64_t c = 0, std::uint64_t d = 0);

/// Up to 16 bytes, as they lie in memory.
struct bytes {
  std::uint64_t low, high;
};
EMULATOR_NO_MERGE EMULATOR_API bytes load(space where, strength how, std::uint64_t address, unsigned size);
EMULATOR_NO_MERGE EMULATOR_API void store(space where, strength how, std::uint64_t address, unsigned size,
                                          std::uint64_t low, std::uint64_t high = 0);
/// The pointer that an address means; ends the launch with a finding if it is none of that space.
EMULATOR_NO_MERGE EMULATOR_API void* pointer(space where, std::uint64_t address);
/// The address of what a generic pointer points to, as ld.shared and so on take it.
EMULATOR_NO_MERGE EMULATOR_API std::uint64_t address_in(space where, const void* pointer);

/// cp.async: the bytes land when the thread waits for them. Of `size` bytes `from_source` are copied, and the
/// others are zero.
EMULATOR_NO_MERGE EMULATOR_API void copy_async(std::uint64_t to_shared, std::uint64_t from_global,
                                               unsigned size, unsigned from_source);
/// The same with pointers: the last `zeros` bytes of `size` become zero.
EMULATOR_NO_MERGE EMULATOR_API void copy_async(void* to, const void* from, std::size_t size,
                                               std::size_t zeros);
/// Of 1, 2, 4, 8 or 16 bytes, of a larger copy.
EMULATOR_NO_MERGE EMULATOR_API void copy_async_piece(void* to, const void* from, unsigned size);
EMULATOR_API void commit_copies();
/// Until at most so many groups are under way.
EMULATOR_NO_MERGE EMULATOR_API void wait_for_copies(unsigned groups_left);
/// Also those that belong to no group.
EMULATOR_NO_MERGE EMULATOR_API void wait_for_all_copies();

/// Barriers in shared memory, 8 bytes each: mbarrier, cuda::barrier.
EMULATOR_NO_MERGE EMULATOR_API void barrier_init(void* barrier, std::uint32_t count);
EMULATOR_NO_MERGE EMULATOR_API void barrier_invalidate(void* barrier);
/// `bytes` more are expected in this phase. With `drops`, so many arrivals fewer in later ones. Whoever
/// completes a phase calls `completion`. Returns a token for barrier_wait().
EMULATOR_NO_MERGE EMULATOR_API std::uint64_t barrier_arrive(void* barrier, std::uint32_t count = 1,
                                                            std::uint32_t bytes = 0, bool drops = false,
                                                            void (*completion)(void*) = nullptr,
                                                            void* argument = nullptr);
EMULATOR_NO_MERGE EMULATOR_API void barrier_expect_bytes(void* barrier, std::uint32_t bytes);
/// The barrier tracks the copies of this thread that are under way: they arrive there when they land. That is
/// one of the arrivals that it expects, or one more.
EMULATOR_NO_MERGE EMULATOR_API void barrier_follow_copies(void* barrier, bool adds_arrival);
/// Whether the phase of the token, or the one of this parity, is complete. Waits for that, unless only one
/// attempt is to be made: then it gives up where no other thread can go on.
EMULATOR_NO_MERGE EMULATOR_API bool barrier_wait(const void* barrier, std::uint64_t token,
                                                 bool until_complete);
EMULATOR_NO_MERGE EMULATOR_API bool barrier_wait_parity(const void* barrier, std::uint32_t parity,
                                                        bool until_complete);

/// cp.async.bulk: to shared memory with a barrier that expects the bytes; to global memory in groups.
EMULATOR_NO_MERGE EMULATOR_API void copy_bulk_to_shared(void* to, const void* from, std::uint32_t size,
                                                        void* barrier);
/// cp.async.bulk.tensor.2d: the box of the tensor map that begins at column x and row y, with zeros where it
/// leaves the plane.
EMULATOR_NO_MERGE EMULATOR_API void copy_tile_to_shared(void* to, const void* map, int x, int y,
                                                        void* barrier);
EMULATOR_NO_MERGE EMULATOR_API void copy_bulk_to_global(void* to, const void* from, std::uint32_t size);
EMULATOR_API void commit_bulk_copies();
EMULATOR_NO_MERGE EMULATOR_API void wait_for_bulk_copies(unsigned groups_left, bool only_reads);

struct matrix_operands {
  std::uint64_t shape;  // matrix_shape
  std::uint64_t a[8], b[4], c[4], d[4];
};
EMULATOR_NO_MERGE EMULATOR_API void multiply(matrix_operands& operands);
/// `count` matrices of 8 x 8 elements of 16 bits.
EMULATOR_NO_MERGE EMULATOR_API bytes load_matrix(space where, unsigned count, bool transposed,
                                                 std::uint64_t row);
EMULATOR_NO_MERGE EMULATOR_API void store_matrix(space where, unsigned count, bool transposed,
                                                 std::uint64_t row, std::uint64_t low, std::uint64_t high);
/// One element of one kind of number in a fragment; the runtime multiplies these.
struct fragment_element {
  std::uint8_t row, column;
  double value;
};
/// What a lane brings to mma_sync, and takes away.
struct fragment_product {
  int m, n, k, factors_a, factors_b, sums;
  fragment_element a[16], b[16], c[8];
  sum type;  // of the result
  bool saturates;
  bool writes_a, writes_b;  // the lane has written elements of the fragment itself
  std::uint64_t d[8];       // bits
};
EMULATOR_NO_MERGE EMULATOR_API void multiply_fragments(fragment_product& product);
/// All lanes come, with the same pointer and the same distance of rows; both are multiples of what wmma asks
/// for.
EMULATOR_NO_MERGE EMULATOR_API void check_fragment(const char* function, const void* pointer,
                                                   unsigned distance, unsigned element_size);

/// bar.sync with a number of threads: only all of them.
EMULATOR_NO_MERGE EMULATOR_API void check_barrier(std::uint64_t number, std::uint64_t threads);

/// Whether an operand of this type can stand behind a constraint for registers of so many bits.
template <class T, int bits, bool real>
constexpr bool fits = sizeof(T) * 8 == bits &&
                      (real ? std::is_floating_point_v<T>
                            : std::is_integral_v<T> || std::is_enum_v<T> || std::is_pointer_v<T>);

// Where the sizes differ, an error has been given already.
template <class R, class T>
EMULATOR_DEVICE R in(T value) {
  if constexpr (sizeof(R) == sizeof(T))
    return __builtin_bit_cast(R, value);
  else
    return R();
}
template <class T, class R>
EMULATOR_DEVICE void out(T& target, R value) {
  if constexpr (sizeof(R) == sizeof(T)) target = __builtin_bit_cast(std::remove_cv_t<T>, value);
}

/// Where a lane of a shuffle reads, and whether that is within its segment: PTX's own definition.
template <warp_operation operation>
EMULATOR_DEVICE bool reaches(unsigned distance, unsigned c) {
  const int lane = static_cast<int>(lane_index()), segment = static_cast<int>(c >> 8 & 31),
            most = (lane & segment) | (static_cast<int>(c & 31) & ~segment),
            b = static_cast<int>(distance & 31);
  if constexpr (operation == warp_operation::shuffle_up) return lane - b >= most;
  if constexpr (operation == warp_operation::shuffle_down) return lane + b <= most;
  if constexpr (operation == warp_operation::shuffle_xor) return (lane ^ b) <= most;
  return ((lane & segment) | (b & ~segment)) <= most;
}

EMULATOR_DEVICE unsigned linear_thread() {
  return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}
EMULATOR_DEVICE unsigned multiprocessor() {  // of the 132 of an H200
  return (blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z)) % 132;
}

}  // namespace cuda_emulator::ptx

EMULATOR_DEVICE std::size_t __cvta_generic_to_shared(const void* pointer) {
  return cuda_emulator::ptx::address_in(cuda_emulator::ptx::space::shared, pointer);
}
EMULATOR_DEVICE std::size_t __cvta_generic_to_global(const void* pointer) {
  return cuda_emulator::ptx::address_in(cuda_emulator::ptx::space::global, pointer);
}
EMULATOR_DEVICE std::size_t __cvta_generic_to_constant(const void* pointer) {
  return cuda_emulator::ptx::address_in(cuda_emulator::ptx::space::constant, pointer);
}
EMULATOR_DEVICE void* __cvta_shared_to_generic(std::size_t address) {
  return cuda_emulator::ptx::pointer(cuda_emulator::ptx::space::shared, address);
}
EMULATOR_DEVICE void* __cvta_global_to_generic(std::size_t address) {
  return cuda_emulator::ptx::pointer(cuda_emulator::ptx::space::global, address);
}
EMULATOR_DEVICE void* __cvta_constant_to_generic(std::size_t address) {
  return cuda_emulator::ptx::pointer(cuda_emulator::ptx::space::constant, address);
}
