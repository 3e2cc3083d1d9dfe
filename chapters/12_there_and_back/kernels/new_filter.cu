// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// What a call with a new filter has to do, and what can be kept from the call before.
#include "new_filter.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

#include "common/device/ceil_div.hpp"
#include "common/device/pinned_buffer.hpp"

namespace tutorial {
namespace {

constexpr int threads_per_block = 256;

// [parameter]
/// Taps as a kernel's parameter: constant memory of one launch, which no other launch can overwrite.
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

// [change]
/// The node stores the taps for the next launches of the graph.
template <int Most>
void change_taps(std::span<const float> h, float* to, cudaGraphExec_t executable, cudaGraphNode_t node) {
  parameter_taps<Most> taps;
  std::ranges::copy(h, taps.h);
  int size = static_cast<int>(h.size());
  void* arguments[] = {&taps, &size, &to};
  cudaKernelNodeParams kernel{};
  kernel.func = reinterpret_cast<void*>(store_taps_kernel<Most>);
  kernel.gridDim = dim3(unsigned(ceil_div(size, threads_per_block)));
  kernel.blockDim = dim3(threads_per_block);
  kernel.kernelParams = arguments;
  check(cudaGraphExecKernelNodeSetParams(executable, node, &kernel));
}
// [change]

/// The host copies all bytes of a parameter, so there is one for few taps: calls f with how many.
template <class F>
void with_room_for(std::size_t taps, F f) {
  if (taps <= 256) return f(std::integral_constant<int, 256>());
  if (taps <= 1025) return f(std::integral_constant<int, 1025>());
  f(std::integral_constant<int, most_parameter_taps>());
}

void store_taps_by_parameter(std::span<const float> h, float* to, cudaStream_t stream) {
  with_room_for(h.size(), [&](auto room) { store_taps<decltype(room)::value>(h, to, stream); });
}

// [captured]
/// A graph of what `work` submits to the stream. If something is thrown, the capture still ends:
/// while it lasts, calls that wait for the device fail.
template <class Work>
call_graph::graph captured(cudaStream_t stream, const Work& work) {
  cudaGraph_t graph = nullptr;
  check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  try {
    work();
  } catch (...) {
    // If this call also fails, the exception is the cause.
    if (cudaStreamEndCapture(stream, &graph) != cudaSuccess) (void)cudaGetLastError();
    if (graph != nullptr) cudaGraphDestroy(graph);
    throw;
  }
  check(cudaStreamEndCapture(stream, &graph));
  return call_graph::graph(graph);
}
// [captured]

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
    : way_(way),
      samples_(samples),
      outputs_(output_length(samples, taps, mode)),
      taps_(some_taps(taps)),
      convolve_(taps_, samples, mode) {
  if (way != new_filter_way::copied && taps > most_parameter_taps)
    throw std::invalid_argument("a kernel's parameter holds " + std::to_string(most_parameter_taps) +
                                " taps at most here");
}

// [new_filter]
void new_filter_convolver::operator()(device_span<const float> x, std::span<const float> h,
                                      device_span<float> y, cudaStream_t stream) {
  if (x.size() != samples_ || h.size() != taps_.size() || y.size() != outputs_)
    throw std::invalid_argument("this object was made for other lengths");
  if (way_ == new_filter_way::copied) {
    check(cudaMemcpyAsync(taps_.data(), h.data(), h.size_bytes(), cudaMemcpyHostToDevice, stream));
    if (!is_pageable(h.data())) check(cudaStreamSynchronize(stream));  // a pageable h has already been read
    convolve_.set_filter(taps_, stream);
    return convolve_(x, y, stream);
  }
  if (way_ == new_filter_way::parameter) {
    store_taps_by_parameter(h, taps_.data(), stream);
    convolve_.set_filter(taps_, stream);
    return convolve_(x, y, stream);
  }
  if (way_ == new_filter_way::graph) {
    if (x.data() != graph_.x || y.data() != graph_.y)
      capture(x, h, y);
    else
      with_room_for(h.size(), [&](auto room) {
        change_taps<decltype(room)::value>(h, taps_.data(), graph_.executable.get(), graph_.taps);
      });
    return check(cudaGraphLaunch(graph_.executable.get(), stream));
  }
  check(cudaEventRecord(begun_, stream));  // the previous call has used the spectrum
  check(cudaStreamWaitEvent(work_, begun_));
  store_taps_by_parameter(h, taps_.data(), work_);
  convolve_.set_filter(taps_, work_);
  check(cudaEventRecord(made_, work_));
  convolve_(x, y, stream, made_);  // the signal's transforms do not wait for the filter's
}
// [new_filter]

// [capture]
void new_filter_convolver::capture(device_span<const float> x, std::span<const float> h,
                                   device_span<float> y) {
  call_graph next{.x = x.data(), .y = y.data()};
  next.made = captured(work_, [&] {
    store_taps_by_parameter(h, taps_.data(), work_);
    convolve_.set_filter(taps_, work_);
    convolve_(x, y, work_);
  });
  std::size_t one = 1;  // all others wait for the node of the taps
  check(cudaGraphGetRootNodes(next.made.get(), &next.taps, &one));
  cudaGraphExec_t executable = nullptr;
  check(cudaGraphInstantiate(&executable, next.made.get(), 0));
  next.executable.reset(executable);
  graph_ = std::move(next);  // until here, the previous call's graph is kept
}
// [capture]

}  // namespace tutorial
