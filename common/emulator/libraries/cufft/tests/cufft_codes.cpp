// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// What cuFFT's functions return, what they do to memory besides transforming.
#include <cufftXt.h>

#include "../../../tests/emulator_test.hpp"
#include "emulator/counts.hpp"

namespace {

std::size_t free_bytes() {
  std::size_t free = 0, total = 0;
  REQUIRE(cudaMemGetInfo(&free, &total) == cudaSuccess);
  return free;
}

}  // namespace

TEST_CASE("plans that cannot be made") {
  cufftHandle plan = 77;
  CHECK(cufftPlan1d(&plan, 0, CUFFT_R2C, 1) == CUFFT_INVALID_SIZE);
  CHECK(plan == 77);
  CHECK(cufftPlan1d(&plan, -4, CUFFT_R2C, 1) == CUFFT_INVALID_SIZE);
  CHECK(cufftPlan1d(&plan, 4, CUFFT_R2C, 0) == CUFFT_INVALID_SIZE);
  CHECK(cufftPlan2d(&plan, 4, 0, CUFFT_C2C) == CUFFT_INVALID_SIZE);
  CHECK(cufftPlan3d(&plan, 0, 4, 4, CUFFT_C2C) == CUFFT_INVALID_SIZE);
  CHECK(cufftPlan1d(&plan, 4, static_cast<cufftType>(1), 1) == CUFFT_INVALID_TYPE);
  CHECK(cufftPlan1d(nullptr, 4, CUFFT_R2C, 1) == CUFFT_INVALID_VALUE);
  int n[4] = {4, 4, 4, 4}, none[1] = {0};
  CHECK(cufftPlanMany(&plan, 0, n, nullptr, 1, 4, nullptr, 1, 4, CUFFT_C2C, 1) == CUFFT_INVALID_VALUE);
  CHECK(cufftPlanMany(&plan, 4, n, nullptr, 1, 4, nullptr, 1, 4, CUFFT_C2C, 1) == CUFFT_INVALID_VALUE);
  CHECK(cufftPlanMany(&plan, 1, nullptr, nullptr, 1, 4, nullptr, 1, 4, CUFFT_C2C, 1) == CUFFT_INVALID_VALUE);
  CHECK(cufftPlanMany(&plan, 1, n, n, 0, 4, n, 1, 4, CUFFT_C2C, 1) == CUFFT_INVALID_VALUE);
  CHECK(cufftPlanMany(&plan, 1, n, n, 1, 0, n, 1, 4, CUFFT_C2C, 2) == CUFFT_INVALID_VALUE);
  CHECK(cufftPlanMany(&plan, 1, n, none, 1, 4, n, 1, 4, CUFFT_C2C, 1) == CUFFT_INVALID_SIZE);
  // More than the device has.
  CHECK(cufftPlan1d(&plan, 1 << 28, CUFFT_Z2Z, 1 << 12) == CUFFT_ALLOC_FAILED);
  CHECK(cudaGetLastError() == cudaSuccess);
}

