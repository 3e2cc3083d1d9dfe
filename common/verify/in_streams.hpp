// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// A function that takes a stream, in a graph and in two streams at once.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <exception>
#include <string>
#include <thread>

#include "common/device/check.hpp"
#include "common/device/plane.hpp"
#include "common/device/stream.hpp"

namespace tutorial {

/// What a function that takes a stream is said to bear.
struct stream_use {
  bool recorded = true;  ///< It can be recorded in a graph.
  bool at_once = true;   ///< Two calls can be under way, where they have memory of their own.
};

/// What is wrong with a function that is recorded in a graph, which must compute again with other data.
template <class Work>
std::string failure_in_graph(Work& work) {
  const stream recorded;
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t ready = nullptr;
  work.renew(1);
  check(cudaStreamBeginCapture(recorded, cudaStreamCaptureModeThreadLocal));
  work.launch(recorded);
  check(cudaStreamEndCapture(recorded, &graph));
  check(cudaGraphInstantiate(&ready, graph, 0));
  std::string failure = work.is_right() ? "it is computed while it is recorded" : "";
  for (int seed = 2; seed <= 3; ++seed) {
    work.renew(seed);
    check(cudaGraphLaunch(ready, recorded));
    recorded.wait();
    if (!work.is_right()) failure = "wrong in a graph, with data " + std::to_string(seed);
  }
  check(cudaGraphExecDestroy(ready));
  check(cudaGraphDestroy(graph));
  return failure;
}

/// What is wrong with a function that should launch in any stream; empty: nothing. Work has
///     launch(stream)   calls it
///     renew(seed)      puts other data where it reads, and poisons where it writes, and waits
///     is_right()       compares with what these data should give
/// The call is recorded in a graph. Then two threads call it at once, each in a stream of its own, with the
/// memory of `one` and of `other`; where that is not allowed, one after the other, in two streams.
template <class Work>
std::string failure_in_streams(Work& one, Work& other, stream_use use = {}) {
  std::string failure = use.recorded ? failure_in_graph(one) : "";
  one.renew(4), other.renew(5);
  std::exception_ptr thrown[2];
  const auto call = [&](Work& work, std::exception_ptr& problem) {
    try {
      const stream own;
      for (int i = 0; i < 3; ++i) work.launch(own);
      own.wait();
    } catch (...) {
      problem = std::current_exception();
    }
  };
  std::thread beside([&] { call(other, thrown[1]); });
  if (!use.at_once) beside.join();
  call(one, thrown[0]);
  if (use.at_once) beside.join();
  for (const std::exception_ptr& problem : thrown)
    if (problem) std::rethrow_exception(problem);
  if (!one.is_right() || !other.is_right()) failure = "wrong in two streams";
  return failure;
}

/// The same for run(kept, from, to, stream), which makes a plane of another one and has memory of its own to
/// keep. Right is what it makes in the default stream, where other checks have looked at it.
template <class From, class To, class Kept, class Run>
std::string failure_of_planes_in_streams(int width, int height,
                                         plane<From> (*make)(int width, int height, std::uint64_t seed),
                                         const Run& run) {
  struct work {
    int width, height;
    plane<From> (*make)(int, int, std::uint64_t);
    const Run& run;
    Kept kept = {};
    device_plane<From> from = device_plane<From>(width, height);
    device_plane<To> to = device_plane<To>(width, height), expected = device_plane<To>(width, height);

    void launch(cudaStream_t stream) { run(kept, from.span(), to.span(), stream); }
    void renew(int seed) {
      from.copy_from(make(width, height, std::uint64_t(seed)));
      to.copy_from(plane<To>(width, height, To(77)));
      check(cudaDeviceSynchronize());
    }
    bool is_right() {
      run(kept, from.span(), expected.span(), nullptr);
      return to.to_host() == expected.to_host();
    }
  };
  work one{width, height, make, run}, other{width, height, make, run};
  for (work* const each : {&one, &other}) {
    each->renew(0);
    (void)each->is_right();  // what it makes once and keeps, as a texture, is made outside of a graph
  }
  return failure_in_streams(one, other);
}

}  // namespace tutorial
