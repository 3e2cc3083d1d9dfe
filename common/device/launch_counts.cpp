// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "launch_quantities.hpp"

#include <iterator>

namespace tutorial {
namespace {

// Every number of launch_counts, under the name that tables and CSV files use: ours, then Nsight Compute's.
constexpr launch_quantity quantities[] = {
    {"launches", &launch_counts::launches},
    {"threads", &launch_counts::threads},
    {"global_loads", &launch_counts::global_loads},
    {"global_load_bytes", &launch_counts::global_load_bytes},
    {"global_stores", &launch_counts::global_stores},
    {"global_store_bytes", &launch_counts::global_store_bytes},
    {"shared_loads", &launch_counts::shared_loads},
    {"shared_load_bytes", &launch_counts::shared_load_bytes},
    {"shared_stores", &launch_counts::shared_stores},
    {"shared_store_bytes", &launch_counts::shared_store_bytes},
    {"constant_loads", &launch_counts::constant_loads},
    {"constant_load_bytes", &launch_counts::constant_load_bytes},
    {"constant_requests", &launch_counts::constant_requests},
    {"constant_addresses", &launch_counts::constant_addresses},
    {"texture_fetches", &launch_counts::texture_fetches},
    {"barriers", &launch_counts::barriers},
    {"l1tex__t_requests_pipe_lsu_mem_global_op_ld", &launch_counts::global_load_requests},
    {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld", &launch_counts::global_load_sectors},
    {"l1tex__t_requests_pipe_lsu_mem_global_op_st", &launch_counts::global_store_requests},
    {"l1tex__t_sectors_pipe_lsu_mem_global_op_st", &launch_counts::global_store_sectors},
    {"shared_load_requests", &launch_counts::shared_load_requests},
    {"shared_store_requests", &launch_counts::shared_store_requests},
    {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld", &launch_counts::shared_load_wavefronts},
    {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st", &launch_counts::shared_store_wavefronts},
};
// A number that is added to launch_counts and not to this list would be left out of every sum.
static_assert(sizeof(launch_counts) ==
              2 * sizeof(std::string) + 6 * sizeof(unsigned) + std::size(quantities) * sizeof(std::uint64_t));

}  // namespace

std::span<const launch_quantity> launch_quantities() { return quantities; }

launch_counts& launch_counts::operator+=(const launch_counts& other) {
  for (const launch_quantity& each : quantities) this->*each.value += other.*each.value;
  return *this;
}

launch_counts sum(const std::vector<launch_counts>& launches) {
  if (launches.empty()) return {};
  launch_counts total = launches.front();
  for (std::size_t i = 1; i < launches.size(); ++i) total += launches[i];
  return total;
}

double blocks(const std::vector<launch_counts>& launches) {
  double total = 0;
  for (const launch_counts& each : launches)
    total += double(each.launches) * each.grid[0] * each.grid[1] * each.grid[2];
  return total;
}

}  // namespace tutorial
