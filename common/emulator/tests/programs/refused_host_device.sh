#!/usr/bin/env bash
# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
#
# Host and device code that use each other are refused or warned of, by emucc as by nvcc:  refused_host_device.sh
# EMUCC
set -uo pipefail

emucc=${1:?usage: refused_host_device.sh EMUCC}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/a – b" && cd "$folder/a – b" || exit 1  # clang writes such names in numbers
failed=0
wrong() {
  echo "refused_host_device.sh: $1" >&2
  sed 's/^/  | /' said >&2
  failed=1
}
# try STATUS OPTION...: compiles, and keeps what is said
try() {
  local expected=$1 status
  shift
  "$emucc" "$@" -c k.cu -o k.o >said 2>&1
  status=$?
  ((status == expected)) || wrong "emucc $* ends with status $status, not $expected"
}
says() { grep -qF -- "$1" said || wrong "it does not say '$1'"; }

# Headers of the program are part of it, those of the system are not.
cat >host.cuh <<'END'
#pragma once
inline float scaled(float x) { return 2 * x; }
#ifdef __CUDA_ARCH__
#define LOG(x)
#else
#define LOG(x) std::printf("%g\n", x)
#endif
END
cat >k.cu <<'END'
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include "host.cuh"
float limit = 3;
__device__ float twice(float x) { return 2 * x; }
__global__ void child(float* x) { x[0] = 1; }
__global__ void k(float* x) {
  x[0] = scaled(x[0]);
  x[1] = limit + std::sqrt(x[1]) + fmaxf(x[0], 1.0f);
  x[2] = std::rand();
  cudaMalloc(&x, 4);
  child<<<1, 1>>>(x);
  if (x[0] > 3) throw 3;
}
int main() {
  float* x = nullptr;
  twice(3);
  k(x);
  __syncthreads();
}
END
try 1
says "k.cu:10: error: kernel k calls scaled(), a function of the host"
says "k.cu:11: error: kernel k uses limit, a variable of the host"
says "k.cu:12: error: kernel k calls rand(), which a GPU does not have"
says "k.cu:13: error: kernel k calls cudaMalloc(): only the host can call the runtime"
says "k.cu:14: error: kernel k launches a kernel"
says "k.cu:15: error: kernel k uses exceptions"
says "k.cu:19: error: main() calls twice(), a function of the device"
says "k.cu:20: error: k() is a kernel: launch it with k<<<blocks, threads>>>(...)"
says "k.cu:21: error: main() calls __syncthreads(), which is for device code"
(($(grep -c error: said) == 9)) || wrong "it says something else, too"

# Warnings are shown, silenced and made errors as those of the compiler.
cat >k.cu <<'END'
__constant__ float taps[4];
__global__ void k(float* x) { x[0] = taps[0]; }
int main() { taps[0] = 3; }
END
try 0
says "k.cu:3: warning: main() writes taps, a __constant__ variable"
try 0 -w
[[ ! -s said ]] || wrong "-w does not silence it"
try 1 -Werror all-warnings
says "k.cu:3: warning: main() writes taps"

# Constexpr functions of the host, unless the option is given.
cat >k.cu <<'END'
#include <algorithm>
#include <array>
#include <limits>
constexpr int own(int x) { return x + 1; }
__global__ void k(float* x) {
  x[0] = std::clamp(x[0], 0.0f, 1.0f);
  x[1] = std::numeric_limits<float>::infinity();
  std::array<float, 2> v{};
  v.fill(own(2));
  x[2] = v[1] + std::max({1, 2, 3});
}
int main() { k<<<1, 1>>>(nullptr); }
END
try 1
says "k.cu:6: error: kernel k calls std::clamp(), a constexpr function of the host: use CUDA's min() and max(), or"
says "k.cu:7: error: kernel k calls std::numeric_limits<float>::infinity(), a constexpr function of the host"
says "k.cu:9: error: kernel k calls own(), a constexpr function of the host: declare it __device__, or"
says "k.cu:9: error: kernel k calls fill() of std::array"
says "k.cu:10: error: kernel k calls operator[] of std::array, a constexpr function of the host: use a plain array"
says "k.cu:10: error: kernel k calls std::max(), a constexpr function of the host"
(($(grep -c error: said) == 6)) || wrong "it says something else, too"
try 0 --expt-relaxed-constexpr
[[ ! -s said ]] || wrong "it says something"

