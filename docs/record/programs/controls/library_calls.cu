// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
//
// Decides what one call of CUB costs beside the same thing written by hand: chapter 03's sum of a warp, the
// running sum in a block of chapter 10's encoder, the running sum of everything between its kernels (Thrust
// there), and its counts of symbols. Unsigned whole numbers, so that every order of additions gives the same.
#include <thrust/execution_policy.h>
#include <thrust/scan.h>

#include <algorithm>
#include <cstdint>
#include <cub/cub.cuh>

#include "common/device/ceil_div.hpp"
#include "common/device/check.hpp"
#include "common/device/device_memory.hpp"
#include "common/files/numbers.hpp"
#include "controls.hpp"

namespace tutorial {
namespace {

constexpr int threads = 256, warps = threads / 32, bins = 256;
using word = std::uint32_t;

// [warp]
/// y[w] = the sum of x[32 w, 32 w + 32), by CUB.
__global__ void cub_warp_sums_kernel(const word* __restrict__ x, word* __restrict__ y) {
  using warp_reduce = cub::WarpReduce<word>;
  __shared__ warp_reduce::TempStorage memory[warps];
  const int i = blockIdx.x * threads + threadIdx.x;
  const word sum = warp_reduce(memory[threadIdx.x / 32]).Sum(x[i]);  // lane 0 has it
  if (threadIdx.x % 32 == 0) y[i / 32] = sum;
}

/// The same by shuffles.
__global__ void own_warp_sums_kernel(const word* __restrict__ x, word* __restrict__ y) {
  const int i = blockIdx.x * threads + threadIdx.x;
  word sum = x[i];
  for (int distance = 16; distance > 0; distance /= 2) sum += __shfl_down_sync(~0u, sum, distance);
  if (threadIdx.x % 32 == 0) y[i / 32] = sum;
}
// [warp]

/// The same by the instruction that CUB's call becomes.
__global__ void reduced_warp_sums_kernel(const word* __restrict__ x, word* __restrict__ y) {
  const int i = blockIdx.x * threads + threadIdx.x;
  const word sum = __reduce_add_sync(~0u, x[i]);
  if (threadIdx.x % 32 == 0) y[i / 32] = sum;
}

/// y[i] = the sum of x before i in the block of i.
__global__ void own_block_scan_kernel(const word* __restrict__ x, word* __restrict__ y) {
  __shared__ word sums[warps];
  const int i = blockIdx.x * threads + threadIdx.x, lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const word own = x[i];
  word sum = own;  // up to this lane, of the warp
  for (int distance = 1; distance < 32; distance *= 2) {
    const word other = __shfl_up_sync(~0u, sum, distance);
    if (lane >= distance) sum += other;
  }
  if (lane == 31) sums[warp] = sum;
  __syncthreads();  // all warps have told their sums
  for (int w = 0; w < warp; ++w) sum += sums[w];
  y[i] = sum - own;
}
// [block]
__global__ void cub_block_scan_kernel(const word* __restrict__ x, word* __restrict__ y) {
  using block_scan = cub::BlockScan<word, threads>;
  __shared__ block_scan::TempStorage memory;
  const int i = blockIdx.x * threads + threadIdx.x;
  word before;
  block_scan(memory).ExclusiveSum(x[i], before);
  y[i] = before;
}
// [block]

/// counts[v] += how often v occurs in x: a block counts in shared memory first, as chapter 10's symbols.
__global__ void own_histogram_kernel(const std::uint8_t* __restrict__ x, int size, word* counts) {
  __shared__ word own[bins];
  own[threadIdx.x] = 0;
  __syncthreads();  // all counts are 0
  for (int i = blockIdx.x * threads + threadIdx.x; i < size; i += gridDim.x * threads)
    atomicAdd(own + x[i], 1u);
  __syncthreads();  // all have counted
  if (own[threadIdx.x] != 0) atomicAdd(counts + threadIdx.x, own[threadIdx.x]);
}
static_assert(bins == threads);

/// What CUB's calls for the whole device work in, asked for once.
class cub_memory {
 public:
  /// call(memory, bytes) is CUB's: without memory it only says how many bytes it needs.
  template <class Call>
  void operator()(const Call& call) {
    std::size_t bytes = 0;
    if (memory_.size() == 0) {
      check(call(nullptr, bytes));
      memory_ = device_buffer<std::byte>(bytes + 1);
    }
    bytes = memory_.size();
    check(call(memory_.data(), bytes));
  }

