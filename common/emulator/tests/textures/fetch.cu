// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "fetch.hpp"

#include "../emulator_test.hpp"

namespace {

// Both forms of each function: odd threads take the one that stores through a pointer.
template <class T>
__global__ void elements_kernel(cudaTextureObject_t texture, const int* places, T* results, int count) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= count) return;
  if (i % 2 == 0)
    results[i] = tex1Dfetch<T>(texture, places[i]);
  else
    tex1Dfetch(&results[i], texture, places[i]);
}

template <class T>
__global__ void one_dimension_kernel(cudaTextureObject_t texture, const float* places, T* results,
                                     int count) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= count) return;
  if (i % 2 == 0)
    results[i] = tex1D<T>(texture, places[i]);
  else
    tex1D(&results[i], texture, places[i]);
}

template <class T>
__global__ void two_dimensions_kernel(cudaTextureObject_t texture, const float2* places, T* results,
                                      int count) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= count) return;
  const float2 at = places[i];
  if (i % 2 == 0)
    results[i] = tex2D<T>(texture, at.x, at.y);
  else
    tex2D(&results[i], texture, at.x, at.y);
}

template <class T>
__global__ void three_dimensions_kernel(cudaTextureObject_t texture, const float3* places, T* results,
                                        int count) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= count) return;
  const float3 at = places[i];
  if (i % 2 == 0)
    results[i] = tex3D<T>(texture, at.x, at.y, at.z);
  else
    tex3D(&results[i], texture, at.x, at.y, at.z);
}

template <class T, int dimensions>
__global__ void flat_kernel(cudaTextureObject_t texture, const float3* places, T* results, int count) {
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

template <class T, class Place>
std::vector<T> fetched(void (*kernel)(cudaTextureObject_t, const Place*, T*, int),
                       cudaTextureObject_t texture, const std::vector<Place>& places) {
  device_array<Place> d_places(places);
  device_array<T> d_results(places.size());
  const int count = static_cast<int>(places.size()), block = 64;
  kernel<<<(count + block - 1) / block, block>>>(texture, d_places.data(), d_results.data(), count);
  require_success(cudaGetLastError());
  return d_results.to_host();
}

}  // namespace

template <class T>
std::vector<T> fetch_elements(cudaTextureObject_t texture, const std::vector<int>& places) {
  return fetched<T, int>(elements_kernel<T>, texture, places);
}
template <class T>
std::vector<T> fetch_1d(cudaTextureObject_t texture, const std::vector<float>& places) {
  return fetched<T, float>(one_dimension_kernel<T>, texture, places);
}
template <class T>
std::vector<T> fetch_2d(cudaTextureObject_t texture, const std::vector<float2>& places) {
  return fetched<T, float2>(two_dimensions_kernel<T>, texture, places);
}

template <class T>
std::vector<T> fetch_3d(cudaTextureObject_t texture, const std::vector<float3>& places) {
  return fetched<T, float3>(three_dimensions_kernel<T>, texture, places);
}
template <class T>
std::vector<T> fetch_flat(cudaTextureObject_t texture, int dimensions, const std::vector<float3>& places) {
  return fetched<T, float3>(dimensions == 0   ? flat_kernel<T, 0>
                            : dimensions == 1 ? flat_kernel<T, 1>
                                              : flat_kernel<T, 2>,
                            texture, places);
}

#define INSTANCE(T)                                                                        \
  template std::vector<T> fetch_elements<T>(cudaTextureObject_t, const std::vector<int>&); \
  template std::vector<T> fetch_1d<T>(cudaTextureObject_t, const std::vector<float>&);     \
  template std::vector<T> fetch_2d<T>(cudaTextureObject_t, const std::vector<float2>&);
#define INSTANCES(C, name) INSTANCE(C) INSTANCE(name##1) INSTANCE(name##2) INSTANCE(name##4)
INSTANCE(char)
INSTANCES(signed char, char)
INSTANCES(unsigned char, uchar)
INSTANCES(short, short)
INSTANCES(unsigned short, ushort)
INSTANCES(int, int)
INSTANCES(unsigned int, uint)
INSTANCES(float, float)

#define SPATIAL_INSTANCE(T)                                                             \
  template std::vector<T> fetch_3d<T>(cudaTextureObject_t, const std::vector<float3>&); \
  template std::vector<T> fetch_flat<T>(cudaTextureObject_t, int, const std::vector<float3>&);
SPATIAL_INSTANCE(float)
SPATIAL_INSTANCE(float2)
SPATIAL_INSTANCE(float4)
SPATIAL_INSTANCE(int)
SPATIAL_INSTANCE(ushort2)
SPATIAL_INSTANCE(uchar4)
