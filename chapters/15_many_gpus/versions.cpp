// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "versions.hpp"

#include "15_many_gpus/kernels/spread_filters.hpp"

namespace tutorial {

template <class T>
std::vector<spread_version<T>> spread_versions() {
  return {{.name = versions::no_exchange, .filter = filter_no_exchange<T>},
          {.name = versions::copies_and_events, .filter = filter_copies_and_events<T>}};
}

template std::vector<spread_version<std::int32_t>> spread_versions();
template std::vector<spread_version<float>> spread_versions();
template std::vector<spread_version<double>> spread_versions();

}  // namespace tutorial
