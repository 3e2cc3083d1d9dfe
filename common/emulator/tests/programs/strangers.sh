#!/usr/bin/env bash
# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
#
# What programs of others do that ours do not: each of these few lines stands for such programs.
# strangers.sh EMUCC
source "$(dirname "${BASH_SOURCE[0]}")/../expect.sh"
unset NO_COLOR COLUMNS
emucc=$1
mkdir "$scratch/folder" && cd "$scratch/folder" || exit 1
export EMUCC_QUIET=1
echo 'int main() {}' >empty.cu
[[ $("$emucc" --dryrun -c empty.cu 2>&1) == *clang* ]] && clang=1 || clang=0

# ---- A 0 is a null pointer where a pointer is wanted, and a number where not.
cat >zero.cu <<'END'
#include <cstdio>
__global__ void known(float* y, unsigned* none, int n) { y[n] += none == nullptr ? 1 : 100; }
template <class T> __global__ void deduced(T* y, unsigned* none, int n) { y[n] += none == nullptr ? 2 : 100; }
template <int N> __global__ void chosen(float* y, int n, unsigned* none) { y[n] += none == nullptr ? N : 100; }
int main() {
  float* d;
  cudaMalloc(&d, 4);
  cudaMemset(d, 0, 4);
  known<<<1, 1>>>(d, 0, 0);
  deduced<<<1, 1>>>(d, 0, 0);
  chosen<4><<<1, 1>>>(d, 0, 0);
  float h;
  cudaMemcpy(&h, d, 4, cudaMemcpyDefault);
  std::printf("sum %g\n", h);
  cudaFree(d);
}
END
ends 0 "$emucc" zero.cu -run
expect "sum 7"

# ---- A function that forgets its return is named when a kernel comes to its end, and when the host does.
cat >forgotten.cu <<'END'
#include <cstdlib>
__device__ int sign(int x) {
  if (x > 0) return 1;
}
__global__ void sign_kernel(int* y) { y[0] = sign(y[0]); }
bool all_right(int n) {
  for (int i = 0; i < n; ++i)
    if (i == 7) return false;
}
int main(int count, char** words) {
  if (count > 1) return all_right(std::atoi(words[1]));
  int* d;
  cudaMalloc(&d, 4);
  cudaMemset(d, 0, 4);
  sign_kernel<<<1, 1>>>(d);
  cudaFree(d);
}
END
ends 0 "$emucc" forgotten.cu -o forgotten
((clang)) && where=3 || where=2  # clang names the line of the call
ends 1 ./forgotten
expect "forgotten.cu:$where: error: a function ends without a return in kernel sign_kernel"
ends 1 ./forgotten 5
expect "forgotten.cu:6: error: a function ends without a return"
ends 0 ./forgotten 9

# ---- All status codes of cuRAND, as helper_cuda.h names them, and a constant of shared memory of processes.
cat >codes.cu <<'END'
#include <curand.h>
const char* name(curandStatus_t status) {
  switch (status) {
    case CURAND_STATUS_SUCCESS: case CURAND_STATUS_VERSION_MISMATCH: case CURAND_STATUS_NOT_INITIALIZED:
    case CURAND_STATUS_ALLOCATION_FAILED: case CURAND_STATUS_TYPE_ERROR: case CURAND_STATUS_OUT_OF_RANGE:
    case CURAND_STATUS_LENGTH_NOT_MULTIPLE: case CURAND_STATUS_DOUBLE_PRECISION_REQUIRED:
    case CURAND_STATUS_LAUNCH_FAILURE: case CURAND_STATUS_PREEXISTING_FAILURE:
    case CURAND_STATUS_INITIALIZATION_FAILED: case CURAND_STATUS_ARCH_MISMATCH: case CURAND_STATUS_INTERNAL_ERROR:
      return "known";
  }
  return nullptr;
}
int flags = cudaIpcMemLazyEnablePeerAccess;
END
ends 0 "$emucc" -c codes.cu

# ---- Headers that say nothing new are there; the others are refused by name, at the line that includes them.
for header in builtin_types.h sm_61_intrinsics.h device_atomic_functions.h math_functions.h crt/host_defines.h \
  cuda_texture_types.h vector_functions.hpp thrust/system/cuda/execution_policy.h; do echo "#include <$header>"; done >harmless.cu
cat >>harmless.cu <<'END'
#include <thrust/device_vector.h>
#include <thrust/reduce.h>
int main() {
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  thrust::device_vector<int> v(3, 5);
  const int sum = thrust::reduce(thrust::cuda::par.on(stream), v.begin(), v.end());
  cudaStreamDestroy(stream);
  return sum - 15;
}
END
ends 0 "$emucc" harmless.cu -run

