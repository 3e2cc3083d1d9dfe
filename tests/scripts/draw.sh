#!/usr/bin/env bash
# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
#
# chapters/draw: from a learner's file to pictures and pages: draw.sh DRAW_ACCESSES EMUCC LIBRARY_OF_HELPERS LEARNER_SCREEN
source "$(dirname "${BASH_SOURCE[0]}")/tree.sh"
draw=$1 emucc=$2 helpers=${3%/*} screen_program=$4
cd "$scratch" || exit 1
cp "$repository/common/emulator/tests/draw/mean.cu" .

# chapters/draw, with the programs that are there already.
make_tree
cp "$repository/chapters/draw" "$tree/chapters/"
mkdir -p "$tree/build/emulated/bin"
ln -s "$draw" "$tree/build/emulated/bin/draw_accesses"
ln -s "$emucc" "$tree/build/emulated/bin/emucc"
rm -r "$tree/common"
ln -s "$repository/common" "$tree/common"
ln -s "$helpers" "$tree/build/emulated/common"
for target in draw_accesses cuda_emulator emulator_translate common_verify; do
  echo "add_custom_target($target)" >>"$tree/CMakeLists.txt"
done
# What it draws is what the drawing tool draws.
ends 0 "$emucc" mean.cu -o mean
ends 0 env EMULATOR_TRACE=mean.trace EMULATOR_TRACE_BLOCK=2 ./mean
for view in threads banks; do "$draw" mean.trace --view "$view" -o "$view.svg"; done
ends 0 "$tree/chapters/draw" mean.cu
for picture in mean_kernel_threads mean_kernel_sectors mean_kernel_banks zero_kernel_threads zero_kernel_sectors; do
  expect "mean_pictures/$picture.svg"
  expect_true "$picture is on the page" grep -q "$picture.svg" mean_pictures/index.html
done
expect_no "banks of zero_kernel"
ends 2 "$tree/chapters/draw" build/exercises/00_1.trace --view threads
expect "00_1.trace is not there: each check removes it, and only one that fails writes a new one."
expect "chapters/exercise check 00 1 writes it if something is still wrong."
ends 1 "$tree/chapters/draw" mean.trace --launch other_kernel
expect "there is no launch 'other_kernel'"
ends 0 "$tree/chapters/draw" mean.cu --view threads --block 2 --launch mean_kernel -o mine.svg
expect_true "one command draws what two do" cmp -s threads.svg mine.svg
ends 0 "$tree/chapters/draw" mean.trace --view banks
expect_true "a trace is drawn beside it" cmp -s banks.svg mean_banks.svg
ends 3 "$tree/chapters/draw" mean.cu --view threads -- fail
expect "ended with status 3"
ends 2 "$tree/chapters/draw" mean.cu --block 7
expect "no kernel with a block 7"
echo 'int main() { return misspelled; }' >wrong.cu
ends 1 "$tree/chapters/draw" wrong.cu
expect "misspelled"
expect "does not compile"
# The program that the help begins with does what the help says.
"$tree/chapters/draw" --help | sed -n '/^  __global__/,/^  }$/p' >begin.cu
"$tree/chapters/draw" --help | sed -n '/^  int main/,/^  }$/p' >>begin.cu
ends 0 "$tree/chapters/draw" begin.cu
expect "begin_pictures/reverse_kernel_threads.svg"
expect "begin_pictures/reverse_kernel_sectors.svg"
echo 'int main() {}' >idle.cu
ends 2 "$tree/chapters/draw" idle.cu
expect "launched no kernel"
# The same kernel in two shapes is two kernels; in the same shape again it is none, and one without accesses has no picture.
cat >shapes.cu <<'END'
template <class T>
__global__ void store_kernel(T* y) { y[threadIdx.x] = T(1); }
__global__ void quiet_kernel() {}
__global__ void wide_kernel(double* y) {
  for (int i = 0; i < 4; ++i) y[1024 * i + threadIdx.x] = i;
}
int main() {
  double* y;
  cudaMalloc(&y, 256);
  for (int i = 0; i < 3; ++i) store_kernel<<<1, 8>>>(y);
  store_kernel<<<1, 16>>>(y);
  quiet_kernel<<<1, 8>>>();
  cudaFree(y);
  cudaMalloc(&y, 4096 * sizeof(double));
  wide_kernel<<<1, 1024>>>(y);
  cudaFree(y);
}
END
ends 0 "$tree/chapters/draw" shapes.cu
expect "shapes_pictures/store_kernel_threads.svg"
expect "shapes_pictures/store_kernel_2_sectors.svg"
expect_no "store_kernel_3"
expect "no picture of quiet_kernel, grid 1 1 1, block 8 1 1: its block 0 accesses no memory"
expect "shapes_pictures/wide_kernel_threads.svg (warp 0 only"
# Two instances of a template in the same shape are two kernels, where they do not do the same.
cat >padded.cu <<'END'
template <int padding>
__global__ void column_kernel(int* y) {
  __shared__ int tile[16][16 + padding];
  tile[threadIdx.x][1] = 1;
  y[threadIdx.x] = tile[threadIdx.x][1];
}
template <int step>
__global__ void step_kernel(int* y) { y[step * threadIdx.x] = 1; }
int main() {
  int* y;
  cudaMalloc(&y, 512);
  for (int i = 0; i < 2; ++i) {
    column_kernel<0><<<1, 16>>>(y);
    column_kernel<1><<<1, 16>>>(y);
    step_kernel<1><<<1, 16>>>(y);
    step_kernel<8><<<1, 16>>>(y);
  }
  cudaFree(y);
}
END
ends 0 "$tree/chapters/draw" padded.cu
expect "padded_pictures/column_kernel_banks.svg"
expect "padded_pictures/column_kernel_2_banks.svg"
expect "padded_pictures/step_kernel_2_sectors.svg"
expect_no "kernel_3"
expect_true "the page tells them apart" grep -q "column_kernel&lt;1&gt;, grid 1 1 1, block 16 1 1 (launch 2)" padded_pictures/index.html
expect_true "a picture says which instance it shows" grep -q ">step_kernel&lt;8&gt;, block 0 of 1" padded_pictures/step_kernel_2_sectors.svg
ends 0 "$tree/chapters/draw" padded.cu --launch 'column_kernel<1>' --view banks -o one.svg
expect_true "an instance can be chosen" grep -q ">column_kernel&lt;1&gt;, block 0 of 1" one.svg
attempt "$tree/chapters/draw" padded.cu --launch step_kernel --view sectors -o one.svg
expect_true "so can the first of all instances" grep -q ">step_kernel&lt;1&gt;, block 0 of 1" one.svg
cat >helped.cu <<'END'
#include "common/device/device_memory.hpp"
__global__ void one_kernel(int* y) { y[threadIdx.x] = 1; }
int main() {
  tutorial::device_buffer<int> y(8);
  one_kernel<<<1, 8>>>(y.data());
  tutorial::check(cudaGetLastError());
}
END
ends 0 "$tree/chapters/draw" helped.cu --view threads
expect "helped_threads.svg"
cat >copies.cu <<'END'
int main() {
  float *host, *device;
  cudaMallocHost(&host, 4000);
  cudaMalloc(&device, 4000);
  for (int i = 0; i < 1000; ++i) host[i] = 1;
  cudaMemcpy(device, host, 4000, cudaMemcpyHostToDevice);
  cudaMemcpy(host, device, 2000, cudaMemcpyDeviceToHost);
  cudaFree(device);
  cudaFreeHost(host);
}
END
ends 0 "$tree/chapters/draw" copies.cu --view timeline -o drawn.svg
expect_true "a program without kernels has a timeline" grep -q "the longest chain has 6,000 bytes" drawn.svg
ends 0 "$emucc" copies.cu -o copies
ends 0 env EMULATOR_TIMELINE=copies.timeline ./copies
ends 0 "$tree/chapters/draw" copies.timeline -o without_view.svg
expect_true "a timeline needs no --view" grep -q "the longest chain has 6,000 bytes" without_view.svg
echo '__global__ void k() {}' >kernel_only.cu
ends 2 "$tree/chapters/draw" kernel_only.cu
expect "has no main()"
ends 2 "$tree/chapters/draw" missing.cu
expect "missing.cu is not there"
ends 2 "$tree/chapters/draw" mean.cu --size
ends 2 "$tree/chapters/draw" mean.cu -o a.svg
expect "--view"

# Pages of steps.
attempt "$emucc" --steps mean.cu -o stepped
ends 0 env EMULATOR_STEPS=1 EMULATOR_TRACE=steps.trace ./stepped
rm -f steps.html
ends 0 "$tree/chapters/draw" mean.cu --launch mean_kernel --steps steps.html
expect "steps.html: open it in a browser"
expect_true "its variables have names" grep -q '"variables":\["n","begin","j","i"\]' steps.html
# A build that is there is taken as it is.
shim cmake 'exit 1'
ends 0 "$tree/chapters/draw" mean.cu --launch mean_kernel --build "$tree/build/emulated" --title 'sums: "a"' --steps titled.html
expect_true "the page has its title" grep -q '"title":"sums: \\"a\\""' titled.html
rm "$shims/cmake"
for none in "$scratch" "$scratch/nowhere"; do
  ends 2 "$tree/chapters/draw" mean.cu --launch mean_kernel --build "$none" --steps none.html
done
expect_true "no page is made then" test ! -e none.html
ends 0 "$tree/chapters/draw" steps.trace --steps from_trace.html --launch mean_kernel --warp 0
expect_true "a page from a trace" test -s from_trace.html
ends 2 "$tree/chapters/draw" mean.cu --launch mean_kernel --steps a.html --view banks
expect "leave out --view"
ends 1 "$tree/chapters/draw" mean.trace --steps a.html
expect "EMULATOR_STEPS=1"
# Where the notes do not compile, there is a page without variables.
rm "$tree/build/emulated/bin/emucc"
cat >"$tree/build/emulated/bin/emucc" <<END
#!/bin/sh
[ "\$1" != --steps ] || { echo "mean.cu:7: error: no notes" >&2; exit 1; }
exec "$emucc" "\$@"
END
chmod +x "$tree/build/emulated/bin/emucc"
ends 0 "$tree/chapters/draw" mean.cu --launch mean_kernel --steps without.html
expect "no variables: the kernels do not compile with notes in them (mean.cu:7: error: no notes)"
expect_true "there is a page all the same" grep -q '"variables":\[\]' without.html
finish
