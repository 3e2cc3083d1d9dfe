// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cstddef>
#include <limits>

#include "common/device/check.hpp"
#include "common/device/check_fft.hpp"
#include "common/device/device.hpp"
#include "common/device/device_memory.hpp"
#include "common/device/pinned_buffer.hpp"
#include "common/show/counts_table.hpp"
#include "scratch.hpp"

using namespace tutorial;

TEST_CASE("check: success is silent, a failure names place, error and what to do") {
  CHECK_NOTHROW(check(cudaSuccess));
  unsigned line = 0;
  try {
    line = __LINE__ + 1;
    check(cudaErrorInvalidConfiguration);
    FAIL("no exception");
  } catch (const cuda_error& error) {
    CHECK(error.code() == cudaErrorInvalidConfiguration);
    const std::string text = error.what();
    CAPTURE(text);
    CHECK(contains(text, "check_test.cpp:" + std::to_string(line) + ": cudaErrorInvalidConfiguration"));
    CHECK(contains(text, "1024 threads"));
    CHECK_FALSE(contains(text, "\n"));
  }
  CHECK(contains(message_of<cuda_error>([] { check(cudaErrorNoDevice); }), "use the emulated preset"));
  CHECK(
      contains(message_of<cuda_error>([] { check(cudaErrorInsufficientDriver); }), "no NVIDIA driver found"));
}

TEST_CASE("check: what it throws is not found by a later check, and what it does not throw stays") {
  void* nowhere = nullptr;
  CHECK_THROWS_AS(check(cudaMemcpy(nowhere, nowhere, 4, cudaMemcpyKind(77))), cuda_error);
  CHECK_NOTHROW(check(cudaGetLastError()));
  // The pending error is another one.
  CHECK(cudaMemcpy(nowhere, nowhere, 4, cudaMemcpyKind(77)) != cudaSuccess);
  CHECK_THROWS_AS(check(cudaErrorNoDevice), cuda_error);
  CHECK_THROWS_AS(check(cudaGetLastError()), cuda_error);
  CHECK_NOTHROW(check(cudaGetLastError()));
}

TEST_CASE("check: a refused copy is described where the device can, and what comes after it is not") {
  const std::vector<double> values = {1, 2, 3};
  device_buffer<double> buffer(values);
  const std::string text = message_of<cuda_error>(
      [&] { check(cudaMemcpy(buffer.data(), values.data(), 3 * sizeof(double), cudaMemcpyDeviceToHost)); });
  CAPTURE(text);
  const bool tells = current_device().emulated;
  CHECK(contains(text, ": cudaErrorInvalidValue (invalid argument): the destination is device memory") ==
        tells);
  CHECK(contains(text, "an argument is out of range") == !tells);
  CHECK(
      contains(message_of<cuda_error>([] { check(cudaErrorInvalidValue); }), "an argument is out of range"));
  static_cast<void>(cudaGetLastError());
}

TEST_CASE("the folder and the file are enough of a path") {
  const std::string text = message_of<cuda_error>([] {
    check(cudaErrorInvalidValue, {"/some/where/05_shared/convolve.cu", 7});
  });
  CHECK(text.starts_with("05_shared/convolve.cu:7: cudaErrorInvalidValue ("));
  CHECK(message_of<cuda_error>([] { check(cudaErrorInvalidValue, {"a.cu", 7}); }).starts_with("a.cu:7: "));
}

