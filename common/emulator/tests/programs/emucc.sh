#!/usr/bin/env bash
# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
#
# emucc as a compiler driver: options, several files, what is refused, and where errors point. emucc.sh EMUCC
source "$(dirname "${BASH_SOURCE[0]}")/../expect.sh"
unset NO_COLOR COLUMNS
emucc=$1
folder="$scratch/it's a folder – with spaces"
mkdir -p "$folder/include" "$folder/temporary" && cd "$folder" || exit 1
unset EMUCC_QUIET CPATH C_INCLUDE_PATH CPLUS_INCLUDE_PATH LIBRARY_PATH
export TMPDIR=$folder/temporary

# ---- Two kernel files, each with device code of its own under the same names, and C.
cat >include/places.cuh <<'END'
#pragma once
inline __device__ int twice(int x) { return 2 * x; }
END
cat >main.cu <<'END'
#include <cstdio>
#include "places.cuh"
__device__ int offset = 1;
__constant__ int table[2] = {10, 20};
__device__ int change(int x) { return twice(x) + offset; }
__global__ void first_kernel(int* y) { y[threadIdx.x] = change(table[threadIdx.x]); }
int second(int*);
extern "C" int third(int);
int main() {
  int *d, h[2];
  cudaMalloc(&d, sizeof h);
  first_kernel<<<1, 2>>>(d);
  cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
  std::printf("%d %d ", h[0], h[1]);
  std::printf("%d %d %s\n", second(d), third(VALUE), __FILE__);
  cudaFree(d);
}
END
cat >second.cu <<'END'
#include "places.cuh"
__device__ int offset = 1000;
__constant__ int table[2] = {30, 40};
__device__ int change(int x) { return twice(x) + offset; }
__global__ void second_kernel(int* y) { y[threadIdx.x] = change(table[threadIdx.x]); }
int second(int* d) {
  int h[2];
  second_kernel<<<1, 2>>>(d);
  cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
  return h[1];
}
END
cat >third.c <<'END'
#include <cuda.h>
#include <cuda_runtime.h>
int third(int class) {
  int one = 1, result = 0, *device = NULL;
  enum cudaMemcpyKind back = cudaMemcpyDeviceToHost;
  struct cudaDeviceProp properties;
  dim3 block = {32, 1, 1};
  CUresult driver = CUDA_SUCCESS;
  if (cudaGetDeviceProperties(&properties, 0) != cudaSuccess || properties.warpSize != 32) return -1;
  cudaMalloc((void**)&device, sizeof one);
  cudaMemcpyAsync(device, &one, sizeof one, cudaMemcpyHostToDevice, NULL);
  cudaMemcpy(&result, device, sizeof one, back);
  cudaFree(device);
  return class + result + (int)driver + (block.x != 32);
}
END

ends 0 "$emucc" -c -Iinclude -D VALUE=6 main.cu second.cu third.c --generate-dependencies-with-compile
expect_true "one object for each file" test -s main.o -a -s second.o -a -s third.o
expect_true "dependencies are written" grep -q 'include/places.cuh' second.d
ends 0 "$emucc" --output-file=program main.o second.o third.o -lcudart -lcufft_static -lculibos -l rt
attempt ./program
expect "21 41 1080 7 main.cu"
attempt "$emucc" -lib second.o third.o -o libparts.a
ends 0 "$emucc" main.o -L. -lparts -oother
attempt ./other
expect "21 41 1080 7 main.cu"
# The objects are ordinary ones: g++ links them with the device's library.
expect_true "nothing is left over" test -z "$(ls temporary)"

# ---- Shared device code: -dc, -rdc=true, -dlink
cat >shared.cuh <<'END'
extern __device__ int total;
extern __constant__ int scale[2];
__device__ int scaled(int i);
END
cat >uses.cu <<'END'
#include <cstdio>
#include "shared.cuh"
__global__ void use_kernel() { atomicAdd(&total, scaled(threadIdx.x)); }
int main() {
  int h;
  use_kernel<<<1, 2>>>();
  cudaMemcpyFromSymbol(&h, total, sizeof h);
  std::printf("total %d\n", h);
}
END
cat >has.cu <<'END'
#include "shared.cuh"
__device__ int total = 5;
__constant__ int scale[2] = {3, 4};
__device__ int scaled(int i) { return scale[i] + i; }
END
ends 0 "$emucc" --device-c uses.cu has.cu
attempt "$emucc" -dlink uses.o has.o -o linked.o
attempt "$emucc" uses.o has.o linked.o -o shared
attempt ./shared
expect "total 13"
attempt "$emucc" -c has.cu
ends 1 "$emucc" uses.o has.o -o fails
expect "undefined reference to"
expect "need -rdc=true"
expect_true "nothing is written" test ! -e fails
# A program without main() has no use for that advice.
echo '__global__ void alone_kernel() {}' > alone.cu
ends 1 "$emucc" alone.cu -o fails
expect "undefined reference to \`main'"
expect_no "need -rdc=true"

