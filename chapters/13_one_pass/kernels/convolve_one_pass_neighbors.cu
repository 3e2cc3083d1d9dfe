// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
/// \file
/// One segment in a transform of half its length: two neighboring samples are one number. What belongs to the
/// even and to the odd samples is taken apart while a number and its mirror image are in the same registers.
#include "13_one_pass/kernels/early_start.cuh"
#include "13_one_pass/kernels/exchange.cuh"
#include "13_one_pass/kernels/one_pass_kernels.hpp"
#include "13_one_pass/kernels/passes.cuh"
#include "13_one_pass/kernels/segments.cuh"
#include "13_one_pass/kernels/transform_inside.cuh"
#include "common/device/check.hpp"

namespace tutorial {
namespace {

constexpr int threads_per_block = threads_of_transform, run = 16;

/// Blocks that shall be on a multiprocessor at once: it limits the registers of a thread.
[[maybe_unused]] constexpr int wanted_blocks = 3;

// [mirror]
/// Frequency -f is at mirror_place(p), if frequency f is at place p, in bit-reversed order: bits of -f are
/// those of f with all above the lowest 1 flipped, so bits of the place flip below the highest 1.
__device__ __forceinline__ int mirror_place(int p) { return p < 2 ? p : (3 << (31 - __clz(p))) - 1 - p; }

/// The two blocks of 256 numbers of a half-warp, and for which 16 numbers of each of them this thread is
/// there. Block `second` has the mirror images of block `first`, number 15 - i those of number i. Half-warp 0
/// has the blocks 0 and 1, where each is its own mirror image.
struct mirrored_blocks {
  int first, second, u, second_u;

