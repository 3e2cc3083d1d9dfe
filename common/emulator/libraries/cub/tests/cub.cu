// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
//
// CUB by its own names. What the values are holds on a GPU, too.
#include <cub/block/block_load.cuh>
#include <cub/cub.cuh>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <random>
#include <vector>

#include "../../../tests/findings.hpp"

using cuda_emulator::finding_kind;

namespace {

// The two calls that every function of CUB for the device needs.
template <class Function>
void twice(Function&& function) {
  std::size_t bytes = 0;
  REQUIRE(function(nullptr, bytes) == cudaSuccess);
  REQUIRE(bytes > 0);
  void* temp = nullptr;
  REQUIRE(cudaMalloc(&temp, bytes) == cudaSuccess);
  REQUIRE(function(temp, bytes) == cudaSuccess);
  cudaFree(temp);
}

template <class T>
std::vector<T> numbers(std::size_t count) {
  std::mt19937 random(static_cast<unsigned>(count));
  std::vector<T> all(count);
  for (T& each : all) each = static_cast<T>(static_cast<int>(random() % 2001) - 1000);
  return all;
}

template <class T>
void check_sort() {
  const std::vector<T> keys = numbers<T>(500);
  std::vector<int> values(keys.size());
  std::iota(values.begin(), values.end(), 0);
  device_array<T> in(keys), out(keys.size());
  device_array<int> values_in(values), values_out(values.size());
  const int n = static_cast<int>(keys.size());
  for (const bool descending : {false, true}) {
    std::vector<int> order = values;
    std::stable_sort(order.begin(), order.end(),
                     [&](int a, int b) { return descending ? keys[b] < keys[a] : keys[a] < keys[b]; });
    twice([&](void* temp, std::size_t& bytes) {
      return descending ? cub::DeviceRadixSort::SortPairsDescending(temp, bytes, in.data(), out.data(),
                                                                    values_in.data(), values_out.data(), n)
                        : cub::DeviceRadixSort::SortPairs(temp, bytes, in.data(), out.data(),
                                                          values_in.data(), values_out.data(), n);
    });
    CHECK(values_out.to_host() == order);
    const std::vector<T> got = out.to_host();
    int wrong = 0;
    for (int i = 0; i < n; ++i) wrong += got[i] != keys[order[i]];
    CHECK(wrong == 0);
  }
}

struct is_even {
  __host__ __device__ bool operator()(int x) const { return x % 2 == 0; }
};
struct square {
  __host__ __device__ int operator()(int x) const { return x * x; }
};

constexpr int threads = 96, items = 4;

// Each block sums, and scans, its part; the last one is not full.
__global__ void block_kernel(const int* x, int* sums, int* inclusive, int* exclusive, int n) {
  using load = cub::BlockLoad<int, threads, items, cub::BLOCK_LOAD_TRANSPOSE>;
  using store = cub::BlockStore<int, threads, items>;
  using reduce = cub::BlockReduce<int, threads>;
  using scan = cub::BlockScan<int, threads>;
  __shared__ union {
    typename load::TempStorage of_load;
    typename reduce::TempStorage of_reduce;
    typename scan::TempStorage of_scan;
    typename store::TempStorage of_store;
  } temp;
  const int begin = blockIdx.x * threads * items, there = min(n - begin, threads * items);
  int own[items], result[items], all;
  load(temp.of_load).Load(x + begin, own, there, 0);
  __syncthreads();
  const int sum = reduce(temp.of_reduce).Sum(own);
  if (threadIdx.x == 0) sums[blockIdx.x] = sum;
  __syncthreads();
  scan(temp.of_scan).InclusiveSum(own, result);
  store(temp.of_store).Store(inclusive + begin, result, there);
  __syncthreads();
  scan(temp.of_scan).ExclusiveSum(own, result, all);
  store(temp.of_store).Store(exclusive + begin, result, there);
  if (threadIdx.x == 5) sums[gridDim.x + blockIdx.x] = all;
}

__global__ void warp_kernel(const int* x, int* largest, int* sums) {
  using reduce = cub::WarpReduce<int>;
  using scan = cub::WarpScan<int, 8>;
  __shared__ typename reduce::TempStorage of_warps[2];
  __shared__ typename scan::TempStorage of_parts[7];
  const int i = threadIdx.x;
  const int best = reduce(of_warps[i / 32]).Reduce(x[i], cub::Max());
  if (i % 32 == 0) largest[i / 32] = best;
  int sum;
  scan(of_parts[i / 8]).ExclusiveSum(x[i], sum);
  sums[i] = sum;
}

constexpr int wrong = __LINE__ + 3;
__global__ void wrong_kernel(const int* x, int* y, int how) {
  using reduce = cub::BlockReduce<int, 64>;
  __shared__ typename reduce::TempStorage temp;
  const int sum = reduce(temp).Sum(x[threadIdx.x]);
  if (how == 0) __syncthreads();
  const int largest = reduce(temp).Reduce(x[threadIdx.x], cub::Max());
  if (threadIdx.x == 0) y[0] = sum + largest;
}

}  // namespace

