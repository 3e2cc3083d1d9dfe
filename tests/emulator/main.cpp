// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include <cuda_runtime_api.h>

#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

int main(int count, char** words) {
  const int status = doctest::Context(count, words).run();
  // Tests provoke failures and compare codes: the device, which cannot see that, is told.
  cudaGetLastError();
  return status;
}
