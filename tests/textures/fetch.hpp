// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
/// \file
/// Fetching on the device, one thread for each place. T: each type that a texture can return.
#pragma once

#include <cuda_runtime.h>

#include <vector>

template <class T>
std::vector<T> fetch_elements(cudaTextureObject_t texture, const std::vector<int>& places);
template <class T>
std::vector<T> fetch_1d(cudaTextureObject_t texture, const std::vector<float>& places);
template <class T>
std::vector<T> fetch_2d(cudaTextureObject_t texture, const std::vector<float2>& places);
