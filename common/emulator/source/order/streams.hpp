// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Streams, events and what the host has waited for: which operations come before which, by CUDA's rules.
//   An operation comes after all that its stream was given before, after all that the host had waited for
//   when it was called, and after the events that its stream waits for.
//   The default stream comes after all that the other streams were given, and they after it, but for those
//   made with cudaStreamNonBlocking. An event that is recorded in it, or that it waits for, counts as work.
//   An event that was never recorded does not, nor does a graph whose nodes do nothing. An allocation there
//   does not wait for the other streams.
// Threads of the host count as one, in the order in which they ran: what they tell each other is not seen.
#pragma once

#include <cuda_runtime_api.h>

#include <chrono>
#include <memory>
#include <span>

#include "clock.hpp"
#include "emulator/export.hpp"
#include "operation.hpp"

namespace cuda_emulator {
struct capture;
}

namespace cuda_emulator {
/// What streams had been given when an event was recorded, or the host asked.
struct point {
  vector_clock clock{};
  std::uint64_t unnoted = 0;  ///< Of the work that has no clock.
};
}  // namespace cuda_emulator

struct CUstream_st {
  unsigned int flags = 0;
  int priority = 0;
  unsigned long long id = 0;
  std::shared_ptr<const cuda_emulator::stream_label> label{};
  int device = 0;
  std::uint32_t timeline = 0;
  cuda_emulator::vector_clock clock{};  ///< When all that it was given has finished.
  std::shared_ptr<cuda_emulator::capture> capturing{};
  std::vector<std::size_t> captured_last{};  ///< Nodes that the next one comes after.
  cuda_emulator::point asked{};              ///< The host has asked whether this was done.

  bool is_blocking() const { return (flags & cudaStreamNonBlocking) == 0; }
  bool is_default() const { return label->kind == cuda_emulator::stream_label::which::legacy; }
};

struct CUevent_st {
  bool timed, recorded = false;
  int device = 0;
  std::shared_ptr<std::chrono::steady_clock::time_point> time{};
  cuda_emulator::point at{}, asked{};
  std::shared_ptr<cuda_emulator::capture> captured{};  ///< The event stands for a place in this capture:
  std::vector<std::size_t> nodes{};                    ///< after these of its nodes.
  std::shared_ptr<const cuda_emulator::stream_label> recorded_in{};
};

namespace cuda_emulator {

/// The stream that a handle stands for: null for one that is none, or is gone. 0 is the default stream of the
/// current device.
EMULATOR_FOR_LIBRARIES CUstream_st* find_stream(cudaStream_t handle);
bool lives(cudaEvent_t event);
CUstream_st* create_stream(unsigned int flags, int priority);
/// False where there is no such.
bool destroy_stream(cudaStream_t stream);
cudaEvent_t create_event(bool timed);
bool destroy_event(cudaEvent_t event);

/// The program is compiled with --default-stream per-thread: stream 0 is the thread's own.
extern bool per_thread_default;

/// What a stream was given so far has finished when the event has.
void record_event(CUevent_st& event, CUstream_st& stream);
void wait_for_event(CUstream_st& stream, const CUevent_st& event);

/// The host waits.
void host_waits_for(const CUstream_st& stream);
void host_waits_for(const CUevent_st& event);
void host_waits_for_device(int device);
/// The host asks whether it is done; where it is, that is as good as having waited. What nothing has waited
/// for is not done when the host asks for the first time, whatever the order. Asking again and again comes to
/// an end.
bool host_asks_for(CUstream_st& stream);
bool host_asks_for(CUevent_st& event);
/// cudaDeviceReset().
void forget_order(int device);
/// For calls of libraries that have streams of their own and return when the work is done. What this stream
/// is given next comes after what the default streams of these devices were given; of the program's other
/// streams it knows nothing.
EMULATOR_FOR_LIBRARIES CUstream_st& stream_of_library(std::span<const int> devices);
/// A copy between two devices comes after what both were given, and what they are given after it.
void joins_default_streams(int device, int other);

}  // namespace cuda_emulator
