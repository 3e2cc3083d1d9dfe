#!/usr/bin/env bash
# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
#
# How programs end whose host code uses memory of the device: host_use.sh EMUCC
set -u
unset LIBRARY_PATH CPATH CPLUS_INCLUDE_PATH
emucc=$1
here=$(cd "$(dirname "$0")" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
failures=0

# expect STATUS PATTERN COMMAND...: exit status, and a line of standard error (none at all where it is empty)
expect() {
  local status=$1 pattern=$2 output
  shift 2
  output=$(env "$@" 2>&1 >"$scratch/out")
  local got=$?
  if [[ $got != "$status" || (-z $pattern && -n $output) ]] || ! grep -qE -- "$pattern" <<<"$output"; then
    printf 'FAILED: %s\n  exit status %s, expected %s; expected a line like: %s\n%s\n' \
      "$*" "$got" "$status" "$pattern" "$output"
    failures=$((failures + 1))
  fi
}
line() { grep -nF -- "$1" "$here/host_use.cu" | head -n 1 | cut -d : -f 1; }

program=$scratch/host_use
"$emucc" --quiet -w "$here/host_use.cu" -o "$program" || exit 1
expect 0 '' "$program"
expect 1 "host_use\.cu:$(line '"element"'): error: device memory used in host code" "$program" element
expect 1 "made at .*host_use\.cu:$(line 'cudaMalloc(&x, 4000)')" "$program" element
if [[ $(<"$scratch/out") != begun ]]; then
  printf 'FAILED: what the program has printed before is lost\n'
  failures=$((failures + 1))
fi
expect 1 "host_use\.cu:$(line '"taps"'): error: variable of the device used in host code" "$program" taps
expect 1 "the host reads 4 bytes: counter in global memory" "$program" counter
expect 1 "host_use\.cu:$(line '"thread"'): error: device memory used" "$program" thread
expect 1 "host_use\.cu:$(line '"argument"'): error: device memory used" "$program" argument
expect 1 "host_use\.cu:$(line 'if (wanted)'): error: device memory used" "$program" end
for wanted in element taps counter thread argument end; do expect 0 '' EMULATOR_CHECK=0 "$program" $wanted; done

expect 1 'device memory used' EMULATOR_REPORT="$scratch/report.html" "$program" element
if ! grep -q '1 finding' "$scratch/report.html" ||
  ! grep -q 'device memory used in host code' "$scratch/report.html"; then
  printf 'FAILED: the report does not have the finding\n'
  failures=$((failures + 1))
fi

# Without debug information nobody can tell Thrust from the program: nothing is said.
strip -g "$program" -o "$scratch/stripped" && expect 0 '' "$scratch/stripped" element
# Before the program has used the device at all.
printf '__constant__ float taps[4];\n__global__ void k() {}\nint main() {\n  taps[0] = 1;\n  k<<<1, 1>>>();\n}\n' >"$scratch/first.cu"
"$emucc" --quiet -w "$scratch/first.cu" -o "$scratch/first" &&
  expect 1 'first\.cu:4: error: variable of the device used in host code' "$scratch/first"
# What OpenMP makes of a loop is a function of its own.
cat >"$scratch/threads.cu" <<'END'
#include <cuda_runtime.h>
static void scale(float* x, float a, int n) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i) x[i] = a * x[i] + a / (1 + i % 3) - static_cast<float>(i) * a;
}
__global__ void k(float* x) { *x = 1; }
int main(int count, char**) {
  constexpr int n = 100000;
  static float same[n];
  float *x = nullptr, *d = nullptr;
  cudaMallocHost(&x, n * sizeof(float));
  cudaMalloc(&d, sizeof(float));
  k<<<1, 1>>>(d);
  for (int i = 0; i < n; ++i) x[i] = same[i] = static_cast<float>(i % 101);
  scale(x, 1.25f, n);
  scale(same, 1.25f, n);
  int wrong = 0;
  for (int i = 0; i < n; ++i) wrong += x[i] != same[i];
  if (count > 1) scale(d, 2, 1);
  cudaFreeHost(x);
  cudaFree(d);
  return wrong != 0 ? 3 : 0;
}
END
if "$emucc" --quiet -Xcompiler -fopenmp "$scratch/threads.cu" -o "$scratch/threads"; then
  expect 0 '' "$scratch/threads"
  expect 1 'threads\.cu:4: error: device memory used in host code' "$scratch/threads" device
else
  failures=$((failures + 1))
fi
# An ordinary file is not seen.
printf '#include <cuda_runtime.h>\nint main() { float* x; cudaMalloc(&x, 4); *x = 1; cudaFree(x); }\n' >"$scratch/ordinary.cpp"
"$emucc" --quiet "$scratch/ordinary.cpp" -o "$scratch/ordinary" && expect 0 '' "$scratch/ordinary"
exit $((failures > 0))
