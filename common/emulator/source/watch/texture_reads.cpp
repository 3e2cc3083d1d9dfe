// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// What textures read: the texels of each fetch.
#include "observer.hpp"
#include "sites.hpp"

namespace cuda_emulator {

void observer::fetch(const void* address, unsigned size, const texel& which, bool may_change,
                     std::uint64_t pc) {
  if (recorded_ != nullptr) recorded_->add_texel(which.x, which.y, which.z);
  fetching_ = &which;
  talks_ = false;
  if (touched_ != nullptr) note_touch(address, size, access_kind::fetch);
  place p;
  const bool located = locate(address, size, p);
  if (located && p.of_peer) note_peer(p, address, size, access_kind::fetch, pc);
  if (located && p.shadow != nullptr) {
    if (!p.initialized) check_states(p, address, size, access_kind::fetch, true, pc);
    const bool watched = p.initialized || (p.shadow->states[p.offset] & state_unwatched) == 0;
    if (may_change && watched)
      check_races(p, address, size, access_kind::fetch, sites.number({pc, access_kind::fetch, size, 0}), pc);
  }
  fetching_ = nullptr;
}

bool observer::end_fetch(unsigned element_bytes, std::uint64_t pc) {
  const std::uint16_t number = sites.number({pc, access_kind::fetch, element_bytes, 0});
  return number != site_table::unknown && trace_.add(current_ % 32, space::texture, fetch_number_, number);
}

void observer::refuse_fetch(finding_kind kind, std::uint64_t texture, const char* why, std::uint64_t pc) {
  raw_finding f{.kind = kind};
  f.what = access_kind::fetch;
  f.block = block_;
  f.thread = current_;
  f.pc = pc;
  f.fetched = true;
  f.texture = texture;
  f.text = why;
  launch_->note(f);
}

}  // namespace cuda_emulator
