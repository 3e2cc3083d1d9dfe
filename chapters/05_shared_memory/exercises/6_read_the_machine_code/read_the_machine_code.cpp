// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Exercise 6: read a listing of machine code, and count the loads for each multiply-add.

#include "read_the_machine_code.hpp"

#include <algorithm>
#include <sstream>
#include <string>

namespace tutorial {

operation operation_of(std::string_view line) {
  // TODO: the address, perhaps a condition, then the name up to its first point (about 12 lines)
  if (line.find("FMA") != line.npos) return operation::multiply_add;  // anywhere in the line?
  if (line.find("LDC") != line.npos) return operation::lane_load;
  if (line.find("ULDC") != line.npos) return operation::uniform_load;
  return line.empty() ? operation::none : operation::other;
}

operation_counts count_operations(std::string_view listing) {
  operation_counts counts;
  std::istringstream lines{std::string(listing)};
  for (std::string line; std::getline(lines, line);) {
    const operation found = operation_of(line);
    counts.instructions += found != operation::none;
    counts.multiply_adds += found == operation::multiply_add;
    counts.lane_loads += found == operation::lane_load;
    counts.uniform_loads += found == operation::uniform_load;
    counts.barriers += found == operation::barrier;
  }
  return counts;
}

double lane_loads_per_multiply_add(const operation_counts& counts) {
  // TODO: not every listing has a multiply-add (about 2 lines)
  return double(counts.instructions) / counts.multiply_adds;  // are all of them loads?
}

}  // namespace tutorial
