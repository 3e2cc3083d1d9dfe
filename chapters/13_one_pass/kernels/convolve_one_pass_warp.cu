// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// The same for short filters: half a warp transforms 256 numbers, or a warp 1,024, in two passes each way.
// No block of threads ever waits.
#include "13_one_pass/kernels/exchange.cuh"
#include "13_one_pass/kernels/one_pass_kernels.hpp"
#include "13_one_pass/kernels/passes.cuh"
#include "13_one_pass/kernels/segments.cuh"
#include "common/device/ceil_div.hpp"
#include "common/device/check.hpp"
#include "common/device/early_start.cuh"

namespace tutorial {
namespace {

/// A block is nothing but some warps that begin together.
template <int R>
constexpr int threads_per_block = R == 16 ? 128 : 64;

/// That shall be on a multiprocessor at once: it limits the registers of a thread.
template <class T, int R>
[[maybe_unused]] constexpr int wanted_blocks = sizeof(T) == 8 ? 4
                                               : R == 16      ? 8
                                                              : 9;

/// L, the numbers of a transform, and their places in shared memory.
template <int R>
constexpr int length = (R * R);
template <int R>
constexpr int places = padded_place<R>(length<R>);

// [forward]
/// L = R x R numbers. Thread u of R has numbers u + R k in the first pass, and R u + k in the second.
template <int R, class T>
__device__ __forceinline__ void forward(complex_pair<T>* numbers, const one_pass_tables<T>& tables, int u,
                                        complex_pair<T> (&z)[R]) {
  forward_pass(z, constant_roots<R>());
  put<R, R>(numbers, u, z);
  __syncwarp();  // between what R threads have put and what they take from each other
  take<R, 1>(numbers, R * u, z);
  forward_pass(z, powers_of_root<R, complex_pair<T>>(tables.third_forward + u, R));
}
// [forward]

// [kernel]
/// As one_pass_block_kernel, for the two segments of these R threads.
template <class T, int R, int Overlap>
__global__ void __launch_bounds__(threads_per_block<R>, wanted_blocks<T, R>)
    one_pass_warp_kernel(const __grid_constant__ segmented<T> all,
                         const __grid_constant__ one_pass_tables<T> tables, bool new_filter) {
  using C = complex_pair<T>;
  constexpr int transforms = threads_per_block<R> / R;
  __shared__ C shared_numbers[transforms * places<R>];
  const int u = threadIdx.x % R, transform = threadIdx.x / R;
  C* const numbers = shared_numbers + transform * places<R>;
  const int pair = blockIdx.x * transforms + transform;
  const segment<T, R * R, Overlap> a(all, 2 * pair), b(all, 2 * pair + 1);

  if (!new_filter) wait_for_the_one_before();  // it may write x, or read y
  let_the_next_begin();
  C z[R];
  load_segments<R, loads::by_neighbors>(z, a, b, u);
  forward(numbers, tables, u, z);
  wait_for_the_one_before();  // it makes the spectrum of a new filter
  multiply_by_filter<R>(z, tables.filter, 0, u);
  inverse_pass(z, constant_roots<R>());
  put<R, 1>(numbers, R * u, z);
  __syncwarp();  // as in forward()
  take<R, R>(numbers, u, z);
  inverse_pass(z, powers_of_root<R, C>(tables.third_back + u, R));
  store_segments<R, Overlap>(z, a, b, u);
}
// [kernel]

/// tables.filter = the spectrum of `taps` taps of h, at most R * R, scaled for the way back. One block of R
/// threads.
template <class T, int R>
__global__ void one_pass_warp_filter_kernel(const T* h, int taps,
                                            const __grid_constant__ one_pass_tables<T> tables) {
  using C = complex_pair<T>;
  __shared__ C numbers[places<R>];
  const int u = threadIdx.x;
  let_the_next_begin();
  C z[R];
#pragma unroll
  for (int k = 0; k < R; ++k) z[k] = {u + R * k < taps ? h[u + R * k] : T{}, T{}};
  forward(numbers, tables, u, z);
  constexpr T scale = T(1) / T(R * R);  // a power of two: exact
#pragma unroll
  for (int i = 0; i < R; ++i) tables.filter[filter_place<R>(i, u)] = {scale * z[i].x, scale * z[i].y};
}

}  // namespace

template <class T, int R, int Overlap>
void launch_one_pass_warp(const segmented<T>& all, const one_pass_tables<T>& tables, cudaStream_t stream,
                          bool new_filter) {
  constexpr int threads = threads_per_block<R>;
  const int blocks = ceil_div(ceil_div(all.of_all, 2), threads / R);
  const auto kernel = one_pass_warp_kernel<T, R, Overlap>;
  launch_early(kernel, unsigned(blocks), threads, 0, stream, all, tables, new_filter);
}

template <class T, int R>
void launch_one_pass_warp_filter(device_span<const T> h, const one_pass_tables<T>& tables,
                                 cudaStream_t stream) {
  one_pass_warp_filter_kernel<T, R><<<1, R, 0, stream>>>(h.data(), int(h.size()), tables);
  check(cudaGetLastError());
}

template void launch_one_pass_warp<float, 16, 64>(const segmented<float>&, const one_pass_tables<float>&,
                                                  cudaStream_t, bool);
template void launch_one_pass_warp<float, 32, 256>(const segmented<float>&, const one_pass_tables<float>&,
                                                   cudaStream_t, bool);
template void launch_one_pass_warp<double, 16, 64>(const segmented<double>&, const one_pass_tables<double>&,
                                                   cudaStream_t, bool);
template void launch_one_pass_warp_filter<float, 16>(device_span<const float>, const one_pass_tables<float>&,
                                                     cudaStream_t);
template void launch_one_pass_warp_filter<float, 32>(device_span<const float>, const one_pass_tables<float>&,
                                                     cudaStream_t);
template void launch_one_pass_warp_filter<double, 16>(device_span<const double>,
                                                      const one_pass_tables<double>&, cudaStream_t);

}  // namespace tutorial
