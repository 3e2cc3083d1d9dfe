// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Stacks on which threads of a block run, and the jump from one to another.
#pragma once

#include <boost/context/detail/fcontext.hpp>
#include <cstddef>
#include <vector>

namespace cuda_emulator {

constexpr int most_threads_per_block = 1024;

struct fiber {
  boost::context::detail::fcontext_t context = nullptr;  ///< Where it goes on; null: it starts anew.
  fiber* next_idle = nullptr;
};

/// The stacks of one worker, in one mapping: [guard page | stack] times 1024. Pages are used only when
/// touched.
class fiber_pool {
 public:
  static constexpr std::size_t stack_bytes = 64 * 1024;

  /// `entry` never returns; its argument carries the fiber that was left, which it hands to arrived().
  explicit fiber_pool(void (*entry)(boost::context::detail::transfer_t));

  /// A fiber that nobody is in the middle of. Null if all are taken.
  fiber* take();
  void give_back(fiber* f) {
    f->next_idle = idle_;
    idle_ = f;
  }
  /// Forgets what all fibers were doing. Only from outside of them.
  void reset();

  /// What a fiber that waits has on its stack.
  struct kept_stack {
    fiber* of;
    boost::context::detail::fcontext_t context;
    std::vector<char> bytes;
  };
  kept_stack keep(fiber& f) const;
  /// Brings these stacks back, and forgets what all other fibers were doing. Only from outside of them.
  void put_back(const std::vector<kept_stack>& stacks);

  /// Leaves `from` and goes on in `to`; returns when somebody goes on in `from`.
  void jump(fiber& from, fiber& to);
  /// To be called with what a jump has brought.
  static void arrived(boost::context::detail::transfer_t transfer) {
    static_cast<fiber*>(transfer.data)->context = transfer.fctx;
  }

  bool contains(const void* address) const {
    return static_cast<const char*>(address) >= memory_ &&
           static_cast<const char*>(address) < memory_ + size_;
  }

 private:
  void (*entry_)(boost::context::detail::transfer_t);
  char* top_of(const fiber& f) const;

  char* memory_ = nullptr;
  std::size_t size_ = 0;
  fiber fibers_[most_threads_per_block + 1];
  int used_ = 0;  ///< Fibers [0, used_) have been taken at least once; their guard pages are in place.
  fiber* idle_ = nullptr;
};

}  // namespace cuda_emulator
