#!/usr/bin/env bash
# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
#
# NCCL between processes, from the command line: processes.sh EMUCC
# A rank that dies, leaves or never comes ends the others, with a line that says who; nothing is left in /dev/shm.
set -u
emucc=$1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 1
export EMULATOR_DEVICES=3 EMULATOR_WAIT=2 EMULATOR_LEAKS=error
failures=0

fail() {
  printf 'FAILED: %s\n' "$1"
  failures=$((failures + 1))
}

# expect STATUS PATTERN TIMES WORD...: of the program; the pattern is in at least so many lines of its output.
# (On a busy machine a rank may see that another one has ended before it sees why.)
expect() {
  local status=$1 pattern=$2 times=$3 output
  shift 3
  output=$(timeout 60 ./ranks "$@" 2>&1)
  local got=$? lines
  lines=$(grep -cE -- "$pattern" <<<"$output")
  [[ $got == "$status" && $lines -ge $times ]] ||
    fail "ranks $*: exit status $got, expected $status; $lines lines like '$pattern', expected $times and more"$'\n'"$output"
  if is_left && sleep 1 && is_left; then fail "ranks $*: something is left in /dev/shm"; fi
}

# Segments of NCCL that no process uses: other tests run at the same time.
is_left() {
  local segment
  for segment in /dev/shm/cuda_emulator_nccl_*; do
    if [[ -e $segment ]] && ! grep -qsF "$segment" /proc/[0-9]*/maps && [[ -e $segment ]]; then return 0; fi
  done
  return 1
}