# What nvcc takes: a macro that is another one for the device, and the functions that both have.
cat >k.cu <<'END'
#include <cmath>
#include <cstdio>
#include "host.cuh"
__device__ float twice(float x) {
  LOG(x);
  return 2 * x;
}
__host__ __device__ float both(float x) {
#ifdef __CUDA_ARCH__
  return twice(x);
#else
  return scaled(x);
#endif
}
__global__ void k(float* x) { x[0] = both(x[0]) + sqrtf(x[1]) + std::fabs(x[2]); }
int main() {
  k<<<1, 1>>>(nullptr);
  return both(3) > 5;
}
END
try 0
[[ ! -s said ]] || wrong "it accuses a program that is right"

# What is launched must be a kernel.
cat >k.cu <<'END'
void of_host(float* x) { x[0] = 1; }
template <class T>
__device__ void of_device(T* x) { x[0] = 1; }
template <class T>
__global__ void kernel(T* x) { x[0] = 1; }
int main() {
  float* x = nullptr;
  of_host<<<1, 1>>>(x);
  of_device<float><<<1, 1>>>(x);
  kernel<float><<<1, 1>>>(x);
  kernel<<<1, 1>>>(x);
  void (*other)(float*) = kernel<float>;
  other<<<1, 1>>>(x);
}
END
try 1
says "k.cu:1: error: of_host() is launched, but is no kernel: write __global__ in front of its declaration"
says "k.cu:8: note: of_host() is launched here"
says "k.cu:3: error: of_device() is launched, but is no kernel"
(($(grep -c error: said) == 2)) || wrong "it says something else, too"
sed -i '/of_host<<<\|of_device<float><<</d' k.cu
try 0

# Mistakes that the compiler describes in words of C++ are told in those of CUDA first.
cat >k.cu <<'END'
__device__ float one(const float* p, int i) { return p(i); }
__global__ void k(float* x, int n) {
  int i = blockIdx * blockDim.x + threadIdx.x;
  if (threadIdx < n) x[i] = 1;
  int j = threadIdx;
  x[threadIdx.x] = x[blockIdx];
  const uint3 all = threadIdx;
  x[all.x] = j;
}
int main() { k<<<1, 32>>>(nullptr, 1); }
END
try 1
says "k.cu:3: error: blockIdx has three members: write blockIdx.x (or blockIdx.y, blockIdx.z for more dimensions)"
says "k.cu:4: error: threadIdx has three members: write threadIdx.x"
says "k.cu:5: error: threadIdx has three members"
says "k.cu:6: error: blockIdx has three members"
(($(grep -c 'has three members' said) == 4)) || wrong "it names members elsewhere, too"
[[ $(head -n 1 said) == "k.cu:"*": error: "*" has three members"* || $(head -n 1 said) == *"is no function"* ]] ||
  wrong "the sentence does not come first"
grep -q "'p' cannot be used as a function\|‘p’ cannot be used as a function" said &&
  says "k.cu:1: error: p is no function: an element of an array is p[i], with square brackets"

# What is said in words of C++ by the compiler, in one line instead, also far down in a file.
cat >k.cu <<'END'
__global__ void reverse(float* x, int n) {
  __shared__ float t[n];
  t[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  x[threadIdx.x] = t[n - 1 - threadIdx.x];
}
struct pair { float *x, *y; };
int main() {
  pair p;
  float* d_x;

  cudaMalloc(d_x, 400);
  cudaMallocManaged(p.y, 400);
  reverse<<<1, 4>>>(d_x, 4);
  const char* wrong = 3;
}
END
try 1
says "k.cu:2: error: the size of a __shared__ array must be a constant. If it is known only when the program runs, write extern __shared__"
says "    __shared__ float t[n];"
says "k.cu:12: error: cudaMalloc() stores an address in the pointer, and needs the address of the pointer: write cudaMalloc(&d_x, ...)"
says "    cudaMalloc(d_x, 400);"
says "k.cu:13: error: cudaMallocManaged() stores an address in the pointer, and needs the address of the pointer: write cudaMallocManaged(&p.y, ...)"
says "k.cu:15: "
(($(grep -c 'error: ' said) == 4)) || wrong "it says something else, too"
grep -q 'emulator\|template' said && wrong "it tells of its own headers"

# CUDA in a file of ordinary C++.
for first in '' '#include <cuda_runtime.h>'; do
  { echo "$first"; cat k.cu; } >k.cpp
  "$emucc" -c k.cpp -o k.o >said 2>&1 && wrong "emucc takes CUDA for C++"
  [[ $(<said) == "k.cpp:2: error: this is CUDA, and emucc takes k.cpp for ordinary C++, as nvcc does: name it k.cu, or use -x cu" ]] ||
    wrong "it does not say that CUDA is in a .cpp file"
done
printf '// __global__ void k();\nint main() { return "a"; }\n' >k.cpp
"$emucc" -c k.cpp -o k.o >said 2>&1 && wrong "emucc takes a wrong file"
grep -q 'is CUDA' said && wrong "it takes C++ for CUDA"
exit "$failed"
