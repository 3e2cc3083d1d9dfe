// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Between two steps a small kernel pushes the part's edges into the neighbors' memory and raises a flag
// there, then waits for its own flags. The host is not asked, and any filter fits between two of them.

#include "common/device/wrapping.hpp"
#include "flags.cuh"
#include "release_others.hpp"
#include "spread_filters.hpp"

namespace tutorial {
namespace {

constexpr int threads_per_block = 256;

/// What a part gives and gets in one step: from[i] goes to to[i].
template <class T>
struct halo_exchange {
  flag_messages flags;
  const T* own;                     ///< Its first own sample.
  T* to[most_flag_parts - 1] = {};  ///< Of each message that it gives: where it goes.
};

// [between]
/// One block: with a block for each message, blocks that wait could keep blocks that send from beginning. s
/// is the number of steps before this one, the same for all parts.
template <class T>
__global__ void __launch_bounds__(threads_per_block)
    exchange_by_flags_kernel(const __grid_constant__ halo_exchange<T> all, flag_counter s) {
  const int i = int(threadIdx.x);
  const flag_messages& flags = all.flags;
  if (i < flags.gets)
    raise_flag(flags.get[i].taken, 1);  // the steps before are computed: this stream's order
  // The receiver has computed step s - 2, which used what is overwritten here.
  if (i < flags.gives) wait_for_flag(flags.give[i].taken, s);
  __syncthreads();  // no thread writes before the flags have been seen
  for (int m = 0; m < flags.gives; ++m)
    for (long long n = flags.give[m].begin + i; n < flags.give[m].end; n += blockDim.x)
      all.to[m][n - flags.give[m].begin] = all.own[n];
  __syncthreads();  // all have written before one says so
  if (i < flags.gives)
    raise_flag(flags.give[i].arrived, flag_counter(flags.give[i].end - flags.give[i].begin));
  if (i < flags.gets) wait_for_flag(flags.get[i].arrived, (s + 1) * flags.get[i].samples);
}
// [between]

}  // namespace

template <class T>
void filter_flags_between(spread_signal<T>& signal, int steps) {
  using U = wrapping<T>;
  constexpr auto user = spread_signal<T>::flag_user::between;
  part_flags& flags = signal.flags(user);
  in_threads_by_flags(signal, user, [&](int p) {
    signal_part<T>& mine = signal.part(p);
    if (mine.owned().empty()) return;
    check(cudaSetDevice(mine.device()));
    halo_exchange<U> all{.flags = flags.of(p), .own = nullptr};
    const std::vector<halo_message>& gives = signal.split().messages_from(p);
    for (int s = 0; s < steps; ++s) {
      const int x = (signal.buffer() + s) % 2;
      all.own = reinterpret_cast<const U*>(mine.at(x, mine.owned().begin));
      for (std::size_t m = 0; m < gives.size(); ++m)
        all.to[m] = reinterpret_cast<U*>(signal.part(gives[m].to).at(x, gives[m].samples.begin));
      if (all.flags.gives + all.flags.gets > 0) {
        exchange_by_flags_kernel<U>
            <<<1, threads_per_block, 0, mine.work>>>(all, flags.steps + flag_counter(s));
        check(cudaGetLastError());
      }
      mine.filter(x);
    }
    mine.work.wait();
  });
  flags.steps += flag_counter(steps);
  for (int s = 0; s < steps; ++s) signal.swap_buffers();
}

TUTORIAL_INSTANTIATE_SPREAD(filter_flags_between, int);

}  // namespace tutorial
