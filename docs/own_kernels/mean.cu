// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include <cmath>
#include <cstdio>
#include <vector>

constexpr int threads = 64;  // in a block

// y[n] is the mean of x[n - 1], x[n] and x[n + 1]; samples outside are 0.
__global__ void mean_kernel(const float* x, int length, float* y) {
  __shared__ float tile[threads + 2];  // tile[i] == x[begin + i]
  const int begin = blockIdx.x * threads - 1;
  for (int i = threadIdx.x; i < threads + 2; i += threads) {
    const int n = begin + i;
    tile[i] = 0 <= n && n < length ? x[n] : 0;
  }
  __syncthreads();  // between writing tile[i] and reading what other threads wrote
  const int n = blockIdx.x * threads + threadIdx.x;
  if (n >= length) return;
  y[n] = (tile[threadIdx.x] + tile[threadIdx.x + 1] + tile[threadIdx.x + 2]) / 3;
}

int main() {
  const int length = 1000;
  std::vector<float> x(length), y(length);
  for (int n = 0; n < length; ++n) x[n] = std::sin(0.1f * n);

  float *d_x, *d_y;
  cudaMalloc(&d_x, length * sizeof(float));
  cudaMalloc(&d_y, length * sizeof(float));
  cudaMemcpy(d_x, x.data(), length * sizeof(float), cudaMemcpyHostToDevice);
  mean_kernel<<<(length + threads - 1) / threads, threads>>>(d_x, length, d_y);
  cudaMemcpy(y.data(), d_y, length * sizeof(float), cudaMemcpyDeviceToHost);

  float worst = 0;
  for (int n = 0; n < length; ++n) {
    const float left = n > 0 ? x[n - 1] : 0, right = n + 1 < length ? x[n + 1] : 0;
    worst = std::fmax(worst, std::fabs(y[n] - (left + x[n] + right) / 3));
  }
  cudaFree(d_x);
  cudaFree(d_y);
  std::printf("%d means, worst error %g\n", length, worst);
  return worst > 1e-6f;
}
