// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Launches that a GPU refuses, kernels that fail while they run, and how long each error stays.
#include <cstdio>
#include <filesystem>
#include <limits>

#include <unistd.h>

#include "../emulator_test.hpp"
#include "emulator/finding.hpp"

namespace {

__global__ void nothing_kernel() {}
__global__ void __launch_bounds__(128) bounded_kernel() {}
__global__ void ran_kernel(int* ran) { *ran = 1; }
constexpr int assert_line = __LINE__ + 1;
__global__ void assert_kernel(int n) { assert(static_cast<int>(threadIdx.x) < n); }
__global__ void wild_kernel(int* y) { *y = 1; }
__global__ void trap_kernel() {
  if (blockIdx.x == 2) __trap();
}
__global__ void print_kernel() {
  printf("block %u, thread %u, %5.2f %s\n", blockIdx.x, threadIdx.x, 1.5, "text");
}
__global__ void crossed_kernel() {
  // Half of a warp waits for the block, the other half for the whole warp: nobody can go on.
  if (threadIdx.x < 16)
    __syncthreads();
  else
    __syncwarp();
}

/// What `work` writes to a stream of the C library.
template <class Work>
std::string captured(std::FILE* stream, int descriptor, Work&& work) {
  std::fflush(stream);
  std::FILE* file = std::tmpfile();
  const int saved = dup(descriptor);
  dup2(fileno(file), descriptor);
  work();
  std::fflush(stream);
  dup2(saved, descriptor);
  close(saved);
  std::rewind(file);
  std::string text;
  for (int c = std::fgetc(file); c != EOF; c = std::fgetc(file)) text += static_cast<char>(c);
  std::fclose(file);
  return text;
}

cudaError_t launched(dim3 grid, dim3 block, std::size_t bytes = 0) {
  nothing_kernel<<<grid, block, bytes>>>();
  return cudaGetLastError();
}

}  // namespace

TEST_CASE("launches that are refused") {
  CHECK(launched(1, 1) == cudaSuccess);
  CHECK(launched(0, 1) == cudaErrorInvalidConfiguration);
  CHECK(launched(1, 0) == cudaErrorInvalidConfiguration);
  CHECK(launched({1, 0}, 1) == cudaErrorInvalidConfiguration);
  CHECK(launched(1, 1024) == cudaSuccess);
  CHECK(launched(1, 1025) == cudaErrorInvalidConfiguration);
  CHECK(launched(1, {32, 33}) == cudaErrorInvalidConfiguration);
  CHECK(launched(1, {1, 1, 65}) == cudaErrorInvalidConfiguration);
  CHECK(launched({1, 65536}, 1) == cudaErrorInvalidConfiguration);
  CHECK(launched({1, 1, 65536}, 1) == cudaErrorInvalidConfiguration);
  CHECK(launched(1, 1, 48 * 1024) == cudaSuccess);
  CHECK(launched(1, 1, 48 * 1024 + 1) == cudaErrorInvalidValue);
  CHECK(launched(1, 1, std::numeric_limits<std::size_t>::max()) == cudaErrorInvalidValue);
  bounded_kernel<<<1, 128>>>();
  CHECK(cudaGetLastError() == cudaSuccess);
  bounded_kernel<<<1, 129>>>();
  CHECK(cudaGetLastError() == cudaErrorInvalidValue);
}

TEST_CASE("an error of a launch is kept until it is asked for, and only that long") {
  CHECK(launched(1, 1) == cudaSuccess);
  nothing_kernel<<<0, 1>>>();
  CHECK(cudaPeekAtLastError() == cudaErrorInvalidConfiguration);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);  // it is no error of a kernel that ran
  nothing_kernel<<<1, 1>>>();                     // and no reason not to run another
  CHECK(cudaGetLastError() == cudaErrorInvalidConfiguration);
  CHECK(cudaGetLastError() == cudaSuccess);
}

