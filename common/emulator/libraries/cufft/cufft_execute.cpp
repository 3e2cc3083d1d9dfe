// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// cuFFT's functions that transform. As with kernels the work is done before a call returns.
#include <complex>
#include <mutex>

#include "cufftXt.h"
#include "cufft_check.hpp"
#include "cufft_execute.hpp"
#include "cufft_parts.hpp"
#include "device/errors.hpp"
#include "device/failed_calls.hpp"
#include "device/settings.hpp"
#include "fft.hpp"
#include "order/enqueue.hpp"
#include "run/launch_log.hpp"

namespace cuda_emulator {
namespace {

/// From an array with strides to packed memory of the host.
template <class Element>
void gather(const Element* from, const fft_layout& layout, std::size_t transform, Element* to) {
  layout.for_each_row(transform, [&](std::size_t offset, std::size_t before) {
    for (std::size_t k = 0; k < layout.size[2]; ++k) to[before + k] = from[offset + k * layout.stride[2]];
  });
}

template <class Element>
void scatter(const Element* from, const fft_layout& layout, std::size_t transform, Element* to) {
  layout.for_each_row(transform, [&](std::size_t offset, std::size_t before) {
    for (std::size_t k = 0; k < layout.size[2]; ++k) to[offset + k * layout.stride[2]] = from[before + k];
  });
}

/// Complex transforms along one dimension of packed data.
template <class T>
void transform_along(int dimension, const std::array<std::size_t, 3>& size, bool inverse,
                     std::complex<T>* data) {
  const std::size_t n = size[dimension];
  if (n == 1) return;
  std::size_t step = 1;
  for (int i = dimension + 1; i < 3; ++i) step *= size[i];
  const std::size_t lines = size[0] * size[1] * size[2] / n;
  const auto fft = complex_fft<T>::get(n, inverse);
  std::vector<std::complex<T>> in(n), out(n);
  for (std::size_t line = 0; line < lines; ++line) {
    std::complex<T>* const first = data + line / step * step * n + line % step;
    for (std::size_t k = 0; k < n; ++k) in[k] = first[k * step];
    fft->run(in.data(), out.data());
    for (std::size_t k = 0; k < n; ++k) first[k * step] = out[k];
  }
}

/// `input` and `output` are arrays of T or std::complex<T>, as the type of the plan says. They may be the
/// same.
template <class T>
void transform(const fft_plan& plan, const void* input, void* output, bool inverse,
               const fft_layout& input_layout, const fft_layout& output_layout) {
  using complex = std::complex<T>;
  const bool from_real = reads_real(plan.type), to_real = writes_real(plan.type);
  const auto& spectrum_size = to_real ? input_layout.size : output_layout.size;
  const std::size_t row = plan.n[2], spectrum_row = spectrum_size[2], rows = plan.n[0] * plan.n[1];
  std::vector<complex> spectrum(rows * spectrum_row);
  std::vector<T> signal(from_real || to_real ? rows * row : 0);
  const auto real = from_real || to_real ? real_fft<T>::get(row) : nullptr;
  for (std::size_t b = 0; b < plan.batch; ++b) {
    if (from_real) {
      gather(static_cast<const T*>(input), input_layout, b, signal.data());
      for (std::size_t i = 0; i < rows; ++i)
        real->forward(signal.data() + i * row, spectrum.data() + i * spectrum_row);
    } else {
      gather(static_cast<const complex*>(input), input_layout, b, spectrum.data());
      if (!to_real) transform_along(2, spectrum_size, inverse, spectrum.data());
    }
    transform_along(1, spectrum_size, inverse, spectrum.data());
    transform_along(0, spectrum_size, inverse, spectrum.data());
    if (to_real) {
      for (std::size_t i = 0; i < rows; ++i)
        real->inverse(spectrum.data() + i * spectrum_row, signal.data() + i * row);
      scatter(signal.data(), output_layout, b, static_cast<T*>(output));
    } else {
      scatter(spectrum.data(), output_layout, b, static_cast<complex*>(output));
    }
  }
}

}  // namespace

void transform_fft(const fft_plan& plan, const void* input, void* output, int direction,
                   const fft_layout& input_layout, const fft_layout& output_layout) {
  static std::mutex& one_at_a_time = *new std::mutex;
  const std::lock_guard lock(one_at_a_time);
  if (is_double(plan.type))
    transform<double>(plan, input, output, direction == CUFFT_INVERSE, input_layout, output_layout);
  else
    transform<float>(plan, input, output, direction == CUFFT_INVERSE, input_layout, output_layout);
}

void run_fft(const fft_call& call, const void* input, void* output, int direction, work& mine) {
  const fft_plan& plan = call.plan;
  const bool here = input == output, wide = is_double(plan.type);
  const std::size_t real_size = wide ? sizeof(double) : sizeof(float);
  const char* const real_name = wide ? "doubles" : "floats";
  const char* const complex_name = wide ? "complex doubles" : "complex floats";
  const fft_layout& input_layout = here ? plan.input_here : plan.input;
  const fft_layout& output_layout = here ? plan.output_here : plan.output;
  const fft_array from{input, input_layout, reads_real(plan.type) ? real_size : 2 * real_size,
                       reads_real(plan.type) ? real_name : complex_name};
  const fft_array to{output, output_layout, writes_real(plan.type) ? real_size : 2 * real_size,
                     writes_real(plan.type) ? real_name : complex_name};
  if (settings().checking) check_fft(call, from, to);
  transform_fft(plan, input, output, direction, input_layout, output_layout);
  mark_fft(mine, call, from, to);
  note_fft(mine, call, from, to);
}

namespace {

cufftResult execute(const char* name, cufftHandle handle, cufftType type, const void* input, void* output,
                    int direction) {
  const auto plan = find_plan(handle);
  // Documented for a handle that is none; seen for one of which no plan was made; reported for a plan of
  // another type (github.com/JuliaGPU/CUDA.jl, issue 1519).
  if (plan == nullptr || !plan->made || plan->type != type) return CUFFT_INVALID_PLAN;
  if (input == nullptr || output == nullptr) return CUFFT_INVALID_VALUE;
  if (direction != CUFFT_FORWARD && direction != CUFFT_INVERSE) return CUFFT_INVALID_VALUE;
  if (!plan->devices.empty())  // reported
    return refuse_fft(name, CUFFT_INTERNAL_ERROR,
                      "the plan is for several devices: cufftXtExecDescriptor...() runs it");
  if (plan->work_area == nullptr && plan->work_size != 0) return CUFFT_NO_WORKSPACE;
  if (stuck() != cudaSuccess) return CUFFT_EXEC_FAILED;
  if (plan->device != current_device()) {
    note_failed_call(cudaErrorInvalidDevice, "the plan was made while " + device_text(plan->device) +
                                                 " was current, and now " + device_text(current_device()) +
                                                 " is");
    return CUFFT_INVALID_DEVICE;
  }

  const cudaError_t error =
      enqueue({name, plan->stream, true}, false, cudaGraphNodeTypeKernel, [=, plan = *plan](work& mine) {
        run_fft({name, plan}, input, output, direction, mine);
        if (settings().checking) log_library_call("cuFFT " + plan.text() + " (not counted)");
      });
  return error == cudaSuccess ? CUFFT_SUCCESS : CUFFT_EXEC_FAILED;
}

}  // namespace
}  // namespace cuda_emulator

