// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Graphs, captured and made node by node: what they do, what nothing in them orders, and what is refused.
#include <cuda_runtime.h>

#include <cufft.h>

#include <algorithm>
#include <array>
#include <memory>
#include <thread>

#include "../findings.hpp"

namespace {

using cuda_emulator::finding_kind;

constexpr int size = 3000, blocks = (size + 127) / 128;
constexpr std::size_t bytes = size * sizeof(float);

struct pair_of_floats {
  float add, factor;
};

__global__ void add_kernel(float* x, int count, float a) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < count) x[i] += a;
}
__global__ void both_kernel(float* x, pair_of_floats by) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < size) x[i] = (x[i] + by.add) * by.factor;
}
template <class T>
__global__ void deduced_kernel(T* x, T a) {
  x[threadIdx.x] += a;
}
__global__ void unnamed_kernel(float* x, int) { x[0] = 1; }

struct memory {
  cudaStream_t a = nullptr, b = nullptr;
  cudaEvent_t event = nullptr, other = nullptr;
  float *x = nullptr, *y = nullptr, *host = nullptr;
  memory() {
    REQUIRE(cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking) == cudaSuccess);
    REQUIRE(cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking) == cudaSuccess);
    REQUIRE(cudaEventCreate(&event) == cudaSuccess);
    REQUIRE(cudaEventCreate(&other) == cudaSuccess);
    REQUIRE(cudaMalloc(&x, bytes) == cudaSuccess);
    REQUIRE(cudaMalloc(&y, bytes) == cudaSuccess);
    REQUIRE(cudaMallocHost(&host, bytes) == cudaSuccess);
    REQUIRE(cudaMemset(x, 0, bytes) == cudaSuccess);
    REQUIRE(cudaMemset(y, 0, bytes) == cudaSuccess);
    for (int i = 0; i < size; ++i) host[i] = static_cast<float>(i);
    cudaDeviceSynchronize();
  }
  memory(const memory&) = delete;
  ~memory() {
    cudaGraph_t graph = nullptr;
    cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
    cudaStreamIsCapturing(a, &status);
    if (status != cudaStreamCaptureStatusNone) cudaStreamEndCapture(a, &graph);
    if (graph != nullptr) cudaGraphDestroy(graph);
    for (const cudaStream_t stream : {a, b}) {
      cudaStreamSynchronize(stream);
      cudaStreamDestroy(stream);
    }
    cudaEventDestroy(event);
    cudaEventDestroy(other);
    cudaFree(x);
    cudaFree(y);
    cudaFreeHost(host);
    cudaGetLastError();
  }
  void fork() {
    CHECK(cudaEventRecord(event, a) == cudaSuccess);
    CHECK(cudaStreamWaitEvent(b, event) == cudaSuccess);
  }
  void join() {
    CHECK(cudaEventRecord(other, b) == cudaSuccess);
    CHECK(cudaStreamWaitEvent(a, other) == cudaSuccess);
  }
};

template <class Work>
cudaGraph_t captured(memory& m, Work&& work) {
  REQUIRE(cudaStreamBeginCapture(m.a, cudaStreamCaptureModeThreadLocal) == cudaSuccess);
  work();
  cudaGraph_t graph = nullptr;
  REQUIRE(cudaStreamEndCapture(m.a, &graph) == cudaSuccess);
  return graph;
}

/// Instantiates, launches so often, waits, and destroys both.
void run(memory& m, cudaGraph_t graph, int times = 1) {
  cudaGraphExec_t made = nullptr;
  REQUIRE(cudaGraphInstantiate(&made, graph, 0) == cudaSuccess);
  CHECK(cudaGraphDestroy(graph) == cudaSuccess);
  for (int i = 0; i < times; ++i) CHECK(cudaGraphLaunch(made, m.a) == cudaSuccess);
  CHECK(cudaStreamSynchronize(m.a) == cudaSuccess);
  CHECK(cudaGraphExecDestroy(made) == cudaSuccess);
}

