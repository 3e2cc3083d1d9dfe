// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Which kernel a launch means, and whether it may begin.
#pragma once

#include <string>

#include "device/failed_calls.hpp"
#include "emulator/launch.hpp"

namespace cuda_emulator {

/// Why a launch does not begin, and what is told of that; without an error it does.
struct launch_refusal {
  enum class told { to_program, in_report, in_both };

  cudaError_t error = cudaSuccess;
  told where = told::to_program;
  std::string why{};  ///< In words, where there is more to say than the error does.
  launch_number number = launch_number::none;
};

/// What CUDA refuses, with its codes.
cudaError_t refusal(const configuration& shape, const kernel_record& kernel);

/// Of a launch by the host; sets `kernel` where it is known.
launch_refusal decide(const launch_request& request, const kernel_record*& kernel);

}  // namespace cuda_emulator
