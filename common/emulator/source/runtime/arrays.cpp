// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// The runtime's functions about arrays.
#include <algorithm>
#include <memory>

#include "copies.hpp"
#include "device/device_limits.hpp"
#include "device/errors.hpp"
#include "memory/arrays.hpp"
#include "memory/device_memory.hpp"
#include "refused_copies.hpp"
#include "tell/named_memory.hpp"

namespace cuda_emulator {
namespace {

/// The byte at (x, y) of the first slice, if a rectangle of this size from there on lies within it. CUDA
/// wants whole elements.
char* within(const cudaArray& array, std::size_t x, std::size_t y, std::size_t width, std::size_t height) {
  texel_type type{};
  texel_type_of(array.format, type);
  const std::size_t element = std::size_t{type.bytes} * type.components;
  if (x % element != 0 || width % element != 0) return nullptr;
  if (x > array.row_bytes || width > array.row_bytes - x) return nullptr;
  if (y > array.rows() || height > array.rows() - y) return nullptr;
  return array.data + y * array.row_bytes + x;
}

bool into_device(cudaMemcpyKind kind) {
  return kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice || kind == cudaMemcpyDefault;
}
bool out_of_device(cudaMemcpyKind kind) {
  return kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice || kind == cudaMemcpyDefault;
}

constexpr const char* array_direction = "an array is memory of the device, and the direction says the host's";

/// A run of bytes in an array is up to three blocks: the rest of a row, whole rows, the beginning of a row.
/// piece(byte of the array, bytes before it, width, height) copies one.
template <class Piece>
cudaError_t in_blocks(const cudaArray& array, std::size_t x, std::size_t y, std::size_t size, Piece piece) {
  const std::size_t all = array.row_bytes * array.rows(), before = array.row_bytes * y + x;
  if (x >= array.row_bytes || y >= array.rows() || size > all - before)
    return remember(cudaErrorInvalidValue, bytes(size) + " from byte " + std::to_string(x) + " of row " +
                                               std::to_string(y) + " on do not fit into " +
                                               array_at(array.data) + ", which has " + bytes(all));
  std::size_t done = 0;
  while (done < size) {
    const std::size_t row = array.row_bytes, rest = size - done;
    const bool whole = x == 0 && rest >= row;
    const std::size_t width = whole ? row : std::min(row - x, rest), height = whole ? rest / row : 1;
    if (const cudaError_t error = piece(array.data + y * row + x, done, width, height); error != cudaSuccess)
      return error;
    done += width * height;
    y += height;
    x = 0;
  }
  return cudaSuccess;
}

}  // namespace

const cudaArray* known_array(const cudaArray* array, cudaError_t& error) {
  error = wait_for_kernels();
  if (error != cudaSuccess) return nullptr;
  if (is_array(array)) return array;
  error = remember(array == nullptr ? cudaErrorInvalidValue : cudaErrorInvalidResourceHandle);
  return nullptr;
}

}  // namespace cuda_emulator

using namespace cuda_emulator;

cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, cudaChannelFormatKind kind) {
  return {x, y, z, w, kind};
}

