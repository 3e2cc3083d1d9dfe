// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "textures.hpp"

#include <atomic>
#include <mutex>

#include "arrays.hpp"
#include "device_memory.hpp"

namespace cuda_emulator {
namespace {

// A handle is a place in this table (from 1 on) and, above it, how often that place had been given away.
constexpr std::size_t most_textures = std::size_t{1} << 20;
std::atomic<texture*> places[most_textures];
std::size_t places_used = 0;
// Never destroyed: the search for leaks comes after all that is.
std::mutex& textures_mutex = *new std::mutex;
std::vector<std::size_t>& free_places = *new std::vector<std::size_t>;

std::size_t place_of_handle(cudaTextureObject_t handle) { return (handle & 0xffffffff) - 1; }

}  // namespace

const texture* find_texture(cudaTextureObject_t handle) {
  const std::size_t place = place_of_handle(handle);
  return place < most_textures ? places[place].load(std::memory_order_acquire) : nullptr;
}

namespace {
std::string shape_text(const texture& t) {
  std::string text = std::to_string(t.size[0]);
  for (int axis = 1; axis < t.dimensions; ++axis) text += " x " + std::to_string(t.size[axis]);
  text += " elements of " + texel_type_text(t.format);
  if (t.shape <= texture_shape::box) return text;
  return text + ", " + std::to_string(t.size[2]) + (t.shape < texture_shape::cubemap ? " layers" : " faces");
}
}  // namespace

std::string texture_text(cudaTextureObject_t handle) {
  const texture* const t = find_texture(handle);
  if (t == nullptr) return "what is no texture object (" + std::to_string(handle) + ")";
  if (t->handle != handle) return "a texture object that has been destroyed";
  const std::string line = line_of(t->made_at);
  return "a texture of " + shape_text(*t) + (line.empty() ? "" : " (made at " + line + ")") +
         (t->alive ? "" : ", which has been destroyed");
}

std::string texel_text(cudaTextureObject_t handle, std::int64_t x, std::int64_t y, std::int64_t z) {
  const texture* const t = find_texture(handle);
  const std::string layer =
      t == nullptr || t->shape <= texture_shape::box
          ? ""
          : (t->shape < texture_shape::cubemap ? " of layer " : " of face ") + std::to_string(z);
  if (t == nullptr || t->dimensions == 1) return "element " + std::to_string(x) + layer;
  return "texel (" + std::to_string(x) + ", " + std::to_string(y) +
         (t->dimensions == 3 ? ", " + std::to_string(z) : "") + ")" + layer;
}

std::vector<left_over> textures_left() {
  const std::lock_guard lock(textures_mutex);
  std::vector<left_over> left;
  for (std::size_t i = 0; i < places_used; ++i) {
    const texture* const t = places[i];
    if (t->alive) left.push_back({"a texture object of " + shape_text(*t), t->made_at});
  }
  return left;
}

void forget_textures() {
  const std::lock_guard lock(textures_mutex);
  for (std::size_t i = 0; i < places_used; ++i) {
    texture* const t = places[i];
    if (!t->alive || !device_memory::instance().of_current(t->data)) continue;
    t->alive = false;
    free_places.push_back(i);
  }
}

bool add_texture(texture made, cudaTextureObject_t& handle) {
  const std::lock_guard lock(textures_mutex);
  std::size_t place = places_used;
  std::uint64_t before = 0;
  if (!free_places.empty()) {
    place = free_places.back();
    free_places.pop_back();
    before = (places[place].load()->handle >> 32) + 1;
    *places[place].load() = made;
  } else if (places_used < most_textures) {
    places[places_used++] = new texture(made);
  } else {
    return false;
  }
  handle = places[place].load()->handle = before << 32 | (place + 1);
  return true;
}

const texture* living_texture(cudaTextureObject_t handle) {
  const texture* const t = find_texture(handle);
  return t != nullptr && t->alive && t->handle == handle ? t : nullptr;
}

bool remove_texture(cudaTextureObject_t handle) {
  const std::lock_guard lock(textures_mutex);
  auto* const t = const_cast<texture*>(living_texture(handle));
  if (t == nullptr) return false;
  t->alive = false;
  free_places.push_back(place_of_handle(handle));
  return true;
}

}  // namespace cuda_emulator
