// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
/// \file
/// Arrays and texture objects: what the host makes and kernels read through.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <string>
#include <vector>

#include "emulator/textures.hpp"
#include "tell/call_stack.hpp"

/// Rows without gaps, in memory of the device that has no address for programs.
struct cudaArray {
  cudaChannelFormatDesc format;
  std::size_t width, height, depth;  ///< In elements; height 0: one dimension, depth 0: two.
  char* data;
  std::size_t row_bytes;
  cuda_emulator::call_stack made_at;

  std::size_t rows() const { return height == 0 ? 1 : height; }
  std::size_t slices() const { return depth == 0 ? 1 : depth; }
  std::size_t element_bytes() const { return row_bytes / width; }
};

namespace cuda_emulator {

struct texture {
  cudaTextureObject_t handle;
  bool alive;
  cudaResourceDesc resource;
  cudaTextureDesc description;
  int dimensions;   ///< 1, 2 or 3
  bool linear;      ///< One row of linear memory: for tex1Dfetch() only.
  bool may_change;  ///< Kernels can write this memory.
  const char* data;
  std::size_t pitch;     ///< From row to row, in bytes. A slice follows the last row of the one before.
  std::int64_t size[3];  ///< In elements; 1 on axes that it has not.
  texel_type format;
  cudaTextureAddressMode address[3];  ///< As it is applied: wrap and mirror need normalized coordinates.
  bool normalized_read;               ///< Integers become floating point in [0, 1] or [-1, 1].
  call_stack made_at;

  unsigned element_bytes() const { return unsigned{format.bytes} * format.components; }
};

/// The newest texture object of the place that the handle names: look at `alive` and `handle`. Null: no such
/// place.
const texture* find_texture(cudaTextureObject_t handle);

/// False where textures cannot hold such elements.
bool texel_type_of(const cudaChannelFormatDesc& format, texel_type& type);

/// "a texture of 7 x 9 elements of uchar4 (made at a.cu:12)".
std::string texture_text(cudaTextureObject_t handle);
/// "texel (3, 5)".
std::string texel_text(cudaTextureObject_t handle, std::int64_t x, std::int64_t y, std::int64_t z);
/// "float4".
std::string texel_type_text(const texel_type& type);

/// Something that has not been freed, and who made it.
struct left_over {
  std::string what;
  call_stack made_at;
};
std::vector<left_over> textures_left();
/// The array whose elements lie at `data`, as "an array of 7 x 9 elements of float"; empty if none does.
std::string array_at(const void* data);
/// Null, and the error remembered, where that is no array.
const cudaArray* known_array(const cudaArray* array, cudaError_t& error);
/// cudaDeviceReset().
void forget_textures();
void forget_arrays();

/// cudaErrorNotSupported, with a line on standard error, once for each `what`: a GPU can do it.
cudaError_t say_not_emulated(const char* what);

}  // namespace cuda_emulator
