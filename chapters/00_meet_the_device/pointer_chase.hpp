// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// One thread, and steps that each need the result of the one before: how long a single step takes.
#pragma once

#include <cstdint>
#include <span>

#include "common/device/device_memory.hpp"

namespace tutorial {

// The steps are taken by one thread. The functions throw std::invalid_argument for steps below 0, and
// cuda_error where a launch or a copy fails. Those that return a walk wait for it.

/// A link of a chain in memory. Each has 128 bytes of its own, the line that a cache keeps together.
struct alignas(128) chain_node {
  const chain_node* next = nullptr;
};

/// Where a walk ended, and how many cycles of the clock its steps took, without those of the warm-up.
struct pointer_walk {
  const chain_node* end = nullptr;
  long long cycles = 0;
};
struct offset_walk {
  std::uint32_t end = 0;
  long long cycles = 0;
};
struct multiply_add_walk {
  float end = 0;
  long long cycles = 0;
};

/// From node to node by `next`: `warm_up` steps that fill a cache, then `steps` that are timed. Every node on
/// the way must lie where kernels can read it: in device memory, or in pinned memory of the host.
pointer_walk chase_pointers(const chain_node* from, int warm_up, int steps);

/// The same in shared memory: chain[offset / 4] is the next offset, in bytes. Offsets are multiples of 4
/// below chain.size_bytes(), `from` too (std::invalid_argument otherwise); at most 48 KiB.
offset_walk chase_shared(std::span<const std::uint32_t> chain, std::uint32_t from, int warm_up, int steps);

/// The same in constant memory: at most 64 KiB.
offset_walk chase_constant(std::span<const std::uint32_t> chain, std::uint32_t from, int warm_up, int steps);

/// x = fma(x, factor, addend), `steps` times, from x = 1: from registers to registers. Writes the walk to the
/// one element of `walk` (std::invalid_argument for another length). Launches and does not wait.
void chase_multiply_adds(float factor, float addend, int steps, device_span<multiply_add_walk> walk);

}  // namespace tutorial
