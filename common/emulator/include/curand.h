// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
/// \file
/// cuRAND's functions for the host are not emulated; what is, is in curand_kernel.h. Calling one is an error
/// of the compiler.
#pragma once

#define CURAND_H_

#include "cuda_runtime.h"

typedef enum curandStatus { CURAND_STATUS_SUCCESS = 0, CURAND_STATUS_NOT_INITIALIZED = 101 } curandStatus_t;
typedef enum curandRngType {
  CURAND_RNG_PSEUDO_DEFAULT = 100,
  CURAND_RNG_PSEUDO_XORWOW = 101,
  CURAND_RNG_PSEUDO_MRG32K3A = 121,
  CURAND_RNG_PSEUDO_MTGP32 = 141,
  CURAND_RNG_PSEUDO_MT19937 = 142,
  CURAND_RNG_PSEUDO_PHILOX4_32_10 = 161,
  CURAND_RNG_QUASI_DEFAULT = 200,
  CURAND_RNG_QUASI_SOBOL32 = 201
} curandRngType_t;
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
