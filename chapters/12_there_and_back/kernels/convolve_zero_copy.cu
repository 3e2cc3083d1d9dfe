// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
/// \file
/// No copies at all. Pinned memory has an address that kernels can use, too; what they load and store there
/// goes over the link.
#include <cstdint>
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
void convolve_zero_copy(std::span<const T> x, std::span<const T> h, std::span<T> y, convolution_mode mode) {
  require_output_length(x.size(), h.size(), y.size(), mode);
  const device_buffer<T> taps(h);
  best_convolver<T> filter(taps, x.size(), mode);
  filter(on_device(x), on_device(y));
  check(cudaDeviceSynchronize());
}
// [zero]

TUTORIAL_INSTANTIATE_THERE_AND_BACK(convolve_zero_copy);

}  // namespace tutorial
