// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Threads for parts whose kernels wait for each other.
#pragma once

#include "15_many_gpus/host/part_flags.hpp"
#include "15_many_gpus/host/spread_signal.hpp"
#include "15_many_gpus/host/threads.hpp"

namespace tutorial {

/// Raises all flags of a part that others wait for so far that they wait for none of them any more. In a
/// stream of the part's device, which is current. Waits.
void release_others(const flag_messages& flags, cudaStream_t in);

/// work(p) for each part of the signal, each in a thread. Where one throws, the kernels of the others would
/// wait for its flags forever, so it raises them. Their results are of no use then: the signal has to be
/// brought anew. Throws what the first of them has thrown.
template <class T, class Work>
void in_threads_by_flags(spread_signal<T>& signal, typename spread_signal<T>::flag_user user, Work&& work) {
  const part_flags& flags = signal.flags(user);
  try {
    in_threads(signal.parts(), [&](int p) {
      try {
        work(p);
      } catch (...) {
        signal_part<T>& mine = signal.part(p);
        try {
          check(cudaSetDevice(mine.device()));
          cudaStreamSynchronize(mine.work);  // the steps before: others have launched them, too
          (void)cudaGetLastError();          // it would be taken for that of the next launch
          release_others(flags.of(p), mine.aside);
        } catch (const cuda_error&) {  // a device that does nothing any more: what it failed by says more
        }
        throw;
      }
    });
  } catch (...) {
    signal.forget_flags(user);
    throw;
  }
}

}  // namespace tutorial
