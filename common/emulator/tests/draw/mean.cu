// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
//
// A tile with a halo, for pictures: block 2 of its three is the last one.
__global__ void mean_kernel(const float* x, int n, float* y) {
  __shared__ float tile[18];
  const int begin = blockIdx.x * 16 - 1;
  for (int j = threadIdx.x; j < 18; j += 16) tile[j] = 0 <= begin + j && begin + j < n ? x[begin + j] : 0;
  __syncthreads();
  const int i = blockIdx.x * 16 + threadIdx.x;
  if (i < n) y[i] = (tile[threadIdx.x] + tile[threadIdx.x + 1] + tile[threadIdx.x + 2]) / 3;
}
__global__ void zero_kernel(float* y) { y[threadIdx.x] = 0; }
int main(int count, char**) {
  if (count > 1) return 3;
  float *x, *y;
  cudaMalloc(&x, 160);
  cudaMalloc(&y, 160);
  cudaMemset(x, 0, 160);
  zero_kernel<<<1, 40>>>(y);
  mean_kernel<<<3, 16>>>(x, 40, y);
  cudaFree(x);
  cudaFree(y);
}
