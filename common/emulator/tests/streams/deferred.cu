// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Work that streams keep until it is needed: what it owns, when it runs, and what the host sees of that.
#include <cufft.h>

#include <algorithm>
#include <atomic>
#include <set>
#include <thread>

#include "../findings.hpp"
#include "emulator/counts.hpp"

namespace {

constexpr int size = 3000;
constexpr std::size_t bytes = size * sizeof(float);

struct coefficients {
  float factor, offset;
};
__global__ void apply_kernel(float* x, coefficients c) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < size) x[i] = x[i] * c.factor + c.offset;
}
template <class T>
__global__ void add_kernel(T* x, T value) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < size) x[i] += value;
}
__global__ void copy_kernel(float* y, const float* x) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < size) y[i] = x[i];
}
__global__ void failing_kernel(const float* x) {
  if (x != nullptr) __trap();
}
constexpr int blocks = (size + 127) / 128;

/// Two streams and memory.
struct setting {
  cudaStream_t a = nullptr, b = nullptr;
  cudaEvent_t event = nullptr;
  float *x = nullptr, *y = nullptr, *pinned = nullptr;

  setting() {
    REQUIRE(cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking) == cudaSuccess);
    REQUIRE(cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking) == cudaSuccess);
    REQUIRE(cudaEventCreate(&event) == cudaSuccess);
    REQUIRE(cudaMalloc(&x, bytes) == cudaSuccess);
    REQUIRE(cudaMalloc(&y, bytes) == cudaSuccess);
    REQUIRE(cudaMallocHost(&pinned, bytes) == cudaSuccess);
    std::fill(pinned, pinned + size, 1.0f);
    REQUIRE(cudaMemset(x, 0, bytes) == cudaSuccess);
    REQUIRE(cudaMemset(y, 0, bytes) == cudaSuccess);
    REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  }
  setting(const setting&) = delete;
  ~setting() {
    cudaStreamSynchronize(a);
    cudaStreamSynchronize(b);
    cudaStreamDestroy(a);
    cudaStreamDestroy(b);
    cudaEventDestroy(event);
    cudaFree(x);
    cudaFree(y);
    cudaFreeHost(pinned);
  }
  float first_of_x() {
    float value = -1;
    CHECK(cudaMemcpyAsync(&value, x, sizeof value, cudaMemcpyDeviceToHost, a) == cudaSuccess);
    return value;
  }
};

/// In every order, without a finding.
template <class Work>
void check_right(Work&& work) {
  in_all_orders([&] {
    const auto found = finding_of([&] {
      setting s;
      work(s);
    });
    if (found) FAIL_CHECK(std::string(found->what()));
  });
}

/// The values of x[0] that a program without checks comes to, in all orders.
template <class Work>
std::set<float> results_of(Work&& work) {
  std::set<float> all;
  cuda_emulator::set_checking(false);
  in_all_orders([&] {
    setting s;
    work(s);
    cudaDeviceSynchronize();
    all.insert(s.first_of_x());
  });
  cuda_emulator::set_checking(true);
  return all;
}

}  // namespace

TEST_CASE("a program without a wait computes something else in some order, and a right one never") {
  const auto program = [](bool waits) {
    return [waits](setting& s) {
      cudaMemcpyAsync(s.x, s.pinned, bytes, cudaMemcpyHostToDevice, s.a);
      cudaEventRecord(s.event, s.a);
      if (waits) cudaStreamWaitEvent(s.b, s.event);
      apply_kernel<<<blocks, 128, 0, s.b>>>(s.x, {3, 4});
    };
  };
  CHECK(results_of(program(false)) == std::set<float>{1, 7});
  CHECK(results_of(program(true)) == std::set<float>{7});
  // The host is too early: the copy brings what it has written.
  const auto host = [](bool waits) {
    return [waits](setting& s) {
      cudaMemcpyAsync(s.x, s.pinned, bytes, cudaMemcpyHostToDevice, s.a);
      if (waits) cudaStreamSynchronize(s.a);
      s.pinned[0] = 9;
    };
  };
  CHECK(results_of(host(false)) == std::set<float>{1, 9});
  CHECK(results_of(host(true)) == std::set<float>{1});
}

