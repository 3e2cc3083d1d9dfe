// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
/// \file
/// The shared memory of the block that a worker runs.
#pragma once

#include <cstddef>
#include <cstdint>

#include "emulator/launch.hpp"
#include "watch/shadow.hpp"

namespace cuda_emulator {

struct launch_state;

/// A `__shared__` variable in the current launch.
struct placed_variable {
  const char* name;
  const char* file;
  int line;
  std::size_t offset;  ///< in the arena
  std::size_t size, element_size;
};

constexpr std::size_t most_static_shared = 48 * 1024;
constexpr std::size_t most_dynamic_shared = 227 * 1024;

/// [red zone | dynamic | red zone | static, each variable with a red zone behind it]. Filled with 0xFF, which
/// is NaN for floating point, when a block begins.
class shared_arena {
 public:
  shared_arena();
  void begin_block(std::size_t dynamic_bytes);

  void* dynamic() { return memory_ + dynamic_offset; }
  std::size_t dynamic_bytes() const { return dynamic_bytes_; }
  /// Where `variable` lies in this launch. Null if the variables need more than a block can have.
  void* place(launch_state& launch, shared_variable& variable, std::size_t size, std::size_t alignment,
              std::size_t element_size);
  /// Keeps the states of the bytes in `shadow` from now on.
  void watch(shadow_range* shadow) { shadow_ = shadow; }

  std::size_t offset_of(const void* address) const {
    return static_cast<std::size_t>(static_cast<const char*>(address) - memory_);
  }
  bool contains(const void* address) const {
    return static_cast<const char*>(address) >= memory_ &&
           static_cast<const char*>(address) < memory_ + total;
  }

  static constexpr std::size_t red_zone = 1024;
  static constexpr std::size_t dynamic_offset = 4096;
  static constexpr std::size_t static_offset = dynamic_offset + most_dynamic_shared + 4096;
  /// Every variable may be as small as a byte and still needs its red zone.
  static constexpr std::size_t static_space = 4 * 1024 * 1024;
  static constexpr std::size_t total = static_offset + static_space;

 private:
  char* memory_;
  std::size_t dynamic_bytes_ = 0;
  std::size_t poisoned_ = 0;  // static bytes filled since the block began
  shadow_range* shadow_ = nullptr;
};

}  // namespace cuda_emulator
