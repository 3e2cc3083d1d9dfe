// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
/// \file
/// What the emulated device found wrong with a kernel, for tests that expect it.
#pragma once

#include <exception>
#include <string>

#include "export.hpp"

namespace cuda_emulator {

enum class finding_kind {
  out_of_bounds,
  use_after_free,
  misaligned,
  host_pointer,
  uninitialized_read,
  race,
  divergent_barrier,
  divergent_shuffle,  ///< Lanes of a warp meet at different shuffles.
  absent_lane,        ///< A shuffle asks a lane that does not take part.
  unnamed_lane,       ///< A shuffle, vote or __syncwarp() whose mask does not name the lane that calls it.
  incomplete_warp,    ///< A matrix instruction that not all lanes of the warp reach.
  skipped_meeting,    ///< A lane goes on past a shuffle, vote or __syncwarp() that waits for it.
  deadlock,
  leak,
  too_much_shared_memory,
  wrong_texture,      ///< No texture object, a destroyed one, or not of the kind that the fetch wants.
  stale_texture,      ///< Memory that the same kernel writes is read through a texture.
  crash,              ///< The processor stopped: division by zero, stack overflow.
  array_index,        ///< An index beyond an array of fixed size that is not in memory of the device.
  device_pointer,     ///< Host code of a kernel file uses memory of the device.
  asynchronous_copy,  ///< Memory of an asynchronous copy is used before the copy has landed.
  shared_barrier,     ///< A barrier in shared memory is used wrongly, or never completed.
  unordered,          ///< Nothing orders two operations of streams, or one and the host, on the same memory.
  other_device,       ///< A kernel uses memory of a device that its own has no access to.
  uncopied_constant,  ///< A kernel reads constant memory that nothing was copied to.
  copy_direction,     ///< A copy whose direction is not that of its memory, and that works all the same.
  message,            ///< Ranks that send to each other do not agree, or wait for each other for ever.
};

/// One distinct mistake: a kind at one place (two for a race). Thrown from the launch when tests have asked
/// for it.
class EMULATOR_API finding : public std::exception {
 public:
  finding(finding_kind kind, std::string text);
  finding(const finding&);
  ~finding() override;
  /// The whole message: what happened, kernel, block and thread, array and index, file:line, usual cause.
  const char* what() const noexcept override;
  finding_kind kind() const { return kind_; }

 private:
  finding_kind kind_;
  std::string text_;
};

/// By default a finding is printed and ends the program with status 1. With true, the launch throws it
/// instead.
EMULATOR_API void throw_findings(bool yes);

}  // namespace cuda_emulator