std::vector<cudaGraphNode_t> nodes_of(cudaGraph_t graph) {
  std::size_t count = 0;
  REQUIRE(cudaGraphGetNodes(graph, nullptr, &count) == cudaSuccess);
  std::vector<cudaGraphNode_t> nodes(count);
  REQUIRE(cudaGraphGetNodes(graph, nodes.data(), &count) == cudaSuccess);
  return nodes;
}

cudaKernelNodeParams parameters_of(void* function, void** arguments) {
  cudaKernelNodeParams p{};
  p.func = function;
  p.gridDim = dim3(blocks);
  p.blockDim = dim3(128);
  p.kernelParams = arguments;
  return p;
}

}  // namespace

TEST_CASE("what is captured runs when the graph is launched, as often as it is") {
  in_all_orders([] {
    memory m;
    float a = 1;
    const cudaGraph_t graph = captured(m, [&] {
      cudaMemcpyAsync(m.x, m.host, bytes, cudaMemcpyHostToDevice, m.a);
      m.fork();
      cudaMemsetAsync(m.y, 0, bytes, m.b);
      add_kernel<<<blocks, 128, 0, m.a>>>(m.x, size, a);
      add_kernel<<<blocks, 128, 0, m.b>>>(m.y, size, 5.0f);
      deduced_kernel<<<1, 32, 0, m.b>>>(m.y, 2.0f);
      m.join();
      cudaMemcpyAsync(m.host, m.x, bytes, cudaMemcpyDeviceToHost, m.a);
    });
    a = 100;  // arguments were copied
    CHECK(m.host[7] == 7);
    CHECK(nodes_of(graph).size() == 6);
    run(m, graph, 3);
    CHECK(m.host[7] == 10);
    CHECK(cudaMemcpy(m.host, m.y, bytes, cudaMemcpyDeviceToHost) == cudaSuccess);
    CHECK(m.host[31] == 7);
    CHECK(m.host[32] == 5);
  });
}

TEST_CASE("nodes that nothing orders") {
  const auto branch = [](bool same) {
    memory m;
    run(m, captured(m, [&] {
          cudaMemsetAsync(m.x, 0, bytes, m.a);
          m.fork();
          add_kernel<<<blocks, 128, 0, m.a>>>(m.x, size, 1.0f);
          add_kernel<<<blocks, 128, 0, m.b>>>(same ? m.x : m.y, size, 1.0f);
          m.join();
        }));
  };
  check_found(
      finding_kind::unordered,
      {"nothing orders two operations", "kernel add_kernel of the graph launched at ", "graphs.cu:",
       "reads byte 0 of the allocation of 12000 bytes", "No edges of the graph lead from one node"},
      [&] { branch(true); }, [&] { branch(false); });
}

TEST_CASE("a graph, and work beside it") {
  const auto beside = [](bool wait) {
    memory m;
    const cudaGraph_t graph = captured(m, [&] { add_kernel<<<blocks, 128, 0, m.a>>>(m.x, size, 1.0f); });
    cudaGraphExec_t made = nullptr;
    REQUIRE(cudaGraphInstantiate(&made, graph, nullptr, nullptr, 0) == cudaSuccess);
    CHECK(cudaGraphLaunch(made, m.a) == cudaSuccess);
    CHECK(cudaGraphLaunch(made, m.b) == cudaSuccess);  // after the launch before
    if (wait) m.join();
    if (wait) cudaStreamSynchronize(m.a);
    cudaMemcpy(m.host, m.x, bytes, cudaMemcpyDeviceToHost);
    if (wait) CHECK(m.host[0] == 2);
    CHECK(cudaGraphExecDestroy(made) == cudaSuccess);
    CHECK(cudaGraphDestroy(graph) == cudaSuccess);
  };
  check_found(
      finding_kind::unordered,
      {"cudaMemcpy() in the default stream reads byte 0", "of the graph launched at", "writes it",
       "cudaEventRecord(event, stream "},
      [&] { beside(false); }, [&] { beside(true); });
}

