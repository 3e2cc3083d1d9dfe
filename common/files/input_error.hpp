// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// What a reader can get wrong, told apart from what we got wrong.
#pragma once

#include <stdexcept>

namespace tutorial {

/// Something outside the program is not usable: a file, its content, a folder, the disk. what() is one line
/// that names the file, the place and what to do. Exit status 2.
class input_error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// An option that does not exist, has no such value, or does not go with another. Exit status 2.
class usage_error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace tutorial
