// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Four devices (EMULATOR_DEVICES=4): each with its own memory, streams, events and variables; copies and peer
// access between them; what a program does wrong with them.
#include <cufft.h>

#include <cstring>
#include <mutex>
#include <string>
#include <thread>

#include "../findings.hpp"
#include "emulator/counts.hpp"

namespace {

using cuda_emulator::finding_kind;

constexpr int size = 3000;  // no multiple of a page
constexpr std::size_t bytes = size * sizeof(float);
constexpr int blocks = (size + 255) / 256;

__constant__ int factor = 1;
__device__ int total;
__managed__ int shared_by_all;

__global__ void fill_kernel(float* x, float value) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < size) x[i] = value;
}
__global__ void copy_kernel(float* y, const float* x) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < size) y[i] = x[i];
}
__global__ void use_variables_kernel(int* result) {
  total += factor;
  *result = total;
  shared_by_all += 1;
}
__global__ void use_own_variables_kernel(int* result) {
  total = 2 * factor;
  *result = total;
}
/// Waits for a flag and sets another one: two of these on two devices go on by turns.
__global__ void ping_kernel(volatile int* mine, volatile int* others, int* data, int* others_data, int rounds,
                            bool first) {
  __shared__ int seen;
  for (int r = 1; r <= rounds; ++r) {
    if (!first || r > 1) {
      const int wanted = first ? r - 1 : r;
      while (*mine < wanted) {
      }
      __threadfence_system();
    }
    if (threadIdx.x == 0) seen = *data;
    __syncthreads();
    if (threadIdx.x == 0) {
      *others_data = seen + 1;
      __threadfence_system();
      *others = r;
    }
    __syncthreads();
  }
}

/// Adds to the flag behind all that the thread has done.
__device__ void raise(unsigned long long* flag) {
  asm volatile("red.release.sys.global.add.u64 [%0], %1;" : : "l"(flag), "l"(1ull) : "memory");
}
/// Adds to it, and says nothing of what was done before.
__device__ void raise_alone(unsigned long long* flag) {
  asm volatile("red.relaxed.sys.global.add.u64 [%0], %1;" : : "l"(flag), "l"(1ull) : "memory");
}
/// Waits until the flag is there, and then sees what was done before it was raised.
__device__ void wait_for(const unsigned long long* flag, unsigned long long value) {
  unsigned long long now = 0;
  do {
    asm volatile("ld.acquire.sys.global.u64 %0, [%1];" : "=l"(now) : "l"(flag) : "memory");
  } while (now < value);
}
/// How the two use their flags: as they should, or with one mistake.
enum class flag_use { right, raised_first, not_released, not_awaited, round_before };

/// Pushes numbers into another device's memory when what was there has been used, and raises a flag there.
__global__ void push_kernel(float* theirs, const float* mine, unsigned long long* arrived,
                            const unsigned long long* taken, unsigned long long round, flag_use how) {
  const int i = static_cast<int>(threadIdx.x);
  if (i == 0) wait_for(taken, round);
  __syncthreads();
  if (i == 0 && how == flag_use::raised_first) raise(arrived);
  theirs[i] = mine[i] + static_cast<float>(round + 1);
  __syncthreads();
  if (i == 0 && how == flag_use::not_released) raise_alone(arrived);
  if (i == 0 && how != flag_use::raised_first && how != flag_use::not_released) raise(arrived);
}
__global__ void wait_kernel(const unsigned long long* arrived, unsigned long long value) {
  wait_for(arrived, value);
}
__global__ void raise_kernel(unsigned long long* taken) { raise(taken); }

void on(int device) { REQUIRE(cudaSetDevice(device) == cudaSuccess); }

/// What a finding has left is done.
void wait_for_both() {
  for (int d : {1, 0}) {
    cudaSetDevice(d);
    cudaDeviceSynchronize();
  }
}

/// An array on each of two devices, written to, with a stream and an event on each.
struct setting {
  float *x[2] = {}, *y[2] = {};
  cudaStream_t stream[2] = {};
  cudaEvent_t event[2] = {};

