// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "error_names.hpp"

namespace cuda_emulator {

const char* error_name(cudaError_t error) {
  switch (error) {
#define X(name, code, text) \
  case name:                \
    return #name;
#include "emulator/errors.def"
#undef X
  }
  return "unrecognized error code";
}

const char* error_text(cudaError_t error) {
  switch (error) {
#define X(name, code, text) \
  case name:                \
    return text;
#include "emulator/errors.def"
#undef X
  }
  return "unrecognized error code";
}

}  // namespace cuda_emulator
