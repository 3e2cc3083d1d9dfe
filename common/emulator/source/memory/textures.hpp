// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Texture objects: what the host makes and kernels read through.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <string>
#include <vector>

#include "code/call_stack.hpp"
#include "emulator/textures.hpp"

namespace cuda_emulator {

struct texture {
  cudaTextureObject_t handle;
  bool alive;
  cudaResourceDesc resource;
  cudaTextureDesc description;
  texture_shape shape;
  int dimensions;   ///< 1, 2 or 3, layers and faces not among them
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

/// Gives it a handle. False where there are too many.
bool add_texture(texture made, cudaTextureObject_t& handle);
/// Null where it is none, or has been destroyed.
const texture* living_texture(cudaTextureObject_t handle);
/// False where it is none, or has been destroyed.
bool remove_texture(cudaTextureObject_t handle);

/// "a texture of 7 x 9 elements of uchar4 (made at a.cu:12)".
std::string texture_text(cudaTextureObject_t handle);
/// "texel (3, 5)".
std::string texel_text(cudaTextureObject_t handle, std::int64_t x, std::int64_t y, std::int64_t z);
/// Something that has not been freed, and who made it.
struct left_over {
  std::string what;
  call_stack made_at;
};
std::vector<left_over> textures_left();
/// cudaDeviceReset().
void forget_textures();

}  // namespace cuda_emulator
