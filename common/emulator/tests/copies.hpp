// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// One template that a kernel file and an ordinary file both instantiate (see two_copies.cu).
#pragma once

#include <cuda_runtime.h>

/// Not inlined: both files need a function of their own.
template <class T>
__host__ __device__ __attribute__((noinline)) T element(const T* values, int i) {
  return values[i];
}

__host__ __device__ inline __attribute__((noinline)) int twice(const int* value) { return 2 * *value; }

/// Where the ordinary file has its copies.
const void* element_in_ordinary_file();
const void* twice_in_ordinary_file();
int sum_in_ordinary_file(const int* values, int size);
