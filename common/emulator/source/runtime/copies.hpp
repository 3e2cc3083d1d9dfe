// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// What copies of memory and copies of arrays share.
#pragma once

#include <cuda_runtime_api.h>

#include "memory/device_memory.hpp"
#include "order/enqueue.hpp"

namespace cuda_emulator {

/// Rows of bytes, `pitch` apart, `rows` of them in a slice.
struct rows {
  char* begin;
  std::size_t pitch, rows;

  char* row(std::size_t y, std::size_t z) const { return begin + (z * rows + y) * pitch; }
  /// From the first byte of such a box to its last one. None of the three may be 0.
  std::size_t reach(const cudaExtent& box) const {
    return ((box.depth - 1) * rows + box.height - 1) * pitch + box.width;
  }
};

/// All bytes in a row. Checks what a GPU would, and remembers the error.
cudaError_t copy(const stream_call& call, void* to, const void* from, std::size_t size, cudaMemcpyKind kind);

/// A box of bytes, that begins where both begin, copied or filled by `call`. Checks what a GPU would, and
/// remembers the error.
cudaError_t copy_3d(const stream_call& call, const rows& to, const rows& from, const cudaExtent& extent,
                    cudaMemcpyKind kind);
cudaError_t fill_3d(const stream_call& call, const rows& to, int value, const cudaExtent& extent);

/// The same in one slice: `height` rows of `width` bytes, the pitches apart. Checks what a GPU would, and
/// remembers the error.
cudaError_t copy_2d(const stream_call& call, void* to, std::size_t to_pitch, const void* from,
                    std::size_t from_pitch, std::size_t width, std::size_t height, cudaMemcpyKind kind);

/// The same by what cudaMemcpy3D() is given, arrays included.
cudaError_t copy_box(const stream_call& call, const cudaMemcpy3DParms* parameters);

/// Do all of these bytes belong to one allocation (or variable) that kernels can use?
bool on_device(const void* address, std::size_t size);

/// Null, and the error remembered, where that is no array.
const cudaArray* known_array(const cudaArray* array, cudaError_t& error);

/// What cudaMalloc() and its like do; a pointer to no bytes is null.
cudaError_t allocate(void** pointer, std::size_t size, allocation_kind kind, unsigned int flags = 0);
cudaError_t release(void* pointer, allocation_kind kind);
/// In the order of a stream, by the function of this name.
cudaError_t allocate_async(const char* function, void** pointer, std::size_t size, cudaStream_t stream);

}  // namespace cuda_emulator