refused() {  # HEADER WORDS
  printf '\n#include <%s>\nint main() {}\n' "$1" >refused.cu
  ends 1 "$emucc" refused.cu
  expect "refused.cu:2: error: <$1>: $2"
  expect_true "the first line says it" test "${output%%:*}" = refused.cu
  expect_true "no flood" test "$(wc -l <<<"$output")" -le 2
}
refused cub/block/block_radix_sort.cuh "of CUB there is <cub/cub.cuh>"
refused cuda/std/array "libcu++ is not emulated: use the standard header <array>"
refused npp.h "NPP is not emulated"
refused cudnn.h "cuDNN is not emulated"
refused cublasLt.h "cuBLASLt is not emulated: cublasGemmEx() of <cublas_v2.h> computes the product"
refused cuda_fp4.h "numbers of 6 and 4 bits are not emulated: use <cuda_fp8.h>"
refused thrust/system/cuda/memory.h "of Thrust's CUDA back end"
cp refused.cu refused.cpp
ends 1 "$emucc" refused.cpp
expect "refused.cpp:2: error: <thrust/system/cuda/memory.h>"

# A library that is asked for says the same.
ends 2 "$emucc" refused.cu -lcusparse
expect "the library cusparse (-lcusparse) is not part of the emulated device: cuSPARSE is not emulated: write the product"

# A toolkit of the distribution lies where the compiler looks by itself: here, in this folder.
mkdir -p usr/include/thrust
touch usr/include/cuda_runtime_api.h usr/include/thrust/version.h
echo 'struct char1 { int not_ours; };' >usr/include/vector_types.h
printf '#include <cuda_runtime.h>\n#include <usr/include/vector_types.h>\nint main() {}\n' >beside.cpp
cp beside.cpp beside.cu
for file in beside.cpp beside.cu; do
  ends 1 "$emucc" "-I$PWD" "$file"
  expect "$file:2: error: <vector_types.h>: this header of the CUDA toolkit"
  expect_no "redefinition"
done
# Its Thrust is the one that is used.
printf '#include <usr/include/thrust/version.h>\nint main() {}\n' >thrust.cu
ends 0 "$emucc" "-I$PWD" -c thrust.cu

# ---- __CUDA_ARCH__: the device gets its side of a file, and the host its own.
cat >arch.hpp <<'END'
#pragma once
#ifdef __CUDA_ARCH__
#define TABLE __constant__
#define HD __device__
#else
#define TABLE
#define HD
#endif
TABLE int table[2] = {
#ifdef __CUDA_ARCH__
    10, 20
#else
    1, 2
#endif
};
template <class T> struct scaled {
  T value;
  __host__ __device__ T get() const {
#if __CUDA_ARCH__ >= 350
    return 100 * value;
#else
    return value;
#endif
  }
};
END
cat >arch.cu <<'END'
#include <cstdio>
#include "arch.hpp"
#if __CUDA_ARCH__ < 600  // on the host, too: not defined is 0
__device__ double atomicAdd(double*, double) { return -1; }
#endif
#ifdef __CUDA_ARCH__
__device__ int of_device(int x) { asm("add.s32 %0, %0, 1000;" : "+r"(x)); return x; }
__device__ int twin(int x) {
#else
int twin(int x) {
#endif
  return x + 1;
}
__host__ __device__ constexpr int both(int x) {
#ifdef __CUDA_ARCH__
  return of_device(x);
#else
  return x;
#endif
}
HD int third(int x) { return x + table[1]; }
static_assert(both(3) == 3);
__global__ void k(double* y, int arch) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 700
  y[0] = both(1) + twin(1) + third(1) + scaled<int>{1}.get() + (__CUDA_ARCH__ == arch);
  atomicAdd(&y[1], 5.0);
#endif
}
template <class F> __global__ void apply(double* y, F f) { y[2] = f(); }
int main() {
  double *y, h[3];
  cudaMalloc(&y, sizeof h);
  cudaMemset(y, 0, sizeof h);
  cudaDeviceProp p;
  cudaGetDeviceProperties(&p, 0);
  k<<<1, 1>>>(y, 100 * p.major + 10 * p.minor);
  auto side = [] __host__ __device__ {
#ifdef __CUDA_ARCH__
    return 7;
#else
    return 8;
#endif
  };
  apply<<<1, 1>>>(y, side);
  cudaMemcpy(h, y, sizeof h, cudaMemcpyDefault);
  std::printf("device %g %g %g, host %d\n", h[0], h[1], h[2], both(1) + twin(1) + third(1) + scaled<int>{1}.get() + side());
  cudaFree(y);
}
END
ends 0 "$emucc" arch.cu -run
expect "device 1125 5 7, host 15"
expect_no warning
# A finding names the line of the device's side; what cannot be joined is said.

