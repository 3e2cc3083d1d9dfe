// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Memory that host and device share: pinned, registered, managed; and the pool of cudaMallocAsync().
#include <cstdint>
#include <numeric>

#include "../emulator_test.hpp"
#ifdef ON_EMULATED_DEVICE
#include "../findings.hpp"
#endif

namespace {

__managed__ int managed_values[4] = {1, 2, 3, 4};
__managed__ int managed_sum;

__global__ void add_kernel(int* values, int value) { values[threadIdx.x] += value; }
__global__ void sum_kernel(const int* values, int size) {
  int sum = managed_values[0] * managed_values[3];
  for (int i = 0; i < size; ++i) sum += values[i];
  managed_sum = sum;
}

cudaPointerAttributes attributes_of(const void* pointer) {
  cudaPointerAttributes attributes;
  REQUIRE(cudaPointerGetAttributes(&attributes, pointer) == cudaSuccess);
  return attributes;
}

// CUDA 13 has no other form of these two.
cudaError_t prefetch(const void* pointer, std::size_t size, cudaMemLocationType type, int device) {
#if CUDART_VERSION >= 13000 || defined(ON_EMULATED_DEVICE)
  return cudaMemPrefetchAsync(pointer, size, cudaMemLocation{type, device}, 0, nullptr);
#else
  return cudaMemPrefetchAsync(pointer, size, type == cudaMemLocationTypeHost ? cudaCpuDeviceId : device);
#endif
}
cudaError_t advise(const void* pointer, std::size_t size, cudaMemoryAdvise advice, cudaMemLocationType type,
                   int device) {
#if CUDART_VERSION >= 13000 || defined(ON_EMULATED_DEVICE)
  return cudaMemAdvise(pointer, size, advice, cudaMemLocation{type, device});
#else
  return cudaMemAdvise(pointer, size, advice, type == cudaMemLocationTypeHost ? cudaCpuDeviceId : device);
#endif
}

}  // namespace

TEST_CASE("pinned memory: flags, addresses, what it is") {
  int* pinned = nullptr;
  REQUIRE(cudaHostAlloc(&pinned, 32 * sizeof(int), cudaHostAllocMapped | cudaHostAllocPortable) ==
          cudaSuccess);
  std::iota(pinned, pinned + 32, 0);
  unsigned int flags = 0;
  CHECK(cudaHostGetFlags(&flags, pinned) == cudaSuccess);
  CHECK((flags & cudaHostAllocMapped) != 0);
  CHECK((flags & cudaHostAllocPortable) != 0);
  CHECK((flags & cudaHostAllocWriteCombined) == 0);
  int* on_device = nullptr;
  REQUIRE(cudaHostGetDevicePointer(&on_device, pinned, 0) == cudaSuccess);
  CHECK(on_device == pinned);
  int* refused = pinned;
  CHECK(cudaHostGetDevicePointer(&refused, pinned, 1) == cudaErrorInvalidValue);
  CHECK(refused == nullptr);
  add_kernel<<<1, 32>>>(on_device, 100);
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(pinned[0] == 100);
  CHECK(pinned[31] == 131);
  const cudaPointerAttributes attributes = attributes_of(pinned + 3);
  CHECK(attributes.type == cudaMemoryTypeHost);
  CHECK(attributes.hostPointer == pinned + 3);
  CHECK(attributes.devicePointer == pinned + 3);

  // Copies and memset know it, by its address.
  device_array<int> d_x(32);
  CHECK(cudaMemcpy(d_x.data(), pinned, 32 * sizeof(int), cudaMemcpyDefault) == cudaSuccess);
  CHECK(d_x.to_host()[31] == 131);
  CHECK(cudaMemset(pinned, 0, 4) == cudaSuccess);
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(pinned[0] == 0);
  // It is neither registered nor to be registered.
  CHECK(cudaHostRegister(pinned, 64, 0) == cudaErrorInvalidValue);
  CHECK(cudaHostUnregister(pinned) == cudaErrorInvalidValue);
  CHECK(cudaFreeHost(pinned) == cudaSuccess);
  CHECK(cudaFreeHost(nullptr) == cudaSuccess);
  void* none = nullptr;
  CHECK(cudaHostAlloc(&none, 64, 0x100) == cudaErrorInvalidValue);
  CHECK(cudaHostGetFlags(&flags, &flags) == cudaErrorInvalidValue);
  (void)cudaGetLastError();
}

