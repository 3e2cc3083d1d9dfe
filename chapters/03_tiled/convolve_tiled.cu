// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Tiles: every pair of 32 samples and 32 taps is work of its own, for one warp; its 64 sums go to memory.
// A second kernel adds up, for each output, the sums that belong to it.
#include <string>

#include "common/device/ceil_div.hpp"
#include "common/device/check.hpp"
#include "common/files/input_error.hpp"
#include "common/files/numbers.hpp"
#include "convolve_tiled.hpp"

namespace tutorial {
namespace {

constexpr int tile = 32;  // samples, or taps: one for each lane
constexpr int threads_per_block = 256;
constexpr int pairs_per_block = threads_per_block / 32;
constexpr unsigned all_lanes = 0xffffffff;

// clang-format off
// [multiply]
/// sums[pair][s] = sum over i + j == s of x[32 ia + i] h[32 ib + j], one warp per pair (ia, ib).
template <class T>
__global__ void multiply_tiles_kernel(
    const T* __restrict__ x, int samples,  // x[0, samples)
    const T* __restrict__ h, int taps,     // h[0, taps)
    T* __restrict__ sums,                  // (pair, s), s in [0, 64)
    int h_tiles, int pairs) {              // pair == ia * h_tiles + ib
  const int lane = threadIdx.x % 32;
  const int pair = blockIdx.x * pairs_per_block + threadIdx.x / 32;
  if (pair >= pairs) return;  // whole warps return: a warp that shuffles is complete

  const int m = pair / h_tiles * tile + lane;
  const int k = pair % h_tiles * tile + lane;
  const T sample = m < samples ? x[m] : T{};  // ghosts fill up the last tiles: they are zero
  const T tap = k < taps ? h[k] : T{};

  T first{}, second{};  // sums s == lane and s == 32 + lane
  for (int j = 0; j < tile; ++j) {
    const T tap_j = __shfl_sync(all_lanes, tap, j);
    const T sample_i = __shfl_sync(all_lanes, sample, (lane - j) & 31);  // i + j is lane, or 32 + lane
    if (j <= lane) first += tap_j * sample_i;
    else second += tap_j * sample_i;
  }
  sums[std::int64_t{pair} * 64 + lane] = first;  // 64 bits: there may be more sums than an int can count
  sums[std::int64_t{pair} * 64 + 32 + lane] = second;
}
// [multiply]

// [merge]
/// y[n] = sum over ia + ib == n / 32 of sums[ia, ib][n % 32], plus
///        sum over ia + ib == n / 32 - 1 of sums[ia, ib][32 + n % 32]. One thread per output.
template <class T>
__global__ void merge_sums_kernel(
    const T* __restrict__ sums,      // (ia * h_tiles + ib, s), s in [0, 64)
    int x_tiles, int h_tiles,        // ia in [0, x_tiles), ib in [0, h_tiles)
    T* __restrict__ y, int outputs,  // y[0, outputs)
    int first) {                     // y[0] is output `first` of full
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= outputs) return;

  const int n = first + i;
  T sum{};
  for (int half = 0; half < 2; ++half) {
    const int diagonal = n / tile - half;  // ia + ib
    // Those ib for which there is an ia == diagonal - ib: no pair has to be tested in the loop.
    const int begin = max(0, diagonal - (x_tiles - 1)), end = min(h_tiles, diagonal + 1);
    for (int ib = begin; ib < end; ++ib) {
      const std::int64_t pair = std::int64_t{diagonal - ib} * h_tiles + ib;
      sum += sums[pair * 64 + 32 * half + n % tile];
    }
  }
  y[i] = sum;
}
// [merge]
// clang-format on

// [allocation]
/// Memory that is taken and given back in the order of the stream: after the kernels launched before, before
/// those launched later, and without waiting for any.
class stream_ordered_memory {
 public:
  stream_ordered_memory(std::size_t bytes, cudaStream_t stream) : bytes_(bytes), stream_(stream) {
    const cudaError_t status = cudaMallocAsync(reinterpret_cast<void**>(&data_), bytes, stream);
    if (status == cudaErrorMemoryAllocation) refuse(bytes);
    check(status);
  }
  ~stream_ordered_memory() { cudaFreeAsync(data_, stream_); }
  stream_ordered_memory(const stream_ordered_memory&) = delete;
  stream_ordered_memory& operator=(const stream_ordered_memory&) = delete;
  device_span<std::byte> span() const { return {data_, bytes_}; }