TEST_CASE(
    "a failed assertion: CUDA's message, reported by the next call that waits, and then by every call") {
  int* ran = nullptr;
  REQUIRE(cudaMallocManaged(&ran, sizeof *ran) == cudaSuccess);
  const std::string message = captured(stderr, 2, [] { assert_kernel<<<1, 10>>>(9); });
  CHECK(message.find("errors.cu:" + std::to_string(assert_line) + ": ") != std::string::npos);
  CHECK(message.find(
            "block: [0,0,0], thread: [9,0,0] Assertion `static_cast<int>(threadIdx.x) < n` failed.\n") !=
        std::string::npos);
  CHECK(cudaGetLastError() == cudaSuccess);  // the launch itself was good
  *ran = 0;
  ran_kernel<<<1, 1>>>(ran);  // what comes after it does not run: it would use what is not there
  CHECK(*ran == 0);
  CHECK(cudaDeviceSynchronize() == cudaErrorAssert);
  CHECK(cudaGetLastError() == cudaErrorAssert);
  CHECK(cudaGetLastError() == cudaSuccess);  // asked for once; but the device is lost, as the next call shows
  void* pointer = nullptr;
  CHECK(cudaMalloc(&pointer, 4) == cudaErrorAssert);
  CHECK(cudaGetLastError() == cudaErrorAssert);
  CHECK(launched(1, 1) == cudaErrorAssert);
  REQUIRE(cudaDeviceReset() == cudaSuccess);
  CHECK(launched(1, 1) == cudaSuccess);
  assert_kernel<<<4, 9>>>(9);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
}

TEST_CASE("a failed assertion names its file as findings do: from the current folder on") {
  const std::filesystem::path before = std::filesystem::current_path();
  const std::filesystem::path file = std::filesystem::absolute(__FILE__);
  std::filesystem::current_path(file.parent_path().parent_path());
  const std::string message = captured(stderr, 2, [] { assert_kernel<<<1, 10>>>(9); });
  std::filesystem::current_path(before);
  CAPTURE(message);
  CHECK(message.starts_with("runtime/errors.cu:" + std::to_string(assert_line) + ": "));
  CHECK(cudaDeviceSynchronize() == cudaErrorAssert);
  REQUIRE(cudaDeviceReset() == cudaSuccess);
}

TEST_CASE("a wild pointer without checks: as on a GPU") {
  cuda_emulator::set_checking(false);
  wild_kernel<<<1, 1>>>(nullptr);
  CHECK(cudaGetLastError() == cudaSuccess);
  CHECK(cudaDeviceSynchronize() == cudaErrorIllegalAddress);
  REQUIRE(cudaDeviceReset() == cudaSuccess);
  cuda_emulator::set_checking(true);
}

TEST_CASE("__trap") {
  trap_kernel<<<4, 64>>>();
  CHECK(cudaGetLastError() == cudaSuccess);
  CHECK(cudaDeviceSynchronize() == cudaErrorLaunchFailure);
  CHECK(cudaFree(nullptr) == cudaErrorLaunchFailure);
  REQUIRE(cudaDeviceReset() == cudaSuccess);
  trap_kernel<<<2, 64>>>();
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
}

TEST_CASE("printf of kernels comes out whole and in the order of the blocks") {
  for (const int threads : {1, 4}) {
    cuda_emulator::set_threads(threads);
    const std::string text = captured(stdout, 1, [] { print_kernel<<<3000, 2>>>(); });
    std::string expected;
    for (int b = 0; b < 3000; ++b)
      for (int t = 0; t < 2; ++t)
        expected += "block " + std::to_string(b) + ", thread " + std::to_string(t) + ",  1.50 text\n";
    CHECK((text == expected));
  }
}

TEST_CASE("a deadlock ends the launch and says who waits where") {
  cuda_emulator::throw_findings(true);
  in_all_orders([] {
    std::string message;
    try {
      crossed_kernel<<<1, 32>>>();
      cudaDeviceSynchronize();  // in some orders it has not run before
    } catch (const cuda_emulator::finding& f) {
      message = f.what();
    }
    CAPTURE(message);
    CHECK(message.find("deadlock") != std::string::npos);
    CHECK(message.find("crossed_kernel") != std::string::npos);
    CHECK(message.find("16 of 32 threads") != std::string::npos);
    CHECK(cudaDeviceSynchronize() == cudaSuccess);  // the exception was the report
    CHECK(launched(10, 100) == cudaSuccess);        // the device works again
  });
  cuda_emulator::throw_findings(false);
}

TEST_CASE("names and texts are CUDA's") {
  CHECK(cudaGetErrorName(cudaSuccess) == std::string("cudaSuccess"));
  CHECK(cudaGetErrorString(cudaSuccess) == std::string("no error"));
  CHECK(cudaGetErrorName(cudaErrorIllegalAddress) == std::string("cudaErrorIllegalAddress"));
  CHECK(cudaGetErrorString(cudaErrorIllegalAddress) ==
        std::string("an illegal memory access was encountered"));
  CHECK(cudaErrorLaunchOutOfResources == 701);
  CHECK(cudaGetErrorString(static_cast<cudaError_t>(12345)) == std::string("unrecognized error code"));
}
