// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Streams, events, callbacks, and what programs ask a device about itself.
#include <cuda.h>
#include <cuda_profiler_api.h>

#include <cstring>
#include <set>

#include "../emulator_test.hpp"

#if __has_include(<nvtx3/nvToolsExt.h>)
#include <nvtx3/nvToolsExt.h>
#endif

namespace {

__global__ void set_kernel(int* x, int value) { x[threadIdx.x] = value; }

struct called {
  cudaStream_t stream = nullptr;
  cudaError_t status = cudaErrorUnknown;
  int* from = nullptr;
  int seen = 0;
};
void CUDART_CB note_call(cudaStream_t stream, cudaError_t status, void* data) {
  auto& call = *static_cast<called*>(data);
  call.stream = stream;
  call.status = status;
  call.seen = *call.from;
}
void CUDART_CB note_host_call(void* data) {
  auto& call = *static_cast<called*>(data);
  call.seen = *call.from;
}

}  // namespace

TEST_CASE("streams: flags, priorities, and what is none") {
  int least = -1, greatest = 1;
  REQUIRE(cudaDeviceGetStreamPriorityRange(&least, &greatest) == cudaSuccess);
  CHECK(least == 0);
  CHECK(greatest < 0);
  cudaStream_t stream = nullptr;
  REQUIRE(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, greatest) == cudaSuccess);
  unsigned int flags = 0;
  int priority = 1;
  CHECK(cudaStreamGetFlags(stream, &flags) == cudaSuccess);
  CHECK(flags == cudaStreamNonBlocking);
  CHECK(cudaStreamGetPriority(stream, &priority) == cudaSuccess);
  CHECK(priority == greatest);
  CHECK(cudaStreamDestroy(stream) == cudaSuccess);
  REQUIRE(cudaStreamCreateWithPriority(&stream, cudaStreamDefault, -1000) == cudaSuccess);
  CHECK(cudaStreamGetPriority(stream, &priority) == cudaSuccess);
  CHECK(priority == greatest);  // the nearest that there is
  CHECK(cudaStreamQuery(stream) == cudaSuccess);
  CHECK(cudaStreamDestroy(stream) == cudaSuccess);
  CHECK(cudaStreamCreateWithFlags(&stream, 2) == cudaErrorInvalidValue);
  for (const cudaStream_t always : {cudaStream_t{nullptr}, cudaStreamLegacy, cudaStreamPerThread}) {
    CHECK(cudaStreamSynchronize(always) == cudaSuccess);
    CHECK(cudaStreamGetFlags(always, &flags) == cudaSuccess);
    device_array<int> d_x(1);
    set_kernel<<<1, 1, 0, always>>>(d_x.data(), 3);
    CHECK(cudaStreamSynchronize(always) == cudaSuccess);
    CHECK(d_x.to_host()[0] == 3);
  }
  (void)cudaGetLastError();
}

TEST_CASE("streams: hints about the cache are checked") {
  cudaStream_t stream = nullptr;
  REQUIRE(cudaStreamCreate(&stream) == cudaSuccess);
  const float* constant = nullptr;  // a pointer to const is allocated like any other
  REQUIRE(cudaMalloc(&constant, 1024) == cudaSuccess);
  cudaStreamAttrValue value = {};
  value.accessPolicyWindow.base_ptr = const_cast<float*>(constant);
  value.accessPolicyWindow.num_bytes = 1024;
  value.accessPolicyWindow.hitRatio = 0.5f;
  value.accessPolicyWindow.hitProp = cudaAccessPropertyPersisting;
  value.accessPolicyWindow.missProp = cudaAccessPropertyStreaming;
  CHECK(cudaStreamSetAttribute(stream, cudaStreamAttributeAccessPolicyWindow, &value) == cudaSuccess);
  value.accessPolicyWindow.hitRatio = 1.5f;
  CHECK(cudaStreamSetAttribute(stream, cudaStreamAttributeAccessPolicyWindow, &value) ==
        cudaErrorInvalidValue);
  CHECK(cudaGetLastError() == cudaErrorInvalidValue);
  CHECK(cudaCtxResetPersistingL2Cache() == cudaSuccess);
  CHECK(cudaFree(const_cast<float*>(constant)) == cudaSuccess);
  CHECK(cudaStreamDestroy(stream) == cudaSuccess);
}

