#!/usr/bin/env bash
# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
#
# Programs with streams, from the command line: stream_programs.sh EMUCC
# What stream 0 is depends on --default-stream; a finding ends the program; a file of the host is seen as far
# as it calls the runtime.
set -u
emucc=$1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 1
failures=0

# expect STATUS PATTERN COMMAND...: exit status, and a line of standard error (none at all where it is empty)
expect() {
  local status=$1 pattern=$2 output
  shift 2
  output=$(env "$@" 2>&1 >/dev/null)
  local got=$?
  if [[ $got != "$status" || (-z $pattern && -n $output) ]] || ! grep -qE -- "$pattern" <<<"$output"; then
    printf 'FAILED: %s\n  exit status %s, expected %s; expected a line like: %s\n%s\n' \
      "$*" "$got" "$status" "$pattern" "$output"
    failures=$((failures + 1))
  fi
}

cat >threads.cu <<'PROGRAM'
#include <thread>
__global__ void add_kernel(int* x) { x[threadIdx.x] += 1; }
int main() {
  int* x = nullptr;
  cudaMalloc(&x, 128);
  cudaMemset(x, 0, 128);
  cudaDeviceSynchronize();
  add_kernel<<<1, 32>>>(x);
  std::thread([x] { add_kernel<<<1, 32>>>(x); }).join();
  cudaDeviceSynchronize();
  cudaFree(x);
}
PROGRAM
"$emucc" --quiet threads.cu -o legacy || exit 1
"$emucc" --quiet --default-stream per-thread threads.cu -o per_thread || exit 1
"$emucc" --quiet -DCUDA_API_PER_THREAD_DEFAULT_STREAM threads.cu -o by_macro || exit 1
for order in forward reverse random:3; do
  expect 0 '' EMULATOR_ORDER=$order ./legacy
  for program in per_thread by_macro; do
    expect 1 '^threads\.cu:9: error: nothing orders two operations' EMULATOR_ORDER=$order ./$program
    expect 1 'kernel add_kernel at threads\.cu:8 in the default stream of a thread writes it' EMULATOR_ORDER=$order ./$program
  done
done
expect 0 '' EMULATOR_CHECK=0 ./per_thread

# The host in an ordinary file gives work to two streams.
cat >ordinary.cpp <<'PROGRAM'
#include <cuda_runtime.h>
int main() {
  float *x = nullptr, *host = nullptr;
  cudaMalloc(&x, 4000);
  cudaMallocHost(&host, 4000);
  cudaStream_t a, b;
  cudaStreamCreate(&a);
  cudaStreamCreate(&b);
  cudaMemcpyAsync(x, host, 4000, cudaMemcpyHostToDevice, a);
  cudaMemsetAsync(x, 0, 400, b);
  cudaDeviceSynchronize();
  cudaFree(x);
  cudaFreeHost(host);
}
PROGRAM
"$emucc" --quiet ordinary.cpp -o ordinary || exit 1
expect 1 '^ordinary\.cpp:10: error: nothing orders two operations' ./ordinary
expect 1 'cudaMemcpyAsync\(\) at ordinary\.cpp:9 in stream a \(stream 1, made at ordinary\.cpp:7\) also writes it' ./ordinary
# The call that is missing names the streams as the program does.
expect 1 'Missing: cudaEventRecord\(event, a\) after ordinary\.cpp:9, and cudaStreamWaitEvent\(b, event\) before' ./ordinary
# What the program has not waited for runs when it ends, but functions of the host: what they use may be gone.
cat >end.cu <<'PROGRAM'
#include <cstdio>
#include <cstdlib>
__global__ void add_kernel(int* x) { x[threadIdx.x] += 1; }
__global__ void print_kernel(const int* x) { printf("%d\n", x[threadIdx.x]); }
int main(int count, char** words) {
  const int what = count > 1 ? std::atoi(words[1]) : 0;
  cudaStream_t a, b;
  cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking);
  int* x = nullptr;
  cudaMallocAsync(&x, 128, a);
  cudaMemsetAsync(x, 0, 128, a);
  add_kernel<<<1, 1, 0, a>>>(x);
  print_kernel<<<1, 1, 0, a>>>(x);
  if (what == 1) add_kernel<<<1, 1, 0, b>>>(x);
  if (what == 2) cudaLaunchHostFunc(b, [](void*) { std::puts("called"); }, nullptr);
  cudaFreeAsync(x, a);
}
PROGRAM
"$emucc" --quiet end.cu -o end || exit 1
for order in forward reverse random:3; do
  expect 0 '' EMULATOR_ORDER=$order ./end
  [[ $(EMULATOR_ORDER=$order ./end) == 1 ]] || { echo "FAILED: end, $order: no result"; failures=$((failures + 1)); }
  expect 1 '^end\.cu:15: error: nothing orders two operations' EMULATOR_ORDER=$order ./end 1
  expect 0 '' EMULATOR_ORDER=$order ./end 2
