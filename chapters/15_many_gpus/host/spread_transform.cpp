// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "spread_transform.hpp"

#include <cufftXt.h>

#include "15_many_gpus/host/devices.hpp"
#include "15_many_gpus/host/fft_handle.hpp"

namespace tutorial {
namespace {

/// Memory on all devices of a plan, as cuFFT wants it.
class fft_memory {
 public:
  explicit fft_memory(cufftHandle plan) { check(cufftXtMalloc(plan, &memory_, CUFFT_XT_FORMAT_INPLACE)); }
  ~fft_memory() { cufftXtFree(memory_); }
  fft_memory(const fft_memory&) = delete;
  fft_memory& operator=(const fft_memory&) = delete;
  operator cudaLibXtDesc*() const { return memory_; }
  /// What comes next is in natural order: a plan refuses memory that is labeled otherwise.
  void gets_natural_order() { memory_->subFormat = CUFFT_XT_FORMAT_INPLACE; }

 private:
  cudaLibXtDesc* memory_ = nullptr;
};

}  // namespace

struct spread_transform::state {
  state(std::size_t length, std::span<const int> devices)
      : length(length), devices(devices.begin(), devices.end()) {
    check(cufftXtSetGPUs(plan, int(devices.size()), this->devices.data()));
    std::vector<std::size_t> work(devices.size());
    check(cufftMakePlan1d(plan, int(length), CUFFT_C2C, 1, work.data()));
    signal = std::make_unique<fft_memory>(plan);
    spectrum = std::make_unique<fft_memory>(plan);
  }
  void wait() const {
    for (const int device : devices) {
      const current_device_guard at(device);
      check(cudaDeviceSynchronize());
    }
  }

  std::size_t length;
  std::vector<int> devices;
  fft_handle plan;
  std::unique_ptr<fft_memory> signal, spectrum;
};

spread_transform::spread_transform(std::size_t length, std::span<const int> devices)
    : state_(std::make_unique<state>(length, devices)) {}
spread_transform::~spread_transform() = default;

void spread_transform::bring(std::span<const std::complex<float>> x) {
  state_->signal->gets_natural_order();
  // cuFFT's function takes all pointers as void*, and reads only here.
  void* const from = const_cast<std::complex<float>*>(x.data());
  check(cufftXtMemcpy(state_->plan, *state_->signal, from, CUFFT_COPY_HOST_TO_DEVICE));
}

void spread_transform::forward() {
  check(cufftXtExecDescriptorC2C(state_->plan, *state_->signal, *state_->signal, CUFFT_FORWARD));
  state_->wait();
}

void spread_transform::order_spectrum() {
  state_->spectrum->gets_natural_order();
  check(cufftXtMemcpy(state_->plan, *state_->spectrum, *state_->signal, CUFFT_COPY_DEVICE_TO_DEVICE));
  state_->wait();
  state_->signal->gets_natural_order();
}

void spread_transform::inverse() {
  check(cufftXtExecDescriptorC2C(state_->plan, *state_->spectrum, *state_->spectrum, CUFFT_INVERSE));
  state_->wait();
}

std::vector<std::complex<float>> spread_transform::take() const {
  std::vector<std::complex<float>> x(state_->length);
  check(cufftXtMemcpy(state_->plan, x.data(), *state_->spectrum, CUFFT_COPY_DEVICE_TO_HOST));
  return x;
}

}  // namespace tutorial
