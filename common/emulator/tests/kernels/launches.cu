// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Every thread of a grid runs once, in the order that was asked for, and knows where it stands.
#include <set>

#include "../emulator_test.hpp"

namespace {

__device__ int next_place;

__global__ void who_am_i_kernel(int* seen, uint3 grid, uint3 block) {
  const unsigned threads = blockDim.x * blockDim.y * blockDim.z;
  const unsigned in_block = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  const unsigned in_grid = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
  const bool right = gridDim.x == grid.x && gridDim.y == grid.y && gridDim.z == grid.z &&
                     blockDim.x == block.x && blockDim.y == block.y && blockDim.z == block.z &&
                     threadIdx.x < block.x && threadIdx.y < block.y && threadIdx.z < block.z &&
                     blockIdx.x < grid.x && blockIdx.y < grid.y && blockIdx.z < grid.z && warpSize == 32;
  atomicAdd(&seen[in_grid * threads + in_block], right ? 1 : 1000);
}

__global__ void places_kernel(int* places) {
  places[blockIdx.x * blockDim.x + threadIdx.x] = atomicAdd(&next_place, 1);
}

std::vector<int> places(int blocks, int threads) {
  const int zero = 0;
  cudaMemcpyToSymbol(next_place, &zero, sizeof zero);
  device_array<int> d_places(static_cast<std::size_t>(blocks * threads));
  places_kernel<<<blocks, threads>>>(d_places.data());
  return d_places.to_host();
}

template <class T, int N>
struct counted {
  T values[N];
  __host__ __device__ T sum() const {
    T total = 0;
    for (int i = 0; i < N; ++i) total += values[i];
    return total;
  }
};

template <class T, int N>
__global__ void by_value_kernel(counted<T, N> numbers, T factor, T* out) {
  out[threadIdx.x] = numbers.sum() * factor + static_cast<T>(threadIdx.x);
}

__global__ void writes_its_copy_kernel(int n, int* out) {
  n += static_cast<int>(threadIdx.x);  // each thread has its own parameter
  out[threadIdx.x] = n;
}

// Owns memory, as a simple vector does: it may not be copied, but a pointer can be had from it.
struct owner {
  int* memory = nullptr;
  owner() { cudaMallocManaged(&memory, 4 * sizeof(int)); }
  owner(const owner&) = delete;
  owner& operator=(const owner&) = delete;
  ~owner() { cudaFree(memory); }
  operator int*() const {
    ++conversions;
    return memory;
  }
  mutable int conversions = 0;
};

// Counts its copies and destructors, which are the host's work.
struct counting {
  int value;
  int* copies;
  counting(int value, int* copies) : value(value), copies(copies) {}
  counting(const counting& other) : value(other.value + 100), copies(other.copies) { ++copies[0]; }
  ~counting() { ++copies[1]; }
};

struct numbers {
  int a, b;
};

__global__ void default_kernel(int* out, int value = 7) { out[threadIdx.x] = value; }
__global__ void braces_kernel(numbers n, int* out) { *out = n.a * 10 + n.b; }
__global__ void reference_kernel(numbers& n, const int& more) { atomicAdd(&n.a, more); }
__global__ void counting_kernel(counting c, int* out) {
  c.value += static_cast<int>(threadIdx.x);
  out[threadIdx.x] = c.value;
}
__global__ void overloaded_kernel(int* out, int value) { *out = value; }
__global__ void overloaded_kernel(float* out) { *out = 0.5f; }
template <class T>
__global__ void deduced_kernel(T* out, T value) {
  *out = value;
}

}  // namespace

TEST_CASE("grids and blocks in one, two and three dimensions") {
  struct shape {
    dim3 grid, block;
  };
  const shape shapes[] = {
      {1, 1}, {7, 33}, {{3, 2}, {8, 4}}, {{2, 3, 4}, {5, 3, 2}}, {1, 1024}, {{1, 5}, {1, 1, 64}}};
  for (const shape& s : shapes) {
    in_all_orders([&] {
      const dim3 grid = s.grid, block = s.block;
      const std::size_t threads = grid.x * grid.y * grid.z * block.x * block.y * block.z;
      device_array<int> d_seen(threads);
      who_am_i_kernel<<<grid, block>>>(d_seen.data(), grid, block);
      REQUIRE(cudaGetLastError() == cudaSuccess);
      CHECK(d_seen.to_host() == std::vector<int>(threads, 1));
    });
  }
}