 private:
  [[noreturn]] static void refuse(std::size_t bytes) {
    cudaGetLastError();  // it is told here: later calls start without it
    std::size_t free = 0, total = 0;
    check(cudaMemGetInfo(&free, &total));
    throw input_error("the tiles need an intermediate of " + bytes_text(double(bytes)) + ", and " +
                      bytes_text(double(free)) +
                      " of device memory are free: use fewer samples or taps, or a version that needs none, "
                      "such as one warp per output");
  }

  std::byte* data_ = nullptr;
  std::size_t bytes_ = 0;
  cudaStream_t stream_;
};
// [allocation]

}  // namespace

// [wrapper]
template <class T>
void convolve_tiled(device_span<const T> x, device_span<const T> h, device_span<T> y, convolution_mode mode,
                    device_span<std::byte> intermediate, cudaStream_t stream) {
  const auto [samples, taps, outputs, first] =
      checked_int_sizes(x.size(), h.size(), y.size(), mode, threads_per_block);
  const std::size_t needed = tiled_intermediate_bytes<T>(x.size(), h.size());
  if (intermediate.size() < needed)
    throw std::invalid_argument("the intermediate needs " + std::to_string(needed) + " bytes, and has " +
                                std::to_string(intermediate.size()));
  if (needed / (64 * sizeof(T)) > 2147483647u - pairs_per_block)
    throw std::invalid_argument("more pairs of tiles than an int can count");

  const int x_tiles = ceil_div(samples, tile), h_tiles = ceil_div(taps, tile);
  const int pairs = x_tiles * h_tiles;
  auto* const sums = reinterpret_cast<wrapping<T>*>(intermediate.data());

  const int pair_blocks = ceil_div(pairs, pairs_per_block);
  multiply_tiles_kernel<<<pair_blocks, threads_per_block, 0, stream>>>(
      wrapping_data(x), samples, wrapping_data(h), taps, sums, h_tiles, pairs);
  check(cudaGetLastError());

  const int blocks = ceil_div(outputs, threads_per_block);
  merge_sums_kernel<<<blocks, threads_per_block, 0, stream>>>(sums, x_tiles, h_tiles, wrapping_data(y),
                                                              outputs, first);
  check(cudaGetLastError());
}
// [wrapper]

template <class T>
void convolve_tiled(device_span<const T> x, device_span<const T> h, device_span<T> y, convolution_mode mode,
                    cudaStream_t stream) {
  require_output_length(x.size(), h.size(), y.size(), mode);
  require_int_indices(x.size(), h.size(), threads_per_block);
  const stream_ordered_memory intermediate(tiled_intermediate_bytes<T>(x.size(), h.size()), stream);
  convolve_tiled(x, h, y, mode, intermediate.span(), stream);
}

TUTORIAL_INSTANTIATE_CONVOLUTION(convolve_tiled, cudaStream_t);

template void convolve_tiled(device_span<const std::int32_t>, device_span<const std::int32_t>,
                             device_span<std::int32_t>, convolution_mode, device_span<std::byte>,
                             cudaStream_t);
template void convolve_tiled(device_span<const float>, device_span<const float>, device_span<float>,
                             convolution_mode, device_span<std::byte>, cudaStream_t);
template void convolve_tiled(device_span<const double>, device_span<const double>, device_span<double>,
                             convolution_mode, device_span<std::byte>, cudaStream_t);

}  // namespace tutorial
