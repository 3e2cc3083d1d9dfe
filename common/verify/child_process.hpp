// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Runs this executable once more, as a process of its own: for what leaves a process without a usable
// device.
#pragma once

#include <string>

namespace tutorial {

/// What came of a second run of the same executable, by run_myself().
struct child_result {
  std::string output;  ///< What it printed on standard output and standard error.
  int status = -1;     ///< Its exit status; -1 if it did not end by itself.
};

/// Runs the executable that is running now with these arguments. Throws std::runtime_error if that is not
/// possible.
child_result run_myself(const std::string& arguments);

}  // namespace tutorial