done
[[ $(EMULATOR_ORDER=reverse ./end 2) == 1 ]] || { echo "FAILED: end 2: what came was not 1"; failures=$((failures + 1)); }

# A loop of the host that nothing is wrong with lets work go on, in which a function of the host meets what it
# must not: it is told of, and without checks both go on.
cat >two_hosts.cu <<'PROGRAM'
#include <thrust/execution_policy.h>
#include <thrust/reduce.h>
int* x = nullptr;
__global__ void fill_kernel(int* y) { y[threadIdx.x] = 1; }
void add(void*) { ++x[0]; }
int main() {
  cudaMallocManaged(&x, 128);
  cudaStream_t a, b;
  cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking);
  fill_kernel<<<1, 32, 0, a>>>(x);
  cudaLaunchHostFunc(b, add, nullptr);
  const int sum = thrust::reduce(thrust::host, x + 8, x + 32);
  cudaDeviceSynchronize();
  cudaFree(x);
  return sum < 0;
}
PROGRAM
"$emucc" --quiet two_hosts.cu -o two_hosts || exit 1
for order in forward reverse random:3; do
  expect 1 '^two_hosts\.cu:[0-9]+: error: nothing orders two operations' EMULATOR_ORDER=$order timeout 30 ./two_hosts
  expect 0 '' EMULATOR_ORDER=$order EMULATOR_CHECK=0 timeout 30 ./two_hosts
done

# A stream that a capture has drawn in and that nothing joins: CUDA's words, and which stream. The time of an event
# that nothing has waited for, and that nobody asks about.
cat >unjoined.cu <<'PROGRAM'
#include <cstdio>
__global__ void fill_kernel(float* y) { y[threadIdx.x] = 1; }
int main(int count, char**) {
  float* x = nullptr;
  cudaMalloc(&x, 128);
  cudaEvent_t fork, end;
  cudaEventCreate(&fork);
  cudaEventCreate(&end);
  float ms = 0;
  if (count > 1) {
    cudaEventRecord(fork);
    fill_kernel<<<1, 32>>>(x);
    cudaEventRecord(end);
    cudaEventElapsedTime(&ms, fork, end);
    if (count > 2) while (cudaEventElapsedTime(&ms, fork, end) == cudaErrorNotReady) continue;
    return 0;
  }
  cudaStream_t s, t;
  cudaStreamCreate(&s);
  cudaStreamCreate(&t);
  cudaGraph_t graph;
  cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
  cudaEventRecord(fork, s);
  cudaStreamWaitEvent(t, fork, 0);
  fill_kernel<<<1, 32, 0, t>>>(x);
  std::fprintf(stderr, "%s\n", cudaGetErrorString(cudaStreamEndCapture(s, &graph)));
}
PROGRAM
"$emucc" --quiet unjoined.cu -o unjoined || exit 1
for order in forward reverse random:3; do
  expect 0 '^capturing stream has unjoined work$' EMULATOR_ORDER=$order EMULATOR_LEAKS=note ./unjoined
  expect 0 'unjoined\.cu:26: note: cudaStreamEndCapture\(\) failed here: capturing stream has unjoined work: stream t \(stream 2, made at unjoined\.cu:20\) belongs to the capture since the cudaStreamWaitEvent\(\) at unjoined\.cu:24, .* Missing: cudaEventRecord\(event, t\)' \
    EMULATOR_ORDER=$order EMULATOR_LEAKS=note ./unjoined
  expect 0 'unjoined\.cu:14: note: cudaEventElapsedTime\(\) failed here: device not ready: nothing has waited for the second event' \
    EMULATOR_ORDER=$order EMULATOR_LEAKS=note ./unjoined early
  [[ $(EMULATOR_ORDER=$order EMULATOR_LEAKS=note ./unjoined until "done" 2>&1) != *failed* ]] || { echo "FAILED: asking until it is there"; failures=$((failures + 1)); }
done
exit $((failures > 0))
