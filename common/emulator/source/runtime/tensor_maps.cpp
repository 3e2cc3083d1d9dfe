// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Tensor maps, and how programs get at the driver's function that makes them.
#include <cuda.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "device/errors.hpp"
#include "device/failed_calls.hpp"
#include "memory/tensor_map.hpp"

using namespace cuda_emulator;

namespace {

constexpr int bytes_of[] = {1, 2, 4, 4, 8, 8, 2, 4, 8, 2};  // by CUtensorMapDataType

CUresult refuse(const std::string& why) {
  note_failed_call(cudaErrorInvalidValue, why);
  return CUDA_ERROR_INVALID_VALUE;
}

CUresult say_no(const char* what) {
  say_not_emulated(what);
  return CUDA_ERROR_NOT_SUPPORTED;
}

}  // namespace

CUresult cuTensorMapEncodeTiled(CUtensorMap* map, CUtensorMapDataType type, cuuint32_t rank, void* address,
                                const cuuint64_t* size, const cuuint64_t* strides, const cuuint32_t* box,
                                const cuuint32_t* steps, CUtensorMapInterleave interleave,
                                CUtensorMapSwizzle swizzle, CUtensorMapL2promotion,
                                CUtensorMapFloatOOBfill fill) {
  if (map == nullptr || size == nullptr || strides == nullptr || box == nullptr || steps == nullptr)
    return refuse("a null pointer");
  if (rank != 2) return say_no("cuTensorMapEncodeTiled() of other than two dimensions");
  if (type < 0 || type > CU_TENSOR_MAP_DATA_TYPE_BFLOAT16)
    return say_no("cuTensorMapEncodeTiled() of such elements");
  if (interleave != CU_TENSOR_MAP_INTERLEAVE_NONE || swizzle != CU_TENSOR_MAP_SWIZZLE_NONE ||
      fill != CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE || steps[0] != 1 || steps[1] != 1)
    return say_no("cuTensorMapEncodeTiled() with interleave, swizzle, NaN for zeros or steps");
  if (reinterpret_cast<std::uintptr_t>(map) % 64 != 0) return refuse("the map is not aligned to 64 bytes");
  if (reinterpret_cast<std::uintptr_t>(address) % 16 != 0)
    return refuse("the plane does not begin at a multiple of 16 bytes");
  for (const int d : {0, 1}) {
    if (size[d] == 0 || size[d] > std::uint64_t{1} << 32)
      return refuse("the plane has " + std::to_string(size[d]) + " elements in dimension " +
                    std::to_string(d));
    if (box[d] == 0 || box[d] > 256)
      return refuse("the box has " + std::to_string(box[d]) + " elements in dimension " + std::to_string(d) +
                    ", and may have 1 to 256");
  }
  if (bytes_of[type] * box[0] % 16 != 0)
    return refuse("a row of the box has " + std::to_string(bytes_of[type] * box[0]) +
                  " bytes, which is no multiple of 16");
  if (strides[0] % 16 != 0 || strides[0] >= std::uint64_t{1} << 40)
    return refuse("from row to row of the plane there are " + std::to_string(strides[0]) +
                  " bytes, which is no multiple of 16 below 2^40");
  if (strides[0] < size[0] * bytes_of[type])
    return refuse("from row to row of the plane there are " + std::to_string(strides[0]) +
                  " bytes, and a row is longer: strides count bytes, sizes elements");
  const auto number = [](std::uint64_t n) { return static_cast<std::int64_t>(n); };
  const tensor_map made{tensor_map::known,
                        static_cast<const char*>(address),
                        {number(size[0]), number(size[1])},
                        number(strides[0]),
                        {box[0], box[1]},
                        bytes_of[type]};
  std::memcpy(map, &made, sizeof made);
  return CUDA_SUCCESS;
}

cudaError_t cudaGetDriverEntryPointByVersion(const char* name, void** function, unsigned int,
                                             unsigned long long, cudaDriverEntryPointQueryResult* result) {
  if (name == nullptr || function == nullptr) return remember(cudaErrorInvalidValue);
  const bool found = std::string_view(name) == "cuTensorMapEncodeTiled";
  *function = found ? reinterpret_cast<void*>(cuTensorMapEncodeTiled) : nullptr;
  if (result != nullptr) *result = found ? cudaDriverEntryPointSuccess : cudaDriverEntryPointSymbolNotFound;
  if (!found) say_not_emulated(name);
  return found || result != nullptr ? cudaSuccess : remember(cudaErrorSymbolNotFound);
}
cudaError_t cudaGetDriverEntryPoint(const char* name, void** function, unsigned long long flags,
                                    cudaDriverEntryPointQueryResult* result) {
  return cudaGetDriverEntryPointByVersion(name, function, CUDA_VERSION, flags, result);
}
