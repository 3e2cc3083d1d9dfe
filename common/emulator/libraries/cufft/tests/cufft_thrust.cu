// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// The convolution theorem with the two libraries together: cuFFT there and back, Thrust between them, in
// memory that nothing else has written.
#include <cufft.h>

#include <thrust/complex.h>
#include <thrust/device_ptr.h>
#include <thrust/execution_policy.h>
#include <thrust/fill.h>
#include <thrust/transform.h>

#include "../../../tests/findings.hpp"

namespace {

using complex = thrust::complex<float>;

struct scaled_product {
  float scale;
  __host__ __device__ complex operator()(complex a, complex b) const { return scale * (a * b); }
};

__global__ void differences_kernel(const float* x, float* y, int size) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < size) y[i] = x[i] - x[(i + 1) % size];
}

template <class T>
T* raw(std::size_t size) {
  T* data = nullptr;
  REQUIRE(cudaMalloc(&data, size * sizeof(T)) == cudaSuccess);
  return data;
}

thrust::device_ptr<complex> as_thrust(cufftComplex* data) {
  return thrust::device_pointer_cast(reinterpret_cast<complex*>(data));
}

}  // namespace

TEST_CASE("a circular convolution: transform, multiply and scale, transform back") {
  for (const int n : {12, 15}) {
    CAPTURE(n);
    const int bins = n / 2 + 1;
    float *const d_x = raw<float>(n), *const d_h = raw<float>(n), *const d_y = raw<float>(n),
                 *const d_d = raw<float>(n);
    cufftComplex *const d_xs = raw<cufftComplex>(bins), *const d_hs = raw<cufftComplex>(bins);
    std::vector<float> x(n), h(n), y(n);
    for (int i = 0; i < n; ++i) x[i] = static_cast<float>(i * i % 7);
    for (int i = 0; i < 3; ++i) h[i] = static_cast<float>(1 + i);
    REQUIRE(cudaMemcpy(d_x, x.data(), n * sizeof(float), cudaMemcpyHostToDevice) == cudaSuccess);
    REQUIRE(cudaMemcpy(d_h, h.data(), 3 * sizeof(float), cudaMemcpyHostToDevice) == cudaSuccess);
    cufftHandle forward = 0, back = 0;
    REQUIRE(cufftPlan1d(&forward, n, CUFFT_R2C, 1) == CUFFT_SUCCESS);
    REQUIRE(cufftPlan1d(&back, n, CUFFT_C2R, 1) == CUFFT_SUCCESS);

    // Thrust writes the zeros behind the filter; without them there is a finding.
    CHECK(finding_of([&] { cufftExecR2C(forward, d_h, d_hs); }).has_value());
    const auto zeros = thrust::device_pointer_cast(d_h) + 3;
    thrust::fill(thrust::device, zeros, zeros + (n - 3), 0.0f);

    const auto found = finding_of([&] {
      REQUIRE(cufftExecR2C(forward, d_x, d_xs) == CUFFT_SUCCESS);
      REQUIRE(cufftExecR2C(forward, d_h, d_hs) == CUFFT_SUCCESS);
      cufftComplex* const d_ys = raw<cufftComplex>(bins);
      const auto product = scaled_product{1.0f / static_cast<float>(n)};
      thrust::transform(thrust::device, as_thrust(d_xs), as_thrust(d_xs) + bins, as_thrust(d_hs),
                        as_thrust(d_ys), product);
      REQUIRE(cufftExecC2R(back, d_ys, d_y) == CUFFT_SUCCESS);
      differences_kernel<<<1, 32>>>(d_y, d_d, n);  // a kernel reads what the transform has written
      cudaFree(d_ys);
    });
    if (found) FAIL_CHECK(found->what());
    REQUIRE(cudaMemcpy(y.data(), d_y, n * sizeof(float), cudaMemcpyDeviceToHost) == cudaSuccess);
    for (int i = 0; i < n; ++i) {
      float expected = 0;
      for (int k = 0; k < 3; ++k) expected += h[k] * x[(i - k + n) % n];
      CAPTURE(i);
      CHECK(y[i] == doctest::Approx(expected).epsilon(1e-5));
    }
    for (void* const data : {static_cast<void*>(d_x), static_cast<void*>(d_h), static_cast<void*>(d_y),
                             static_cast<void*>(d_d), static_cast<void*>(d_xs), static_cast<void*>(d_hs)})
      CHECK(cudaFree(data) == cudaSuccess);
    CHECK(cufftDestroy(forward) == CUFFT_SUCCESS);
    CHECK(cufftDestroy(back) == CUFFT_SUCCESS);
  }
}