# ---- Every name of an option is known, with its value.
cat >empty.cu <<'END'
__global__ void empty_kernel() {}
int main() { empty_kernel<<<1, 1>>>(); }
END
ends 0 "$emucc" --dryrun empty.cu -arch sm_90 --generate-code=arch=compute_90,code=sm_90 -gencode arch=compute_80,code=sm_80 \
  --use_fast_math -lineinfo -maxrregcount 32 --ptxas-options=-v -Xptxas -O3,-v -ftz=true --expt-extended-lambda -G -t4 \
  --define-macro A=1,2 --std c++20 --optimize 2 -x cu --threads 2
expect "mean nothing on the emulated device: -arch sm_90 --generate-code=arch=compute_90,code=sm_90 -gencode"
expect "-DA=1,2"
expect "-fsanitize=thread"
expect_true "a dry run writes nothing" test ! -e a.out
attempt "$emucc" --quiet --dryrun -arch=sm_90 empty.cu
expect_no "mean nothing"
attempt "$emucc" --dryrun -std=c++17 -O3 -Xcompiler "-Wall -march=native,-fopenmp" empty.cu third.c
expect "-march=native (for kernels)"
expect "-std=c++17 (kernels are compiled as C++20)"

# ---- Headers that are compiled ahead change nothing but the time, and are not used where anything is different.
sed "s|^ahead=.*|ahead=$scratch/ahead|" "$emucc" >own_emucc && chmod +x own_emucc
ends 0 ./own_emucc -v -std=c++20 -c -Iinclude -D VALUE=6 main.cu -o plain.o
expect_no "behind.ii"
ends 0 ./own_emucc --compile-headers -std=c++20
if [[ $("$emucc" --version) != *clang* ]]; then
  ends 0 ./own_emucc -v -std=c++20 -c -Iinclude -D VALUE=6 main.cu -o ahead.o
  expect "behind.ii"
  expect_true "the same code" cmp <(objdump -dr plain.o | tail -n +4) <(objdump -dr ahead.o | tail -n +4)
  for other in -std=c++17 -G '-Xcompiler -fopenmp' '-D cudaMemset3D=other'; do
    # shellcheck disable=SC2086  # two words
    ends 0 ./own_emucc -v -std=c++20 $other -c -Iinclude -D VALUE=6 main.cu -o other.o
    expect_no "behind.ii"
  done
  echo "of another compiler" >"$scratch/ahead/text.gch"
  ends 0 ./own_emucc -std=c++20 -c -Iinclude -D VALUE=6 main.cu -o other.o
  expect_no "PCH"
  expect_true "and then from the text" cmp <(objdump -dr plain.o | tail -n +4) <(objdump -dr other.o | tail -n +4)
fi

# ---- What is refused, and said by name.
refused() {
  ends 2 "$emucc" "${@:2}"
  expect "$1"
}
refused "unknown option --use_fast_maths" empty.cu --use_fast_maths
refused "-ptx is not possible" -ptx empty.cu
refused "--cubin is not possible" --cubin empty.cu
refused "-o needs a value" empty.cu -o
refused "the library cusparse (-lcusparse) is not part" empty.cu -lcusparse
refused "the library nppc (-lnppc) is not" empty.cu --library=nppc
refused "missing.cu is not there" missing.cu
refused "kernel.ptx is code for a GPU" "$(touch kernel.ptx && echo kernel.ptx)"
refused "what is 'words.txt'?" "$(touch words.txt && echo words.txt)"
refused "-o names one file, and 2 would be written" -c empty.cu third.c -o both.o
refused "would overwrite" empty.cu -o empty.cu
refused "usage: emucc"
ends 1 "$emucc" empty.cu -o missing/program
expect "there is no folder missing"
ends 0 "$emucc" --version
expect_true "a version that scripts find" grep -qE 'release [0-9]+\.[0-9]+, V[0-9]+\.[0-9]+\.[0-9]+$' <<<"$output"

# ---- A toolkit's folders are left out, in options and in the environment, and this is said.
mkdir -p toolkit/include toolkit/lib64
echo '#error this is the header of a toolkit' >toolkit/include/cuda_runtime_api.h
cp toolkit/include/cuda_runtime_api.h toolkit/include/cuda_runtime.h
touch toolkit/lib64/libcudart.so
ends 0 env CPLUS_INCLUDE_PATH="$PWD/include:$PWD/toolkit/include" "$emucc" -Itoolkit/include -isystem toolkit/include \
  -Ltoolkit/lib64 -lcudart toolkit/lib64/libcudart.so empty.cu -o with_toolkit