TEST_CASE("the order of threads and blocks is the one that was asked for") {
  cuda_emulator::set_threads(1);
  REQUIRE(cuda_emulator::set_order("forward"));
  std::vector<int> expected(4 * 50);
  for (int i = 0; i < 200; ++i) expected[static_cast<std::size_t>(i)] = i;
  CHECK(places(4, 50) == expected);

  REQUIRE(cuda_emulator::set_order("reverse"));
  for (int i = 0; i < 200; ++i) expected[static_cast<std::size_t>(i)] = 199 - i;
  CHECK(places(4, 50) == expected);

  REQUIRE(cuda_emulator::set_order("random:7"));
  const std::vector<int> seven = places(4, 50);
  CHECK(std::set<int>(seven.begin(), seven.end()).size() == 200);
  CHECK(seven != expected);
  CHECK(places(4, 50) == seven);  // the same seed, the same order
  REQUIRE(cuda_emulator::set_order("random:8"));
  CHECK(places(4, 50) != seven);

  REQUIRE(cuda_emulator::set_order("forward"));
  CHECK_FALSE(cuda_emulator::set_order("backward"));
  CHECK_FALSE(cuda_emulator::set_order("random:"));
  CHECK_FALSE(cuda_emulator::set_order("random:1x"));
  CHECK(std::string(cuda_emulator::order_text()) == "EMULATOR_ORDER=forward");
}

TEST_CASE("arguments are copied for each thread") {
  device_array<int> d_out(64);
  writes_its_copy_kernel<<<1, 64>>>(5, d_out.data());
  const std::vector<int> out = d_out.to_host();
  CHECK(out[0] == 5);
  CHECK(out[63] == 68);

  device_array<double> d_sums(3);
  by_value_kernel<<<1, 3>>>(counted<double, 3>{{1, 2, 4}}, 10.0, d_sums.data());
  CHECK(d_sums.to_host() == std::vector<double>{70, 71, 72});
}

TEST_CASE("arguments become what the kernel's parameters are, once and on the host") {
  owner o;
  default_kernel<<<1, 4>>>(o.memory);
  cudaDeviceSynchronize();
  CHECK(o.memory[3] == 7);
  default_kernel<<<1, 2>>>(o, 2L);  // neither copied nor converted by each thread
  cudaDeviceSynchronize();
  CHECK(o.conversions == 1);
  CHECK(o.memory[1] == 2);
  CHECK(o.memory[2] == 7);
  braces_kernel<<<1, 1>>>({4, 2}, o);
  cudaDeviceSynchronize();
  CHECK(o.memory[0] == 42);
  deduced_kernel<<<1, 1>>>(o.memory, 5);
  cudaDeviceSynchronize();
  CHECK(o.memory[0] == 5);
  deduced_kernel<int><<<1, 1>>>(o, 6);
  cudaDeviceSynchronize();
  CHECK(o.memory[0] == 6);
  overloaded_kernel<<<1, 1>>>(o.memory, 8);
  cudaDeviceSynchronize();
  CHECK(o.memory[0] == 8);
  overloaded_kernel<<<1, 1>>>(reinterpret_cast<float*>(o.memory));
  cudaDeviceSynchronize();
  CHECK(o.memory[0] == 0x3f000000);
  void (*const table[])(int*, int) = {default_kernel};
  table[0]<<<1, 1>>>(o, 9);
  cudaDeviceSynchronize();
  CHECK(o.memory[0] == 9);
}

TEST_CASE("a parameter that is a reference is the object itself") {
  numbers* n = nullptr;
  int* more = nullptr;
  cudaMallocManaged(&n, sizeof *n);
  cudaMallocManaged(&more, sizeof *more);
  n->a = 1;
  *more = 2;
  reference_kernel<<<1, 3>>>(*n, *more);
  cudaDeviceSynchronize();
  CHECK(n->a == 7);
  cudaFree(n);
  cudaFree(more);
}

TEST_CASE("constructors and destructors of parameters run on the host, once for a launch") {
  device_array<int> d_out(64);
  int copies[2] = {0, 0};
  {
    const counting c(5, copies);
    counting_kernel<<<1, 64>>>(c, d_out.data());
    CHECK(copies[0] == 1);
    CHECK(copies[1] == 1);
  }
  CHECK(copies[1] == 2);
  const std::vector<int> out = d_out.to_host();
  CHECK(out[0] == 105);
  CHECK(out[63] == 168);
}

TEST_CASE("launching by address") {
  device_array<int> d_out(4);
  int n = 3;
  int* pointer = d_out.data();
  void* arguments[] = {&n, &pointer};
  CHECK(cudaLaunchKernel(writes_its_copy_kernel, dim3(1), dim3(4), arguments) == cudaSuccess);
  CHECK(d_out.to_host() == std::vector<int>{3, 4, 5, 6});
}

TEST_CASE("a kernel without barriers costs no switch") {
  device_array<int> d_places(100 * 256);
  const auto before = cuda_emulator::fiber_switches();
  places_kernel<<<100, 256>>>(d_places.data());
  CHECK(cuda_emulator::fiber_switches() == before);
}
