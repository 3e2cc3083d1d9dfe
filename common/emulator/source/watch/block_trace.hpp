// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// What one block of a launch does, access by access.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "counts.hpp"
#include "sites.hpp"

namespace cuda_emulator {

struct launch_state;

/// The accesses of one block, as they are noted while it runs, in the requests that are counted.
class block_trace {
 public:
  explicit block_trace(launch_state& launch);

  void barrier() { ++interval_; }
  /// The warp whose requests come from now on.
  void of_warp(int warp) { warp_ = warp; }
  /// `parts` are what is counted of the request; `addresses` those of warp_trace, of the lanes that take
  /// part.
  void add(space where, const site& what, std::uint32_t lanes, const std::uint64_t* addresses,
           unsigned parts);
  /// A thread begins to fetch from this texture, at this point. Returns its number, for add_fetches(). What
  /// add_texel() is given until the next one begins are the texels that it reads.
  std::uint64_t begin_fetch(std::uint64_t texture, const double (&point)[3]);
  void add_texel(std::int64_t x, std::int64_t y, std::int64_t z);
  /// Lanes that fetch together; `fetches` are the numbers of their fetches.
  void add_fetches(const site& what, std::uint32_t lanes, const std::uint64_t* fetches);
  /// All records of the trace between `launch` and `end` (see "A trace" in counts.md); `more` comes before
  /// `end`.
  std::string text(const std::string& more = "") const;

  // For step_trace.
  int interval() const { return interval_; }
  bool cut() const { return cut_; }
  std::size_t requests() const { return requests_.size(); }
  std::uint64_t pc(std::size_t request) const { return requests_[request].pc; }
  std::size_t arrays() const { return arrays_.size(); }
  /// The array that a request is about; none where it fetches nothing.
  std::optional<std::size_t> array_of_request(std::size_t request) const;
  space where(std::size_t array) const { return arrays_[array].where; }
  std::uint64_t begin(std::size_t array) const { return arrays_[array].begin; }
  const std::string& name(std::size_t array) const { return arrays_[array].name; }
  struct element {
    std::size_t array;
    std::uint64_t index;
  };
  /// None where that is in no array of which a request is known.
  std::optional<element> element_at(space where, std::uint64_t address) const;

 private:
  struct array {
    std::string name;
    space where;
    std::uint64_t begin;  // as the addresses are numbered; for a texture the object
    std::size_t element_size, size;
    std::uint64_t extent[3] = {1, 1, 1};  // of a texture, in elements
  };
  struct request {
    int interval, warp;
    space where;
    access_kind kind;
    unsigned size, parts;
    std::uint64_t pc;
    std::size_t first_access, first_sample;
  };
  /// Where a thread fetches.
  struct sample {
    int thread;
    std::size_t array;
    double point[3];
  };
  struct fetch {
    std::uint64_t texture;
    double point[3];
    std::size_t first_texel;
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
  std::size_t array_of_texture(std::uint64_t texture, unsigned element_size);
  array described_texture(std::uint64_t texture, unsigned element_size) const;
  std::string text_of(std::size_t array) const;

  launch_state& launch_;
  int interval_ = 0, warp_ = 0;
  bool cut_ = false;
  std::vector<array> arrays_;
  std::vector<request> requests_;
  std::vector<access> accesses_;
  std::vector<sample> samples_;
  struct texel {
    std::int64_t at[3];
  };
  std::vector<fetch> fetches_;  // of the block so far, in the order in which threads ran
  std::vector<texel> texels_;
};

}  // namespace cuda_emulator
