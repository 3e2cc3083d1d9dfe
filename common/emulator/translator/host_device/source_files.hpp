// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "text/syntax.hpp"

namespace cuda_emulator::translator {

/// The files as they were before the preprocessor.
class source_files {
 public:
  /// Whether the line of this token has the word in it, and does not stand between #if and #endif. So it is
  /// taken to be where the file is not there to be read.
  bool shows(const token& what, std::string_view word);
  /// Whether all names from the line of the first token up to the last one stand there as they are, and no
  /// others, such as a macro that may be __device__ at another time.
  bool shows_all(const syntax& text, place first, place last);

 private:
  struct file {
    bool is_known = false;
    std::vector<std::string> lines;
    std::vector<bool> is_conditional;
  };

  const file& read(std::string_view name);

  std::map<std::string, file, std::less<>> files_;
};

}  // namespace cuda_emulator::translator
