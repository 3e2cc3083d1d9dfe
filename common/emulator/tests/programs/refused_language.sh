#!/usr/bin/env bash
# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
#
# What the language of kernels does not have here is refused by the compiler, in words:  refused_language.sh
# EMUCC
set -uo pipefail

emucc=${1:?usage: refused_language.sh EMUCC}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failed=0

# One line each: code, then what the compiler must say of it.
cat > "$folder/uses" <<'END'
__global__ void k1(int* x) { x[0] = __shfl(x[0], 3); } | use __shfl_sync(mask, ...)
__global__ void k2(int* x) { x[0] = __any(x[0]); } | use __any_sync(mask, ...)
__global__ void k3(int* x) { x[0] = __ballot(x[0]); } | use __ballot_sync(mask, ...)
__global__ void k4(int* x) { x[0] = __cvta_generic_to_local(x); } | inline PTX has no such addresses here
__global__ void k6() { cg::this_cluster(); } | this_cluster() is not emulated
__global__ void k7() { cg::this_thread_block().barrier_arrive(); } | are not emulated: use sync()
__global__ void k8(int* x) { x[0] = cg::reduce(cg::this_thread_block(), 1, cg::plus<int>()); } | reductions and scans are for tiles
__global__ void k9() { auto t = cg::tiled_partition<12>(cg::this_thread_block()); t.sync(); } | a tile has 1, 2, 4, 8, 16 or 32 threads
__global__ void k10(curandState* s, unsigned* x) { x[0] = curand_poisson(s, 3.0); } | curand_poisson() is not emulated
__global__ void k11() { curandStateMRG32k3a s; (void)&s; } | this generator of cuRAND is not emulated
void h3(curandGenerator_t g, unsigned* x) { curandGenerateBinomial(g, x, 3, 9, 0.5); } | curandGenerateBinomial() is not emulated
void h4(cufftHandle p, void** c) { cufftXtSetCallback(p, c, CUFFT_CB_LD_COMPLEX, nullptr); } | cufftXtSetCallback() is not emulated
void h5(cufftHandle p, size_t* s) { cufftXtSetWorkAreaPolicy(p, 0, s); } | cufftXtSetWorkAreaPolicy() is not emulated
__device__ cuda::barrier<cuda::thread_scope_device> b; | cuda::barrier is emulated with thread_scope_block only
END
{
  printf '#include <cooperative_groups.h>\n#include <cooperative_groups/reduce.h>\n'
  printf '#include <cuda/barrier>\n#include <curand.h>\n#include <curand_kernel.h>\n#include <cufftXt.h>\n'
  printf 'namespace cg = cooperative_groups;\n'
  sed 's/ | .*//' "$folder/uses"
  printf 'int main() {}\n'
} > "$folder/uses.cu"
if "$emucc" "$folder/uses.cu" -o "$folder/program" > "$folder/said" 2>&1; then
  echo "refused_language.sh: compiled, although nothing in it is there" >&2
  failed=1
fi
while IFS= read -r words; do
  grep -qF -- "$words" "$folder/said" && continue
  echo "refused_language.sh: the compiler does not say '$words'" >&2
  failed=1
done < <(sed 's/.* | //' "$folder/uses")

for header in cuda/latch cuda/semaphore; do
  printf '#include <%s>\n' "$header" >> "$folder/headers.cu"
done
"$emucc" "$folder/headers.cu" -o "$folder/program" > "$folder/said" 2>&1
for header in cuda/latch cuda/semaphore; do
  grep -qF "<$header> is not emulated" "$folder/said" && continue
  echo "refused_language.sh: <$header> is not refused by name" >&2
  failed=1
done
# Nothing can be computed for a variable of the device before the program begins.
cat > "$folder/computed.cu" <<'END'
int f();
__device__ int v = f();
__global__ void k(int n, int* x) { static int w = n; x[0] = w + v; }
END
"$emucc" -c "$folder/computed.cu" -o "$folder/computed.o" > "$folder/computed" 2>&1
for words in "computed.cu:2: error: " "computed.cu:3: error: "; do
  grep -F -- "$words" "$folder/computed" | grep -q "constant initializer\|must be constant" && continue
  echo "refused_language.sh: an initializer that is not constant: no '$words'" >&2
  cat "$folder/computed" >&2
  failed=1
done
((failed == 0)) || cat "$folder/said" >&2
exit "$failed"
