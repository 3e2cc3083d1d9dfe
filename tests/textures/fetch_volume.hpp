// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
/// \file
/// Fetching on the device from three dimensions, and from numbers of 16 bits; one thread for each place.
#pragma once

#include <cuda_runtime.h>

#include <vector>

template <class T>
std::vector<T> fetch_3d(cudaTextureObject_t texture, const std::vector<float3>& places);
/// With tex1D() at x, tex2D() at (x, y) or tex1Dfetch() at x.
template <class T>
std::vector<T> fetch_flat(cudaTextureObject_t texture, int dimensions, const std::vector<float3>& places);
