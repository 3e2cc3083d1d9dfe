// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
/// \file
/// Of cuFFT's second interface the plans whose types of data are said one by one. Callbacks, several devices
/// and descriptors of memory are refused by name, where they are called.
#pragma once

#include "cufft.h"

// What is refused below, so that a program gets as far as the call.
typedef enum cufftXtCallbackType_t {
  CUFFT_CB_LD_COMPLEX,
  CUFFT_CB_LD_COMPLEX_DOUBLE,
  CUFFT_CB_LD_REAL,
  CUFFT_CB_LD_REAL_DOUBLE,
  CUFFT_CB_ST_COMPLEX,
  CUFFT_CB_ST_COMPLEX_DOUBLE,
  CUFFT_CB_ST_REAL,
  CUFFT_CB_ST_REAL_DOUBLE,
  CUFFT_CB_UNDEFINED
} cufftXtCallbackType;
typedef enum cufftXtSubFormat_t {
  CUFFT_XT_FORMAT_INPUT,
  CUFFT_XT_FORMAT_OUTPUT,
  CUFFT_XT_FORMAT_INPLACE,
  CUFFT_XT_FORMAT_INPLACE_SHUFFLED,
  CUFFT_XT_FORMAT_1D_INPUT_SHUFFLED,
  CUFFT_XT_FORMAT_DISTRIBUTED_INPUT,
  CUFFT_XT_FORMAT_DISTRIBUTED_OUTPUT,
  CUFFT_FORMAT_UNDEFINED
} cufftXtSubFormat;
typedef enum cufftXtCopyType_t {
  CUFFT_COPY_HOST_TO_DEVICE,
  CUFFT_COPY_DEVICE_TO_HOST,
  CUFFT_COPY_DEVICE_TO_DEVICE,
  CUFFT_COPY_UNDEFINED
} cufftXtCopyType;
typedef struct cudaLibXtDesc_t cudaLibXtDesc;

typedef cufftComplex (*cufftCallbackLoadC)(void*, size_t, void*, void*);
typedef cufftDoubleComplex (*cufftCallbackLoadZ)(void*, size_t, void*, void*);
typedef cufftReal (*cufftCallbackLoadR)(void*, size_t, void*, void*);
typedef cufftDoubleReal (*cufftCallbackLoadD)(void*, size_t, void*, void*);
typedef void (*cufftCallbackStoreC)(void*, size_t, cufftComplex, void*, void*);
typedef void (*cufftCallbackStoreZ)(void*, size_t, cufftDoubleComplex, void*, void*);
typedef void (*cufftCallbackStoreR)(void*, size_t, cufftReal, void*, void*);
typedef void (*cufftCallbackStoreD)(void*, size_t, cufftDoubleReal, void*, void*);

extern "C" {
/// Input, output and execution are all of float or all of double; half numbers are CUFFT_NOT_SUPPORTED here.
EMULATOR_API cufftResult cufftXtMakePlanMany(cufftHandle plan, int rank, long long int* n,
                                             long long int* inembed, long long int istride,
                                             long long int idist, cudaDataType inputtype,
                                             long long int* onembed, long long int ostride,
                                             long long int odist, cudaDataType outputtype,
                                             long long int batch, size_t* work_size,
                                             cudaDataType executiontype);
EMULATOR_API cufftResult cufftXtGetSizeMany(cufftHandle plan, int rank, long long int* n,
                                            long long int* inembed, long long int istride,
                                            long long int idist, cudaDataType inputtype,
                                            long long int* onembed, long long int ostride,
                                            long long int odist, cudaDataType outputtype, long long int batch,
                                            size_t* work_size, cudaDataType executiontype);
/// Any plan, also of cufft.h's functions. The direction counts for complex to complex only.
EMULATOR_API cufftResult cufftXtExec(cufftHandle plan, void* input, void* output, int direction);
}

#ifdef __cplusplus
namespace cuda_emulator {
template <class... Arguments>
constexpr bool is_in_cufft = false;
}

#define EMULATOR_REFUSE_CUFFT(name, why)                                                       \
  template <class... Arguments>                                                                \
  cufftResult name(Arguments&&...) {                                                           \
    static_assert(cuda_emulator::is_in_cufft<Arguments...>, #name "() is not emulated: " why); \
    return CUFFT_NOT_SUPPORTED;                                                                \
  }
#define EMULATOR_CALLBACKS \
  "cuFFT calls no functions of the program here; run a kernel before or after the transform"
EMULATOR_REFUSE_CUFFT(cufftXtSetCallback, EMULATOR_CALLBACKS)
EMULATOR_REFUSE_CUFFT(cufftXtClearCallback, EMULATOR_CALLBACKS)
EMULATOR_REFUSE_CUFFT(cufftXtSetCallbackSharedSize, EMULATOR_CALLBACKS)
EMULATOR_REFUSE_CUFFT(cufftXtSetJITCallback, EMULATOR_CALLBACKS)
#undef EMULATOR_CALLBACKS
#define EMULATOR_DEVICES "there is one device; use cudaMalloc(), cudaMemcpy() and cufftXtExec()"
EMULATOR_REFUSE_CUFFT(cufftXtSetGPUs, EMULATOR_DEVICES)
EMULATOR_REFUSE_CUFFT(cufftXtMalloc, EMULATOR_DEVICES)
EMULATOR_REFUSE_CUFFT(cufftXtMemcpy, EMULATOR_DEVICES)
EMULATOR_REFUSE_CUFFT(cufftXtFree, EMULATOR_DEVICES)
EMULATOR_REFUSE_CUFFT(cufftXtSetWorkArea, EMULATOR_DEVICES)
EMULATOR_REFUSE_CUFFT(cufftXtQueryPlan, EMULATOR_DEVICES)
EMULATOR_REFUSE_CUFFT(cufftXtExecDescriptor, EMULATOR_DEVICES)
EMULATOR_REFUSE_CUFFT(cufftXtExecDescriptorC2C, EMULATOR_DEVICES)
EMULATOR_REFUSE_CUFFT(cufftXtExecDescriptorR2C, EMULATOR_DEVICES)
EMULATOR_REFUSE_CUFFT(cufftXtExecDescriptorC2R, EMULATOR_DEVICES)
EMULATOR_REFUSE_CUFFT(cufftXtExecDescriptorZ2Z, EMULATOR_DEVICES)
EMULATOR_REFUSE_CUFFT(cufftXtExecDescriptorD2Z, EMULATOR_DEVICES)
EMULATOR_REFUSE_CUFFT(cufftXtExecDescriptorZ2D, EMULATOR_DEVICES)
#undef EMULATOR_DEVICES
EMULATOR_REFUSE_CUFFT(cufftXtSetWorkAreaPolicy, "a plan has one size of work area here")
#undef EMULATOR_REFUSE_CUFFT
#endif
