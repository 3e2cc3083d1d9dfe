// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <type_traits>

namespace cuda {

/// A number of bytes or elements, with a promise that pointers and sizes are multiples of `Alignment` bytes.
template <::std::size_t Alignment>
struct aligned_size_t {
  ::std::size_t value;
  static constexpr ::std::size_t align = Alignment;
  constexpr explicit aligned_size_t(::std::size_t size) : value(size) {}
  constexpr operator ::std::size_t() const { return value; }
};

enum thread_scope { thread_scope_system, thread_scope_device, thread_scope_block, thread_scope_thread };

/// How a copy completes.
enum class async_contract_fulfillment { none, async };

}  // namespace cuda

namespace cuda_emulator {

/// Also CUDA's vectors, which have an assignment of their own in kernel files.
template <class T>
constexpr bool is_copied_as_bytes =
    std::is_trivially_copy_constructible_v<T>&& std::is_trivially_destructible_v<T>;

}  // namespace cuda_emulator
