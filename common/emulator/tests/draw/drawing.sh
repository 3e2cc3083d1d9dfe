#!/usr/bin/env bash
# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
#
# From a kernel to its pictures, and what is said where that does not work: drawing.sh DRAW_ACCESSES EMUCC
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)
source "$here/../expect.sh"
draw=$1 emucc=$2
cd "$scratch" || exit 1

cp "$here/mean.cu" .
ends 0 "$emucc" mean.cu -o mean
ends 0 env EMULATOR_TRACE=mean.trace EMULATOR_TRACE_BLOCK=2 ./mean
# The first launch has no block 2, and the second is the first in the trace.
ends 0 "$draw" mean.trace
expect "1  mean_kernel  (mean.cu:5), block 2 of 3, "
expect "tile (shared)"
expect_no "zero_kernel"
for view in threads sectors banks; do
  ends 0 "$draw" mean.trace --view "$view" -o "$view.svg"
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

ends 2 "$draw" mean.trace --view colors
expect "threads, sectors, banks, constant, texels or timeline"
ends 2 "$draw" mean.trace --veiw threads
expect "--veiw"
ends 2 "$draw" mean.trace --view threads --warp one
ends 1 "$draw" mean.trace --view threads --launch other_kernel
expect "mean_kernel"
ends 1 "$draw" mean.trace --view threads --array z
expect "no access that was chosen"
ends 1 "$draw" none.trace --view threads
expect "none.trace cannot be read"
ends 1 "$draw" mean.trace --view threads -o none/a.svg
expect "cannot be written"

# Nothing is lost, and nothing is half there.
cp mean.trace kept.trace
ends 2 "$draw" kept.trace --view threads -o ./kept.trace
expect "-o would replace the trace"
expect_true "the trace is still there" cmp -s mean.trace kept.trace
ends 2 "$draw" mean.trace -o list.svg
expect "-o needs --view, --steps or --steps-data"
ends 1 bash -c 'ulimit -f 1; trap "" XFSZ; "$0" mean.trace --view threads -o half.svg' "$draw"
expect "half.svg cannot be written"
expect_true "no half of a picture is left" test ! -e half.svg
if [[ -c /dev/full ]]; then
  ends 1 bash -c '"$0" mean.trace --view threads >/dev/full' "$draw"
  expect "standard output cannot be written"
fi

ends 2 env EMULATOR_TRACE=none/a.trace ./mean
expect "none/a.trace"
ends 2 env EMULATOR_TRACE=a.trace EMULATOR_CHECK=0 ./mean
expect "EMULATOR_CHECK"
for block in two 1,x '1,' 1,2,3,4 -1; do
  ends 2 env EMULATOR_TRACE=a.trace EMULATOR_TRACE_BLOCK=$block ./mean
  expect "EMULATOR_TRACE_BLOCK is '$block'"
done

# Copies, up and down.
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
ends 0 "$emucc" copies.cu -o copies
ends 0 env EMULATOR_TIMELINE=copies.timeline ./copies
ends 0 "$draw" copies.timeline --view timeline --title "Up and down" -o copies.svg
expect_true "the picture says how long the chain is" grep -q "4,000 bytes up, 2,000 bytes down; the longest chain has 6,000 bytes" copies.svg
expect_true "it has its title" grep -q ">Up and down<" copies.svg
ends 1 "$draw" mean.trace --view timeline
expect "is no timeline"
head -n 2 copies.timeline >cut.timeline
ends 1 "$draw" cut.timeline --view timeline
expect "ends too early"
finish
