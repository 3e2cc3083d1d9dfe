// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// What the emulated device found wrong with a kernel, for tests that expect it.
#pragma once

#include <cstddef>
#include <exception>
#include <string>
#include <vector>

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
  absent_lane,        ///< A shuffle reads from a lane that does not take part.
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
  message,            ///< Ranks that send to each other do not agree, or wait for each other forever.
  misuse,             ///< Something is called where it cannot be.
};

/// "race", "out_of_bounds": as it is written in records.
EMULATOR_API const char* name_of(finding_kind kind);

/// What a finding says of its usual cause, where that is more than its kind says, and leads elsewhere.
enum class finding_cause {
  none,
  host_variable,         ///< The kernel uses a variable of the host, not a pointer that was passed.
  no_copy,               ///< Nothing was copied there before the launch.
  short_copy,            ///< What was copied there ends before, or begins behind.
  short_copy_or_index,   ///< It ends right before: the index may be wrong, too.
  short_write,           ///< A call has written only the beginning of the array.
  small_allocation,      ///< As many bytes were allocated as elements are wanted.
  small_dynamic_shared,  ///< The launch asks for as many bytes as elements are wanted.
  missing_stage,         ///< A wait leaves a copy under way: a turn may have committed nothing.
  pitch_in_bytes,        ///< The launch passes a pitch that may be in bytes.
  returned_before,       ///< A thread has left the kernel before the others meet.
  same_index,            ///< Two threads have computed the same index.
  index_formula,         ///< The formula for an index may be wrong.
  index_below_zero,      ///< An index without a sign has been below zero.
  constant_write,        ///< The kernel writes to constant memory.
};
EMULATOR_API const char* name_of(finding_cause cause);

/// One of the accesses (or waits) of a finding. A place is "file.cu:12". What is not known is empty.
struct finding_access {
  std::string does;           ///< "reads", "writes", ...
  std::string place;          ///< In the program's own source.
  std::string called_at;      ///< In the kernel, where a function that it calls makes the access.
  std::string thread, block;  ///< "(3, 0, 0)"
};

/// What a finding is about, for those who do not read its text.
struct finding_facts {
  std::string title;        ///< "access out of bounds": what it is, in a few words.
  std::string usual_cause;  ///< In words, without a period; empty where the text names none.
  std::string kernel, launched_at;
  std::vector<finding_access> accesses;     ///< Two for a race; the first is the one that was noted.
  std::string array;                        ///< Its name; empty where it has none that the source knows.
  std::string space;                        ///< "shared", "constant", "global" or "host".
  std::string made_at;                      ///< Where the array is allocated or declared.
  std::string index;                        ///< Of the element, "[41]"; empty for a single variable.
  std::size_t elements = 0, begins_at = 0;  ///< Of the array; and the bytes before it in its allocation.
  finding_cause cause = finding_cause::none;
  std::string cause_at;  ///< The place that the cause leads to.
};

/// One distinct mistake: a kind at one place (two for a race). Thrown from the launch when tests have asked
/// for it.
class EMULATOR_API finding : public std::exception {
 public:
  /// The title and the usual cause are taken from the text, which says "PLACE: error: TITLE in kernel NAME"
  /// in its first line, and then "Usual cause: CAUSE."
  finding(finding_kind kind, std::string text, finding_facts facts = {});
  finding(const finding&);
  ~finding() override;
  /// The whole message: what happened, kernel, block and thread, array and index, file:line, usual cause.
  const char* what() const noexcept override;
  finding_kind kind() const { return kind_; }
  const finding_facts& facts() const { return facts_; }

 private:
  finding_kind kind_;
  std::string text_;
  finding_facts facts_;
};

/// By default a finding is printed and ends the program with status 1. With true, the launch throws it
/// instead.
EMULATOR_API void throw_findings(bool yes);

}  // namespace cuda_emulator