 private:
  device_buffer<std::byte> memory_;
};

/// Measures launch(), whose result `y` must be that of the row before, `first`.
template <class Launch>
void row(control_rows& rows, const char* chapter, const char* what, const char* by, double bytes,
         std::vector<word>& first, device_buffer<word>& y, const Launch& launch) {
  poison(y.span());
  launch();
  must_be_the_same(first, y.to_host(), std::string(what) + ", " + by);
  rows.measure(
      {{"chapter", chapter}, {"what", what}, {"by", by}}, [&](int) { launch(); },
      [&](const timing& time) -> control_rows::cells {
        return {{"tb_per_s", fixed(bytes / time.median_ms / 1e9, 3)}};
      });
}

void measure_all(control_rows& rows) {
  const int size = rows.size(1 << 28, 1 << 14), blocks = size / threads;
  const double words = double(size) * sizeof(word);
  std::vector<word> on_host(static_cast<std::size_t>(size));
  for (int i = 0; i < size; ++i) on_host[std::size_t(i)] = 2654435761u * word(i);
  const device_buffer<word> x(on_host);
  {
    device_buffer<word> sums(std::size_t(size) / 32);
    std::vector<word> first;
    row(rows, "03", "sum of each warp", "shuffles", words, first, sums,
        [&] { own_warp_sums_kernel<<<blocks, threads>>>(x.data(), sums.data()), check(cudaGetLastError()); });
    row(rows, "03", "sum of each warp", "__reduce_add_sync", words, first, sums, [&] {
      reduced_warp_sums_kernel<<<blocks, threads>>>(x.data(), sums.data()), check(cudaGetLastError());
    });
    row(rows, "03", "sum of each warp", "cub::WarpReduce", words, first, sums,
        [&] { cub_warp_sums_kernel<<<blocks, threads>>>(x.data(), sums.data()), check(cudaGetLastError()); });
  }
  device_buffer<word> y(static_cast<std::size_t>(size));
  {
    std::vector<word> first;
    row(rows, "10", "running sum in each block", "shuffles", 2 * words, first, y,
        [&] { own_block_scan_kernel<<<blocks, threads>>>(x.data(), y.data()), check(cudaGetLastError()); });
    row(rows, "10", "running sum in each block", "cub::BlockScan", 2 * words, first, y,
        [&] { cub_block_scan_kernel<<<blocks, threads>>>(x.data(), y.data()), check(cudaGetLastError()); });
  }
  {
    std::vector<word> first;
    cub_memory memory;
    row(rows, "10", "running sum of everything", "thrust::exclusive_scan", 2 * words, first, y,
        [&] { thrust::exclusive_scan(thrust::device, x.data(), x.data() + size, y.data()); });
    row(rows, "10", "running sum of everything", "cub::DeviceScan", 2 * words, first, y, [&] {
      memory([&](void* at, std::size_t& bytes) {
        return cub::DeviceScan::ExclusiveSum(at, bytes, x.data(), y.data(), size);
      });
    });
  }
  for (const bool alike : {false, true}) {
    std::vector<std::uint8_t> values(static_cast<std::size_t>(size));
    for (int i = 0; i < size; ++i) values[std::size_t(i)] = alike ? 0 : on_host[std::size_t(i)] >> 24;
    const device_buffer<std::uint8_t> from(values);
    device_buffer<word> counts(bins);
    std::vector<word> first;
    cub_memory memory;
    const char* const what = alike ? "histogram, one value only" : "histogram, 256 values";
    row(rows, "10", what, "atomics in shared memory", double(size), first, counts, [&] {
      check(cudaMemsetAsync(counts.data(), 0, bins * sizeof(word), nullptr));
      own_histogram_kernel<<<std::min(blocks, 2048), threads>>>(from.data(), size, counts.data());
      check(cudaGetLastError());
    });
    row(rows, "10", what, "cub::DeviceHistogram", double(size), first, counts, [&] {
      memory([&](void* at, std::size_t& bytes) {
        return cub::DeviceHistogram::HistogramEven(at, bytes, from.data(), counts.data(), bins + 1, 0, bins,
                                                   size);
      });
    });
  }
}

}  // namespace
}  // namespace tutorial

int main(int argc, char** argv) { return tutorial::controls_main(argc, argv, tutorial::measure_all); }
