// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// A fixed list of launches whose counts are held against each other: computed by hand, counted by the
// emulated device and measured by Nsight Compute on a GPU.
#pragma once

#include <cstddef>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "common/device/device_memory.hpp"
#include "common/verify/inputs.hpp"

namespace tutorial {

struct count_entry {
  std::string name;    ///< Unique: what is accessed and how, as the tables show it.
  std::string kernel;  ///< The kernel's name as in the source, without template arguments.
  /// Prepares by copies alone, launches this one kernel, once, and compares its result with the host's: an
  /// empty text if it is right, what is wrong otherwise. Libraries may launch theirs in between: nobody
  /// counts those.
  std::function<std::string()> run;
  std::vector<std::string> further_kernels = {};  ///< Launched after it, in this order.
};

/// All of them, always in the same order.
std::vector<count_entry> count_entries();

// The parts of the list.
std::vector<count_entry> chapter_entries();  ///< Kernels of chapters 00 and 02, by their public functions.
/// Likewise those of chapters 03 to 07, but not cuFFT's and Thrust's between them. What they count is held
/// against formulas by the checks of their chapters.
std::vector<count_entry> ladder_entries();
std::vector<count_entry> dct_entries();    ///< Kernels of chapter 08, likewise.
std::vector<count_entry> codec_entries();  ///< Kernels of chapter 09, likewise.
std::vector<count_entry> bits_entries();   ///< Kernels of chapter 10, likewise.
/// Kernels of chapters 11 and 12, likewise; asynchronous copies are loads.
std::vector<count_entry> flight_entries();
/// Kernels of chapters 13 and 15, likewise; of the latter those that one device can run by itself.
std::vector<count_entry> one_pass_entries();
std::vector<count_entry> matrix_entries();  ///< Kernels of chapter 14, likewise.
std::vector<count_entry> global_entries();  ///< Ways to go through global memory.
std::vector<count_entry> shared_entries();  ///< Ways to go through shared memory.
std::vector<count_entry> other_entries();   ///< Constant and local memory, shuffles, atomics.
std::vector<count_entry> async_entries();   ///< Copies that go on while the threads do.

/// `count` elements made of small whole numbers, so that sums are exact in any order. T is a Scalar or a
/// struct of nothing but Scalars.
template <class T, class Scalar = T>
std::vector<T> small_values(std::size_t count, std::uint64_t seed = 1) {
  std::vector<T> values(count);
  constexpr std::size_t scalars = sizeof(T) / sizeof(Scalar);
  for (std::size_t i = 0; i < count * scalars; ++i) {
    const auto value = static_cast<Scalar>(static_cast<int>(random_bits(seed, i) % 17) - 8);
    std::memcpy(reinterpret_cast<char*>(values.data()) + i * sizeof(Scalar), &value, sizeof(Scalar));
  }
  return values;
}

/// An output before its kernel: nothing that a kernel here writes. A copy, because a cudaMemset would be
/// another launch on some devices.
template <class T>
std::vector<T> unwritten(std::size_t count) {
  std::vector<T> values(count);
  std::memset(static_cast<void*>(values.data()), 0xA5, count * sizeof(T));
  return values;
}

/// Empty if both are equal bit by bit, else which element is the first that differs.
template <class T>
std::string difference(const std::vector<T>& actual, const std::vector<T>& expected) {
  if (actual.size() != expected.size()) return "the lengths differ";
  for (std::size_t i = 0; i < actual.size(); ++i)
    if (std::memcmp(&actual[i], &expected[i], sizeof(T)) != 0)
      return "element " + std::to_string(i) + " of " + std::to_string(actual.size()) + " is wrong";
  return {};
}
template <class T>
std::string difference(const device_buffer<T>& actual, const std::vector<T>& expected) {
  return difference(actual.to_host(), expected);
}

}  // namespace tutorial
