// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// cuBLAS: vectors and matrices, by columns. What is not here is refused by the compiler, by name.
#pragma once

#define CUBLAS_V2_H_
#define CUBLAS_API_H_  // programs ask by it whether cuBLAS's types are known
#define CUBLAS_VER_MAJOR 12
#define CUBLAS_VER_MINOR 8
#define CUBLAS_VER_PATCH 0
#define CUBLAS_VERSION 120800

#include "cuComplex.h"
#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "cuda_runtime.h"
#include "emulator/export.hpp"
#include "library_types.h"

typedef enum {
  CUBLAS_STATUS_SUCCESS = 0,
  CUBLAS_STATUS_NOT_INITIALIZED = 1,
  CUBLAS_STATUS_ALLOC_FAILED = 3,
  CUBLAS_STATUS_INVALID_VALUE = 7,
  CUBLAS_STATUS_ARCH_MISMATCH = 8,
  CUBLAS_STATUS_MAPPING_ERROR = 11,
  CUBLAS_STATUS_EXECUTION_FAILED = 13,
  CUBLAS_STATUS_INTERNAL_ERROR = 14,
  CUBLAS_STATUS_NOT_SUPPORTED = 15,
  CUBLAS_STATUS_LICENSE_ERROR = 16
} cublasStatus_t;
typedef enum {
  CUBLAS_FILL_MODE_LOWER = 0,
  CUBLAS_FILL_MODE_UPPER = 1,
  CUBLAS_FILL_MODE_FULL = 2
} cublasFillMode_t;
typedef enum { CUBLAS_DIAG_NON_UNIT = 0, CUBLAS_DIAG_UNIT = 1 } cublasDiagType_t;
typedef enum { CUBLAS_SIDE_LEFT = 0, CUBLAS_SIDE_RIGHT = 1 } cublasSideMode_t;
typedef enum {
  CUBLAS_OP_N = 0,
  CUBLAS_OP_T = 1,
  CUBLAS_OP_C = 2,
  CUBLAS_OP_HERMITAN = 2,
  CUBLAS_OP_CONJG = 3
} cublasOperation_t;
typedef enum { CUBLAS_POINTER_MODE_HOST = 0, CUBLAS_POINTER_MODE_DEVICE = 1 } cublasPointerMode_t;
typedef enum { CUBLAS_ATOMICS_NOT_ALLOWED = 0, CUBLAS_ATOMICS_ALLOWED = 1 } cublasAtomicsMode_t;
typedef enum {
  CUBLAS_GEMM_DFALT = -1,
  CUBLAS_GEMM_DEFAULT = -1,
  CUBLAS_GEMM_DFALT_TENSOR_OP = 99,
  CUBLAS_GEMM_DEFAULT_TENSOR_OP = 99
} cublasGemmAlgo_t;
typedef enum {
  CUBLAS_DEFAULT_MATH = 0,
  CUBLAS_TENSOR_OP_MATH = 1,
  CUBLAS_PEDANTIC_MATH = 2,
  CUBLAS_TF32_TENSOR_OP_MATH = 3,
  CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION = 16
} cublasMath_t;
typedef enum {
  CUBLAS_COMPUTE_16F = 64,
  CUBLAS_COMPUTE_16F_PEDANTIC = 65,
  CUBLAS_COMPUTE_32F = 68,
  CUBLAS_COMPUTE_32F_PEDANTIC = 69,
  CUBLAS_COMPUTE_64F = 70,
  CUBLAS_COMPUTE_64F_PEDANTIC = 71,
  CUBLAS_COMPUTE_32I = 72,
  CUBLAS_COMPUTE_32F_FAST_16F = 74,
  CUBLAS_COMPUTE_32F_FAST_16BF = 75,
  CUBLAS_COMPUTE_32F_FAST_TF32 = 77
} cublasComputeType_t;
typedef cudaDataType cublasDataType_t;
typedef struct cublasContext* cublasHandle_t;