TEST_CASE("a graph whose nodes do nothing is no work: in the default stream it orders nothing") {
  const auto between = [](bool with_node, bool with_empty_node) {
    memory m;
    cudaStream_t first = nullptr, second = nullptr;
    CHECK(cudaStreamCreate(&first) == cudaSuccess);
    CHECK(cudaStreamCreate(&second) == cudaSuccess);
    const cudaGraph_t graph = captured(m, [&] {
      if (with_node) cudaMemsetAsync(m.y, 0, bytes, m.a);
    });
    cudaGraphNode_t empty = nullptr;
    if (with_empty_node) CHECK(cudaGraphAddEmptyNode(&empty, graph, nullptr, 0) == cudaSuccess);
    cudaGraphExec_t made = nullptr;
    REQUIRE(cudaGraphInstantiate(&made, graph, 0) == cudaSuccess);
    add_kernel<<<blocks, 128, 0, first>>>(m.x, size, 1.0f);
    CHECK(cudaGraphLaunch(made, nullptr) == cudaSuccess);
    add_kernel<<<blocks, 128, 0, second>>>(m.x, size, 1.0f);
    for (const cudaStream_t stream : {first, second}) {
      CHECK(cudaStreamSynchronize(stream) == cudaSuccess);
      CHECK(cudaStreamDestroy(stream) == cudaSuccess);
    }
    CHECK(cudaGraphExecDestroy(made) == cudaSuccess);
    CHECK(cudaGraphDestroy(graph) == cudaSuccess);
  };
  for (const bool with_empty_node : {false, true})
    check_found(
        finding_kind::unordered, {"nothing orders two operations", "kernel add_kernel in stream second"},
        [&] { between(false, with_empty_node); }, [&] { between(true, with_empty_node); });
}

TEST_CASE("a graph made node by node") {
  const auto make = [](bool edge) {
    memory m;
    cudaGraph_t graph = nullptr;
    CHECK(cudaGraphCreate(&graph, 0) == cudaSuccess);
    cudaGraphNode_t up, fill, add, both, down, count, nothing;
    CHECK(cudaGraphAddMemcpyNode1D(&up, graph, nullptr, 0, m.x, m.host, bytes, cudaMemcpyHostToDevice) ==
          cudaSuccess);
    cudaMemsetParams zero{};
    zero.dst = m.y;
    zero.value = 0x3f800000;  // 1.0f
    zero.elementSize = 4;
    zero.width = size;
    zero.height = 1;
    CHECK(cudaGraphAddMemsetNode(&fill, graph, nullptr, 0, &zero) == cudaSuccess);
    int elements = size;
    float three = 3;
    void* of_add[] = {&m.x, &elements, &three};
    cudaKernelNodeParams p = parameters_of(reinterpret_cast<void*>(add_kernel), of_add);
    CHECK(cudaGraphAddKernelNode(&add, graph, &up, edge ? 1 : 0, &p) == cudaSuccess);
    three = 1000;  // arguments were copied
    pair_of_floats by{1, 10};
    void* of_both[] = {&m.y, &by};
    p = parameters_of(reinterpret_cast<void*>(both_kernel), of_both);
    CHECK(cudaGraphAddKernelNode(&both, graph, nullptr, 0, &p) == cudaSuccess);
    CHECK(cudaGraphAddDependencies(graph, &fill, &both, 1) == cudaSuccess);
    CHECK(cudaGraphAddDependencies(graph, &fill, &both, 1) == cudaErrorInvalidValue);  // is there
    const cudaGraphNode_t all[] = {add, both};
    CHECK(cudaGraphAddEmptyNode(&nothing, graph, all, 2) == cudaSuccess);
    CHECK(cudaGraphAddMemcpyNode1D(&down, graph, &nothing, 1, m.host, m.x, bytes, cudaMemcpyDeviceToHost) ==
          cudaSuccess);
    int calls = 0;
    const cudaHostNodeParams call{[](void* data) { ++*static_cast<int*>(data); }, &calls};
    CHECK(cudaGraphAddHostNode(&count, graph, &down, 1, &call) == cudaSuccess);
    cudaGraphNodeType type{};
    CHECK(cudaGraphNodeGetType(count, &type) == cudaSuccess);
    CHECK(type == cudaGraphNodeTypeHost);
    std::size_t edges = 0, roots = 0;
    CHECK(cudaGraphGetEdges(graph, nullptr, nullptr, &edges) == cudaSuccess);
    CHECK(edges == (edge ? 6 : 5));
    CHECK(cudaGraphGetRootNodes(graph, nullptr, &roots) == cudaSuccess);
    CHECK(roots == (edge ? 2 : 3));
    run(m, graph);
    CHECK(calls == 1);
    CHECK(m.host[8] == 11);
    CHECK(cudaMemcpy(m.host, m.y, bytes, cudaMemcpyDeviceToHost) == cudaSuccess);
    CHECK(m.host[size - 1] == 20);
  };
  in_all_orders([&] {
    const auto found = finding_of([&] { make(true); });
    if (found) FAIL_CHECK(std::string(found->what()));
  });
  in_all_orders([&] {
    const auto found = finding_of([&] {
      memory m;
      cudaGraph_t graph = nullptr;
      CHECK(cudaGraphCreate(&graph, 0) == cudaSuccess);
      cudaGraphNode_t up, add;
      CHECK(cudaGraphAddMemcpyNode1D(&up, graph, nullptr, 0, m.x, m.host, bytes, cudaMemcpyHostToDevice) ==
            cudaSuccess);
      int elements = size;
      float three = 3;
      void* of_add[] = {&m.x, &elements, &three};
      const cudaKernelNodeParams p = parameters_of(reinterpret_cast<void*>(add_kernel), of_add);
      CHECK(cudaGraphAddKernelNode(&add, graph, nullptr, 0, &p) == cudaSuccess);
      run(m, graph);
    });
    REQUIRE(found.has_value());
    CHECK(found->kind() == finding_kind::unordered);
    CHECK(std::string(found->what()).find("cudaGraphAddMemcpyNode1D()") != std::string::npos);
  });
}

