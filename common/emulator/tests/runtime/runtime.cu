// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// The runtime's functions: memory, symbols, streams, events, properties, occupancy.
#include <algorithm>
#include <cstring>
#include <numeric>

#include "../emulator_test.hpp"

namespace {

__constant__ float taps[5] = {1, 2, 3, 4, 5};
__constant__ double scale = 2.5;
__device__ int counter;
__managed__ int managed_counter = 7;
__device__ float* indirect;

__global__ void dot_kernel(const float* x, float* out) {
  float sum = 0;
  for (int k = 0; k < 5; ++k) sum += taps[k] * x[k];
  *out = sum * static_cast<float>(scale);
  atomicAdd(&counter, 1);
  managed_counter += 1;
}
__global__ void through_pointer_kernel() { *indirect = 42; }
__global__ void add_kernel(int* values, int value) { values[threadIdx.x] += value; }
template <class T>
__global__ void __launch_bounds__(96) template_kernel(T) {}

}  // namespace

TEST_CASE("memory: allocation, copies, memset") {
  int* a = nullptr;
  int* b = nullptr;
  REQUIRE(cudaMalloc(&a, 100 * sizeof(int)) == cudaSuccess);
  REQUIRE(cudaMalloc(&b, 100 * sizeof(int)) == cudaSuccess);
  CHECK(reinterpret_cast<std::size_t>(a) % 256 == 0);
  CHECK(reinterpret_cast<std::size_t>(b) % 256 == 0);
  std::vector<int> host(100), back(100, -1);
  std::iota(host.begin(), host.end(), 0);
  CHECK(cudaMemcpy(a, host.data(), 400, cudaMemcpyHostToDevice) == cudaSuccess);
  CHECK(cudaMemcpyAsync(b, a, 400, cudaMemcpyDeviceToDevice, nullptr) == cudaSuccess);
  CHECK(cudaMemcpy(back.data(), b, 400, cudaMemcpyDefault) == cudaSuccess);
  CHECK(back == host);
  CHECK(cudaMemset(b + 1, 0xFF, 4) == cudaSuccess);
  CHECK(cudaMemcpy(back.data(), b, 400, cudaMemcpyDeviceToHost) == cudaSuccess);
  CHECK(back[0] == 0);
  CHECK(back[1] == -1);
  CHECK(back[2] == 2);

  CHECK(cudaMemcpy(a, host.data(), 404, cudaMemcpyHostToDevice) == cudaErrorInvalidValue);  // past the end
  CHECK(cudaMemcpy(a, host.data(), 400, static_cast<cudaMemcpyKind>(9)) == cudaErrorInvalidMemcpyDirection);
  CHECK(cudaMemcpy(host.data(), back.data(), 400, cudaMemcpyHostToDevice) == cudaErrorInvalidValue);
  CHECK(cudaMemset(host.data(), 0, 4) == cudaErrorInvalidValue);
  CHECK(cudaFree(a) == cudaSuccess);
  CHECK(cudaFree(a) == cudaErrorInvalidValue);
  CHECK(cudaFree(host.data()) == cudaErrorInvalidValue);
  CHECK(cudaFree(nullptr) == cudaSuccess);
  CHECK(cudaMemcpy(a, host.data(), 4, cudaMemcpyHostToDevice) == cudaErrorInvalidValue);  // freed
  CHECK(cudaFree(b) == cudaSuccess);
  CHECK(cudaGetLastError() == cudaErrorInvalidValue);

  void* much = &a;
  CHECK(cudaMalloc(&much, std::size_t{1} << 60) == cudaErrorMemoryAllocation);
  CHECK(much == nullptr);
  CHECK(cudaGetLastError() == cudaErrorMemoryAllocation);
  void* none = &a;
  CHECK(cudaMalloc(&none, 0) == cudaSuccess);
  CHECK(none == nullptr);
}

