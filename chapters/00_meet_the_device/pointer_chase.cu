// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// The pointer chase: each load brings the address of the next one, so that no two are under way at once.
#include "pointer_chase.hpp"

#include <stdexcept>

#include "common/device/check.hpp"

namespace tutorial {
namespace {

constexpr std::size_t most_constant_words = 16384;        // 64 KiB
constexpr std::size_t most_shared_words = 48 * 1024 / 4;  // what a launch may have without asking
static __constant__ std::uint32_t constant_chain[most_constant_words];

/// The node that this one points to. A pointer that comes from memory may lead anywhere: without the promise
/// the compiler takes a load that first finds out which memory it is.
__device__ const chain_node* next_of(const chain_node* node) {
  __builtin_assume(__isGlobal(node));
  return node->next;
}

// [kernel]
/// walk->end = the node that warm_up + steps links lead to. Only the last `steps` are timed. One thread.
__global__ void chase_pointers_kernel(const chain_node* node, int warm_up, int steps, pointer_walk* walk) {
  for (int s = 0; s < warm_up; ++s) node = next_of(node);
  const long long begin = clock64();
#pragma unroll 16
  for (int s = 0; s < steps; ++s) node = next_of(node);  // brings the address of the next load
  *walk = {node, clock64() - begin};
}
// [kernel]

/// chain[offset / 4]. Offsets are in bytes so that what a load brings is an address as it is.
__device__ std::uint32_t next_offset(const std::uint32_t* chain, std::uint32_t offset) {
  return *reinterpret_cast<const std::uint32_t*>(reinterpret_cast<const char*>(chain) + offset);
}

/// *walk = the offset that warm_up + steps links lead to from `at`, and the clocks of the last `steps`. The
/// chain of so many words is staged in shared memory first. One thread.
__global__ void chase_shared_kernel(const std::uint32_t* __restrict__ chain, int words, std::uint32_t at,
                                    int warm_up, int steps, offset_walk* walk) {
  extern __shared__ std::uint32_t staged[];
  for (int i = 0; i < words; ++i) staged[i] = chain[i];  // the one thread reads what it has written itself
  for (int s = 0; s < warm_up; ++s) at = next_offset(staged, at);
  const long long begin = clock64();
#pragma unroll 16
  for (int s = 0; s < steps; ++s) at = next_offset(staged, at);
  *walk = {at, clock64() - begin};
}

/// The same for the chain in constant memory. One thread.
__global__ void chase_constant_kernel(std::uint32_t at, int warm_up, int steps, offset_walk* walk) {
  for (int s = 0; s < warm_up; ++s) at = next_offset(constant_chain, at);
  const long long begin = clock64();
#pragma unroll 16
  for (int s = 0; s < steps; ++s) at = next_offset(constant_chain, at);
  *walk = {at, clock64() - begin};
}

/// *walk = the x that `steps` multiply-adds make of 1, and their clocks. One thread.
__global__ void chase_multiply_adds_kernel(float factor, float addend, int steps, multiply_add_walk* walk) {
  float x = 1;
  const long long begin = clock64();
#pragma unroll 16
  for (int s = 0; s < steps; ++s) x = fmaf(x, factor, addend);
  *walk = {x, clock64() - begin};
}

void require_steps(int warm_up, int steps) {
  if (warm_up < 0 || steps < 0) throw std::invalid_argument("chase: there are no fewer than 0 steps");
}

void require_chain(std::span<const std::uint32_t> chain, std::uint32_t from, std::size_t most_words) {
  if (chain.size() > most_words) throw std::invalid_argument("chase: the chain is too long for its memory");
  const auto leads_out = [&](std::uint32_t offset) {
    return offset % 4 != 0 || offset >= chain.size_bytes();
  };
  bool leaves = leads_out(from);
  for (const std::uint32_t offset : chain) leaves = leaves || leads_out(offset);
  if (leaves) throw std::invalid_argument("chase: an offset leads out of the chain");
}

/// Runs launch(walk), waits, and returns what the kernel wrote there.
template <class Walk, class Launch>
Walk walk_by(const Launch& launch) {
  device_buffer<Walk> walk(1);
  launch(walk.data());
  check(cudaGetLastError());
  return walk.to_host().front();
}

}  // namespace

pointer_walk chase_pointers(const chain_node* from, int warm_up, int steps) {
  require_steps(warm_up, steps);
  // Shared memory and L1 are one memory, divided up anew for each kernel: this one wants none of it as
  // shared.
  check(cudaFuncSetAttribute(chase_pointers_kernel, cudaFuncAttributePreferredSharedMemoryCarveout,
                             cudaSharedmemCarveoutMaxL1));
  return walk_by<pointer_walk>(
      [&](pointer_walk* walk) { chase_pointers_kernel<<<1, 1>>>(from, warm_up, steps, walk); });
}

offset_walk chase_shared(std::span<const std::uint32_t> chain, std::uint32_t from, int warm_up, int steps) {
  require_steps(warm_up, steps);
  require_chain(chain, from, most_shared_words);
  const device_buffer<std::uint32_t> d_chain(chain);
  return walk_by<offset_walk>([&](offset_walk* walk) {
    chase_shared_kernel<<<1, 1, chain.size_bytes()>>>(d_chain.data(), static_cast<int>(chain.size()), from,
                                                      warm_up, steps, walk);
  });
}

offset_walk chase_constant(std::span<const std::uint32_t> chain, std::uint32_t from, int warm_up, int steps) {
  require_steps(warm_up, steps);
  require_chain(chain, from, most_constant_words);
  check(cudaMemcpyToSymbol(constant_chain, chain.data(), chain.size_bytes()));
  return walk_by<offset_walk>(
      [&](offset_walk* walk) { chase_constant_kernel<<<1, 1>>>(from, warm_up, steps, walk); });
}

void chase_multiply_adds(float factor, float addend, int steps, device_span<multiply_add_walk> walk) {
  require_steps(0, steps);
  if (walk.size() != 1) throw std::invalid_argument("chase: there is room for one walk");
  chase_multiply_adds_kernel<<<1, 1>>>(factor, addend, steps, walk.data());
  check(cudaGetLastError());
}

}  // namespace tutorial
