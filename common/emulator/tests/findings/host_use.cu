// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Host code that uses memory of the device: found. The same with memory that both use, with copies, and
// through Thrust: not found.
#include <thrust/complex.h>
#include <thrust/device_free.h>
#include <thrust/device_malloc.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/for_each.h>
#include <thrust/host_vector.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>
#include <thrust/transform.h>
#include <thrust/universal_vector.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstring>
#include <numeric>
#include <stdexcept>
#include <thread>

#include "../findings.hpp"

namespace {

using cuda_emulator::finding_kind;

constexpr int size = 64;

__constant__ float taps[8];
__constant__ const float weights[4] = {1, 2, 3, 4};
__device__ const float table[4] = {5, 6, 7, 8};
__device__ int counter;
__managed__ int both = 3;

__global__ void use_kernel(float* y) {
  *y = taps[1] + weights[1] + table[1] + static_cast<float>(counter + both);
}
__global__ void tell_kernel(float** y) {
  __shared__ float tile[4];
  tile[0] = 7;
  *y = tile;
}

struct record {
  double values[5];
};

// Whatever the host does with `x`, whose memory is the device's, or both sides'.
void check_use(const std::vector<std::string>& words, const std::function<void(float*)>& use) {
  device_array<float> d_x(size);
  float *pinned = nullptr, *managed = nullptr;
  REQUIRE(cudaMallocHost(&pinned, size * sizeof(float)) == cudaSuccess);
  REQUIRE(cudaMallocManaged(&managed, size * sizeof(float)) == cudaSuccess);
  std::vector<float> registered(size);
  REQUIRE(cudaHostRegister(registered.data(), size * sizeof(float), cudaHostRegisterDefault) == cudaSuccess);
  const auto found = finding_of([&] { use(d_x.data()); });
  CHECK(found.has_value());
  if (found) {
    const std::string message = found->what();
    CAPTURE(message);
    CHECK(found->kind() == finding_kind::device_pointer);
    CHECK(message.find("error: device memory used in host code") != std::string::npos);
    CHECK(message.find("the allocation of 256 bytes") != std::string::npos);
    for (const std::string& word : words) {
      CAPTURE(word);
      CHECK(message.find(word) != std::string::npos);
    }
  }
  for (float* const x : {pinned, managed, registered.data()}) {
    std::fill(x, x + size, 1.0f);
    const auto nothing = finding_of([&] { use(x); });
    if (nothing) FAIL_CHECK("memory of both sides: " << nothing->what());
  }
  cuda_emulator::set_checking(false);
  CHECK_FALSE(finding_of([&] { use(d_x.data()); }).has_value());
  cuda_emulator::set_checking(true);
  cudaHostUnregister(registered.data());
  cudaFreeHost(pinned);
  cudaFree(managed);
}

}  // namespace

TEST_CASE("elements of device memory") {
  float sum = 0;
  const int line = __LINE__ + 1;
  check_use({"the host reads 4 bytes: element [3]", at_line(__FILE__, line)}, [&](float* x) { sum += x[3]; });
  check_use({"the host writes 4 bytes: element [5]", "Usual cause"}, [](float* x) { x[5] = 1; });
  check_use({"the host reads", "element ["},
            [&](float* x) { sum += static_cast<float>(record(*reinterpret_cast<record*>(x)).values[2]); });
  check_use({"the host writes 4 bytes: element [1]"},
            [](float* x) { std::atomic_ref<float>(x[1]).store(2.0f); });
  check_use({"element [2]"}, [](float* x) { std::thread([x] { x[2] = 1; }).join(); });
  check_use({"element [4]"}, [](float* x) {
    cudaLaunchHostFunc(
        nullptr, [](void* data) { static_cast<float*>(data)[4] = 1; }, x);
  });
  CHECK(sum == sum);
}

TEST_CASE("functions that are given device memory") {
  std::vector<float> host(size, 1.0f);
  const std::size_t bytes = size * sizeof(float);
  float sum = 0;
  int same = 0;
  check_use({"memcpy() reads 256 bytes: byte 0"}, [&](float* x) { memcpy(host.data(), x, bytes); });
  check_use({"memcpy() writes 128 bytes: byte 128"},
            [&](float* x) { memcpy(x + size / 2, host.data(), bytes / 2); });
  check_use({"memset() writes 256 bytes"}, [&](float* x) { memset(x, 0, bytes); });
  check_use({"memmove() reads 256 bytes"}, [&](float* x) { std::copy(x, x + size, host.begin()); });
  check_use({"memcmp() reads 256 bytes"}, [&](float* x) { same += memcmp(x, host.data(), bytes); });
  std::FILE* const file = std::tmpfile();
  REQUIRE(file != nullptr);
  check_use({"fwrite() reads 256 bytes"}, [&](float* x) { fwrite(x, sizeof(float), size, file); });
  std::rewind(file);
  check_use({"fread() writes 256 bytes"}, [&](float* x) {
    if (fread(x, sizeof(float), size, file) == 0) std::rewind(file);
  });
  std::fclose(file);
  const int line = __LINE__ + 1;
  check_use({at_line(__FILE__, line)}, [](float* x) { std::sort(x, x + size); });
  check_use({}, [](float* x) { std::fill(x, x + size, 1.0f); });
  check_use({}, [&](float* x) { sum += std::accumulate(x, x + size, 0.0f); });
  check_use({}, [&](float* x) { host.assign(x, x + size); });
  // Thrust takes plain pointers for those of the host.
  check_use({"thrust::sort() takes plain pointers", "thrust::device"},
            [](float* x) { thrust::sort(x, x + size); });
  check_use({"thrust::reduce()"}, [&](float* x) { sum += thrust::reduce(x, x + size); });
  CHECK(sum + static_cast<float>(same) == sum + static_cast<float>(same));
}