cat >arch.cu <<'END'
struct layout {
#ifdef __CUDA_ARCH__
  float first;
#else
  double first;
#endif
};
__host__ __device__ void set(float* y) {
#ifdef __CUDA_ARCH__
  y[1] = 1;
#else
  y[0] = 1;
#endif
}
__global__ void k(float* y) { set(y); }
int main() {
  float* y;
  cudaMalloc(&y, 4);
  k<<<1, 1>>>(y);
  cudaFree(y);
}
END
ends 1 "$emucc" arch.cu -run
expect "arch.cu:5: warning: __CUDA_ARCH__ changes more here than the body of a function: the host's declaration holds for both sides"
expect "arch.cu:10: error: access out of bounds"
# With a value of one's own, both sides get it.
attempt "$emucc" -D__CUDA_ARCH__=900 -c arch.cu
expect_no warning

# ---- The heap of kernels: its size is the program's to say, and what is left on it is a note.
cat >heap.cu <<'END'
#include <cstdio>
__global__ void heap_kernel() {
  void* mine = malloc(1 << 20);
  if (mine == nullptr) printf("no room\n");
}
int main() {
  cudaDeviceSetLimit(cudaLimitMallocHeapSize, 20 << 20);
  heap_kernel<<<1, 21>>>();
  cudaDeviceSynchronize();
}
END
# Clang takes it that memory is always there, and leaves the question out.
if ((!clang)); then
  EMULATOR_LEAKS=note ends 0 "$emucc" heap.cu -run
  expect_true "one thread finds no room" test "$(grep -c '^no room' <<<"$output")" = 1
  expect "heap.cu:3: note: 20971520 bytes of the heap of kernels were never freed (20 allocations)"
fi

# ---- Refusals begin with the program's own line, and show how it must be written today.
cat >old.cu <<'END'
__global__ void shuffle_kernel(int* x) {
  x[0] = __shfl_down(x[0], 16) + __shfl_down (x[1], 8);
  if (__all(x[0] > 0)) x[1] = 0;
}
int main() {
  cudaGraphicsGLRegisterBuffer(0, 0, 0);
}
END
ends 1 "$emucc" -c old.cu
expect_true "the first line is the program's" test "${output%%:*}" = old.cu
expect "old.cu:2: error: __shfl_down() does not say which lanes take part"
expect "write: x[0] = __shfl_down_sync(0xffffffff, x[0], 16) + __shfl_down_sync(0xffffffff, x[1], 8);"
expect "old.cu:3: note: where all 32 lanes take part, write: if (__all_sync(0xffffffff, x[0] > 0)) x[1] = 0;"
expect "old.cu:6: error: cudaGraphicsGLRegisterBuffer() is not emulated"
for word in removed.hpp static_assert "static assertion" instantiation; do expect_no "$word"; done
cat >reference.cu <<'END'
texture<uchar4, 2, cudaReadModeNormalizedFloat> picture;
__global__ void reference_kernel(float4* y) { y[0] = tex2D(picture, 1.5f, threadIdx.x + 0.5f); }
END
ends 1 "$emucc" -c reference.cu
expect "reference.cu:1: error: texture references left CUDA with version 12. Give the kernel a parameter, cudaTextureObject_t picture"
expect "reference.cu:2: error: write tex2D<float4>(picture, 1.5f, threadIdx.x + 0.5f), where picture is a"

# ---- What C++20 no longer admits and nvcc, which compiles as C++17, does.
cat >older.cu <<'END'
#include <cstdio>
template <class T> struct box {
  T value;
  box<T>(T v) : value(v) {}
  explicit box<T>();
  ~box<T>() {}
};
template <class T> box<T>::box<T>() : value(3) {}
int requires = 1;
const char* text = u8"old";
int main() {
  box<int> b, c(4);
  std::printf("%d %s\n", b.value + c.value + requires, text);
}
END
ends 0 "$emucc" older.cu -run
expect "8 old"
printf 'void f(int) throw(int);\nvoid f(int) throw(int) {}\n' >throws.cu
ends 0 "$emucc" -std=c++11 -c throws.cu
printf '#include <cuda_runtime.h>\n#include <cufft.h>\nint main() { register float* p; return cudaMalloc(&p, 0); }\n' >older.cpp
for standard in c++11 c++14 c++17; do
  ends 0 "$emucc" -std=$standard -c older.cpp
done