  __device__ mirrored_blocks() {
    const int half_warp = threadIdx.x / 16;
    u = threadIdx.x % 16;
    second_u = 15 - u;
    const int highest = half_warp == 0 ? 0 : 1 << (31 - __clz(half_warp));
    first = half_warp + highest;
    second = half_warp == 0 ? 1 : 6 * highest - 1 - first;
  }
  __device__ bool own_images() const { return first == 0; }
  /// Of number 0 of the thread.
  __device__ int first_place() const { return 16 * (16 * first + u); }
  __device__ int second_place() const { return 16 * (16 * second + second_u); }
};
// [mirror]

// [parts]
/// What takes a number z and its mirror image m to those of the product: with the spectra E and O of the even
/// and the odd taps, and w of one sample,
///     z <- keep z + cross conj(m), keep = E + i O (1 - w^2) / 2, cross = i O (1 + w^2) / 2.
/// For m, `keep` is `mirror_keep`, and `cross` is minus its conjugate.
template <class C>
struct apart {
  C keep, mirror_keep, cross;
};

/// a b + c conj(d)
template <class C>
__device__ __forceinline__ C product_and_mirror(C a, C b, C c, C d) {
  return {fma(a.x, b.x, fma(-a.y, b.y, fma(c.x, d.x, c.y * d.y))),
          fma(a.x, b.y, fma(a.y, b.x, fma(c.y, d.x, -c.x * d.y)))};
}

/// Those of the number z of the filter's transform, with its mirror image, `square` = w^2, times `scale`.
template <class C, class T>
__device__ __forceinline__ apart<C> taken_apart(C z, C mirror, C square, T scale) {
  const T half = scale / 2;
  const C even{half * (z.x + mirror.x), half * (z.y - mirror.y)};  // E
  const C odd{half * (z.x - mirror.x), half * (z.y + mirror.y)};   // i O
  const C minus = product(odd, C{(1 - square.x) / 2, -square.y / 2}),
          plus = product(odd, C{(1 + square.x) / 2, square.y / 2});
  return {{even.x + minus.x, even.y + minus.y}, {even.x - minus.x, minus.y - even.y}, plus};
}
// [parts]

/// Where tables.filter has what thread t needs for its number i and the mirror image: the two to keep, side
/// by side, then what crosses; at the end what crosses to the second block of half-warp 0.
__host__ __device__ constexpr int keep_place(int i, int t) { return 2 * (i * threads_per_block + t); }
__host__ __device__ constexpr int cross_place(int i, int t) { return (2 * 16 + i) * threads_per_block + t; }
__host__ __device__ constexpr int own_cross_place(int i, int u) {
  return 3 * 16 * threads_per_block + 16 * i + u;
}

/// Both that are kept, with one load.
__device__ __forceinline__ float4 load_both(const one_pass_tables<float>& tables, int i, int t) {
  float4 both;  // assigned and not initialized: clang would copy it element by element otherwise
  both = *reinterpret_cast<const float4*>(tables.filter + keep_place(i, t));
  return both;
}

// [kernel]
/// y[output + p] = sample p, p in [Overlap, L), of the inverse transform of (transform of x[begin, begin +
/// L)) times the filter's spectrum, for the segment of this block. The transforms have L / 2 numbers.
template <class T, int R, int Overlap>
__global__ void __launch_bounds__(threads_per_block, wanted_blocks)
    one_pass_neighbors_kernel(const __grid_constant__ segmented<T> all,
                              const __grid_constant__ one_pass_tables<T> tables) {
  using C = complex_pair<T>;
  extern __shared__ __align__(16) unsigned char shared_bytes[];
  C* const numbers = reinterpret_cast<C*>(shared_bytes);
  const int t = threadIdx.x;
  const segment<T, 2 * R * 256, Overlap> s(all, blockIdx.x);
  {
    C x[R];
    load_neighbors<256>(x, s, t);
    forward_pass(x, constant_roots<R>());
    put<run, 256>(numbers, t, x);
  }
  wait_for_the_one_before();  // it makes the filter's spectrum, if this kernel begins early
  __syncthreads();            // between what all threads have put and what each takes from the others
  const mirrored_blocks at;
  C z[16], m[16];
  forward_inside<R>(numbers, tables, at.first, at.u, z);
  forward_inside<R>(numbers, tables, at.second, at.second_u, m);
  if (!at.own_images()) {
#pragma unroll
    for (int i = 0; i < 16; ++i) {
      const auto both = load_both(tables, i, t);
      const C cross = tables.filter[cross_place(i, t)], old = z[i];
      z[i] = product_and_mirror(C{both.x, both.y}, old, cross, m[15 - i]);
      m[15 - i] = product_and_mirror(C{both.z, both.w}, m[15 - i], C{-cross.x, cross.y}, old);
    }
  } else {
    put<run, 1>(numbers, at.first_place(), z);
    put<run, 1>(numbers, at.second_place(), m);
    __syncwarp(0xffff);  // between what 16 threads have put and what they take from each other
#pragma unroll
    for (int i = 0; i < 16; ++i) {
      const auto both = load_both(tables, i, t);
      const C cross = tables.filter[cross_place(i, t)], own_cross = tables.filter[own_cross_place(i, t)];
      z[i] = product_and_mirror(C{both.x, both.y}, z[i], cross,
                                numbers[padded<run>(mirror_place(at.first_place() + i))]);
      m[15 - i] = product_and_mirror(C{both.z, both.w}, m[15 - i], own_cross,
                                     numbers[padded<run>(mirror_place(at.second_place() + 15 - i))]);
    }
    __syncwarp(0xffff);  // before these places are written again
  }
  inverse_inside(numbers, tables, at.second, at.second_u, m);
  inverse_inside(numbers, tables, at.first, at.u, z);
  __syncthreads();  // as above
  C x[R];
  take<run, 256>(numbers, t, x);
  inverse_pass(x, powers_of_root<R, C>(tables.third_back + t, 256));
  store_neighbors<256, Overlap>(x, s, t);
}
// [kernel]

// [filter]
/// What the filter's transform gives, taken apart, times 1 / (number of numbers).
template <class T, int R>
__global__ void __launch_bounds__(threads_per_block)
    one_pass_neighbors_filter_kernel(const T* h, int taps,
                                     const __grid_constant__ one_pass_tables<T> tables) {
  using C = complex_pair<T>;
  extern __shared__ __align__(16) unsigned char shared_bytes[];
  C* const numbers = reinterpret_cast<C*>(shared_bytes);
  const int t = threadIdx.x;
  let_the_next_begin();
  {
    C x[R];
#pragma unroll
    for (int k = 0; k < R; ++k) {
      const int p = 2 * (t + 256 * k);
      x[k] = {p < taps ? h[p] : T{}, p + 1 < taps ? h[p + 1] : T{}};
    }
    forward_pass(x, constant_roots<R>());
    put<run, 256>(numbers, t, x);
  }
  __syncthreads();  // between what all threads have put and what each takes from the others
  const mirrored_blocks at;
  C z[16], m[16];
  forward_inside<R>(numbers, tables, at.first, at.u, z);
  forward_inside<R>(numbers, tables, at.second, at.second_u, m);
  put<run, 1>(numbers, at.first_place(), z);
  put<run, 1>(numbers, at.second_place(), m);
  __syncwarp();  // between what 16 threads have put and what they take from each other
  constexpr T scale = T(1) / T(R * 256);  // a power of two: exact
  // Number i of 16 has w^2 of number 0 of them, times a constant.
  const C z_root = conjugate(__ldg(tables.third_forward + at.first_place() / 16));
  const C m_root = conjugate(__ldg(tables.third_forward + at.second_place() / 16));
  for_each_constant<16>([&](auto index) {
    constexpr int i = decltype(index)::value, turn = 2 * reversed(i, 4),
                  mirror_turn = 2 * reversed(15 - i, 4);
    const auto image = [&](int place) { return numbers[padded<run>(mirror_place(place))]; };
    const C z_square = product(z_root, C{T(cosine_of_32(turn)), -T(cosine_of_32(turn - 8))});
    const C m_square = product(m_root, C{T(cosine_of_32(mirror_turn)), -T(cosine_of_32(mirror_turn - 8))});
    const apart<C> of_z = taken_apart(z[i], image(at.first_place() + i), z_square, scale);
    const apart<C> of_m = taken_apart(m[15 - i], image(at.second_place() + 15 - i), m_square, scale);
    tables.filter[keep_place(i, t)] = of_z.keep;
    tables.filter[keep_place(i, t) + 1] = at.own_images() ? of_m.keep : of_z.mirror_keep;
    tables.filter[cross_place(i, t)] = of_z.cross;
    if (at.own_images()) tables.filter[own_cross_place(i, at.u)] = of_m.cross;
  });
}
// [filter]

template <class T, int R>
constexpr int shared_bytes_of_block = places_of_block<R>* int(sizeof(complex_pair<T>));

}  // namespace

template <class T, int R, int Overlap>
void prepare_one_pass_neighbors() {
  constexpr int bytes = shared_bytes_of_block<T, R>;
  constexpr auto most = cudaFuncAttributeMaxDynamicSharedMemorySize;
  check(cudaFuncSetAttribute(one_pass_neighbors_kernel<T, R, Overlap>, most, bytes));
  check(cudaFuncSetAttribute(one_pass_neighbors_filter_kernel<T, R>, most, bytes));
}

template <class T, int R, int Overlap>
void launch_one_pass_neighbors(const segmented<T>& all, const one_pass_tables<T>& tables, cudaStream_t stream,
                               bool early) {
  constexpr int bytes = shared_bytes_of_block<T, R>;
  const auto kernel = one_pass_neighbors_kernel<T, R, Overlap>;
  if (early) return launch_early(kernel, all.of_all, threads_per_block, bytes, stream, all, tables);
  kernel<<<all.of_all, threads_per_block, bytes, stream>>>(all, tables);
  check(cudaGetLastError());
}

template <class T, int R>
void launch_one_pass_neighbors_filter(device_span<const T> h, const one_pass_tables<T>& tables) {
  constexpr int bytes = shared_bytes_of_block<T, R>;
  one_pass_neighbors_filter_kernel<T, R><<<1, threads_per_block, bytes>>>(h.data(), int(h.size()), tables);
  check(cudaGetLastError());
}

template void prepare_one_pass_neighbors<float, 32, 1024>();
template void prepare_one_pass_neighbors<float, 32, 4096>();
template void launch_one_pass_neighbors<float, 32, 1024>(const segmented<float>&,
                                                         const one_pass_tables<float>&, cudaStream_t, bool);
template void launch_one_pass_neighbors<float, 32, 4096>(const segmented<float>&,
                                                         const one_pass_tables<float>&, cudaStream_t, bool);
template void launch_one_pass_neighbors_filter<float, 32>(device_span<const float>,
                                                          const one_pass_tables<float>&);

}  // namespace tutorial