TEST_CASE("memory: what is free, pitch, pinned, managed, registered") {
  std::size_t free_before = 0, free_after = 0, total = 0;
  REQUIRE(cudaMemGetInfo(&free_before, &total) == cudaSuccess);
  CHECK(free_before <= total);
  CHECK(total > std::size_t{256} << 20);
  char* rows = nullptr;
  std::size_t pitch = 0;
  REQUIRE(cudaMallocPitch(&rows, &pitch, 100, 7) == cudaSuccess);
  CHECK(pitch == 512);
  REQUIRE(cudaMemGetInfo(&free_after, &total) == cudaSuccess);
  CHECK(free_before - free_after >= 7 * pitch);
  std::vector<char> image(100 * 7), back(100 * 7);
  std::iota(image.begin(), image.end(), char(0));
  CHECK(cudaMemcpy2D(rows, pitch, image.data(), 100, 100, 7, cudaMemcpyHostToDevice) == cudaSuccess);
  CHECK(cudaMemcpy2D(back.data(), 100, rows, pitch, 100, 7, cudaMemcpyDeviceToHost) == cudaSuccess);
  CHECK(back == image);
  CHECK(cudaMemcpy2D(rows, 50, image.data(), 100, 100, 7, cudaMemcpyHostToDevice) ==
        cudaErrorInvalidPitchValue);
  CHECK(cudaMemset2D(rows, pitch, 1, 100, 7) == cudaSuccess);
  CHECK(cudaFree(rows) == cudaSuccess);

  int* pinned = nullptr;
  REQUIRE(cudaMallocHost(&pinned, 32 * sizeof(int)) == cudaSuccess);
  std::fill(pinned, pinned + 32, 5);
  add_kernel<<<1, 32>>>(pinned, 3);  // the device sees it, too
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(pinned[31] == 8);
  cudaPointerAttributes attributes;
  CHECK(cudaPointerGetAttributes(&attributes, pinned) == cudaSuccess);
  CHECK(attributes.type == cudaMemoryTypeHost);
  CHECK(cudaFree(pinned) == cudaErrorInvalidValue);
  CHECK(cudaFreeHost(pinned) == cudaSuccess);

  int* managed = nullptr;
  REQUIRE(cudaMallocManaged(&managed, 32 * sizeof(int)) == cudaSuccess);
  std::fill(managed, managed + 32, 1);
  CHECK(cudaPointerGetAttributes(&attributes, managed + 3) == cudaSuccess);
  CHECK(attributes.type == cudaMemoryTypeManaged);
  CHECK(cudaFree(managed) == cudaSuccess);

  std::vector<int> own(32, 1);
  CHECK(cudaPointerGetAttributes(&attributes, own.data()) == cudaSuccess);
  CHECK(attributes.type == cudaMemoryTypeUnregistered);
  REQUIRE(cudaHostRegister(own.data(), 128, cudaHostRegisterDefault) == cudaSuccess);
  CHECK(cudaHostRegister(own.data(), 128, cudaHostRegisterDefault) == cudaErrorHostMemoryAlreadyRegistered);
  int* seen_from_device = nullptr;
  CHECK(cudaHostGetDevicePointer(&seen_from_device, own.data(), 0) == cudaSuccess);
  add_kernel<<<1, 32>>>(seen_from_device, 1);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(own[5] == 2);
  CHECK(cudaHostUnregister(own.data()) == cudaSuccess);
  CHECK(cudaHostUnregister(own.data()) == cudaErrorHostMemoryNotRegistered);
  (void)cudaGetLastError();
}

