// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Names of arrays for findings. The compiler checks each index of an array of fixed size and says at which
// line and column of the translated source it lies; the table made here says which array that is.
#pragma once

#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "lambdas.hpp"
#include "text/editor.hpp"

namespace cuda_emulator::translator {

class subscripts {
 public:
  /// Takes in the subscripts in the body at `open`, of a function that the device has. An index of an array
  /// of a class is checked in the source itself (element()): the compiler takes `a[i] = x` for the address of
  /// an element, if the class has an assignment of its own, and that may lie behind the array.
  void collect(editor& text, place open, bool of_both_sides);
  /// An array in memory of the device, outside of functions: its accesses are checked one by one, to the
  /// byte, and there programs may well go through all its rows by one index.
  void leave_out(std::string_view name) { left_out_.insert(name); }

  /// The table, to be put behind `result`, the translated source. `shared` are left out, too.
  std::string table(const editor& text, const std::string& result,
                    const std::vector<shared_name>& shared) const;

 private:
  struct subscript {
    place begin, base, open;  // of a.b[i][j], at the second [: a, b, [
  };
  std::vector<subscript> found_;
  std::unordered_set<place> seen_;  // a lambda lies in the body of a function that is looked at, too
  std::unordered_set<std::string_view> left_out_;
};

}  // namespace cuda_emulator::translator
