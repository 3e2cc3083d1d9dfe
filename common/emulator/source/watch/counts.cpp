// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "counts.hpp"

namespace cuda_emulator {

void count_totals::add(const count_totals& other) {
  for (int s = 0; s < 3; ++s) {
    loads[s] += other.loads[s];
    load_bytes[s] += other.load_bytes[s];
    stores[s] += other.stores[s];
    store_bytes[s] += other.store_bytes[s];
    load_requests[s] += other.load_requests[s];
    store_requests[s] += other.store_requests[s];
    load_parts[s] += other.load_parts[s];
    store_parts[s] += other.store_parts[s];
  }
  texture_fetches += other.texture_fetches;
  barriers += other.barriers;
}

}  // namespace cuda_emulator
