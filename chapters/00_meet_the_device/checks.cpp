// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cmath>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "broken.hpp"
#include "chains.hpp"
#include "common/device/check.hpp"
#include "common/verify/child_process.hpp"
#include "common/verify/counted_check.hpp"
#include "common/verify/inputs.hpp"
#include "common/verify/vectors_in_checks.hpp"
#include "copies.hpp"
#include "copy_checks.hpp"
#include "first_steps.hpp"
#include "pointer_chase.hpp"
#include "read_bandwidth.hpp"

using namespace tutorial;
using namespace tutorial::copy_checks;

TEST_CASE("every copy copies every element, whatever the length") {
  CHECK(first_wrong_copy(copy_elements) == "");
  CHECK(first_wrong_copy(copy_vectors) == "");
  for (const std::size_t offset : {0, 1, 7, 32})
    CHECK(first_wrong_copy([=](auto x, auto y) { copy_offset(x, y, offset); }, 1, offset) == "");
  for (const std::size_t stride : {1, 2, 5, 32})
    CHECK(first_wrong_copy([=](auto x, auto y) { copy_strided(x, y, stride); }, stride) == "");
}

TEST_CASE("no copy writes beside its output") {
  const std::vector<std::size_t> none;
  CHECK(overruns(copy_elements) == none);
  CHECK(overruns(copy_vectors) == none);
  CHECK(overruns([](auto x, auto y) { copy_offset(x, y, 0); }) == none);
  CHECK(overruns([](auto x, auto y) { copy_strided(x, y, 1); }) == none);
}

TEST_CASE("vectors need 16-byte boundaries; elsewhere the copy still works") {
  const std::vector<float> x = random_signal<float>(1001);
  const device_buffer<float> d_x(x);
  for (const std::size_t begin : {1, 2, 3}) {
    device_buffer<float> d_y(1001);
    copy_vectors(d_x.span().subspan(begin, 900), d_y.span().subspan(0, 900));
    check(cudaDeviceSynchronize());
    const std::vector<float> y = d_y.to_host();
    const agreement copied = compare<float>(std::span(y).first(900), std::span(x).subspan(begin, 900));
    CHECK_MESSAGE(bool(copied), describe(copied));
    CHECK(y[900] != y[900]);  // NaN: nothing is written behind the end
  }
}

TEST_CASE("an empty copy launches nothing, lengths that do not fit are refused") {
  const device_buffer<float> empty, x(std::vector<float>{1, 2, 3});
  device_buffer<float> no_output, y(2);
  CHECK_NOTHROW(copy_elements(empty, no_output));
  CHECK_NOTHROW(copy_vectors(empty, no_output));
  CHECK_THROWS_AS(copy_elements(x, y), std::invalid_argument);
  CHECK_THROWS_AS(copy_vectors(x, y), std::invalid_argument);
  CHECK_THROWS_AS(copy_offset(x, y, 2), std::invalid_argument);
  CHECK_THROWS_AS(copy_strided(x, y, 3), std::invalid_argument);
  CHECK_THROWS_AS(copy_strided(x, y, 0), std::invalid_argument);
  float* const nowhere = nullptr;
  const std::size_t too_long = 2147483647u - 256 + 1;  // the last block's threads would count beyond an int
  CHECK_THROWS_AS(copy_elements({nowhere, too_long}, {nowhere, too_long}), std::invalid_argument);
}

