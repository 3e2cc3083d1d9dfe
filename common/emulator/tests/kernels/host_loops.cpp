// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "host_loops.hpp"

#include <ctime>

namespace host_loops {

std::vector<loop> of_ordinary_file() { return all_loops(); }

double time_of(const loop& l) {
  const int runs = std::max(1, 2'000'000 / l.elements);
  double best = 0;
  for (int i = 0; i < 5; ++i) {
    const std::clock_t begin = std::clock();
    for (int k = 0; k < runs; ++k) l.run();
    const double time = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    if (i == 0 || time < best) best = time;
  }
  return best * 1e9 / l.elements / runs;
}

}  // namespace host_loops
