// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "check_nccl.hpp"

#include <string>

namespace tutorial {
namespace {

std::string said(ncclResult_t code) {
  const char* const last = ncclGetLastError(nullptr);
  const std::string text = ncclGetErrorString(code);
  return last == nullptr || *last == '\0' ? text : text + ": " + last;
}

std::string advice(ncclResult_t code) {
  return code == ncclInvalidUsage ? "each rank needs a device of its own" : "NCCL_DEBUG=WARN says more";
}

}  // namespace

nccl_error::nccl_error(ncclResult_t code, const source_line& where)
    : std::runtime_error(failed_call(where, "NCCL", said(code), advice(code))), code_(code) {}

}  // namespace tutorial