TEST_CASE("variables of the device") {
  device_array<float> d_x(std::vector<float>{1, 1, 1, 1, 1}), d_out(1);
  const int zero = 0;
  REQUIRE(cudaMemcpyToSymbol(counter, &zero, sizeof zero) == cudaSuccess);
  dot_kernel<<<1, 1>>>(d_x.data(), d_out.data());
  CHECK(d_out.to_host()[0] == 37.5f);  // as initialized
  const float other[2] = {10, 20};
  CHECK(cudaMemcpyToSymbol(taps, other, sizeof other, 3 * sizeof(float)) == cudaSuccess);
  dot_kernel<<<1, 1>>>(d_x.data(), d_out.data());
  CHECK(d_out.to_host()[0] == 90);
  int count = 0;
  CHECK(cudaMemcpyFromSymbol(&count, counter, sizeof count) == cudaSuccess);
  CHECK(count == 2);
  CHECK(managed_counter == 9);
  CHECK(cudaMemcpyToSymbol(taps, other, sizeof other, 4 * sizeof(float)) == cudaErrorInvalidValue);
  float back[5] = {};
  CHECK(cudaMemcpyFromSymbol(back, taps, sizeof back) == cudaSuccess);
  CHECK(back[4] == 20);

  void* address = nullptr;
  std::size_t size = 0;
  CHECK(cudaGetSymbolAddress(&address, taps) == cudaSuccess);
  CHECK(cudaGetSymbolSize(&size, taps) == cudaSuccess);
  CHECK(size == 20);
  CHECK(cudaMemcpy(address, other, 8, cudaMemcpyHostToDevice) == cudaSuccess);
  CHECK(cudaMemcpyFromSymbol(back, taps, 4) == cudaSuccess);
  CHECK(back[0] == 10);
  const int no_symbol = 0;
  CHECK(cudaMemcpyToSymbol(no_symbol, other, 4) == cudaErrorInvalidSymbol);
  (void)cudaGetLastError();

  float* target = d_out.data();
  CHECK(cudaMemcpyToSymbol(indirect, &target, sizeof target) == cudaSuccess);
  through_pointer_kernel<<<1, 1>>>();
  CHECK(d_out.to_host()[0] == 42);
}

TEST_CASE("streams and events") {
  cudaStream_t stream, other;
  REQUIRE(cudaStreamCreate(&stream) == cudaSuccess);
  REQUIRE(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking) == cudaSuccess);
  cudaEvent_t begin, end, untimed;
  REQUIRE(cudaEventCreate(&begin) == cudaSuccess);
  REQUIRE(cudaEventCreate(&end) == cudaSuccess);
  REQUIRE(cudaEventCreateWithFlags(&untimed, cudaEventDisableTiming) == cudaSuccess);
  float milliseconds = -1;
  CHECK(cudaEventElapsedTime(&milliseconds, begin, end) == cudaErrorInvalidResourceHandle);  // not recorded
  device_array<int> d_values(32);
  CHECK(cudaEventRecord(begin, stream) == cudaSuccess);
  add_kernel<<<1, 32, 0, stream>>>(d_values.data(), 4);
  CHECK(cudaEventRecord(end, stream) == cudaSuccess);
  CHECK(cudaStreamWaitEvent(other, end) == cudaSuccess);
  add_kernel<<<1, 32, 0, other>>>(d_values.data(), 5);
  CHECK(cudaEventSynchronize(end) == cudaSuccess);
  CHECK(cudaEventQuery(end) == cudaSuccess);
  CHECK(cudaEventElapsedTime(&milliseconds, begin, end) == cudaSuccess);
  CHECK(milliseconds > 0);
  CHECK(milliseconds < 10000);
  CHECK(cudaEventRecord(untimed) == cudaSuccess);
  CHECK(cudaEventElapsedTime(&milliseconds, begin, untimed) == cudaErrorInvalidResourceHandle);
  CHECK(cudaStreamQuery(stream) == cudaSuccess);
  CHECK(cudaStreamSynchronize(other) == cudaSuccess);
  CHECK(d_values.to_host()[7] == 9);
  int called = 0;
  CHECK(cudaLaunchHostFunc(
            stream, [](void* data) { ++*static_cast<int*>(data); }, &called) == cudaSuccess);
  CHECK(cudaStreamSynchronize(stream) == cudaSuccess);
  CHECK(called == 1);
  for (cudaEvent_t e : {begin, end, untimed}) CHECK(cudaEventDestroy(e) == cudaSuccess);
  for (cudaStream_t s : {stream, other}) CHECK(cudaStreamDestroy(s) == cudaSuccess);
  CHECK(cudaStreamDestroy(nullptr) == cudaErrorInvalidResourceHandle);
  (void)cudaGetLastError();
}

