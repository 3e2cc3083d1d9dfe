// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "fetch_volume.hpp"

#include "common/device/check.hpp"
#include "common/device/device_memory.hpp"

namespace {

// Both forms of each function: odd threads take the one that stores through a pointer.
template <class T>
__global__ void volume_kernel(cudaTextureObject_t texture, const float3* places, T* results, int count) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= count) return;
  const float3 at = places[i];
  if (i % 2 == 0)
    results[i] = tex3D<T>(texture, at.x, at.y, at.z);
  else
    tex3D(&results[i], texture, at.x, at.y, at.z);
}

template <class T>
__global__ void flat_kernel(cudaTextureObject_t texture, int dimensions, const float3* places, T* results,
                            int count) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= count) return;
  const float3 at = places[i];
  if (dimensions == 0)
    results[i] = tex1Dfetch<T>(texture, static_cast<int>(at.x));
  else if (dimensions == 1)
    results[i] = tex1D<T>(texture, at.x);
  else
    results[i] = tex2D<T>(texture, at.x, at.y);
}

}  // namespace

template <class T>
std::vector<T> fetch_3d(cudaTextureObject_t texture, const std::vector<float3>& places) {
  const tutorial::device_buffer<float3> d_places(places);
  tutorial::device_buffer<T> d_results(places.size());
  const int count = static_cast<int>(places.size()), block = 64;
  volume_kernel<<<(count + block - 1) / block, block>>>(texture, d_places.data(), d_results.data(), count);
  tutorial::check(cudaGetLastError());
  return d_results.to_host();
}

template <class T>
std::vector<T> fetch_flat(cudaTextureObject_t texture, int dimensions, const std::vector<float3>& places) {
  const tutorial::device_buffer<float3> d_places(places);
  tutorial::device_buffer<T> d_results(places.size());
  const int count = static_cast<int>(places.size()), block = 64;
  flat_kernel<<<(count + block - 1) / block, block>>>(texture, dimensions, d_places.data(), d_results.data(),
                                                      count);
  tutorial::check(cudaGetLastError());
  return d_results.to_host();
}

#define INSTANCE(T)                                                                     \
  template std::vector<T> fetch_3d<T>(cudaTextureObject_t, const std::vector<float3>&); \
  template std::vector<T> fetch_flat<T>(cudaTextureObject_t, int, const std::vector<float3>&);
INSTANCE(float)
INSTANCE(float2)
INSTANCE(float4)
INSTANCE(int)
INSTANCE(ushort2)
INSTANCE(uchar4)