TEST_CASE("variables of the device") {
  device_array<float> d_y(1);
  void *taps_begin = nullptr, *counter_begin = nullptr;
  REQUIRE(cudaGetSymbolAddress(&taps_begin, taps) == cudaSuccess);
  REQUIRE(cudaGetSymbolAddress(&counter_begin, counter) == cudaSuccess);
  float *const d_taps = static_cast<float*>(taps_begin), h_taps[8] = {};
  int* const d_counter = static_cast<int*>(counter_begin);
  volatile float sum = 0;
  check_found(
      finding_kind::device_pointer,
      {"variable of the device used in host code", "the host writes 4 bytes: taps[3] in constant memory",
       "cudaMemcpyToSymbol()"},
      [&] { d_taps[3] = 1; },
      [&] {
        h_taps[3] = 1;
        cudaMemcpyToSymbol(taps, h_taps, sizeof h_taps);
        use_kernel<<<1, 1>>>(d_y.data());
      });
  check_found(
      finding_kind::device_pointer, {"the host reads 4 bytes: taps[2]", "cudaMemcpyFromSymbol()"},
      [&] { sum = sum + d_taps[2]; },
      [&] {
        cudaMemcpyFromSymbol(h_taps, taps, sizeof h_taps);
        sum = sum + h_taps[2];
      });
  int value = 0;
  check_found(
      finding_kind::device_pointer, {"the host reads 4 bytes: counter in global memory"},
      [&] { ++*d_counter; },
      [&] {
        cudaMemcpyFromSymbol(&value, counter, sizeof value);
        ++value;
        cudaMemcpyToSymbol(counter, &value, sizeof value);
      });
  // Of constants the host has a copy. Managed variables are both sides'.
  const float *const h_weights = weights, *const h_table = table;
  const auto nothing = finding_of([&] {
    for (int i = 0; i < 4; ++i) sum = sum + h_weights[i] + h_table[i];
    both += 1;
    sum = sum + static_cast<float>(both);
  });
  if (nothing) FAIL_CHECK(nothing->what());
  CHECK(sum == 1 + 2 + 3 + 4 + 5 + 6 + 7 + 8 + 4 + 10 * h_taps[2]);
}

TEST_CASE("freed memory, the end of pinned memory, shared memory") {
  float *freed = nullptr, *pinned = nullptr;
  REQUIRE(cudaMalloc(&freed, 400) == cudaSuccess);
  REQUIRE(cudaMallocHost(&pinned, 400) == cudaSuccess);
  REQUIRE(cudaFree(freed) == cudaSuccess);
  check_found(
      finding_kind::use_after_free,
      {"use of freed memory in host code", "element [2]", "which has been freed"}, [&] { freed[2] = 1; },
      [&] { pinned[2] = 1; });
  check_found(
      finding_kind::out_of_bounds, {"access out of bounds in host code", "element [100]"},
      [&] { pinned[100] = 1; }, [&] { pinned[99] = 1; });
  REQUIRE(cudaFreeHost(pinned) == cudaSuccess);
  check_found(
      finding_kind::use_after_free, {"use of freed memory in host code"}, [&] { pinned[2] = 1; }, [] {});
  device_array<float*> d_tile(1);
  tell_kernel<<<1, 1>>>(d_tile.data());
  float* const tile = d_tile.to_host()[0];
  check_found(
      finding_kind::device_pointer, {"shared memory used in host code"}, [&] { tile[0] = 1; }, [] {});
}

namespace {

struct with_variables {
  __device__ float operator()(float x) const { return x * taps[0] + table[2] + static_cast<float>(counter); }
};
__device__ __noinline__ float far(const float* x, int i) { return x[0] + x[i % size]; }
struct with_pointer {
  const float* x;
  __device__ __noinline__ float operator()(int i) const { return far(x, i); }
};
struct square {
  __host__ __device__ float operator()(float x) const { return x * x; }
};
struct pair_sum {
  template <class Pair>
  __host__ __device__ float operator()(const Pair& pair) const {
    return thrust::get<0>(pair) + thrust::get<1>(pair);
  }
};
struct counted {
  int value;
  __host__ __device__ counted(int v = 0) : value(v) {}
  __host__ __device__ counted(const counted& other) : value(other.value + 1) {}
  counted& operator=(const counted&) = default;
  __host__ __device__ ~counted() { value = -1; }
};

}  // namespace

