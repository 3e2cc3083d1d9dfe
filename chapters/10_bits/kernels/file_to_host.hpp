// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// A file's way to the host, when only the device knows how long the file is.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <span>

#include "common/device/device_memory.hpp"
#include "common/device/pinned_buffer.hpp"

namespace tutorial {

/// Memory of the host that a kernel writes to. A copy would have to wait for the length first; the kernel
/// reads the length on the device, and the host waits once.
class host_file {
 public:
  /// Room for so many bytes. Throws cuda_error where memory is short.
  explicit host_file(std::size_t room) : bytes_(room), size_(1) {}

  /// Launches in `stream` the copy of file[0 .. *size), both in device memory; the file's address is a
  /// multiple of 16. A file that does not fit in `file` or in the room here is not copied. Throws
  /// cuda_error for a launch that is refused.
  void bring(device_span<const std::uint8_t> file, const std::uint64_t* size, cudaStream_t stream = nullptr);

  /// Waits for the stream. The file, which is good until the next bring(). Throws
  /// std::runtime_error if there was too little room for it.
  std::span<const std::uint8_t> wait(cudaStream_t stream = nullptr);

 private:
  pinned_buffer<std::uint8_t> bytes_;
  pinned_buffer<std::uint64_t> size_;
  std::size_t most_ = 0;  ///< Of the last bring().
};

}  // namespace tutorial
