// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Programs that a finding ends: endings WAY.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <stdexcept>
#include <string>

namespace {

__global__ void write_kernel(int* x, int i) { x[i] = 1; }

struct prints_at_the_end {
  ~prints_at_the_end() { std::puts("a destructor ran"); }
} at_the_end;

}  // namespace

int main(int count, char** words) {
  const std::string way = count > 1 ? words[1] : "";
  if (way == "iostream") std::ios::sync_with_stdio(false);
  std::atexit([] { std::puts("a handler ran"); });
  if (way == "throws") std::atexit([] { throw std::runtime_error("no"); });
  int* x = nullptr;
  cudaMalloc(&x, 4);
  if (way == "flushed") std::printf("before"), std::fflush(stdout);
  if (way == "iostream")
    std::cout << "before";
  else if (way != "flushed")
    std::printf(way == "finished" ? "before\n" : "before");
  write_kernel<<<1, 1>>>(x, way == "well" ? 0 : 1);
  cudaDeviceSynchronize();
  cudaFree(x);
}