# ---- <chrono> of C++20 has a member ok(), which was no name when this macro was written. And products of cuBLAS whose
# way of computing is said with a type of data.
cat >ok.cu <<'END'
#include <cuda_runtime.h>
#define ok(call) if ((call) != cudaSuccess) return 1
#include <chrono>
#include <cstdio>
#include <cublas_v2.h>
#ifndef CUBLAS_API_H_
#error "helper_cuda.h of NVIDIA's samples asks by this name for cuBLAS's types"
#endif
int main() {
  float *d, one = 1, zero = 0, h[4] = {1, 2, 3, 4};
  const auto begin = std::chrono::steady_clock::now();
  ok(cudaMalloc(&d, 2 * sizeof h));
  ok(cudaMemcpy(d, h, sizeof h, cudaMemcpyDefault));
  cublasHandle_t handle;
  cublasCreate(&handle);
  cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, &one, d, CUDA_R_32F, 2, d, CUDA_R_32F, 2, &zero, d + 4,
               CUDA_R_32F, 2, CUDA_R_32F, CUBLAS_GEMM_DEFAULT);
  ok(cudaMemcpy(h, d + 4, sizeof h, cudaMemcpyDefault));
  cublasGemmStridedBatchedEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, 1, &one, d, CUDA_R_32F, 1, 1, d, CUDA_R_32F, 1, 1,
                             &zero, d + 4, CUDA_R_32F, 1, 1, 2, CUDA_R_32F, CUBLAS_GEMM_DEFAULT);
  ok(cudaMemcpy(h, d + 4, 2 * sizeof *h, cudaMemcpyDefault));
  std::printf("%g %g %g %g %d\n", h[0], h[1], h[2], h[3], std::chrono::steady_clock::now() < begin);
  cublasDestroy(handle);
  ok(cudaFree(d));
}
END
ends 0 "$emucc" ok.cu -run -lcublas
expect "1 4 15 22 0"

# ---- Writes of the same value are a note; different values are a race.
cat >same.cu <<'END'
#include <cstdio>
#include <cstdlib>
struct wide { double v[5]; };
__global__ void any_kernel(const int* x, int n, int* any) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && x[i] == 7) *any = 1;
}
__global__ void one_of_many_kernel(int n, int odd, wide* w) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const wide mine = {{1, 2, 3, 4, i == odd ? 6.0 : 5.0}};
  if (i < n) *w = mine;
}
__global__ void twice_kernel(int* x) { x[threadIdx.x] *= 2; }
int main(int, char** words) {
  const int n = 500;
  int *x, *any, h[n], found = 0;
  wide* w;
  cudaMalloc(&x, sizeof h);
  cudaMalloc(&any, sizeof *any);
  cudaMalloc(&w, sizeof *w);
  for (int i = 0; i < n; ++i) h[i] = i % 9;
  if (*words[1] != 'u') cudaMemcpy(x, h, sizeof h, cudaMemcpyHostToDevice);
  cudaMemset(any, 0, sizeof *any);
  if (*words[1] == 'u') twice_kernel<<<1, 64>>>(x);
  if (*words[1] == 'a') any_kernel<<<2, 256>>>(x, n, any);
  if (*words[1] == 'o') one_of_many_kernel<<<2, 256>>>(n, std::atoi(words[2]), w);
  cudaMemcpy(&found, any, sizeof found, cudaMemcpyDeviceToHost);
  std::printf("found %d\n", found);
  cudaFree(x), cudaFree(any), cudaFree(w);
}
END
attempt "$emucc" same.cu -o same
for order in forward reverse random:5; do
  ends 0 env EMULATOR_SAME_VALUE= EMULATOR_ORDER=$order ./same any
  expect "same.cu:6: note: race in kernel any_kernel"
  expect "(Both write the same value here. That is right only where no data can make the values differ.)"
  expect_true "the usual cause comes first" sh -c 'grep -n "Usual cause" -A 9 | grep -q "the same value here"' <<<"$output"
  expect "found 1"
  ends 0 env EMULATOR_SAME_VALUE= EMULATOR_ORDER=$order ./same one -1
  expect "note: race in kernel one_of_many_kernel"
  for odd in 0 77 300 499; do
    ends 1 env EMULATOR_SAME_VALUE= EMULATOR_ORDER=$order ./same one $odd
    expect "error: race in kernel one_of_many_kernel"
    ((clang)) || expect_no "the value that was there"  # clang writes in pieces, and some of them are the same
  done
done
ends 1 env EMULATOR_SAME_VALUE=error ./same any
expect "same.cu:6: error: race in kernel any_kernel"

# ---- A program goes on after reads of uninitialized memory where that is asked for.
ends 1 ./same unwritten
expect "same.cu:13: error: read of uninitialized memory"
ends 0 env EMULATOR_UNWRITTEN=note ./same unwritten
expect "same.cu:13: note: read of uninitialized memory in kernel twice_kernel"
expect "found 0"