cudaError_t cudaMalloc3DArray(cudaArray_t* array, const cudaChannelFormatDesc* format, cudaExtent extent,
                              unsigned int flags) {
  if (const cudaError_t error = stuck(); error != cudaSuccess) return error;
  texel_type type{};
  if (array == nullptr || format == nullptr) return remember(cudaErrorInvalidValue);
  *array = nullptr;
  if (!texel_type_of(*format, type)) return remember(cudaErrorInvalidChannelDescriptor);
  for (const auto& [flag, name] :
       {std::pair(cudaArrayTextureGather, "an array for gathering (cudaArrayTextureGather)"),
        {cudaArraySparse, "a sparse array (cudaArraySparse)"},
        {cudaArrayDeferredMapping, "cudaArrayDeferredMapping"}})
    if ((flags & static_cast<unsigned>(flag)) != 0) return say_not_emulated(name);
  if ((flags & ~unsigned{cudaArraySurfaceLoadStore | cudaArrayLayered | cudaArrayCubemap}) != 0)
    return remember(cudaErrorInvalidValue);
  const std::size_t width = extent.width, height = extent.height, depth = extent.depth;
  const int dimensions = depth != 0 ? 3 : height != 0 ? 2 : 1;
  const auto within = [](std::size_t size, int most) { return size <= static_cast<std::size_t>(most); };
  const auto within_3d = [&](const int(&most)[3]) {
    return within(width, most[0]) && within(height, most[1]) && within(depth, most[2]);
  };
  const bool layers = (flags & cudaArrayLayered) != 0, faces = (flags & cudaArrayCubemap) != 0;
  if (faces && (width != height || depth % 6 != 0 || (!layers && depth != 6)))
    return remember(cudaErrorInvalidValue, "a cubemap is as wide as high, and has 6 faces in each layer");
  const bool fits = layers || faces ? within(width, limits::texture_layered[0]) &&
                                          within(height, limits::texture_layered[0]) && depth != 0 &&
                                          within(depth, limits::texture_layered[1] * (faces ? 6 : 1))
                    : dimensions == 1 ? within(width, limits::texture_1d)
                    : dimensions == 2
                        ? within(width, limits::texture_2d[0]) && within(height, limits::texture_2d[1])
                        : within_3d(limits::texture_3d) || within_3d(limits::texture_3d_alternate);
  if (width == 0 || (depth != 0 && height == 0 && !layers) || !fits) return remember(cudaErrorInvalidValue);
  auto made = std::make_unique<cudaArray>();
  made->format = *format;
  made->width = width;
  made->height = height;
  made->depth = depth;
  made->flags = flags;
  made->row_bytes = width * type.bytes * type.components;
  made->data = static_cast<char*>(device_memory::instance().allocate(
      made->row_bytes * made->rows() * made->slices(), allocation_kind::device));
  if (made->data == nullptr) return remember(cudaErrorMemoryAllocation);
  *array = made.get();
  add_array(std::move(made));
  return cudaSuccess;
}
cudaError_t cudaMallocArray(cudaArray_t* array, const cudaChannelFormatDesc* format, std::size_t width,
                            std::size_t height, unsigned int flags) {
  return cudaMalloc3DArray(array, format, {width, height, 0}, flags);
}

cudaError_t cudaFreeArray(cudaArray_t array) {
  if (const cudaError_t error = wait_for_kernels(); error != cudaSuccess) return error;
  if (array == nullptr) return cudaSuccess;
  cudaError_t error;
  if (known_array(array, error) == nullptr) return error;
  if (error = check_caller(); error != cudaSuccess) return error;
  host_waits_for_device(device_memory::instance().device_of(array->data));  // as cudaFree() does
  device_memory::instance().release(array->data, allocation_kind::device);
  remove_array(array);
  return cudaSuccess;
}

cudaError_t cudaArrayGetInfo(cudaChannelFormatDesc* format, cudaExtent* extent, unsigned int* flags,
                             cudaArray_t array) {
  cudaError_t error;
  if (known_array(array, error) == nullptr) return error;
  if (format != nullptr) *format = array->format;
  if (extent != nullptr) *extent = {array->width, array->height, array->depth};
  if (flags != nullptr) *flags = array->flags;
  return cudaSuccess;
}
cudaError_t cudaGetChannelDesc(cudaChannelFormatDesc* format, cudaArray_const_t array) {
  cudaError_t error;
  if (known_array(array, error) == nullptr) return error;
  if (format == nullptr) return remember(cudaErrorInvalidValue);
  *format = array->format;
  return cudaSuccess;
}

namespace {

cudaError_t copy_to_array(const stream_call& call, cudaArray_t to, std::size_t to_x, std::size_t to_y,
                          const void* from, std::size_t from_pitch, std::size_t width, std::size_t height,
                          cudaMemcpyKind kind) {
  cudaError_t error;
  if (known_array(to, error) == nullptr) return error;
  if (!into_device(kind)) return remember(cudaErrorInvalidMemcpyDirection, array_direction);
  char* const begin = within(*to, to_x, to_y, width, height);
  if (begin == nullptr)
    return remember(cudaErrorInvalidValue, why_beyond_array(*to, to_x, to_y, width, height));
  return copy_2d(call, begin, to->row_bytes, from, from_pitch, width, height, kind);
}
cudaError_t copy_from_array(const stream_call& call, void* to, std::size_t to_pitch, cudaArray_const_t from,
                            std::size_t from_x, std::size_t from_y, std::size_t width, std::size_t height,
                            cudaMemcpyKind kind) {
  cudaError_t error;
  if (known_array(from, error) == nullptr) return error;
  if (!out_of_device(kind)) return remember(cudaErrorInvalidMemcpyDirection, array_direction);
  const char* const begin = within(*from, from_x, from_y, width, height);
  if (begin == nullptr)
    return remember(cudaErrorInvalidValue, why_beyond_array(*from, from_x, from_y, width, height));
  return copy_2d(call, to, to_pitch, begin, from->row_bytes, width, height, kind);
}

}  // namespace

