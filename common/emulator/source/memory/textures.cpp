// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Making, describing and destroying texture objects.
#include "textures.hpp"

#include <atomic>
#include <cstdio>
#include <mutex>
#include <set>
#include <string_view>

#include "copies.hpp"
#include "run/device_limits.hpp"
#include "runtime/errors.hpp"

namespace cuda_emulator {
namespace {

// A handle is a place in this table (from 1 on) and, above it, how often that place had been given away.
constexpr std::size_t most_textures = std::size_t{1} << 20;
std::atomic<texture*> places[most_textures];
std::size_t places_used = 0;
// Never destroyed: the search for leaks comes after all that is.
std::mutex& mutex = *new std::mutex;
std::vector<std::size_t>& free_places = *new std::vector<std::size_t>;

std::size_t place_of_handle(cudaTextureObject_t handle) { return (handle & 0xffffffff) - 1; }

/// Fills in what comes from the resource. What it refuses is what CUDA refuses.
cudaError_t bind(const cudaResourceDesc& resource, texture& t) {
  cudaChannelFormatDesc format{};
  t.size[1] = t.size[2] = 1;
  switch (resource.resType) {
    case cudaResourceTypeArray: {
      const cudaArray* const array = resource.res.array.array;
      if (array == nullptr) return remember(cudaErrorInvalidValue);
      if (array_at(array->data).empty()) return remember(cudaErrorInvalidResourceHandle);
      format = array->format;
      t.dimensions = array->depth != 0 ? 3 : array->height != 0 ? 2 : 1;
      t.data = array->data;
      t.pitch = array->row_bytes;
      t.size[0] = static_cast<std::int64_t>(array->width);
      t.size[1] = static_cast<std::int64_t>(array->rows());
      t.size[2] = static_cast<std::int64_t>(array->slices());
      return texel_type_of(format, t.format) ? cudaSuccess : remember(cudaErrorInvalidChannelDescriptor);
    }
    case cudaResourceTypeLinear: {
      const auto& memory = resource.res.linear;
      if (!texel_type_of(memory.desc, t.format)) return remember(cudaErrorInvalidChannelDescriptor);
      t.dimensions = 1;
      t.linear = true;
      t.size[0] = static_cast<std::int64_t>(memory.sizeInBytes / t.element_bytes());
      t.size[1] = 1;
      t.data = static_cast<const char*>(memory.devPtr);
      t.pitch = memory.sizeInBytes;
      if (t.size[0] == 0 || t.size[0] > limits::texture_1d_linear) return remember(cudaErrorInvalidValue);
      break;
    }
    case cudaResourceTypePitch2D: {
      const auto& memory = resource.res.pitch2D;
      if (!texel_type_of(memory.desc, t.format)) return remember(cudaErrorInvalidChannelDescriptor);
      const auto [most_width, most_height, most_pitch] = limits::texture_2d_linear;
      if (memory.width == 0 || memory.height == 0 || memory.width > static_cast<std::size_t>(most_width) ||
          memory.height > static_cast<std::size_t>(most_height) ||
          memory.pitchInBytes > static_cast<std::size_t>(most_pitch) ||
          memory.pitchInBytes % limits::texture_pitch_alignment != 0 ||
          memory.pitchInBytes < memory.width * t.element_bytes())
        return remember(cudaErrorInvalidValue);
      t.dimensions = 2;
      t.size[0] = static_cast<std::int64_t>(memory.width);
      t.size[1] = static_cast<std::int64_t>(memory.height);
      t.data = static_cast<const char*>(memory.devPtr);
      t.pitch = memory.pitchInBytes;
      break;
    }
    case cudaResourceTypeMipmappedArray:
      return say_not_emulated("a mipmapped array");
    default:
      return remember(cudaErrorInvalidValue);
  }
  t.may_change = true;
  // The runtime takes linear memory that is longer than its allocation; what is fetched from there is a finding.
  const std::size_t bytes = t.linear ? t.element_bytes()
                                     : static_cast<std::size_t>(t.size[1] - 1) * t.pitch +
                                           static_cast<std::size_t>(t.size[0]) * t.element_bytes();
  if (reinterpret_cast<std::uintptr_t>(t.data) % limits::texture_alignment != 0 || !on_device(t.data, bytes))
    return remember(cudaErrorInvalidValue);
  return cudaSuccess;
}

/// Fills in what comes from the description.
cudaError_t describe_reading(const cudaTextureDesc& d, texture& t) {
  if (d.sRGB != 0) return say_not_emulated("reading sRGB colors");
  for (int axis = 0; axis < 3; ++axis) {
    const cudaTextureAddressMode mode = d.addressMode[axis];
    if (axis < t.dimensions && (mode < cudaAddressModeWrap || mode > cudaAddressModeBorder))
      return remember(cudaErrorInvalidValue);
    const bool needs_normalized = mode == cudaAddressModeWrap || mode == cudaAddressModeMirror;
    t.address[axis] = needs_normalized && d.normalizedCoords == 0 ? cudaAddressModeClamp : mode;
  }
  if (d.filterMode != cudaFilterModePoint && d.filterMode != cudaFilterModeLinear)
    return remember(cudaErrorInvalidValue);
  if (d.readMode != cudaReadModeElementType && d.readMode != cudaReadModeNormalizedFloat)
    return remember(cudaErrorInvalidValue);
  const bool integers = t.format.kind != cudaChannelFormatKindFloat;
  if (d.readMode == cudaReadModeNormalizedFloat && integers && t.format.bytes == 4)
    return remember(cudaErrorInvalidNormSetting);
  t.normalized_read = d.readMode == cudaReadModeNormalizedFloat && integers;
  if (d.filterMode == cudaFilterModeLinear && integers && !t.normalized_read && !t.linear)
    return remember(cudaErrorInvalidFilterSetting);
  return cudaSuccess;
}

}  // namespace

cudaError_t say_not_emulated(const char* what) {
  static auto& said = *new std::set<std::string_view>;
  const std::lock_guard lock(mutex);
  if (said.insert(what).second)
    std::fprintf(stderr, "emulated device: %s is not emulated (see common/emulator/README.md).\n", what);
  return remember(cudaErrorNotSupported);
}

bool texel_type_of(const cudaChannelFormatDesc& format, texel_type& type) {
  if (format.f != cudaChannelFormatKindSigned && format.f != cudaChannelFormatKindUnsigned &&
      format.f != cudaChannelFormatKindFloat)
    return false;
  const int bits[4] = {format.x, format.y, format.z, format.w};
  int components = 0;
  while (components < 4 && bits[components] != 0) ++components;
  for (int i = 0; i < 4; ++i)
    if (bits[i] != (i < components ? format.x : 0)) return false;
  if (components == 0 || components == 3) return false;
  if (format.x != 32 && format.x != 16 && (format.x != 8 || format.f == cudaChannelFormatKindFloat))
    return false;
  type = {static_cast<std::uint8_t>(format.f), static_cast<std::uint8_t>(format.x / 8),
          static_cast<std::uint8_t>(components)};
  return true;
}

const texture* find_texture(cudaTextureObject_t handle) {
  const std::size_t place = place_of_handle(handle);
  return place < most_textures ? places[place].load(std::memory_order_acquire) : nullptr;
}

std::string texel_type_text(const texel_type& type) {
  std::string name = type.kind == cudaChannelFormatKindUnsigned ? "u" : "";
  name += type.kind == cudaChannelFormatKindFloat ? (type.bytes == 2 ? "half" : "float")
          : type.bytes == 1                       ? "char"
          : type.bytes == 2                       ? "short"
                                                  : "int";
  if (type.components > 1) return name + std::to_string(type.components);
  return name[0] == 'u' ? "unsigned " + name.substr(1) : name == "char" ? "signed char" : name;
}

namespace {
std::string shape_text(int dimensions, const std::int64_t (&size)[3], const texel_type& type) {
  std::string text = std::to_string(size[0]);
  for (int axis = 1; axis < dimensions; ++axis) text += " x " + std::to_string(size[axis]);
  return text + " elements of " + texel_type_text(type);
}
}  // namespace

std::string texture_text(cudaTextureObject_t handle) {
  const texture* const t = find_texture(handle);
  if (t == nullptr) return "what is no texture object (" + std::to_string(handle) + ")";
  if (t->handle != handle) return "a texture object that has been destroyed";
  const std::string line = line_of(t->made_at);
  return "a texture of " + shape_text(t->dimensions, t->size, t->format) +
         (line.empty() ? "" : " (made at " + line + ")") + (t->alive ? "" : ", which has been destroyed");
}

std::string texel_text(cudaTextureObject_t handle, std::int64_t x, std::int64_t y, std::int64_t z) {
  const texture* const t = find_texture(handle);
  if (t == nullptr || t->dimensions == 1) return "element " + std::to_string(x);
  return "texel (" + std::to_string(x) + ", " + std::to_string(y) +
         (t->dimensions == 3 ? ", " + std::to_string(z) : "") + ")";
}

std::vector<left_over> textures_left() {
  const std::lock_guard lock(mutex);
  std::vector<left_over> left;
  for (std::size_t i = 0; i < places_used; ++i) {
    const texture* const t = places[i];
    if (t->alive)
      left.push_back({"a texture object of " + shape_text(t->dimensions, t->size, t->format), t->made_at});
  }
  return left;
}

void forget_textures() {
  const std::lock_guard lock(mutex);
  for (std::size_t i = 0; i < places_used; ++i) {
    texture* const t = places[i];
    if (!t->alive) continue;
    t->alive = false;
    free_places.push_back(i);
  }
}

}  // namespace cuda_emulator

