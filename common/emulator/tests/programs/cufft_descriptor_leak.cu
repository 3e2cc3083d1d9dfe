// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Ends without freeing memory in two parts, when called with an argument. One device is both.
#include <cufftXt.h>

int main(int count, char**) {
  cufftHandle plan = 0;
  int devices[2] = {0, 0};
  std::size_t work[2];
  cudaLibXtDesc* memory = nullptr;
  if (cufftCreate(&plan) != CUFFT_SUCCESS || cufftXtSetGPUs(plan, 2, devices) != CUFFT_SUCCESS ||
      cufftMakePlan1d(plan, 64, CUFFT_C2C, 1, work) != CUFFT_SUCCESS ||
      cufftXtMalloc(plan, &memory, CUFFT_XT_FORMAT_INPLACE) != CUFFT_SUCCESS)
    return 3;
  if (count == 1) cufftXtFree(memory);
  cufftDestroy(plan);
}
