// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// The runtime's functions about texture objects.
#include "memory/textures.hpp"

#include "copies.hpp"
#include "device/device_limits.hpp"
#include "device/errors.hpp"
#include "memory/arrays.hpp"
#include "order/graph.hpp"

namespace cuda_emulator {
namespace {

/// Fills in what comes from the resource. What it refuses is what CUDA refuses.
cudaError_t bind(const cudaResourceDesc& resource, texture& t) {
  cudaChannelFormatDesc format{};
  t.size[1] = t.size[2] = 1;
  switch (resource.resType) {
    case cudaResourceTypeArray: {
      const cudaArray* const array = resource.res.array.array;
      if (array == nullptr) return remember(cudaErrorInvalidValue);
      if (!is_array(array)) return remember(cudaErrorInvalidResourceHandle);
      format = array->format;
      t.shape = array->shape();
      t.dimensions = t.shape == texture_shape::box ? 3 : array->height != 0 ? 2 : 1;
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
      t.shape = texture_shape::line;
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
      t.shape = texture_shape::plane;
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
  // The runtime takes linear memory that is longer than its allocation; what is fetched from there is a
  // finding.
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
}  // namespace cuda_emulator

using namespace cuda_emulator;

cudaError_t cudaCreateTextureObject(cudaTextureObject_t* handle, const cudaResourceDesc* resource,
                                    const cudaTextureDesc* description, const cudaResourceViewDesc* view) {
  if (const cudaError_t error = stuck(); error != cudaSuccess) return error;
  if (handle == nullptr || resource == nullptr || description == nullptr)
    return remember(cudaErrorInvalidValue);
  if (view != nullptr) return say_not_emulated("another view of a resource");
  if (const cudaError_t error = check_safe_call(); error != cudaSuccess) return error;  // as on an H200
  texture made{};
  made.alive = true;
  made.resource = *resource;
  made.description = *description;
  if (const cudaError_t error = bind(*resource, made); error != cudaSuccess) return error;
  if (const cudaError_t error = describe_reading(*description, made); error != cudaSuccess) return error;
  made.made_at = caller_outside();

  return add_texture(made, *handle) ? cudaSuccess : remember(cudaErrorMemoryAllocation);
}

cudaError_t cudaDestroyTextureObject(cudaTextureObject_t handle) {
  run_kept();  // kernels may fetch from it
  if (const cudaError_t error = wait_for_kernels(); error != cudaSuccess) return error;
  if (handle == 0) return cudaSuccess;
  return remove_texture(handle) ? cudaSuccess : remember(cudaErrorInvalidValue);
}

cudaError_t cudaGetTextureObjectResourceDesc(cudaResourceDesc* resource, cudaTextureObject_t handle) {
  const texture* const t = living_texture(handle);
  if (t == nullptr || resource == nullptr) return remember(cudaErrorInvalidValue);
  *resource = t->resource;
  return cudaSuccess;
}

cudaError_t cudaGetTextureObjectTextureDesc(cudaTextureDesc* description, cudaTextureObject_t handle) {
  const texture* const t = living_texture(handle);
  if (t == nullptr || description == nullptr) return remember(cudaErrorInvalidValue);
  *description = t->description;
  return cudaSuccess;
}
