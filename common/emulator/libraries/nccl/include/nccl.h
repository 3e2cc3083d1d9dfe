// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// NCCL's interface for the emulated device: messages between devices of one process, and between processes
// of one machine. devices.md says what is checked, and what is left out.
#pragma once

/// Programs ask by this name whether NCCL's types are known.
#define NCCL_H_

#include "cuda_runtime_api.h"

// The library that this stands for.
#define NCCL_MAJOR 2
#define NCCL_MINOR 28
#define NCCL_PATCH 9
#define NCCL_SUFFIX ""
#define NCCL_VERSION_CODE 22809
#define NCCL_VERSION(X, Y, Z) (((X) <= 2 && (Y) <= 8) ? (X)*1000 + (Y)*100 + (Z) : (X)*10000 + (Y)*100 + (Z))
#define NCCL_UNIQUE_ID_BYTES 128
#define NCCL_COMM_NULL nullptr

typedef struct ncclComm* ncclComm_t;
typedef struct {
  char internal[NCCL_UNIQUE_ID_BYTES];
} ncclUniqueId;

typedef enum {
  ncclSuccess = 0,
  ncclUnhandledCudaError = 1,
  ncclSystemError = 2,
  ncclInternalError = 3,
  ncclInvalidArgument = 4,
  ncclInvalidUsage = 5,
  ncclRemoteError = 6,
  ncclInProgress = 7,
  ncclNumResults = 8
} ncclResult_t;

typedef enum {
  ncclSum = 0,
  ncclProd = 1,
  ncclMax = 2,
  ncclMin = 3,
  ncclAvg = 4,
  ncclNumOps = 5,
  ncclMaxRedOp = 0x7fffffff
} ncclRedOp_t;

typedef enum {
  ncclInt8 = 0,
  ncclChar = 0,
  ncclUint8 = 1,
  ncclInt32 = 2,
  ncclInt = 2,
  ncclUint32 = 3,
  ncclInt64 = 4,
  ncclUint64 = 5,
  ncclFloat16 = 6,
  ncclHalf = 6,
  ncclFloat32 = 7,
  ncclFloat = 7,
  ncclFloat64 = 8,
  ncclDouble = 8,
  ncclBfloat16 = 9,
  ncclFloat8e4m3 = 10,
  ncclFloat8e5m2 = 11,
  ncclNumTypes = 12
} ncclDataType_t;

#define NCCL_CONFIG_UNDEF_INT (-2147483647 - 1)
#define NCCL_CONFIG_UNDEF_PTR nullptr
typedef struct ncclConfig_v22800 {
  size_t size;
  unsigned int magic;
  unsigned int version;
  int blocking;
  int cgaClusterSize;
  int minCTAs;
  int maxCTAs;
  const char* netName;
  int splitShare;
  int trafficClass;
  const char* commName;
  int collnetEnable;
  int CTAPolicy;
  int shrinkShare;
  int nvlsCTAs;
  int nChannelsPerNetPeer;
  int nvlinkCentricSched;
} ncclConfig_t;
#define NCCL_CONFIG_INITIALIZER                                                                     \
  {                                                                                                 \
    sizeof(ncclConfig_t), 0xcafebeef, NCCL_VERSION(NCCL_MAJOR, NCCL_MINOR, NCCL_PATCH),             \
        NCCL_CONFIG_UNDEF_INT, NCCL_CONFIG_UNDEF_INT, NCCL_CONFIG_UNDEF_INT, NCCL_CONFIG_UNDEF_INT, \
        NCCL_CONFIG_UNDEF_PTR, NCCL_CONFIG_UNDEF_INT, NCCL_CONFIG_UNDEF_INT, NCCL_CONFIG_UNDEF_PTR, \
        NCCL_CONFIG_UNDEF_INT, NCCL_CONFIG_UNDEF_INT, NCCL_CONFIG_UNDEF_INT, NCCL_CONFIG_UNDEF_INT, \
        NCCL_CONFIG_UNDEF_INT, NCCL_CONFIG_UNDEF_INT                                                \
  }

