// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Work that streams were given and have not done yet. An operation can run when all that comes before it by
// its clock has run; nothing else decides that. EMULATOR_ORDER=forward runs it at once, or as soon as it
// can run, in the order in which it was given. The other two orders keep it until the program needs it, or
// waits for it.
//
// To put an operation into a stream that blocks until something happens elsewhere, set `until` of its
// stream_call (enqueue.hpp). The operation, and what comes after it, is kept until its gate is open. Where
// something other than an operation of this process opens it, call look_again().
#pragma once

#include <functional>
#include <memory>

#include "emulator/export.hpp"
#include "work.hpp"

namespace cuda_emulator {

class gate {
 public:
  virtual ~gate() = default;
  /// May the operation run? Asked again and again, from the moment on when all before it has run. Called
  /// with the lock of all streams: must not call the runtime.
  virtual bool open() = 0;
  /// The host waits for this operation, or for one behind it, and nothing else can run: called every few
  /// milliseconds, without locks. May end the program.
  virtual void waited_for() {}
};

using work_body = std::function<void(work&)>;

/// How an operation is to be run.
struct manner {
  bool host_waits = false;  ///< The call that gives it to the stream returns when it is done.
  bool frees = false;       ///< Runs after all that was given before it, in any stream, if that can run.
  bool calls_host = false;  ///< Calls a function of the program, which may not outlive main().
  std::shared_ptr<gate> until{};
  bool may_wait = false;  ///< For what runs on another device: with several of them the host goes on then.
};

/// Memory for what a kept operation reads and the program may change. While there is much of it, streams go
/// on before they get more work.
std::shared_ptr<char[]> kept_bytes(std::size_t size);

/// Does the operation now, by `now`, or keeps what `keep` makes.
EMULATOR_FOR_LIBRARIES void give(work&& mine, const manner& how, const work_body& now,
                                 const std::function<work_body()>& keep);

/// Runs what is to be done until the clock says; returns when it is done. The host has not waited for it.
void run_until(const vector_clock& clock);
/// Runs all that can run: something needs it done that does not wait in CUDA's sense.
EMULATOR_FOR_LIBRARIES void run_kept();
/// Runs one operation that comes before `clock`, or that this needs. True: all before `clock` was done when
/// this was called.
bool run_some(const vector_clock& clock);
/// Runs one operation of all that can run: the program looks whether something has changed.
void run_some_kept();
/// Is all before `clock` done?
bool is_done(const vector_clock& clock);
/// Is anything kept?
bool anything_kept();
/// A gate may have opened.
EMULATOR_FOR_LIBRARIES void look_again();
/// What the thread of a device has found before explains what the host's thread finds now: it is said first.
void let_devices_conclude();
}  // namespace cuda_emulator
