// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Who has started this process, and as which one of all: implemented by the environment, or by MPI.
#pragma once

#include "meeting.hpp"

namespace tutorial {

/// One for the whole of main(). MPI wants to know of the beginning and of the end.
class launcher {
 public:
  launcher(int* count, char*** words);
  ~launcher();
  launcher(const launcher&) = delete;
  launcher& operator=(const launcher&) = delete;

  /// Which rank this is, and where rank 0 waits. Throws meeting_error for what the launcher has said wrongly.
  rank_place place() const;
  /// Ends the process with this status; whoever else waits for it is ended, too.
  [[noreturn]] void end(int status) const;
};

}  // namespace tutorial
