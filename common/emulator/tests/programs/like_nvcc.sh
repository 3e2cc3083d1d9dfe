#!/usr/bin/env bash
# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
#
# What nvcc refuses in a kernel file, and g++ would take; and what nvcc takes:  like_nvcc.sh EMUCC
# Where there is an nvcc, it is asked, too, and for the texts of all errors.
source "$(dirname "${BASH_SOURCE[0]}")/../expect.sh"
unset NO_COLOR COLUMNS
emucc=$1
nvcc=${CUDACXX:-$(PATH=$PATH:/usr/local/cuda/bin command -v nvcc)}
mkdir "$scratch/folder" && cd "$scratch/folder" || exit 1
export EMUCC_QUIET=1

: >empty.cu
# Code, and what emucc must say of it.
cat >refused <<'END_OF_REFUSED'
template <class T> __global__ void k(T* x) { extern __shared__ T a[]; x[0] = a[0]; } int main() { k<<<1, 1>>>((float*)0); k<<<1, 1>>>((double*)0); } | conflicting declaration
__global__ void k(float* x) { extern __shared__ float a[]; x[0] = a[0]; } __global__ void j(int* x) { extern __shared__ int a[]; x[0] = a[0]; } | conflicting declaration
__device__ float f() { extern __shared__ float a[]; return a[0]; } __global__ void k(double* x) { extern __shared__ double a[]; x[0] = a[0] + f(); } | conflicting declaration
extern __shared__ float a[]; __global__ void k(int* x) { extern __shared__ int a[]; x[0] = a[0]; } | conflicting declaration
__global__ void k(float* x, int n) { float a[n]; a[0] = 1; x[0] = a[0]; } | the size of an array must be constant in device code, and n is not
__device__ float f(int n) { float a[2][n + 1]; a[0][0] = 1; return a[0][0]; } | and n is not
__global__ void k(float* x) { float a[warpSize]; a[0] = 1; x[0] = a[0]; } | and warpSize is not
__global__ void k(float* x) { float a[blockDim.x]; a[0] = 1; x[0] = a[0]; } | and blockDim is not
__global__ void k(float* x) { thread_local int s = 0; x[0] = s; } | thread_local is not for functions of the device
__global__ void k() noexcept {} | a kernel cannot be noexcept
__global__ void k(int n, ...) {} | a kernel cannot have arguments without parameters
__global__ void k(int&& n) {} | a kernel cannot have a parameter that is a reference
class S { friend __global__ void k(S s) {} }; | is not for a function that a friend declaration defines
int main() { return __popc(3); } | main() calls __popc(), which is for device code
float f(float x) { return __sinf(x); } | f() calls __sinf(), which is for device code
int f(float x) { return __float_as_int(x); } | f() calls __float_as_int(), which is for device code
float f(const float* x) { return __ldg(x); } | f() calls __ldg(), which is for device code
#include <vector>@__global__ void k(float* x) { std::vector<float> v(3); x[0] = v[0]; } | kernel k uses std::vector, which is the host's
#include <string>@__global__ void k(float* x) { std::string s; x[0] = 1; } | kernel k uses std::string, which is the host's
END_OF_REFUSED
# Words of the compiler itself: g++'s, and clang's.
[[ $("$emucc" --dryrun -c empty.cu 2>&1) == *clang* ]] && clang=1 || clang=0
while IFS= read -r line; do
  if ((clang)); then line=${line/%conflicting declaration/with a different type}; fi
  code=${line% | *}
  printf '%s\n' "${code//@/$'\n'}" >k.cu
  attempt "$emucc" -std=c++20 -c k.cu
  [[ $status != 0 && $output == *"${line##* | }"* ]] || complain "emucc should refuse: $code"
  [[ $output != *"internal"* ]] || complain "no word about the compiler's own: $code"
  [[ -z $nvcc ]] || ! "$nvcc" -std=c++20 -arch=sm_90 -c k.cu -o k.o >/dev/null 2>&1 || complain "nvcc takes: $code"
