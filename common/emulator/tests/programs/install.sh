#!/usr/bin/env bash
# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
#
# What is installed, moved elsewhere, compiles and finds a mistake:  install.sh BUILD
source "$(dirname "${BASH_SOURCE[0]}")/../expect.sh"
cd "$scratch" || exit 1
cat >beyond.cu <<'END'
__global__ void fill_kernel(float* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i <= n) x[i] = 1;
}
int main(int count, char**) {
  float* x;
  cudaMalloc(&x, 100 * sizeof *x);
  fill_kernel<<<1, 128>>>(x, count == 1 ? 99 : 100);
  cudaDeviceSynchronize();
  cudaFree(x);
}
END
ends 0 cmake --install "$1" --prefix "$scratch/first place"
for place in "$scratch/first place" "$scratch/second place"; do
  [[ -e $place ]] || mv "$scratch/first place" "$place"
  expect_true "the drawing tool is there" test -x "$place/bin/draw_accesses"
  attempt "$place/bin/emucc" -V
  expect "emulated device 1."
  ends 0 "$place/bin/emucc" -std=c++20 beyond.cu -o beyond
  ends 0 ./beyond
  ends 1 ./beyond 1
  expect "beyond.cu:3: error: access out of bounds in kernel fill_kernel"
done
ends 1 grep -rlI "$1" "$scratch/second place"  # nothing leads back to the build
finish
