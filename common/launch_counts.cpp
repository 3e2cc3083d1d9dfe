// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "common/device.hpp"

namespace tutorial {

launch_counts& launch_counts::operator+=(const launch_counts& other) {
  launches += other.launches;
  threads += other.threads;
  global_loads += other.global_loads;
  global_load_bytes += other.global_load_bytes;
  global_stores += other.global_stores;
  global_store_bytes += other.global_store_bytes;
  shared_loads += other.shared_loads;
  shared_load_bytes += other.shared_load_bytes;
  shared_stores += other.shared_stores;
  shared_store_bytes += other.shared_store_bytes;
  constant_loads += other.constant_loads;
  constant_load_bytes += other.constant_load_bytes;
  constant_requests += other.constant_requests;
  constant_addresses += other.constant_addresses;
  barriers += other.barriers;
  global_load_requests += other.global_load_requests;
  global_load_sectors += other.global_load_sectors;
  global_store_requests += other.global_store_requests;
  global_store_sectors += other.global_store_sectors;
  shared_load_requests += other.shared_load_requests;
  shared_store_requests += other.shared_store_requests;
  shared_load_wavefronts += other.shared_load_wavefronts;
  shared_store_wavefronts += other.shared_store_wavefronts;
  return *this;
}

launch_counts sum(const std::vector<launch_counts>& launches) {
  if (launches.empty()) return {};
  launch_counts total = launches.front();
  for (std::size_t i = 1; i < launches.size(); ++i) total += launches[i];
  return total;
}

}  // namespace tutorial