done <refused

cat >taken.cu <<'END_OF_TAKEN'
#include <span>
#include <vector>
extern __shared__ float everywhere[];
__global__ void of_file(float* x) { x[0] = everywhere[0]; }
__global__ void of_both(float* x) { extern __shared__ float everywhere[]; x[0] = everywhere[0]; }
namespace p { __global__ void k(float* x) { extern __shared__ float a[]; x[0] = a[0]; } }
namespace q { __global__ void j(int* x) { extern __shared__ int a[]; x[0] = a[0]; } }
__global__ void same(float* x) { extern __shared__ float b[]; x[0] = b[0]; }
__global__ void same_again(float* x) { extern __shared__ float b[]; x[0] = b[1]; }
using number = float;
__global__ void by_another_name(number* x) { extern __shared__ number b[]; x[0] = b[2]; }
__global__ void aligned(float4* x) { extern __shared__ __align__(16) float4 c[]; x[0] = c[0]; }
template <class T> __global__ void raw(T* x) { extern __shared__ char d[]; x[0] = reinterpret_cast<T*>(d)[0]; }
__global__ void parameter(float* e) { extern __shared__ float f[]; e[0] = f[0]; }
__global__ void parameters(float* f) { extern __shared__ float e[]; f[0] = e[0]; }
template <int N> __global__ void sized(float* x, int n) {
  const int m = 4;
  constexpr int k = 3;
  float a[N], b[m], c[2][k + 1], d[sizeof(n)];
  a[0] = b[0] = c[0][0] = d[0] = 1;
  if (n > 0) x[n] = a[0]; else x[n - 1] = b[0];
  do x[n] = c[0][0]; while (n < 0);
  auto get = [n](int i) { return i + n; };
  const auto [first, n_too] = make_int2(n, 2);
  x[0] = get(first + n_too) + d[0];
  delete[] x;
}
template <class... T> __global__ void pack(T... values) {}
template <class... T> __global__ void unnamed_pack(T...) {}
__device__ void forwards(int&& x) { x = 1; }
__device__ int sizes(const std::vector<int>* v, std::span<int>) { return sizeof(std::vector<int>) + (v == nullptr); }
__global__ void bits(long long* x) { atomicOr(x, 3ll); atomicAnd(x, 1ll); atomicXor(x, 2ll); }
int on_host(int n) {
  std::vector<float> v(n);
  thread_local int calls = 0;
  return ++calls + static_cast<int>(v.size());
}
int main() {
  raw<<<1, 1>>>((float*)0);
  raw<<<1, 1>>>((double*)0);
  sized<3><<<1, 1>>>(nullptr, 1);
  pack<<<1, 1>>>(1, 2.0);
  unnamed_pack<<<1, 1>>>(1, 2.0);
}
END_OF_TAKEN
ends 0 "$emucc" -std=c++20 -c taken.cu
if [[ -n $nvcc ]]; then
  ends 0 "$nvcc" -std=c++20 -arch=sm_90 -c taken.cu -o taken.o
  cat >texts.cpp <<'END_OF_TEXTS'
#include <cuda_runtime.h>
#include <cstdio>
int main() {
  for (int i = 0; i <= 10000; ++i)
    std::printf("%d %s: %s\n", i, cudaGetErrorName(cudaError_t(i)), cudaGetErrorString(cudaError_t(i)));
}
END_OF_TEXTS
  "$emucc" texts.cpp -o here && ./here >here.txt
  "$nvcc" texts.cpp -o there && ./there >there.txt
  # Another toolkit may not know the newest ones.
  attempt comm -13 <(sort there.txt) <(grep -Ff <(grep -v unrecognized there.txt | sed 's/:.*/:/') here.txt | sort)
  expect_true "the texts are CUDA's" test -z "$output"
else
  echo "There is no nvcc on this machine: only emucc was asked."
fi
finish