  explicit setting(bool peers = false) {
    for (int d = 0; d < 2; ++d) {
      on(d);
      REQUIRE(cudaMalloc(&x[d], bytes) == cudaSuccess);
      REQUIRE(cudaMalloc(&y[d], bytes) == cudaSuccess);
      REQUIRE(cudaMemset(x[d], 0, bytes) == cudaSuccess);
      REQUIRE(cudaMemset(y[d], 0, bytes) == cudaSuccess);
      REQUIRE(cudaStreamCreate(&stream[d]) == cudaSuccess);
      REQUIRE(cudaEventCreate(&event[d]) == cudaSuccess);
      REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
      if (peers) REQUIRE(cudaDeviceEnablePeerAccess(1 - d, 0) == cudaSuccess);
    }
    on(0);
  }
  setting(const setting&) = delete;
  ~setting() {
    wait_for_both();
    for (int d = 0; d < 2; ++d) {
      cudaSetDevice(d);
      cudaDeviceDisablePeerAccess(1 - d);
      cudaFree(x[d]);
      cudaFree(y[d]);
      cudaStreamDestroy(stream[d]);
      cudaEventDestroy(event[d]);
    }
    cudaSetDevice(0);
    cudaGetLastError();
  }
};

float first_of(const float* memory) {
  float value = -1;
  REQUIRE(cudaMemcpy(&value, memory, sizeof value, cudaMemcpyDefault) == cudaSuccess);
  return value;
}

}  // namespace

TEST_CASE("there are as many devices as EMULATOR_DEVICES says, alike but for their addresses") {
  int count = 0;
  CHECK(cudaGetDeviceCount(&count) == cudaSuccess);
  CHECK(count == 4);
  int device = -1;
  CHECK(cudaGetDevice(&device) == cudaSuccess);
  CHECK(device == 0);
  CHECK(cudaSetDevice(4) == cudaErrorInvalidDevice);
  CHECK(cudaSetDevice(-1) == cudaErrorInvalidDevice);
  CHECK(cudaSetDevice(3) == cudaSuccess);
  CHECK(cudaGetDevice(&device) == cudaSuccess);
  CHECK(device == 3);
  std::thread([&] { cudaGetDevice(&device); }).join();  // each thread of the host has its own
  CHECK(device == 0);
  cudaDeviceProp p{}, q{};
  CHECK(cudaGetDeviceProperties(&p, 0) == cudaSuccess);
  CHECK(cudaGetDeviceProperties(&q, 3) == cudaSuccess);
  CHECK(cudaGetDeviceProperties(&q, 4) == cudaErrorInvalidDevice);
  CHECK(p.totalGlobalMem == q.totalGlobalMem);
  CHECK(std::memcmp(&p.uuid, &q.uuid, sizeof p.uuid) != 0);
  char id[16];
  CHECK(cudaDeviceGetPCIBusId(id, sizeof id, 3) == cudaSuccess);
  CHECK(cudaDeviceGetByPCIBusId(&device, id) == cudaSuccess);
  CHECK(device == 3);
  on(0);
}

TEST_CASE("every pointer tells its device, and memory of one device is not taken from another one's") {
  std::size_t free[2], total;
  on(1);
  CHECK(cudaMemGetInfo(&free[0], &total) == cudaSuccess);
  on(0);
  void* memory = nullptr;
  CHECK(cudaMalloc(&memory, 1 << 20) == cudaSuccess);
  cudaPointerAttributes attributes{};
  CHECK(cudaPointerGetAttributes(&attributes, memory) == cudaSuccess);
  CHECK(attributes.device == 0);
  on(1);
  CHECK(cudaMemGetInfo(&free[1], &total) == cudaSuccess);
  CHECK(free[0] == free[1]);
  void* other = nullptr;
  CHECK(cudaMalloc(&other, 1) == cudaSuccess);
  CHECK(cudaPointerGetAttributes(&attributes, other) == cudaSuccess);
  CHECK(attributes.device == 1);
  CHECK(cudaFree(other) == cudaSuccess);
  CHECK(cudaFree(memory) == cudaSuccess);  // whichever device is current
  on(0);
}

