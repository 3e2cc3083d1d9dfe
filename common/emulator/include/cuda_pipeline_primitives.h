// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#pragma once

#include <cuda_runtime.h>

#ifdef __CUDACC__

#include <cstddef>
#include <cstdint>

#include "emulator/threads/ptx.hpp"

/// 4, 8 or 16 bytes, of which the last `zfill` become zero.
EMULATOR_DEVICE void __pipeline_memcpy_async(void* dst_shared, const void* src_global,
                                             std::size_t size_and_align, std::size_t zfill = 0) {
  cuda_emulator::ptx::copy_async(dst_shared, src_global, size_and_align, zfill);
}
/// What this thread has asked for since its last commit is a group.
EMULATOR_DEVICE void __pipeline_commit() { cuda_emulator::ptx::commit_copies(); }
/// Until all groups of this thread but the last `prior` have landed. CUDA leaves 8 at most.
EMULATOR_DEVICE void __pipeline_wait_prior(std::size_t prior) {
  cuda_emulator::ptx::wait_for_copies(prior < 8 ? static_cast<unsigned>(prior) : 8u);
}

/// A barrier in shared memory.
typedef std::uint64_t __mbarrier_t;
typedef std::uint64_t __mbarrier_token_t;

EMULATOR_DEVICE void __mbarrier_init(__mbarrier_t* barrier, std::uint32_t expected_count) {
  cuda_emulator::ptx::barrier_init(barrier, expected_count);
}
EMULATOR_DEVICE void __mbarrier_inval(__mbarrier_t* barrier) {
  cuda_emulator::ptx::barrier_invalidate(barrier);
}
EMULATOR_DEVICE __mbarrier_token_t __mbarrier_arrive(__mbarrier_t* barrier) {
  return cuda_emulator::ptx::barrier_arrive(barrier);
}
EMULATOR_DEVICE __mbarrier_token_t __mbarrier_arrive_and_drop(__mbarrier_t* barrier) {
  return cuda_emulator::ptx::barrier_arrive(barrier, 1, 0, true);
}
EMULATOR_DEVICE bool __mbarrier_test_wait(__mbarrier_t* barrier, __mbarrier_token_t token) {
  return cuda_emulator::ptx::barrier_wait(barrier, token, false);
}
EMULATOR_DEVICE bool __mbarrier_test_wait_parity(__mbarrier_t* barrier, bool parity) {
  return cuda_emulator::ptx::barrier_wait_parity(barrier, parity, false);
}
EMULATOR_DEVICE bool __mbarrier_try_wait(__mbarrier_t* barrier, __mbarrier_token_t token, std::uint32_t) {
  return cuda_emulator::ptx::barrier_wait(barrier, token, false);
}
EMULATOR_DEVICE bool __mbarrier_try_wait_parity(__mbarrier_t* barrier, bool parity, std::uint32_t) {
  return cuda_emulator::ptx::barrier_wait_parity(barrier, parity, false);
}
/// What this thread has asked for arrives at the barrier when it lands, beyond the arrivals that it expects.
EMULATOR_DEVICE void __pipeline_arrive_on(__mbarrier_t* barrier) {
  cuda_emulator::ptx::barrier_follow_copies(barrier, true);
}

#endif