TEST_CASE("a launch keeps its arguments, a copy from ordinary memory what was there") {
  check_right([](setting& s) {
    std::vector<float> host(size, 2.0f);
    CHECK(cudaMemcpyAsync(s.x, host.data(), bytes, cudaMemcpyHostToDevice, s.a) == cudaSuccess);
    std::fill(host.begin(), host.end(), -1.0f);
    {
      coefficients c{2, 1};
      apply_kernel<<<blocks, 128, 0, s.a>>>(s.x, c);
      c = {0, 0};
      float one = 1;
      add_kernel<<<blocks, 128, 0, s.a>>>(s.x, one);
      one = 1000;
      int many = 8;
      void* arguments[] = {&s.x, &c};
      c = {1, static_cast<float>(many)};
      CHECK(cudaLaunchKernel(apply_kernel, blocks, 128, arguments, 0, s.a) == cudaSuccess);
      c = {0, 0};
    }
    CHECK(s.first_of_x() == 14);
    // Rows: the host's are packed.
    std::vector<float> rows(40, 5.0f);
    CHECK(cudaMemcpy2DAsync(s.x, 32, rows.data(), 40, 8, 4, cudaMemcpyHostToDevice, s.a) == cudaSuccess);
    std::fill(rows.begin(), rows.end(), -1.0f);
    CHECK(s.first_of_x() == 5);
    std::vector<float> all(size);
    CHECK(cudaMemcpy(all.data(), s.x, bytes, cudaMemcpyDeviceToHost) == cudaSuccess);
    CHECK(all[2] == 14);
    CHECK(all[24] == 5);
    CHECK(all[32] == 14);
  });
}

TEST_CASE("asking comes to an end, and whoever was told that it is done has waited") {
  check_right([](setting& s) {
    add_kernel<<<blocks, 128, 0, s.a>>>(s.pinned, 1.0f);
    add_kernel<<<blocks, 128, 0, s.a>>>(s.pinned, 1.0f);
    CHECK(cudaEventRecord(s.event, s.a) == cudaSuccess);
    while (cudaEventQuery(s.event) == cudaErrorNotReady) continue;
    CHECK(s.pinned[size - 1] == 3);
    add_kernel<<<blocks, 128, 0, s.b>>>(s.pinned, 1.0f);
    while (cudaStreamQuery(s.b) == cudaErrorNotReady) continue;
    CHECK(s.pinned[0] == 4);
    cudaGetLastError();
  });
  REQUIRE(cuda_emulator::set_order("reverse"));
  {
    setting s;
    add_kernel<<<blocks, 128, 0, s.a>>>(s.x, 1.0f);
    CHECK(cudaStreamQuery(s.a) == cudaErrorNotReady);
    CHECK(cudaGetLastError() == cudaErrorNotReady);
    CHECK(cudaStreamQuery(s.b) == cudaSuccess);
    CHECK(cudaStreamQuery(s.a) == cudaSuccess);
  }
  cuda_emulator::set_order("forward");
}

TEST_CASE("what nothing has waited for is not done when the host asks for the first time") {
  check_right([](setting& s) {
    cudaEvent_t begin = nullptr, end = nullptr;
    REQUIRE(cudaEventCreate(&begin) == cudaSuccess);
    REQUIRE(cudaEventCreate(&end) == cudaSuccess);
    float milliseconds = -1;
    for (const cudaStream_t stream : {s.a, cudaStream_t{nullptr}}) {
      CHECK(cudaEventRecord(begin, stream) == cudaSuccess);
      CHECK(cudaEventQuery(begin) == cudaSuccess);  // nothing is in front of it
      add_kernel<<<blocks, 128, 0, stream>>>(s.x, 1.0f);
      CHECK(cudaEventRecord(end, stream) == cudaSuccess);
      CHECK(cudaEventQuery(end) == cudaErrorNotReady);
      CHECK(cudaStreamQuery(stream) == cudaErrorNotReady);
      while (cudaEventElapsedTime(&milliseconds, begin, end) == cudaErrorNotReady) continue;
      CHECK(milliseconds >= 0);
      add_kernel<<<blocks, 128, 0, stream>>>(s.x, 1.0f);
      CHECK(cudaEventRecord(end, stream) == cudaSuccess);
      CHECK(cudaEventElapsedTime(&milliseconds, begin, end) == cudaErrorNotReady);
      CHECK(cudaStreamSynchronize(stream) == cudaSuccess);
      CHECK(cudaEventElapsedTime(&milliseconds, begin, end) == cudaSuccess);
      CHECK(cudaStreamQuery(stream) == cudaSuccess);
    }
    for (const cudaEvent_t each : {begin, end}) CHECK(cudaEventDestroy(each) == cudaSuccess);
    cudaGetLastError();
  });
}