TEST_CASE("reductions of the device") {
  const std::vector<int> host = numbers<int>(1000);
  device_array<int> x(host), y(1);
  const int n = 1000;
  const int* in = x.data();
  int* out = y.data();
  twice([&](void* t, std::size_t& b) { return cub::DeviceReduce::Sum(t, b, in, out, n); });
  CHECK(y.to_host()[0] == std::accumulate(host.begin(), host.end(), 0));
  twice([&](void* t, std::size_t& b) { return cub::DeviceReduce::Max(t, b, in, out, n); });
  CHECK(y.to_host()[0] == *std::max_element(host.begin(), host.end()));
  twice([&](void* t, std::size_t& b) { return cub::DeviceReduce::Min(t, b, in, out, n); });
  CHECK(y.to_host()[0] == *std::min_element(host.begin(), host.end()));
  const cub::CountingInputIterator<int> counting(1);
  const cub::TransformInputIterator<int, square, cub::CountingInputIterator<int>> squares(counting, square());
  twice([&](void* t, std::size_t& b) {
    return cub::DeviceReduce::Reduce(t, b, squares, out, 10, cub::Sum(), 100);
  });
  CHECK(y.to_host()[0] == 485);
  device_array<cub::KeyValuePair<int, int>> place(1);
  twice([&](void* t, std::size_t& b) { return cub::DeviceReduce::ArgMax(t, b, in, place.data(), n); });
  CHECK(place.to_host()[0].key == std::max_element(host.begin(), host.end()) - host.begin());
}

TEST_CASE("small numbers are added up in an int, and a sum of the device in the type of its output") {
  const int n = 1000;
  const std::vector<unsigned char> ones(n, 200);
  device_array<unsigned char> in(ones);
  device_array<std::int64_t> total(std::vector<std::int64_t>{0});
  const auto total_of = [&](auto from) {
    twice([&](void* temp, std::size_t& bytes) {
      return cub::DeviceReduce::Sum(temp, bytes, from, total.data(), n);
    });
    return total.to_host()[0];
  };
  CHECK(total_of(in.data()) == 200 * n);
  CHECK(total_of(cub::TransformInputIterator<bool, is_even, const unsigned char*>(in.data(), is_even())) ==
        n);
  const std::vector<int> large(n, 1 << 30);
  device_array<int> in_large(large);
  CHECK(total_of(in_large.data()) == std::int64_t{n} << 30);
  device_array<int> sums(n);
  twice([&](void* temp, std::size_t& bytes) {
    return cub::DeviceScan::ExclusiveSum(temp, bytes, in.data(), sums.data(), n);
  });
  CHECK(sums.to_host().back() == 200 * (n - 1));
  twice([&](void* temp, std::size_t& bytes) {
    return cub::DeviceScan::InclusiveSum(temp, bytes, in.data(), sums.data(), n);
  });
  CHECK(sums.to_host().back() == 200 * n);
}

TEST_CASE("scans, selections and histograms of the device") {
  const std::vector<int> host = numbers<int>(300);
  const int n = 300;
  device_array<int> x(host), y(n), count(1);
  std::vector<int> expected(n);
  twice([&](void* t, std::size_t& b) { return cub::DeviceScan::InclusiveSum(t, b, x.data(), y.data(), n); });
  std::partial_sum(host.begin(), host.end(), expected.begin());
  CHECK(y.to_host() == expected);
  twice([&](void* t, std::size_t& b) {
    return cub::DeviceScan::ExclusiveScan(t, b, x.data(), x.data(), cub::Max(), -5000, n);  // in place
  });
  expected[0] = -5000;
  for (int i = 1; i < n; ++i) expected[i] = std::max(expected[i - 1], host[i - 1]);
  CHECK(x.to_host() == expected);

  device_array<int> z(host);
  twice([&](void* t, std::size_t& b) {
    return cub::DeviceSelect::If(t, b, z.data(), y.data(), count.data(), n, is_even());
  });
  std::vector<int> even;
  std::copy_if(host.begin(), host.end(), std::back_inserter(even), is_even());
  REQUIRE(count.to_host()[0] == static_cast<int>(even.size()));
  CHECK(std::equal(even.begin(), even.end(), y.to_host().begin()));
  device_array<int> runs({1, 1, 2, 2, 2, 1, 3});
  twice([&](void* t, std::size_t& b) {
    return cub::DeviceSelect::Unique(t, b, runs.data(), y.data(), count.data(), 7);
  });
  CHECK(count.to_host()[0] == 4);
  const std::vector<int> got = y.to_host();
  CHECK(std::vector<int>(got.begin(), got.begin() + 4) == std::vector<int>{1, 2, 1, 3});
  device_array<char> flags({0, 1, 0, 0, 1, 0, 1});
  twice([&](void* t, std::size_t& b) {
    return cub::DeviceSelect::Flagged(t, b, runs.data(), flags.data(), y.data(), count.data(), 7);
  });
  CHECK((count.to_host()[0] == 3 && y.to_host()[2] == 3));

  device_array<float> samples({-1, 0, 0.4f, 2.5f, 9.9f, 10, 5});
  device_array<int> bins(4);
  twice([&](void* t, std::size_t& b) {
    return cub::DeviceHistogram::HistogramEven(t, b, samples.data(), bins.data(), 5, 0.0f, 10.0f, 7);
  });
  CHECK(bins.to_host() == std::vector<int>{2, 1, 1, 1});
  device_array<float> bounds({0, 1, 9, 9.5f, 100});
  twice([&](void* t, std::size_t& b) {
    return cub::DeviceHistogram::HistogramRange(t, b, samples.data(), bins.data(), 5, bounds.data(), 7);
  });
  CHECK(bins.to_host() == std::vector<int>{2, 2, 0, 2});
}

