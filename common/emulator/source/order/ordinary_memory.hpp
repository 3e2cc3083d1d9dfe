// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Memory of the host that is not the device's, too, and that nodes of graphs use: a node keeps the address,
// not the bytes. Is the memory still there when the graph is launched, and until that has been waited for?
// It goes when somebody frees it, when the function returns whose variable it is, and with the thread on
// whose stack it is.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "clock.hpp"

namespace cuda_emulator {

/// What a call says it will use: `begin` null where it does not.
struct use_of_host {
  const void* begin = nullptr;
  std::size_t size = 0;
  const char* verb = "reads";
  bool is_data_of_function = false;  ///< Which may itself free it.
};

/// What a stream's function of the host is given.
inline use_of_host data_of(void* data) { return {data, 1, "is given", true}; }

class ordinary_memory {
 public:
  /// Called by the thread that names the memory.
  explicit ordinary_memory(const use_of_host& use);
  ordinary_memory(const ordinary_memory&) = delete;
  ~ordinary_memory();

  /// "reads 160 bytes of host memory that was freed at a.cu:17"; empty where it is there, as far as is known.
  std::string why_gone() const;
  /// The graph that is launched at `place` will have used it then. With the lock of all streams.
  void used_until(const vector_clock& finished, const std::string& place);

 private:
  friend class watched_memory;
  use_of_host use_;
  struct state;
  std::unique_ptr<state> state_;
};

}  // namespace cuda_emulator
