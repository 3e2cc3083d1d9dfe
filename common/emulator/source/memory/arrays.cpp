// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "arrays.hpp"

#include "device_memory.hpp"

#include <algorithm>
#include <map>
#include <mutex>
#include <utility>

namespace cuda_emulator {
namespace {

// Never destroyed: the search for leaks comes after all that is.
std::mutex& arrays_mutex = *new std::mutex;
std::map<const void*, std::unique_ptr<cudaArray>>& arrays =
    *new std::map<const void*, std::unique_ptr<cudaArray>>;  // by their data

}  // namespace

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

std::string texel_type_text(const texel_type& type) {
  std::string name = type.kind == cudaChannelFormatKindUnsigned ? "u" : "";
  name += type.kind == cudaChannelFormatKindFloat ? (type.bytes == 2 ? "half" : "float")
          : type.bytes == 1                       ? "char"
          : type.bytes == 2                       ? "short"
                                                  : "int";
  if (type.components > 1) return name + std::to_string(type.components);
  return name[0] == 'u' ? "unsigned " + name.substr(1) : name == "char" ? "signed char" : name;
}

std::string array_at(const void* data) {
  const std::lock_guard lock(arrays_mutex);
  const auto found = arrays.find(data);
  if (found == arrays.end()) return {};
  const cudaArray& array = *found->second;
  texel_type type{};
  texel_type_of(array.format, type);
  std::string text = "an array of " + std::to_string(array.width);
  if (array.height != 0) text += " x " + std::to_string(array.height);
  const bool layers = array.is(cudaArrayLayered | cudaArrayCubemap);
  if (array.depth != 0 && !layers) text += " x " + std::to_string(array.depth);
  text += " elements of " + texel_type_text(type);
  if (layers)
    text += ", " + std::to_string(array.depth) + (array.is(cudaArrayCubemap) ? " faces" : " layers");
  return text;
}

bool is_array(const cudaArray* array) {
  const std::lock_guard lock(arrays_mutex);
  return std::any_of(arrays.begin(), arrays.end(),
                     [&](const auto& each) { return each.second.get() == array; });
}

void add_array(std::unique_ptr<cudaArray> array) {
  const std::lock_guard lock(arrays_mutex);
  const void* const data = array->data;
  arrays[data] = std::move(array);
}

void remove_array(const cudaArray* array) {
  const std::lock_guard lock(arrays_mutex);
  arrays.erase(array->data);
}

void forget_arrays() {
  const std::lock_guard lock(arrays_mutex);
  std::erase_if(arrays, [](const auto& each) { return device_memory::instance().of_current(each.first); });
}

}  // namespace cuda_emulator