expect "left out: -I toolkit/include is of a CUDA toolkit"
expect "left out: -isystem toolkit/include is"
expect "left out: -L toolkit/lib64 is"
expect "left out: toolkit/lib64/libcudart.so is"
expect "toolkit/include in CPLUS_INCLUDE_PATH is of a CUDA toolkit"
printf '#include <cusparse.h>\nint main() {}\n' >library.cu
ends 1 "$emucc" library.cu
expect "library.cu:1: error: <cusparse.h>: cuSPARSE is not emulated"

printf '#include <cub/device/device_spmv.cuh>\nint main() {}\n' >library.cu
ends 1 "$emucc" library.cu
expect "of CUB there is <cub/cub.cuh>"
echo 'enum cudaMemcpyKind { of_a_toolkit };' >toolkit/include/cuda_gl_interop.h
printf '#include <cuda_runtime.h>\n#include <toolkit/include/cuda_gl_interop.h>\nint main() {}\n' >graphics.cpp
ends 1 "$emucc" "-I$PWD" graphics.cpp
expect "graphics.cpp:2: error: <cuda_gl_interop.h>: nothing is shared with graphics here"

# Words and warnings of the compiler itself are g++'s; clang has its own, and other ones.
[[ $("$emucc" --quiet --dryrun -c library.cu 2>&1) == *clang* ]] && clang=1 || clang=0

# ---- Errors point to the user's lines; what was there stays.
mkdir -p project
cat >project/wrong.cu <<'END'
template <typename T>
__global__ void scale_kernel(T* x) { x[threadIdx.x] = undeclared_function(x); }
#define LAUNCH(k) k<<<1, 1>>>(1, 2)
int main() {
  float* d = nullptr;
  scale_kernel<<<1, 1>>>(d);
  LAUNCH(scale_kernel<float>);
  int unused = "text";
}
END
cat >project/launches.cu <<'END'
__global__ void scale_kernel(float* x, int n) {
  for (int i = 0; i < n; ++i) x[i] *= 2;
}
template <class T> void scale(T* x) { scale_kernel<<<1, 1>>>(x, 3); }
int main() {
  float* d = nullptr;
  scale_kernel<<<1, 32>>>(d, 3);
  scale_kernel<<<1, 1>>>(d);
  scale_kernel<<<d, 1>>>(d, 3);
  scale(&"text");
}
END
ends 1 "$emucc" -c project/launches.cu
((clang)) || expect "project/launches.cu:8: error: too few arguments to function"
expect "project/launches.cu:9: error: "
expect "project/launches.cu:4: error: "
expect "project/launches.cu:1: note: "
expect_no "launches.cu:7"
expect_true "one line says where a template is called" test "$(grep -c 'required from' <<<"$output")" -le 2
for word in emulator_ launch.hpp vector_types.h "from <command-line>"; do expect_no "$word"; done
((clang)) || for word in cuda_emulator lambda; do expect_no "$word"; done
# What a beginner leaves out of a launch is said in one line each, and not in the compiler's words.
cat >project/brackets.cu <<'END'
__global__ void scale_kernel(float* x, int n) { x[threadIdx.x] *= n; }
void one_number(float* d) { scale_kernel<<<256>>>(d, 3); }
void two_brackets(float* d) { scale_kernel<<1, 256>>(d, 3); }
END
ends 1 "$emucc" -c project/brackets.cu
expect "project/brackets.cu:2: error: a launch needs blocks and threads: scale_kernel<<<blocks, threads>>>(...). <<<256>>> is the number of blocks only"
expect "project/brackets.cu:3: error: a launch has three brackets on each side: scale_kernel<<<blocks, threads>>>(...)"
expect_true "two lines" test "$(wc -l <<<"$output")" -eq 2
# A header of -include stands behind the headers that were compiled ahead: it leads back to where they end.
echo '#define FACTOR 3' >project/first.hpp
echo 'int factor() { return FACTOR; }' >project/first.cu
ends 0 "$emucc" -std=c++20 -c -include project/first.hpp project/first.cu
expect_true "not a word" test -z "$output"