cudaError_t cudaMemcpy2DToArray(cudaArray_t to, std::size_t to_x, std::size_t to_y, const void* from,
                                std::size_t from_pitch, std::size_t width, std::size_t height,
                                cudaMemcpyKind kind) {
  return copy_to_array({"cudaMemcpy2DToArray"}, to, to_x, to_y, from, from_pitch, width, height, kind);
}
cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t to, std::size_t to_x, std::size_t to_y, const void* from,
                                     std::size_t from_pitch, std::size_t width, std::size_t height,
                                     cudaMemcpyKind kind, cudaStream_t stream) {
  return copy_to_array({"cudaMemcpy2DToArrayAsync", stream, true}, to, to_x, to_y, from, from_pitch, width,
                       height, kind);
}

cudaError_t cudaMemcpy2DFromArray(void* to, std::size_t to_pitch, cudaArray_const_t from, std::size_t from_x,
                                  std::size_t from_y, std::size_t width, std::size_t height,
                                  cudaMemcpyKind kind) {
  return copy_from_array({"cudaMemcpy2DFromArray"}, to, to_pitch, from, from_x, from_y, width, height, kind);
}
cudaError_t cudaMemcpy2DFromArrayAsync(void* to, std::size_t to_pitch, cudaArray_const_t from,
                                       std::size_t from_x, std::size_t from_y, std::size_t width,
                                       std::size_t height, cudaMemcpyKind kind, cudaStream_t stream) {
  return copy_from_array({"cudaMemcpy2DFromArrayAsync", stream, true}, to, to_pitch, from, from_x, from_y,
                         width, height, kind);
}

cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t to, std::size_t to_x, std::size_t to_y,
                                     cudaArray_const_t from, std::size_t from_x, std::size_t from_y,
                                     std::size_t width, std::size_t height, cudaMemcpyKind kind) {
  cudaError_t error;
  if (known_array(to, error) == nullptr || known_array(from, error) == nullptr) return error;
  if (!into_device(kind) || !out_of_device(kind))
    return remember(cudaErrorInvalidMemcpyDirection, array_direction);
  char* const target = within(*to, to_x, to_y, width, height);
  const char* const origin = within(*from, from_x, from_y, width, height);
  if (target == nullptr)
    return remember(cudaErrorInvalidValue, why_beyond_array(*to, to_x, to_y, width, height));
  if (origin == nullptr)
    return remember(cudaErrorInvalidValue, why_beyond_array(*from, from_x, from_y, width, height));
  return copy_2d({"cudaMemcpy2DArrayToArray"}, target, to->row_bytes, origin, from->row_bytes, width, height,
                 cudaMemcpyDeviceToDevice);
}

cudaError_t cudaMemcpyToArray(cudaArray_t to, std::size_t to_x, std::size_t to_y, const void* from,
                              std::size_t size, cudaMemcpyKind kind) {
  cudaError_t error;
  if (known_array(to, error) == nullptr) return error;
  if (!into_device(kind)) return remember(cudaErrorInvalidMemcpyDirection, array_direction);
  return in_blocks(*to, to_x, to_y, size,
                   [&](char* at, std::size_t done, std::size_t width, std::size_t rows) {
                     return copy_2d({"cudaMemcpyToArray"}, at, to->row_bytes,
                                    static_cast<const char*>(from) + done, width, width, rows, kind);
                   });
}
cudaError_t cudaMemcpyFromArray(void* to, cudaArray_const_t from, std::size_t from_x, std::size_t from_y,
                                std::size_t size, cudaMemcpyKind kind) {
  cudaError_t error;
  if (known_array(from, error) == nullptr) return error;
  if (!out_of_device(kind)) return remember(cudaErrorInvalidMemcpyDirection, array_direction);
  return in_blocks(*from, from_x, from_y, size,
                   [&](char* at, std::size_t done, std::size_t width, std::size_t rows) {
                     return copy_2d({"cudaMemcpyFromArray"}, static_cast<char*>(to) + done, width, at,
                                    from->row_bytes, width, rows, kind);
                   });
}