extern "C" {
EMULATOR_API ncclResult_t ncclGetVersion(int* version);
EMULATOR_API ncclResult_t ncclGetUniqueId(ncclUniqueId* id);
EMULATOR_API ncclResult_t ncclCommInitRank(ncclComm_t* comm, int ranks, ncclUniqueId id, int rank);
EMULATOR_API ncclResult_t ncclCommInitRankConfig(ncclComm_t* comm, int ranks, ncclUniqueId id, int rank,
                                                 ncclConfig_t* config);
EMULATOR_API ncclResult_t ncclCommInitAll(ncclComm_t* comms, int count, const int* devices);
EMULATOR_API ncclResult_t ncclCommFinalize(ncclComm_t comm);
EMULATOR_API ncclResult_t ncclCommDestroy(ncclComm_t comm);
EMULATOR_API ncclResult_t ncclCommAbort(ncclComm_t comm);
EMULATOR_API ncclResult_t ncclCommCount(const ncclComm_t comm, int* count);
EMULATOR_API ncclResult_t ncclCommCuDevice(const ncclComm_t comm, int* device);
EMULATOR_API ncclResult_t ncclCommUserRank(const ncclComm_t comm, int* rank);
EMULATOR_API const char* ncclGetErrorString(ncclResult_t result);
EMULATOR_API const char* ncclGetLastError(ncclComm_t comm);
EMULATOR_API ncclResult_t ncclCommGetAsyncError(ncclComm_t comm, ncclResult_t* error);

EMULATOR_API ncclResult_t ncclGroupStart();
EMULATOR_API ncclResult_t ncclGroupEnd();
EMULATOR_API ncclResult_t ncclSend(const void* data, size_t count, ncclDataType_t type, int peer,
                                   ncclComm_t comm, cudaStream_t stream);
EMULATOR_API ncclResult_t ncclRecv(void* data, size_t count, ncclDataType_t type, int peer, ncclComm_t comm,
                                   cudaStream_t stream);
EMULATOR_API ncclResult_t ncclAllReduce(const void* from, void* to, size_t count, ncclDataType_t type,
                                        ncclRedOp_t operation, ncclComm_t comm, cudaStream_t stream);
EMULATOR_API ncclResult_t ncclReduce(const void* from, void* to, size_t count, ncclDataType_t type,
                                     ncclRedOp_t operation, int root, ncclComm_t comm, cudaStream_t stream);
EMULATOR_API ncclResult_t ncclBroadcast(const void* from, void* to, size_t count, ncclDataType_t type,
                                        int root, ncclComm_t comm, cudaStream_t stream);
EMULATOR_API ncclResult_t ncclBcast(void* data, size_t count, ncclDataType_t type, int root, ncclComm_t comm,
                                    cudaStream_t stream);
EMULATOR_API ncclResult_t ncclAllGather(const void* from, void* to, size_t count, ncclDataType_t type,
                                        ncclComm_t comm, cudaStream_t stream);
EMULATOR_API ncclResult_t ncclReduceScatter(const void* from, void* to, size_t count, ncclDataType_t type,
                                            ncclRedOp_t operation, ncclComm_t comm, cudaStream_t stream);
}

// The rest of NCCL: refused by the compiler, where it is called.
namespace cuda_emulator {
template <class... Arguments>
constexpr bool nccl_has = false;
}  // namespace cuda_emulator
#define EMULATOR_REFUSE(name, why)                                                          \
  template <class... Arguments>                                                             \
  ncclResult_t name(Arguments&&...) {                                                       \
    static_assert(cuda_emulator::nccl_has<Arguments...>, #name "() is not emulated: " why); \
    return ncclInvalidUsage;                                                                \
  }
EMULATOR_REFUSE(ncclMemAlloc, "use cudaMalloc()")
EMULATOR_REFUSE(ncclMemFree, "use cudaMalloc() and cudaFree()")
EMULATOR_REFUSE(ncclCommSplit, "make a second communicator by ncclCommInitRank()")
EMULATOR_REFUSE(ncclCommShrink, "make a second communicator by ncclCommInitRank()")
EMULATOR_REFUSE(ncclCommRevoke, "use ncclCommAbort()")
EMULATOR_REFUSE(ncclCommInitRankScalable, "use ncclCommInitRank()")
EMULATOR_REFUSE(ncclCommRegister, "buffers need not be registered here; leave it out")
EMULATOR_REFUSE(ncclCommDeregister, "buffers need not be registered here; leave it out")
EMULATOR_REFUSE(ncclCommWindowRegister, "there are no windows of memory here")
EMULATOR_REFUSE(ncclCommWindowDeregister, "there are no windows of memory here")
EMULATOR_REFUSE(ncclRedOpCreatePreMulSum, "multiply in a kernel before ncclSum")
EMULATOR_REFUSE(ncclRedOpDestroy, "there are no operations of the program's own here")
EMULATOR_REFUSE(ncclAlltoAll, "write it as ncclSend() and ncclRecv() in a group")
EMULATOR_REFUSE(ncclGather, "write it as ncclSend() and ncclRecv() in a group")
EMULATOR_REFUSE(ncclScatter, "write it as ncclSend() and ncclRecv() in a group")
EMULATOR_REFUSE(ncclGroupSimulateEnd, "nothing is known of times here")
#undef EMULATOR_REFUSE
