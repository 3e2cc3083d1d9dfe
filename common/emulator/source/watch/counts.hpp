// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
/// \file
/// What a block or a launch did, in numbers.
#pragma once

#include <cstdint>

namespace cuda_emulator {

/// Texture fetches are remembered, for the order of things and for traces, and not counted: what is counted
/// "by space" has the first three.
enum class space : std::uint8_t { global, shared, constant, texture };

/// Without names.
struct count_totals {
  std::uint64_t loads[3] = {}, load_bytes[3] = {}, stores[3] = {}, store_bytes[3] = {};  // by space
  std::uint64_t load_requests[3] = {}, store_requests[3] = {};
  std::uint64_t load_parts[3] = {}, store_parts[3] = {};  // sectors, wavefronts, distinct addresses
  std::uint64_t texture_fetches = 0;
  std::uint64_t barriers = 0;
  void add(const count_totals& other);
};

}  // namespace cuda_emulator