TEST_CASE("Thrust's algorithms may, and what they call") {
  device_array<float> d_x(size), d_y(size);
  float *const x = d_x.data(), *const y = d_y.data();
  const auto device = thrust::device;
  const thrust::counting_iterator<int> first(0);
  float sum = 0;
  const auto found = finding_of([&] {
    thrust::sequence(device, x, x + size);
    thrust::transform(device, x, x + size, y, square{});
    thrust::transform(device, x, x + size, y, with_variables{});
    thrust::transform(device, first, first + size, y, with_pointer{x});
    thrust::for_each_n(device, first, size, [=] __device__(int i) { y[i] += x[(i + 1) % size] * x[0]; });
    thrust::for_each(device, x, x + size, [] __device__(float& value) { value *= taps[1] + 1; });
    thrust::sort(device, x, x + size, [] __device__(float a, float b) { return a > b; });
    thrust::sort_by_key(device, x, x + size, y);
    thrust::inclusive_scan(device, x, x + size, y);
    thrust::copy(device, x, x + size, y);
    sum += thrust::reduce(device, x, x + size, 0.0f, thrust::maximum<float>());
    thrust::device_vector<float> v(size), w(v);
    thrust::host_vector<float> h(size, 2.0f);
    v = h;
    const auto both_of = thrust::make_zip_iterator(thrust::make_tuple(v.begin(), w.begin()));
    thrust::transform(both_of, both_of + size, w.begin(), pair_sum{});
    sum += thrust::reduce(thrust::make_transform_iterator(v.begin(), square{}),
                          thrust::make_transform_iterator(v.end(), square{}));
    thrust::device_vector<counted> objects(10, counted(3));
    objects.resize(30);
    objects[2] = counted(4);
    sum += static_cast<float>(static_cast<counted>(objects[2]).value);
    std::thread([&] { thrust::transform(v.begin(), v.end(), w.begin(), with_pointer{x}); }).join();
  });
  if (found) FAIL_CHECK(found->what());
  CHECK(sum > 0);
}

TEST_CASE("single elements of Thrust's vectors and pointers") {
  thrust::device_vector<float> v(size);
  device_array<float> d_x(size);
  const thrust::device_ptr<float> p = thrust::device_pointer_cast(d_x.data());
  const thrust::device_ptr<float> q = thrust::device_malloc<float>(size);
  thrust::universal_vector<float> u(size, 1.0f);
  std::vector<float> host(size);
  float sum = 0;
  const auto found = finding_of([&] {
    v[0] = 1;
    v[1] = v[0];
    v[2] += 2;
    *p = 3;
    p[1] = *p;
    q[2] = p[1];
    sum += v[0] + v[1] + v[2] + p[1] + q[2] + v.back();
    v.push_back(4);
    v.insert(v.begin(), 5.0f);
    thrust::copy(v.begin(), v.begin() + size, host.begin());
    host.assign(v.begin(), v.begin() + size);
    float* const plain = thrust::raw_pointer_cast(u.data());
    plain[3] = 2;
    sum += plain[3] + u[0];
    use_kernel<<<1, 1>>>(thrust::raw_pointer_cast(q));
  });
  if (found) FAIL_CHECK(found->what());
  CHECK(sum == 1 + 1 + 2 + 3 + 3 + 0 + 2 + 1);
  float* const plain = thrust::raw_pointer_cast(v.data());
  CHECK(finding_of([&] { plain[0] = 1; }).has_value());
  thrust::device_vector<thrust::complex<float>> z(4);
  const thrust::complex<float>* const plain_z = thrust::raw_pointer_cast(z.data());
  CHECK(finding_of([&] { sum += plain_z[1].real(); }).has_value());
  thrust::device_free(q);
}

TEST_CASE("exceptions out of what Thrust calls leave nothing behind") {
  device_array<float> d_x(size);
  float* const x = d_x.data();
  const auto stop = [](float& value) {
    if (value == 0) throw std::runtime_error("stop");
  };
  const auto found = finding_of([&] { CHECK_THROWS(thrust::for_each(thrust::device, x, x + size, stop)); });
  if (found) FAIL_CHECK(found->what());
  CHECK(finding_of([&] { x[0] = 1; }).has_value());
}

namespace {
__host__ __device__ __noinline__ float sum_of_two(const float* x, int i) { return x[0] + x[i % size]; }
}  // namespace

TEST_CASE("one function called by Thrust and by the host") {
  device_array<float> d_x(size);
  float* const x = d_x.data();
  const thrust::counting_iterator<int> first(0);
  volatile float sum = 0;
  CHECK(finding_of([&] { sum = sum_of_two(x, 1); }).has_value());
  const auto found = finding_of(
      [&] { thrust::for_each_n(thrust::device, first, size, [x, &sum](int i) { sum = sum_of_two(x, i); }); });
  if (found) FAIL_CHECK(found->what());
}
