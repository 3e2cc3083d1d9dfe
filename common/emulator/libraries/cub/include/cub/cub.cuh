// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// CUB by its own names: for whole devices, blocks and warps. What is not here is refused by name.
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <chrono>  // as CUB does

#include "emulator/cub/cub_block.hpp"
#include "emulator/cub/cub_device.hpp"

#define CUB_VERSION 200700

namespace cuda_emulator {
template <class... T>
struct absent_of_cub {
  static_assert(sizeof...(T) == ~0u,
                "this class of CUB is not emulated: there are DeviceReduce, DeviceScan, DeviceRadixSort, "
                "DeviceHistogram, DeviceSelect, BlockReduce, BlockScan, BlockLoad, BlockStore, "
                "WarpReduce and WarpScan");
};
}  // namespace cuda_emulator

namespace cub {
#define EMULATOR_REFUSE(name)        \
  template <class T, auto... Others> \
  struct name : cuda_emulator::absent_of_cub<T> {};
EMULATOR_REFUSE(BlockRadixSort)
EMULATOR_REFUSE(BlockExchange)
EMULATOR_REFUSE(BlockHistogram)
EMULATOR_REFUSE(BlockDiscontinuity)
EMULATOR_REFUSE(BlockAdjacentDifference)
EMULATOR_REFUSE(BlockShuffle)
EMULATOR_REFUSE(BlockMergeSort)
EMULATOR_REFUSE(BlockRunLengthDecode)
EMULATOR_REFUSE(WarpExchange)
EMULATOR_REFUSE(WarpLoad)
EMULATOR_REFUSE(WarpStore)
EMULATOR_REFUSE(WarpMergeSort)
#undef EMULATOR_REFUSE
#define EMULATOR_REFUSE(name, function)                         \
  struct name {                                                 \
    template <class... Arguments>                               \
    static cudaError_t function(Arguments...) {                 \
      (void)sizeof(cuda_emulator::absent_of_cub<Arguments...>); \
      return cudaErrorNotSupported;                             \
    }                                                           \
  };
EMULATOR_REFUSE(DeviceSegmentedReduce, Sum)
EMULATOR_REFUSE(DeviceSegmentedRadixSort, SortKeys)
EMULATOR_REFUSE(DeviceSegmentedSort, SortKeys)
EMULATOR_REFUSE(DeviceRunLengthEncode, Encode)
EMULATOR_REFUSE(DevicePartition, Flagged)
EMULATOR_REFUSE(DeviceMergeSort, SortKeys)
EMULATOR_REFUSE(DeviceSpmv, CsrMV)
EMULATOR_REFUSE(DeviceAdjacentDifference, SubtractLeft)
#undef EMULATOR_REFUSE
}  // namespace cub
