// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Static variables of functions that run on the device: one for all threads, in device memory.
#include <algorithm>
#include <numeric>

#include "../emulator_test.hpp"
#ifdef ON_EMULATED_DEVICE
#include "../findings.hpp"
#include "emulator/counts.hpp"
#endif

namespace {

__global__ void ticket_kernel(int* tickets) {
  static int next;
  const static unsigned int step = 1;
  tickets[blockIdx.x * blockDim.x + threadIdx.x] = atomicAdd(&next, int(step));
}

template <int first>
__device__ int next_number() {
  static int number = first, calls[2] = {0, 10};
  ++calls[1];
  return number++ + 100 * calls[1];
}

__global__ void number_kernel(int* x) {
  x[0] = next_number<1>();
  x[1] = next_number<1>();
  x[2] = next_number<5>();
}

__device__ int prime(int i) {
  static const int primes[] = {2, 3, 5, 7, 11, 13, 17, 19};
  static constexpr int offsets[2] = {0, 1000};
  return primes[i] + offsets[i % 2];
}

__global__ void prime_kernel(int* x) { x[threadIdx.x] = prime(threadIdx.x); }

// One for the host, one for the device. Lambdas use it without a capture.
__host__ __device__ int count_calls() {
  static int calls = 0, by = 1;
  static const int nothing[2] = {0, 0};
  const auto count = [=] { calls += by + nothing[calls % 2]; };
  count();
  return calls;
}

__global__ void call_kernel(int* x) { x[0] = count_calls(); }

struct counter {
  static constexpr int first = 7;
  __device__ int next() {
    static int value = first;
    return value++;
  }
};

__global__ void member_kernel(int* x) {
  struct local {
    static __device__ int twice(int v) { return 2 * v; }
  };
  x[0] = counter().next();
  x[1] = local::twice(counter().next());
}

__host__ __device__ constexpr int square(int x) { return x * x; }

// What nvcc takes for constant.
__device__ int nine = square(3);
__device__ int* pointer_to_nine = &nine;
__device__ float infinite = 1.0f / 0.0f;
__device__ dim3 shape(1, 2, 3);

__global__ void constant_kernel(int* x) {
  static int sixteen = square(4);
  static int* const pointer = &sixteen;
  x[0] = nine + *pointer_to_nine + sixteen + *pointer + int(infinite > 1e30f) + int(shape.y);
}

TEST_CASE("a static variable of a kernel is one for all threads, and stays") {
  int begin = 0;
  in_all_orders([&] {
    constexpr int blocks = 7, threads = 50;
    device_array<int> tickets(blocks * threads);
    ticket_kernel<<<blocks, threads>>>(tickets.data());
    std::vector<int> sorted = tickets.to_host(), expected(blocks * threads);
    std::sort(sorted.begin(), sorted.end());
    std::iota(expected.begin(), expected.end(), begin);
    CHECK(sorted == expected);
    begin += blocks * threads;
  });
}

TEST_CASE("each instance of a template has its own") {
  device_array<int> x(3);
  number_kernel<<<1, 1>>>(x.data());
  CHECK(x.to_host() == std::vector<int>{1101, 1202, 1105});
  number_kernel<<<1, 1>>>(x.data());
  CHECK(x.to_host() == std::vector<int>{1303, 1404, 1206});
}

TEST_CASE("tables") {
  device_array<int> x(8);
  prime_kernel<<<1, 8>>>(x.data());
  CHECK(x.to_host() == std::vector<int>{2, 1003, 5, 1007, 11, 1013, 17, 1019});
}

TEST_CASE("a function of both sides has one on each") {
  CHECK(count_calls() == 1);
  CHECK(count_calls() == 2);
  device_array<int> x(1);
  call_kernel<<<1, 1>>>(x.data());
  CHECK(x.to_host()[0] == 1);
  call_kernel<<<1, 1>>>(x.data());
  CHECK(x.to_host()[0] == 2);
  CHECK(count_calls() == 3);
}

TEST_CASE("of member functions, beside static members") {
  device_array<int> x(2);
  member_kernel<<<1, 1>>>(x.data());
  CHECK(x.to_host() == std::vector<int>{7, 16});
}

TEST_CASE("what is constant begins with its value") {
  device_array<int> x(1);
  constant_kernel<<<1, 1>>>(x.data());
  CHECK(x.to_host()[0] == 9 + 9 + 16 + 16 + 1 + 2);
}

#ifdef ON_EMULATED_DEVICE
constexpr int racing_line = __LINE__ + 4;
template <bool faulty>
__global__ void static_sum_kernel(int* x) {
  static int sum;
  if (faulty) sum += x[threadIdx.x];
  if (!faulty) atomicAdd(&sum, x[threadIdx.x]);
}

__global__ void static_table_kernel(float* x) {
  static const float table[32] = {1, 2, 3};
  x[threadIdx.x] = table[threadIdx.x];
}

TEST_CASE("checked as all device memory is") {
  device_array<int> x(64);
  check_found(
      cuda_emulator::finding_kind::race,
      {"race in kernel static_sum_kernel", at_line(__FILE__, racing_line), "sum in global memory"},
      [&] { static_sum_kernel<true><<<1, 64>>>(x.data()); },
      [&] { static_sum_kernel<false><<<1, 64>>>(x.data()); });
}

TEST_CASE("counted as all device memory is") {
  device_array<float> y(32);
  cuda_emulator::begin_counting();
  static_table_kernel<<<1, 32>>>(y.data());
  const auto counts = cuda_emulator::end_counting();
  REQUIRE(counts.size() == 1);
  CHECK(counts[0].global_loads == 32);
}
#endif

}  // namespace
