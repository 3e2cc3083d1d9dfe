// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Programmatic dependent launch: the blocks of a kernel begin before the kernel in front of it has ended,
// and wait where they need what it makes. Since compute capability 9.0; on other devices, and on the
// emulated one, a kernel begins when the one before it has ended, and none of this does anything.
#pragma once

#include <cstddef>
#include <type_traits>

#include "common/device/check.hpp"
#include "common/device/device_attribute.hpp"

namespace tutorial {

// [early]
/// In the first kernel: the next kernel may begin.
__device__ __forceinline__ void let_the_next_begin() {
#if defined(__CUDA_ARCH__) && !defined(EMULATED_CUDA)
#if __CUDA_ARCH__ >= 900
  cudaTriggerProgrammaticLaunchCompletion();
#endif
#endif
}

/// In the next kernel: from here on, all that the first kernel has written is there. Before this, a thread
/// must not read it, not even through a cache that is for data which nothing changes (`__ldg`).
__device__ __forceinline__ void wait_for_the_one_before() {
#if defined(__CUDA_ARCH__) && !defined(EMULATED_CUDA)
#if __CUDA_ARCH__ >= 900
  cudaGridDependencySynchronize();
#endif
#endif
}

/// kernel<<<blocks, threads, bytes, stream>>>(arguments...), which may begin early. What was written by
/// the kernel before the previous one is there, if the previous one was launched in the ordinary way.
template <class... Parameters>
void launch_early(void (*kernel)(Parameters...), dim3 blocks, dim3 threads, std::size_t bytes,
                  cudaStream_t stream, const std::type_identity_t<Parameters>&... arguments) {
  cudaLaunchAttribute early{};
  early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  early.val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t how{};
  how.gridDim = blocks;
  how.blockDim = threads;
  how.dynamicSmemBytes = bytes;
  how.stream = stream;
  how.attrs = &early;
  how.numAttrs = device_attribute(cudaDevAttrComputeCapabilityMajor) >= 9 ? 1 : 0;
  check(cudaLaunchKernelEx(&how, kernel, arguments...));
}
// [early]

}  // namespace tutorial
