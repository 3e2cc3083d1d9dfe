// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// What the tests of fetches share. They hold on a GPU, too:
//   nvcc -std=c++20 -arch=native -c tests/textures/fetch.cu
//   nvcc -std=c++20 -DDOCTEST_CONFIG_IMPLEMENT_WITH_MAIN tests/textures/values.cpp fetch.o
#pragma once

#include <cstring>
#include <string>

#include "../emulator_test.hpp"
#include "fetch.hpp"
#include "formulas.hpp"

using formulas::reading;

/// The emulated device must return exactly what the formulas say. A GPU may weigh with fewer bits than double
/// precision has, and is allowed one step of the 8 bits per axis.
#ifdef ON_EMULATED_DEVICE
inline constexpr bool exact = true;
#else
inline constexpr bool exact = false;
#endif

inline std::string words_of(const reading& how) {
  const char* const modes[] = {"wrap", "clamp", "mirror", "border"};
  std::string words;
  for (const cudaTextureAddressMode mode : how.address) words += std::string(modes[mode]) + " ";
  if (how.linear) words += "linear ";
  if (how.normalized_float) words += "normalized_float ";
  return words + (how.normalized_coordinates ? "normalized_coordinates" : "");
}

/// The object must be destroyed.
inline cudaTextureObject_t texture_of(const cudaResourceDesc& resource, const reading& how) {
  cudaTextureDesc description;
  std::memset(&description, 0, sizeof description);
  for (int axis = 0; axis < 3; ++axis) description.addressMode[axis] = how.address[axis];
  description.filterMode = how.linear ? cudaFilterModeLinear : cudaFilterModePoint;
  description.readMode = how.normalized_float ? cudaReadModeNormalizedFloat : cudaReadModeElementType;
  description.normalizedCoords = how.normalized_coordinates;
  std::memcpy(description.borderColor, how.border, sizeof how.border);
  cudaTextureObject_t object = 0;
  require_success(cudaCreateTextureObject(&object, &resource, &description, nullptr));
  return object;
}

inline cudaResourceDesc resource_of(cudaResourceType type) {
  cudaResourceDesc resource;
  std::memset(&resource, 0, sizeof resource);
  resource.resType = type;
  return resource;
}

template <class R, class T>
R component(const T& value, int c) {
  R number;
  std::memcpy(&number, reinterpret_cast<const char*>(&value) + static_cast<std::size_t>(c) * sizeof number,
              sizeof number);
  return number;
}
