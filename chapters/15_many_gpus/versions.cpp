// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "versions.hpp"

#include <set>

#include "15_many_gpus/kernels/spread_filters.hpp"

namespace tutorial {

template <class T>
std::vector<spread_version<T>> spread_versions(std::span<const int> devices) {
  std::vector<spread_version<T>> all = {
      {.name = versions::no_exchange, .filter = filter_no_exchange<T>},
      {.name = versions::copies_and_events, .filter = filter_copies_and_events<T>}};
  const peer_access peers(devices);
  if (!peers.complete()) return all;
  all.push_back({.name = versions::from_next_door, .filter = filter_from_next_door<T>});
  const bool one_part_a_device = std::set<int>(devices.begin(), devices.end()).size() == devices.size();
  if (!one_part_a_device || !peers.has_atomics()) return all;  // else flags could be lost
  all.push_back({.name = versions::flags_between, .needs_devices = true, .filter = filter_flags_between<T>});
  all.push_back(
      {.name = versions::flags_in_kernel, .needs_devices = true, .filter = filter_flags_in_kernel<T>});
  return all;
}

template std::vector<spread_version<std::int32_t>> spread_versions(std::span<const int>);
template std::vector<spread_version<float>> spread_versions(std::span<const int>);
template std::vector<spread_version<double>> spread_versions(std::span<const int>);

}  // namespace tutorial
