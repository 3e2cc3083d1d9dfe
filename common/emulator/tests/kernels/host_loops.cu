// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// What host code costs in a kernel file, where each access asks whether its address is the device's, and in
// an ordinary file with -O2: a table. With --test, results must be the same, and no loop may take longer than
// what the table allows it: more than has been measured, less than with a call before each access.
#include "host_loops.hpp"

#include <cstdio>
#include <string_view>

namespace {
__global__ void nothing_kernel() {}
}  // namespace

int main(int count, char** words) {
  const bool testing = count > 1 && std::string_view(words[1]) == "--test";
  nothing_kernel<<<1,
                   1>>>();  // from now on there is memory of the device, and addresses are compared with it
  float* d_x = nullptr;
  if (cudaMalloc(&d_x, 4096) != cudaSuccess || cudaDeviceSynchronize() != cudaSuccess) return 2;
  const std::vector<host_loops::loop> ordinary = host_loops::of_ordinary_file(),
                                      mine = host_loops::all_loops();
  int failures = 0;
  std::printf("ns for each element    ordinary file   kernel file   times\n");
  for (std::size_t i = 0; i < mine.size(); ++i) {
    if (mine[i].run() != ordinary[i].run()) {
      std::printf("FAILED: %s has another result\n", mine[i].name);
      ++failures;
    }
    double a = host_loops::time_of(ordinary[i]), b = host_loops::time_of(mine[i]);
    const double most = mine[i].most_times;
    for (int again = 0; testing && most != 0 && b > most * a && again < 5; ++again) {
      a = host_loops::time_of(ordinary[i]);
      b = host_loops::time_of(mine[i]);
    }
    std::printf("%-22s %13.3f %13.3f %7.1f\n", mine[i].name, a, b, b / a);
    if (testing && most != 0 && b > most * a) {
      std::printf("FAILED: at most %.0f times as long was expected\n", most);
      ++failures;
    }
  }
  cudaFree(d_x);
  return failures != 0 ? 1 : 0;
}
