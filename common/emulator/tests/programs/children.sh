#!/usr/bin/env bash
# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
#
# Kernels that launch kernels.  children.sh EMUCC
source "$(dirname "${BASH_SOURCE[0]}")/../expect.sh"
unset NO_COLOR COLUMNS
emucc=$1
mkdir "$scratch/folder" && cd "$scratch/folder" || exit 1
export EMUCC_QUIET=1

# ---- Children begin when their parent has ended, by the order of its blocks; what is for the tail comes last.
cat >order.cu <<'END'
#include <cstdio>
__global__ void add_kernel(int* y, int n, int by) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = 3 * y[i] + by;
}
__global__ void halves_kernel(int* y, int n) {
  if (n <= 4) {
    add_kernel<<<1, n>>>(y, n, 1);
    return;
  }
  halves_kernel<<<1, 1>>>(y, n / 2);
  halves_kernel<<<1, 1>>>(y + n / 2, n - n / 2);
}
template <class T> __global__ void sum_kernel(const T* y, int n) {
  T sum = 0;
  for (int i = 0; i < n; ++i) sum += y[i];
  printf("sum %d\n", sum);
}
__global__ void parent_kernel(int* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x == 0) {
    if (blockIdx.x == 0) sum_kernel<<<1, 1, 0, cudaStreamTailLaunch>>>(y, n);
    cudaStream_t stream;
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    add_kernel<<<1, 32, 0, stream>>>(y + 32 * blockIdx.x, 32, blockIdx.x);
    add_kernel<<<1, 32, 0, stream>>>(y + 32 * blockIdx.x, 32, 1);
    cudaStreamDestroy(stream);
  }
  y[i] = 10;
  if (threadIdx.x == 0) printf("parent %d\n", blockIdx.x);
}
int main() {
  int *y, h[100];
  cudaMalloc(&y, sizeof h);
  cudaMemset(y, 0, sizeof h);
  halves_kernel<<<1, 1>>>(y, 100);
  cudaMemcpy(h, y, sizeof h, cudaMemcpyDeviceToHost);
  int ones = 0;
  for (int value : h) ones += value == 1;
  printf("ones %d\n", ones);
  parent_kernel<<<3, 32>>>(y, 96);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(y);
}
END
ends 0 "$emucc" -rdc=true order.cu -o order
for order in forward reverse random:3; do
  ends 0 env EMULATOR_ORDER=$order ./order
  expect "ones 100"
  # 9 * 10 + 3 * block + 1
  expect $'\nsum 9024\nno error'
done
# As with nvcc, it needs an option.
ends 1 "$emucc" -c order.cu
expect "order.cu:8: error: kernel halves_kernel launches a kernel: this needs the option -rdc=true, as with nvcc"

# ---- What a child may not do is found in it. What it will write is not there for its parent.
cat >wrong.cu <<'END'
__global__ void child_kernel(int* y, int i) { y[i] = 1; }
__global__ void beyond_kernel(int* y) { child_kernel<<<1, 1>>>(y, 4); }
__global__ void shared_kernel() {
  __shared__ int mine[1];
  child_kernel<<<1, 1>>>(mine, 0);
}
__global__ void early_kernel(int* y) {
  child_kernel<<<1, 1>>>(y, 0);
  y[1] = y[0];
}
int main(int, char** words) {
  int* y;
  cudaMalloc(&y, 4 * sizeof *y);
  if (*words[1] == 'b') beyond_kernel<<<1, 1>>>(y);
  if (*words[1] == 's') shared_kernel<<<1, 1>>>();
  if (*words[1] == 'e') early_kernel<<<1, 1>>>(y);
  cudaFree(y);
}
END
ends 0 "$emucc" -rdc=true wrong.cu -o wrong
ends 1 ./wrong beyond
expect "wrong.cu:1: error: access out of bounds in kernel child_kernel"
expect "y[4] in global memory (y has 4 elements"
ends 1 ./wrong shared
expect "wrong.cu:1: error:"
expect "in kernel child_kernel"
ends 1 ./wrong early
expect "wrong.cu:9: error: read of uninitialized memory in kernel early_kernel"

# ---- Errors are for the thread that launches. There are 24 levels. cudaMalloc() takes from the heap of kernels.
cat >errors.cu <<'END'
#include <cstdio>
__global__ void deep_kernel(int level) {
  deep_kernel<<<1, 1>>>(level + 1);
  const cudaError_t error = cudaGetLastError();
  if (error != cudaSuccess) printf("level %d: %s\n", level, cudaGetErrorName(error));
}
__global__ void wide_kernel() {
  deep_kernel<<<1, 2000>>>(0);
  printf("%s\n", cudaGetErrorName(cudaGetLastError()));
}
__global__ void use_kernel(int* mine) {
  mine[threadIdx.x] = threadIdx.x;
  __syncthreads();
  if (threadIdx.x == 0) {
    printf("%d\n", mine[31]);
    cudaFree(mine);
  }
}
__global__ void malloc_kernel() {
  int* mine;
  if (cudaMalloc(&mine, 32 * sizeof *mine) == cudaSuccess) use_kernel<<<1, 32>>>(mine);
}
int main() {
  deep_kernel<<<1, 1>>>(0);
  wide_kernel<<<1, 1>>>();
  malloc_kernel<<<1, 1>>>();
  cudaDeviceSynchronize();
}
END
ends 0 "$emucc" -rdc=true errors.cu -run
expect $'level 24: cudaErrorLaunchMaxDepthExceeded\ncudaErrorInvalidConfiguration\n31'

# ---- Waiting for children left CUDA.
cat >waits.cu <<'END'
__global__ void child_kernel(int* y) { y[0] = 1; }
__global__ void waiting_kernel(int* y) {
  child_kernel<<<1, 1>>>(y);
  cudaDeviceSynchronize();
  cudaMemset(y, 0, 4);
}
int main() {}
END
ends 1 "$emucc" -rdc=true -c waits.cu
expect "waits.cu:4: error: kernel waiting_kernel calls cudaDeviceSynchronize(): since CUDA 12 a kernel cannot wait"
expect "waits.cu:5: error: kernel waiting_kernel calls cudaMemset(): only the host can call the runtime"

finish