extern "C" {
EMULATOR_API cublasStatus_t cublasCreate(cublasHandle_t* handle);
EMULATOR_API cublasStatus_t cublasDestroy(cublasHandle_t handle);
EMULATOR_API cublasStatus_t cublasGetVersion(cublasHandle_t handle, int* version);
/// The runtime's version, CUDART_VERSION.
EMULATOR_API size_t cublasGetCudartVersion(void);
EMULATOR_API cublasStatus_t cublasSetStream(cublasHandle_t handle, cudaStream_t stream);
EMULATOR_API cublasStatus_t cublasGetStream(cublasHandle_t handle, cudaStream_t* stream);
EMULATOR_API cublasStatus_t cublasSetPointerMode(cublasHandle_t handle, cublasPointerMode_t mode);
EMULATOR_API cublasStatus_t cublasGetPointerMode(cublasHandle_t handle, cublasPointerMode_t* mode);
// These have no effect on results here.
EMULATOR_API cublasStatus_t cublasSetMathMode(cublasHandle_t handle, cublasMath_t mode);
EMULATOR_API cublasStatus_t cublasGetMathMode(cublasHandle_t handle, cublasMath_t* mode);
EMULATOR_API cublasStatus_t cublasSetAtomicsMode(cublasHandle_t handle, cublasAtomicsMode_t mode);
EMULATOR_API cublasStatus_t cublasSetWorkspace(cublasHandle_t handle, void* workspace, size_t bytes);
EMULATOR_API const char* cublasGetStatusName(cublasStatus_t status);
EMULATOR_API const char* cublasGetStatusString(cublasStatus_t status);

// Copies of vectors and matrices
EMULATOR_API cublasStatus_t cublasSetVector(int n, int size, const void* x, int incx, void* y, int incy);
EMULATOR_API cublasStatus_t cublasGetVector(int n, int size, const void* x, int incx, void* y, int incy);
EMULATOR_API cublasStatus_t cublasSetMatrix(int rows, int cols, int size, const void* a, int lda, void* b,
                                            int ldb);
EMULATOR_API cublasStatus_t cublasGetMatrix(int rows, int cols, int size, const void* a, int lda, void* b,
                                            int ldb);

#define EMULATOR_BLAS(S, D, T)                                                                              \
  EMULATOR_API cublasStatus_t cublas##S##axpy(cublasHandle_t, int n, const T* alpha, const T* x, int incx,  \
                                              T* y, int incy);                                              \
  EMULATOR_API cublasStatus_t cublas##S##scal(cublasHandle_t, int n, const T* alpha, T* x, int incx);       \
  EMULATOR_API cublasStatus_t cublas##S##copy(cublasHandle_t, int n, const T* x, int incx, T* y, int incy); \
  EMULATOR_API cublasStatus_t cublas##S##swap(cublasHandle_t, int n, T* x, int incx, T* y, int incy);       \
  EMULATOR_API cublasStatus_t cublas##S##dot(cublasHandle_t, int n, const T* x, int incx, const T* y,       \
                                             int incy, T* result);                                          \
  EMULATOR_API cublasStatus_t cublas##S##nrm2(cublasHandle_t, int n, const T* x, int incx, T* result);      \
  EMULATOR_API cublasStatus_t cublas##S##asum(cublasHandle_t, int n, const T* x, int incx, T* result);      \
  EMULATOR_API cublasStatus_t cublasI##D##amax(cublasHandle_t, int n, const T* x, int incx, int* result);   \
  EMULATOR_API cublasStatus_t cublasI##D##amin(cublasHandle_t, int n, const T* x, int incx, int* result);   \
  EMULATOR_API cublasStatus_t cublas##S##gemv(cublasHandle_t, cublasOperation_t trans, int m, int n,        \
                                              const T* alpha, const T* A, int lda, const T* x, int incx,    \
                                              const T* beta, T* y, int incy);                               \
  EMULATOR_API cublasStatus_t cublas##S##ger(cublasHandle_t, int m, int n, const T* alpha, const T* x,      \
                                             int incx, const T* y, int incy, T* A, int lda);                \
  EMULATOR_API cublasStatus_t cublas##S##geam(                                                              \
      cublasHandle_t, cublasOperation_t transa, cublasOperation_t transb, int m, int n, const T* alpha,     \
      const T* A, int lda, const T* beta, const T* B, int ldb, T* C, int ldc);
EMULATOR_BLAS(S, s, float)
EMULATOR_BLAS(D, d, double)
#undef EMULATOR_BLAS

#define EMULATOR_BLAS(S, T)                                                                                  \
  EMULATOR_API cublasStatus_t cublas##S##gemm(                                                               \
      cublasHandle_t, cublasOperation_t transa, cublasOperation_t transb, int m, int n, int k,               \
      const T* alpha, const T* A, int lda, const T* B, int ldb, const T* beta, T* C, int ldc);               \
  EMULATOR_API cublasStatus_t cublas##S##gemmBatched(                                                        \
      cublasHandle_t, cublasOperation_t transa, cublasOperation_t transb, int m, int n, int k,               \
      const T* alpha, const T* const A[], int lda, const T* const B[], int ldb, const T* beta, T* const C[], \
      int ldc, int batch);                                                                                   \
  EMULATOR_API cublasStatus_t cublas##S##gemmStridedBatched(                                                 \
      cublasHandle_t, cublasOperation_t transa, cublasOperation_t transb, int m, int n, int k,               \
      const T* alpha, const T* A, int lda, long long int stridea, const T* B, int ldb,                       \
      long long int strideb, const T* beta, T* C, int ldc, long long int stridec, int batch);
