// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
/// \file
/// Counting what the lanes of a warp ask for together.
#pragma once

#include <cstdint>
#include <vector>

#include "emulator/counts.hpp"
#include "sites.hpp"

namespace cuda_emulator {

enum class space : std::uint8_t { global, shared, constant };

/// What a block or a launch did, without names.
struct count_totals {
  std::uint64_t loads[3] = {}, load_bytes[3] = {}, stores[3] = {}, store_bytes[3] = {};  // by space
  std::uint64_t load_requests[3] = {}, store_requests[3] = {};
  std::uint64_t load_parts[3] = {}, store_parts[3] = {};  // sectors, wavefronts, distinct addresses
  std::uint64_t barriers = 0;
  void add(const count_totals& other);
};

/// Remembers the accesses of the warp that runs, lane by lane. Lanes that are at the same place for the n-th time since
/// the warp last came together access memory together: that is one request.
class warp_trace {
 public:
  /// A lane that has remembered this many must wait until the others of its warp have caught up.
  static constexpr std::size_t most_per_lane = 4096;

  /// True when the lane has remembered as much as it may.
  bool add(int lane, space where, std::uint64_t address, std::uint16_t site) {
    auto& lane_trace = lanes_[lane];
    lane_trace.push_back(address << 18 | static_cast<std::uint64_t>(where) << 16 | site);
    return lane_trace.size() >= most_per_lane;
  }
  /// The lanes have come together: turns what they remember into requests.
  void fold(count_totals& totals);
  void forget();

 private:
  struct request {
    std::uint32_t lanes = 0;
    std::uint64_t addresses[32];  // of the lanes that take part

    request() {}  // NOLINT: leaves the addresses as they are
  };
  struct group {
    std::uint32_t key = 0;
    std::vector<request> requests;
  };
  static constexpr std::size_t keys = 1 << 18;
  static std::uint16_t site_of(std::uint64_t entry) { return static_cast<std::uint16_t>(entry); }
  static std::uint32_t key_of(std::uint64_t entry) { return static_cast<std::uint32_t>(entry & 0x3ffff); }
  void fold_in_step(std::size_t longest, count_totals& totals);
  void fold_by_visit(count_totals& totals);
  static void count(std::uint32_t key, const request& r, count_totals& totals);

  std::vector<std::uint64_t> lanes_[32];
  // Kept from fold to fold, for their memory.
  std::vector<std::uint32_t> group_of_;
  std::vector<group> groups_;
  std::vector<std::uint32_t> visits_;
};

}  // namespace cuda_emulator
