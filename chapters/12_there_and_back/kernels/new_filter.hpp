// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// A new filter in every call: the signal is on the device, the taps come from the host.
//
// In all of them: y[n] = sum over k of h[k] x[n - k], for the outputs that `mode` wants, by overlap-save as
// in convolve_overlap_save.hpp, whose rounding, NaN and errors hold here too.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <type_traits>

#include "07_fft_convolution/kernels/convolve_overlap_save.hpp"
#include "common/device/device_memory.hpp"
#include "common/device/stream.hpp"

namespace tutorial {

/// Plans and memory are made in the call, and gone after it. Waits.
void convolve_new_filter_from_scratch(device_span<const float> x, std::span<const float> h,
                                      device_span<float> y, convolution_mode mode);

/// How the taps reach the device, and where their spectrum is made.
enum class new_filter_way {
  copied,     ///< A copy, then the spectrum, then the signal.
  parameter,  ///< The taps are a kernel's parameter.
  beside,     ///< The same, and their spectrum is made in a second stream, beside that of the signal.
  graph       ///< As `parameter`, and the whole call is one graph, whose taps change in every call.
};

/// The most taps that fit into a kernel's parameters here.
inline constexpr std::size_t most_parameter_taps = 4096;

/// One call as a graph. Move-only.
struct call_graph {
  /// How the graph's handles end.
  struct destroy {
    /// Destroys a graph that no call uses.
    void operator()(cudaGraph_t graph) const { cudaGraphDestroy(graph); }
    /// The same for an executable one: waits for its last launch.
    void operator()(cudaGraphExec_t executable) const {
      cudaDeviceSynchronize();  // it may still run
      cudaGraphExecDestroy(executable);
    }
  };
  using graph = std::unique_ptr<std::remove_pointer_t<cudaGraph_t>, destroy>;
  graph made = nullptr;
  std::unique_ptr<std::remove_pointer_t<cudaGraphExec_t>, destroy> executable = nullptr;
  cudaGraphNode_t taps = nullptr;  ///< The kernel that stores the taps.
  const float* x = nullptr;        ///< The arrays of the graph.
  float* y = nullptr;
};

/// Plans and memory are kept, for signals and filters of one length. Move-only. The calls of one object must
/// follow each other: they share its memory.
class new_filter_convolver {
 public:
  /// For so many samples and taps; std::invalid_argument for more than most_parameter_taps where the taps are
  /// to be a parameter.
  new_filter_convolver(std::size_t samples, std::size_t taps, convolution_mode mode, new_filter_way way);
  /// std::invalid_argument where x, h or y has another length. Launches in the stream; h may change as soon
  /// as the call returns. Does not wait for the device, except that `copied` waits until h has been read if
  /// it is pinned memory. A graph is made in the first call, and made over where x or y is another array than
  /// in the call before.
  void operator()(device_span<const float> x, std::span<const float> h, device_span<float> y,
                  cudaStream_t stream = nullptr);

 private:
  void capture(device_span<const float> x, std::span<const float> h, device_span<float> y);

  new_filter_way way_;
  std::size_t samples_, outputs_;
  device_buffer<float> taps_;
  overlap_save_convolver<float> convolve_;
  stream work_;
  event begun_, made_;
  call_graph graph_;
};

}  // namespace tutorial