TEST_CASE("an executable graph gets other arguments, other copies, another graph") {
  memory m;
  const auto work = [&](float a) {
    return captured(m, [&] {
      cudaMemsetAsync(m.x, 0, bytes, m.a);
      add_kernel<<<blocks, 128, 0, m.a>>>(m.x, size, a);
      cudaMemcpyAsync(m.host, m.x, bytes, cudaMemcpyDeviceToHost, m.a);
    });
  };
  const cudaGraph_t graph = work(1);
  cudaGraphExec_t made = nullptr;
  REQUIRE(cudaGraphInstantiate(&made, graph, 0) == cudaSuccess);
  const auto result = [&] {
    CHECK(cudaGraphLaunch(made, m.a) == cudaSuccess);
    CHECK(cudaStreamSynchronize(m.a) == cudaSuccess);
    return m.host[size - 1];
  };
  CHECK(result() == 1);
  const std::vector<cudaGraphNode_t> nodes = nodes_of(graph);
  REQUIRE(nodes.size() == 3);
  cudaKernelNodeParams p{};
  REQUIRE(cudaGraphKernelNodeGetParams(nodes[1], &p) == cudaSuccess);
  CHECK(p.gridDim.x == blocks);
  CHECK(*static_cast<float*>(p.kernelParams[2]) == 1);
  float five = 5;
  void* arguments[] = {p.kernelParams[0], p.kernelParams[1], &five};
  p.kernelParams = arguments;
  CHECK(cudaGraphExecKernelNodeSetParams(made, nodes[1], &p) == cudaSuccess);
  CHECK(result() == 5);
  pair_of_floats by{2, 3};
  void* of_both[] = {&m.x, &by};
  p = parameters_of(reinterpret_cast<void*>(both_kernel), of_both);
  CHECK(cudaGraphExecKernelNodeSetParams(made, nodes[1], &p) == cudaSuccess);
  CHECK(result() == 6);
  CHECK(cudaGraphExecKernelNodeSetParams(made, nodes[0], &p) == cudaErrorInvalidValue);
  CHECK(cudaGraphExecMemcpyNodeSetParams1D(made, nodes[2], m.host, m.y, bytes, cudaMemcpyDeviceToHost) ==
        cudaSuccess);
  CHECK(result() == 0);

  const cudaGraph_t second = work(9);
  cudaGraphExecUpdateResultInfo info{};
  CHECK(cudaGraphExecUpdate(made, second, &info) == cudaSuccess);
  CHECK(info.result == cudaGraphExecUpdateSuccess);
  CHECK(result() == 9);
  const cudaGraph_t shorter = captured(m, [&] { cudaMemsetAsync(m.x, 0, bytes, m.a); });
  CHECK(cudaGraphExecUpdate(made, shorter, &info) == cudaErrorGraphExecUpdateFailure);
  CHECK(info.result == cudaGraphExecUpdateErrorTopologyChanged);
  CHECK(result() == 9);
  cudaGraph_t clone = nullptr;
  CHECK(cudaGraphClone(&clone, second) == cudaSuccess);
  CHECK(nodes_of(clone).size() == 3);
  CHECK(cudaGraphExecDestroy(made) == cudaSuccess);
  for (const cudaGraph_t each : {graph, second, shorter, clone}) CHECK(cudaGraphDestroy(each) == cudaSuccess);
  CHECK(cudaGraphDestroy(graph) == cudaErrorInvalidValue);
  cudaGetLastError();
}

