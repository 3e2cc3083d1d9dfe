// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// One kernel a step, and nothing between them. Blocks at the edges begin first: they wait for the halo, and
// push their outputs, which are the neighbors' next halo, to where the neighbors look for them. All other
// blocks do not wait.
#include <algorithm>

#include "06_register_tiling/vectors.cuh"
#include "common/device/ceil_div.hpp"
#include "common/device/wrapping.hpp"
#include "flags.cuh"
#include "release_others.hpp"
#include "spread_filters.hpp"

namespace tutorial {
namespace {

constexpr int threads_per_block = 128;

/// Outputs of a block: a vector of 16 bytes for each thread.
template <class T>
constexpr int tile = (threads_per_block * vector_size<T>);

/// The part of a signal that one launch computes.
template <class T>
struct step_of_part {
  const T* x;  ///< x[0, length), its own samples, behind and before a halo. y likewise.
  T* y;
  long long length;
  const T* h;
  int taps, right, reach;  ///< y[n] needs x[n - (taps - 1 - right), n + right]. reach is at least both
  flag_counter step;       ///< How many there were before.
  flag_messages flags;
  T* to[most_flag_parts - 1];                    ///< Where each message goes that it gives.
  flag_counter edge_tiles[most_flag_parts - 1];  ///< How many tiles of its receiver use a halo.
};

/// How far from its outputs a thread loads samples: windows are as long as the kernel was made for.
constexpr int reach_of(int left, int right) {
  const int halo = left > right ? left : right;
  return halo <= 4 ? 4 : halo <= 8 ? 8 : halo;
}

/// Whether the tile of outputs [begin, begin + tile) needs more than the samples of the part.
template <class T>
__host__ __device__ bool is_edge(long long begin, long long length, int reach) {
  return begin < reach || begin + tile<T> + reach > length;
}

/// How many tiles are edges.
template <class T>
flag_counter edge_tiles(long long length, int reach) {
  flag_counter count = 0;
  for (long long begin = 0; begin < length; begin += tile<T>) count += is_edge<T>(begin, length, reach);
  return count;
}

/// sum[r] = y[n + r] for the outputs of one thread. Side is a multiple of the vector's size and at least
/// the halo, all of x[n - Side, n + width + Side) can be loaded, and x + n is aligned.
template <int Side, class T>
__device__ __forceinline__ void sum_from_window(const step_of_part<T>& part, long long n,
                                                T (&sum)[vector_size<T>]) {
  constexpr int width = vector_size<T>, size = 2 * Side + width;
  T window[size];
#pragma unroll
  for (int j = 0; j < size; j += width) load_vector(window + j, part.x + n - Side + j);
#pragma unroll
  for (int j = -Side; j <= Side; ++j) {
    const int k = part.right - j;  // h[k] meets x[n + j]
    if (k < 0 || k >= part.taps) continue;
    const T tap = part.h[k];
#pragma unroll
    for (int r = 0; r < width; ++r) sum[r] += tap * window[Side + j + r];
  }
}

// [in_kernel]
/// y[n] = sum over k of h[k] x[n + right - k], one tile per block. The first blocks compute the tiles at the
/// ends.
template <class T, int Side>
__global__ void __launch_bounds__(threads_per_block)
    flag_step_kernel(const __grid_constant__ step_of_part<T> part) {
  constexpr int width = vector_size<T>;
  const int b = int(blockIdx.x), i = int(threadIdx.x);
  const long long begin = (long long)(b % 2 == 0 ? b / 2 : gridDim.x - 1 - b / 2) * tile<T>;
  const bool edge = is_edge<T>(begin, part.length, part.reach);
  // Which of its outputs message m takes, if there is one.
  const auto given_begin = [&](int m) { return max(begin, part.flags.give[m].begin); };
  const auto given_end = [&](int m) { return min(begin + tile<T>, part.flags.give[m].end); };
  bool gives = false;
  for (int m = 0; m < part.flags.gives; ++m) gives |= given_begin(m) < given_end(m);

  if (edge || gives) {  // the same for all threads of the block
    if (edge && i < part.flags.gets)
      wait_for_flag(part.flags.get[i].arrived, part.step * part.flags.get[i].samples);
    if (i < part.flags.gives && given_begin(i) < given_end(i))  // the step before has used what goes now
      wait_for_flag(part.flags.give[i].taken, part.step * part.edge_tiles[i]);
    __syncthreads();  // no thread reads or pushes before these flags have been seen
  }

  const long long n = begin + (long long)i * width;  // its first output
  T sum[width] = {};
  if (!edge && Side > 0) {
    sum_from_window<Side>(part, n, sum);
    store_vector(part.y + n, sum);
  } else {
    for (int r = 0; r < width && n + r < part.length; ++r) {
      for (int k = 0; k < part.taps; ++k) sum[r] += part.h[k] * part.x[n + r + part.right - k];
      part.y[n + r] = sum[r];
    }
  }
  if (!edge && !gives) return;

  for (int m = 0; m < part.flags.gives; ++m)
    for (int r = 0; r < width; ++r)
      if (given_begin(m) <= n + r && n + r < given_end(m))
        part.to[m][n + r - part.flags.give[m].begin] = sum[r];
  __syncthreads();  // all have pushed and read before the flags say so
  if (i < part.flags.gives && given_begin(i) < given_end(i))
    raise_flag(part.flags.give[i].arrived, flag_counter(given_end(i) - given_begin(i)));
  if (edge && i < part.flags.gets) raise_flag(part.flags.get[i].taken, 1);
}
// [in_kernel]

/// The kernel for windows that reach so far.
template <class T>
auto kernel_for(int reach) {
  return reach == 4   ? flag_step_kernel<T, 4>
         : reach == 8 ? flag_step_kernel<T, 8>
                      : flag_step_kernel<T, 0>;  // no window: each sample from the cache
}

}  // namespace

template <class T>
void filter_flags_in_kernel(spread_signal<T>& signal, int steps) {
  using U = wrapping<T>;
  constexpr auto user = spread_signal<T>::flag_user::in_kernel;
  part_flags& flags = signal.flags(user);
  const signal_split& split = signal.split();
  const halo_widths halo = signal.halo_of_step();  // that of the split may be several steps wide
  in_threads_by_flags(signal, user, [&](int p) {
    signal_part<T>& mine = signal.part(p);
    const sample_range own = mine.owned();
    if (own.empty()) return;
    check(cudaSetDevice(mine.device()));
    step_of_part<U> part{.x = nullptr,
                         .y = nullptr,
                         .length = (long long)own.size(),
                         .h = wrapping_data<const T>(mine.taps()),
                         .taps = int(mine.taps().size()),
                         .right = int(halo.right),
                         .reach = reach_of(int(halo.left), int(halo.right)),
                         .step = 0,
                         .flags = flags.of(p),
                         .to = {},
                         .edge_tiles = {}};
    const std::vector<halo_message>& gives = split.messages_from(p);
    for (std::size_t m = 0; m < gives.size(); ++m)
      part.edge_tiles[m] = edge_tiles<U>((long long)split.owned(gives[m].to).size(), part.reach);
    // No kernel has pushed the halo of the first step.
    for (const halo_message& each : split.messages_to(p))
      if (steps > 0)
        check(cudaMemcpyAsync(mine.at(signal.buffer(), each.samples.begin),
                              signal.part(each.from).at(signal.buffer(), each.samples.begin),
                              each.samples.size() * sizeof(T), cudaMemcpyDefault, mine.work));
    for (int s = 0; s < steps; ++s) {
      const int x = (signal.buffer() + s) % 2, y = 1 - x;
      part.x = reinterpret_cast<const U*>(mine.at(x, own.begin));
      part.y = reinterpret_cast<U*>(mine.at(y, own.begin));
      for (std::size_t m = 0; m < gives.size(); ++m)
        part.to[m] = reinterpret_cast<U*>(signal.part(gives[m].to).at(y, gives[m].samples.begin));
      part.step = flags.steps + flag_counter(s);
      kernel_for<U>(part.reach)<<<unsigned(ceil_div(own.size(), std::size_t{tile<U>})), threads_per_block, 0,
                                  mine.work>>>(part);
      check(cudaGetLastError());
    }
    mine.work.wait();
  });
  flags.steps += flag_counter(steps);
  for (int s = 0; s < steps; ++s) signal.swap_buffers();
}

TUTORIAL_INSTANTIATE_SPREAD(filter_flags_in_kernel, int);

}  // namespace tutorial
