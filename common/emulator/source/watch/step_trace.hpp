// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// What the warps of one block do, step by step: beside the requests of block_trace the values, what lanes do
// together, barriers, returns, and the variables that `emucc --steps` tells of.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "counts.hpp"
#include "emulator/steps.hpp"

namespace cuda_emulator {

class block_trace;

/// Up to 16 bytes that a lane has read, written, given or got.
struct lane_value {
  unsigned char bytes[16] = {};
  std::uint8_t size = 0;  ///< 0: not known.
};

class step_trace {
 public:
  step_trace(const block_trace& requests, std::size_t most_values)
      : requests_(requests), most_values_(most_values) {}

  // While a thread runs; `lane` and `thread` are of it. `entry` is the number that its next entry in
  // warp_trace will have.

  /// An access at `address`, before it is made. The value of a store is looked at when the thread is heard of
  /// again.
  void access(int thread, std::size_t entry, const void* address, unsigned size, bool reads,
              std::uint64_t pc);
  /// What an atomic operation at the entry that came last has returned, and its name.
  void atomic(int thread, const char* name, std::uint64_t old, unsigned size);

  /// What a lane does beside accesses. Returns what stands for it in warp_trace: below 65,536, where no code
  /// is.
  std::uint64_t note(int thread, const char* name, long long element, number_type type, const void* value,
                     std::uint64_t pc);
  /// `where` and `address` as block_trace has them.
  std::uint64_t note_address(int thread, const char* name, space where, std::uint64_t address,
                             std::uint64_t pc);
  /// A local array of the thread, for local_element(). What lay there before is gone.
  void local_array(int thread, const char* name, const void* begin, std::size_t element_size,
                   std::size_t count);
  /// The array's name and the number of the element; null where none is known.
  std::pair<const char*, long long> local_element(int thread, const void* element) const;
  std::uint64_t note_line(int thread, std::uint64_t pc);
  std::uint64_t barrier(int thread, const char* name, std::uint64_t pc);
  std::uint64_t leave(int thread);
  /// A collective of which the thread is one of `lanes`. `group`: the same for all of them, and for no
  /// others.
  struct part_of_collective {
    const char* name;
    std::uint64_t group;
    std::uint32_t lanes;
    int from;  ///< The lane whose value it gets; -1: no single one.
    lane_value given, got;
  };
  std::uint64_t collective(int thread, const part_of_collective& part, std::uint64_t pc);
  std::uint64_t next_group() { return ++groups_; }

  /// What begins there are elements of this type; `where` and `begin` as block_trace has them.
  void array(const char* name, space where, std::uint64_t begin, number_type of,
             const std::size_t (&extents)[4]);

  /// All warps have come to the barrier and go on.
  void release();

  // For warp_trace, when it puts together what lanes do.

  /// Before the warp's entries are gone through.
  void begin_fold(int warp);
  bool is_return(int lane, std::uint64_t event) const;
  /// Where an event comes among accesses: an address in the program.
  std::uint64_t pc_of(int lane, std::uint64_t event) const;
  /// The lanes that a lane cannot go on without; 0: it can.
  std::uint32_t waits_for(int lane, std::uint64_t event) const;
  bool same(int lane, std::uint64_t event, int other_lane, std::uint64_t other_event) const;
  /// `events`: of the lanes that take part.
  void add(std::uint32_t lanes, const std::uint64_t* events);
  /// A request, which block_trace has as its last one. `entries`: numbers of entries of the lanes that take
  /// part.
  void add_request(std::uint32_t lanes, const std::size_t* entries);
  void end_fold(int warp);

  /// The records of the trace between the requests and `end` (see "A trace" in counts.md).
  std::string text() const;

 private:
  enum class what : std::uint8_t { line, variable, pointer, barrier, collective, leave };
  struct event {
    what kind;
    std::uint64_t pc;
    const char* name = nullptr;
    long long element = -1;
    number_type type{};
    space where{};
    lane_value value{}, given{};
    std::uint64_t group = 0;
    std::uint32_t lanes = 0;
    int from = -1;
  };
  struct accessed {
    std::size_t entry;
    lane_value value;
    const char* name = nullptr;
  };
  struct local {
    const char *name, *begin;
    std::size_t element_size, size;
  };
  struct pending {
    const void* address = nullptr;
    std::size_t which = 0;
  };
  struct set_variable {
    std::size_t variable, first_value;
    number_type type;
    bool is_address;
    space where;
    std::uint32_t lanes;
  };
  enum class step_kind : std::uint8_t { line, request, barrier, collective, leave };
  struct step {
    step_kind kind;
    int warp, interval;
    std::uint32_t lanes;
    std::uint64_t pc;
    const char* name = nullptr;
    std::size_t request = 0, first_value = 0, first_given = 0, first_from = 0;  // one for each lane
    bool has_values = false, has_given = false, has_from = false;
    std::vector<set_variable> sets{};
    std::vector<int> waiting{};
  };
  struct known_array {
    std::string name;
    space where;
    std::uint64_t begin;
    number_type type;
    std::size_t extents[4];
  };
  /// What the bytes of values are taken for.
  struct reading {
    number_kind kind;
    unsigned bytes;
  };

  std::uint64_t push(int thread, event&& e);
  void settle(int thread);
  std::size_t variable_of(const event& e);
  /// A new step of the warp; null where there is no room for it. A step that only names the same line goes.
  step* add_step(step_kind kind, std::uint32_t lanes, std::uint64_t pc, std::size_t values);
  void add_sets(std::uint32_t lanes, const event* const* events);
  const known_array* known_at(space where, std::uint64_t begin) const;
  std::string address_text(space where, std::uint64_t address) const;
  bool names_itself(const set_variable& set) const;
  reading guess(const lane_value* first, std::size_t count) const;
  std::string words(std::uint32_t lanes, std::size_t first, reading as) const;

  const block_trace& requests_;
  std::size_t most_values_;
  std::vector<event> events_[1024];       // by thread, since the warp was last folded
  std::vector<accessed> accesses_[1024];  // likewise
  std::vector<local> locals_[1024];
  pending pending_[1024];
  std::uint64_t last_pc_[1024] = {};
  std::size_t cursor_[32] = {};  // into accesses_, while a warp is folded
  int warp_ = 0;
  std::uint64_t groups_ = 0;
  bool cut_ = false;

  std::vector<step> steps_;
  std::vector<lane_value> values_;
  std::vector<int> from_;
  std::vector<std::string> variables_;
  std::map<std::string, std::size_t> numbers_;
  std::vector<known_array> arrays_;
  std::vector<int> waiting_;  // warps at the barrier
};

}  // namespace cuda_emulator