TEST_CASE("the device is an H200") {
  int count = 0, device = -1, value = 0;
  CHECK(cudaGetDeviceCount(&count) == cudaSuccess);
  CHECK(count == 1);
  CHECK(cudaGetDevice(&device) == cudaSuccess);
  CHECK(device == 0);
  CHECK(cudaSetDevice(0) == cudaSuccess);
  CHECK(cudaSetDevice(1) == cudaErrorInvalidDevice);
  CHECK(cudaGetLastError() == cudaErrorInvalidDevice);
  cudaDeviceProp p;
  REQUIRE(cudaGetDeviceProperties(&p, 0) == cudaSuccess);
#ifdef ON_EMULATED_DEVICE
  CHECK(std::strcmp(p.name, "NVIDIA H200 (emulated)") == 0);
#endif
  CHECK(p.major == 9);
  CHECK(p.multiProcessorCount == 132);
  CHECK(p.sharedMemPerBlock == 49152);
  CHECK(p.sharedMemPerBlockOptin == 232448);
  CHECK(p.maxThreadsPerBlock == 1024);
  CHECK(cudaDeviceGetAttribute(&value, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0) == cudaSuccess);
  CHECK(value == 232448);
  CHECK(cudaDeviceGetAttribute(&value, cudaDevAttrL2CacheSize, 0) == cudaSuccess);
  CHECK(value == p.l2CacheSize);
  int driver = 0, runtime = 0;
  CHECK(cudaDriverGetVersion(&driver) == cudaSuccess);
  CHECK(cudaRuntimeGetVersion(&runtime) == cudaSuccess);
  CHECK(runtime == CUDART_VERSION);
}

TEST_CASE("attributes of kernels, occupancy") {
  cudaFuncAttributes attributes;
  REQUIRE(cudaFuncGetAttributes(&attributes, template_kernel<float>) == cudaSuccess);
  CHECK(attributes.maxThreadsPerBlock == 96);
  REQUIRE(cudaFuncGetAttributes(&attributes, add_kernel) == cudaSuccess);
  CHECK(attributes.maxThreadsPerBlock == 1024);
  // A kernel template has one record per instance.
  REQUIRE(cudaFuncSetAttribute(template_kernel<int>, cudaFuncAttributeMaxDynamicSharedMemorySize, 100000) ==
          cudaSuccess);
  REQUIRE(cudaFuncGetAttributes(&attributes, template_kernel<int>) == cudaSuccess);
  CHECK(attributes.maxDynamicSharedSizeBytes == 100000);
  REQUIRE(cudaFuncGetAttributes(&attributes, template_kernel<float>) == cudaSuccess);
  CHECK(attributes.maxDynamicSharedSizeBytes == 48 * 1024);

  int blocks = 0;
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, add_kernel, 256, 0) == cudaSuccess);
  CHECK(blocks == 8);
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, add_kernel, 32, 0) == cudaSuccess);
  CHECK(blocks == 32);
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, add_kernel, 64, 48 * 1024) == cudaSuccess);
  CHECK(blocks == 4);  // 49 KiB each, of 228
  int grid = 0, block = 0;
  CHECK(cudaOccupancyMaxPotentialBlockSize(&grid, &block, add_kernel) == cudaSuccess);
  CHECK(block == 1024);
  CHECK(grid == 264);
}
