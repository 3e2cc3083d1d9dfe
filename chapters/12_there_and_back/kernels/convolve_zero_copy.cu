// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// No copies at all. Pinned memory has an address that kernels can use, too; what they load and store there
// goes over the link.
#include <memory>
#include <stdexcept>

#include "07_fft_convolution/best_convolution.hpp"
#include "there_and_back.hpp"

namespace tutorial {
namespace {

/// Where kernels find what lies at `host`.
template <class T>
device_span<T> on_device(std::span<T> host) {
  cudaPointerAttributes attributes{};
  check(cudaPointerGetAttributes(&attributes, host.data()));
  if (attributes.type != cudaMemoryTypeHost)
    throw std::invalid_argument("kernels read and write only pinned memory of the host: see pinned_buffer");
  return {static_cast<T*>(attributes.devicePointer), host.size()};
}

}  // namespace

// [zero]
template <class T>
journey<T> prepare_zero_copy(std::span<const T> h, std::size_t samples, convolution_mode mode) {
  const device_buffer<T> taps(h);
  const auto filter = std::make_shared<best_convolver<T>>(taps, samples, mode);
  return settled([=, outputs = output_length(samples, h.size(), mode)](std::span<const T> x, std::span<T> y) {
    if (y.size() != outputs) throw std::invalid_argument("this object was made for other lengths");
    (*filter)(on_device(x), on_device(y));
    check(cudaDeviceSynchronize());
  });
}
// [zero]

TUTORIAL_INSTANTIATE_JOURNEY(prepare_zero_copy);

}  // namespace tutorial
