// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// The filters of spread_filters.hpp that exchange halos by NCCL. Each part needs a device of its own, and
// rank p of `ranks` has part p and its device; std::invalid_argument otherwise. Where a part fails in the
// middle of the work, the others wait for it, and the call may not return.
#pragma once

#include "15_many_gpus/kernels/spread_filters.hpp"
#include "check_nccl.hpp"

namespace tutorial {

/// NCCL's name of T.
template <class T>
constexpr ncclDataType_t nccl_type();
template <>
constexpr ncclDataType_t nccl_type<std::int32_t>() {
  return ncclInt32;
}
template <>
constexpr ncclDataType_t nccl_type<float>() {
  return ncclFloat32;
}
template <>
constexpr ncclDataType_t nccl_type<double>() {
  return ncclFloat64;
}

// [exchange]
/// What part p sends of x in this buffer, and what it receives: one group, or a part of one.
template <class T>
void exchange_halos(signal_part<T>& mine, int p, const signal_split& split, int buffer, ncclComm_t comm,
                    cudaStream_t in) {
  nccl_group group;
  for (const halo_message& each : split.messages_from(p))
    check(ncclSend(mine.at(buffer, each.samples.begin), each.samples.size(), nccl_type<T>(), each.to, comm,
                   in));
  for (const halo_message& each : split.messages_to(p))
    check(ncclRecv(mine.at(buffer, each.samples.begin), each.samples.size(), nccl_type<T>(), each.from, comm,
                   in));
  group.end();
}
// [exchange]

// [rank]
/// What one rank does, whether it is a thread or a process: `steps` steps, beginning with `buffer`. Its
/// device is current. Waits.
template <class T>
void filter_as_rank(signal_part<T>& mine, int p, const signal_split& split, int buffer, ncclComm_t comm,
                    int steps) {
  for (int s = 0; s < steps; ++s, buffer = 1 - buffer) {
    exchange_halos(mine, p, split, buffer, comm, mine.work);
    mine.filter(buffer);
  }
  mine.work.wait();
}
// [rank]

/// One thread gives all devices their work, and the calls of a step are one group.
template <class T>
void filter_nccl_group(spread_signal<T>& signal, const nccl_ranks& ranks, int steps);

/// A thread of the host for each device.
template <class T>
void filter_thread_per_device(spread_signal<T>& signal, const nccl_ranks& ranks, int steps);

/// Likewise, and each exchange runs beside the outputs that need no halo.
template <class T>
void filter_beside_interior(spread_signal<T>& signal, const nccl_ranks& ranks, int steps);

/// Likewise, with an exchange for signal.steps_each() steps: its halo is as many times wider, and each part
/// computes some outputs that others own.
template <class T>
void filter_several_steps(spread_signal<T>& signal, const nccl_ranks& ranks, int steps);

/// Throws std::invalid_argument unless the ranks are as above.
template <class T>
void require_ranks(spread_signal<T>& signal, const nccl_ranks& ranks) {
  if (!signal.one_part_a_device() || signal.parts() != ranks.size())
    throw std::invalid_argument("NCCL needs a device and a rank for each part");
}

}  // namespace tutorial