# ---- Constant memory is zero where nothing was copied to it, and a program may count on that.
cat >zeros.cu <<'END'
#include <cuda_runtime.h>
#include <cstdio>
__constant__ float h[8];
__global__ void sum_kernel(float* y) {
  float sum = 0;
  for (int k = 0; k < 8; ++k)
    sum += h[k];
  *y = sum;
}
int main() {
  const float taps[] = {1, 2, 3};
  float* y;
  float sum;
  cudaMalloc(&y, sizeof *y);
  cudaMemcpyToSymbol(h, taps, sizeof taps);
  sum_kernel<<<1, 1>>>(y);
  sum_kernel<<<1, 1>>>(y);
  cudaMemcpy(&sum, y, sizeof sum, cudaMemcpyDeviceToHost);
  std::printf("sum %g\n", sum);
  cudaFree(y);
}
END
attempt "$emucc" zeros.cu -o zeros
ends 0 env EMULATOR_ZEROS= ./zeros
expect "zeros.cu:7: note: read of constant memory that nothing was copied to in kernel sum_kernel"
expect "h[3] in constant memory"
expect "cudaMemcpyToSymbol() at zeros.cu:15, wrote bytes 0 to 11"
expect "sum 6"
ends 1 env EMULATOR_ZEROS=error ./zeros
expect "zeros.cu:7: error: read of constant memory"

# ---- One block in 61 is checked where that is asked for: also the first ones and the last, which hang over.
cat >sample.cu <<'END'
#include <cstdio>
#include <cstdlib>
__device__ __noinline__ int rank(int i) {
  switch (i % 6) {
    case 0: return 3;
    case 1: return 1;
    case 2: return 4;
    case 3: return 1;
    case 4: return 5;
  }
  return i <= 5 ? 9 : rank(i - 6);
}
__global__ void sum_kernel(const int* x, int n, int* sum) {
  __shared__ int part[128];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  part[threadIdx.x] = x[i] * rank(i % 60);
  __syncthreads();
  for (int k = 64; k > 0; k /= 2) {
    if (threadIdx.x < k) part[threadIdx.x] += part[threadIdx.x + k];
    __syncthreads();
  }
  if (threadIdx.x == 0) atomicAdd(sum, part[0]);
}
__global__ void write_kernel(int* x, int n) { x[blockIdx.x * blockDim.x + threadIdx.x] = 1; }
int main(int, char** words) {
  const int n = 128 * 2000, missing = std::atoi(words[1]);
  int *x, *sum, h = 0;
  cudaMalloc(&x, (n - missing) * sizeof *x);
  cudaMalloc(&sum, sizeof *sum);
  cudaMemset(sum, 0, sizeof *sum);
  write_kernel<<<n / 128, 128>>>(x, n);  // what blocks have written that nobody has seen counts as written
  sum_kernel<<<n / 128, 128>>>(x, n, sum);
  cudaMemcpy(&h, sum, sizeof h, cudaMemcpyDefault);
  std::printf("sum %d\n", h);
  cudaFree(x), cudaFree(sum);
}
END
"$emucc" sample.cu -o sample
for check in 1 sample 0; do
  ends 0 env EMULATOR_CHECK=$check ./sample 0
  expect "sum 981327"
done
ends 1 env EMULATOR_CHECK=sample ./sample 1
expect "sample.cu:24: error: access out of bounds in kernel write_kernel"

# ---- Host code finds memory of the device in loops, lambdas and algorithms, too.
cat >loops.cu <<'END'
#include <algorithm>
#include <numeric>
#include <vector>
__device__ int variable[4];
float sum(const float* x, int n) {
  float s = 0;
  for (int i = 0; i < n; ++i) s += x[i];
  return s;
}
int main(int, char** words) {
  std::vector<float> h(100, 1);
  float* d;
  cudaMalloc(&d, 400);
  cudaMemset(d, 0, 400);
  const float* from = words[1][1] == 'd' ? d : h.data();
  float result = 0;
  if (words[1][0] == 'f') result = sum(from, 100);
  if (words[1][0] == 'l') result = [&] { return from[3]; }();
  if (words[1][0] == 'a') result = std::accumulate(from, from + 100, 0.0f);
  if (words[1][0] == 'v') result = variable[words[1][1] - '0'];
  cudaFree(d);
  return static_cast<int>(result) / 200;
}
END
"$emucc" -w loops.cu -o loops
for way in f:7 l:18 a:19; do
  ends 0 ./loops "${way%:*}h"
  ends 1 ./loops "${way%:*}d"
  expect "loops.cu:${way#*:}: error: device memory used in host code"
done
ends 1 ./loops v2
expect "loops.cu:20: error: variable of the device used in host code"