TEST_CASE("events: between streams, and what was not recorded") {
  cudaStream_t first = nullptr, second = nullptr;
  REQUIRE(cudaStreamCreate(&first) == cudaSuccess);
  REQUIRE(cudaStreamCreate(&second) == cudaSuccess);
  cudaEvent_t event = nullptr, untimed = nullptr;
  REQUIRE(cudaEventCreate(&event) == cudaSuccess);
  REQUIRE(cudaEventCreateWithFlags(&untimed, cudaEventDisableTiming | cudaEventBlockingSync) == cudaSuccess);
  CHECK(cudaEventQuery(event) == cudaSuccess);  // never recorded: nothing to wait for
  CHECK(cudaStreamWaitEvent(second, event, cudaEventWaitDefault) == cudaSuccess);
  CHECK(cudaEventRecordWithFlags(event, first, cudaEventRecordDefault) == cudaSuccess);
  CHECK(cudaEventRecord(untimed, second) == cudaSuccess);
  CHECK(cudaEventSynchronize(event) == cudaSuccess);
  CHECK(cudaEventSynchronize(untimed) == cudaSuccess);
  float milliseconds = -1;
  CHECK(cudaEventElapsedTime(&milliseconds, event, event) == cudaSuccess);
  CHECK(milliseconds == 0);
  CHECK(cudaEventElapsedTime(&milliseconds, event, untimed) == cudaErrorInvalidResourceHandle);
  CHECK(cudaEventElapsedTime(nullptr, event, event) == cudaErrorInvalidValue);
  CHECK(cudaEventCreateWithFlags(&event, 0x80) == cudaErrorInvalidValue);
  CHECK(cudaEventDestroy(event) == cudaSuccess);
  CHECK(cudaEventDestroy(untimed) == cudaSuccess);
  CHECK(cudaStreamDestroy(first) == cudaSuccess);
  CHECK(cudaStreamDestroy(second) == cudaSuccess);
  (void)cudaGetLastError();
}

TEST_CASE("functions of the host, called where they stand in a stream") {
  cudaStream_t stream = nullptr;
  REQUIRE(cudaStreamCreate(&stream) == cudaSuccess);
  int* x = nullptr;
  REQUIRE(cudaMallocHost(&x, sizeof(int)) == cudaSuccess);
  *x = 0;
  called by_callback, by_function;
  by_callback.from = by_function.from = x;
  set_kernel<<<1, 1, 0, stream>>>(x, 5);
  CHECK(cudaStreamAddCallback(stream, note_call, &by_callback, 0) == cudaSuccess);
  set_kernel<<<1, 1, 0, stream>>>(x, 6);
  CHECK(cudaLaunchHostFunc(stream, note_host_call, &by_function) == cudaSuccess);
  CHECK(cudaStreamSynchronize(stream) == cudaSuccess);
  CHECK(by_callback.stream == stream);
  CHECK(by_callback.status == cudaSuccess);
  CHECK(by_callback.seen == 5);
  CHECK(by_function.seen == 6);
  CHECK(cudaStreamAddCallback(stream, note_call, &by_callback, 1) == cudaErrorInvalidValue);
  CHECK(cudaLaunchHostFunc(stream, nullptr, nullptr) == cudaErrorInvalidValue);
  CHECK(cudaFreeHost(x) == cudaSuccess);
  CHECK(cudaStreamDestroy(stream) == cudaSuccess);
  (void)cudaGetLastError();
}

