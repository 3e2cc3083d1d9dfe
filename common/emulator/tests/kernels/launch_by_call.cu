// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Kernels that are given to the runtime: occupancy, attributes, launches by a function call. Kernels are
// small enough that registers do not count on a GPU, either.

#include "../emulator_test.hpp"

namespace {

struct scaling {
  float factor;
  int offset;
};

__global__ void scale_kernel(const float* x, float* y, scaling by, int size) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < size) y[i] = by.factor * x[i] + static_cast<float>(by.offset);
}
__global__ void __launch_bounds__(256, 2) bounded_kernel(int* out) { out[threadIdx.x] = 1; }
__global__ void tree_kernel(int* out) {
  extern __shared__ int sums[];
  sums[threadIdx.x] = 1;
  __syncthreads();
  if (threadIdx.x == 0) *out = sums[blockDim.x - 1];
}

struct shared_per_thread {
  __host__ __device__ std::size_t operator()(int threads) const {
    return static_cast<std::size_t>(100 * threads);
  }
};

}  // namespace

TEST_CASE("occupancy") {
  int blocks = 0, grid = 0, block = 0;
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&blocks, scale_kernel, 256, 0,
                                                               cudaOccupancyDefault) == cudaSuccess);
  CHECK(blocks == 8);
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, (const void*)scale_kernel, 512, 0) ==
        cudaSuccess);
  CHECK(blocks == 4);
  // 33 KiB each, of 228. Without the wish for all of them, an H200 keeps more for its cache, and says 5.
  const auto carveout = cudaFuncAttributePreferredSharedMemoryCarveout;
  CHECK(cudaFuncSetAttribute(tree_kernel, carveout, cudaSharedmemCarveoutMaxShared) == cudaSuccess);
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, tree_kernel, 128, 32 * 1024) == cudaSuccess);
  CHECK(blocks == 6);
  CHECK(cudaOccupancyMaxPotentialBlockSize(&grid, &block, bounded_kernel, 0, 0) == cudaSuccess);
  CHECK(block == 256);
  CHECK(cudaOccupancyMaxPotentialBlockSize(&grid, &block, scale_kernel, 0, 512) == cudaSuccess);
  CHECK(block == 512);
  CHECK(cudaOccupancyMaxPotentialBlockSizeWithFlags(&grid, &block, scale_kernel, 0, 512,
                                                    cudaOccupancyDefault) == cudaSuccess);
  CHECK(block == 512);
  // 100 bytes for each thread: 2048 threads would take all but 28 KiB of the 228.
  const shared_per_thread shared_of;
  CHECK(cudaOccupancyMaxPotentialBlockSizeVariableSMem(&grid, &block, tree_kernel, shared_of) == cudaSuccess);
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, tree_kernel, block, shared_of(block)) ==
        cudaSuccess);
  CHECK(blocks * block == 2048);
  std::size_t shared = 0;
  CHECK(cudaOccupancyAvailableDynamicSMemPerBlock(&shared, tree_kernel, 6, 128) == cudaSuccess);
#ifndef ON_EMULATED_DEVICE
  // What the system takes of each block: the answer of an H200 (CUDA 13.0) does not subtract it.
  shared -= 1024;
#endif
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, tree_kernel, 128, shared) == cudaSuccess);
  CHECK(blocks == 6);
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, tree_kernel, 128, shared + 128) ==
        cudaSuccess);
  CHECK(blocks == 5);
  CHECK(cudaFuncSetAttribute(tree_kernel, carveout, cudaSharedmemCarveoutDefault) == cudaSuccess);
}

TEST_CASE("attributes, by name and by address") {
  cudaFuncAttributes attributes;
  REQUIRE(cudaFuncGetAttributes(&attributes, (const void*)bounded_kernel) == cudaSuccess);
  CHECK(attributes.maxThreadsPerBlock == 256);
  CHECK(cudaFuncSetAttribute((const void*)tree_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                             96 * 1024) == cudaSuccess);
  REQUIRE(cudaFuncGetAttributes(&attributes, tree_kernel) == cudaSuccess);
  CHECK(attributes.maxDynamicSharedSizeBytes == 96 * 1024);
  CHECK(cudaFuncSetCacheConfig(tree_kernel, cudaFuncCachePreferShared) == cudaSuccess);
}

TEST_CASE("launches by a function call") {
  std::vector<float> x(100), expected(100);
  for (std::size_t i = 0; i < x.size(); ++i) {
    x[i] = static_cast<float>(i);
    expected[i] = 2.5f * x[i] + 7;
  }
  device_array<float> d_x(x);
  const float* from = d_x.data();
  scaling by{2.5f, 7};
  int size = 100;
  {
    device_array<float> d_y(100);
    float* to = d_y.data();
    void* arguments[] = {&from, &to, &by, &size};
    const auto address = reinterpret_cast<void*>(scale_kernel);
    CHECK(cudaLaunchKernel(address, dim3(4), dim3(32), arguments, 0, nullptr) == cudaSuccess);
    CHECK(d_y.to_host() == expected);
    CHECK(cudaMemset(to, 0, 100 * sizeof *to) == cudaSuccess);
    CHECK(cudaLaunchKernel(scale_kernel, dim3(2), dim3(64), arguments, 0, nullptr) == cudaSuccess);
    CHECK(cudaDeviceSynchronize() == cudaSuccess);
    CHECK(d_y.to_host() == expected);
  }
  {
    device_array<float> d_y(100);
    cudaLaunchConfig_t configuration{};
    configuration.gridDim = dim3(4);
    configuration.blockDim = dim3(32);
    CHECK(cudaLaunchKernelEx(&configuration, scale_kernel, from, d_y.data(), by, size) == cudaSuccess);
    CHECK(cudaDeviceSynchronize() == cudaSuccess);
    CHECK(d_y.to_host() == expected);
    configuration.blockDim = dim3(2048);
    const cudaError_t refused =
        CUDART_VERSION >= 13000 ? cudaErrorInvalidValue : cudaErrorInvalidConfiguration;
    CHECK(cudaLaunchKernelEx(&configuration, scale_kernel, from, d_y.data(), by, size) == refused);
    CHECK(cudaGetLastError() == refused);
  }
}

#ifdef EMULATED_CUDA
TEST_CASE("launches with attributes that are not emulated") {
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim.x = 2;
  attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
  cudaLaunchConfig_t configuration{};
  configuration.gridDim = configuration.blockDim = dim3(1);
  configuration.attrs = &attribute;
  configuration.numAttrs = 1;
  device_array<int> d_out(1);
  CHECK(cudaLaunchKernelEx(&configuration, bounded_kernel, d_out.data()) == cudaErrorNotSupported);
  CHECK(cudaGetLastError() == cudaErrorNotSupported);
  attribute.val.clusterDim.x = 1;
  CHECK(cudaLaunchKernelEx(&configuration, bounded_kernel, d_out.data()) == cudaSuccess);
  CHECK(d_out.to_host()[0] == 1);
}
TEST_CASE("old names") { CHECK(cudaThreadSynchronize() == cudaSuccess); }
#endif