TEST_CASE("peer access is of one direction, and is asked for once") {
  int can = -1;
  CHECK(cudaDeviceCanAccessPeer(&can, 0, 1) == cudaSuccess);
  CHECK(can == 1);
  CHECK(cudaDeviceCanAccessPeer(&can, 2, 2) == cudaSuccess);
  CHECK(can == 0);
  CHECK(cudaDeviceCanAccessPeer(&can, 0, 4) == cudaErrorInvalidDevice);
  CHECK(cudaDeviceEnablePeerAccess(0, 0) == cudaErrorPeerAccessUnsupported);
  CHECK(cudaDeviceEnablePeerAccess(1, 1) == cudaErrorInvalidValue);
  CHECK(cudaDeviceEnablePeerAccess(1, 0) == cudaSuccess);
  CHECK(cudaDeviceEnablePeerAccess(1, 0) == cudaErrorPeerAccessAlreadyEnabled);
  on(1);
  CHECK(cudaDeviceDisablePeerAccess(0) == cudaErrorPeerAccessNotEnabled);
  on(0);
  CHECK(cudaDeviceDisablePeerAccess(1) == cudaSuccess);
  CHECK(cudaDeviceDisablePeerAccess(1) == cudaErrorPeerAccessNotEnabled);
  cudaGetLastError();
}

TEST_CASE("streams and events belong to a device") {
  setting s;
  int device = -1;
  CHECK(cudaStreamGetDevice(s.stream[1], &device) == cudaSuccess);
  CHECK(device == 1);
  fill_kernel<<<blocks, 256, 0, s.stream[1]>>>(s.x[0], 1);  // device 0 is current
  CHECK(cudaGetLastError() == cudaErrorInvalidResourceHandle);
  CHECK(cudaEventRecord(s.event[0], s.stream[1]) == cudaErrorInvalidResourceHandle);
  CHECK(cudaEventRecord(s.event[1], s.stream[1]) == cudaSuccess);
  CHECK(cudaEventRecord(s.event[0], s.stream[0]) == cudaSuccess);
  CHECK(cudaStreamWaitEvent(s.stream[0], s.event[1]) == cudaSuccess);
  float ms = 0;
  CHECK(cudaEventElapsedTime(&ms, s.event[0], s.event[1]) == cudaErrorInvalidResourceHandle);
  CHECK(cudaEventSynchronize(s.event[1]) == cudaSuccess);
  // A copy goes into whatever stream.
  CHECK(cudaMemcpyAsync(s.x[1], s.x[0], bytes, cudaMemcpyDefault, s.stream[1]) == cudaSuccess);
  cudaGetLastError();
}

TEST_CASE("copies between devices, and the device that a call names") {
  in_all_orders([] {
    setting s;
    fill_kernel<<<blocks, 256>>>(s.x[0], 7);
    CHECK(cudaMemcpyPeer(s.x[1], 1, s.x[0], 0, bytes) == cudaSuccess);
    CHECK(first_of(s.x[1]) == 7);
    CHECK(cudaMemcpyPeerAsync(s.y[0], 0, s.x[1], 1, bytes, s.stream[0]) == cudaSuccess);
    CHECK(cudaStreamSynchronize(s.stream[0]) == cudaSuccess);
    CHECK(first_of(s.y[0]) == 7);
    CHECK(cudaMemcpyPeer(s.x[1], 0, s.x[0], 0, bytes) == cudaErrorInvalidValue);
    CHECK(cudaMemcpyPeer(s.x[1], 4, s.x[0], 0, bytes) == cudaErrorInvalidDevice);
    cudaGetLastError();
  });
}

