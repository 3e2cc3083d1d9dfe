// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Ends without destroying its plan, when called with one argument; with two, it transforms more than there
// is.
#include <cufft.h>

int main(int count, char**) {
  float* x = nullptr;
  cufftHandle plan = 0;
  if (cudaMalloc(&x, 2 * 1002 * sizeof(float)) != cudaSuccess) return 3;
  if (cufftPlan1d(&plan, 1000, CUFFT_R2C, 2) != CUFFT_SUCCESS) return 3;
  cudaMemset(x, 0, 2 * 1002 * sizeof(float));
  auto* const y = reinterpret_cast<cufftComplex*>(x);
  if (cufftExecR2C(plan, x, y) != CUFFT_SUCCESS) return 3;
  if (count == 3) cufftExecR2C(plan, x + 2, y + 1);
  cudaFree(x);
  if (count == 1) cufftDestroy(plan);
}