TEST_CASE("plans by types of data: the same transforms") {
  long long n[1] = {8};
  const auto made = [&](cudaDataType input, cudaDataType output, cudaDataType execution, cufftHandle& plan) {
    REQUIRE(cufftCreate(&plan) == CUFFT_SUCCESS);
    std::size_t size = 0, same = 0;
    const cufftResult result =
        cufftXtMakePlanMany(plan, 1, n, nullptr, 1, 8, input, nullptr, 1, 8, output, 2, &size, execution);
    if (result == CUFFT_SUCCESS) {
      CHECK(cufftXtGetSizeMany(plan, 1, n, nullptr, 1, 8, input, nullptr, 1, 8, output, 2, &same,
                               execution) == CUFFT_SUCCESS);
      CHECK(size == same);
    }
    return result;
  };
  std::vector<double> x(16);
  for (int i = 0; i < 16; ++i) x[i] = i % 5 - 0.25 * i;
  device_array<double> d_x(x), d_back(16);
  device_array<cufftDoubleComplex> d_spectrum(10), d_expected(10);
  cufftHandle forward, inverse, ordinary, none;
  REQUIRE(made(CUDA_R_64F, CUDA_C_64F, CUDA_C_64F, forward) == CUFFT_SUCCESS);
  REQUIRE(made(CUDA_C_64F, CUDA_R_64F, CUDA_C_64F, inverse) == CUFFT_SUCCESS);
  REQUIRE(cufftPlan1d(&ordinary, 8, CUFFT_D2Z, 2) == CUFFT_SUCCESS);
  // The direction counts for nothing where the types say it.
  CHECK(cufftXtExec(forward, d_x.data(), d_spectrum.data(), CUFFT_INVERSE) == CUFFT_SUCCESS);
  CHECK(cufftXtExec(ordinary, d_x.data(), d_expected.data(), CUFFT_FORWARD) == CUFFT_SUCCESS);
  const auto spectrum = d_spectrum.to_host(), expected = d_expected.to_host();
  for (int k = 0; k < 10; ++k) {
    CHECK(spectrum[k].x == expected[k].x);
    CHECK(spectrum[k].y == expected[k].y);
  }
  CHECK(spectrum[0].x != 0);
  CHECK(cufftXtExec(inverse, d_spectrum.data(), d_back.data(), CUFFT_FORWARD) == CUFFT_SUCCESS);
  const auto back = d_back.to_host();
  for (int i = 0; i < 16; ++i) CHECK(back[i] == doctest::Approx(8 * x[i]));
  for (const cufftHandle plan : {forward, inverse, ordinary}) CHECK(cufftDestroy(plan) == CUFFT_SUCCESS);
  CHECK(cufftXtExec(forward, d_x.data(), d_spectrum.data(), CUFFT_FORWARD) == CUFFT_INVALID_PLAN);
  CHECK(made(CUDA_R_16F, CUDA_C_16F, CUDA_C_16F, none) == CUFFT_NOT_SUPPORTED);
  CHECK(cufftDestroy(none) == CUFFT_SUCCESS);
  CHECK(made(CUDA_R_32F, CUDA_C_64F, CUDA_C_64F, none) == CUFFT_INVALID_TYPE);
  CHECK(cufftDestroy(none) == CUFFT_SUCCESS);
}

TEST_CASE("handles: once, and not after they are destroyed") {
  cufftHandle plan = CUFFT_PLAN_NULL;
  CHECK(cufftDestroy(plan) == CUFFT_SUCCESS);  // cufft.h: safe
  CHECK(cufftDestroy(0) == CUFFT_INVALID_PLAN);
  CHECK(cufftCreate(nullptr) == CUFFT_INVALID_VALUE);
  REQUIRE(cufftCreate(&plan) == CUFFT_SUCCESS);
  device_array<cufftComplex> d_x(8);
  CHECK(cufftExecC2C(plan, d_x.data(), d_x.data(), CUFFT_FORWARD) == CUFFT_INVALID_PLAN);
  std::size_t size = 0;
  CHECK(cufftMakePlan1d(plan, 0, CUFFT_C2C, 1, &size) == CUFFT_INVALID_SIZE);
  CHECK(cufftMakePlan1d(plan, 8, CUFFT_C2C, 1, nullptr) == CUFFT_INVALID_VALUE);
  CHECK(cufftMakePlan1d(plan, 8, CUFFT_C2C, 1, &size) == CUFFT_SUCCESS);
  CHECK(size > 0);
  CHECK(cufftMakePlan1d(plan, 8, CUFFT_C2C, 1, &size) == CUFFT_INVALID_PLAN);
  CHECK(cufftSetStream(plan, nullptr) == CUFFT_SUCCESS);
  CHECK(cufftExecC2C(plan, d_x.data(), d_x.data(), CUFFT_FORWARD) == CUFFT_SUCCESS);
  CHECK(cufftDestroy(plan) == CUFFT_SUCCESS);
  CHECK(cufftDestroy(plan) == CUFFT_INVALID_PLAN);
  CHECK(cufftExecC2C(plan, d_x.data(), d_x.data(), CUFFT_FORWARD) == CUFFT_INVALID_PLAN);
  CHECK(cufftSetStream(plan, nullptr) == CUFFT_INVALID_PLAN);
  CHECK(cufftSetWorkArea(plan, nullptr) == CUFFT_INVALID_PLAN);
  CHECK(cufftSetAutoAllocation(plan, 0) == CUFFT_INVALID_PLAN);
  CHECK(cufftGetSize(plan, &size) == CUFFT_INVALID_PLAN);
  cufftHandle other = 0;
  REQUIRE(cufftPlan1d(&other, 8, CUFFT_C2C, 1) == CUFFT_SUCCESS);
  CHECK(other != plan);
  CHECK(cufftDestroy(other) == CUFFT_SUCCESS);
}