cat >ranks.cu <<'PROGRAM'
#include <nccl.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <string>
struct shared_memory { ncclUniqueId id; pthread_barrier_t barrier; };
bool is_full = false;  // /dev/shm, as far as this process can tell
extern "C" int posix_fallocate(int file, off_t begin, off_t bytes) {
  if (is_full) return ENOSPC;
  return syscall(SYS_fallocate, file, 0, begin, bytes) == 0 ? 0 : errno;
}
__global__ void set_kernel(float* x, float value) { x[blockIdx.x * blockDim.x + threadIdx.x] = value; }
int main(int, char** words) {
  const std::string how = words[1];
  const int ranks = 3, n = 256, times = how == "often" ? 600 : 1;
  auto* const all = static_cast<shared_memory*>(mmap(nullptr, sizeof(shared_memory), PROT_READ | PROT_WRITE,
                                                     MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  pthread_barrierattr_t attributes;
  pthread_barrierattr_init(&attributes);
  pthread_barrierattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
  pthread_barrier_init(&all->barrier, &attributes, ranks);
  for (int r = 0; r < ranks; ++r) {
    if (fork() != 0) continue;
    cudaSetDevice(how == "same" ? 0 : r);
    if (r == 0) ncclGetUniqueId(&all->id);
    pthread_barrier_wait(&all->barrier);
    if (how == "absent" && r == 2) _exit(0);
    ncclComm_t comm;
    if (ncclCommInitRank(&comm, ranks, all->id, r) != ncclSuccess) exit(5);
    is_full = how == "full" && r == 1;
    float *x = nullptr, *y = nullptr, sum = 0;
    cudaMalloc(&x, n * times * sizeof(float));
    cudaMalloc(&y, n * times * sizeof(float));
    set_kernel<<<times, n>>>(x, r + 1.0f);
    const int next = (r + 1) % ranks, before = (r + ranks - 1) % ranks;
    if (how != "crossed") ncclGroupStart();
    for (int i = 0; i < times; ++i) {
      ncclSend(x + i * n, n, ncclFloat, next, comm, nullptr);
      ncclRecv(y + i * n, how == "short" && r == 1 ? n / 2 : n, ncclFloat, before, comm, nullptr);
    }
    if (how != "crossed") ncclGroupEnd();
    cudaDeviceSynchronize();
    if (how == "killed" && r == 1) raise(SIGKILL);
    if (how == "sleeps" && r == 1) sleep(6);
    if (how == "leaves" && r == 1) {
      cudaFree(x);
      cudaFree(y);
      ncclCommDestroy(comm);
      sleep(1);
      exit(0);
    }
    ncclAllReduce(y, y, n, ncclFloat, ncclSum, comm, nullptr);
    cudaMemcpy(&sum, y + n - 1, sizeof sum, cudaMemcpyDeviceToHost);
    cudaFree(x);
    cudaFree(y);
    ncclCommDestroy(comm);
    std::printf("rank %d: sum %g\n", r, sum);
    exit(0);
  }
  int status = 0, bad = 0;
  while (wait(&status) > 0) bad |= status;
  return bad != 0;
}
PROGRAM
"$emucc" --quiet ranks.cu -lnccl -o ranks || exit 1
for order in forward reverse random:3; do
  export EMULATOR_ORDER=$order
  expect 0 '^rank [012]: sum 6$' 3 right
  expect 1 '^ranks\.cu:45: error: ranks wait for each other forever' 1 crossed
  expect 1 'error: a rank waits for one that will not come: rank 1 \(process [0-9]+\) has ended' 1 killed
  expect 1 'error: a rank waits for one that will not come: rank 1 has left the communicator' 1 leaves
  expect 1 'error: a rank has waited for 2 seconds, and those it waits for do nothing' 1 sleeps
  expect 1 'rank 2 of 3 has not come for 2 seconds' 1 absent
  expect 1 'rank 1 receives 128 ncclFloat32 from rank 0: ncclRecv\(\) at ranks\.cu:46' 1 short
  expect 1 '^ranks\.cu:45: error: no room for a message' 1 full
  expect 1 '^  1024 bytes do not fit into the shared memory of this machine \(/dev/shm\)' 1 full
  expect 1 'both use device 0 \(duplicate GPU\)' 1 same
  expect 1 '^ranks\.cu:4[56]: error: too many calls at once for the emulated device' 1 often
done
# What is left of NCCL when a program ends, and an id that is used for one rank too many.
cat >left.cu <<'PROGRAM'
#include <nccl.h>
#include <cstdio>
#include <cstring>
int main(int, char** words) {
  const auto is = [&](const char* how) { return std::strcmp(words[1], how) == 0; };
  ncclComm_t comm[2], third;
  ncclUniqueId id;
  ncclGetUniqueId(&id);
  ncclGroupStart();
  for (int r = 0; r < 2; ++r) {
    cudaSetDevice(r);
    ncclCommInitRank(&comm[r], 2, id, r);
  }
  ncclGroupEnd();
  cudaSetDevice(2);
  if (is("many") && ncclCommInitRank(&third, 2, id, 2) != ncclSuccess) std::puts("refused");
  float* x;
  cudaSetDevice(0);
  cudaMalloc(&x, sizeof *x);
  if (is("group")) {
    ncclGroupStart();
    ncclSend(x, 1, ncclFloat, 1, comm[0], nullptr);
  }
  cudaFree(x);
  for (int r = is("comm"); r < 2; ++r) ncclCommDestroy(comm[r]);
}
PROGRAM
"$emucc" --quiet left.cu -lnccl -o ranks || exit 1
for order in forward reverse random:3; do
  export EMULATOR_ORDER=$order
  expect 0 '^$' 0 right
  expect 1 '^left\.cu:12: error: a communicator of NCCL \(rank 0 of 2\) was never destroyed' 1 comm
  expect 1 '^left\.cu:21: error: a group of NCCL was never ended .*, and its 1 call has not run' 1 group
  expect 0 '^refused$' 1 many
done

# One process and one thread, which asks again and again whether its streams have finished. The right one asks for
# longer than EMULATOR_WAIT seconds.
cat >asks.cu <<'PROGRAM'
#include <nccl.h>
#include <chrono>
#include <cstring>
__global__ void set_kernel(int* x) { *x = 1; }
int main(int, char** words) {
  ncclComm_t comm[3];
  cudaStream_t stream[3];
  int* x[3];
  cudaEvent_t event;
  ncclCommInitAll(comm, 3, nullptr);
  for (int r = 0; r < 3; ++r) {
    cudaSetDevice(r);
    cudaStreamCreate(&stream[r]);
    cudaMalloc(&x[r], sizeof(int));
    set_kernel<<<1, 1, 0, stream[r]>>>(x[r]);
  }
  cudaEventCreate(&event);
  const bool right = std::strcmp(words[1], "right") == 0, of_event = std::strcmp(words[1], "event") == 0;
  ncclGroupStart();
  ncclSend(x[0], 1, ncclInt, right ? 2 : 1, comm[0], stream[0]);
  ncclRecv(x[2], 1, ncclInt, 0, comm[2], stream[2]);
  ncclGroupEnd();
  cudaEventRecord(event, stream[2]);
  const auto begin = std::chrono::steady_clock::now();
  while ((of_event ? cudaEventQuery(event) : cudaStreamQuery(stream[2])) == cudaErrorNotReady ||
         (right && std::chrono::steady_clock::now() - begin < std::chrono::seconds(2))) {
  }
  cudaGetLastError();
  for (int r = 0; r < 3; ++r) {
    cudaStreamSynchronize(stream[r]);
    cudaFree(x[r]);
    cudaStreamDestroy(stream[r]);
    ncclCommDestroy(comm[r]);
  }
  cudaEventDestroy(event);
}
PROGRAM
"$emucc" --quiet asks.cu -lnccl -o ranks || exit 1
export EMULATOR_WAIT=1
for order in forward reverse; do
  export EMULATOR_ORDER=$order
  expect 0 '^$' 0 right
  expect 1 '^asks\.cu:2[01]: error: ranks wait for each other forever' 1 stream
done
expect 1 '^asks\.cu:2[01]: error: ranks wait for each other forever' 1 event
exit $((failures > 0))
