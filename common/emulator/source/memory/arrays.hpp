// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Arrays of CUDA, which only textures and surfaces can use.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <memory>
#include <string>

#include "emulator/textures.hpp"

/// Rows without gaps, in memory of the device that has no address for programs.
struct cudaArray {
  cudaChannelFormatDesc format;
  std::size_t width, height, depth;  ///< In elements; height 0: one dimension, depth 0: two.

  char* data;
  std::size_t row_bytes;
  unsigned flags;  ///< cudaArraySurfaceLoadStore, cudaArrayLayered, cudaArrayCubemap

  std::size_t rows() const { return height == 0 ? 1 : height; }
  std::size_t slices() const { return depth == 0 ? 1 : depth; }
  bool is(unsigned flag) const { return (flags & flag) != 0; }
  cuda_emulator::texture_shape shape() const {
    using enum cuda_emulator::texture_shape;
    if (is(cudaArrayCubemap)) return is(cudaArrayLayered) ? layered_cubemap : cubemap;
    if (is(cudaArrayLayered)) return height != 0 ? layered_plane : layered_line;
    return depth != 0 ? box : height != 0 ? plane : line;
  }
  std::size_t element_bytes() const { return row_bytes / width; }
};

namespace cuda_emulator {

/// False where textures cannot hold such elements.
bool texel_type_of(const cudaChannelFormatDesc& format, texel_type& type);

/// "float4".
std::string texel_type_text(const texel_type& type);

/// "an array of 7 x 9 elements of float", for that whose elements lie at `data`; empty if none does.
std::string array_at(const void* data);
bool is_array(const cudaArray* array);
void add_array(std::unique_ptr<cudaArray> array);
void remove_array(const cudaArray* array);
/// cudaDeviceReset().
void forget_arrays();

}  // namespace cuda_emulator
