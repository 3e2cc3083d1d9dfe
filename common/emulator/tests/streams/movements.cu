// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// What goes over the host link, and the longest chain of it.
#include <algorithm>
#include <functional>
#include <vector>

#include "../findings.hpp"
#include "emulator/control.hpp"
#include "emulator/movements.hpp"

namespace {

using cuda_emulator::movement;
using cuda_emulator::movement_kind;
using cuda_emulator::movement_list;

constexpr int size = 1000;
constexpr std::size_t bytes = size * sizeof(float);

__global__ void copy_kernel(float* to, const float* from, int n) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) to[i] = from[i];
}

/// Two buffers on each side, and two streams.
struct setting {
  float *host[2] = {}, *device[2] = {};
  cudaStream_t a = nullptr, b = nullptr;
  cudaEvent_t event = nullptr;
  setting() {
    for (float*& each : host) REQUIRE(cudaMallocHost(&each, bytes) == cudaSuccess);
    for (float*& each : device) {
      REQUIRE(cudaMalloc(&each, bytes) == cudaSuccess);
      cudaMemset(each, 0, bytes);
    }
    for (int i = 0; i < size; ++i) host[0][i] = host[1][i] = 1;
    for (cudaStream_t* each : {&a, &b})
      REQUIRE(cudaStreamCreateWithFlags(each, cudaStreamNonBlocking) == cudaSuccess);
    REQUIRE(cudaEventCreate(&event) == cudaSuccess);
    cudaDeviceSynchronize();
  }
  setting(const setting&) = delete;
  ~setting() {
    cudaDeviceSynchronize();
    for (float* each : host) cudaFreeHost(each);
    for (float* each : device) cudaFree(each);
    cudaStreamDestroy(a);
    cudaStreamDestroy(b);
    cudaEventDestroy(event);
  }
  void up(int which, cudaStream_t stream) {
    cudaMemcpyAsync(device[which], host[which], bytes, cudaMemcpyHostToDevice, stream);
  }
  void down(int which, cudaStream_t stream) {
    cudaMemcpyAsync(host[which], device[which], bytes, cudaMemcpyDeviceToHost, stream);
  }
};

movement_list moved(const std::function<void()>& work) {
  cuda_emulator::begin_movements();
  work();
  cudaDeviceSynchronize();
  return cuda_emulator::end_movements();
}
std::uint64_t chain(const movement_list& list) {
  std::uint64_t last = 0;
  for (const movement& each : list.operations) last = std::max(last, each.end);
  return last;
}

}  // namespace

TEST_CASE("copies in one stream follow each other, in two they need not") {
  setting s;
  CHECK(chain(moved([&] { s.up(0, s.a), s.down(1, s.a); })) == 2 * bytes);
  CHECK(chain(moved([&] { s.up(0, s.a), s.down(1, s.b); })) == bytes);
  CHECK(chain(moved([&] { s.up(0, s.a), s.up(1, s.b); })) == 2 * bytes);  // one engine for each way
}

TEST_CASE("an event, the host and the default stream order two streams") {
  setting s;
  CHECK(chain(moved([&] {
          s.up(0, s.a);
          cudaEventRecord(s.event, s.a);
          cudaStreamWaitEvent(s.b, s.event, 0);
          s.down(1, s.b);
        })) == 2 * bytes);
  const movement_list waited = moved([&] {
    s.up(0, s.a);
    cudaStreamSynchronize(s.a);
    s.down(1, s.b);
  });
  CHECK(chain(waited) == 2 * bytes);
  CHECK(waited.waits == 2);  // and that of moved()
  cudaStream_t blocking = nullptr;
  REQUIRE(cudaStreamCreate(&blocking) == cudaSuccess);
  CHECK(chain(moved([&] { s.up(0, nullptr), s.down(1, blocking); })) == 2 * bytes);
  cudaStreamDestroy(blocking);
}

TEST_CASE("a copy that waits counts as a wait, whether what is before it was kept or not") {
  setting s;
  const auto copied = [&] {
    s.up(0, s.a);
    cudaMemcpy(s.host[0], s.device[1], bytes, cudaMemcpyDeviceToHost);
  };
  cudaStreamDestroy(s.a);
  REQUIRE(cudaStreamCreate(&s.a) == cudaSuccess);  // the copy waits for it
  for (const char* order : {"forward", "reverse"}) {
    REQUIRE(cuda_emulator::set_order(order));
    CHECK_MESSAGE(moved(copied).waits == 2, order);  // and that of moved()
  }
  cuda_emulator::set_order("forward");
}

