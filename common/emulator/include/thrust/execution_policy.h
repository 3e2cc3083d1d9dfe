// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Thrust's own header, and what it has where the device is a GPU: thrust::cuda::par, of which the emulated
// device makes what thrust::device is: a loop on the host that works on device memory. With on(stream) it
// comes after what the stream was given before, and has finished when it returns.
#pragma once

#include_next <thrust/execution_policy.h>

#include "../cuda_runtime.h"

namespace thrust {
namespace system {
namespace cuda {

struct par_t : thrust::system::cpp::detail::par_t {
  par_t on(cudaStream_t stream) const {
    cudaStreamSynchronize(stream);
    return *this;
  }
};
inline constexpr par_t par{}, par_nosync{};

}  // namespace cuda
}  // namespace system
namespace cuda {
using thrust::system::cuda::par;
using thrust::system::cuda::par_nosync;
}  // namespace cuda
}  // namespace thrust
