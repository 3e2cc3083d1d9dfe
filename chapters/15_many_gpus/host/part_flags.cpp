// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "part_flags.hpp"

#include <stdexcept>

#include "15_many_gpus/host/devices.hpp"

namespace tutorial {

part_flags::part_flags(const signal_split& split, const std::vector<int>& devices)
    : messages_(devices.size()) {
  const std::size_t parts = devices.size();
  if (parts > most_flag_parts) throw std::invalid_argument("flags are for 16 parts at most");
  // Part p counts what has arrived from each part, and behind that what each part has taken.
  for (const int device : devices) {
    const current_device_guard at(device);
    memory_.emplace_back(std::vector<flag_counter>(2 * parts, 0));
    check(cudaDeviceSynchronize());  // they are there before another device looks
  }
  const auto arrived = [&](int at, int from) { return memory_[std::size_t(at)].data() + from; };
  const auto taken = [&](int at, int by) {
    return memory_[std::size_t(at)].data() + parts + std::size_t(by);
  };
  for (int p = 0; p < split.parts(); ++p) {
    flag_messages& mine = messages_[std::size_t(p)];
    for (const halo_message& each : split.messages_to(p))
      mine.get[mine.gets++] = {arrived(p, each.from), taken(each.from, p), each.samples.size()};
    const auto first = (long long)split.owned(p).begin;
    for (const halo_message& each : split.messages_from(p))
      mine.give[mine.gives++] = {(long long)each.samples.begin - first, (long long)each.samples.end - first,
                                 arrived(each.to, p), taken(p, each.to)};
  }
}

}  // namespace tutorial
