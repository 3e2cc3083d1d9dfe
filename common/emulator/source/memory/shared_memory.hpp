// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// The shared memory of the block that a worker runs, and where a launch has its variables in it.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

#include "emulator/launch.hpp"
#include "shadow.hpp"

namespace cuda_emulator {

/// A `__shared__` variable in the current launch.
struct placed_variable {
  const char* name;
  const char* file;
  int line;
  std::size_t offset;  ///< in the arena
  std::size_t size, element_size;
  array_shape shape;
  const shared_variable* variable = nullptr;
  std::size_t alignment = 1;  ///< As it is declared: it lies at a multiple of 128 all the same.
};

/// Where the `__shared__` variables that a launch has met so far lie: at the same place in every block.
class shared_layout {
 public:
  explicit shared_layout(std::uint32_t launch) : launch_(launch) {}

  /// The offset of `variable` in the static part of an arena. False if the variables need more than a block
  /// can have.
  bool place(shared_variable& variable, std::size_t size, std::size_t alignment, std::size_t element_size,
             const array_shape& shape, std::size_t& offset) {
    const std::uint64_t place = variable.place.load(std::memory_order_relaxed);
    offset = static_cast<std::uint32_t>(place);
    return place >> 32 == launch_ || place_new(variable, size, alignment, element_size, shape, offset);
  }
  /// The first name under which dynamic shared memory is used counts.
  bool dynamic_named() const { return dynamic_named_.load(std::memory_order_relaxed); }
  void name_dynamic(const placed_variable& variable);

  /// Bytes that they take, as a GPU counts them.
  std::size_t bytes() const { return bytes_; }
  /// While blocks run, for the holder of this lock only.
  std::mutex& mutex() const { return mutex_; }
  const std::vector<placed_variable>& variables() const { return variables_; }
  const placed_variable& dynamic_variable() const { return dynamic_variable_; }

 private:
  bool place_new(shared_variable& variable, std::size_t size, std::size_t alignment, std::size_t element_size,
                 const array_shape& shape, std::size_t& offset);

  std::uint32_t launch_;
  mutable std::mutex mutex_;
  std::size_t next_ = 0;  // offset of the next variable
  std::size_t bytes_ = 0;
  std::vector<placed_variable> variables_;
  std::atomic<bool> dynamic_named_{false};
  placed_variable dynamic_variable_{};
};

constexpr std::size_t most_static_shared = 48 * 1024;
constexpr std::size_t most_dynamic_shared = 227 * 1024;

/// [red zone | dynamic | red zone | static, each variable with a red zone behind it]. Filled with 0xFF, which
/// is NaN for floating point, when a block begins.
class shared_arena {
 public:
  /// `memory`: of `total` bytes; null ends the program.
  explicit shared_arena(char* memory);
  void begin_block(std::size_t dynamic_bytes);

  void* dynamic() { return memory_ + dynamic_offset; }
  std::size_t dynamic_bytes() const { return dynamic_bytes_; }
  /// Where `variable` lies in this launch. Null if the variables need more than a block can have.
  void* place(shared_layout& layout, shared_variable& variable, std::size_t size, std::size_t alignment,
              std::size_t element_size, const array_shape& shape);
  /// Keeps the states of the bytes in `shadow` from now on.
  void watch(shadow_range* shadow) { shadow_ = shadow; }

  /// What a block has in it, and the states of the bytes: for a block that is put aside.
  struct contents {
    std::vector<char> dynamic, fixed;
    std::vector<std::uint8_t> dynamic_states, fixed_states;
  };
  contents keep() const;
  void put_back(const contents& kept);

  std::size_t offset_of(const void* address) const {
    return static_cast<std::size_t>(static_cast<const char*>(address) - memory_);
  }
  void* at(std::size_t offset) const { return memory_ + offset; }
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
