// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "launch_state.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>

#include "code/call_stack.hpp"

namespace cuda_emulator {

void launch_state::note(const raw_finding& finding) {
  const bool across_warps =
      finding.block != finding.other_block || finding.thread / 32 != finding.other_thread / 32;
  const auto places = [](const raw_finding& f) {
    return std::tuple(f.kind, std::min(f.pc, f.other_pc), std::max(f.pc, f.other_pc));
  };
  const std::lock_guard lock(mutex);
  for (raw_finding& known : findings) {
    if (places(known) != places(finding)) continue;
    const std::uint64_t times = known.times + 1;
    // Each worker has shared memory of its own: there it is the offset that counts.
    const bool shared = known.shared_offset != ~0ull && finding.shared_offset != ~0ull;
    const auto offset_of = [](const void* address, const raw_finding& f) {
      return static_cast<const char*>(address) - static_cast<const char*>(f.address) +
             static_cast<std::ptrdiff_t>(f.shared_offset);
    };
    const std::ptrdiff_t most =
        shared ? std::max(offset_of(known.farthest, known), offset_of(finding.address, finding)) : 0;
    const void* const farthest = std::max(known.farthest, finding.address);
    const bool once_across = across_warps || known.across_warps;
    const bool same_value = finding.same_value && known.same_value;
    // Two blocks before two threads of one: what helps against those helps against all.
    const auto order = [](const raw_finding& f) {
      return std::tuple(f.kind == finding_kind::race && f.block == f.other_block, f.block, f.thread);
    };
    if (order(finding) < order(known)) {
      known = finding;
      if (known.standing) known.callers = callers_of_kernel_code();
    }
    known.times = times;
    known.farthest = shared ? static_cast<const char*>(known.address) + most -
                                  static_cast<std::ptrdiff_t>(known.shared_offset)
                            : farthest;
    known.across_warps = once_across;
    known.same_value = same_value;
    return;
  }
  findings.push_back(finding);
  raw_finding& kept = findings.back();
  kept.across_warps = across_warps;
  kept.farthest = finding.address;
  if (kept.standing) kept.callers = callers_of_kernel_code();
}

void launch_state::values_differ(std::uint64_t pc, std::uint64_t other_pc) {
  const std::lock_guard lock(mutex);
  for (raw_finding& known : findings)
    if (known.kind == finding_kind::race &&
        std::minmax(known.pc, known.other_pc) == std::minmax(pc, other_pc))
      known.same_value = false;
}

std::uint64_t launch_state::block_at(std::uint64_t position) const {
  switch (settings.order) {
    case thread_order::forward:
      return position;
    case thread_order::reverse:
      return blocks - 1 - position;
    case thread_order::random:
      break;
  }
  // Multiplying by what shares no divisor with the number of blocks visits each once.
  std::uint64_t step = (settings.seed * 0x9e3779b97f4a7c15ull >> 20) % blocks | 1;
  while (std::gcd(step, blocks) != 1) step += 2;
  __extension__ using wide = unsigned __int128;
  return static_cast<std::uint64_t>((static_cast<wide>(position) * step + settings.seed % blocks) % blocks);
}

}  // namespace cuda_emulator
