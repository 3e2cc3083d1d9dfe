// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "file_to_host.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "common/device/ceil_div.hpp"
#include "common/device/check.hpp"

namespace tutorial {
namespace {

constexpr int threads = 256;

// [to_host]
/// Each thread copies a word of 16 bytes per turn; the last bytes of the file are copied one by one.
__global__ void file_to_host_kernel(const std::uint8_t* file, const std::uint64_t* size, std::uint64_t most,
                                    std::uint8_t* host, std::uint64_t* host_size) {
  const std::uint64_t bytes = *size, words = bytes / 16;
  const std::uint64_t first = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (first == 0) *host_size = bytes;
  if (bytes > most) return;
  for (std::uint64_t i = first; i < words; i += std::uint64_t{gridDim.x} * blockDim.x)
    reinterpret_cast<uint4*>(host)[i] = reinterpret_cast<const uint4*>(file)[i];
  if (first < bytes % 16) host[16 * words + first] = file[16 * words + first];
}
// [to_host]

}  // namespace

void host_file::bring(device_span<const std::uint8_t> file, const std::uint64_t* size, cudaStream_t stream) {
  most_ = std::min(file.size(), bytes_.span().size());
  // As many blocks as the host link needs to be busy; a file of any length is theirs.
  const std::size_t blocks = std::clamp<std::size_t>(ceil_div(most_, std::size_t{16 * threads}), 1, 128);
  file_to_host_kernel<<<unsigned(blocks), threads, 0, stream>>>(file.data(), size, most_, bytes_.data(),
                                                                size_.data());
  check(cudaGetLastError());
}

std::span<const std::uint8_t> host_file::wait(cudaStream_t stream) {
  check(cudaStreamSynchronize(stream));
  const std::uint64_t bytes = size_.span()[0];
  if (bytes > most_)
    throw std::runtime_error("a JPEG file of " + std::to_string(bytes) + " bytes: there is room for " +
                             std::to_string(most_));
  return {bytes_.data(), bytes};
}

}  // namespace tutorial