# ---- One of @p and @!p always holds. CUB brings the small types and <chrono> along.
cat >guards.cu <<'END'
#include <cstdio>
#include <cub/cub.cuh>
__global__ void k(const float* x, float* y, nv_bfloat16) {
  float a;
  asm("{ .reg .pred p; setp.ne.b32 p, %2, 0; @!p mov.b32 %0, 0; @p ld.global.nc.f32 %0, [%1]; }"
      : "=f"(a) : "l"(x), "r"(static_cast<int>(threadIdx.x)));
  y[threadIdx.x] = a;
}
int main() {
  float *d, h[2] = {7, 8};
  cudaMalloc(&d, sizeof h);
  cudaMemcpy(d, h, sizeof h, cudaMemcpyDefault);
  k<<<1, 2>>>(d + 1, d, nv_bfloat16(1.0f));
  cudaMemcpy(h, d, sizeof h, cudaMemcpyDefault);
  std::printf("%g %g\n", h[0], h[1] + std::chrono::seconds(1).count());
  cudaFree(d);
}
END
ends 0 "$emucc" guards.cu -run
expect "0 9"

# ---- A vector of the device takes what it holds from iterators of the host.
cat >vectors.cu <<'END'
#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
#include <thrust/reduce.h>
#include <list>
#include <vector>
int main() {
  std::vector<float> x(10, 1.0f);
  const float plain[3] = {1, 2, 3};
  const std::list<float> list(4, 2.0f);
  thrust::device_vector<float> a(x.begin(), x.end()), b(x), c(plain, plain + 3), d(list.begin(), list.end());
  thrust::device_vector<float> e = thrust::host_vector<float>(x.begin(), x.end()), f;
  f.assign(x.begin(), x.end());
  f.insert(f.end(), x.begin(), x.end());
  float sum = 0;
  for (const auto* v : {&a, &b, &c, &d, &e, &f}) sum += thrust::reduce(v->begin(), v->end());
  return sum - 64;
}
END
ends 0 "$emucc" -w vectors.cu -run
expect_no "host code"

# ---- cuRAND's generators of the host: its numbers, or a note that they are others.
cat >numbers.cu <<'END'
#include <curand.h>
#include <cstdio>
int main(int count, char**) {
  curandGenerator_t generator;
  curandCreateGenerator(&generator, count > 1 ? CURAND_RNG_PSEUDO_MT19937 : CURAND_RNG_PSEUDO_DEFAULT);
  curandSetPseudoRandomGeneratorSeed(generator, 1234ULL);
  float *d, h[2];
  cudaMalloc(&d, sizeof h);
  curandGenerateUniform(generator, d, count > 2 ? sizeof h : 2);
  cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
  std::printf("%.6f %.6f\n", h[0], h[1]);
  curandDestroyGenerator(generator);
  cudaFree(d);
}
END
ends 0 "$emucc" numbers.cu -o numbers -lcurand
ends 0 ./numbers
expect "0.145468 0.820181"
expect_no "note"
ends 0 ./numbers other
expect "numbers.cu:5: note: CURAND_RNG_PSEUDO_MT19937 has other random numbers here"
expect_no "0.145468"
ends 1 ./numbers other bytes
expect "numbers.cu:9: error: access out of bounds in curandGenerateUniform()"

# ---- A class of the host whose destructor is defined outside of it, with a loop.
cat >destructor.cu <<'END'
#include <cstdio>
struct counters {
  explicit counters(int n);
  ~counters();
  int* each;
  int n;
};
template <class T>
struct pairs {
  ~pairs();
  T sum{};
};
counters::counters(int n) : each(new int[n]), n(n) {
  for (int i = 0; i < n; ++i) each[i] = i;
}
counters::~counters() {
  int sum = 0;
  for (int i = 0; i < n; ++i) sum += each[i];
  std::printf("sum %d\n", sum);
  delete[] each;
}
template <class T>
pairs<T>::~pairs() {
  for (int i = 0; i < 4; ++i) sum += T(i);
  std::printf("pairs %g\n", double(sum));
}
int main() {
  counters all(10);
  pairs<float> two;
}
END
ends 0 "$emucc" destructor.cu -run
expect "sum 45"
expect "pairs 6"

