// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// The runtime's functions about errors.
#include "device/errors.hpp"

#include "device/error_names.hpp"
#include "device/failed_calls.hpp"
#include "emulator/runtime/runtime_kernels.hpp"

using namespace cuda_emulator;

cudaError_t cudaGetLastError() {
  const cudaError_t error = cudaPeekAtLastError();
  forget_last();
  return error;
}

cudaError_t cudaPeekAtLastError() {
  asked_for_last_error();
  return last_error();
}

const char* cudaGetErrorName(cudaError_t error) {
  asked_about(error);
  return error_name(error);
}

const char* cudaGetErrorString(cudaError_t error) {
  asked_about(error);
  return error_text(error);
}