TEST_CASE("each device has its own variables; managed ones belong to all") {
  in_all_orders([] {
    int* result[2];
    shared_by_all = 0;
    for (int d = 0; d < 2; ++d) {
      on(d);
      const int none = 0, mine = 10 * (d + 1);
      REQUIRE(cudaMalloc(&result[d], sizeof(int)) == cudaSuccess);
      REQUIRE(cudaMemcpyToSymbol(total, &none, sizeof none) == cudaSuccess);
      REQUIRE(cudaMemcpyToSymbol(factor, &mine, sizeof mine) == cudaSuccess);
    }
    for (int round = 1; round <= 3; ++round)
      for (int d = 0; d < 2; ++d) {
        on(d);
        use_variables_kernel<<<1, 1>>>(result[d]);
        int value = 0, copied = 0;
        REQUIRE(cudaMemcpy(&value, result[d], sizeof value, cudaMemcpyDeviceToHost) == cudaSuccess);
        CHECK(value == 10 * (d + 1) * round);
        REQUIRE(cudaMemcpyFromSymbol(&copied, total, sizeof copied) == cudaSuccess);
        CHECK(copied == value);
      }
    on(2);  // nobody has written to these: they are as the program has them
    int untouched = 0;
    REQUIRE(cudaMemcpyFromSymbol(&untouched, factor, sizeof untouched) == cudaSuccess);
    CHECK(untouched == 1);
    on(0);
    CHECK(shared_by_all == 6);
    for (int* each : result) cudaFree(each);
  });
}

TEST_CASE("two devices work on their own variables in no order") {
  in_all_orders([] {
    int* numbers[2];
    for (int d = 0; d < 2; ++d) {
      on(d);
      const int mine[2] = {10 * (d + 1), 0};
      REQUIRE(cudaMalloc(&numbers[d], sizeof mine) == cudaSuccess);
      REQUIRE(cudaMemcpy(numbers[d], mine, sizeof mine, cudaMemcpyHostToDevice) == cudaSuccess);
    }
    for (int d = 0; d < 2; ++d) {
      on(d);
      REQUIRE(cudaMemcpyToSymbolAsync(factor, numbers[d], sizeof(int), 0, cudaMemcpyDeviceToDevice) ==
              cudaSuccess);
      use_own_variables_kernel<<<1, 1>>>(numbers[d] + 1);
    }
    for (int d = 0; d < 2; ++d) {
      on(d);
      int value = 0;
      REQUIRE(cudaMemcpy(&value, numbers[d] + 1, sizeof value, cudaMemcpyDeviceToHost) == cudaSuccess);
      CHECK(value == 20 * (d + 1));
      cudaFree(numbers[d]);
    }
    on(0);
  });
}

TEST_CASE("two streams of one device work on its variables in no order") {
  setting s(true);
  const auto both = [&](bool waits) {
    wait_for_both();
    cudaMemcpyToSymbolAsync(factor, s.x[0], sizeof(int), 0, cudaMemcpyDeviceToDevice, s.stream[0]);
    cudaEventRecord(s.event[0], s.stream[0]);
    cudaStream_t other;
    cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking);
    if (waits) cudaStreamWaitEvent(other, s.event[0]);
    use_own_variables_kernel<<<1, 1, 0, other>>>(reinterpret_cast<int*>(s.y[0]));
    cudaDeviceSynchronize();
    cudaStreamDestroy(other);
  };
  check_found(
      finding_kind::unordered, {"nothing orders two operations", "factor"}, [&] { both(false); },
      [&] { both(true); });
}

TEST_CASE("bytes over the link are counted apart") {
  setting s(true);
  cuda_emulator::begin_counting();
  copy_kernel<<<blocks, 256>>>(s.y[0], s.x[1]);
  copy_kernel<<<blocks, 256>>>(s.y[1], s.x[0]);
  copy_kernel<<<blocks, 256>>>(s.y[0], s.x[0]);
  CHECK(cudaMemcpyPeer(s.x[1], 1, s.x[0], 0, 1000) == cudaSuccess);
  CHECK(cudaMemcpy(s.y[0], s.x[0], 1000, cudaMemcpyDefault) == cudaSuccess);
  const auto launches = cuda_emulator::end_counting();
  REQUIRE(launches.size() == 4);
  CHECK(launches[0].peer_load_bytes == bytes);
  CHECK(launches[0].peer_store_bytes == 0);
  CHECK(launches[0].global_load_bytes == bytes);
  CHECK(launches[1].peer_store_bytes == bytes);
  CHECK(launches[2].peer_load_bytes + launches[2].peer_store_bytes == 0);
  CHECK(launches[3].kernel == "cudaMemcpyPeer() from device 0 to device 1");
  CHECK(launches[3].peer_store_bytes == 1000);
}