TEST_CASE("the time of an event is that of its turn") {
  check_right([](setting& s) {
    cudaEvent_t end = nullptr;
    REQUIRE(cudaEventCreate(&end) == cudaSuccess);
    float milliseconds = -1;
    CHECK(cudaEventRecord(s.event, s.a) == cudaSuccess);
    for (int i = 0; i < 20; ++i) add_kernel<<<blocks, 128, 0, s.a>>>(s.x, 1.0f);
    CHECK(cudaEventRecord(end, s.a) == cudaSuccess);
    CHECK(cudaEventElapsedTime(&milliseconds, s.event, end) == cudaErrorNotReady);
    CHECK(cudaEventSynchronize(end) == cudaSuccess);
    CHECK(cudaEventElapsedTime(&milliseconds, s.event, end) == cudaSuccess);
    CHECK(milliseconds > 0.01f);
    CHECK(cudaEventDestroy(end) == cudaSuccess);
    cudaGetLastError();
  });
}

TEST_CASE("memory that a stream is to free is no longer the host's") {
  check_right([](setting& s) {
    float* extra = nullptr;
    REQUIRE(cudaMallocAsync(&extra, bytes, s.a) == cudaSuccess);
    CHECK(cudaMemsetAsync(extra, 0, bytes, s.a) == cudaSuccess);
    add_kernel<<<blocks, 128, 0, s.a>>>(extra, 2.0f);
    copy_kernel<<<blocks, 128, 0, s.a>>>(s.x, extra);
    CHECK(cudaFreeAsync(extra, s.a) == cudaSuccess);
    CHECK(cudaFreeAsync(extra, s.a) == cudaErrorInvalidValue);
    CHECK(cudaMemsetAsync(extra, 0, bytes, s.a) == cudaErrorInvalidValue);
    CHECK(cudaFree(extra) == cudaErrorInvalidValue);
    CHECK(s.first_of_x() == 2);
    cudaGetLastError();
  });
}

TEST_CASE("streams, graphs and plans that are destroyed before their work has run") {
  check_right([](setting& s) {
    cudaStream_t soon_gone = nullptr;
    REQUIRE(cudaStreamCreate(&soon_gone) == cudaSuccess);
    add_kernel<<<blocks, 128, 0, soon_gone>>>(s.x, 1.0f);
    CHECK(cudaEventRecord(s.event, soon_gone) == cudaSuccess);
    CHECK(cudaStreamDestroy(soon_gone) == cudaSuccess);
    CHECK(cudaStreamWaitEvent(s.a, s.event) == cudaSuccess);
    CHECK(s.first_of_x() == 1);

    cudaGraph_t graph = nullptr;
    cudaGraphExec_t made = nullptr;
    CHECK(cudaStreamBeginCapture(s.a, cudaStreamCaptureModeGlobal) == cudaSuccess);
    add_kernel<<<blocks, 128, 0, s.a>>>(s.x, 5.0f);
    CHECK(cudaStreamEndCapture(s.a, &graph) == cudaSuccess);
    CHECK(cudaGraphInstantiate(&made, graph, nullptr, nullptr, 0) == cudaSuccess);
    CHECK(cudaGraphLaunch(made, s.a) == cudaSuccess);
    CHECK(cudaGraphLaunch(made, s.a) == cudaSuccess);
    CHECK(cudaGraphDestroy(graph) == cudaSuccess);
    CHECK(cudaGraphExecDestroy(made) == cudaSuccess);
    CHECK(s.first_of_x() == 11);

    cufftHandle plan = 0;
    CHECK(cufftPlan1d(&plan, 64, CUFFT_C2C, 1) == CUFFT_SUCCESS);
    CHECK(cufftSetStream(plan, s.a) == CUFFT_SUCCESS);
    auto* const signal = reinterpret_cast<cufftComplex*>(s.x);
    CHECK(cufftExecC2C(plan, signal, signal, CUFFT_FORWARD) == CUFFT_SUCCESS);
    CHECK(cufftDestroy(plan) == CUFFT_SUCCESS);
    CHECK(s.first_of_x() == 64 * 11);
  });
}

TEST_CASE("a launch that is refused says so at once, a kernel that fails says so later") {
  in_all_orders([] {
    {
      setting s;
      add_kernel<<<1, 5000, 0, s.a>>>(s.x, 1.0f);
      CHECK(cudaGetLastError() == cudaErrorInvalidConfiguration);
      add_kernel<<<blocks, 128, 0, s.a>>>(s.x, 1.0f);
      failing_kernel<<<1, 1, 0, s.a>>>(s.x);
      add_kernel<<<blocks, 128, 0, s.a>>>(s.x, 1.0f);
      CHECK(cudaGetLastError() == cudaSuccess);
      CHECK(cudaStreamSynchronize(s.a) == cudaErrorLaunchFailure);
      CHECK(cudaGetLastError() == cudaErrorLaunchFailure);
    }
    cudaDeviceReset();
  });
}