TEST_CASE("what must not be done while a stream is captured") {
  memory m;
  cudaGraph_t graph = nullptr;
  const auto begin = [&](cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal) {
    REQUIRE(cudaStreamBeginCapture(m.a, mode) == cudaSuccess);
    cudaMemsetAsync(m.x, 0, bytes, m.a);
  };
  const auto ends_with = [&](cudaError_t error) {
    CHECK(cudaStreamEndCapture(m.a, &graph) == error);
    CHECK((graph == nullptr) == (error != cudaSuccess));
    if (graph != nullptr) cudaGraphDestroy(graph);
    cudaStreamCaptureStatus status = cudaStreamCaptureStatusActive;
    CHECK(cudaStreamIsCapturing(m.a, &status) == cudaSuccess);
    CHECK(status == cudaStreamCaptureStatusNone);
  };
  CHECK(cudaStreamBeginCapture(nullptr, cudaStreamCaptureModeGlobal) == cudaErrorStreamCaptureUnsupported);
  CHECK(cudaStreamEndCapture(m.a, &graph) == cudaErrorIllegalState);

  begin();
  CHECK(cudaStreamSynchronize(m.a) == cudaErrorStreamCaptureUnsupported);
  add_kernel<<<blocks, 128, 0, m.a>>>(m.x, size, 1.0f);
  CHECK(cudaGetLastError() == cudaErrorStreamCaptureInvalidated);
  ends_with(cudaErrorStreamCaptureInvalidated);

  begin();
  void* extra = nullptr;
  CHECK(cudaMalloc(&extra, 4) == cudaErrorStreamCaptureUnsupported);
  ends_with(cudaErrorStreamCaptureInvalidated);
  begin(cudaStreamCaptureModeRelaxed);
  CHECK(cudaMalloc(&extra, 4) == cudaSuccess);
  CHECK(cudaFree(extra) == cudaSuccess);
  ends_with(cudaSuccess);

  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear = {m.x, cudaCreateChannelDesc<float>(), bytes};
  const cudaTextureDesc reading{};
  cudaTextureObject_t texture = 0;
  begin();
  CHECK(cudaCreateTextureObject(&texture, &resource, &reading, nullptr) == cudaErrorStreamCaptureUnsupported);
  ends_with(cudaErrorStreamCaptureInvalidated);
  CHECK(cudaCreateTextureObject(&texture, &resource, &reading, nullptr) == cudaSuccess);
  CHECK(cudaDestroyTextureObject(texture) == cudaSuccess);

  begin();
  m.fork();
  cudaMemsetAsync(m.y, 0, bytes, m.b);
  CHECK(cudaStreamEndCapture(m.b, &graph) == cudaErrorStreamCaptureUnmatched);
  ends_with(cudaErrorStreamCaptureUnjoined);

  CHECK(cudaEventRecord(m.event, m.b) == cudaSuccess);
  begin();
  CHECK(cudaStreamWaitEvent(m.a, m.event) == cudaErrorStreamCaptureIsolation);
  ends_with(cudaErrorStreamCaptureInvalidated);

  begin();
  CHECK(cudaEventRecord(m.event, m.a) == cudaSuccess);
  CHECK(cudaEventSynchronize(m.event) == cudaErrorCapturedEvent);
  ends_with(cudaSuccess);

  cudaStream_t waits = nullptr;
  CHECK(cudaStreamCreate(&waits) == cudaSuccess);
  CHECK(cudaStreamBeginCapture(waits, cudaStreamCaptureModeRelaxed) == cudaSuccess);
  CHECK(cudaMemset(m.x, 0, 4) == cudaErrorStreamCaptureImplicit);
  CHECK(cudaStreamEndCapture(waits, &graph) == cudaErrorStreamCaptureInvalidated);
  for (const bool record : {true, false}) {
    const auto call = [&] {
      return record ? cudaEventRecord(m.other) : cudaStreamWaitEvent(nullptr, m.other);
    };
    CHECK(cudaStreamBeginCapture(waits, cudaStreamCaptureModeRelaxed) == cudaSuccess);
    CHECK(call() == cudaErrorStreamCaptureImplicit);
    CHECK(cudaStreamEndCapture(waits, &graph) == cudaErrorStreamCaptureInvalidated);
    begin();  // a stream that the default stream does not wait for
    CHECK(call() == cudaSuccess);
    ends_with(cudaSuccess);
  }
  CHECK(cudaStreamDestroy(waits) == cudaSuccess);

  REQUIRE(cudaGraphCreate(&graph, 0) == cudaSuccess);
  int one = 1;
  void* arguments[] = {&m.x, &one};
  cudaGraphNode_t node = nullptr, second = nullptr;
  cudaKernelNodeParams p = parameters_of(reinterpret_cast<void*>(unnamed_kernel), arguments);
  CHECK(cudaGraphAddKernelNode(&node, graph, nullptr, 0, &p) == cudaErrorNotSupported);
  CHECK(cudaGraphAddEmptyNode(&node, graph, nullptr, 0) == cudaSuccess);
  CHECK(cudaGraphAddEmptyNode(&second, graph, &node, 1) == cudaSuccess);
  CHECK(cudaGraphAddDependencies(graph, &second, &node, 1) == cudaSuccess);  // a circle
  cudaGraphExec_t made = nullptr;
  CHECK(cudaGraphInstantiate(&made, graph, 0) == cudaErrorInvalidValue);
  CHECK(cudaGraphDestroyNode(second) == cudaSuccess);
  CHECK(cudaGraphInstantiate(&made, graph, 0) == cudaSuccess);
  CHECK(cudaGraphExecDestroy(made) == cudaSuccess);
  CHECK(cudaGraphDestroy(graph) == cudaSuccess);
  cudaGetLastError();
}

