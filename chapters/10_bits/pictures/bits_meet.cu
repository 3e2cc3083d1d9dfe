// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Eight threads pack codes of different lengths, as the kernels of this chapter do. Run with a trace, it
// becomes the picture of this folder (docs/write/redraw).
#include <cstdint>
#include <vector>

#include "common/device/device_memory.hpp"

namespace {

__global__ void pack_kernel(const int* begins, std::uint32_t* words) {
  const int t = threadIdx.x, begin = begins[t], end = begins[t + 1];
  const std::uint32_t ones = ~0u << (32 - (end - begin));
  const int shift = begin % 32;
  atomicOr(words + begin / 32, ones >> shift);
  if (shift + end - begin > 32) atomicOr(words + begin / 32 + 1, ones << (32 - shift));
}

}  // namespace

int main() {
  using namespace tutorial;
  const device_buffer<int> begins(std::vector<int>{0, 14, 37, 46, 51, 72, 80, 93, 103});
  device_buffer<std::uint32_t> words(std::vector<std::uint32_t>(4, 0));
  pack_kernel<<<1, 8>>>(begins.data(), words.data());
  check(cudaGetLastError());
  check(cudaDeviceSynchronize());
}
