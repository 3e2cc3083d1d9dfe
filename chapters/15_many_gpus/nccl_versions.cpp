// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include <set>

#include "15_many_gpus/nccl/filters.hpp"
#include "versions.hpp"

namespace tutorial {

template <class T>
std::vector<spread_version<T>> nccl_versions(std::span<const int> devices) {
  if (std::set<int>(devices.begin(), devices.end()).size() < devices.size()) return {};
  const auto ranks = std::make_shared<nccl_ranks>(devices);
  const auto version = [&](const version_name& name, auto filter, std::size_t steps_each = 1) {
    return spread_version<T>{.name = name,
                             .needs_devices = true,
                             .filter = [=](auto& signal, int steps) { filter(signal, *ranks, steps); },
                             .steps_each = steps_each};
  };
  return {version(versions::nccl_group, filter_nccl_group<T>),
          version(versions::thread_per_device, filter_thread_per_device<T>),
          version(versions::beside_interior, filter_beside_interior<T>),
          version(versions::several_steps, filter_several_steps<T>, 4)};
}

template std::vector<spread_version<std::int32_t>> nccl_versions(std::span<const int>);
template std::vector<spread_version<float>> nccl_versions(std::span<const int>);
template std::vector<spread_version<double>> nccl_versions(std::span<const int>);

}  // namespace tutorial