using namespace cuda_emulator;

cudaError_t cudaCreateTextureObject(cudaTextureObject_t* handle, const cudaResourceDesc* resource,
                                    const cudaTextureDesc* description, const cudaResourceViewDesc* view) {
  if (const cudaError_t error = stuck(); error != cudaSuccess) return error;
  if (handle == nullptr || resource == nullptr || description == nullptr)
    return remember(cudaErrorInvalidValue);
  if (view != nullptr) return say_not_emulated("another view of a resource");
  texture made{};
  made.alive = true;
  made.resource = *resource;
  made.description = *description;
  if (const cudaError_t error = bind(*resource, made); error != cudaSuccess) return error;
  if (const cudaError_t error = describe_reading(*description, made); error != cudaSuccess) return error;
  made.made_at = caller_outside();

  const std::lock_guard lock(mutex);
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
    return remember(cudaErrorMemoryAllocation);
  }
  *handle = places[place].load()->handle = before << 32 | (place + 1);
  return cudaSuccess;
}

namespace {
texture* alive(cudaTextureObject_t handle) {
  auto* const t = const_cast<texture*>(find_texture(handle));
  return t != nullptr && t->alive && t->handle == handle ? t : nullptr;
}
}  // namespace

cudaError_t cudaDestroyTextureObject(cudaTextureObject_t handle) {
  if (const cudaError_t error = wait_for_kernels(); error != cudaSuccess) return error;
  if (handle == 0) return cudaSuccess;
  const std::lock_guard lock(mutex);
  texture* const t = alive(handle);
  if (t == nullptr) return remember(cudaErrorInvalidValue);
  t->alive = false;
  free_places.push_back(place_of_handle(handle));
  return cudaSuccess;
}

cudaError_t cudaGetTextureObjectResourceDesc(cudaResourceDesc* resource, cudaTextureObject_t handle) {
  const texture* const t = alive(handle);
  if (t == nullptr || resource == nullptr) return remember(cudaErrorInvalidValue);
  *resource = t->resource;
  return cudaSuccess;
}

cudaError_t cudaGetTextureObjectTextureDesc(cudaTextureDesc* description, cudaTextureObject_t handle) {
  const texture* const t = alive(handle);
  if (t == nullptr || description == nullptr) return remember(cudaErrorInvalidValue);
  *description = t->description;
  return cudaSuccess;
}
