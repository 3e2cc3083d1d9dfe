// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// cuRAND's functions for the host: generators that fill arrays. Those for kernels are in curand_kernel.h.
#pragma once

#define CURAND_H_
#define CURAND_VER_MAJOR 10
#define CURAND_VER_MINOR 3
#define CURAND_VER_PATCH 9
#define CURAND_VERSION 10309

#include "cuda_runtime.h"
#include "emulator/export.hpp"

typedef enum curandStatus {
  CURAND_STATUS_SUCCESS = 0,
  CURAND_STATUS_VERSION_MISMATCH = 100,
  CURAND_STATUS_NOT_INITIALIZED = 101,
  CURAND_STATUS_ALLOCATION_FAILED = 102,
  CURAND_STATUS_TYPE_ERROR = 103,
  CURAND_STATUS_OUT_OF_RANGE = 104,
  CURAND_STATUS_LENGTH_NOT_MULTIPLE = 105,
  CURAND_STATUS_DOUBLE_PRECISION_REQUIRED = 106,
  CURAND_STATUS_LAUNCH_FAILURE = 201,
  CURAND_STATUS_PREEXISTING_FAILURE = 202,
  CURAND_STATUS_INITIALIZATION_FAILED = 203,
  CURAND_STATUS_ARCH_MISMATCH = 204,
  CURAND_STATUS_INTERNAL_ERROR = 999
} curandStatus_t;
typedef enum curandRngType {
  CURAND_RNG_TEST = 0,
  CURAND_RNG_PSEUDO_DEFAULT = 100,
  CURAND_RNG_PSEUDO_XORWOW = 101,
  CURAND_RNG_PSEUDO_MRG32K3A = 121,
  CURAND_RNG_PSEUDO_MTGP32 = 141,
  CURAND_RNG_PSEUDO_MT19937 = 142,
  CURAND_RNG_PSEUDO_PHILOX4_32_10 = 161,
  CURAND_RNG_QUASI_DEFAULT = 200,
  CURAND_RNG_QUASI_SOBOL32 = 201,
  CURAND_RNG_QUASI_SCRAMBLED_SOBOL32 = 202,
  CURAND_RNG_QUASI_SOBOL64 = 203,
  CURAND_RNG_QUASI_SCRAMBLED_SOBOL64 = 204
} curandRngType_t;
typedef enum curandOrdering {
  CURAND_ORDERING_PSEUDO_BEST = 100,
  CURAND_ORDERING_PSEUDO_DEFAULT = 101,
  CURAND_ORDERING_PSEUDO_SEEDED = 102,
  CURAND_ORDERING_PSEUDO_LEGACY = 103,
  CURAND_ORDERING_PSEUDO_DYNAMIC = 104,
  CURAND_ORDERING_QUASI_DEFAULT = 201
} curandOrdering_t;
typedef struct curandGenerator_st* curandGenerator_t;

#ifdef __cplusplus
extern "C" {
#endif
// XORWOW, Philox and Sobol make the numbers of cuRAND; others have the same distribution, and a note says so.
EMULATOR_API curandStatus_t curandCreateGenerator(curandGenerator_t* generator, curandRngType_t type);
EMULATOR_API curandStatus_t curandCreateGeneratorHost(curandGenerator_t* generator, curandRngType_t type);
EMULATOR_API curandStatus_t curandDestroyGenerator(curandGenerator_t generator);
EMULATOR_API curandStatus_t curandGetVersion(int* version);
EMULATOR_API curandStatus_t curandSetStream(curandGenerator_t generator, cudaStream_t stream);
EMULATOR_API curandStatus_t curandSetPseudoRandomGeneratorSeed(curandGenerator_t generator,
                                                               unsigned long long seed);
EMULATOR_API curandStatus_t curandSetGeneratorOffset(curandGenerator_t generator, unsigned long long offset);
EMULATOR_API curandStatus_t curandSetGeneratorOrdering(curandGenerator_t generator, curandOrdering_t order);
EMULATOR_API curandStatus_t curandSetQuasiRandomGeneratorDimensions(curandGenerator_t generator,
                                                                    unsigned dimensions);
EMULATOR_API curandStatus_t curandGenerateSeeds(curandGenerator_t generator);
EMULATOR_API curandStatus_t curandGenerate(curandGenerator_t generator, unsigned* output, size_t n);
EMULATOR_API curandStatus_t curandGenerateLongLong(curandGenerator_t generator, unsigned long long* output,
                                                   size_t n);
EMULATOR_API curandStatus_t curandGenerateUniform(curandGenerator_t generator, float* output, size_t n);
EMULATOR_API curandStatus_t curandGenerateUniformDouble(curandGenerator_t generator, double* output,
                                                        size_t n);
EMULATOR_API curandStatus_t curandGenerateNormal(curandGenerator_t generator, float* output, size_t n,
                                                 float mean, float deviation);
EMULATOR_API curandStatus_t curandGenerateNormalDouble(curandGenerator_t generator, double* output, size_t n,
                                                       double mean, double deviation);
EMULATOR_API curandStatus_t curandGenerateLogNormal(curandGenerator_t generator, float* output, size_t n,
                                                    float mean, float deviation);
EMULATOR_API curandStatus_t curandGenerateLogNormalDouble(curandGenerator_t generator, double* output,
                                                          size_t n, double mean, double deviation);
EMULATOR_API curandStatus_t curandGeneratePoisson(curandGenerator_t generator, unsigned* output, size_t n,
                                                  double lambda);
#ifdef __cplusplus
}

#define EMULATOR_REFUSE(name, instead)                                                \
  template <class... Arguments>                                                       \
  curandStatus_t name(Arguments...) {                                                 \
    static_assert(sizeof...(Arguments) == ~0u, #name "() is not emulated: " instead); \
    return CURAND_STATUS_NOT_INITIALIZED;                                             \
  }
EMULATOR_REFUSE(curandCreatePoissonDistribution, "use curandGeneratePoisson()")
EMULATOR_REFUSE(curandGeneratePoissonMethod, "use curandGeneratePoisson()")
EMULATOR_REFUSE(curandGenerateBinomial, "fill the array in a kernel, with <curand_kernel.h>")
EMULATOR_REFUSE(curandGetDirectionVectors32, "use a generator CURAND_RNG_QUASI_SOBOL32 of the host")
EMULATOR_REFUSE(curandGetDirectionVectors64, "use a generator CURAND_RNG_QUASI_SOBOL64 of the host")
EMULATOR_REFUSE(curandGetScrambleConstants32, "use a generator CURAND_RNG_QUASI_SOBOL32 of the host")
EMULATOR_REFUSE(curandGetScrambleConstants64, "use a generator CURAND_RNG_QUASI_SOBOL64 of the host")
#undef EMULATOR_REFUSE
#endif