using cuda_emulator::execute;

cufftResult cufftExecC2C(cufftHandle plan, cufftComplex* idata, cufftComplex* odata, int direction) {
  return execute("cufftExecC2C", plan, CUFFT_C2C, idata, odata, direction);
}
cufftResult cufftExecR2C(cufftHandle plan, cufftReal* idata, cufftComplex* odata) {
  return execute("cufftExecR2C", plan, CUFFT_R2C, idata, odata, CUFFT_FORWARD);
}
cufftResult cufftExecC2R(cufftHandle plan, cufftComplex* idata, cufftReal* odata) {
  return execute("cufftExecC2R", plan, CUFFT_C2R, idata, odata, CUFFT_INVERSE);
}
cufftResult cufftExecZ2Z(cufftHandle plan, cufftDoubleComplex* idata, cufftDoubleComplex* odata,
                         int direction) {
  return execute("cufftExecZ2Z", plan, CUFFT_Z2Z, idata, odata, direction);
}
cufftResult cufftExecD2Z(cufftHandle plan, cufftDoubleReal* idata, cufftDoubleComplex* odata) {
  return execute("cufftExecD2Z", plan, CUFFT_D2Z, idata, odata, CUFFT_FORWARD);
}
cufftResult cufftXtExec(cufftHandle handle, void* input, void* output, int direction) {
  const auto plan = cuda_emulator::find_plan(handle);
  if (plan == nullptr || !plan->made) return CUFFT_INVALID_PLAN;
  if (cuda_emulator::reads_real(plan->type)) direction = CUFFT_FORWARD;
  if (cuda_emulator::writes_real(plan->type)) direction = CUFFT_INVERSE;
  return execute("cufftXtExec", handle, plan->type, input, output, direction);
}
cufftResult cufftExecZ2D(cufftHandle plan, cufftDoubleComplex* idata, cufftDoubleReal* odata) {
  return execute("cufftExecZ2D", plan, CUFFT_Z2D, idata, odata, CUFFT_INVERSE);
}