TEST_CASE("sorts of the device are stable, and know signs") {
  check_sort<int>();
  check_sort<unsigned>();
  check_sort<float>();
  check_sort<double>();
  check_sort<signed char>();
  device_array<unsigned> one({0x1f, 0x2e, 0x3d}), other(3);
  cub::DoubleBuffer<unsigned> buffer(one.data(), other.data());
  twice([&](void* t, std::size_t& b) { return cub::DeviceRadixSort::SortKeys(t, b, buffer, 3, 0, 4); });
  CHECK(buffer.Current() == other.data());
  CHECK(other.to_host() == std::vector<unsigned>{0x3d, 0x2e, 0x1f});
}

TEST_CASE("collectives of blocks and warps") {
  const int n = threads * items + 130;
  const std::vector<int> host = numbers<int>(n);
  device_array<int> x(host), sums(4), inclusive(n), exclusive(n);
  in_all_orders([&] {
    block_kernel<<<2, threads>>>(x.data(), sums.data(), inclusive.data(), exclusive.data(), n);
    REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
    const auto s = sums.to_host(), in = inclusive.to_host(), ex = exclusive.to_host();
    int bad = 0, sum = 0;
    for (int i = 0; i < n; ++i) {
      if (i == threads * items) {
        CHECK((s[0] == sum && s[2] == sum));
        sum = 0;
      }
      bad += ex[i] != sum;
      sum += host[i];
      bad += in[i] != sum;
    }
    CHECK((bad == 0 && s[1] == sum && s[3] == sum));
  });
  device_array<int> largest(2), parts(52);
  in_all_orders([&] {  // the second warp has 20 lanes, and its last part 4
    warp_kernel<<<1, 52>>>(x.data(), largest.data(), parts.data());
    REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
    CHECK(largest.to_host()[1] == *std::max_element(host.begin() + 32, host.begin() + 52));
    CHECK(parts.to_host()[51] == host[48] + host[49] + host[50]);
  });
}

TEST_CASE("wrong uses of CUB are found") {
  device_array<int> x(128), y(1);
  check_found(
      finding_kind::race, {at_line(__FILE__, wrong + 3)},
      [&] { wrong_kernel<<<1, 64>>>(x.data(), y.data(), 1); },
      [&] { wrong_kernel<<<1, 64>>>(x.data(), y.data(), 0); });
  check_found(
      finding_kind::crash, {at_line(__FILE__, wrong + 1), "for blocks of another size"},
      [&] { wrong_kernel<<<1, 128>>>(x.data(), y.data(), 0); },
      [&] { wrong_kernel<<<1, 64>>>(x.data(), y.data(), 0); });

  // Temporary storage that is too short: the call refuses what it is told, and a kernel finds what it is not.
  std::size_t bytes = 0;
  REQUIRE(cub::DeviceReduce::Sum(nullptr, bytes, x.data(), y.data(), 128) == cudaSuccess);
  void *temp = nullptr, *enough = nullptr;
  REQUIRE(cudaMalloc(&temp, bytes / 2) == cudaSuccess);
  REQUIRE(cudaMalloc(&enough, bytes) == cudaSuccess);
  std::size_t half = bytes / 2;
  CHECK(cub::DeviceReduce::Sum(temp, half, x.data(), y.data(), 128) == cudaErrorInvalidValue);
  check_found(
      finding_kind::out_of_bounds, {"device_kernel", "writes 1 byte", at_line(__FILE__, __LINE__ + 1)},
      [&] { cub::DeviceReduce::Sum(temp, bytes, x.data(), y.data(), 128); },
      [&] { cub::DeviceReduce::Sum(enough, bytes, x.data(), y.data(), 128); });
  check_found(
      finding_kind::out_of_bounds, {"reads 4 bytes", "128 elements of 4 bytes"},
      [&] { cub::DeviceReduce::Sum(enough, bytes, x.data(), y.data(), 129); },
      [&] { cub::DeviceReduce::Sum(enough, bytes, x.data(), y.data(), 128); });
  cudaFree(temp);
  cudaFree(enough);
}