TEST_CASE("kernels of two devices wait for each other") {
  in_all_orders([] {
    setting s(true);
    int *flag[2], *data[2];
    for (int d = 0; d < 2; ++d) {
      on(d);
      REQUIRE(cudaMalloc(&flag[d], sizeof(int)) == cudaSuccess);
      REQUIRE(cudaMalloc(&data[d], sizeof(int)) == cudaSuccess);
      REQUIRE(cudaMemset(flag[d], 0, sizeof(int)) == cudaSuccess);
      REQUIRE(cudaMemset(data[d], 0, sizeof(int)) == cudaSuccess);
      REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
    }
    std::thread both[2];
    for (int d = 0; d < 2; ++d)
      both[d] = std::thread([&, d] {
        cudaSetDevice(d);
        ping_kernel<<<1, 32, 0, s.stream[d]>>>(flag[d], flag[1 - d], data[d], data[1 - d], 5, d == 0);
        cudaStreamSynchronize(s.stream[d]);
      });
    for (std::thread& each : both) each.join();
    int last = 0;
    REQUIRE(cudaMemcpy(&last, data[0], sizeof last, cudaMemcpyDeviceToHost) == cudaSuccess);
    CHECK(last == 10);
    for (int d = 0; d < 2; ++d) {
      cudaFree(flag[d]);
      cudaFree(data[d]);
    }
  });
}

// Three kernels a round on device 1: the one in the middle, which uses what came, knows nothing of flags. One
// thread of the host for each device, or one for both, which launches first what waits.
namespace {

/// What is found, or that numbers are wrong; nothing where all is in order.
std::string pushed_by_flags(unsigned long long rounds, flag_use how, bool one_thread) {
  setting s(true);
  unsigned long long* flags[2];
  for (int d = 0; d < 2; ++d) {
    on(d);
    REQUIRE(cudaMalloc(&flags[d], sizeof *flags[d]) == cudaSuccess);
    REQUIRE(cudaMemset(flags[d], 0, sizeof *flags[d]) == cudaSuccess);
    REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  }
  const auto push = [&](unsigned long long r) {
    push_kernel<<<1, 64, 0, s.stream[0]>>>(s.x[1], s.x[0], flags[1], flags[0], r, how);
  };
  const auto use = [&](unsigned long long r) {
    const unsigned long long wanted = how == flag_use::round_before ? r : r + 1;
    if (how != flag_use::not_awaited) wait_kernel<<<1, 1, 0, s.stream[1]>>>(flags[1], wanted);
    copy_kernel<<<1, 64, 0, s.stream[1]>>>(s.y[1], s.x[1]);
    raise_kernel<<<1, 1, 0, s.stream[1]>>>(flags[0]);
  };
  std::mutex mutex;
  std::string found;
  const auto in_thread = [&](auto&& work) {
    return std::thread([&, work] {
      try {
        work();
      } catch (const cuda_emulator::finding& f) {
        const std::lock_guard lock(mutex);
        found = f.what();
      }
    });
  };
  cuda_emulator::throw_findings(true);
  if (one_thread) {
    in_thread([&] {
      for (unsigned long long r = 0; r < rounds; ++r) {
        cudaSetDevice(1);
        use(r);
        cudaSetDevice(0);
        push(r);
      }
    }).join();
  } else {
    std::thread both[] = {in_thread([&] {
                            for (unsigned long long r = 0; r < rounds; ++r) push(r);
                          }),
                          in_thread([&] {
                            cudaSetDevice(1);
                            for (unsigned long long r = 0; r < rounds; ++r) use(r);
                          })};
    for (std::thread& each : both) each.join();
  }
  // What is found in a thread of a device is thrown by a call that waits.
  for (int i = 0; i < 2; ++i) in_thread([&] { wait_for_both(); }).join();
  cuda_emulator::throw_findings(false);
  wait_for_both();
  if (found.empty() && first_of(s.y[1]) != static_cast<float>(rounds)) found = "wrong numbers";
  for (unsigned long long* each : flags) cudaFree(each);
  return found;
}

}  // namespace

TEST_CASE(
    "a kernel hands on what came before it in its stream by a flag, to what comes behind in another one") {
  in_all_orders([&] { CHECK(pushed_by_flags(4, flag_use::right, false) == std::string()); });
}

