// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Who has accessed which byte, of the operations that the host has not waited for.
#pragma once

#include <memory>
#include <unordered_map>
#include <vector>

#include "operation.hpp"
#include "watch/touched_pages.hpp"

namespace cuda_emulator {

/// Two accesses to the same bytes, one of them a write, that nothing orders.
struct conflict {
  touch_kind mine;
  touch_kind others;
  std::shared_ptr<const operation> other;
  std::uintptr_t first;  ///< The first byte.
};

/// Who looks: an operation, or the host (without one).
struct accessor {
  std::shared_ptr<const operation> op;
  const vector_clock& start;
  const vector_clock& host;  ///< What the host has waited for is of no interest any more.
  bool is_early = false;     ///< It runs before what was given earlier, which may find this.
};

/// An operation's access, with the place in its timeline up to which it is done.
struct placed_access {
  const operation& op;
  touch_mark how;

  epoch at() const { return op.released(how.released); }
  bool comes_after(const epoch& e) const {
    if (op.begins.covers(e) || op.start.covers(e)) return true;
    if (how.heard == 0) return false;
    return (how.heard < op.heard_first.size() ? op.heard_first[how.heard - 1u] : op.heard).covers(e);
  }
};

class access_map {
 public:
  /// `bytes` null: the whole page. Notes what conflicts. With `keep` the access itself is noted, too.
  void add(const accessor& who, std::uint64_t page, const touch_mark& how, const byte_set* bytes, bool keep,
           std::vector<conflict>& found);
  /// The same for [address, address + size).
  void add(const accessor& who, std::uintptr_t address, std::size_t size, const touch_mark& how, bool keep,
           std::vector<conflict>& found);
  /// Is there anything in the page that the host has not waited for?
  bool pending(std::uint64_t page, const vector_clock& host) const;
  /// Forgets what was done to these bytes, which are no longer the program's.
  void forget(std::uintptr_t address, std::size_t size);
  void clear() { pages_.clear(); }
  bool empty() const { return pages_.empty(); }

 private:
  struct access {
    std::shared_ptr<const operation> op;
    touch_mark how;
    std::unique_ptr<byte_set> bytes;  // null: the whole page
  };
  std::unordered_map<std::uint64_t, std::vector<access>> pages_;
};

}  // namespace cuda_emulator
