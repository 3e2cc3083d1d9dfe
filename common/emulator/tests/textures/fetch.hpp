// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Fetching on the device, one thread for each place. T: each type that a texture can return.
#pragma once

#include <cuda_runtime.h>

#include <vector>

template <class T>
std::vector<T> fetch_elements(cudaTextureObject_t texture, const std::vector<int>& places);
template <class T>
std::vector<T> fetch_1d(cudaTextureObject_t texture, const std::vector<float>& places);
template <class T>
std::vector<T> fetch_2d(cudaTextureObject_t texture, const std::vector<float2>& places);
template <class T>
std::vector<T> fetch_3d(cudaTextureObject_t texture, const std::vector<float3>& places);
/// With tex1D() at x, tex2D() at (x, y) or tex1Dfetch() at x.
template <class T>
std::vector<T> fetch_flat(cudaTextureObject_t texture, int dimensions, const std::vector<float3>& places);
