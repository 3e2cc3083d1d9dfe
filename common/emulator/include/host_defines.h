// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// The words that CUDA adds to C++. In kernel files (__CUDACC__) the translator reads the ones that change
// what a declaration means; elsewhere they are macros that vanish.
#pragma once

#define __forceinline__ inline __attribute__((always_inline))
// __noinline__ is left to the translator, too: as a macro it would break __attribute__((__noinline__)).
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __align__(n)
#define __grid_constant__
#define __cudart_builtin__
#define CUDARTAPI
#define CUDART_CB

#ifndef __CUDACC__
#define __host__
#define __device__
#define __global__
#define __shared__
#define __constant__
#define __managed__
#define __launch_bounds__(...)
#endif
