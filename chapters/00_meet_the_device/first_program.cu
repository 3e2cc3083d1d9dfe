// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// A complete CUDA program: a recording goes to the device, is made half as loud there, and comes back.
#include <cstdio>
#include <cstdlib>
#include <vector>

/// Ends the program if CUDA refused something.
void check(cudaError_t status) {
  if (status == cudaSuccess) return;
  std::printf("error: %s\n", cudaGetErrorString(status));
  std::exit(1);
}

/// y[i] = x[i] / 2, one thread per element.
__global__ void halve_kernel(const float* x, float* y, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= size) return;
  y[i] = 0.5f * x[i];
}

int main() {
  const int size = 1000;
  const std::size_t bytes = size * sizeof(float);
  std::vector<float> x(size, 3.0f), y(size);  // in the host's memory

  float *d_x = nullptr, *d_y = nullptr;  // will point to the device's memory
  check(cudaMalloc(&d_x, bytes));
  check(cudaMalloc(&d_y, bytes));
  check(cudaMemcpy(d_x, x.data(), bytes, cudaMemcpyHostToDevice));

  const int threads = 256;
  const int blocks = (size + threads - 1) / threads;
  halve_kernel<<<blocks, threads>>>(d_x, d_y, size);
  check(cudaGetLastError());       // was the launch accepted?
  check(cudaDeviceSynchronize());  // did it run to its end?

  check(cudaMemcpy(y.data(), d_y, bytes, cudaMemcpyDeviceToHost));
  check(cudaFree(d_x));
  check(cudaFree(d_y));
  std::printf("y[0] = %g, y[%d] = %g\n", y[0], size - 1, y[size - 1]);
}
