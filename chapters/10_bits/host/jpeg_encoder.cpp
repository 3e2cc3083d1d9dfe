// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "jpeg_encoder.hpp"

#include <stdexcept>

#include "09_dct_compression/kernels/fused_launch.hpp"
#include "common/device/check.hpp"

namespace tutorial {

std::size_t roomy_file_size(const jpeg_description& picture) {
  const std::size_t pixels = std::size_t(padded(picture.width)) * std::size_t(padded(picture.height));
  return 4096 + 2 * pixels * std::size_t(picture.channels);
}

std::vector<std::uint8_t> file_on_host(device_span<const std::uint8_t> file,
                                       const device_buffer<std::uint64_t>& size) {
  const std::uint64_t bytes = size.to_host()[0];
  if (bytes > file.size())
    throw std::runtime_error("a JPEG file of " + std::to_string(bytes) + " bytes: there is room for " +
                             std::to_string(file.size()));
  std::vector<std::uint8_t> result(bytes);
  check(cudaMemcpy(result.data(), file.data(), bytes, cudaMemcpyDeviceToHost));
  return result;
}

std::vector<std::uint8_t> encoded_file(jpeg_encoder& encoder, const jpeg_planes& planes,
                                       device_span<std::uint8_t> file) {
  device_buffer<std::uint64_t> size(1);
  encoder.encode(planes, file, size.data());
  return file_on_host(file, size);
}

namespace detail {

void require_planes(const jpeg_planes& planes, const jpeg_description& picture) {
  for (int c = 0; c < picture.channels; ++c) {
    const bool halves = c > 0 && picture.sampling == chroma_sampling::s420;
    const std::string name = "component " + std::to_string(c);
    require_size(planes.of[c], halves ? half_as_many(picture.width) : picture.width,
                 halves ? half_as_many(picture.height) : picture.height, name);
    require_aligned_rows(planes.of[c], 8, name);
  }
}

}  // namespace detail
}  // namespace tutorial
