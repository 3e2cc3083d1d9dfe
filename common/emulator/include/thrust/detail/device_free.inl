// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Found before Thrust's own file of this name: gives back what thrust::device_malloc() has given.
#pragma once

#include <cuda_runtime_api.h>

#include <thrust/detail/config.h>
#include <thrust/device_free.h>

THRUST_NAMESPACE_BEGIN

void device_free(thrust::device_ptr<void> pointer) { cudaFree(pointer.get()); }

THRUST_NAMESPACE_END
