// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "surfaces.hpp"

#include <map>
#include <mutex>

namespace cuda_emulator {
namespace {

// Never destroyed: the search for leaks comes after all that is.
std::mutex& surfaces_mutex = *new std::mutex;
std::map<cudaSurfaceObject_t, surface>& surfaces = *new std::map<cudaSurfaceObject_t, surface>;
cudaSurfaceObject_t last_handle = 1ull << 40;  // no number is used again, and none is a texture's

}  // namespace

cudaSurfaceObject_t add_surface(const surface& made) {
  const std::lock_guard lock(surfaces_mutex);
  surfaces.emplace(++last_handle, made);
  return last_handle;
}

std::optional<surface> surface_of(cudaSurfaceObject_t handle) {
  const std::lock_guard lock(surfaces_mutex);
  const auto found = surfaces.find(handle);
  return found != surfaces.end() ? std::optional(found->second) : std::nullopt;
}

bool remove_surface(cudaSurfaceObject_t handle) {
  const std::lock_guard lock(surfaces_mutex);
  return surfaces.erase(handle) != 0;
}

std::vector<left_over> surfaces_left() {
  const std::lock_guard lock(surfaces_mutex);
  std::vector<left_over> all;
  for (const auto& [handle, s] : surfaces) all.push_back({"a surface object", s.made_at});
  return all;
}

void forget_surfaces() {
  const std::lock_guard lock(surfaces_mutex);
  surfaces.clear();
}

}  // namespace cuda_emulator