TEST_CASE("registered memory") {
  std::vector<int> own(64, 1);
  CHECK(attributes_of(own.data()).type == cudaMemoryTypeUnregistered);
  REQUIRE(cudaHostRegister(own.data(), 64 * sizeof(int), cudaHostRegisterMapped) == cudaSuccess);
  CHECK(cudaHostRegister(own.data(), 64 * sizeof(int), cudaHostRegisterMapped) ==
        cudaErrorHostMemoryAlreadyRegistered);
  CHECK(attributes_of(own.data() + 5).type == cudaMemoryTypeHost);
  int* on_device = nullptr;
  REQUIRE(cudaHostGetDevicePointer(&on_device, own.data(), 0) == cudaSuccess);
  add_kernel<<<1, 64>>>(on_device, 1);
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(own == std::vector<int>(64, 2));
  CHECK(cudaHostUnregister(own.data() + 1) == cudaErrorInvalidValue);
  CHECK(cudaHostUnregister(own.data()) == cudaSuccess);
  CHECK(cudaHostUnregister(own.data()) == cudaErrorHostMemoryNotRegistered);
  CHECK(cudaHostGetDevicePointer(&on_device, own.data(), 0) == cudaErrorInvalidValue);
  CHECK(cudaHostRegister(nullptr, 64, 0) == cudaErrorInvalidValue);
  CHECK(cudaHostRegister(own.data(), 0, 0) == cudaErrorInvalidValue);
  REQUIRE(cudaHostRegister(own.data(), 64 * sizeof(int), cudaHostRegisterReadOnly) == cudaSuccess);
  REQUIRE(cudaHostGetDevicePointer(&on_device, own.data(), 0) == cudaSuccess);
  sum_kernel<<<1, 1>>>(on_device, 64);
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(managed_sum == 64 * 2 + 4);
  CHECK(cudaHostUnregister(own.data()) == cudaSuccess);
  (void)cudaGetLastError();
}

TEST_CASE("managed memory: both sides use it, one after the other") {
  int* x = nullptr;
  REQUIRE(cudaMallocManaged(&x, 64 * sizeof(int)) == cudaSuccess);
  std::iota(x, x + 64, 0);
  CHECK(attributes_of(x + 1).type == cudaMemoryTypeManaged);
  CHECK(advise(x, 64 * sizeof(int), cudaMemAdviseSetReadMostly, cudaMemLocationTypeDevice, 0) == cudaSuccess);
  CHECK(advise(x, 64 * sizeof(int), cudaMemAdviseUnsetReadMostly, cudaMemLocationTypeDevice, 0) ==
        cudaSuccess);
  CHECK(advise(x, 64 * sizeof(int), cudaMemAdviseSetPreferredLocation, cudaMemLocationTypeHost, 0) ==
        cudaSuccess);
  CHECK(prefetch(x, 64 * sizeof(int), cudaMemLocationTypeDevice, 0) == cudaSuccess);
  add_kernel<<<1, 64>>>(x, 1);
  CHECK(prefetch(x, 64 * sizeof(int), cudaMemLocationTypeHost, 0) == cudaSuccess);
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(x[63] == 64);
  sum_kernel<<<1, 1>>>(x, 64);
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(managed_sum == 64 * 65 / 2 + 4);
  managed_values[3] = 10;  // the host's own write
  sum_kernel<<<1, 1>>>(x, 64);
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(managed_sum == 64 * 65 / 2 + 10);
  managed_values[3] = 4;
  CHECK(attributes_of(managed_values).type == cudaMemoryTypeManaged);

  cudaStream_t stream = nullptr;
  REQUIRE(cudaStreamCreate(&stream) == cudaSuccess);
  CHECK(cudaStreamAttachMemAsync(stream, x, 0, cudaMemAttachGlobal) == cudaSuccess);
  CHECK(cudaStreamAttachMemAsync(stream, x, 32, cudaMemAttachGlobal) == cudaErrorInvalidValue);  // a part
  CHECK(cudaStreamAttachMemAsync(stream, x, 0, 77) == cudaErrorInvalidValue);
  CHECK(cudaStreamSynchronize(stream) == cudaSuccess);
  CHECK(cudaStreamDestroy(stream) == cudaSuccess);

  device_array<int> d_x(8);
  CHECK(prefetch(d_x.data(), 32, cudaMemLocationTypeDevice, 0) == cudaErrorInvalidValue);  // not managed
  CHECK(prefetch(x, 32, cudaMemLocationTypeDevice, 77) == cudaErrorInvalidDevice);
  unsigned int flags = 0;
  CHECK(cudaHostGetFlags(&flags, x) == cudaSuccess);
  CHECK(cudaFree(x) == cudaSuccess);
  CHECK(cudaMallocManaged(&x, 0) == cudaSuccess);
  CHECK(cudaFree(x) == cudaSuccess);
  CHECK(cudaMallocManaged(&x, 64, 0) == cudaErrorInvalidValue);
  (void)cudaGetLastError();
}