TEST_CASE("what has finished before an operation begins") {
  setting s;
  const movement_list list = moved([&] {
    s.up(0, s.a);
    cudaEventRecord(s.event, s.a);
    s.up(1, s.b);
    copy_kernel<<<4, 256, 0, s.a>>>(s.device[0], s.device[0], 0);
    cudaStreamWaitEvent(s.b, s.event, 0);
    s.down(0, s.b);
  });
  REQUIRE(list.operations.size() == 4);
  const auto after = [&](std::size_t a, std::size_t b) {
    return list.operations[a].comes_after(list.operations[b]);
  };
  CHECK(!after(1, 0));  // another stream
  CHECK(after(2, 0));   // the same one
  CHECK(after(3, 0));   // by the event
  CHECK(after(3, 1));
  CHECK(!after(3, 2));  // behind the event
  CHECK(!after(0, 3));
  CHECK(!list.operations[3].of_graph);
}

TEST_CASE("kernels take no step, but for what they use of the host's memory") {
  setting s;
  const movement_list local = moved([&] { copy_kernel<<<4, 256, 0, s.a>>>(s.device[0], s.device[1], size); });
  REQUIRE(local.operations.size() == 1);
  CHECK(local.operations[0].kind == movement_kind::kernel);
  CHECK(local.operations[0].what == "kernel copy_kernel");
  CHECK(chain(local) == 0);
  // Each byte counts once, and both ways go at the same time.
  for (const int threads : {1, 4}) {
    cuda_emulator::set_threads(threads);
    const movement_list direct = moved([&] { copy_kernel<<<4, 256, 0, s.a>>>(s.host[0], s.host[1], 900); });
    REQUIRE(direct.operations.size() == 1);
    CHECK(direct.operations[0].up == 3600);
    CHECK(direct.operations[0].down == 3600);
    CHECK(chain(direct) == 3600);
  }
}

TEST_CASE("copies of all kinds say what they move") {
  setting s;
  std::vector<float> pageable(size, 1);
  const movement_list all = moved([&] {
    cudaMemcpy(s.device[0], pageable.data(), bytes, cudaMemcpyHostToDevice);
    cudaMemcpy(s.device[1], s.device[0], bytes, cudaMemcpyDeviceToDevice);
    cudaMemset(s.device[0], 0, 8);
    cudaMemcpy2D(pageable.data(), 40, s.device[1], 80, 20, 3, cudaMemcpyDeviceToHost);
    cudaMemcpy(pageable.data(), s.host[0], bytes, cudaMemcpyHostToHost);
  });
  REQUIRE(all.operations.size() == 5);
  CHECK(all.operations[0].up == bytes);
  CHECK(all.operations[1].within == bytes);
  CHECK(all.operations[2].within == 8);
  CHECK(all.operations[3].down == 60);
  CHECK(all.operations[4].up + all.operations[4].down + all.operations[4].within == 0);
  CHECK(chain(all) == bytes + 60);
}

TEST_CASE("the nodes of a graph are operations") {
  setting s;
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t executable = nullptr;
  REQUIRE(cudaStreamBeginCapture(s.a, cudaStreamCaptureModeThreadLocal) == cudaSuccess);
  s.up(0, s.a);
  s.down(0, s.a);
  REQUIRE(cudaStreamEndCapture(s.a, &graph) == cudaSuccess);
  REQUIRE(cudaGraphInstantiate(&executable, graph, 0) == cudaSuccess);
  const movement_list list = moved([&] {
    cudaGraphLaunch(executable, s.a);
    cudaGraphLaunch(executable, s.a);
  });
  CHECK(chain(list) == 4 * bytes);
  for (const movement& each : list.operations) CHECK(each.of_graph);
  cudaGraphExecDestroy(executable);
  cudaGraphDestroy(graph);
}

TEST_CASE("lists nest, and each begins at 0") {
  setting s;
  cuda_emulator::begin_movements();
  s.up(0, s.a);
  const movement_list inner = moved([&] { s.up(0, s.a); });
  CHECK(chain(inner) == bytes);
  CHECK(chain(cuda_emulator::end_movements()) == 2 * bytes);
  CHECK(cuda_emulator::end_movements().operations.empty());
}
