// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "one_transform.hpp"

#include <cufft.h>
#include <cufftXt.h>

#include <cmath>
#include <complex>
#include <random>
#include <stdexcept>
#include <vector>

#include "15_many_gpus/host/devices.hpp"
#include "common/device/check_fft.hpp"
#include "common/device/device_memory.hpp"
#include "common/device/measure.hpp"

namespace tutorial {
namespace {

using numbers = std::vector<std::complex<float>>;

class fft_handle {
 public:
  fft_handle() { check(cufftCreate(&handle_)); }
  ~fft_handle() { cufftDestroy(handle_); }
  fft_handle(const fft_handle&) = delete;
  fft_handle& operator=(const fft_handle&) = delete;
  operator cufftHandle() const { return handle_; }

 private:
  cufftHandle handle_ = 0;
};

/// Memory on all devices of a plan, as cuFFT wants it.
class fft_memory {
 public:
  explicit fft_memory(cufftHandle plan) { check(cufftXtMalloc(plan, &memory_, CUFFT_XT_FORMAT_INPLACE)); }
  ~fft_memory() { cufftXtFree(memory_); }
  fft_memory(const fft_memory&) = delete;
  fft_memory& operator=(const fft_memory&) = delete;
  operator cudaLibXtDesc*() const { return memory_; }
  /// It has a signal again, in the order of a signal: a plan refuses memory that is labeled otherwise.
  void has_signal() { memory_->subFormat = CUFFT_XT_FORMAT_INPLACE; }

 private:
  cudaLibXtDesc* memory_ = nullptr;
};

void wait_for(std::span<const int> devices) {
  for (const int device : devices) {
    const current_device_guard at(device);
    check(cudaDeviceSynchronize());
  }
}

double one_device_ms(const numbers& x, int device) {
  const current_device_guard at(device);
  const fft_handle plan;
  std::size_t work = 0;
  check(cufftMakePlan1d(plan, int(x.size()), CUFFT_C2C, 1, &work));
  device_buffer<float> memory(2 * x.size());
  check(cudaMemset(memory.data(), 0, 2 * x.size() * sizeof(float)));  // it would grow in every round
  const auto all = reinterpret_cast<cufftComplex*>(memory.data());
  return measure_host([&](int) {
           check(cufftExecC2C(plan, all, all, CUFFT_FORWARD));
           check(cufftExecC2C(plan, all, all, CUFFT_INVERSE));
           check(cudaDeviceSynchronize());
         })
      .median_ms;
}

}  // namespace

std::optional<one_transform_times> time_one_transform(std::size_t length, std::span<const int> devices) {
  if (length > std::size_t{1} << 30) throw std::invalid_argument("at most 2^30 complex numbers");
  numbers x(length), back(length);
  std::minstd_rand random(1);
  for (std::complex<float>& each : x)
    each = {float(random()) / float(random.max()) - 0.5f, float(random()) / float(random.max()) - 0.5f};
  one_transform_times found{.one_device_ms = one_device_ms(x, devices[0])};

  const fft_handle plan;
  std::vector<int> all(devices.begin(), devices.end());
  check(cufftXtSetGPUs(plan, int(all.size()), all.data()));
  std::vector<std::size_t> work(all.size());
  check(cufftMakePlan1d(plan, int(length), CUFFT_C2C, 1, work.data()));
  fft_memory signal(plan), spectrum(plan);
  const auto there_and_back = [&] {
    check(cufftXtExecDescriptorC2C(plan, signal, signal, CUFFT_FORWARD));
    wait_for(devices);
    // The spectrum lies in an order of cuFFT's own, which the inverse does not take.
    check(cufftXtMemcpy(plan, spectrum, signal, CUFFT_COPY_DEVICE_TO_DEVICE));
    wait_for(devices);
    check(cufftXtExecDescriptorC2C(plan, spectrum, spectrum, CUFFT_INVERSE));
    wait_for(devices);
    signal.has_signal();
  };
  check(cufftXtMemcpy(plan, signal, x.data(), CUFFT_COPY_HOST_TO_DEVICE));
  there_and_back();
  check(cufftXtMemcpy(plan, back.data(), spectrum, CUFFT_COPY_DEVICE_TO_HOST));
  double error = 0, size = 0;
  for (std::size_t i = 0; i < length; ++i) {
    const std::complex<double> was = x[i], is = std::complex<double>(back[i]) / double(length);
    error += std::norm(is - was);
    size += std::norm(was);
  }
  found.error = std::sqrt(error / size);

  // A spectrum of a spectrum grows: zeros do not, and take as long.
  std::fill(x.begin(), x.end(), 0);
  check(cufftXtMemcpy(plan, signal, x.data(), CUFFT_COPY_HOST_TO_DEVICE));
  found.several_ms = measure_host([&](int) {
                       spectrum.has_signal();
                       there_and_back();
                     }).median_ms;
  return found;
}

}  // namespace tutorial