TEST_CASE("the sectors that a warp's loads and stores cost") {
  const std::size_t size = 8192;  // 256 warps of 32 floats
  const auto count = [](auto copy, std::size_t source_length) {
    const device_buffer<float> x(random_signal<float>(source_length));
    device_buffer<float> y(size);
    return count_launches([&] { copy(x.span(), y.span()); });
  };
  const auto elements = count(copy_elements, size);
  if (!has_counts(elements)) return;
  // 32 floats side by side are 128 bytes: 4 sectors of 32.
  CHECK(sum(elements).global_loads == size);
  CHECK(sum(elements).global_load_requests == 256);
  CHECK(sum(elements).global_load_sectors == 4 * 256);
  CHECK(sum(elements).global_store_sectors == 4 * 256);
  // The same bytes in a quarter of the loads: 32 vectors of 16 bytes are 16 sectors.
  const launch_counts vectors = sum(count(copy_vectors, size));
  CHECK(vectors.global_loads == size / 4);
  CHECK(vectors.global_load_bytes == size * sizeof(float));
  CHECK(vectors.global_load_requests == 64);
  CHECK(vectors.global_load_sectors == 16 * 64);
  // One float further on, the 128 bytes reach into a fifth sector.
  const auto shifted = count([](auto x, auto y) { copy_offset(x, y, 1); }, size + 1);
  CHECK(sum(shifted).global_load_sectors == 5 * 256);
  // The strided kernel costs no sector more by itself.
  const auto strided = count([](auto x, auto y) { copy_strided(x, y, 1); }, size);
  CHECK(sum(strided).global_load_requests == 256);
  CHECK(sum(strided).global_load_sectors == 4 * 256);
  // Every second float: 256 bytes, 8 sectors. Every 32nd: one sector for each.
  CHECK(sum(count([](auto x, auto y) { copy_strided(x, y, 2); }, 2 * size)).global_load_sectors == 8 * 256);
  CHECK(sum(count([](auto x, auto y) { copy_strided(x, y, 32); }, 32 * size)).global_load_sectors ==
        32 * 256);
}

namespace {

/// Where a walk of that many steps from the link `from` ends.
std::uint32_t walked(const std::vector<std::uint32_t>& next, std::uint32_t from, int steps) {
  for (int s = 0; s < steps; ++s) from = next[from];
  return from;
}

/// A mistake: the ring is shuffled as it stands, and falls into several. A walk stays in one of them, which
/// may be so small that a cache holds it.
std::vector<std::uint32_t> shuffled_links(std::size_t links) {
  std::vector<std::uint32_t> next = ring_of(walk_order(links, 1));
  for (std::size_t last = links - 1; last > 0; --last)
    std::swap(next[last], next[random_bits(1, last) % (last + 1)]);
  return next;
}

}  // namespace

TEST_CASE("a chain is one ring, and its order stays within each group") {
  for (const std::size_t links : {1, 2, 3, 31, 32, 1000})
    for (const std::size_t group : {1, 2, 7, 32, 1000}) {
      const std::vector<std::uint32_t> order = walk_order(links, group);
      for (std::size_t i = 0; i < links; ++i) REQUIRE(order[i] / group == i / group);
      REQUIRE(steps_around(ring_of(order)) == links);
    }
  CHECK(steps_around(shuffled_links(1000)) < 1000);
}

TEST_CASE("a pointer chase visits link after link, in every memory") {
  const std::vector<std::pair<int, int>> walks = {{0, 0}, {0, 1}, {1, 0}, {3, 17}, {0, 100}, {100, 99}};
  for (const std::size_t links : {1, 2, 3, 31, 32, 100}) {
    const std::vector<std::uint32_t> order = walk_order(links, links), next = ring_of(order);
    device_buffer<chain_node> nodes(links);
    nodes.copy_from(ring_of_nodes(order, nodes.data(), 1));
    for (const std::pair<int, int>& walk : walks) {
      const int warm_up = walk.first, steps = walk.second;
      const std::uint32_t from = order[links / 2], end = walked(next, from, warm_up + steps);
      CAPTURE(links);
      CAPTURE(steps);
      CHECK(chase_pointers(nodes.data() + from, warm_up, steps).end == nodes.data() + end);
      CHECK(chase_shared(ring_of_offsets(order, 1), 4 * from, warm_up, steps).end == 4 * end);
      CHECK(chase_constant(ring_of_offsets(order, 16), 64 * from, warm_up, steps).end == 64 * end);
    }
  }
  device_buffer<multiply_add_walk> walk(1);
  chase_multiply_adds(0.5f, 3, 3, walk);
  CHECK(walk.to_host().front().end == 5.375f);  // 1, 3.5, 4.75, 5.375
}