TEST_CASE("the pool of cudaMallocAsync()") {
  cudaStream_t stream = nullptr;
  REQUIRE(cudaStreamCreate(&stream) == cudaSuccess);
  cudaMemPool_t pool = nullptr;
  REQUIRE(cudaDeviceGetDefaultMemPool(&pool, 0) == cudaSuccess);
  std::uint64_t threshold = ~std::uint64_t{0}, read = 0, used = 0;
  CHECK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold) == cudaSuccess);
  CHECK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &read) == cudaSuccess);
  CHECK(read == threshold);
  int* x = nullptr;
  REQUIRE(cudaMallocAsync(&x, 1 << 20, stream) == cudaSuccess);
  CHECK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &used) == cudaSuccess);
  CHECK(used >= 1 << 20);
  REQUIRE(cudaMemsetAsync(x, 0, 128, stream) == cudaSuccess);
  add_kernel<<<1, 32, 0, stream>>>(x, 5);
  int first = 0;
  CHECK(cudaMemcpyAsync(&first, x, sizeof first, cudaMemcpyDeviceToHost, stream) == cudaSuccess);
  CHECK(cudaStreamSynchronize(stream) == cudaSuccess);
  CHECK(first == 5);
  CHECK(cudaFreeAsync(x, stream) == cudaSuccess);
  int* y = nullptr;
  REQUIRE(cudaMallocFromPoolAsync(&y, 4096, pool, stream) == cudaSuccess);
  CHECK(cudaFreeAsync(y, stream) == cudaSuccess);
  CHECK(cudaStreamSynchronize(stream) == cudaSuccess);
  CHECK(cudaMemPoolTrimTo(pool, 0) == cudaSuccess);
  CHECK(cudaStreamDestroy(stream) == cudaSuccess);
}

#ifdef ON_EMULATED_DEVICE
namespace {
constexpr int at_line_of = __LINE__ + 1;
__global__ void read_kernel(const int* from, int index, int* to) { *to = from[index]; }
}  // namespace

TEST_CASE("kernels reach what is shared, to the byte, and nothing else of the host") {
  device_array<int> d_y(1);
  using cuda_emulator::finding_kind;
  const auto read = [&](const int* from, int index) {
    return [=, &d_y] { read_kernel<<<1, 1>>>(from, index, d_y.data()); };
  };
  int* pinned = nullptr;
  REQUIRE(cudaMallocHost(&pinned, 10 * sizeof(int)) == cudaSuccess);
  check_found(finding_kind::out_of_bounds,
              {"access out of bounds in kernel read_kernel", at_line(__FILE__, at_line_of),
               "from[10] in pinned memory of the host (from has 10 elements of 4 bytes"},
              read(pinned, 10), read(pinned, 9));
  int* managed = nullptr;
  REQUIRE(cudaMallocManaged(&managed, 10 * sizeof(int)) == cudaSuccess);
  check_found(finding_kind::out_of_bounds, {"from[-1] in managed memory"}, read(managed, -1),
              read(managed, 0));
  std::vector<int> own(64, 1);
  const int registered = __LINE__ + 1;
  REQUIRE(cudaHostRegister(own.data(), 10 * sizeof(int) + 2, 0) == cudaSuccess);
  check_found(
      finding_kind::host_pointer,
      {"host memory used", "byte 40 of the 42 bytes that were registered at ", at_line(__FILE__, registered)},
      read(own.data(), 10), read(own.data(), 9));
  check_found(finding_kind::host_pointer, {"host memory used"}, read(own.data(), 63), read(own.data(), 0));
  REQUIRE(cudaHostUnregister(own.data()) == cudaSuccess);
  REQUIRE(cudaHostRegister(own.data(), 40, cudaHostRegisterReadOnly) == cudaSuccess);
  check_found(
      finding_kind::host_pointer,
      {"host memory used", "writes 4 bytes", "of the 40 bytes that were registered for reading only at ",
       "Register it without cudaHostRegisterReadOnly"},
      [&] { add_kernel<<<1, 1>>>(own.data(), 1); }, read(own.data(), 9));
  REQUIRE(cudaHostUnregister(own.data()) == cudaSuccess);
  check_found(finding_kind::host_pointer, {"host memory used"}, read(own.data(), 0), read(pinned, 0));
  REQUIRE(cudaFreeHost(pinned) == cudaSuccess);
  check_found(finding_kind::use_after_free, {"use of freed memory"}, read(pinned, 0), read(managed, 0));
  REQUIRE(cudaFree(managed) == cudaSuccess);
}

