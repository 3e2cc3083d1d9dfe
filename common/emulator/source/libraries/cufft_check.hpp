// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
/// \file
/// Is what a call of cuFFT reads and writes the program's, and has somebody written what it reads?
#pragma once

#include <string>

#include "cufft_plan.hpp"
#include "order/work.hpp"

namespace cuda_emulator {

struct fft_call {
  const char* name;  ///< "cufftExecR2C"
  const fft_plan& plan;
};

/// One side of a call.
struct fft_array {
  const void* data;
  const fft_layout& layout;
  std::size_t element_size;
  const char* element_name;  ///< In the plural.
};

/// The first mistake is printed and ends the program, or is thrown (see findings.hpp). Returns only if there
/// is none.
void check_fft(const fft_call& call, const fft_array& input, const fft_array& output);
/// What the call reads and writes, its work area among it, for the order of operations.
void note_fft(work& mine, const fft_call& call, const fft_array& input, const fft_array& output);
/// What the call has written counts as written from here on; what a work area of the program held is gone.
void mark_fft(const fft_call& call, const fft_array& output);

}  // namespace cuda_emulator
