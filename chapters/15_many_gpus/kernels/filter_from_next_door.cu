// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// No exchange at all: kernels load a neighbor's samples from the neighbor's memory, where they are. One
// launch a step, and events between neighbors.
#include <stdexcept>

#include "common/device/ceil_div.hpp"
#include "common/device/wrapping.hpp"
#include "spread_filters.hpp"

namespace tutorial {
namespace {

constexpr int threads_per_block = 128;
constexpr int most_parts = 16;

/// Where each part's samples are: part p owns x[first[p], first[p + 1]), from samples[p] on.
template <class T>
struct all_parts {
  int parts = 0;
  long long first[most_parts + 1] = {};
  const T* samples[most_parts] = {};
};

// [kernel]
/// sample(m) == x[m], whoever owns it; zero outside of the signal.
template <class T>
__device__ T sample(const all_parts<T>& x, int mine, long long m) {
  if (m < 0 || m >= x.first[x.parts]) return 0;
  int p = mine;
  while (m < x.first[p]) --p;
  while (m >= x.first[p + 1]) ++p;
  return x.samples[p][m - x.first[p]];
}

/// y[n] = sum over k of h[k] x[n + right - k], for the outputs of part `mine`
template <class T>
__global__ void __launch_bounds__(threads_per_block)
    from_next_door_kernel(const __grid_constant__ all_parts<T> x, int mine, const T* h, int taps, int right,
                          T* y) {
  const long long n = x.first[mine] + (long long)blockIdx.x * blockDim.x + threadIdx.x;
  if (n >= x.first[mine + 1]) return;
  T sum{};
  for (int k = 0; k < taps; ++k) sum += h[k] * sample(x, mine, n + right - k);
  y[n - x.first[mine]] = sum;
}
// [kernel]

}  // namespace

template <class T>
void filter_from_next_door(spread_signal<T>& signal, int steps) {
  if (!signal.reaches_all()) throw std::invalid_argument("these devices do not reach each other's memory");
  if (signal.parts() > most_parts) throw std::invalid_argument("this version takes 16 parts at most");
  using U = wrapping<T>;
  const signal_split& split = signal.split();
  for (int s = 0; s < steps; ++s, signal.swap_buffers()) {
    const int buffer = signal.buffer();
    all_parts<U> x{.parts = signal.parts()};
    for (int p = 0; p < signal.parts(); ++p) {
      const sample_range own = split.owned(p);
      x.first[p] = (long long)own.begin;
      x.first[p + 1] = (long long)own.end;
      if (!own.empty()) x.samples[p] = reinterpret_cast<const U*>(signal.part(p).at(buffer, own.begin));
      const current_device_guard at(signal.part(p).device());
      // Their previous step has written what is read now, and has read what is written now.
      for (const halo_message& each : split.messages_to(p))
        check(cudaStreamWaitEvent(signal.part(p).work, signal.part(each.from).computed));
      for (const halo_message& each : split.messages_from(p))
        check(cudaStreamWaitEvent(signal.part(p).work, signal.part(each.to).computed));
    }
    for (int p = 0; p < signal.parts(); ++p) {
      signal_part<T>& mine = signal.part(p);
      const current_device_guard at(mine.device());
      if (!mine.owned().empty()) {
        from_next_door_kernel<<<unsigned(ceil_div(mine.owned().size(), std::size_t{threads_per_block})),
                                threads_per_block, 0, mine.work>>>(
            x, p, wrapping_data<const T>(mine.taps()), int(mine.taps().size()),
            int(signal.halo_of_step().right), reinterpret_cast<U*>(mine.at(1 - buffer, mine.owned().begin)));
        check(cudaGetLastError());
      }
      check(cudaEventRecord(mine.computed, mine.work));
    }
  }
  signal.wait();
}

TUTORIAL_INSTANTIATE_SPREAD(filter_from_next_door, int);

}  // namespace tutorial