TEST_CASE("one thread of the host launches kernels that wait for each other") {
  in_all_orders([&] { CHECK(pushed_by_flags(4, flag_use::right, true) == std::string()); });
}

TEST_CASE("a flag raised too early, without a release, not waited for, or of the round before") {
  in_all_orders([&] {
    for (const flag_use how : {flag_use::raised_first, flag_use::not_released}) {
      CAPTURE(static_cast<int>(how));
      for (const bool one_thread : {false, true})
        CHECK(pushed_by_flags(1, how, one_thread).find("nothing orders two operations") != std::string::npos);
    }
    // What is pushed may come after its use, by the other flag: then the numbers are wrong. Two
    // threads may come to it in the right order by chance.
    CHECK(pushed_by_flags(1, flag_use::not_awaited, true) != "");
  });
  // In other orders the push may come before its flag is looked at, and all is in order.
  CHECK(pushed_by_flags(1, flag_use::round_before, true) != "");
}

TEST_CASE("memory of another device without peer access") {
  setting s;
  check_found(
      finding_kind::other_device,
      {"memory of another device used in kernel copy_kernel", "runs on device 0", "that of device 1",
       "cudaDeviceEnablePeerAccess(1, 0) while device 0 is current"},
      [&] { copy_kernel<<<blocks, 256>>>(s.y[0], s.x[1]); },
      [&] {
        cudaDeviceEnablePeerAccess(1, 0);
        copy_kernel<<<blocks, 256>>>(s.y[0], s.x[1]);
        cudaDeviceSynchronize();
        cudaDeviceDisablePeerAccess(1);
      });
}

TEST_CASE("two devices' work on the same memory in no order") {
  setting s(true);
  const auto both = [&](bool waits) {
    wait_for_both();
    fill_kernel<<<blocks, 256, 0, s.stream[0]>>>(s.x[0], 1);
    cudaEventRecord(s.event[0], s.stream[0]);
    on(1);
    if (waits) cudaStreamWaitEvent(s.stream[1], s.event[0]);
    copy_kernel<<<blocks, 256, 0, s.stream[1]>>>(s.y[1], s.x[0]);
    cudaDeviceSynchronize();
    on(0);
    cudaDeviceSynchronize();
  };
  check_found(
      finding_kind::unordered,
      {"nothing orders two operations", "of device 1, made at", "of device 0, made at",
       "cudaStreamWaitEvent("},
      [&] { both(false); }, [&] { both(true); });
}

TEST_CASE("a copy between devices, and a kernel that does not wait for it") {
  setting s;
  cudaStream_t apart;
  on(1);
  REQUIRE(cudaStreamCreateWithFlags(&apart, cudaStreamNonBlocking) == cudaSuccess);
  const auto both = [&](bool waits) {
    wait_for_both();
    on(0);
    cudaMemcpyPeer(s.x[1], 1, s.x[0], 0, bytes);  // returns before it is done
    if (waits) cudaDeviceSynchronize();
    on(1);
    copy_kernel<<<blocks, 256, 0, apart>>>(s.y[1], s.x[1]);
    cudaDeviceSynchronize();
  };
  check_found(
      finding_kind::unordered, {"nothing orders two operations", "cudaMemcpyPeer()"}, [&] { both(false); },
      [&] { both(true); });
  // The default streams of both devices do wait for it.
  const auto in_default = finding_of([&] {
    on(0);
    cudaMemcpyPeer(s.x[1], 1, s.x[0], 0, bytes);
    on(1);
    copy_kernel<<<blocks, 256>>>(s.y[1], s.x[1]);
  });
  CHECK_FALSE(in_default.has_value());
  on(1);
  cudaStreamDestroy(apart);
}