EMULATOR_BLAS(S, float)
EMULATOR_BLAS(D, double)
EMULATOR_BLAS(H, __half)
#undef EMULATOR_BLAS

EMULATOR_API cublasStatus_t cublasSgemmEx(cublasHandle_t, cublasOperation_t transa, cublasOperation_t transb,
                                          int m, int n, int k, const float* alpha, const void* A,
                                          cudaDataType atype, int lda, const void* B, cudaDataType btype,
                                          int ldb, const float* beta, void* C, cudaDataType ctype, int ldc);
EMULATOR_API cublasStatus_t cublasGemmEx(cublasHandle_t, cublasOperation_t transa, cublasOperation_t transb,
                                         int m, int n, int k, const void* alpha, const void* A,
                                         cudaDataType atype, int lda, const void* B, cudaDataType btype,
                                         int ldb, const void* beta, void* C, cudaDataType ctype, int ldc,
                                         cublasComputeType_t compute, cublasGemmAlgo_t algorithm);
EMULATOR_API cublasStatus_t cublasGemmStridedBatchedEx(
    cublasHandle_t, cublasOperation_t transa, cublasOperation_t transb, int m, int n, int k,
    const void* alpha, const void* A, cudaDataType atype, int lda, long long int stridea, const void* B,
    cudaDataType btype, int ldb, long long int strideb, const void* beta, void* C, cudaDataType ctype,
    int ldc, long long int stridec, int batch, cublasComputeType_t compute, cublasGemmAlgo_t algorithm);
}

/* Before cuBLAS 11 a product said with a type of data how it is computed; C++ may still write it so. */
namespace cuda_emulator {
inline bool compute_type_of(cudaDataType data, cublasComputeType_t* compute) {
  switch (data) {
    case CUDA_R_16F:
      *compute = CUBLAS_COMPUTE_16F;
      return true;
    case CUDA_R_32F:
      *compute = CUBLAS_COMPUTE_32F;
      return true;
    case CUDA_R_64F:
      *compute = CUBLAS_COMPUTE_64F;
      return true;
    default:
      return false;
  }
}
}  // namespace cuda_emulator
inline cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb,
                                   int m, int n, int k, const void* alpha, const void* A, cudaDataType atype,
                                   int lda, const void* B, cudaDataType btype, int ldb, const void* beta,
                                   void* C, cudaDataType ctype, int ldc, cudaDataType data,
                                   cublasGemmAlgo_t algorithm) {
  cublasComputeType_t compute;
  if (!cuda_emulator::compute_type_of(data, &compute)) return CUBLAS_STATUS_NOT_SUPPORTED;
  return cublasGemmEx(handle, transa, transb, m, n, k, alpha, A, atype, lda, B, btype, ldb, beta, C, ctype,
                      ldc, compute, algorithm);
}
inline cublasStatus_t cublasGemmStridedBatchedEx(
    cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n, int k,
    const void* alpha, const void* A, cudaDataType atype, int lda, long long int stridea, const void* B,
    cudaDataType btype, int ldb, long long int strideb, const void* beta, void* C, cudaDataType ctype,
    int ldc, long long int stridec, int batch, cudaDataType data, cublasGemmAlgo_t algorithm) {
  cublasComputeType_t compute;
  if (!cuda_emulator::compute_type_of(data, &compute)) return CUBLAS_STATUS_NOT_SUPPORTED;
  return cublasGemmStridedBatchedEx(handle, transa, transb, m, n, k, alpha, A, atype, lda, stridea, B, btype,
                                    ldb, strideb, beta, C, ctype, ldc, stridec, batch, compute, algorithm);
}

// The names that the linker has for them.
#define cublasCreate_v2 cublasCreate
#define cublasDestroy_v2 cublasDestroy
#define cublasSetStream_v2 cublasSetStream
#define cublasGetStream_v2 cublasGetStream
#define cublasSetPointerMode_v2 cublasSetPointerMode
#define cublasGetPointerMode_v2 cublasGetPointerMode
#define cublasSgemm_v2 cublasSgemm
#define cublasDgemm_v2 cublasDgemm

