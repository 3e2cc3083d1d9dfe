// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Exercise 3: codes one behind the other.
#include "find_the_faults.hpp"

#include "common/device/check.hpp"

namespace tutorial {
namespace {

constexpr int threads_per_block = 128;

// SOLUTION: three faults: two in the kernel, one in the function below it (about 12 lines)
// STARTER: /// words, from bit begins[i] on, = code i. A thread for each code.
// STARTER: __global__ void pack_codes_kernel(const std::uint32_t* __restrict__ codes, const int* __restrict__ lengths,
// STARTER:                                   const int* __restrict__ begins, int size,
// STARTER:                                   std::uint32_t* __restrict__ words) {
// STARTER:   const int i = blockIdx.x * blockDim.x + threadIdx.x;
// STARTER:   if (i >= size) return;
// STARTER:   const int word = begins[i] / 32, shift = begins[i] % 32;
// STARTER:   words[word] |= codes[i] >> shift;
// STARTER:   if (shift + lengths[i] > 32) words[word + 1] |= codes[i] << shift;
// STARTER: }
// STARTER: void launch_pack_codes(device_span<const std::uint32_t> codes, device_span<const int> lengths,
// STARTER:                        device_span<const int> begins, device_span<std::uint32_t> words) {
// STARTER:   const int size = static_cast<int>(codes.size());
// STARTER:   pack_codes_kernel<<<(size + threads_per_block - 1) / threads_per_block, threads_per_block>>>(
// STARTER:       codes.data(), lengths.data(), begins.data(), size, words.data());
// STARTER: }
/// words, from bit begins[i] on, = code i. A thread for each code.
__global__ void pack_codes_kernel(const std::uint32_t* __restrict__ codes, const int* __restrict__ lengths,
                                  const int* __restrict__ begins, int size,
                                  std::uint32_t* __restrict__ words) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= size) return;
  const int word = begins[i] / 32, shift = begins[i] % 32;
  atomicOr(words + word, codes[i] >> shift);
  if (shift + lengths[i] > 32) atomicOr(words + word + 1, codes[i] << (32 - shift));
}

void launch_pack_codes(device_span<const std::uint32_t> codes, device_span<const int> lengths,
                       device_span<const int> begins, device_span<std::uint32_t> words) {
  const int size = static_cast<int>(codes.size());
  check(cudaMemset(words.data(), 0, words.size() * sizeof(std::uint32_t)));
  pack_codes_kernel<<<(size + threads_per_block - 1) / threads_per_block, threads_per_block>>>(
      codes.data(), lengths.data(), begins.data(), size, words.data());
}
// END SOLUTION

}  // namespace

void pack_codes(device_span<const std::uint32_t> codes, device_span<const int> lengths,
                device_span<const int> begins, device_span<std::uint32_t> words) {
  launch_pack_codes(codes, lengths, begins, words);
  check(cudaGetLastError());
}

}  // namespace tutorial
