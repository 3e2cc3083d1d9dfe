// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
/// \file
/// Of CUDA's driver interface the version and the types. Its functions are refused by name, where they are
/// called: use the runtime's.
#pragma once

#include "cuda_runtime_api.h"

#define CUDA_VERSION CUDART_VERSION

typedef int CUdevice;
typedef unsigned long long CUdeviceptr;
typedef struct CUctx_st* CUcontext;
typedef struct CUmod_st* CUmodule;
typedef struct CUfunc_st* CUfunction;
typedef cudaStream_t CUstream;
typedef cudaEvent_t CUevent;
typedef cudaTextureObject_t CUtexObject;
typedef cudaSurfaceObject_t CUsurfObject;

typedef enum cudaError_enum {
  CUDA_SUCCESS = 0,
  CUDA_ERROR_INVALID_VALUE = 1,
  CUDA_ERROR_OUT_OF_MEMORY = 2,
  CUDA_ERROR_NOT_INITIALIZED = 3,
  CUDA_ERROR_DEINITIALIZED = 4,
  CUDA_ERROR_NO_DEVICE = 100,
  CUDA_ERROR_INVALID_DEVICE = 101,
  CUDA_ERROR_INVALID_IMAGE = 200,
  CUDA_ERROR_INVALID_CONTEXT = 201,
  CUDA_ERROR_INVALID_HANDLE = 400,
  CUDA_ERROR_NOT_FOUND = 500,
  CUDA_ERROR_NOT_READY = 600,
  CUDA_ERROR_ILLEGAL_ADDRESS = 700,
  CUDA_ERROR_LAUNCH_FAILED = 719,
  CUDA_ERROR_NOT_SUPPORTED = 801,
  CUDA_ERROR_UNKNOWN = 999
} CUresult;

#define EMULATOR_REFUSE(name)                                                                     \
  template <class... Arguments>                                                                   \
  CUresult name(Arguments&&...) {                                                                 \
    static_assert(cuda_emulator::is_emulated<Arguments...>,                                       \
                  #name "() is not emulated: use the runtime's functions, and not the driver's"); \
    return CUDA_ERROR_NOT_SUPPORTED;                                                              \
  }
EMULATOR_REFUSE(cuInit)
EMULATOR_REFUSE(cuDriverGetVersion)
EMULATOR_REFUSE(cuGetErrorName)
EMULATOR_REFUSE(cuGetErrorString)
EMULATOR_REFUSE(cuDeviceGet)
EMULATOR_REFUSE(cuDeviceGetCount)
EMULATOR_REFUSE(cuDeviceGetName)
EMULATOR_REFUSE(cuDeviceGetAttribute)
EMULATOR_REFUSE(cuDeviceTotalMem)
EMULATOR_REFUSE(cuDevicePrimaryCtxRetain)
EMULATOR_REFUSE(cuDevicePrimaryCtxRelease)
EMULATOR_REFUSE(cuCtxCreate)
EMULATOR_REFUSE(cuCtxDestroy)
EMULATOR_REFUSE(cuCtxGetCurrent)
EMULATOR_REFUSE(cuCtxSetCurrent)
EMULATOR_REFUSE(cuCtxSynchronize)
EMULATOR_REFUSE(cuModuleLoad)
EMULATOR_REFUSE(cuModuleLoadData)
EMULATOR_REFUSE(cuModuleLoadDataEx)
EMULATOR_REFUSE(cuModuleUnload)
EMULATOR_REFUSE(cuModuleGetFunction)
EMULATOR_REFUSE(cuModuleGetGlobal)
EMULATOR_REFUSE(cuFuncGetAttribute)
EMULATOR_REFUSE(cuFuncSetAttribute)
EMULATOR_REFUSE(cuLaunchKernel)
EMULATOR_REFUSE(cuMemAlloc)
EMULATOR_REFUSE(cuMemFree)
EMULATOR_REFUSE(cuMemAllocHost)
EMULATOR_REFUSE(cuMemFreeHost)
EMULATOR_REFUSE(cuMemAllocManaged)
EMULATOR_REFUSE(cuMemcpy)
EMULATOR_REFUSE(cuMemcpyHtoD)
EMULATOR_REFUSE(cuMemcpyDtoH)
EMULATOR_REFUSE(cuMemcpyDtoD)
EMULATOR_REFUSE(cuMemcpyHtoDAsync)
EMULATOR_REFUSE(cuMemcpyDtoHAsync)
EMULATOR_REFUSE(cuMemsetD8)
EMULATOR_REFUSE(cuMemsetD32)
EMULATOR_REFUSE(cuMemGetInfo)
EMULATOR_REFUSE(cuMemCreate)
EMULATOR_REFUSE(cuMemMap)
EMULATOR_REFUSE(cuMemAddressReserve)
EMULATOR_REFUSE(cuMemSetAccess)
EMULATOR_REFUSE(cuStreamCreate)
EMULATOR_REFUSE(cuStreamSynchronize)
EMULATOR_REFUSE(cuStreamDestroy)
EMULATOR_REFUSE(cuEventCreate)
EMULATOR_REFUSE(cuEventRecord)
EMULATOR_REFUSE(cuEventSynchronize)
EMULATOR_REFUSE(cuEventElapsedTime)
EMULATOR_REFUSE(cuEventDestroy)
EMULATOR_REFUSE(cuTensorMapEncodeTiled)
#undef EMULATOR_REFUSE
