#!/usr/bin/env bash
# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
#
# From a kernel to its pictures, and what is said where that does not work: program.sh DRAW_ACCESSES EMUCC LIBRARY_OF_HELPERS
source "$(dirname "${BASH_SOURCE[0]}")/../scripts/tree.sh"
draw=$1 emucc=$2 helpers=${3%/*}
cd "$scratch" || exit 1

cat >mean.cu <<'END'
#include <cstdlib>
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
END
attempt "$emucc" mean.cu -o mean
expect_status 0
attempt env EMULATOR_TRACE=mean.trace EMULATOR_TRACE_BLOCK=2 ./mean
expect_status 0
# The first launch has no block 2, and the second is the first in the trace.
attempt "$draw" mean.trace
expect_status 0
expect "1  mean_kernel  (mean.cu:2), block 2 of 3, "
expect "tile (shared)"
expect_no "zero_kernel"
for view in threads sectors banks; do
  attempt "$draw" mean.trace --view "$view" -o "$view.svg"
  expect_status 0
  expect_true "$view is XML" python3 -c 'import sys, xml.etree.ElementTree as x; x.parse(sys.argv[1])' "$view.svg"
  expect_true "$view has colors for dark pages" grep -q 'prefers-color-scheme:dark' "$view.svg"
  expect_true "$view has no address of this machine" bash -c "! grep -q '$scratch' $view.svg"
done
expect_true "the halo is found" grep -q 'class="halo"' threads.svg
expect_true "ghosts are found" grep -q 'class="ghost"' threads.svg
# The same run gives the same picture, in any order.
for order in forward reverse random:3; do
  attempt env EMULATOR_TRACE=again.trace EMULATOR_TRACE_BLOCK=2 EMULATOR_ORDER=$order ./mean
  attempt "$draw" again.trace --view threads -o again.svg
  expect_true "the picture is the same in the order $order" cmp -s threads.svg again.svg
done

attempt "$draw" mean.trace --view colors
expect_status 2
expect "threads, sectors, banks, constant, texels or timeline"
attempt "$draw" mean.trace --veiw threads
expect_status 2
expect "--veiw"
attempt "$draw" mean.trace --view threads --warp one
expect_status 2
attempt "$draw" mean.trace --view threads --launch other_kernel
expect_status 1
expect "mean_kernel"
attempt "$draw" mean.trace --view threads --array z
expect_status 1
expect "no access that was chosen"
attempt "$draw" none.trace --view threads
expect_status 1
expect "none.trace cannot be read"
attempt "$draw" mean.trace --view threads -o none/a.svg
expect_status 1
expect "cannot be written"

# Nothing is lost, and nothing is half there.
cp mean.trace kept.trace
attempt "$draw" kept.trace --view threads -o ./kept.trace
expect_status 2
expect "-o would replace the trace"
expect_true "the trace is still there" cmp -s mean.trace kept.trace
attempt "$draw" mean.trace -o list.svg
expect_status 2
expect "-o needs --view, --steps or --steps-data"
attempt bash -c 'ulimit -f 1; trap "" XFSZ; "$0" mean.trace --view threads -o half.svg' "$draw"
expect_status 1
expect "half.svg cannot be written"
expect_true "no half of a picture is left" test ! -e half.svg
if [[ -c /dev/full ]]; then
  attempt bash -c '"$0" mean.trace --view threads >/dev/full' "$draw"
  expect_status 1
  expect "standard output cannot be written"
fi

attempt env EMULATOR_TRACE=none/a.trace ./mean
expect_status 2
expect "none/a.trace"
attempt env EMULATOR_TRACE=a.trace EMULATOR_CHECK=0 ./mean
expect_status 2
expect "EMULATOR_CHECK"
for block in two 1,x '1,' 1,2,3,4 -1; do
  attempt env EMULATOR_TRACE=a.trace EMULATOR_TRACE_BLOCK=$block ./mean
  expect_status 2
  expect "EMULATOR_TRACE_BLOCK is '$block'"
done

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
attempt "$tree/chapters/draw" mean.cu
expect_status 0
for picture in mean_kernel_threads mean_kernel_sectors mean_kernel_banks zero_kernel_threads zero_kernel_sectors; do
  expect "mean_pictures/$picture.svg"
  expect_true "$picture is on the page" grep -q "$picture.svg" mean_pictures/index.html
done
expect_no "banks of zero_kernel"
attempt "$tree/chapters/draw" mean.trace --launch other_kernel
expect_status 1
expect "there is no launch 'other_kernel'"
attempt "$tree/chapters/draw" mean.cu --view threads --block 2 --launch mean_kernel -o mine.svg
expect_status 0
expect_true "one command draws what two do" cmp -s threads.svg mine.svg
attempt "$tree/chapters/draw" mean.trace --view banks
expect_status 0
expect_true "a trace is drawn beside it" cmp -s banks.svg mean_banks.svg
attempt "$tree/chapters/draw" mean.cu --view threads -- fail
expect_status 3
expect "ended with status 3"
attempt "$tree/chapters/draw" mean.cu --block 7
expect_status 2
expect "no kernel with a block 7"
echo 'int main() { return misspelled; }' >wrong.cu
attempt "$tree/chapters/draw" wrong.cu
expect_status 1
expect "misspelled"
expect "does not compile"
# The program that the help begins with does what the help says.
"$tree/chapters/draw" --help | sed -n '/^  __global__/,/^  }$/p' >begin.cu
"$tree/chapters/draw" --help | sed -n '/^  int main/,/^  }$/p' >>begin.cu
attempt "$tree/chapters/draw" begin.cu
expect_status 0
expect "begin_pictures/reverse_kernel_threads.svg"
expect "begin_pictures/reverse_kernel_sectors.svg"
echo 'int main() {}' >idle.cu
attempt "$tree/chapters/draw" idle.cu
expect_status 2
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
attempt "$tree/chapters/draw" shapes.cu
expect_status 0
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
attempt "$tree/chapters/draw" padded.cu
expect_status 0
expect "padded_pictures/column_kernel_banks.svg"
expect "padded_pictures/column_kernel_2_banks.svg"
expect "padded_pictures/step_kernel_2_sectors.svg"
expect_no "kernel_3"
expect_true "the page tells them apart" grep -q "column_kernel&lt;1&gt;, grid 1 1 1, block 16 1 1 (launch 2)" padded_pictures/index.html
expect_true "a picture says which instance it shows" grep -q ">step_kernel&lt;8&gt;, block 0 of 1" padded_pictures/step_kernel_2_sectors.svg
attempt "$tree/chapters/draw" padded.cu --launch 'column_kernel<1>' --view banks -o one.svg
expect_status 0
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
attempt "$tree/chapters/draw" helped.cu --view threads
expect_status 0
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
attempt "$emucc" copies.cu -o copies
expect_status 0
attempt env EMULATOR_TIMELINE=copies.timeline ./copies
expect_status 0
attempt "$draw" copies.timeline --view timeline --title "Up and down" -o copies.svg
expect_status 0
expect_true "the picture says how long the chain is" grep -q "4,000 bytes up, 2,000 bytes down; the longest chain has 6,000 bytes" copies.svg
expect_true "it has its title" grep -q ">Up and down<" copies.svg
attempt "$tree/chapters/draw" copies.cu --view timeline -o drawn.svg
expect_status 0
expect_true "a program without kernels has a timeline" grep -q "the longest chain has 6,000 bytes" drawn.svg
attempt "$tree/chapters/draw" copies.timeline -o without_view.svg
expect_status 0
expect_true "a timeline needs no --view" grep -q "the longest chain has 6,000 bytes" without_view.svg
attempt "$draw" mean.trace --view timeline
expect_status 1
expect "is no timeline"
head -n 2 copies.timeline >cut.timeline
attempt "$draw" cut.timeline --view timeline
expect_status 1
expect "ends too early"
echo '__global__ void k() {}' >kernel_only.cu
attempt "$tree/chapters/draw" kernel_only.cu
expect_status 2
expect "has no main()"
attempt "$tree/chapters/draw" missing.cu
expect_status 2
expect "missing.cu is not there"
attempt "$tree/chapters/draw" mean.cu --size
expect_status 2
attempt "$tree/chapters/draw" mean.cu -o a.svg
expect_status 2
expect "--view"
finish
