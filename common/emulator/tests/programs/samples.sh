#!/usr/bin/env bash
# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
#
# What becomes of samples like NVIDIA's: one of each kind. samples.sh EMUCC
source "$(dirname "${BASH_SOURCE[0]}")/../expect.sh"
unset NO_COLOR COLUMNS
emucc=$1 samples=$(dirname "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")")/samples
cd "$scratch" && mkdir Common || exit 1

sample() {  # NAME CMAKE CODE
  mkdir -p "Samples/0_All/$1"
  printf '# add_executable(other o.cu)\nadd_executable(%s %s.cu)\n%s\n' "$1" "$1" "$2" >"Samples/0_All/$1/CMakeLists.txt"
  printf '#include <cstdio>\n%s\n' "$3" >"Samples/0_All/$1/$1.cu"
}
sample good '' 'int main() { std::puts("Test PASSED"); }'
sample says_no '' 'int main() { std::puts("Test FAILED"); }'
sample ends_badly '' 'int main() { return 1; }'
sample waits 'target_compile_definitions(waits PRIVATE STATUS=2)' 'int main() { return STATUS; }'
sample draws 'find_package(OpenGL)' 'int main() {}'
sample solves 'target_link_libraries(solves PRIVATE CUDA::cusolver)' 'int main() {}'
sample windows '' '#include <windows.h>'
sample typo '' 'int main() { return x; }'
sample endless '' 'int main() { for (volatile int i = 0;; i = 1) {} }'
sample copies '' '__global__ void copy(int* y) { cudaMemcpyAsync(y, y + 1, 4, cudaMemcpyDeviceToDevice, 0); } int main() {}'
sample outside '' '__global__ void far(int* y) { y[1] = 1; } int main() { int* d; cudaMalloc(&d, 4); far<<<1, 1>>>(d); cudaDeviceSynchronize(); }'
ends 0 python3 "$samples" . --emucc "$emucc" --record record.csv --seconds 2 --version 'v0, commit 0'
attempt cat record.csv
for row in '# v0, commit 0' '0_All/good,right,' '0_All/says_no,wrong,status 0: Test FAILED' '0_All/ends_badly,wrong,status 1' '0_All/waits,waived' \
  '0_All/draws,refused,OpenGL' '0_All/solves,refused,cuSOLVER' '0_All/windows,refused,Windows' '0_All/typo,wrong,typo.cu:2' '0_All/endless,out of time' \
  '0_All/copies,refused,cudaMemcpyAsync() in a kernel' \
  '0_All/outside,finding,"outside.cu:2: error: access out of bounds'; do
  expect "$row"
done

# What is there is not run again.
sed -i 's/^0_All.good,right/0_All\/good,true finding/' record.csv
ends 0 python3 "$samples" . --emucc "$emucc" --record record.csv
attempt grep good record.csv
expect 'true finding'
ends 2 python3 "$samples" Common --emucc "$emucc" --record record.csv
finish
