// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// What clangd reads before a .cu file (.clangd). To clang, HIP is CUDA that needs no toolkit. Nothing
// is ever compiled with this.
#pragma once

#ifdef __HIP__
// All functions are of both sides, but for operators that clang itself has declared for the host.
#pragma clang force_cuda_host_device begin
#if __has_include(<bits/exception.h>)
#include <bits/exception.h>
#endif
#pragma clang force_cuda_host_device end
#pragma clang force_cuda_host_device begin

#define __CUDACC__
#define __host__
#define __device__
#define __global__ __attribute__((global))
#define __shared__
#define __constant__
#define __managed__
#define __launch_bounds__(...)
#include <cuda_runtime.h>

/// What a launch with <<<>>> calls there.
extern "C" int __hipPushCallConfiguration(dim3 grid, dim3 block, size_t bytes = 0,
                                          cudaStream_t stream = nullptr);
#endif