# ---- Numbers of 16 and 8 bits as larger programs use them.
cat >small.cu <<'END'
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <cstdio>
__global__ void sums(const __half2* x, const __nv_bfloat162* y, float* out) {
  __half2 a = x[threadIdx.x];
  __nv_bfloat162 b = y[threadIdx.x];
  for (int distance = 16; distance > 0; distance /= 2) {
    a += __shfl_xor_sync(0xffffffffu, a, distance);
    b += __shfl_down_sync(0xffffffffu, b, distance);
  }
  if (threadIdx.x == 0) {
    out[0] = __low2float(a), out[1] = __high2float(a), out[2] = __low2float(b), out[3] = __high2float(b);
    out[4] = __half2float(htanh_approx(__half(0.5f))), out[5] = __high2float(h2tanh_approx(__half2(0, 20)));
  }
}
int main() {
  __half2 x[32];
  __nv_bfloat162 y[32];
  for (int i = 0; i < 32; ++i) x[i] = __floats2half2_rn(i, 1), y[i] = __floats2bfloat162_rn(2, i / 4);
  __half2* d_x;
  __nv_bfloat162* d_y;
  float *d, h[6];
  cudaMalloc(&d_x, sizeof x), cudaMalloc(&d_y, sizeof y), cudaMalloc(&d, sizeof h);
  cudaMemcpy(d_x, x, sizeof x, cudaMemcpyDefault), cudaMemcpy(d_y, y, sizeof y, cudaMemcpyDefault);
  sums<<<1, 32>>>(d_x, d_y, d);
  cudaMemcpy(h, d, sizeof h, cudaMemcpyDefault);
  std::printf("sums %g %g %g %g, tanh %.4f %g\n", h[0], h[1], h[2], h[3], h[4], h[5]);
  // 4097 lies halfway between two halves; 1 + 2^-9 is a half and no bfloat16.
  const __half of_bfloat(__nv_bfloat16(70000.0f)), of_other = static_cast<__half>(__nv_bfloat16(1.5f));
  const __nv_bfloat16 of_half(__half(1.001953125f));
  std::printf("converted %g %g %g\n", __half2float(of_bfloat), __half2float(of_other),
              __bfloat162float(of_half));
  const __nv_fp8x4_e4m3 four(__floats2bfloat162_rn(1, 2), __floats2bfloat162_rn(448, -0.5f));
  const __nv_fp8x2_e5m2 two(__floats2bfloat162_rn(1, -2));
  const float4 back(four);
  std::printf("eights %g %g %g %g, %x, %d %u %lld\n", back.x, back.y, back.z, back.w, two.__x,
              int(__nv_fp8_e4m3(5L)), unsigned(__nv_fp8_e5m2(8ull)),
              static_cast<long long>(__nv_fp8_e4m3(-3.5f)));
  cudaFree(d_x), cudaFree(d_y), cudaFree(d);
}
END
ends 0 "$emucc" small.cu -run
expect "sums 496 32 64 112, tanh 0.4622 1"
expect "converted inf 1.5 1"
expect "eights 1 2 448 -0.5, c03c, 5 8 -3"

# ---- Atomics that say their order and scope.
cat >scopes.cu <<'END'
#include <cstdio>
__device__ float most;
__device__ unsigned raised;
__global__ void largest(const float* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  auto* const bits = reinterpret_cast<unsigned*>(&most);
  unsigned old = __nv_atomic_load_n(bits, __NV_ATOMIC_RELAXED);
  while (x[i] > __uint_as_float(old) &&
         !__nv_atomic_compare_exchange_n(bits, &old, __float_as_uint(x[i]), true, __NV_ATOMIC_RELAXED,
                                         __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE)) {
  }
}
__global__ void all(int* sums, float* total, int* data) {
  __nv_atomic_fetch_add(&sums[0], 2, __NV_ATOMIC_RELAXED);
  __nv_atomic_add(total, 0.5f, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
  __nv_atomic_fetch_sub(&sums[1], 1, __NV_ATOMIC_RELAXED);
  __nv_atomic_fetch_max(&sums[2], int(threadIdx.x), __NV_ATOMIC_RELAXED);
  __nv_atomic_min(&sums[3], -int(threadIdx.x), __NV_ATOMIC_RELAXED);
  __nv_atomic_fetch_or(&sums[4], 1 << threadIdx.x % 8, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_BLOCK);
  __nv_atomic_store_n(&sums[5], 9, __NV_ATOMIC_RELAXED);
  int one = 1, was;
  __nv_atomic_exchange(&sums[6], &one, &was, __NV_ATOMIC_ACQ_REL);
  // The first thread of block 0 hands data on to block 1.
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    *data = 5;
    __nv_atomic_store_n(&raised, 1u, __NV_ATOMIC_RELEASE);
  }
  if (blockIdx.x == 1 && threadIdx.x == 0 && __nv_atomic_load_n(&raised, __NV_ATOMIC_ACQUIRE) == 1)
    sums[7] = *data;
}
int main() {
  float x[100], *d, got;
  int sums[8] = {}, *d_sums;
  for (int i = 0; i < 100; ++i) x[i] = (i * 37) % 101;
  cudaMalloc(&d, sizeof x), cudaMalloc(&d_sums, sizeof sums + 4);
  cudaMemcpy(d, x, sizeof x, cudaMemcpyDefault), cudaMemcpy(d_sums, sums, sizeof sums, cudaMemcpyDefault);
  largest<<<4, 32>>>(d, 100);
  cudaMemcpyFromSymbol(&got, most, sizeof got);
  cudaMemset(d, 0, sizeof x);
  all<<<2, 32>>>(d_sums, d, d_sums + 8);
  cudaMemcpy(sums, d_sums, sizeof sums, cudaMemcpyDefault);
  std::printf("largest %g, sums", got);
  for (const int each : sums) std::printf(" %d", each);
  cudaMemcpy(&got, d, sizeof got, cudaMemcpyDefault);
  std::printf(" and %g\n", got);
  cudaFree(d), cudaFree(d_sums);
}
END
ends 0 env EMULATOR_THREADS=1 "$emucc" scopes.cu -run
expect "largest 100, sums 128 -64 31 -31 255 9 1 5 and 32"