TEST_CASE("calls that cannot be run") {
  cufftHandle plan = 0;
  REQUIRE(cufftPlan1d(&plan, 8, CUFFT_C2C, 1) == CUFFT_SUCCESS);
  device_array<cufftComplex> d_x(8), d_y(8);
  CHECK(cufftExecC2C(plan, nullptr, d_y.data(), CUFFT_FORWARD) == CUFFT_INVALID_VALUE);
  CHECK(cufftExecC2C(plan, d_x.data(), nullptr, CUFFT_FORWARD) == CUFFT_INVALID_VALUE);
  CHECK(cufftExecC2C(plan, d_x.data(), d_y.data(), 0) == CUFFT_INVALID_VALUE);
  // A plan of another type or precision.
  auto* const real = reinterpret_cast<float*>(d_x.data());
  auto* const wide = reinterpret_cast<cufftDoubleComplex*>(d_x.data());
  CHECK(cufftExecR2C(plan, real, d_y.data()) == CUFFT_INVALID_PLAN);
  CHECK(cufftExecC2R(plan, d_y.data(), real) == CUFFT_INVALID_PLAN);
  CHECK(cufftExecZ2Z(plan, wide, wide, CUFFT_FORWARD) == CUFFT_INVALID_PLAN);
  CHECK(cufftDestroy(plan) == CUFFT_SUCCESS);
}