# ---- Warnings: as few as nvcc has unless asked for more, and none about what C++20 or the translation is
# behind.
cat >warns.cu <<'END'
#include <vector>
__global__ void count_kernel(unsigned* x, volatile int* v) {
  __shared__ unsigned hits;
  typedef float unused_type;
  if (threadIdx.x == 0) hits = 3;
  __syncthreads();
  (*v)++;
  *v += 2;
  for (int i = 0; i < blockDim.x; ++i)
    if (hits > i) x[i] = i;
}
int main() {
  std::vector<int> v(3);
  for (int i = 0; i < v.size(); ++i) v[i] = i;
  int never;
}
__global__ void leader_kernel(int* y) {
  int first;
  if (threadIdx.x == 0) first = atomicAdd(y, 32);
  y[1 + threadIdx.x] = __shfl_sync(~0u, first, 0);
}
END
ends 0 "$emucc" -c warns.cu
expect "warns.cu:15: warning: unused variable"
((clang)) || expect_true "one warning" test "$(grep -c warning: <<<"$output")" = 1
attempt "$emucc" -Xcompiler -Wall -c warns.cu
((clang)) || expect "warns.cu:9: warning: comparison of integer"
((clang)) || expect "warns.cu:10: warning: comparison of integer"
((clang)) || expect "warns.cu:14: warning: comparison of integer"
expect_no "Wvolatile"
expect_no "emulator_"
attempt "$emucc" -w -Xcompiler -Wall -c warns.cu
expect_no "warning"
ends 1 "$emucc" -Werror all-warnings -c warns.cu
printf '%s\n' '__global__ void one_kernel(float* y, int size) {' '  int i = blockIdx.x * blockDim.x + threadIdx.x;' \
  '  if (i >= size); return;' '  y[i] = 1;' '}' >guard.cu
attempt "$emucc" -c guard.cu
((clang)) || expect "guard.cu:3: warning: "
((clang)) || expect "empty body"
echo before >kept
ends 1 "$emucc" project/wrong.cu -o kept
expect "project/wrong.cu:2: error: "
expect "project/wrong.cu:7: error: no matching function"
expect "project/wrong.cu:8: error: "
expect_no "$TMPDIR"
expect_no "$folder"
expect_no "launch.hpp"
expect_true "the file that was there stays" grep -q before kept
printf 'int f();\nint main() {\n  return f();\n}\n' >project/unlinked.cu
ends 1 "$emucc" project/unlinked.cu -o kept
expect "project/unlinked.cu:3: undefined reference to"
expect_no "$TMPDIR"

# ---- What is missing of the emulated device is named.
translator=$(sed -n 's/^translator="\(.*\)"$/\1/p' "$emucc" | head -n 1)
sed 's|^translator="/.*|translator=$PWD/no_translator|' "$emucc" >without_translator
sed 's|^device="/.*|device=$PWD/no_device.so|' "$emucc" >without_device
chmod +x without_translator without_device
expect_true "emucc names its translator" test -x "$translator"
ends 1 ./without_translator empty.cu
expect "not where it was built or installed ($PWD/no_translator)"
ends 1 ./without_device empty.cu
expect "not where it was built or installed ($PWD/no_device.so)"
ends 0 ./without_device -c empty.cu

# ---- A lerp() of the program's own, as in helper_math.h, with the standard that nvcc has unless told, and
# C++20's.
cat >lerp.cu <<'END'
#include <cmath>
inline __device__ __host__ float lerp(float a, float b, float t) { return a + t * (b - a); }
inline __device__ __host__ float2 lerp(float2 a, float2 b, float t) {
  return make_float2(lerp(a.x, b.x, t), lerp(a.y, b.y, t));
}
using namespace std;
__global__ void lerp_kernel(float* x) { x[0] = ::lerp(1.0f, 2.0f, 0.5f) + lerp(make_float2(0, 0), make_float2(1, 1), 0.5f).x; }
END
ends 0 "$emucc" -c lerp.cu
ends 0 "$emucc" -std=c++20 -c lerp.cu
printf '#include <math.h>\nint main() { return int(lerp(2.0, 4.0, 0.5f) - std::lerp(1.0f, 5.0f, 0.5f)); }\n' >standard_lerp.cu
ends 0 "$emucc" -std=c++20 standard_lerp.cu -run

# ---- A makefile that was written for nvcc.
cat >Makefile <<'END'
NVCC ?= nvcc
NVCCFLAGS = -O3 -arch=native -std=c++20 -Xcompiler "-Wall -Wextra"
made: main.o second.o third.o
	$(NVCC) $(NVCCFLAGS) $^ -o $@ -lcudart
%.o: %.cu
	$(NVCC) $(NVCCFLAGS) -Iinclude -DVALUE=8 -MMD -c $< -o $@
-include main.d second.d
END
if command -v make >/dev/null; then
  rm -f ./*.o
  ends 0 env NVCC="$emucc" EMUCC_QUIET=1 make -s
  attempt ./made
  expect "21 41 1080 9 main.cu"
  attempt env NVCC="$emucc" make -s
  expect_no "emucc"
fi

# ---- Were one of the files gone that the headers ahead were made of, every build would make all kernels again.
ahead=$(sed -n 's/^ahead="\(.*\)".*/\1/p' "$emucc")/text.d
expect_true "the headers of kernels were not compiled ahead: $ahead" test -s "$ahead"
gone=$(grep -o ' /[^ ]*' "$ahead" | while read -r file; do [[ -e $file ]] || echo "$file"; done)
expect_true "the headers ahead depend on what is gone: $gone" test -z "$gone"

finish
