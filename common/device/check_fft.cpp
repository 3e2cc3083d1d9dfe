// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "check_fft.hpp"

namespace tutorial {
namespace {

struct explanation {
  int code;
  std::string_view name, text, advice;
};
// By number: no toolkit has the names of all, and cuFFT has no function that tells them.
constexpr explanation explanations[] = {
    {1, "CUFFT_INVALID_PLAN", "no such plan, or not one for this call",
     "was the plan made, is it not yet destroyed, and is it of the type that cufftExec...() names?"},
    {2, "CUFFT_ALLOC_FAILED", "out of memory",
     "a plan needs a work area as large as its data: use fewer transforms at a time, "
     "or share one work area between plans"},
    {3, "CUFFT_INVALID_TYPE", "invalid type", ""},
    {4, "CUFFT_INVALID_VALUE", "invalid argument",
     "a null pointer, a direction, a type, a rank, a stride or a distance"},
    {5, "CUFFT_INTERNAL_ERROR", "internal error, of cuFFT or of the driver",
     "no usable GPU, or an earlier kernel has failed: check(cudaDeviceSynchronize()) before this call tells"},
    {6, "CUFFT_EXEC_FAILED", "the transform could not be run",
     "often an earlier kernel has failed: check(cudaDeviceSynchronize()) before this call tells"},
    {7, "CUFFT_SETUP_FAILED", "cuFFT could not be set up",
     "no usable GPU, or an earlier kernel has failed: check(cudaDeviceSynchronize()) before this call tells"},
    {8, "CUFFT_INVALID_SIZE", "invalid size", "lengths and batch must be at least 1"},
    {9, "CUFFT_UNALIGNED_DATA", "data is not aligned", "arrays must be aligned as complex numbers are"},
    {10, "CUFFT_INCOMPLETE_PARAMETER_LIST", "missing parameters", ""},
    {11, "CUFFT_INVALID_DEVICE", "the plan was made for another GPU",
     "cudaSetDevice() must name the same for both"},
    {12, "CUFFT_PARSE_ERROR", "internal error of cuFFT", ""},
    {13, "CUFFT_NO_WORKSPACE", "the plan has no work area",
     "after cufftSetAutoAllocation(plan, 0) it needs one from cufftSetWorkArea()"},
    {14, "CUFFT_NOT_IMPLEMENTED", "not implemented for these arguments", ""},
    {15, "CUFFT_LICENSE_ERROR", "no license", ""},
    {16, "CUFFT_NOT_SUPPORTED", "not supported for these arguments", ""},
    {17, "CUFFT_MISSING_DEPENDENCY", "a library that cuFFT needs was not found", ""},
    {18, "CUFFT_NVRTC_FAILURE", "cuFFT could not compile a kernel", ""},
    {19, "CUFFT_NVJITLINK_FAILURE", "cuFFT could not link a kernel", ""},
    {20, "CUFFT_NVSHMEM_FAILURE", "NVSHMEM failed", ""},
};

std::string message(cufftResult code, const source_line& where) {
  for (const explanation& each : explanations)
    if (each.code == static_cast<int>(code)) return failed_call(where, each.name, each.text, each.advice);
  return failed_call(where, "cufftResult " + std::to_string(static_cast<int>(code)),
                     "unknown to this tutorial", "");
}

}  // namespace

cufft_error::cufft_error(cufftResult code, const source_line& where)
    : std::runtime_error(message(code, where)), code_(code) {}

void check(cufftResult result, source_line where) {
  if (result != CUFFT_SUCCESS) throw cufft_error(result, where);
}

}  // namespace tutorial
