// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Surface objects, through which kernels read and write arrays.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "code/call_stack.hpp"
#include "textures.hpp"

namespace cuda_emulator {

struct surface {
  cudaResourceDesc resource;
  texture_shape shape;
  char* data;
  std::int64_t size[3];  ///< The first in bytes.
  call_stack made_at;
};

cudaSurfaceObject_t add_surface(const surface& made);
/// Nothing where there is no such object.
std::optional<surface> surface_of(cudaSurfaceObject_t handle);
bool remove_surface(cudaSurfaceObject_t handle);

std::vector<left_over> surfaces_left();
/// cudaDeviceReset().
void forget_surfaces();

}  // namespace cuda_emulator