namespace {

struct call_of_stream {
  cudaStream_t stream;
  float* x;
  cudaError_t copied = cudaSuccess, waited = cudaSuccess, launched = cudaSuccess;
};

void call_the_runtime(void* data) {
  auto& call = *static_cast<call_of_stream*>(data);
  call.copied = cudaMemsetAsync(call.x, 0, 4, call.stream);
  call.waited = cudaStreamSynchronize(call.stream);
  cudaGetLastError();
  add_kernel<<<1, 1, 0, call.stream>>>(call.x, 1.0f);
  call.launched = cudaGetLastError();
}

}  // namespace

TEST_CASE("a function that a stream calls must not give it work") {
  check_right([](setting& s) {
    call_of_stream call{s.a, s.x};
    CHECK(cudaLaunchHostFunc(s.a, call_the_runtime, &call) == cudaSuccess);
    CHECK(cudaStreamSynchronize(s.a) == cudaSuccess);
    CHECK(call.copied == cudaErrorNotPermitted);
    CHECK(call.waited == cudaErrorNotPermitted);
    CHECK(call.launched == cudaErrorNotPermitted);
  });
}

TEST_CASE("work runs in the end where the host waits without calling the runtime") {
  check_right([](setting& s) {
    std::atomic<bool> called{false};
    add_kernel<<<blocks, 128, 0, s.a>>>(s.x, 1.0f);
    cudaLaunchHostFunc(
        s.a, [](void* data) { *static_cast<std::atomic<bool>*>(data) = true; }, &called);
    while (!called) std::this_thread::yield();
    CHECK(s.first_of_x() == 1);
  });
}

namespace {

struct unwritten {
  float* x = nullptr;
  unwritten() { REQUIRE(cudaMalloc(&x, bytes) == cudaSuccess); }
  unwritten(const unwritten&) = delete;
  ~unwritten() { cudaFree(x); }
};

}  // namespace

TEST_CASE("memory that is not written yet: the missing wait is what is wrong") {
  check_found(
      cuda_emulator::finding_kind::unordered, {"kernel copy_kernel in stream ", "cudaMemcpyAsync() at "},
      [] {
        setting s;
        unwritten extra;
        cudaMemcpyAsync(extra.x, s.pinned, bytes, cudaMemcpyHostToDevice, s.a);
        copy_kernel<<<blocks, 128, 0, s.b>>>(s.x, extra.x);
        cudaStreamSynchronize(s.b);
      },
      [] {
        setting s;
        unwritten extra;
        cudaMemcpyAsync(extra.x, s.pinned, bytes, cudaMemcpyHostToDevice, s.a);
        cudaStreamSynchronize(s.a);
        copy_kernel<<<blocks, 128, 0, s.b>>>(s.x, extra.x);
        cudaStreamSynchronize(s.b);
      });
}

TEST_CASE("what is counted is complete, and more work than a GPU keeps") {
  check_right([](setting& s) {
    cuda_emulator::begin_counting();
    add_kernel<<<blocks, 128, 0, s.a>>>(s.x, 1.0f);
    copy_kernel<<<blocks, 128, 0, s.b>>>(s.y, s.y);
    const auto counts = cuda_emulator::end_counting();
    CHECK(counts.size() == 2);
    for (int i = 0; i < 1500; ++i) cudaMemsetAsync(s.x, i % 2, 4, s.a);
    CHECK(s.first_of_x() > 0);
  });
}

TEST_CASE("threads of the host, each with work in its own stream and in one for all") {
  check_right([](setting& s) {
    std::vector<std::thread> threads;
    std::atomic<int> failures{0};
    for (int t = 0; t < 4; ++t)
      threads.emplace_back([&failures, &s, t] {
        float* mine = nullptr;
        float value = 0;
        cudaStream_t stream = nullptr;
        cudaStreamCreate(&stream);
        cudaMallocAsync(&mine, bytes, stream);
        cudaMemsetAsync(mine, 0, bytes, stream);
        for (int i = 0; i < 10; ++i) {
          add_kernel<<<blocks, 128, 0, stream>>>(mine, 1.0f);
          add_kernel<<<blocks, 128, 0, t % 2 == 0 ? s.a : stream>>>(t % 2 == 0 ? s.x : mine, 1.0f);
        }
        cudaMemcpyAsync(&value, mine, sizeof value, cudaMemcpyDeviceToHost, stream);
        if (value != (t % 2 == 0 ? 10 : 20)) ++failures;
        cudaFreeAsync(mine, stream);
        cudaStreamSynchronize(stream);
        cudaStreamDestroy(stream);
      });
    for (std::thread& each : threads) each.join();
    CHECK(failures == 0);
    CHECK(s.first_of_x() == 20);
  });
}
