// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Is what a call of cuFFT reads and writes the program's, and has somebody written what it reads?
#pragma once

#include <string>

#include "cufft_plan.hpp"
#include "order/work.hpp"
#include "tell/findings.hpp"

namespace cuda_emulator {

struct fft_call {
  const char* name;  ///< "cufftExecR2C"
  const fft_plan& plan;
  const call_stack* called_at = nullptr;  ///< Null: on the stack.
};

/// One side of a call.
struct fft_array {
  const void* data;
  const fft_layout& layout;
  std::size_t element_size;
  const char* element_name;  ///< In the plural.
};

/// "... error: `what` in cufftExecR2C()", `text`, the plan and the usual cause. Comes back only where the
/// finding is a note.
void report_fft(const fft_call& call, finding_kind kind, const char* what, const std::string& text,
                const char* usual_cause);
/// `bytes` from `data` must be memory that the device can reach. `does`: "reads"; `amount`: "3 floats".
void check_room(const fft_call& call, const char* does, const std::string& amount, const void* data,
                std::size_t bytes, std::size_t element_size, const char* elements, bool writes);

/// The first mistake is printed and ends the program, or is thrown (see findings.hpp). Returns only if there
/// is none.
void check_fft(const fft_call& call, const fft_array& input, const fft_array& output);
/// Does a transform on these destroy what it reads?
bool destroys_input(const fft_plan& plan, const fft_array& input, const fft_array& output);
/// What the call reads and writes, its work area among it, for the order of operations.
void note_fft(work& mine, const fft_call& call, const fft_array& input, const fft_array& output);
/// What the call has written counts as written from here on. What a work area of the program held is gone,
/// and so is the spectrum that a complex-to-real transform has read (cuFFT's guide, "Data Layout"): out of
/// place, all of it; in place with strides, what the output does not take.
void mark_fft(work& mine, const fft_call& call, const fft_array& input, const fft_array& output);

}  // namespace cuda_emulator
