// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Thrust of the distribution, on memory of the emulated device.
#include <thrust/complex.h>
#include <thrust/device_ptr.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/functional.h>
#include <thrust/host_vector.h>
#include <thrust/inner_product.h>
#include <thrust/reduce.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>
#include <thrust/transform.h>

#include <stdexcept>

#include "../emulator_test.hpp"

namespace {

struct square {
  __host__ __device__ float operator()(float x) const { return x * x; }
};
struct scaled_product {
  float scale;
  __host__ __device__ thrust::complex<float> operator()(thrust::complex<float> a,
                                                        thrust::complex<float> b) const {
    return scale * a * b;
  }
};
__global__ void twice_kernel(float* x, int size) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < size) x[i] *= 2;
}

}  // namespace

// Programs catch it without asking for its header, as Thrust's CUDA back end has it everywhere.
static_assert(std::is_base_of_v<std::runtime_error, thrust::system_error>);

TEST_CASE("kernels and Thrust share device memory") {
  thrust::device_vector<float> d_x(1000);
  cudaPointerAttributes attributes;
  REQUIRE(cudaPointerGetAttributes(&attributes, thrust::raw_pointer_cast(d_x.data())) == cudaSuccess);
  CHECK(attributes.type == cudaMemoryTypeDevice);
  thrust::sequence(d_x.begin(), d_x.end());
  thrust::transform(d_x.begin(), d_x.end(), d_x.begin(), square{});
  twice_kernel<<<4, 256>>>(thrust::raw_pointer_cast(d_x.data()), 1000);
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(thrust::reduce(d_x.begin(), d_x.begin() + 10, 0.0f) == 2 * 285.0f);
  thrust::sort(d_x.begin(), d_x.end(), thrust::greater<float>());
  const thrust::host_vector<float> x = d_x;
  CHECK(x[0] == 2 * 999.0f * 999.0f);
  CHECK(x[999] == 0);
}

TEST_CASE("device_ptr around cudaMalloc, complex numbers") {
  using complex = thrust::complex<float>;
  device_array<complex> d_a(std::vector<complex>(100, complex(1, 2))),
      d_b(std::vector<complex>(100, complex(3, -1)));
  const auto a = thrust::device_pointer_cast(d_a.data()), b = thrust::device_pointer_cast(d_b.data());
  thrust::transform(thrust::device, a, a + 100, b, a, scaled_product{0.5f});
  for (const complex value : d_a.to_host()) CHECK(value == complex(2.5f, 2.5f));
  thrust::device_vector<complex> d_copy(a, a + 100);
  CHECK(static_cast<complex>(d_copy[99]) == complex(2.5f, 2.5f));
}
