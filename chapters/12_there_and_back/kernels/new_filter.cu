// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
/// \file
/// What a call with a new filter has to do, and what can be kept from the call before.
#include "new_filter.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "common/device/ceil_div.hpp"

namespace tutorial {
namespace {

constexpr int threads_per_block = 256;

// [parameter]
/// Taps as a kernel's parameter: constant memory of one launch, that nobody else can overwrite.
template <int Most>
struct parameter_taps {
  float h[Most];
};

/// to[0, taps) = the taps
template <int Most>
__global__ void store_taps_kernel(const __grid_constant__ parameter_taps<Most> from, int taps, float* to) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < taps) to[i] = from.h[i];
}

template <int Most>
void store_taps(std::span<const float> h, float* to, cudaStream_t stream) {
  parameter_taps<Most> taps;
  std::ranges::copy(h, taps.h);
  const int size = static_cast<int>(h.size());
  store_taps_kernel<<<ceil_div(size, threads_per_block), threads_per_block, 0, stream>>>(taps, size, to);
  check(cudaGetLastError());
}
// [parameter]

/// The host copies all bytes of a parameter, so there is one for few taps.
void store_taps_by_parameter(std::span<const float> h, float* to, cudaStream_t stream) {
  if (h.size() <= 256) return store_taps<256>(h, to, stream);
  if (h.size() <= 1025) return store_taps<1025>(h, to, stream);
  store_taps<most_parameter_taps>(h, to, stream);
}

/// The new_filter_convolver has to begin with some filter.
device_buffer<float> some_taps(std::size_t taps) {
  device_buffer<float> result(taps);
  check(cudaMemset(result.data(), 0, taps * sizeof(float)));
  return result;
}

}  // namespace

void convolve_new_filter_from_scratch(device_span<const float> x, std::span<const float> h,
                                      device_span<float> y, convolution_mode mode) {
  const device_buffer<float> taps(h);
  convolve_overlap_save<float>(x, taps, y, mode);
}

new_filter_convolver::new_filter_convolver(std::size_t samples, std::size_t taps, convolution_mode mode,
                                           new_filter_way way)
    : way_(way), taps_(some_taps(taps)), convolve_(taps_, samples, mode) {
  if (way != new_filter_way::copied && taps > most_parameter_taps)
    throw std::invalid_argument("a kernel's parameter holds " + std::to_string(most_parameter_taps) +
                                " taps at most here");
}

// [new_filter]
void new_filter_convolver::operator()(device_span<const float> x, std::span<const float> h,
                                      device_span<float> y) {
  if (h.size() != taps_.size()) throw std::invalid_argument("this object was made for other lengths");
  if (way_ == new_filter_way::copied) {
    check(cudaMemcpyAsync(taps_.data(), h.data(), h.size_bytes(), cudaMemcpyHostToDevice, nullptr));
    convolve_.set_filter(taps_);
    return convolve_(x, y);
  }
  if (way_ == new_filter_way::parameter) {
    store_taps_by_parameter(h, taps_.data(), nullptr);
    convolve_.set_filter(taps_);
    return convolve_(x, y);
  }
  check(cudaEventRecord(begun_, nullptr));  // the call before has used the spectrum
  check(cudaStreamWaitEvent(work_, begun_));
  store_taps_by_parameter(h, taps_.data(), work_);
  convolve_.set_filter(taps_, work_);
  check(cudaEventRecord(made_, work_));
  convolve_(x, y, nullptr, made_);  // the signal's transforms do not wait for the filter's
}
// [new_filter]

}  // namespace tutorial