# ---- Operators of CUB, and Thrust's policies as its own header has them.
cat >policies.cu <<'END'
#include <cub/cub.cuh>
#include <cstdio>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/reduce.h>
using entry = cub::KeyValuePair<int, float>;
__global__ void most_likely(const float* x, int* place) {
  using reduce = cub::BlockReduce<entry, 64>;
  __shared__ typename reduce::TempStorage temp;
  const entry best = reduce(temp).Reduce(entry(threadIdx.x, x[threadIdx.x]), cub::ArgMax());
  __syncthreads();
  const entry least = reduce(temp).Reduce(entry(threadIdx.x, x[threadIdx.x]), cub::ArgMin());
  if (threadIdx.x == 0) place[0] = best.key, place[1] = least.key;
}
int main() {
  thrust::device_vector<float> x(64, 1);
  thrust::device_vector<int> place(2);
  x[20] = x[30] = 5, x[40] = x[50] = -5;
  most_likely<<<1, 64>>>(thrust::raw_pointer_cast(x.data()), thrust::raw_pointer_cast(place.data()));
  std::printf("most %d, least %d, sum %g\n", int(place[0]), int(place[1]),
              thrust::reduce(thrust::cuda::par_nosync.on(0), x.begin(), x.end()));
}
END
ends 0 "$emucc" policies.cu -run
expect "most 20, least 40, sum 60"

# ---- Variables that are made of a template by use.
cat >made.cu <<'END'
#include <cstdio>
template <typename T>
__constant__ T weights[4];
namespace parts {
template <int N, class T = float>
__device__ T sums[N];
template <>
__device__ float sums<7, float>[7];
}  // namespace parts
template <typename T>
__global__ void weigh(T* y) {
  y[threadIdx.x] = weights<T>[threadIdx.x] * 2;
}
template <int N>
__global__ void add() {
  atomicAdd(&parts::sums<N>[threadIdx.x % N], 1.0f);
}
template <typename T>
void run() {
  T h[4] = {1, 2, 3, 4}, *d, got[4];
  cudaMalloc(&d, sizeof h);
  cudaMemcpyToSymbol(weights<T>, h, sizeof h);
  weigh<T><<<1, 4>>>(d);
  cudaMemcpy(got, d, sizeof h, cudaMemcpyDefault);
  std::printf("%g %g\n", double(got[0]), double(got[3]));
  cudaFree(d);
}
template <int N>
void count() {
  float h[N];
  add<N><<<1, 32>>>();
  cudaMemcpyFromSymbol(h, parts::sums<N>, sizeof h);
  std::printf("%g %g\n", h[0], h[N - 1]);
}
int main() {
  run<float>();
  run<int>();
  count<3>();
  count<7>();
}
END
ends 0 "$emucc" made.cu -run
expect "2 8
2 8
11 10
5 4"

# ---- In a toolkit, Thrust's headers bring its policies along, and a few algorithms.
cat >along.cu <<'END'
#include <thrust/sort.h>
#include <cstdio>
int main() {
  int *d, h[5] = {3, 1, 4, 1, 5};
  cudaMalloc(&d, sizeof h);
  cudaMemcpy(d, h, sizeof h, cudaMemcpyDefault);
  thrust::sort(thrust::device, d, d + 5);
  const auto least = thrust::min_element(thrust::device, d, d + 5);
  cudaMemcpy(h, d, sizeof h, cudaMemcpyDefault);
  std::printf("%d %d %d, %d\n", h[0], h[2], h[4], int(least - d));
  cudaFree(d);
}
END
ends 0 "$emucc" along.cu -MD -c
ends 0 "$emucc" along.cu -run
expect "1 3 5, 0"

# ---- A number that does not fit its place in braces is a warning in device code, as with nvcc.
cat >narrow.cu <<'END'
#include <cstdio>
__global__ void shade(uchar4* pixels, float depth) {
  uchar4 pixel = {depth > 255 ? 255 : depth, 7.0, 0, 1.0};
  pixels[threadIdx.x] = pixel;
}
int main() {
  uchar4 *d, h;
  cudaMalloc(&d, sizeof h);
  shade<<<1, 1>>>(d, 12.75f);
  cudaMemcpy(&h, d, sizeof h, cudaMemcpyDefault);
  std::printf("pixel %d %d %d %d\n", h.x, h.y, h.z, h.w);
  cudaFree(d);
}
END
ends 0 "$emucc" narrow.cu -run
expect "narrow.cu:3: warning: "
expect "pixel 12 7 0 1"

finish
