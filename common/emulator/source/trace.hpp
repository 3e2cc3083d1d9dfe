// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
/// \file
/// What one block of each launch did, access by access, as a text for other programs: see "A trace" in README.md.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "counts.hpp"

namespace cuda_emulator {

struct launch_state;

/// The accesses of one block, as they are noted while it runs, in the requests that are counted.
class block_trace {
 public:
  explicit block_trace(launch_state& launch);

  void barrier() { ++interval_; }
  /// The warp whose requests come from now on.
  void of_warp(int warp) { warp_ = warp; }
  /// `parts` are what is counted of the request; `addresses` those of warp_trace, of the lanes that take part.
  void add(space where, const site& what, std::uint32_t lanes, const std::uint64_t* addresses,
           unsigned parts);
  /// All records between `launch` and `end`.
  std::string text() const;

 private:
  struct array {
    std::string name;
    space where;
    std::uint64_t begin;  // as the addresses are numbered
    std::size_t element_size, size;
  };
  struct request {
    int interval, warp;
    space where;
    access_kind kind;
    unsigned size, parts;
    std::uint64_t pc;
    std::size_t first_access;
  };
  struct access {
    int thread;
    std::size_t array;
    std::uint64_t address;
  };
  std::size_t array_of(space where, std::uint64_t address, unsigned size);
  array described(space where, std::uint64_t address, unsigned size) const;
  array described_shared(std::uint64_t address, unsigned size) const;
  array described_global(std::uint64_t address, unsigned size) const;

  launch_state& launch_;
  int interval_ = 0, warp_ = 0;
  bool cut_ = false;
  std::vector<array> arrays_;
  std::vector<request> requests_;
  std::vector<access> accesses_;
};

/// The index in the grid of the block that is to be traced in `launch`; no_block where none is.
std::uint64_t traced_block(const launch_state& launch);
inline constexpr std::uint64_t no_block = ~std::uint64_t{0};

/// After a launch that had a traced_block(): writes what is known of it to the file.
void write_trace(const launch_state& launch);

}  // namespace cuda_emulator