TEST_CASE("properties and attributes say the same") {
  cudaDeviceProp p;
  std::memset(&p, 0xff, sizeof p);
  REQUIRE(cudaGetDeviceProperties(&p, 0) == cudaSuccess);
  const auto attribute = [](cudaDeviceAttr which) {
    int value = -12345;
    CHECK(cudaDeviceGetAttribute(&value, which, 0) == cudaSuccess);
    return value;
  };
  CHECK(attribute(cudaDevAttrMaxThreadsPerBlock) == p.maxThreadsPerBlock);
  CHECK(attribute(cudaDevAttrMaxGridDimX) == p.maxGridSize[0]);
  CHECK(attribute(cudaDevAttrMaxGridDimZ) == p.maxGridSize[2]);
  CHECK(static_cast<std::size_t>(attribute(cudaDevAttrMaxSharedMemoryPerBlock)) == p.sharedMemPerBlock);
  CHECK(attribute(cudaDevAttrMultiProcessorCount) == p.multiProcessorCount);
  CHECK(attribute(cudaDevAttrComputeCapabilityMajor) == p.major);
  CHECK(attribute(cudaDevAttrMaxTexture3DDepth) == p.maxTexture3D[2]);
  CHECK(attribute(cudaDevAttrMaxTexture2DLinearPitch) == p.maxTexture2DLinear[2]);
  CHECK(attribute(cudaDevAttrMaxSurface2DLayeredLayers) == p.maxSurface2DLayered[2]);
  CHECK(attribute(cudaDevAttrL2CacheSize) == p.l2CacheSize);
  CHECK(attribute(cudaDevAttrManagedMemory) == p.managedMemory);
  CHECK(attribute(cudaDevAttrMemoryPoolsSupported) == p.memoryPoolsSupported);
  CHECK(attribute(cudaDevAttrClusterLaunch) == p.clusterLaunch);
  CHECK(attribute(cudaDevAttrClockRate) > 0);  // CUDA 13's structure has it no longer
  CHECK(attribute(cudaDevAttrMaxTexture1DLinearWidth) > 0);
  // All attributes that CUDA 12 names.
  for (int which = 1; which <= 121; ++which) {
    if (which == 44 || (which >= 92 && which <= 94) || which == 96 || (which >= 102 && which <= 105) ||
        which == 107 || which == 110)
      continue;
    CAPTURE(which);
    attribute(static_cast<cudaDeviceAttr>(which));
  }
  int value = 0;
  CHECK(cudaDeviceGetAttribute(&value, static_cast<cudaDeviceAttr>(100000), 0) == cudaErrorInvalidValue);
  CHECK(cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, 77) == cudaErrorInvalidDevice);
  CHECK(std::memchr(p.name, 0, sizeof p.name) != nullptr);

  int device = -1;
  CHECK(cudaChooseDevice(&device, &p) == cudaSuccess);
  CHECK(device == 0);
  CHECK(cudaSetDevice(77) == cudaErrorInvalidDevice);
  CHECK(cudaGetDevice(&device) == cudaSuccess);
  CHECK(device == 0);
  int driver = 0, runtime = 0;
  CHECK(cudaDriverGetVersion(&driver) == cudaSuccess);
  CHECK(cudaRuntimeGetVersion(&runtime) == cudaSuccess);
  CHECK(runtime == CUDART_VERSION);
  CHECK(driver >= runtime);
  CHECK(CUDA_VERSION == CUDART_VERSION);
  char bus[32] = {};
  CHECK(cudaDeviceGetPCIBusId(bus, sizeof bus, 0) == cudaSuccess);
  CHECK(cudaDeviceGetByPCIBusId(&device, bus) == cudaSuccess);
  CHECK(device == 0);
  (void)cudaGetLastError();
}

TEST_CASE("profilers: called, and nothing happens") {
  CHECK(cudaProfilerStart() == cudaSuccess);
  CHECK(cudaProfilerStop() == cudaSuccess);
#ifdef NVTX_VERSION
  nvtxMark("a mark");
  nvtxRangePush("a range");
  nvtxRangePop();
  const nvtxRangeId_t range = nvtxRangeStartA("another");
  nvtxRangeEnd(range);
  nvtxEventAttributes_t event{};
  event.version = NVTX_VERSION;
  event.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
  event.colorType = NVTX_COLOR_ARGB;
  event.messageType = NVTX_MESSAGE_TYPE_ASCII;
  event.message.ascii = "with a color";
  nvtxRangePushEx(&event);
  nvtxRangePop();
#endif
}

#ifdef ON_EMULATED_DEVICE
TEST_CASE("every error has its own name and a text") {
  std::set<std::string> names;
  int known = 0;
  for (int code = 0; code < 1000; ++code) {
    const std::string name = cudaGetErrorName(static_cast<cudaError_t>(code));
    if (name == "unrecognized error code") continue;
    ++known;
    CHECK(names.insert(name).second);
    CHECK(name.starts_with("cuda"));
    CHECK(std::strlen(cudaGetErrorString(static_cast<cudaError_t>(code))) > 3);
  }
  CHECK(known > 100);
}

TEST_CASE("streams and events that are none any more") {
  cudaStream_t stream = nullptr;
  cudaEvent_t event = nullptr;
  REQUIRE(cudaStreamCreate(&stream) == cudaSuccess);
  REQUIRE(cudaEventCreate(&event) == cudaSuccess);
  REQUIRE(cudaStreamDestroy(stream) == cudaSuccess);
  REQUIRE(cudaEventDestroy(event) == cudaSuccess);
  CHECK(cudaStreamDestroy(stream) == cudaErrorInvalidResourceHandle);
  CHECK(cudaStreamSynchronize(stream) == cudaErrorInvalidResourceHandle);
  CHECK(cudaStreamQuery(stream) == cudaErrorInvalidResourceHandle);
  CHECK(cudaEventDestroy(event) == cudaErrorInvalidResourceHandle);
  CHECK(cudaEventRecord(event, nullptr) == cudaErrorInvalidResourceHandle);
  CHECK(cudaEventSynchronize(event) == cudaErrorInvalidResourceHandle);
  CHECK(cudaStreamWaitEvent(nullptr, event, 0) == cudaErrorInvalidResourceHandle);
  CHECK(cudaEventCreateWithFlags(&event, cudaEventInterprocess) == cudaErrorInvalidValue);  // with timing
  CHECK(cudaEventCreateWithFlags(&event, cudaEventInterprocess | cudaEventDisableTiming) ==
        cudaErrorNotSupported);
  (void)cudaGetLastError();
}
#endif
