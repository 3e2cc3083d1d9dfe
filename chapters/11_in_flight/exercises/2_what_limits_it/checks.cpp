// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "what_limits_it.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string_view>

#include "11_in_flight/kernels/convolve_ring.hpp"
#include "11_in_flight/kernels/copy_in_flight.hpp"
#include "11_in_flight/kernels/occupancy.hpp"

using namespace tutorial;
using doctest::Approx;

namespace {

struct measured_kernel {
  std::string_view name;
  kernel_needs needs;
  int blocks, warps;
};

// The kernels of chapter 06, and what the runtime's occupancy function answered on an H200:
// docs/measurements/h200-2026-11-22/06_register_tiling.csv, table "kernels".
constexpr measured_kernel measured[] = {
    {"vectors, 5 taps, float", {128, 23, 0}, 16, 64},
    {"vectors, 16 taps, float", {128, 31, 0}, 16, 64},
    {"register_blocked, float", {64, 80, 7936}, 12, 24},
    {"prefetched, float", {32, 128, 3840}, 16, 16},
    {"constant_operands, float", {128, 72, 18560}, 7, 28},
    {"vectors, 5 taps, double", {128, 30, 0}, 16, 64},
    {"vectors, 9 taps, double", {128, 32, 0}, 16, 64},
    {"register_blocked, double", {64, 78, 8448}, 12, 24},
    {"prefetched, double", {32, 121, 4096}, 16, 16},
    {"constant_operands, double", {128, 72, 22656}, 7, 28},
};

struct measured_profile {
  std::string_view name;
  profile_row row;
  limiter expected;
};

// docs/measurements/h200-2026-11-22/02_profile.csv, 06_profile.csv and 09_profile.csv.
constexpr measured_profile profiles[] = {
    {"06 vectors, 5 taps", {26.93, 71.96, 10.67}, limiter::memory_bytes},
    {"09 fused, levels to pixels", {54.05, 89.54, 37.17}, limiter::memory_bytes},
    {"06 constant_operands, 1025 taps", {97.85, 3.96, 90.84}, limiter::arithmetic},
    {"05 shared_loaded, 65 taps", {85.63, 14.2, 24.85}, limiter::issue},
    {"09 fused, pixels to pixels", {89.09, 51.19, 70.24}, limiter::issue},
    // It is just below the limit of its loads, too: chapter 02's control. No column here counts them.
    {"02 direct, 1025 taps", {90.24, 0.51, 26.52}, limiter::issue},
    {"02 direct_grouped, 1025 taps", {26.06, 0.12, 8.23}, limiter::waiting},
    {"05 shared_loaded, 1025 taps", {27.73, 0.08, 1.7}, limiter::waiting},
    {"05 shared_chunked, 1025 taps", {52.89, 0.57, 15.72}, limiter::waiting},
};

}  // namespace

TEST_CASE("the kernels of chapter 06 on an H200") {
  for (const measured_kernel& kernel : measured) {
    CHECK_MESSAGE(resident_blocks(kernel.needs) == kernel.blocks, kernel.name, ": ",
                  resident_blocks(kernel.needs), " blocks; the runtime says ", kernel.blocks);
    CHECK_MESSAGE(occupancy(kernel.needs) == Approx(kernel.warps / 64.0), kernel.name, ": ",
                  occupancy(kernel.needs), "; the runtime says ", kernel.warps, " of 64 warps");
  }
}

// cudaOccupancyMaxActiveBlocksPerMultiprocessor() of the device that runs this. The emulated device has no
// registers to count: its kernels take part with one.
TEST_CASE("the kernels of this chapter on this device") {
  multiprocessor here;
  here.threads = device_attribute(cudaDevAttrMaxThreadsPerMultiProcessor);
  here.blocks = device_attribute(cudaDevAttrMaxBlocksPerMultiprocessor);
  here.shared_bytes = device_attribute(cudaDevAttrMaxSharedMemoryPerMultiprocessor);
  here.reserved_shared_bytes = device_attribute(cudaDevAttrReservedSharedMemoryPerBlock);
  const auto agrees = [&](const kernel_facts& facts) {
    const int blocks = resident_blocks(
        kernel_needs{facts.threads_per_block, std::max(1, facts.registers), facts.shared_bytes}, here);
    CHECK_MESSAGE(blocks == facts.blocks_per_multiprocessor, facts.kernel, " with ", facts.shared_bytes,
                  " bytes of shared memory: ", blocks, " blocks; the runtime says ",
                  facts.blocks_per_multiprocessor);
  };
  for (int depth = 1; depth <= ring_max_depth; ++depth) agrees(ring_facts<float>(depth));
  for (int blocks = 1; blocks <= 8; ++blocks) agrees(copy_in_flight_facts({1, blocks}));
}

// What NVIDIA's cuda_occupancy.h answers for an H200.
TEST_CASE("one resource at a time") {
  CHECK(resident_blocks({1024, 32, 0}) == 2);               // threads
  CHECK(resident_blocks({32, 16, 0}) == 32);                // blocks
  CHECK(resident_blocks({128, 32, 45 * 1024}) == 4);        // shared memory
  CHECK(resident_blocks({128, 32, 227 * 1024}) == 1);       // the most that a block may ask for
  CHECK(resident_blocks({1024, 16, 227 * 1024 + 1}) == 0);  // one block is too large
  CHECK(resident_blocks({256, 128, 0}) == 2);               // registers
  CHECK(resident_blocks({1024, 65, 0}) == 0);               // registers: not even one block
}

TEST_CASE("what is rounded") {
  CHECK(resident_blocks({100, 32, 0}) == 16);    // four warps, one of them not full
  CHECK(resident_blocks({33, 32, 0}) == 32);     // two warps
  CHECK(resident_blocks({128, 33, 0}) == 12);    // 40 registers for each thread: 1280 for a warp
  CHECK(resident_blocks({32, 80, 0}) == 24);     // six warps for each scheduler; 25 would need a quarter more
  CHECK(resident_blocks({32, 32, 6273}) == 31);  // 6273 + 1024 bytes: 57 units of 128, and one byte
  CHECK(resident_blocks({32, 32, 6272}) == 32);
}

TEST_CASE("occupancy") {
  CHECK(occupancy({256, 32, 0}) == Approx(1));
  CHECK(occupancy({32, 16, 0}) == Approx(0.5));  // 32 warps
  CHECK(occupancy({33, 16, 0}) == Approx(1));    // 64 warps, half of them with a single thread
  CHECK(occupancy({1024, 65, 0}) == 0);
}

TEST_CASE("another multiprocessor") {
  multiprocessor small;
  small.threads = 1024;
  small.blocks = 16;
  small.shared_bytes = 68 * 1024;
  CHECK(resident_blocks({128, 32, 0}, small) == 8);
  CHECK(resident_blocks({32, 32, 0}, small) == 16);
  CHECK(resident_blocks({32, 32, 16 * 1024}, small) == 4);
  CHECK(occupancy({32, 32, 0}, small) == Approx(0.5));
}

TEST_CASE("what a profile names") {
  constexpr std::string_view names[] = {"memory_bytes", "arithmetic", "issue", "waiting"};
  for (const measured_profile& each : profiles) {
    const limiter named = name_limiter(each.row);
    CHECK_MESSAGE(named == each.expected, each.name, ": ", names[int(named)], " instead of ",
                  names[int(each.expected)]);
  }
}
