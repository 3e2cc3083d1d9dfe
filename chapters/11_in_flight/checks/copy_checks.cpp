// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <vector>

#include "00_meet_the_device/copy_checks.hpp"
#include "11_in_flight/kernels/copy_in_flight.hpp"
#include "11_in_flight/kernels/two_paths.hpp"
#include "common/verify/counted_check.hpp"

using namespace tutorial;

namespace {

std::vector<copy_shape> all_shapes() {
  std::vector<copy_shape> shapes;
  for (const int loads : {1, 2, 4, 8})
    for (const int blocks : {1, 2, 4, 8}) shapes.push_back({loads, blocks});
  return shapes;
}

}  // namespace

TEST_CASE("every shape of the copy copies every element, and writes nothing beside them") {
  const std::vector<std::size_t> none;
  for (const copy_shape& shape : all_shapes()) {
    CAPTURE(shape.loads);
    CAPTURE(shape.blocks);
    const auto copy = [&](auto x, auto y) { copy_in_flight(x, y, shape); };
    CHECK(copy_checks::wrong_sizes(copy) == none);
    CHECK(copy_checks::overruns(copy) == none);
  }
}

TEST_CASE("a block takes more than one turn") {
  // One turn of all blocks that are resident: 256 elements of each.
  const std::size_t size = std::size_t(device_attribute(cudaDevAttrMultiProcessorCount)) * 256 + 100;
  const std::vector<float> host = random_signal<float>(size);
  const device_buffer<float> x(host);
  device_buffer<float> y(size);
  copy_in_flight(x, y, {1, 1});
  CHECK(y.to_host() == host);
}

TEST_CASE("multiply-adds are done to each element as often as wanted") {
  for (const int multiply_adds : {1, 3, 4, 5, 70}) {
    std::vector<float> expected = random_signal<float>(1000);
    const device_buffer<float> x(expected);
    device_buffer<float> y(1000);
    copy_in_flight(x, y, {4, 8, multiply_adds});
    for (float& v : expected)
      for (int m = 0; m < multiply_adds; ++m) v = std::fma(v, 0.5f, 1.0f);
    CHECK(y.to_host() == expected);
  }
}

TEST_CASE("shared memory limits the occupancy to what the shape wants, unless registers limit it further") {
  for (const copy_shape& shape : all_shapes()) {
    CAPTURE(shape.loads);
    CAPTURE(shape.blocks);
    const kernel_facts facts = copy_in_flight_facts(shape);
    const int room = device_attribute(cudaDevAttrMaxThreadsPerMultiProcessor) / copy_threads_per_block;
    // Registers are handed out in eights per thread. The emulated device has none.
    const int registers = facts.registers == 0 ? 8 : (facts.registers + 7) / 8 * 8;
    const int by_registers =
        device_attribute(cudaDevAttrMaxRegistersPerMultiprocessor) / (registers * copy_threads_per_block);
    CHECK(facts.blocks_per_multiprocessor == std::min({shape.blocks, room, by_registers}));
    CHECK(bytes_under_way(shape) == shape.blocks * 256.0 * shape.loads * 4);
  }
}

TEST_CASE("the law of a copy") {
  // 132 multiprocessors with 10 kB each: 1.32 MB within 500 ns are 2.64 TB/s of loads, and as much is stored.
  CHECK(copy_speed(10, 132, 500) == doctest::Approx(5.28));
}

TEST_CASE("whatever the shape, each element is loaded once, in whole sectors") {
  const std::size_t size = 8 * 256 * 4;
  const device_buffer<float> x(random_signal<float>(size));
  device_buffer<float> y(size);
  for (const copy_shape& shape : all_shapes()) {
    const auto launches = count_launches([&] { copy_in_flight(x, y, shape); });
    if (!has_counts(launches)) return;
    CHECK(sum(launches).global_loads == size);
    CHECK(sum(launches).global_load_requests == size / 32);
    CHECK(sum(launches).global_load_sectors == size / 8);
    CHECK(sum(launches).global_store_sectors == size / 8);
    CHECK(sum(launches).threads == size / std::size_t(shape.loads));
  }
}

TEST_CASE("both paths are computed, whoever goes which") {
  for (const std::size_t size : {1, 31, 33, 256, 1001})
    for (const shared_out how : {shared_out::by_lane, shared_out::by_warp})
      for (const std::size_t steps : {0, 1, 7}) {
        std::vector<float> expected = random_signal<float>(size);
        const std::vector<float> up = random_signal<float>(steps, 3), down = random_signal<float>(steps, 4);
        const device_buffer<float> x(expected), d_up(up), d_down(down);
        device_buffer<float> y(size);
        take_two_paths(x, d_up, d_down, y, how);
        for (std::size_t i = 0; i < size; ++i)
          for (std::size_t s = 0; s < steps; ++s)
            expected[i] = (how == shared_out::by_lane ? i : i / 32) % 2 == 0
                              ? std::fma(up[s], expected[i], 1.0f)
                              : std::fma(-down[s], expected[i], 1.0f);
        CHECK(y.to_host() == expected);
      }
}

TEST_CASE("a warp whose lanes go two ways makes the requests of both") {
  const std::size_t size = 2048, steps = 10, warps = size / 32;
  const device_buffer<float> x(random_signal<float>(size)), up(random_signal<float>(steps)),
      down(random_signal<float>(steps));
  device_buffer<float> y(size);
  const auto requests = [&](shared_out how) {
    const launch_counts counts = sum(count_launches([&] { take_two_paths(x, up, down, y, how); }));
    CHECK(counts.threads == size);
    return counts.global_load_requests;
  };
  if (!has_counts(count_launches([&] { take_two_paths(x, up, down, y, shared_out::by_lane); }))) return;
  CHECK(requests(shared_out::by_warp) == warps * (1 + steps));
  CHECK(requests(shared_out::by_lane) == warps * (1 + 2 * steps));
}

TEST_CASE("copies and paths refuse what does not fit, and launch nothing for nothing") {
  const device_buffer<float> empty, x(std::vector<float>{1, 2, 3});
  device_buffer<float> nothing, y(2), z(3);
  CHECK_THROWS_AS(copy_in_flight(x, y, {}), std::invalid_argument);
  for (const copy_shape& shape : {copy_shape{3, 8}, copy_shape{0, 8}, copy_shape{16, 8}, copy_shape{1, 0},
                                  copy_shape{1, 9}, copy_shape{1, 8, -1}}) {
    CHECK_THROWS_AS(copy_in_flight(x, z, shape), std::invalid_argument);
    CHECK_THROWS_AS(copy_in_flight(empty, nothing, shape), std::invalid_argument);
  }
  copy_in_flight(empty, nothing, {});
  CHECK_THROWS_AS(take_two_paths(x, x, x, y, shared_out::by_lane), std::invalid_argument);
  CHECK_THROWS_AS(take_two_paths(x, x, empty, z, shared_out::by_lane), std::invalid_argument);
  take_two_paths(empty, x, x, nothing, shared_out::by_lane);
}
