// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "what_limits_it.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

#include "11_in_flight/kernels/convolve_ring.hpp"
#include "11_in_flight/kernels/copy_in_flight.hpp"
#include "common/files/numbers.hpp"
#include "common/verify/case_at_work.hpp"

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
    {"06 vectors, 5 taps", {28.26, 73.96, 11.21}, limiter::memory_bytes},
    {"09 fused, levels to pixels", {53.98, 89.39, 37.11}, limiter::memory_bytes},
    {"06 constant_operands, 1025 taps", {97.84, 3.95, 90.84}, limiter::arithmetic},
    {"05 shared_loaded, 65 taps", {85.94, 14.33, 24.94}, limiter::issue},
    {"09 fused, pixels to pixels", {89.41, 51.68, 70.48}, limiter::issue},
    // It is just below the limit of its loads, too: chapter 02's control. No column here counts them.
    {"02 direct, 1025 taps", {90.24, 0.51, 26.52}, limiter::issue},
    {"02 direct_grouped, 1025 taps", {26.06, 0.12, 8.23}, limiter::waiting},
    {"05 shared_loaded, 1025 taps", {27.71, 0.08, 1.69}, limiter::waiting},
    {"05 shared_chunked, 1025 taps", {52.89, 0.58, 15.72}, limiter::waiting},
    // Not measured: at the limits, and just below them.
    {"a kernel that is just busy", {79.9, 70, 79.9}, limiter::memory_bytes},
    {"a kernel that is just busy", {80, 69.9, 80}, limiter::arithmetic},
    {"a kernel that is just busy", {80, 69.9, 79.9}, limiter::issue},
    {"a kernel that is nearly busy", {79.9, 69.9, 79.9}, limiter::waiting},
};

std::string text(const kernel_needs& needs) {
  return "blocks of " + several(std::uint64_t(needs.threads_per_block), "thread") + ", " +
         several(std::uint64_t(needs.registers_per_thread), "register") + " a thread, " +
         several(std::uint64_t(needs.shared_bytes_per_block), "byte") + " of shared memory";
}

/// `why` says of `right` blocks why there are no more.
void check_blocks(const kernel_needs& needs, int right, const std::string& why,
                  const multiprocessor& on = {}) {
  const case_at_work now(text(needs));
  const int got = resident_blocks(needs, on);
  CHECK_MESSAGE(got == right, text(needs), ": resident_blocks() says ", got, ", and it is ", right, ": ",
                why);
}

/// `warps` are resident.
void check_occupancy(const kernel_needs& needs, int warps, const multiprocessor& on = {}) {
  const double got = occupancy(needs, on), most = on.threads / 32;
  CHECK_MESSAGE(got == Approx(warps / most), text(needs), ": occupancy() says ", got, ", and ", warps, " of ",
                most, " warps are resident: ", warps / most);
}

}  // namespace

// What NVIDIA's cuda_occupancy.h answers for an H200.
TEST_CASE("one resource at a time") {
  check_blocks({128, 32, 45 * 1024}, 4,
               "each takes 45 KiB and 1 KiB that is reserved, so 46 of 228 KiB of shared memory");
  check_blocks({1024, 32, 0}, 2, "2,048 threads are resident at most");
  check_blocks({32, 16, 0}, 32, "32 blocks are resident at most");
  check_blocks({128, 32, 227 * 1024}, 1, "each takes all 228 KiB of shared memory");
  check_blocks({1024, 16, 227 * 1024 + 1}, 0, "one takes more than 228 KiB of shared memory");
  check_blocks({256, 128, 0}, 2, "each takes 32,768 of 65,536 registers");
  check_blocks({1024, 65, 0}, 0, "one takes more than 65,536 registers");
}

TEST_CASE("what is rounded") {
  check_blocks({100, 32, 0}, 16, "each has four warps, one of them not full");
  check_blocks({33, 32, 0}, 32, "each has two warps, one of them with a single thread");
  check_blocks({128, 33, 0}, 12, "a warp takes 32 x 33 = 1,056 registers, rounded up to 1,280");
  check_blocks({32, 80, 0}, 24, "a scheduler has registers for six warps and a part of a seventh");
  check_blocks({32, 32, 6273}, 31, "each takes 6,273 + 1,024 bytes, rounded up to 58 units of 128");
  check_blocks({32, 32, 6272}, 32, "each takes 6,272 + 1,024 bytes, 57 units of 128");
}

TEST_CASE("occupancy") {
  check_occupancy({256, 32, 0}, 64);
  check_occupancy({32, 16, 0}, 32);
  check_occupancy({33, 16, 0}, 64);  // half of them with a single thread
  check_occupancy({1024, 65, 0}, 0);
}

TEST_CASE("another multiprocessor") {
  multiprocessor small;
  small.threads = 1024;
  small.blocks = 16;
  small.shared_bytes = 68 * 1024;
  check_blocks({128, 32, 0}, 8, "1,024 threads are resident at most", small);
  check_blocks({32, 32, 0}, 16, "16 blocks are resident at most", small);
  check_blocks({32, 32, 16 * 1024}, 4, "each takes 17 of 68 KiB of shared memory", small);
  check_occupancy({32, 32, 0}, 16, small);
}

TEST_CASE("the kernels of chapter 06 on an H200") {
  for (const measured_kernel& kernel : measured) {
    check_blocks(kernel.needs, kernel.blocks, "the runtime says so of " + std::string(kernel.name));
    check_occupancy(kernel.needs, kernel.warps);
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
    check_blocks({facts.threads_per_block, std::max(1, facts.registers), facts.shared_bytes},
                 facts.blocks_per_multiprocessor, "the runtime says so of " + std::string(facts.kernel),
                 here);
  };
  for (int depth = 1; depth <= ring_max_depth; ++depth) agrees(ring_facts<float>(depth));
  for (int blocks = 1; blocks <= 8; ++blocks) agrees(copy_in_flight_facts({1, blocks}));
}

TEST_CASE("what a profile names") {
  constexpr std::string_view names[] = {"memory_bytes", "arithmetic", "issue", "waiting"};
  for (const measured_profile& each : profiles) {
    const limiter named = name_limiter(each.row);
    CHECK_MESSAGE(named == each.expected, each.name, ", issue ", each.row.issue, " %, memory ",
                  each.row.memory, " %, arithmetic ", each.row.arithmetic, " %: name_limiter() says ",
                  names[int(named)], ", and it is ", names[int(each.expected)]);
  }
}
