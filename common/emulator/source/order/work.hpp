// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
/// \file
/// An operation of a stream while it is done: what it reads and writes is compared with what other operations
/// do to the same bytes, wherever nothing orders the two.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "accesses.hpp"
#include "streams.hpp"

namespace cuda_emulator {

/// What a message says of an operation: one of the runtime or of a library by its name ("cudaMemcpyAsync"),
/// a kernel by name and place ("a.cu:12").
struct work_label {
  const char* function;
  const char* kernel = nullptr;
  std::string launched_at{};
  const char* verb = nullptr;  ///< "frees"; null: what its accesses are.
};

class work {
 public:
  /// Nothing is looked at where the checks are off, or where all that happens is in order anyway: there is
  /// one stream, and no memory that host and device share.
  work(CUstream_st& stream, const work_label& label);
  /// A node of a graph, which begins after `start` on a timeline of its own.
  work(const operation& node, const vector_clock& start, std::uint32_t timeline, int device);

  bool watched() const { return op_ != nullptr; }
  /// On which the operation is done.
  int device() const { return device_; }
  const std::shared_ptr<const operation>& op() const { return op_; }
  void reads(const void* begin, std::size_t size) { uses(begin, size, touch_kind::read); }
  void writes(const void* begin, std::size_t size) { uses(begin, size, touch_kind::write); }
  void touches(const touched_pages& pages);
  /// Frees what host code or the stream frees: what was done to these bytes is forgotten.
  void frees(const void* begin, std::size_t size);
  /// The call returns when the operation has finished.
  void host_waits();
  /// It has also come after what is in this clock: so does what the stream is given later.
  void came_after(CUstream_st& stream, const vector_clock& clock);
  const vector_clock& finished() const { return finished_; }

  /// Prints what was found and ends the program, or throws the first finding.
  void conclude();

 private:
  void begin(operation&& op);
  void uses(const void* begin, std::size_t size, touch_kind kind);
  bool of_interest(const void* address) const;

  int device_;
  std::shared_ptr<const operation> op_;
  vector_clock finished_;
  std::vector<conflict> found_;
};

/// Memory of both sides is there from now on.
void note_memory_of_both();

/// Host code frees memory that kernels could use, without waiting for anything: `function` is its name.
void host_frees(const char* function, const void* begin, std::size_t size);

/// While it lives, this thread of the host is in a function that a stream calls.
class host_function {
 public:
  explicit host_function(work& of);
  ~host_function();
  host_function(const host_function&) = delete;
};

/// Can an access of the host meet anything? Called for every access to memory that both sides use.
bool host_may_meet(const void* address);
/// What an access of the host conflicts with; nothing where it does not. `trusted`: volatile or atomic. Such
/// a read has seen what it waited for, so that what was done before is done.
std::optional<conflict> met_by_host(const void* address, std::size_t size, touch_kind kind, bool trusted);

/// What the stream calls on this thread of the host; null where it calls nothing.
const operation* called_by_stream();

/// "nothing orders ...": the whole message.
std::string unordered_text(const operation& mine, const conflict& with);
/// The same of an access of the host at `place`, which is described by `access`.
std::string unordered_with_host_text(const std::string& place, const std::string& access,
                                     const conflict& with);

}  // namespace cuda_emulator
