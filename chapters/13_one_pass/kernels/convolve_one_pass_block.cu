// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Overlap-save in one kernel: a block of threads transforms two segments, multiplies, transforms back and
// stores the outputs. Between loads and stores, numbers are in registers and in shared memory only.
#include "13_one_pass/kernels/exchange.cuh"
#include "13_one_pass/kernels/one_pass_kernels.hpp"
#include "13_one_pass/kernels/passes.cuh"
#include "13_one_pass/kernels/segments.cuh"
#include "13_one_pass/kernels/transform_inside.cuh"
#include "common/device/check.hpp"
#include "common/device/early_start.cuh"

namespace tutorial {
namespace {

constexpr int threads_per_block = threads_of_transform, run = 16;

/// Blocks that shall be on a multiprocessor at once: it limits the registers of a thread.
template <class T, int R>
[[maybe_unused]] constexpr int wanted_blocks = sizeof(T) == 8 ? 2
                                               : R == 16      ? 4
                                                              : 3;

// [kernel]
/// y[output + p] = number p, p in [Overlap, L), of the inverse transform of (transform of x[begin, begin +
/// L)) times the filter's spectrum, for the two segments of this block.
template <class T, int R, int Overlap>
__global__ void __launch_bounds__(threads_per_block, wanted_blocks<T, R>)
    one_pass_block_kernel(const __grid_constant__ segmented<T> all,
                          const __grid_constant__ one_pass_tables<T> tables, bool new_filter) {
  using C = complex_pair<T>;
  extern __shared__ __align__(16) unsigned char shared_bytes[];
  C* const numbers = reinterpret_cast<C*>(shared_bytes);
  const int t = threadIdx.x, pair = blockIdx.x;
  const segment<T, R * 256, Overlap> a(all, 2 * pair), b(all, 2 * pair + 1);

  if (!new_filter) wait_for_the_one_before();  // it may write x, or read y
  let_the_next_begin();
  C x[R];
  load_segments<256, loads::alone>(x, a, b, t);
  forward_pass(x, constant_roots<R>());
  put<run, 256>(numbers, t, x);
  wait_for_the_one_before();  // it makes the spectrum of a new filter
  __syncthreads();            // between what all threads have put and what each takes from the others
#pragma unroll 1              // half as many instructions to fetch
  for (int group = 0; group < R / 16; ++group) {
    const int q = t / 16 + 16 * group, u = t % 16;
    C z[16];
    forward_inside<R>(numbers, tables, q, u, z);
    // Bit-reversed, as the filter is: nothing has to be put in order.
    multiply_by_filter<256>(z, tables.filter, 16 * group, t);
    inverse_inside(numbers, tables, q, u, z);
  }
  __syncthreads();  // as above
  take<run, 256>(numbers, t, x);
  inverse_pass(x, powers_of_root<R, C>(tables.third_back + t, 256));
  store_segments<256, Overlap>(x, a, b, t);
}
// [kernel]

// [filter]
/// The filter's spectrum, times 1 / L: the first half of the kernel above, with the taps as the real part.
template <class T, int R>
__global__ void __launch_bounds__(threads_per_block)
    one_pass_block_filter_kernel(const T* h, int taps, const __grid_constant__ one_pass_tables<T> tables) {
  using C = complex_pair<T>;
  extern __shared__ __align__(16) unsigned char shared_bytes[];
  C* const numbers = reinterpret_cast<C*>(shared_bytes);
  const int t = threadIdx.x;
  let_the_next_begin();
  C x[R];
#pragma unroll
  for (int k = 0; k < R; ++k) x[k] = {t + 256 * k < taps ? h[t + 256 * k] : T{}, T{}};
  forward_pass(x, constant_roots<R>());
  put<run, 256>(numbers, t, x);
  __syncthreads();  // between what all threads have put and what each takes from the others
  constexpr T scale = T(1) / T(R * 256);  // a power of two: exact
#pragma unroll
  for (int group = 0; group < R / 16; ++group) {
    C z[16];
    forward_inside<R>(numbers, tables, t / 16 + 16 * group, t % 16, z);
#pragma unroll
    for (int i = 0; i < 16; ++i)
      tables.filter[filter_place<256>(16 * group + i, t)] = {scale * z[i].x, scale * z[i].y};
  }
}
// [filter]

template <class T, int R>
constexpr int shared_bytes_of_block = int(sizeof(complex_pair<T>)) * places_of_block<R>;

}  // namespace

template <class T, int R, int Overlap>
void prepare_one_pass_block() {
  constexpr int bytes = shared_bytes_of_block<T, R>;
  constexpr auto most = cudaFuncAttributeMaxDynamicSharedMemorySize;
  check(cudaFuncSetAttribute(one_pass_block_kernel<T, R, Overlap>, most, bytes));
  check(cudaFuncSetAttribute(one_pass_block_filter_kernel<T, R>, most, bytes));
}

template <class T, int R, int Overlap>
void launch_one_pass_block(const segmented<T>& all, const one_pass_tables<T>& tables, cudaStream_t stream,
                           bool new_filter) {
  constexpr int bytes = shared_bytes_of_block<T, R>;
  const auto kernel = one_pass_block_kernel<T, R, Overlap>;
  const int blocks = (all.of_all + 1) / 2;
  launch_early(kernel, unsigned(blocks), threads_per_block, bytes, stream, all, tables, new_filter);
}

template <class T, int R>
void launch_one_pass_block_filter(device_span<const T> h, const one_pass_tables<T>& tables,
                                  cudaStream_t stream) {
  constexpr int bytes = shared_bytes_of_block<T, R>;
  one_pass_block_filter_kernel<T, R>
      <<<1, threads_per_block, bytes, stream>>>(h.data(), int(h.size()), tables);
  check(cudaGetLastError());
}

template void prepare_one_pass_block<float, 16, 1024>();
template void prepare_one_pass_block<float, 32, 4096>();
template void prepare_one_pass_block<double, 16, 1024>();
template void launch_one_pass_block<float, 16, 1024>(const segmented<float>&, const one_pass_tables<float>&,
                                                     cudaStream_t, bool);
template void launch_one_pass_block<float, 32, 4096>(const segmented<float>&, const one_pass_tables<float>&,
                                                     cudaStream_t, bool);
template void launch_one_pass_block<double, 16, 1024>(const segmented<double>&,
                                                      const one_pass_tables<double>&, cudaStream_t, bool);
template void launch_one_pass_block_filter<float, 16>(device_span<const float>, const one_pass_tables<float>&,
                                                      cudaStream_t);
template void launch_one_pass_block_filter<float, 32>(device_span<const float>, const one_pass_tables<float>&,
                                                      cudaStream_t);
template void launch_one_pass_block_filter<double, 16>(device_span<const double>,
                                                       const one_pass_tables<double>&, cudaStream_t);

}  // namespace tutorial
