// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "broken.hpp"
#include "common/device/check.hpp"
#include "common/verify/child_process.hpp"
#include "common/verify/counted_check.hpp"
#include "common/verify/inputs.hpp"
#include "copies.hpp"
#include "copy_checks.hpp"
#include "first_steps.hpp"

using namespace tutorial;
using namespace tutorial::copy_checks;

TEST_CASE("every copy copies every element, whatever the length") {
  const std::vector<std::size_t> none;
  CHECK(wrong_sizes(copy_elements) == none);
  CHECK(wrong_sizes(copy_vectors) == none);
  for (const std::size_t offset : {0, 1, 7, 32})
    CHECK(wrong_sizes([=](auto x, auto y) { copy_offset(x, y, offset); }, 1, offset) == none);
  for (const std::size_t stride : {1, 2, 5, 32})
    CHECK(wrong_sizes([=](auto x, auto y) { copy_strided(x, y, stride); }, stride) == none);
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
    CHECK(std::vector<float>(y.begin(), y.begin() + 900) ==
          std::vector<float>(x.begin() + begin, x.begin() + begin + 900));
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
  // Every second float: 256 bytes, 8 sectors. Every 32nd: one sector for each.
  CHECK(sum(count([](auto x, auto y) { copy_strided(x, y, 2); }, 2 * size)).global_load_sectors == 8 * 256);
  CHECK(sum(count([](auto x, auto y) { copy_strided(x, y, 32); }, 32 * size)).global_load_sectors ==
        32 * 256);
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
  const child_result child = run_myself("--no-check --variant sticky_error");
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