TEST_CASE("a transform is captured like a kernel") {
  memory m;
  cufftHandle plan = 0;
  REQUIRE(cufftPlan1d(&plan, 16, CUFFT_C2C, 1) == CUFFT_SUCCESS);
  REQUIRE(cufftSetStream(plan, m.a) == CUFFT_SUCCESS);
  run(m, captured(m, [&] {
        cudaMemcpyAsync(m.x, m.host, bytes, cudaMemcpyHostToDevice, m.a);
        CHECK(cufftExecC2C(plan, reinterpret_cast<cufftComplex*>(m.x), reinterpret_cast<cufftComplex*>(m.y),
                           CUFFT_FORWARD) == CUFFT_SUCCESS);
        cudaMemcpyAsync(m.host, m.y, 8, cudaMemcpyDeviceToHost, m.a);
      }));
  CHECK(m.host[0] ==
        doctest::Approx(0 + 2 + 4 + 6 + 8 + 10 + 12 + 14 + 16 + 18 + 20 + 22 + 24 + 26 + 28 + 30));
  cufftDestroy(plan);
}

TEST_CASE("work that a capture of another stream has not taken") {
  const auto beside = [](bool passed_on) {
    memory m;
    const cudaGraph_t graph = captured(m, [&] {
      add_kernel<<<blocks, 128, 0, passed_on ? m.a : nullptr>>>(m.x, size, 1.0f);
      add_kernel<<<blocks, 128, 0, m.a>>>(m.y, size, 1.0f);
    });
    cudaMemcpyAsync(m.x, m.host, bytes, cudaMemcpyHostToDevice, m.a);
    run(m, graph);
  };
  check_found(
      finding_kind::unordered,
      {"kernel add_kernel at ", " is not part of a graph: it was given to the default stream while stream ",
       "was captured, from ", "Usual cause: a stream that was not passed on"},
      [&] { beside(false); }, [&] { beside(true); });
}

