// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
/// \file
/// cuRAND's functions for the host are not emulated; what is, is in curand_kernel.h. Calling one is an error
/// of the compiler.
#pragma once

#define CURAND_H_

#include "cuda_runtime.h"

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

#define EMULATOR_REFUSE(name)                                                                                \
  template <class... Arguments>                                                                              \
  curandStatus_t name(Arguments...) {                                                                        \
    static_assert(sizeof...(Arguments) == ~0u, #name                                                         \
                  "() is not emulated: fill the array in a kernel, with <curand_kernel.h>, or on the host"); \
    return CURAND_STATUS_NOT_INITIALIZED;                                                                    \
  }
EMULATOR_REFUSE(curandCreateGenerator)
EMULATOR_REFUSE(curandCreateGeneratorHost)
EMULATOR_REFUSE(curandDestroyGenerator)
EMULATOR_REFUSE(curandSetPseudoRandomGeneratorSeed)
EMULATOR_REFUSE(curandSetGeneratorOffset)
EMULATOR_REFUSE(curandSetGeneratorOrdering)
EMULATOR_REFUSE(curandSetQuasiRandomGeneratorDimensions)
EMULATOR_REFUSE(curandSetStream)
EMULATOR_REFUSE(curandGenerate)
EMULATOR_REFUSE(curandGenerateLongLong)
EMULATOR_REFUSE(curandGenerateUniform)
EMULATOR_REFUSE(curandGenerateUniformDouble)
EMULATOR_REFUSE(curandGenerateNormal)
EMULATOR_REFUSE(curandGenerateNormalDouble)
EMULATOR_REFUSE(curandGenerateLogNormal)
EMULATOR_REFUSE(curandGenerateLogNormalDouble)
EMULATOR_REFUSE(curandGeneratePoisson)
#undef EMULATOR_REFUSE