TEST_CASE("memory freed while another device works with it") {
  setting s(true);
  float* memory = nullptr;
  const auto both = [&](bool waits) {
    wait_for_both();
    on(0);
    cudaFree(memory);
    cudaMalloc(&memory, bytes);
    cudaMemset(memory, 0, bytes);
    cudaDeviceSynchronize();
    on(1);
    copy_kernel<<<blocks, 256, 0, s.stream[1]>>>(s.y[1], memory);
    if (waits) cudaDeviceSynchronize();
    on(0);
    cudaFree(memory);
    memory = nullptr;
  };
  check_found(
      finding_kind::unordered, {"cudaFree() frees", "kernel copy_kernel", "of device 1"},
      [&] { both(false); }, [&] { both(true); });
  cudaFree(memory);
  cudaGetLastError();
}

TEST_CASE("cudaDeviceSynchronize() waits for the current device only") {
  setting s;
  const auto both = [&](int device) {
    wait_for_both();
    on(0);
    fill_kernel<<<blocks, 256, 0, s.stream[0]>>>(s.x[0], 1);
    on(device);
    cudaDeviceSynchronize();
    on(1);
    cudaMemcpyAsync(s.x[1], s.x[0], bytes, cudaMemcpyDefault, s.stream[1]);
    cudaDeviceSynchronize();
    on(0);
    cudaDeviceSynchronize();
  };
  check_found(
      finding_kind::unordered, {"nothing orders two operations"}, [&] { both(1); }, [&] { both(0); });
}

TEST_CASE("a graph over two devices runs each node where it was captured") {
  in_all_orders([] {
    setting s(true);
    cudaGraph_t graph;
    cudaGraphExec_t made;
    on(0);
    REQUIRE(cudaStreamBeginCapture(s.stream[0], cudaStreamCaptureModeThreadLocal) == cudaSuccess);
    fill_kernel<<<blocks, 256, 0, s.stream[0]>>>(s.x[0], 3);
    REQUIRE(cudaEventRecord(s.event[0], s.stream[0]) == cudaSuccess);
    REQUIRE(cudaStreamWaitEvent(s.stream[1], s.event[0]) == cudaSuccess);
    on(1);
    copy_kernel<<<blocks, 256, 0, s.stream[1]>>>(s.x[1], s.x[0]);
    REQUIRE(cudaEventRecord(s.event[1], s.stream[1]) == cudaSuccess);
    on(0);
    REQUIRE(cudaStreamWaitEvent(s.stream[0], s.event[1]) == cudaSuccess);
    REQUIRE(cudaStreamEndCapture(s.stream[0], &graph) == cudaSuccess);
    REQUIRE(cudaGraphInstantiate(&made, graph, 0) == cudaSuccess);
    cuda_emulator::begin_counting();
    REQUIRE(cudaGraphLaunch(made, s.stream[0]) == cudaSuccess);
    const auto launches = cuda_emulator::end_counting();
    REQUIRE(launches.size() == 2);
    CHECK(launches[1].peer_load_bytes == bytes);
    REQUIRE(cudaStreamSynchronize(s.stream[0]) == cudaSuccess);
    CHECK(first_of(s.x[1]) == 3);
    cudaGraphExecDestroy(made);
    cudaGraphDestroy(graph);
  });
}

TEST_CASE("a plan of cuFFT runs on the device on which it was made") {
  setting s;
  cufftHandle plan;
  REQUIRE(cufftPlan1d(&plan, 16, CUFFT_C2C, 1) == CUFFT_SUCCESS);
  auto* const data = reinterpret_cast<cufftComplex*>(s.x[0]);
  CHECK(cufftExecC2C(plan, data, data, CUFFT_FORWARD) == CUFFT_SUCCESS);
  on(1);
  CHECK(cufftExecC2C(plan, data, data, CUFFT_FORWARD) == CUFFT_INVALID_DEVICE);
  on(0);
  CHECK(cufftDestroy(plan) == CUFFT_SUCCESS);
  cudaGetLastError();
}

TEST_CASE("cudaDeviceReset() is about the current device") {
  void *zero = nullptr, *one = nullptr;
  on(0);
  REQUIRE(cudaMalloc(&zero, 100) == cudaSuccess);
  on(1);
  REQUIRE(cudaMalloc(&one, 100) == cudaSuccess);
  CHECK(cudaDeviceReset() == cudaSuccess);
  CHECK(cudaFree(one) == cudaErrorInvalidValue);
  CHECK(cudaFree(zero) == cudaSuccess);
  on(0);
  cudaGetLastError();
}
