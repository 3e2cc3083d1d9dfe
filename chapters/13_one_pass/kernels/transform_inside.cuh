// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// The passes of a block's transform that lie between its two barriers.
#pragma once

#include "13_one_pass/kernels/exchange.cuh"
#include "13_one_pass/kernels/passes.cuh"

namespace tutorial {

/// A block has as many threads, for 256 R numbers.
inline constexpr int threads_of_transform = 256;

/// All numbers, and their places in shared memory.
template <int R>
inline constexpr int numbers_of_block = (R * threads_of_transform);
template <int R>
inline constexpr int places_of_block = padded_place<16>(numbers_of_block<R>);

// [inside]
/// L = R x 16 x 16 numbers. Thread t has numbers t + 256 k in the first pass, 256 q + u + 16 k in the second,
/// and 16 (16 q + u) + k in the third, with u = t % 16. A half-warp has block q = t / 16 of 256 numbers, and
/// with R = 32 then another one. The second exchange stays among the 16 threads with the same q.
template <int R, class T>
__device__ __forceinline__ void forward_inside(complex_pair<T>* numbers, const one_pass_tables<T>& tables,
                                               int q, int u, complex_pair<T> (&z)[16]) {
  using C = complex_pair<T>;
  take<16, 16>(numbers, 256 * q + u, z);
  forward_pass(z, powers_of_root<16, C>(tables.second_forward + q, R));
  put<16, 16>(numbers, 256 * q + u, z);
  __syncwarp();  // between what 16 threads have put and what they take from each other
  take<16, 1>(numbers, 16 * (16 * q + u), z);
  forward_pass(z, powers_of_root<16, C>(tables.third_forward + 16 * q + u, 16 * R));
}

/// The way back, from the third pass to the second.
template <class T>
__device__ __forceinline__ void inverse_inside(complex_pair<T>* numbers, const one_pass_tables<T>& tables,
                                               int q, int u, complex_pair<T> (&z)[16]) {
  using C = complex_pair<T>;
  inverse_pass(z, constant_roots<16>());
  put<16, 1>(numbers, 16 * (16 * q + u), z);
  __syncwarp();  // as above
  take<16, 16>(numbers, 256 * q + u, z);
  inverse_pass(z, powers_of_root<16, C>(tables.second_back + u, 16));
  put<16, 16>(numbers, 256 * q + u, z);
}
// [inside]

}  // namespace tutorial
