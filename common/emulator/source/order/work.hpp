// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// An operation of a stream while it is done: what it reads and writes is compared with what other operations
// do to the same bytes, wherever nothing orders the two.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "accesses.hpp"
#include "emulator/export.hpp"
#include "streams.hpp"

namespace cuda_emulator {

/// What a message says of an operation: one of the runtime or of a library by its name ("cudaMemcpyAsync"),
/// a kernel by name and place ("a.cu:12").
struct work_label {
  const char* function;
  const char* kernel = nullptr;
  std::string launched_at{};
  const char* verb = nullptr;  ///< "frees"; null: what its accesses are.
  bool kept = false;           ///< It is not to run at once, whatever the order is.
  bool allocates = false;      ///< In the default stream, this does not wait for the other streams.
};

class work {
 public:
  /// Nothing is looked at where the checks are off, or where all that happens is in order anyway: there is
  /// one stream, and no memory that host and device share.
  EMULATOR_FOR_LIBRARIES work(CUstream_st& stream, const work_label& label);
  work(work&&) = default;
  work& operator=(work&&) = default;
  /// A node of a graph, which begins after `start` on a timeline of its own.
  work(const operation& node, const vector_clock& start, std::uint32_t timeline, int device);

  bool watched() const { return watched_; }
  /// On which the operation is done.
  int device() const { return device_; }
  /// Can it run now? `wanted`: is it to run as soon as it can?
  bool at_once(bool wanted) const;
  /// Null where nothing needs to be known of what comes before what.
  const std::shared_ptr<const operation>& op() const { return op_; }
  void reads(const void* begin, std::size_t size) { uses(begin, size, touch_kind::read, touch_mark::last); }
  void writes(const void* begin, std::size_t size) { uses(begin, size, touch_kind::write, touch_mark::last); }
  /// As soon as the stream comes to it: not after what came_after() says.
  void reads_at_once(const void* begin, std::size_t size) { uses(begin, size, touch_kind::read, 0); }
  void touches(const touched_pages& pages);
  /// Frees what host code or the stream frees: what was done to these bytes is forgotten.
  void frees(const void* begin, std::size_t size);
  /// The call returns when the operation has finished.
  void host_waits();
  /// While it ran it turned out that it ends after what is in this clock: so does what comes after it.
  EMULATOR_FOR_LIBRARIES void came_after(const vector_clock& clock) const;
  const vector_clock& finished() const { return finished_; }

  /// Prints what was found and ends the program, or throws the first finding.
  void conclude();

 private:
  void begin(operation&& op);
  EMULATOR_FOR_LIBRARIES void uses(const void* begin, std::size_t size, touch_kind kind, std::uint8_t heard);
  bool of_interest(const void* address, std::size_t size) const;

  int device_;
  std::shared_ptr<const operation> op_;
  std::uint64_t unnoted_ = 0;  // see order_state
  bool watched_ = false;
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
/// Such a function must not give work to streams or wait for them: what it is refused with.
EMULATOR_FOR_LIBRARIES cudaError_t check_caller();

/// Can an access of the host meet anything? Called for every access to memory that both sides use.
bool host_may_meet(const void* address, std::size_t size);
/// What an access of the host conflicts with; nothing where it does not. `trusted`: volatile or atomic. Such
/// a read has seen what it waited for, so that what was done before is done.
std::optional<conflict> met_by_host(const void* address, std::size_t size, touch_kind kind, bool trusted);

/// An access of the host for unordered_with_host_text().
operation host_access(const std::string& what, unsigned size, const std::string& place);
/// Notes it for what is kept, and may run at any time until the host waits.
void note_host_access(const void* address, std::size_t size, touch_kind kind, const operation& access);

/// What the stream calls on this thread of the host; null where it calls nothing.
std::shared_ptr<const operation> called_by_stream();

/// "nothing orders ...": the whole message, the same whatever ran first. The one that was given to its stream
/// later is the one that lacks a wait.
std::string conflict_text(const std::shared_ptr<const operation>& mine, const conflict& with);
/// The same, `mine` being the later one.
std::string unordered_text(const operation& mine, const conflict& with);
/// The same of an access of the host.
std::string unordered_with_host_text(const operation& access, const conflict& with);

}  // namespace cuda_emulator
