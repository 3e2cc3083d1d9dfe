// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// cuFFT's interface for the emulated device: the transforms are kissfft's, and what they read and write in
// device memory is checked as what kernels read and write. coverage.md says what is the same and what is
// not.
#pragma once

/// Programs ask by this name whether cuFFT's types are known.
#define _CUFFT_H_

#include "cuComplex.h"
#include "driver_types.h"
#include "emulator/export.hpp"
#include "library_types.h"

// The library of the CUDA toolkit whose runtime cuda_runtime_api.h stands for.
#define CUFFT_VER_MAJOR 11
#define CUFFT_VER_MINOR 3
#define CUFFT_VER_PATCH 3
#define CUFFT_VER_BUILD 0
#define CUFFT_VERSION 11303

/// cuFFT's own codes, with those that only older or only newer toolkits have.
typedef enum cufftResult_t {
  CUFFT_SUCCESS = 0,
  CUFFT_INVALID_PLAN = 1,
  CUFFT_ALLOC_FAILED = 2,
  CUFFT_INVALID_TYPE = 3,
  CUFFT_INVALID_VALUE = 4,
  CUFFT_INTERNAL_ERROR = 5,
  CUFFT_EXEC_FAILED = 6,
  CUFFT_SETUP_FAILED = 7,
  CUFFT_INVALID_SIZE = 8,
  CUFFT_UNALIGNED_DATA = 9,
  CUFFT_INCOMPLETE_PARAMETER_LIST = 10,
  CUFFT_INVALID_DEVICE = 11,
  CUFFT_PARSE_ERROR = 12,
  CUFFT_NO_WORKSPACE = 13,
  CUFFT_NOT_IMPLEMENTED = 14,
  CUFFT_LICENSE_ERROR = 15,
  CUFFT_NOT_SUPPORTED = 16,
  CUFFT_MISSING_DEPENDENCY = 17,
  CUFFT_NVRTC_FAILURE = 18,
  CUFFT_NVJITLINK_FAILURE = 19,
  CUFFT_NVSHMEM_FAILURE = 20
} cufftResult;
#define MAX_CUFFT_ERROR 21

typedef float cufftReal;
typedef double cufftDoubleReal;
typedef cuComplex cufftComplex;
typedef cuDoubleComplex cufftDoubleComplex;

#define CUFFT_FORWARD -1
#define CUFFT_INVERSE 1

typedef enum cufftType_t {
  CUFFT_C2C = 0x29,
  CUFFT_R2C = 0x2a,
  CUFFT_C2R = 0x2c,
  CUFFT_Z2Z = 0x69,
  CUFFT_D2Z = 0x6a,
  CUFFT_Z2D = 0x6c
} cufftType;

typedef int cufftHandle;
#define CUFFT_PLAN_NULL -1

extern "C" {
// A plan in one step. `n`: the longest stride first, as in C's arrays.
EMULATOR_API cufftResult cufftPlan1d(cufftHandle* plan, int nx, cufftType type, int batch);
EMULATOR_API cufftResult cufftPlan2d(cufftHandle* plan, int nx, int ny, cufftType type);
EMULATOR_API cufftResult cufftPlan3d(cufftHandle* plan, int nx, int ny, int nz, cufftType type);
EMULATOR_API cufftResult cufftPlanMany(cufftHandle* plan, int rank, int* n, int* inembed, int istride,
                                       int idist, int* onembed, int ostride, int odist, cufftType type,
                                       int batch);

// A plan in two steps, with settings between them.
EMULATOR_API cufftResult cufftCreate(cufftHandle* plan);
EMULATOR_API cufftResult cufftMakePlan1d(cufftHandle plan, int nx, cufftType type, int batch,
                                         size_t* work_size);
EMULATOR_API cufftResult cufftMakePlan2d(cufftHandle plan, int nx, int ny, cufftType type, size_t* work_size);
EMULATOR_API cufftResult cufftMakePlan3d(cufftHandle plan, int nx, int ny, int nz, cufftType type,
                                         size_t* work_size);
EMULATOR_API cufftResult cufftMakePlanMany(cufftHandle plan, int rank, int* n, int* inembed, int istride,
                                           int idist, int* onembed, int ostride, int odist, cufftType type,
                                           int batch, size_t* work_size);
EMULATOR_API cufftResult cufftMakePlanMany64(cufftHandle plan, int rank, long long int* n,
                                             long long int* inembed, long long int istride,
                                             long long int idist, long long int* onembed,
                                             long long int ostride, long long int odist, cufftType type,
                                             long long int batch, size_t* work_size);
EMULATOR_API cufftResult cufftDestroy(cufftHandle plan);

// Work areas
EMULATOR_API cufftResult cufftSetAutoAllocation(cufftHandle plan, int auto_allocate);
EMULATOR_API cufftResult cufftSetWorkArea(cufftHandle plan, void* work_area);
EMULATOR_API cufftResult cufftGetSize(cufftHandle plan, size_t* work_size);
EMULATOR_API cufftResult cufftGetSize1d(cufftHandle plan, int nx, cufftType type, int batch,
                                        size_t* work_size);
EMULATOR_API cufftResult cufftGetSize2d(cufftHandle plan, int nx, int ny, cufftType type, size_t* work_size);
EMULATOR_API cufftResult cufftGetSize3d(cufftHandle plan, int nx, int ny, int nz, cufftType type,
                                        size_t* work_size);
EMULATOR_API cufftResult cufftGetSizeMany(cufftHandle plan, int rank, int* n, int* inembed, int istride,
                                          int idist, int* onembed, int ostride, int odist, cufftType type,
                                          int batch, size_t* work_size);
EMULATOR_API cufftResult cufftGetSizeMany64(cufftHandle plan, int rank, long long int* n,
                                            long long int* inembed, long long int istride,
                                            long long int idist, long long int* onembed,
                                            long long int ostride, long long int odist, cufftType type,
                                            long long int batch, size_t* work_size);
EMULATOR_API cufftResult cufftEstimate1d(int nx, cufftType type, int batch, size_t* work_size);
EMULATOR_API cufftResult cufftEstimate2d(int nx, int ny, cufftType type, size_t* work_size);
EMULATOR_API cufftResult cufftEstimate3d(int nx, int ny, int nz, cufftType type, size_t* work_size);
EMULATOR_API cufftResult cufftEstimateMany(int rank, int* n, int* inembed, int istride, int idist,
                                           int* onembed, int ostride, int odist, cufftType type, int batch,
                                           size_t* work_size);

// Execution
EMULATOR_API cufftResult cufftSetStream(cufftHandle plan, cudaStream_t stream);
EMULATOR_API cufftResult cufftExecC2C(cufftHandle plan, cufftComplex* idata, cufftComplex* odata,
                                      int direction);
EMULATOR_API cufftResult cufftExecR2C(cufftHandle plan, cufftReal* idata, cufftComplex* odata);
EMULATOR_API cufftResult cufftExecC2R(cufftHandle plan, cufftComplex* idata, cufftReal* odata);
EMULATOR_API cufftResult cufftExecZ2Z(cufftHandle plan, cufftDoubleComplex* idata, cufftDoubleComplex* odata,
                                      int direction);
EMULATOR_API cufftResult cufftExecD2Z(cufftHandle plan, cufftDoubleReal* idata, cufftDoubleComplex* odata);
EMULATOR_API cufftResult cufftExecZ2D(cufftHandle plan, cufftDoubleComplex* idata, cufftDoubleReal* odata);

EMULATOR_API cufftResult cufftGetVersion(int* version);
EMULATOR_API cufftResult cufftGetProperty(libraryPropertyType type, int* value);
}
