// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Of CUDA's driver interface the version, the types, and tensor maps. Its other functions are refused by
// name, where they are called: use the runtime's.
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

/// Filled in by the function below, and read by copies of tiles.
typedef struct CUtensorMap_st {
  cuuint64_t opaque[16] __attribute__((aligned(64)));
} CUtensorMap;
typedef enum CUtensorMapDataType_enum {
  CU_TENSOR_MAP_DATA_TYPE_UINT8,
  CU_TENSOR_MAP_DATA_TYPE_UINT16,
  CU_TENSOR_MAP_DATA_TYPE_UINT32,
  CU_TENSOR_MAP_DATA_TYPE_INT32,
  CU_TENSOR_MAP_DATA_TYPE_UINT64,
  CU_TENSOR_MAP_DATA_TYPE_INT64,
  CU_TENSOR_MAP_DATA_TYPE_FLOAT16,
  CU_TENSOR_MAP_DATA_TYPE_FLOAT32,
  CU_TENSOR_MAP_DATA_TYPE_FLOAT64,
  CU_TENSOR_MAP_DATA_TYPE_BFLOAT16
} CUtensorMapDataType;
typedef enum CUtensorMapInterleave_enum {
  CU_TENSOR_MAP_INTERLEAVE_NONE,
  CU_TENSOR_MAP_INTERLEAVE_16B,
  CU_TENSOR_MAP_INTERLEAVE_32B
} CUtensorMapInterleave;
typedef enum CUtensorMapSwizzle_enum {
  CU_TENSOR_MAP_SWIZZLE_NONE,
  CU_TENSOR_MAP_SWIZZLE_32B,
  CU_TENSOR_MAP_SWIZZLE_64B,
  CU_TENSOR_MAP_SWIZZLE_128B
} CUtensorMapSwizzle;
typedef enum CUtensorMapL2promotion_enum {
  CU_TENSOR_MAP_L2_PROMOTION_NONE,
  CU_TENSOR_MAP_L2_PROMOTION_L2_64B,
  CU_TENSOR_MAP_L2_PROMOTION_L2_128B,
  CU_TENSOR_MAP_L2_PROMOTION_L2_256B
} CUtensorMapL2promotion;
typedef enum CUtensorMapFloatOOBfill_enum {
  CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE,
  CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA
} CUtensorMapFloatOOBfill;

/// Of two dimensions. The first is that of a row: `strides` has only the pitch of rows, in bytes.
EMULATOR_C_BEGIN
EMULATOR_API CUresult cuTensorMapEncodeTiled(CUtensorMap* map, CUtensorMapDataType type, cuuint32_t rank,
                                             void* address, const cuuint64_t* size, const cuuint64_t* strides,
                                             const cuuint32_t* box, const cuuint32_t* steps,
                                             CUtensorMapInterleave interleave, CUtensorMapSwizzle swizzle,
                                             CUtensorMapL2promotion promotion, CUtensorMapFloatOOBfill fill);
EMULATOR_C_END

#ifdef __cplusplus
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
#undef EMULATOR_REFUSE
#endif
