// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Which threads of the process are the program's, and which of them could still do something, asked while a
// kernel waits for a flag.
#pragma once

#include <sys/types.h>

namespace cuda_emulator {

/// The thread that calls belongs to the emulated device: it does nothing of its own accord.
void is_thread_of_device();

/// While it lives, its thread only waits for the device.
class waits_for_device {
 public:
  waits_for_device();
  ~waits_for_device();
  waits_for_device(const waits_for_device&) = delete;
};

/// Could a thread of the program other than `except` go on without the device? Those that wait for the
/// device, or for another thread without a limit of time, cannot. True where that is not known.
bool other_thread_may_act(pid_t except);

/// Does this memory belong to other processes, too? True where that is not known.
bool is_shared_by_processes(const volatile void* address);

}  // namespace cuda_emulator