TEST_CASE("what the host may have written counts as written, also after a copy of what nobody wrote") {
  int* device = nullptr;
  int* managed = nullptr;
  REQUIRE(cudaMalloc(&device, 8 * sizeof(int)) == cudaSuccess);
  REQUIRE(cudaMallocManaged(&managed, 8 * sizeof(int)) == cudaSuccess);
  device_array<int> d_y(1);
  const auto read = [&](const int* from) {
    return [=, &d_y] { read_kernel<<<1, 1>>>(from, 7, d_y.data()); };
  };
  check_found(cuda_emulator::finding_kind::uninitialized_read, {"read_kernel"}, read(device), read(managed));
  REQUIRE(cudaMemcpy(managed, device, 8 * sizeof(int), cudaMemcpyDefault) == cudaSuccess);
  managed[7] = 3;
  read(managed)();
  CHECK(d_y.to_host()[0] == 3);
  REQUIRE(cudaMemcpy2D(managed, 16, device, 16, 16, 2, cudaMemcpyDefault) == cudaSuccess);
  managed[7] = 4;
  read(managed)();
  CHECK(d_y.to_host()[0] == 4);
  CHECK(cudaFree(device) == cudaSuccess);
  CHECK(cudaFree(managed) == cudaSuccess);
}

TEST_CASE("what the emulated device refuses of the host's memory") {
  std::vector<int> own(64, 1);
  CHECK(cudaHostRegister(own.data(), 64, cudaHostRegisterIoMemory) == cudaErrorNotSupported);
  REQUIRE(cudaHostRegister(own.data() + 4, 64, 0) == cudaSuccess);
  // What overlaps is registered already.
  CHECK(cudaHostRegister(own.data(), 64, 0) == cudaErrorHostMemoryAlreadyRegistered);
  CHECK(cudaHostRegister(own.data() + 10, 256, 0) == cudaErrorHostMemoryAlreadyRegistered);
  CHECK(cudaHostRegister(own.data(), 16, 0) == cudaSuccess);
  CHECK(cudaHostUnregister(own.data()) == cudaSuccess);
  // A copy that begins in it must end in it.
  device_array<int> d_x(64);
  CHECK(cudaMemcpy(d_x.data(), own.data() + 4, 64, cudaMemcpyHostToDevice) == cudaSuccess);
  CHECK(cudaMemcpy(d_x.data(), own.data() + 4, 68, cudaMemcpyHostToDevice) == cudaErrorInvalidValue);
  CHECK(cudaHostUnregister(own.data() + 4) == cudaSuccess);

  int* pinned = nullptr;
  REQUIRE(cudaMallocHost(&pinned, 64) == cudaSuccess);
  CHECK(cudaMemcpy(pinned, own.data(), 68, cudaMemcpyHostToHost) == cudaErrorInvalidValue);
  std::size_t before = 0, after = 0, total = 0;
  REQUIRE(cudaMemGetInfo(&before, &total) == cudaSuccess);
  CHECK(cudaFreeHost(pinned) == cudaSuccess);
  REQUIRE(cudaMemGetInfo(&after, &total) == cudaSuccess);
  CHECK(before == after);  // it was the host's
  int* managed = nullptr;
  REQUIRE(cudaMallocManaged(&managed, 64) == cudaSuccess);
  CHECK(advise(managed, 68, cudaMemAdviseSetReadMostly, cudaMemLocationTypeDevice, 0) ==
        cudaErrorInvalidValue);
  CHECK(prefetch(managed + 1, 64, cudaMemLocationTypeDevice, 0) == cudaErrorInvalidValue);
  CHECK(cudaFreeHost(managed) == cudaErrorInvalidValue);
  CHECK(cudaFree(managed) == cudaSuccess);
  cudaDeviceProp properties;
  REQUIRE(cudaGetDeviceProperties(&properties, 0) == cudaSuccess);
  CHECK(properties.pageableMemoryAccess == 0);
  CHECK(properties.managedMemory == 1);
  (void)cudaGetLastError();
}
#endif
