// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Streams and events that are destroyed when they go out of scope.
#pragma once

#include <cuda_runtime.h>

#include <utility>

#include "check.hpp"

namespace tutorial {

/// Function, whose last parameter is a stream, in the default stream: for tables of functions.
template <auto Function>
inline constexpr auto in_default_stream = [](const auto&... each) { Function(each..., nullptr); };

/// A stream that the default stream does not wait for, nor it for the default stream. Move-only.
class stream {
 public:
  /// Throws cuda_error where there is no device, for one.
  stream() { check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking)); }
  stream(stream&& other) noexcept : stream_(std::exchange(other.stream_, nullptr)) {}
  stream& operator=(stream&& other) noexcept {
    std::swap(stream_, other.stream_);
    return *this;
  }
  ~stream() {
    if (stream_ != nullptr) cudaStreamDestroy(stream_);
  }
  /// For launches and calls.
  operator cudaStream_t() const { return stream_; }
  /// Returns when all that the stream was given is done.
  void wait() const { check(cudaStreamSynchronize(stream_)); }

 private:
  cudaStream_t stream_ = nullptr;
};

/// An event without or with a time. Move-only.
class event {
 public:
  enum class kind { order, time };
  /// To order operations, which is cheaper, or to measure the time between two.
  explicit event(kind what = kind::order) {
    check(cudaEventCreateWithFlags(&event_, what == kind::time ? cudaEventDefault : cudaEventDisableTiming));
  }
  event(event&& other) noexcept : event_(std::exchange(other.event_, nullptr)) {}
  event& operator=(event&& other) noexcept {
    std::swap(event_, other.event_);
    return *this;
  }
  ~event() {
    if (event_ != nullptr) cudaEventDestroy(event_);
  }
  /// For calls.
  operator cudaEvent_t() const { return event_; }
  /// Returns when what it was last recorded behind is done; at once if it never was.
  void wait() const { check(cudaEventSynchronize(event_)); }

 private:
  cudaEvent_t event_ = nullptr;
};

}  // namespace tutorial