#define EMULATOR_REFUSE(name)                                                                         \
  template <class... Arguments>                                                                       \
  cublasStatus_t name(Arguments...) {                                                                 \
    static_assert(                                                                                    \
        sizeof...(Arguments) == ~0u, #name                                                            \
        "() is not emulated: of cuBLAS there are gemm, gemv, ger, geam and functions of vectors, in " \
        "float and double, and gemm in half");                                                        \
    return CUBLAS_STATUS_NOT_SUPPORTED;                                                               \
  }
#define EMULATOR_REFUSE_TYPES(name) EMULATOR_REFUSE(cublasS##name) EMULATOR_REFUSE(cublasD##name)
#define EMULATOR_REFUSE_COMPLEX(name) EMULATOR_REFUSE(cublasC##name) EMULATOR_REFUSE(cublasZ##name)
#define EMULATOR_REFUSE_ALL(name) EMULATOR_REFUSE_TYPES(name) EMULATOR_REFUSE_COMPLEX(name)
EMULATOR_REFUSE_ALL(trsm)
EMULATOR_REFUSE_ALL(trsmBatched)
EMULATOR_REFUSE_ALL(trmm)
EMULATOR_REFUSE_ALL(syrk)
EMULATOR_REFUSE_ALL(syr2k)
EMULATOR_REFUSE_ALL(symm)
EMULATOR_REFUSE_ALL(symv)
EMULATOR_REFUSE_ALL(syr)
EMULATOR_REFUSE_ALL(trsv)
EMULATOR_REFUSE_ALL(trmv)
EMULATOR_REFUSE_ALL(gbmv)
EMULATOR_REFUSE_ALL(dgmm)
EMULATOR_REFUSE_ALL(rot)
EMULATOR_REFUSE_ALL(rotg)
EMULATOR_REFUSE_ALL(getrfBatched)
EMULATOR_REFUSE_ALL(getrsBatched)
EMULATOR_REFUSE_ALL(getriBatched)
EMULATOR_REFUSE_ALL(matinvBatched)
EMULATOR_REFUSE_ALL(geqrfBatched)
EMULATOR_REFUSE_ALL(gelsBatched)
EMULATOR_REFUSE_TYPES(rotm)
EMULATOR_REFUSE_TYPES(spmv)
EMULATOR_REFUSE_TYPES(sbmv)
EMULATOR_REFUSE_COMPLEX(gemm)
EMULATOR_REFUSE_COMPLEX(gemmBatched)
EMULATOR_REFUSE_COMPLEX(gemmStridedBatched)
EMULATOR_REFUSE_COMPLEX(gemv)
EMULATOR_REFUSE_COMPLEX(geam)
EMULATOR_REFUSE_COMPLEX(gerc)
EMULATOR_REFUSE_COMPLEX(geru)
EMULATOR_REFUSE_COMPLEX(hemm)
EMULATOR_REFUSE_COMPLEX(herk)
EMULATOR_REFUSE_COMPLEX(axpy)
EMULATOR_REFUSE_COMPLEX(scal)
EMULATOR_REFUSE_COMPLEX(copy)
EMULATOR_REFUSE_COMPLEX(swap)
EMULATOR_REFUSE_COMPLEX(dotc)
EMULATOR_REFUSE_COMPLEX(dotu)
EMULATOR_REFUSE(cublasScnrm2)
EMULATOR_REFUSE(cublasDznrm2)
EMULATOR_REFUSE(cublasScasum)
EMULATOR_REFUSE(cublasDzasum)
EMULATOR_REFUSE(cublasIcamax)
EMULATOR_REFUSE(cublasIzamax)
EMULATOR_REFUSE(cublasGemmBatchedEx)
EMULATOR_REFUSE(cublasDotEx)
EMULATOR_REFUSE(cublasAxpyEx)
EMULATOR_REFUSE(cublasScalEx)
EMULATOR_REFUSE(cublasNrm2Ex)
EMULATOR_REFUSE(cublasSetVectorAsync)
EMULATOR_REFUSE(cublasGetVectorAsync)
EMULATOR_REFUSE(cublasSetMatrixAsync)
EMULATOR_REFUSE(cublasGetMatrixAsync)
EMULATOR_REFUSE(cublasLoggerConfigure)
#undef EMULATOR_REFUSE
#undef EMULATOR_REFUSE_TYPES
#undef EMULATOR_REFUSE_COMPLEX
#undef EMULATOR_REFUSE_ALL