namespace {

enum class owner { nobody, vector, frame, thread };

[[gnu::noinline]] void copy_up(memory& m, const float* from) {
  cudaMemcpyAsync(m.x, from, 400, cudaMemcpyHostToDevice, m.a);
}
[[gnu::noinline]] void copy_up_frame(memory& m) {
  std::array<volatile float, 100> local{};
  copy_up(m, const_cast<const float*>(local.data()));
}
/// A copy of what belongs to the owner, which is gone when this returns.
void copy_up_of(memory& m, owner whose, std::vector<float>& kept) {
  if (whose == owner::nobody) return copy_up(m, kept.data());
  if (whose == owner::vector) return copy_up(m, std::vector<float>(100).data());
  if (whose == owner::frame) return copy_up_frame(m);
  std::thread([&] { copy_up_frame(m); }).join();
}
[[gnu::noinline]] float in_between(float x) {
  volatile float other[200] = {x};
  return other[0] + other[199];
}

}  // namespace

TEST_CASE("memory of the host that is gone when a graph uses it") {
  const auto with = [](owner whose) {
    memory m;
    std::vector<float> kept(100, 3.0f);
    const std::vector<float> moved_from(100, 4.0f);
    const cudaGraph_t graph = captured(m, [&] { copy_up_of(m, whose, kept); });
    std::vector<float> elsewhere = std::move(kept);  // the same memory still
    CHECK(in_between(1) == 1);
    run(m, graph, 2);
    kept = std::vector<float>(7);
  };
  const std::string copy = "cudaMemcpyAsync() at ",
                    node = "a node of the graph launched here, reads 400 bytes of host memory ";
  check_found(
      finding_kind::use_after_free,
      {"a graph uses memory of the host that is gone", copy, node + "that was freed at "},
      [&] { with(owner::vector); }, [&] { with(owner::nobody); });
  check_found(
      finding_kind::use_after_free, {copy, node + "that was a variable of a function that has returned"},
      [&] { with(owner::frame); }, [&] { with(owner::nobody); });
  check_found(
      finding_kind::use_after_free, {copy, node + "on the stack of a thread that has ended"},
      [&] { with(owner::thread); }, [&] { with(owner::nobody); });
}