TEST_CASE("work areas: the plan's own, and the program's") {
  const std::size_t free_before = free_bytes();
  cufftHandle plan = 0;
  REQUIRE(cufftPlan1d(&plan, 1000, CUFFT_R2C, 4) == CUFFT_SUCCESS);
  std::size_t size = 0, same = 0;
  REQUIRE(cufftGetSize(plan, &size) == CUFFT_SUCCESS);
  CHECK(free_before - free_bytes() == size);
  REQUIRE(cufftEstimate1d(1000, CUFFT_R2C, 4, &same) == CUFFT_SUCCESS);
  CHECK(size == same);
  REQUIRE(cufftGetSize1d(plan, 1000, CUFFT_R2C, 4, &same) == CUFFT_SUCCESS);
  CHECK(size == same);
  int n[1] = {1000};
  REQUIRE(cufftGetSizeMany(plan, 1, n, nullptr, 1, 0, nullptr, 1, 0, CUFFT_R2C, 4, &same) == CUFFT_SUCCESS);
  CHECK(size == same);
  REQUIRE(cufftEstimateMany(1, n, nullptr, 1, 0, nullptr, 1, 0, CUFFT_D2Z, 4, &same) == CUFFT_SUCCESS);
  CHECK(2 * size == same);
  CHECK(cufftEstimate1d(1000, CUFFT_R2C, 4, nullptr) == CUFFT_INVALID_VALUE);
  CHECK(cufftGetSize(plan, nullptr) == CUFFT_INVALID_VALUE);
  REQUIRE(cufftDestroy(plan) == CUFFT_SUCCESS);
  CHECK(free_bytes() == free_before);

  device_array<float> d_x(1000);
  device_array<cufftComplex> d_y(501);
  REQUIRE(cufftCreate(&plan) == CUFFT_SUCCESS);
  REQUIRE(cufftSetAutoAllocation(plan, 0) == CUFFT_SUCCESS);
  const std::size_t free_then = free_bytes();
  REQUIRE(cufftMakePlan1d(plan, 1000, CUFFT_R2C, 1, &size) == CUFFT_SUCCESS);
  CHECK(free_bytes() == free_then);
  CHECK(cufftExecR2C(plan, d_x.data(), d_y.data()) == CUFFT_NO_WORKSPACE);
  {
    device_array<char> d_work(size);
    REQUIRE(cufftSetWorkArea(plan, d_work.data()) == CUFFT_SUCCESS);
    CHECK(cufftExecR2C(plan, d_x.data(), d_y.data()) == CUFFT_SUCCESS);
  }
  REQUIRE(cufftDestroy(plan) == CUFFT_SUCCESS);

  // A work area that the program sets frees the plan's own.
  REQUIRE(cufftPlan1d(&plan, 1000, CUFFT_R2C, 1) == CUFFT_SUCCESS);
  device_array<char> d_work(size);
  const std::size_t free_with_both = free_bytes();
  REQUIRE(cufftSetWorkArea(plan, d_work.data()) == CUFFT_SUCCESS);
  CHECK(free_bytes() - free_with_both == size);
  CHECK(cufftExecR2C(plan, d_x.data(), d_y.data()) == CUFFT_SUCCESS);
  REQUIRE(cufftDestroy(plan) == CUFFT_SUCCESS);
}

TEST_CASE("versions") {
  int version = 0, major = 0, minor = 0, patch = 0;
  REQUIRE(cufftGetVersion(&version) == CUFFT_SUCCESS);
  REQUIRE(cufftGetProperty(MAJOR_VERSION, &major) == CUFFT_SUCCESS);
  REQUIRE(cufftGetProperty(MINOR_VERSION, &minor) == CUFFT_SUCCESS);
  REQUIRE(cufftGetProperty(PATCH_LEVEL, &patch) == CUFFT_SUCCESS);
  CHECK(version == CUFFT_VERSION);
  CHECK(version == 1000 * major + 100 * minor + patch);
  CHECK(cufftGetVersion(nullptr) == CUFFT_INVALID_VALUE);
}

TEST_CASE("a device that is reset knows no plan any more") {
  cufftHandle plan = 0;
  REQUIRE(cufftPlan1d(&plan, 8, CUFFT_C2C, 1) == CUFFT_SUCCESS);
  REQUIRE(cudaDeviceReset() == cudaSuccess);
  CHECK(cufftDestroy(plan) == CUFFT_INVALID_PLAN);
}

TEST_CASE("the log of launches shows a transform, and that nothing of it is counted") {
  cufftHandle plan = 0;
  REQUIRE(cufftPlan1d(&plan, 8, CUFFT_R2C, 3) == CUFFT_SUCCESS);
  device_array<float> d_x(24);
  device_array<cufftComplex> d_y(15);
  cuda_emulator::begin_counting();
  REQUIRE(cufftExecR2C(plan, d_x.data(), d_y.data()) == CUFFT_SUCCESS);
  const auto log = cuda_emulator::end_counting();
  REQUIRE(log.size() == 1);
  CHECK(log[0].kernel == "cuFFT R2C, n = 8, batch of 3 (not counted)");
  CHECK(log[0].threads == 0);
  CHECK(log[0].global_loads == 0);
  REQUIRE(cufftDestroy(plan) == CUFFT_SUCCESS);
}
