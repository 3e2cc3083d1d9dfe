// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Names that CUDA programs use and that are not here: using one is an error of the compiler, which says why
// and what to use instead.
#pragma once

#include "export.hpp"

namespace cuda_emulator {
template <class... T>
constexpr bool is_refused = true;
}

#define EMULATOR_REFUSE(name, why)                                            \
  template <class... Arguments>                                               \
  EMULATOR_DEVICE auto name(Arguments...) {                                   \
    static_assert(!cuda_emulator::is_refused<Arguments...>, #name "() " why); \
    return 0;                                                                 \
  }

// Gone from GPUs since Volta, and with CUDA 13 from the headers.
EMULATOR_REFUSE(__shfl, "does not say which lanes take part, and is gone: use __shfl_sync(mask, ...)")
EMULATOR_REFUSE(__shfl_up, "does not say which lanes take part, and is gone: use __shfl_up_sync(mask, ...)")
EMULATOR_REFUSE(__shfl_down,
                "does not say which lanes take part, and is gone: use __shfl_down_sync(mask, ...)")
EMULATOR_REFUSE(__shfl_xor, "does not say which lanes take part, and is gone: use __shfl_xor_sync(mask, ...)")
EMULATOR_REFUSE(__any, "does not say which lanes take part, and is gone: use __any_sync(mask, ...)")
EMULATOR_REFUSE(__all, "does not say which lanes take part, and is gone: use __all_sync(mask, ...)")
EMULATOR_REFUSE(__ballot, "does not say which lanes take part, and is gone: use __ballot_sync(mask, ...)")

#define EMULATOR_REFUSE_PTX(name) \
  EMULATOR_REFUSE(name, "is not emulated: inline PTX has no such addresses here")
EMULATOR_REFUSE_PTX(__cvta_generic_to_local)
EMULATOR_REFUSE_PTX(__cvta_generic_to_grid_constant)
EMULATOR_REFUSE_PTX(__cvta_local_to_generic)
EMULATOR_REFUSE_PTX(__cvta_grid_constant_to_generic)
#undef EMULATOR_REFUSE_PTX

EMULATOR_REFUSE(__barrier_sync, "is not emulated: use __syncthreads()")
EMULATOR_REFUSE(__barrier_sync_count, "is not emulated: use __syncthreads()")
EMULATOR_REFUSE(__u128AtomicCAS, "is not emulated: atomics have at most 8 bytes here")
EMULATOR_REFUSE(__u128AtomicExch, "is not emulated: atomics have at most 8 bytes here")
EMULATOR_REFUSE(__cluster_barrier_arrive, "is not emulated: there are no clusters here")
EMULATOR_REFUSE(__cluster_barrier_wait, "is not emulated: there are no clusters here")
EMULATOR_REFUSE(cudaGridDependencySynchronize,
                "is not emulated: a launch here begins when the one before has ended")
EMULATOR_REFUSE(cudaTriggerProgrammaticLaunchCompletion,
                "is not emulated: a launch here begins when the one before has ended")
#undef EMULATOR_REFUSE