TEST_CASE("memory of the host that goes before a graph has finished with it") {
  const auto with = [](bool waits, bool writes) {
    memory m;
    auto local = std::make_unique<float[]>(1000);
    const cudaGraph_t graph = captured(m, [&] {
      if (writes)
        cudaMemcpyAsync(local.get(), m.x, 4000, cudaMemcpyDeviceToHost, m.a);
      else
        cudaMemcpyAsync(m.x, local.get(), 4000, cudaMemcpyHostToDevice, m.a);
    });
    cudaGraphExec_t made = nullptr;
    REQUIRE(cudaGraphInstantiate(&made, graph, 0) == cudaSuccess);
    CHECK(cudaGraphLaunch(made, m.a) == cudaSuccess);
    if (waits) CHECK(cudaStreamSynchronize(m.a) == cudaSuccess);
    local.reset();
    CHECK(cudaStreamSynchronize(m.a) == cudaSuccess);
    CHECK(cudaGraphExecDestroy(made) == cudaSuccess);
    CHECK(cudaGraphDestroy(graph) == cudaSuccess);
  };
  for (const bool writes : {false, true})
    check_found(
        finding_kind::use_after_free,
        {"the host frees memory that a graph still works with",
         writes ? "writes 4000 bytes" : "reads 4000 bytes", "Missing: cudaStreamSynchronize()"},
        [&] { with(false, writes); }, [&] { with(true, writes); });
}

TEST_CASE("memory of the host that is there as long as it is used") {
  in_all_orders([] {
    const auto found = finding_of([] {
      memory m;
      // On the stack of a function that launches, also from deeper down and from another thread.
      std::array<float, 100> local{};
      local[5] = 6;
      cudaGraphExec_t made = nullptr;
      const cudaGraph_t graph = captured(m, [&] { copy_up(m, local.data()); });
      REQUIRE(cudaGraphInstantiate(&made, graph, 0) == cudaSuccess);
      std::thread([&] {
        CHECK(cudaGraphLaunch(made, m.a) == cudaSuccess);
        CHECK(cudaStreamSynchronize(m.a) == cudaSuccess);
      }).join();
      const auto deeper = [&](auto& self, int n) -> void {
        if (n > 0) return self(self, n - 1);
        CHECK(cudaGraphLaunch(made, m.a) == cudaSuccess);
      };
      deeper(deeper, 5);
      CHECK(cudaStreamSynchronize(m.a) == cudaSuccess);
      // A node that was given other memory does not need the first any more.
      auto first = std::make_unique<float[]>(100);
      cudaGraph_t other = captured(m, [&] { copy_up(m, first.get()); });
      cudaGraphExec_t changed = nullptr;
      REQUIRE(cudaGraphInstantiate(&changed, other, 0) == cudaSuccess);
      CHECK(cudaGraphExecMemcpyNodeSetParams1D(changed, nodes_of(other)[0], m.x, local.data(), 400,
                                               cudaMemcpyHostToDevice) == cudaSuccess);
      first.reset();
      CHECK(cudaGraphLaunch(changed, m.a) == cudaSuccess);
      // A function of the stream frees what it was given.
      cudaGraph_t calls = captured(m, [&] {
        cudaLaunchHostFunc(
            m.a, [](void* data) { delete static_cast<int*>(data); }, new int(3));
      });
      run(m, calls);
      // A copy that no graph holds has read its source when the call returns, and pinned memory is used
      // again.
      cudaMemcpyAsync(m.x, std::vector<float>(100).data(), 400, cudaMemcpyHostToDevice, m.a);
      cudaMemcpyAsync(m.host, m.x, 400, cudaMemcpyDeviceToHost, m.a);
      CHECK(cudaStreamSynchronize(m.a) == cudaSuccess);
      m.host[0] = 1;
      cudaMemcpyAsync(m.x, m.host, 400, cudaMemcpyHostToDevice, m.a);
      CHECK(cudaStreamSynchronize(m.a) == cudaSuccess);
      for (const cudaGraphExec_t each : {made, changed}) CHECK(cudaGraphExecDestroy(each) == cudaSuccess);
      for (const cudaGraph_t each : {graph, other}) CHECK(cudaGraphDestroy(each) == cudaSuccess);
    });
    CHECK_MESSAGE(!found, (found ? found->what() : ""));
  });
}
