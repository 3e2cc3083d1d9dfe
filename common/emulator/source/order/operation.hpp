// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Something that a stream has been told to do.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "clock.hpp"
#include "code/call_stack.hpp"
#include "watch/touched_pages.hpp"

namespace cuda_emulator {

/// How messages speak of a stream, also after it has been destroyed.
struct stream_label {
  enum class which { legacy, per_thread, created, of_library } kind;
  unsigned long long number = 0;  ///< 1 for the first one that the program created.
  bool waits_for_default = true;  ///< And the default stream waits for it.
  call_stack made_at{};
  int device = 0;

  /// "stream 2 (made at a.cu:7)", "the default stream"; where the program calls it `up`: "stream up
  /// (stream 2, made at a.cu:7)".
  std::string text(const std::string& name) const;
  /// "stream 2", as an argument of a call; "0" for the default stream.
  std::string argument() const;
};

/// A capture that has begun.
struct capture_begun {
  std::shared_ptr<const stream_label> stream;
  call_stack at;
};

struct operation {
  std::string what;            ///< "kernel scale_kernel", "cudaMemcpyAsync()"
  std::string launched_at{};   ///< Where a kernel was launched: "a.cu:12"; empty for calls
  call_stack called_at{};      ///< of the runtime.
  const char* verb = nullptr;  ///< "frees"; null: what the access is.
  std::string graph_at{};      ///< Where the graph was launched that it is a node of.
  std::shared_ptr<const stream_label> stream{};
  /// The capture that its thread had begun, where it was given to a stream that this does not capture.
  std::shared_ptr<const capture_begun> beside{};
  int device = 0;
  std::uint64_t number = 0;  ///< In the order in which the program gave them to streams.
  unsigned host_size = 0;    ///< Of an access of the host, which is no operation of a stream: its bytes.
  bool of_host = false;
  epoch at{};            ///< When it has finished.
  vector_clock start{};  ///< What has finished before it begins.
  /// The same once it runs, with what those before it have heard of others. With the lock of all streams.
  mutable vector_clock begins{};
  /// What it has heard of while it ran: by a flag, or by a message. And what that was after each flag.
  mutable vector_clock heard{};
  mutable std::vector<vector_clock> heard_first{};
  mutable unsigned releases = 0;

  /// It has so many ticks of its timeline. At the last one it has finished; the others are for what it
  /// releases before that.
  static constexpr std::uint64_t ticks = touch_mark::last + 1;
  epoch released(unsigned number) const {
    return {at.timeline, number == 0 ? at.tick : at.tick - ticks + number};
  }

  std::string place() const;
  /// What the program calls its stream where it gives this to it; empty where that is not known.
  std::string stream_name() const;
  /// Where the program gave it to the stream: the same, or the launch of its graph.
  std::string given_at() const { return graph_at.empty() ? place() : graph_at; }
};

}  // namespace cuda_emulator