TEST_CASE("a chase makes one load for each step, and none that would leave the chain") {
  device_buffer<chain_node> nodes(64);
  const std::vector<std::uint32_t> order = walk_order(64, 64), chain = ring_of_offsets(order, 1);
  nodes.copy_from(ring_of_nodes(order, nodes.data(), 1));
  const auto steps = count_launches([&] { chase_pointers(nodes.data(), 5, 40); });
  if (has_counts(steps)) {
    CHECK(sum(steps).global_loads == 45);
    CHECK(sum(steps).global_load_sectors == 45);
  }
  CHECK_THROWS_AS(chase_pointers(nodes.data(), -1, 1), std::invalid_argument);
  CHECK_THROWS_AS(chase_shared(chain, 0, 0, -1), std::invalid_argument);
  CHECK_THROWS_AS(chase_shared(chain, 256, 0, 1), std::invalid_argument);  // behind the last link
  CHECK_THROWS_AS(chase_constant(chain, 2, 0, 1), std::invalid_argument);  // no multiple of 4
  CHECK_THROWS_AS(chase_constant(std::vector<std::uint32_t>{4}, 0, 0, 1), std::invalid_argument);
  CHECK_THROWS_AS(chase_shared(std::vector<std::uint32_t>(12289), 0, 0, 1), std::invalid_argument);
  CHECK_THROWS_AS(chase_constant(std::vector<std::uint32_t>(16385), 0, 0, 1), std::invalid_argument);
}

TEST_CASE("all threads read what they should") {
  std::vector<uint4> host(128);
  for (std::uint32_t v = 0; v < 128; ++v) host[v] = {v * v, 3 * v, 1u << v % 32, ~v};
  const device_buffer<uint4> table(host);
  device_buffer<std::uint32_t> from_memory(512), from_shared(512);
  const table_reads which{37, 11};
  const auto reads = count_launches([&] { read_table(table, which, from_memory); });
  read_shared(table, which, from_shared);
  std::vector<std::uint32_t> expected_from_memory(512), expected_from_shared(512);
  for (std::uint32_t i = 0; i < 512; ++i)
    for (std::uint32_t r = 0; r < 11; ++r) {
      const auto words = [&](std::uint32_t from) {
        const uint4& four = host[(from + r * 37) % 128];
        return four.x + four.y + four.z + four.w;
      };
      expected_from_memory[i] += words(i);
      expected_from_shared[i] += words(i % 256);
    }
  CHECK(from_memory.to_host() == expected_from_memory);
  CHECK(from_shared.to_host() == expected_from_shared);
  if (has_counts(reads)) CHECK(sum(reads).global_load_bytes == 512 * 11 * 16);
  device_buffer<std::uint32_t> nothing, too_few(255);
  CHECK_NOTHROW(read_table(table, which, nothing));
  CHECK_THROWS_AS(read_table(table, which, too_few), std::invalid_argument);
  CHECK_THROWS_AS(read_table(table, {1, -1}, from_memory), std::invalid_argument);
  CHECK_THROWS_AS(read_table(table.span().subspan(0, 100), which, from_memory), std::invalid_argument);
  CHECK_THROWS_AS(read_shared(device_buffer<uint4>(2048), which, from_shared), std::invalid_argument);
}

