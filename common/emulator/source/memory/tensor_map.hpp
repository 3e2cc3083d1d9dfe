// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// What is in a CUtensorMap here.
#pragma once

#include <cstdint>

namespace cuda_emulator {

/// A plane in global memory, and the box that a copy takes of it.
struct tensor_map {
  static constexpr std::uint64_t known = 0x70616d5f656c6974;

  std::uint64_t mark;  ///< `known`
  const char* begin;
  std::int64_t size[2];  ///< Columns and rows; the last are the outer ones.
  std::int64_t pitch;    ///< Bytes from row to row.
  std::int64_t box[2];
  std::int64_t element_bytes;

  /// Null: nobody has filled it in.
  static const tensor_map* in(const void* map) {
    const auto* const result = static_cast<const tensor_map*>(map);
    return map != nullptr && result->mark == known ? result : nullptr;
  }
};
static_assert(sizeof(tensor_map) <= 128);

}  // namespace cuda_emulator
