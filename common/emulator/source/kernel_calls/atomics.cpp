// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "emulator/threads/atomics.hpp"

#include <atomic>
#include <bit>

#include "run/worker.hpp"

namespace cuda_emulator {
namespace {

/// CUDA's definitions; what C++ has under the same name agrees with them.
template <class T>
T apply(atomic_operation operation, T old, T value, T compare) {
  switch (operation) {
    case atomic_operation::exchange:
      return value;
    case atomic_operation::minimum:
      return value < old ? value : old;
    case atomic_operation::maximum:
      return value > old ? value : old;
    case atomic_operation::compare_and_swap:
      return old == compare ? value : old;
    default:
      break;
  }
  if constexpr (std::is_floating_point_v<T>) {
    return old + value;
  } else {
    using bits = std::make_unsigned_t<T>;
    const auto a = static_cast<bits>(old), b = static_cast<bits>(value);
    switch (operation) {
      case atomic_operation::add:
        return static_cast<T>(a + b);
      case atomic_operation::bit_and:
        return static_cast<T>(a & b);
      case atomic_operation::bit_or:
        return static_cast<T>(a | b);
      case atomic_operation::bit_xor:
        return static_cast<T>(a ^ b);
      case atomic_operation::increment:
        return a >= b ? T(0) : static_cast<T>(a + 1);
      case atomic_operation::decrement:
        return a == 0 || a > b ? value : static_cast<T>(a - 1);
      default:
        return old;
    }
  }
}

template <class T, class Bits>
std::uint64_t on(atomic_operation operation, void* address, std::uint64_t value, std::uint64_t compare) {
  std::atomic_ref<T> target(*static_cast<T*>(address));
  T old = target.load();
  while (!target.compare_exchange_weak(old, apply(operation, old, std::bit_cast<T>(static_cast<Bits>(value)),
                                                  std::bit_cast<T>(static_cast<Bits>(compare))))) {
  }
  return std::bit_cast<Bits>(old);
}

const char* name_of(atomic_operation operation) {
  switch (operation) {
    case atomic_operation::add:
      return "atomicAdd()";
    case atomic_operation::exchange:
      return "atomicExch()";
    case atomic_operation::minimum:
      return "atomicMin()";
    case atomic_operation::maximum:
      return "atomicMax()";
    case atomic_operation::bit_and:
      return "atomicAnd()";
    case atomic_operation::bit_or:
      return "atomicOr()";
    case atomic_operation::bit_xor:
      return "atomicXor()";
    case atomic_operation::increment:
      return "atomicInc()";
    case atomic_operation::decrement:
      return "atomicDec()";
    case atomic_operation::compare_and_swap:
      return "atomicCAS()";
  }
  return "";
}

unsigned size_of(atomic_type type) {
  switch (type) {
    case atomic_type::int64:
    case atomic_type::uint64:
    case atomic_type::float64:
      return 8;
    case atomic_type::uint16:
      return 2;
    default:
      return 4;
  }
}

std::uint64_t applied(atomic_operation operation, atomic_type type, void* address, std::uint64_t value,
                      std::uint64_t compare) {
  switch (type) {
    case atomic_type::int32:
      return on<std::int32_t, std::uint32_t>(operation, address, value, compare);
    case atomic_type::uint32:
      return on<std::uint32_t, std::uint32_t>(operation, address, value, compare);
    case atomic_type::int64:
      return on<std::int64_t, std::uint64_t>(operation, address, value, compare);
    case atomic_type::uint64:
      return on<std::uint64_t, std::uint64_t>(operation, address, value, compare);
    case atomic_type::float32:
      return on<float, std::uint32_t>(operation, address, value, compare);
    case atomic_type::float64:
      return on<double, std::uint64_t>(operation, address, value, compare);
    case atomic_type::uint16:
      break;
  }
  return on<std::uint16_t, std::uint16_t>(operation, address, value, compare);
}

}  // namespace

std::uint64_t atomic(atomic_operation operation, atomic_type type, void* address, std::uint64_t value,
                     std::uint64_t compare) {
  // A thread that tries again and again (a lock) waits for another thread of its block: let that one run.
  if (current_worker != nullptr) {
    const bool may_wait = value == 0 || operation == atomic_operation::compare_and_swap ||
                          operation == atomic_operation::exchange;
    current_worker->look_at_flag(may_wait ? address : nullptr);
  }
  if (current_worker != nullptr && ++current_worker->atomics_in_a_row >= 4096) {
    current_worker->atomics_in_a_row = 0;
    current_worker->yield();
  }
  if (current_observer != nullptr) {
    const auto pc = reinterpret_cast<std::uint64_t>(__builtin_return_address(0));
    const access_kind kind =
        operation == atomic_operation::compare_and_swap ? access_kind::swap : access_kind::atomic;
    if (current_observer->observe(address, size_of(type), kind, pc, 0,
                                  operation != atomic_operation::exchange))
      current_worker->pause();
  }
  const std::uint64_t old = applied(operation, type, address, value, compare);
  if (current_observer != nullptr) current_observer->note_atomic(name_of(operation), old, size_of(type));
  return old;
}

}  // namespace cuda_emulator
