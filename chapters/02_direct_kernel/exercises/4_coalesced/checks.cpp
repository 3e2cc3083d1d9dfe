// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "coalesced.hpp"

#include <doctest/doctest.h>

#include "01_serial_definition/convolution_checks.hpp"
#include "common/device/thread_work.hpp"
#include "common/files/numbers.hpp"
#include "common/verify/counted_check.hpp"
#include "common/verify/inputs.hpp"

using namespace tutorial;

TEST_CASE("it computes the definition") {
  const auto answer = [](auto x, auto h, auto y, auto) { convolve_eight(x, h, y); };
  CHECK(summary(overrun_failures<float>(answer, {.tile = 2048, .modes = {convolution_mode::full}})) == "");
  CHECK(summary(convolution_failures<float>(on_device<float>(answer),
                                            {.tile = 2048, .modes = {convolution_mode::full}})) == "");
}

TEST_CASE("a warp's stores fill whole sectors, with an eighth of the threads") {
  const device_buffer<float> x(random_signal<float>(8192 - 4)), h(random_taps<float>(5));
  device_buffer<float> y(8192);
  const auto launches = count_launches([&] { convolve_eight(x, h, y); });
  if (!has_counts(launches)) return;
  const launch_counts counts = sum(launches);
  REQUIRE_MESSAGE(counts.threads == 8192 / 8, several(counts.threads, "thread"),
                  " were started; 8192 outputs, eight to a thread, take 1024");
  REQUIRE_MESSAGE(counts.global_store_requests == 8192 / 32, counts.global_store_requests,
                  " store requests were made; 8192 outputs, 32 to a warp's store, take 256");
  const auto fewest = 4 * counts.global_store_requests;  // 32 floats side by side are 4 sectors
  REQUIRE_MESSAGE(counts.global_store_sectors == fewest, "the stores touched ",
                  several(counts.global_store_sectors, "sector"),
                  "; where neighboring threads store neighboring outputs, it is ", fewest);
}

TEST_CASE("a block of 256 threads owns 2048 outputs in a row") {
  // What a thread of a full block does is the same where a block with one output follows: it shares nothing.
  const auto longest_way = [](std::size_t outputs) {
    const device_buffer<float> x(random_signal<float>(outputs - 4)), h(random_taps<float>(5));
    device_buffer<float> y(outputs);
    return count_thread_work([&] { convolve_eight(x, h, y); });
  };
  const auto alone = longest_way(2048), followed = longest_way(2049);
  if (!alone || !followed) {
    ++checks_without_counts;
    return;
  }
  REQUIRE_MESSAGE(followed->longest_way >= alone->longest_way,
                  "2049 outputs: block 0 is to compute outputs 0 to 2047, eight to a thread, and block 1 "
                  "only the last. Here each thread of block 0 computes fewer, so the blocks share all "
                  "outputs. Where does the range of a block begin?");
}
