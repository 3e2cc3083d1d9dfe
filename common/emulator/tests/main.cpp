// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#define DOCTEST_CONFIG_IMPLEMENT
#include "emulator_test.hpp"

void in_all_orders(const std::function<void()>& work) {
  for (const char* order : {"forward", "reverse", "random:1", "random:2", "random:12345678901"}) {
    for (const int threads : {1, 3}) {
      CAPTURE(order);
      CAPTURE(threads);
      REQUIRE(cuda_emulator::set_order(order));
      cuda_emulator::set_threads(threads);
      work();
    }
  }
  cuda_emulator::set_order("forward");
  cuda_emulator::set_threads(2);
}

int main(int count, char** words) {
  const int status = doctest::Context(count, words).run();
  // Tests provoke failures and compare codes: the device, which cannot see that, is told.
  cudaGetLastError();
  return status;
}