TEST_CASE("counts: sums, and tables that leave out what is zero") {
  launch_counts one;
  one.kernel = "direct_kernel";
  one.grid[0] = 3, one.grid[1] = 2, one.grid[2] = 1;
  one.block[0] = 256, one.block[1] = one.block[2] = 1;
  one.launches = 1;
  one.global_loads = 1234567;
  launch_counts two = one;
  two.kernel = "second_kernel";
  two.shared_store_wavefronts = 5;
  const launch_counts total = sum({one, two});
  CHECK(total.kernel == "direct_kernel");
  CHECK(total.launches == 2);
  CHECK(total.global_loads == 2 * 1234567);
  CHECK(total.shared_store_wavefronts == 5);
  CHECK(sum({}).launches == 0);
  CHECK(blocks({one, two}) == 12);
  const std::string text = counts_text({one, two}, 2);
  CHECK(contains(text, "1: direct_kernel"));
  CHECK(contains(text, "1,234,567"));
  CHECK(contains(text, "3 x 2 x 1"));
  CHECK(contains(text, "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st"));
  CHECK_FALSE(contains(text, "barriers"));
  CHECK(counts_cells(total).size() == 24);
}

TEST_CASE("pinned memory: to the device and back") {
  const std::vector<double> values = {1, 2, 3};
  const pinned_buffer<double> from(values);
  pinned_buffer<double> to(3);
  device_buffer<double> between(3);
  between.copy_from(from.span());
  check(cudaMemcpy(to.data(), between.data(), to.span().size_bytes(), cudaMemcpyDeviceToHost));
  CHECK(std::vector<double>(to.span().begin(), to.span().end()) == values);
  CHECK(pinned_buffer<float>(0).span().empty());
}

TEST_CASE("device memory: copies, poison, moves") {
  const std::vector<double> values = {1, 2, 3};
  device_buffer<double> buffer(values);
  CHECK(buffer.to_host() == values);
  device_buffer<double> moved(std::move(buffer));
  CHECK(buffer.size() == 0);
  CHECK(moved.to_host() == values);
  CHECK_THROWS_AS(moved.copy_from(std::vector<double>{1}), std::invalid_argument);
  const auto poisoned = device_buffer<double>(2).to_host();
  CHECK(poisoned[0] != poisoned[0]);
  CHECK(device_buffer<std::int32_t>(1).to_host()[0] == std::int32_t(0xA5A5A5A5u));
  CHECK(device_buffer<float>(0).to_host().empty());
  const device_span<const double> read_only = moved.span();
  CHECK(read_only.subspan(1, 2).size() == 2);
}

TEST_CASE("memory for more bytes than 64 bits can say is refused, and does not become a little memory") {
  constexpr std::size_t too_many = std::numeric_limits<std::size_t>::max() / sizeof(double) + 2;  // 8 bytes
  CHECK_THROWS_WITH_AS(device_buffer<double>{too_many}, doctest::Contains("cudaErrorMemoryAllocation"),
                       cuda_error);
  CHECK_THROWS_WITH_AS(pinned_buffer<double>{too_many}, doctest::Contains("cudaErrorMemoryAllocation"),
                       cuda_error);
}

TEST_CASE("check() of cuFFT: what failed, where, and what to do") {
  CHECK_NOTHROW(check(CUFFT_SUCCESS));
  cufftHandle plan = 0;
  const unsigned line = __LINE__ + 2;
  try {
    check(cufftPlan1d(&plan, 0, CUFFT_R2C, 1));
    FAIL("nothing was thrown");
  } catch (const cufft_error& error) {
    CHECK(error.code() == CUFFT_INVALID_SIZE);
    CHECK(std::string(error.what()) ==
          "common/check_test.cpp:" + std::to_string(line) +
              ": CUFFT_INVALID_SIZE (invalid size): lengths and batch must be at least 1");
  }
  // Every code of the interface has a name of its own; another one is shown as a number.
  for (int code = 1; code < MAX_CUFFT_ERROR; ++code) {
    CAPTURE(code);
    std::string text;
    try {
      check(static_cast<cufftResult>(code));
    } catch (const cufft_error& error) {
      text = error.what();
    }
    CHECK(text.find(": CUFFT_") != text.npos);
  }
  try {
    check(static_cast<cufftResult>(99));
    FAIL("nothing was thrown");
  } catch (const cufft_error& error) {
    CHECK(std::string(error.what()).find("cufftResult 99") != std::string::npos);
  }
}
