// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Exercise 6: read a listing of machine code, and count the loads for each multiply-add.

#include "read_the_machine_code.hpp"

#include <algorithm>
#include <sstream>
#include <string>

namespace tutorial {

operation operation_of(std::string_view line) {
  // SOLUTION: the address, perhaps a condition, then the name up to its first point (about 12 lines)
  // STARTER: if (line.find("FMA") != line.npos) return operation::multiply_add;  // anywhere in the line?
  // STARTER: if (line.find("LDC") != line.npos) return operation::lane_load;
  // STARTER: if (line.find("ULDC") != line.npos) return operation::uniform_load;
  // STARTER: return line.empty() ? operation::none : operation::other;
  std::istringstream words{std::string(line)};
  std::string address, name;
  words >> address >> name;
  if (address.size() < 4 || !address.starts_with("/*") || !address.ends_with("*/")) return operation::none;
  if (name.starts_with('@')) words >> name;
  name.resize(std::min(name.size(), name.find_first_of(".;")));
  if (name == "FFMA" || name == "DFMA") return operation::multiply_add;
  if (name == "LDG" || name == "LDS" || name == "LDC") return operation::lane_load;
  if (name == "ULDC") return operation::uniform_load;
  if (name == "BAR") return operation::barrier;
  return operation::other;
  // END SOLUTION
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
  // SOLUTION: not every listing has a multiply-add (about 2 lines)
  // STARTER: return double(counts.instructions) / counts.multiply_adds;  // are all of them loads?
  if (counts.multiply_adds == 0) return 0;
  return double(counts.lane_loads) / counts.multiply_adds;
  // END SOLUTION
}

}  // namespace tutorial
