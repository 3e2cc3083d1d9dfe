// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// What a launch did, as numbers that can be added up.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tutorial {

/// What one launch did, in the two units of the tutorial. All zero except `launches` where nothing is
/// counted.
struct launch_counts {
  std::string kernel;  ///< Its name as in the source.
  unsigned grid[3] = {}, block[3] = {};
  std::uint64_t launches = 0;
  // What threads ask for.
  std::uint64_t threads = 0;
  std::uint64_t global_loads = 0, global_load_bytes = 0, global_stores = 0, global_store_bytes = 0;
  std::uint64_t shared_loads = 0, shared_load_bytes = 0, shared_stores = 0, shared_store_bytes = 0;
  std::uint64_t constant_loads = 0, constant_load_bytes = 0;
  std::uint64_t constant_requests = 0, constant_addresses = 0;  ///< Distinct addresses, summed over requests.
  std::uint64_t texture_fetches = 0;                            ///< Calls of tex2D() and its like.
  std::uint64_t barriers = 0;                                   ///< Per block, summed over blocks.
  // What the machine moves, as Nsight Compute counts it.
  std::uint64_t global_load_requests = 0;   ///< l1tex__t_requests_pipe_lsu_mem_global_op_ld
  std::uint64_t global_load_sectors = 0;    ///< l1tex__t_sectors_pipe_lsu_mem_global_op_ld
  std::uint64_t global_store_requests = 0;  ///< l1tex__t_requests_pipe_lsu_mem_global_op_st
  std::uint64_t global_store_sectors = 0;   ///< l1tex__t_sectors_pipe_lsu_mem_global_op_st
  std::uint64_t shared_load_requests = 0, shared_store_requests = 0;
  std::uint64_t shared_load_wavefronts = 0;   ///< l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld
  std::uint64_t shared_store_wavefronts = 0;  ///< l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st
  /// Which threads load from global memory and store nothing, for a message about too many loads: "2048 are
  /// made by 32 warps that store nothing (the first: warp 1 of block (4, 0, 0))". Empty where there are none.
  std::string idle;

  launch_counts& operator+=(const launch_counts& other);
};

/// The sum over all launches. `kernel` is that of the first.
launch_counts sum(const std::vector<launch_counts>& launches);

/// Thread blocks of all launches together.
double blocks(const std::vector<launch_counts>& launches);

}  // namespace tutorial