TEST_CASE("the multiply-adds on registers add up") {
  const std::vector<float> host = random_signal<float>(10);
  const device_buffer<float> x(host);
  device_buffer<float> y(256);
  read_registers(x, 5, y);
  const std::vector<float> found = y.to_host();
  for (std::size_t i = 0; i < found.size(); ++i) {
    float total = 0;
    for (std::size_t p = 0; p < 4; ++p)
      for (std::size_t q = 0; q < 4; ++q) {
        float sum = 0;
        for (int r = 0; r < 5; ++r) sum = std::fma(host[(i + p) % 10], host[(i + 4 + q) % 10], sum);
        total += sum;
      }
    REQUIRE(found[i] == total);
  }
  CHECK_THROWS_AS(read_registers(x, -1, y), std::invalid_argument);
  CHECK_THROWS_AS(read_registers({}, 1, y), std::invalid_argument);
}

TEST_CASE("every element has exactly the owner that the index formula says") {
  for (const int elements : {1, 4, 10, 1000})
    for (const int threads : {1, 4, 256}) {
      const std::vector<owner> who = owners(elements, threads);
      for (int i = 0; i < elements; ++i) {
        REQUIRE(who[i].block == i / threads);
        REQUIRE(who[i].thread == i % threads);
      }
    }
}

TEST_CASE("a refused launch says so at once, and is forgotten after it was asked for") {
  // CUDA 12 and earlier say cudaErrorInvalidConfiguration, CUDA 13 says cudaErrorInvalidValue.
  const auto refused = [](cudaError_t status) {
    return status == cudaErrorInvalidConfiguration || status == cudaErrorInvalidValue;
  };
  CHECK(try_launch(1, 1024) == cudaSuccess);
  CHECK(refused(try_launch(1, 1025)));            // 1024 threads are the most
  CHECK(refused(try_launch(0, 32)));              // an empty grid
  CHECK(refused(try_launch(1, 0)));               // an empty block
  CHECK(refused(try_launch(1, dim3(1, 1, 65))));  // 64 are the most in z
  CHECK(refused(try_launch(1, 32, 1 << 20)));     // 1 MiB of shared memory
  CHECK(try_launch(1, 32) == cudaSuccess);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
}

TEST_CASE("check() turns a status into an exception that names it and the place") {
  CHECK_NOTHROW(check(cudaSuccess));
  const cudaError_t status = try_launch(1, 2048);
  try {
    check(status);
    FAIL("no exception");
  } catch (const cuda_error& error) {
    CHECK(error.code() == status);
    CHECK(std::string(error.what()).find(cudaGetErrorName(status)) != std::string::npos);
    CHECK(std::string(error.what()).find("checks.cpp") != std::string::npos);
  }
}

TEST_CASE("an error while a kernel runs shows at the next synchronization and sticks") {
  const child_result child = run_myself("--variant sticky_error");
  CAPTURE(child.output);
  CHECK(child.output.find("right after the launch: cudaSuccess") != std::string::npos);
  CHECK(child.output.find("after waiting for it:   cudaErrorAssert") != std::string::npos);
  CHECK(child.output.find("any call after that:    cudaErrorAssert") != std::string::npos);
  CHECK(child.output.find("threadIdx.x != 2") != std::string::npos);  // the assert's own words
}

TEST_CASE("the checks refuse what is wrong on purpose") {
  // A check is trusted only after it has refused something.
  CHECK(wrong_sizes(broken::grid_rounded_down) ==
        std::vector<std::size_t>{1, 2, 3, 4, 5, 31, 32, 33, 255, 257, 1023, 1025, 7919});
  CHECK(wrong_sizes(broken::tail_forgotten) ==
        std::vector<std::size_t>{1, 2, 3, 5, 31, 33, 255, 257, 1023, 1025, 7919});
  CHECK(wrong_sizes(broken::elements_for_bytes).size() == std::size(sizes));
  CHECK(wrong_sizes(broken::off_by_one).size() ==
        std::size(sizes) - 1);  // with one element there is no neighbor
  CHECK(wrong_sizes(broken::unchecked_launch).size() == std::size(sizes));
  CHECK(overruns(broken::no_guard) ==
        std::vector<std::size_t>{1, 2, 3, 4, 5, 31, 32, 33, 255, 257, 1023, 1025, 7919});
}
