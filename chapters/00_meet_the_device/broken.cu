// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "broken.hpp"
#include "common/device/check.hpp"

namespace tutorial::broken {
namespace {

__global__ void copy_kernel(const float* x, float* y, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < size) y[i] = x[i];
}

__global__ void copy_unguarded_kernel(const float* x, float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = x[i];
}

__global__ void copy_vectors_kernel(const float4* x, float4* y, int vectors) {
  const int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v < vectors) y[v] = x[v];
}

__global__ void copy_neighbor_kernel(const float* x, float* y, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < size) y[i] = x[min(i + 1, size - 1)];
}

}  // namespace

void grid_rounded_down(device_span<const float> x, device_span<float> y) {
  const int size = static_cast<int>(x.size()), blocks = size / 256;
  if (blocks > 0) copy_kernel<<<blocks, 256>>>(x.data(), y.data(), size);
  check(cudaGetLastError());
}

void no_guard(device_span<const float> x, device_span<float> y) {
  const int size = static_cast<int>(x.size());
  copy_unguarded_kernel<<<(size + 255) / 256, 256>>>(x.data(), y.data());
  check(cudaGetLastError());
}

void tail_forgotten(device_span<const float> x, device_span<float> y) {
  const int vectors = static_cast<int>(x.size() / 4);
  copy_vectors_kernel<<<(vectors + 256) / 256, 256>>>(reinterpret_cast<const float4*>(x.data()),
                                                      reinterpret_cast<float4*>(y.data()), vectors);
  check(cudaGetLastError());
}

void elements_for_bytes(device_span<const float> x, device_span<float> y) {
  check(cudaMemcpy(y.data(), x.data(), x.size(), cudaMemcpyDeviceToDevice));
}

void off_by_one(device_span<const float> x, device_span<float> y) {
  const int size = static_cast<int>(x.size());
  copy_neighbor_kernel<<<(size + 255) / 256, 256>>>(x.data(), y.data(), size);
  check(cudaGetLastError());
}

void unchecked_launch(device_span<const float> x, device_span<float> y) {
  const int size = static_cast<int>(x.size());
  copy_kernel<<<(size + 2047) / 2048, 2048>>>(x.data(), y.data(), size);
  (void)cudaGetLastError();  // looked away
}

}  // namespace tutorial::broken
