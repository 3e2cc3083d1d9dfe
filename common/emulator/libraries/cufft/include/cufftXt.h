// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// cuFFT's second interface: plans whose types of data are said one by one, and transforms over several
// devices.
// Callbacks are refused by name, where they are called.
#pragma once

#include "cudalibxt.h"
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

/// The order of the elements in a descriptor: what its `subFormat` is.
typedef enum cufftXtSubFormat_t {
  CUFFT_XT_FORMAT_INPUT,               ///< Of a batch that is transformed out of place.
  CUFFT_XT_FORMAT_OUTPUT,              ///< The same.
  CUFFT_XT_FORMAT_INPLACE,             ///< Natural order.
  CUFFT_XT_FORMAT_INPLACE_SHUFFLED,    ///< As a single transform leaves it.
  CUFFT_XT_FORMAT_1D_INPUT_SHUFFLED,   ///< As a single transform of one dimension begins.
  CUFFT_XT_FORMAT_DISTRIBUTED_INPUT,   ///< Of several processes only.
  CUFFT_XT_FORMAT_DISTRIBUTED_OUTPUT,  ///< The same.
  CUFFT_FORMAT_UNDEFINED
} cufftXtSubFormat;
typedef enum cufftXtCopyType_t {
  CUFFT_COPY_HOST_TO_DEVICE,
  CUFFT_COPY_DEVICE_TO_HOST,
  CUFFT_COPY_DEVICE_TO_DEVICE,
  CUFFT_COPY_UNDEFINED
} cufftXtCopyType;
typedef enum cufftXtQueryType_t { CUFFT_QUERY_1D_FACTORS, CUFFT_QUERY_UNDEFINED } cufftXtQueryType;

/// How the spectrum of a single transform of one dimension lies over the devices: coverage.md explains it.
typedef struct cufftXt1dFactors_t {
  long long int size;
  long long int stringCount;
  long long int stringLength;
  long long int substringLength;
  long long int factor1;
  long long int factor2;
  long long int stringMask;
  long long int substringMask;
  long long int factor1Mask;
  long long int factor2Mask;
  int stringShift;
  int substringShift;
  int factor1Shift;
  int factor2Shift;
} cufftXt1dFactors;

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

// Several devices. Between cufftCreate() and cufftMakePlan...(), whose `work_size` then is an array, one for
// each.
EMULATOR_API cufftResult cufftXtSetGPUs(cufftHandle plan, int count, int* devices);
EMULATOR_API cufftResult cufftXtSetWorkArea(cufftHandle plan, void** work_areas);
EMULATOR_API cufftResult cufftXtQueryPlan(cufftHandle plan, void* answer, cufftXtQueryType type);
EMULATOR_API cufftResult cufftXtMalloc(cufftHandle plan, cudaLibXtDesc** descriptor, cufftXtSubFormat format);
EMULATOR_API cufftResult cufftXtFree(cudaLibXtDesc* descriptor);
/// Between a descriptor and an array of the host in natural order, or between two descriptors.
EMULATOR_API cufftResult cufftXtMemcpy(cufftHandle plan, void* to, void* from, cufftXtCopyType type);
EMULATOR_API cufftResult cufftXtExecDescriptor(cufftHandle plan, cudaLibXtDesc* input, cudaLibXtDesc* output,
                                               int direction);
EMULATOR_API cufftResult cufftXtExecDescriptorC2C(cufftHandle plan, cudaLibXtDesc* input,
                                                  cudaLibXtDesc* output, int direction);
EMULATOR_API cufftResult cufftXtExecDescriptorZ2Z(cufftHandle plan, cudaLibXtDesc* input,
                                                  cudaLibXtDesc* output, int direction);
EMULATOR_API cufftResult cufftXtExecDescriptorR2C(cufftHandle plan, cudaLibXtDesc* input,
                                                  cudaLibXtDesc* output);
EMULATOR_API cufftResult cufftXtExecDescriptorD2Z(cufftHandle plan, cudaLibXtDesc* input,
                                                  cudaLibXtDesc* output);
EMULATOR_API cufftResult cufftXtExecDescriptorC2R(cufftHandle plan, cudaLibXtDesc* input,
                                                  cudaLibXtDesc* output);
EMULATOR_API cufftResult cufftXtExecDescriptorZ2D(cufftHandle plan, cudaLibXtDesc* input,
                                                  cudaLibXtDesc* output);
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
EMULATOR_REFUSE_CUFFT(cufftXtSetWorkAreaPolicy, "a plan has one size of work area here")
#undef EMULATOR_REFUSE_CUFFT
#endif
