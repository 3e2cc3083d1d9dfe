// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Races and barriers: what goes wrong only sometimes on a GPU is found in every order here.
#include "../findings.hpp"

namespace {

using cuda_emulator::finding_kind;

constexpr int write_line = __LINE__ + 5, read_line = __LINE__ + 7;
template <bool faulty>
__global__ void shift_kernel(const float* x, float* y) {
  __shared__ float tile[64];
  const int i = static_cast<int>(threadIdx.x);
  tile[i] = x[i];
  if (!faulty) __syncthreads();
  y[i] = tile[(i + 32) % 64];
}

// The first barrier is there; the one before the tile is used again is not.
template <bool faulty>
__global__ void loop_kernel(const int* x, int* y) {
  __shared__ int tile[128];
  const int i = static_cast<int>(threadIdx.x);
  int sum = 0;
  for (int round = 0; round < 3; ++round) {
    tile[i] = x[round * 128 + i];
    __syncthreads();
    sum += tile[127 - i];
    if (!faulty) __syncthreads();
  }
  y[i] = sum;
}

template <bool faulty>
__global__ void warp_shift_kernel(const int* x, int* y) {
  __shared__ int tile[32];
  const int lane = static_cast<int>(threadIdx.x);
  tile[lane] = x[lane];
  if (!faulty) __syncwarp();
  y[lane] = tile[31 - lane];
}

// Each half of the warp meets, and only the repaired kernel stays within the halves.
template <bool faulty>
__global__ void half_warp_kernel(int* y) {
  __shared__ int tile[32];
  const int lane = static_cast<int>(threadIdx.x);
  tile[lane] = lane;
  __syncwarp(lane < 16 ? 0x0000ffffu : 0xffff0000u);
  y[lane] = tile[faulty ? 31 - lane : lane ^ 15];
}

// Neighbors: most pairs are of one warp, and some are not.
__global__ void neighbors_kernel(int* y) {
  __shared__ int tile[64];
  const int i = static_cast<int>(threadIdx.x);
  tile[i] = i;
  y[i] = tile[(i + 1) % static_cast<int>(blockDim.x)];
}

// Behind the read, a barrier is no help.
__global__ void late_barrier_kernel(int* y) {
  __shared__ int tile[32];
  const int i = static_cast<int>(threadIdx.x);
  tile[i] = i;
  y[i] = tile[(i + 1) % 32];
  __syncthreads();
}

// What was there before is no index.
__global__ void index_kernel(int* y) {
  __shared__ int place[64];
  const int i = static_cast<int>(threadIdx.x);
  place[i] = 1 << 28;
  __syncthreads();
  place[i] = i;
  y[place[63 - i]] = i;
}

// Pairs of one block as well as of two.
__global__ void histogram_kernel(int* counts) { counts[threadIdx.x % 4] += 1; }

// Lanes from 16 on are not named.
constexpr int unnamed_line = __LINE__ + 5;
template <bool faulty>
__global__ void unnamed_kernel(int what, unsigned* y) {
  const unsigned mask = faulty ? 0x0000ffffu : 0xffffffffu, lane = threadIdx.x;
  y[lane] = 0;
  if (what == 0) y[lane] = __ballot_sync(mask, lane % 2 == 0);
  if (what == 1) y[lane] = __shfl_sync(mask, lane, 0);
  if (what == 2) __syncwarp(mask);
  if (what == 3) y[lane] = __match_any_sync(mask, lane / 2);
}

// The mask holds for those that call.
__global__ void named_half_kernel(unsigned* y) {
  if (threadIdx.x < 16) y[threadIdx.x] = __ballot_sync(0x0000ffffu, threadIdx.x % 2 == 0);
}

template <bool faulty>
__global__ void block_race_kernel(int* y) {
  const int i = static_cast<int>(blockIdx.x * (blockDim.x - faulty) + threadIdx.x);
  y[i] = i;
}

template <bool faulty>
__global__ void block_alone_kernel(int* y) {
  y[faulty ? threadIdx.x : blockIdx.x * blockDim.x + threadIdx.x] = static_cast<int>(blockIdx.x);
}

template <bool faulty>
__global__ void stride_kernel(int* y, int size) {
  const int step = static_cast<int>(faulty ? blockDim.x : gridDim.x * blockDim.x);
  for (int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x); i < size; i += step)
    y[i] = static_cast<int>(blockIdx.x);
}

template <bool faulty>
__global__ void in_place_kernel(const float* x, float* y, int size) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i + 1 < size) y[i] = x[i + 1];
}

template <bool faulty>
__global__ void sum_kernel(const int* x, int* sum) {
  if (faulty)
    *sum += x[threadIdx.x];
  else
    atomicAdd(sum, x[threadIdx.x]);
}

// Adding up is atomic, but who reads the sum must wait.
template <bool faulty>
__global__ void count_kernel(int* y) {
  __shared__ int count;
  if (threadIdx.x == 0) count = 0;
  __syncthreads();
  atomicAdd(&count, 1);
  if (!faulty) __syncthreads();
  y[threadIdx.x] = count;
}

template <bool faulty>
__global__ void bytes_kernel(unsigned char* y) {
  const int i = static_cast<int>(threadIdx.x);
  y[faulty ? i / 2 : i] = static_cast<unsigned char>(i);
}

template <bool faulty>
__global__ void histogram_kernel(int* y) {
  __shared__ int counts[4];
  const int i = static_cast<int>(threadIdx.x);
  if (i < 4) counts[i] = 0;
  __syncthreads();
  if (faulty)
    counts[i % 4] += 1;
  else
    atomicAdd(&counts[i % 4], 1);
  __syncthreads();
  if (i < 4) y[i] = counts[i];
}

// Two threads per element, through shared memory: no barrier would help.
template <bool faulty>
__global__ void same_index_kernel(int* y) {
  __shared__ int tile[64];
  const int i = static_cast<int>(threadIdx.x);
  tile[faulty ? i % 32 : i] = i;
  __syncthreads();
  y[i] = tile[i % 32];
}

// Each thread stores where another one does. Is there a loop around it?
enum class loop_around { none, before, around, on_line, with_braces, called, rounds };
__device__ void store(int* tile, int i) { tile[i / 2] = i; }
template <loop_around around>
__global__ void looped_kernel(int* y) {
  __shared__ int tile[64];
  const int i = static_cast<int>(threadIdx.x);
  int sum = 0;
  if constexpr (around == loop_around::none) {
    tile[i / 2] = i;  // for all of them, {
  }
  if constexpr (around == loop_around::before) {
    for (int k = [] { return 0; }(); k < 3; ++k) sum += k + '(' + "for ("[0];
    for (int k = 0; k < 3; ++k) {
      sum += k;
    }
    tile[i / 2] = i + sum;
  }
  if constexpr (around == loop_around::around) {
    for (int k = i; k < 64; k += 32)
      if (k < 64) tile[k % 32] = i;
  }
  if constexpr (around == loop_around::on_line) {
    for (int k = i % 32; k < 64; ++k) tile[k] = i;
  }
  if constexpr (around == loop_around::with_braces) {
    int k = 0;
    while (k < 1) {
      ++k;
      if (k == 1) {
        tile[i / 2] = i;
      }
    }
  }
  if constexpr (around == loop_around::rounds) {
    for (int k = 0; k < 1; ++k) {
      const int n = i / 2 + k;
      tile[n] = i;
    }
  }
  if constexpr (around == loop_around::called) {
    for (int k = 0; k < 1; ++k) store(tile, i);
  }
  __syncthreads();
  y[i % 256] = tile[i % 32];
}

template <bool faulty>
__global__ void first_and_last_kernel(int* y) {
  __shared__ int tile[64];
  const int i = static_cast<int>(threadIdx.x);
  tile[i] = i;
  if (faulty && i >= 50) return;
  __syncthreads();
  if (i < 50) y[i] = tile[49 - i];
}

constexpr int first_shuffle_line = __LINE__ + 6;
/// The largest value and its place; faulty: some lanes go on to the next round's first shuffle.
template <bool faulty>
__global__ void shuffle_in_if_kernel(int* y) {
  int largest = static_cast<int>(threadIdx.x) * 5 % 32, at = static_cast<int>(threadIdx.x);
  for (int distance = 16; distance > 0; distance /= 2) {
    const int other = __shfl_down_sync(0xffffffffu, largest, distance);
    int other_at = at;
    if (!faulty) other_at = __shfl_down_sync(0xffffffffu, at, distance);
    if (other > largest) {
      largest = other;
      if (faulty)
        at = __shfl_down_sync(0xffffffffu, at, distance);
      else
        at = other_at;
    }
  }
  y[threadIdx.x] = at;
}

// A sum by a tree of shuffles; faulty: lanes without a sample have returned before it.
constexpr int tree_line = __LINE__ + 6;
template <bool faulty>
__global__ void guarded_tree_kernel(const int* x, int size, int* y) {
  const int lane = static_cast<int>(threadIdx.x);
  if (faulty && lane >= size) return;
  int sum = lane < size ? x[lane] : 0;
  for (int distance = 16; distance > 0; distance /= 2) sum += __shfl_down_sync(0xffffffffu, sum, distance);
  if (lane == 0) *y = sum;
}

// All lanes come to the first shuffle, and half of them to the second.
constexpr int all_line = __LINE__ + 4;
template <bool faulty>
__global__ void second_shuffle_kernel(int* y) {
  const int lane = static_cast<int>(threadIdx.x);
  int value = __shfl_xor_sync(~0u, lane, 1);
  if (!faulty || lane < 16) value += __shfl_down_sync(~0u, value, 1);
  if (lane == 0) *y = value;
}

// In the second round of the loop there are no more than 8 lanes.
template <bool faulty>
__global__ void shuffle_in_loop_kernel(int* y) {
  const int lane = static_cast<int>(threadIdx.x);
  int value = lane;
  for (int i = lane; i < (faulty ? 40 : lane + 64); i += 32) value += __shfl_down_sync(~0u, value, 1);
  if (lane == 0) *y = value;
}

// 20 threads are no whole warp.
template <bool faulty>
__global__ void short_warp_kernel(int* y) {
  const int next = __shfl_down_sync(faulty ? 0xffffffffu : 0xfffffu, 1, 1, faulty ? 32 : 4);
  y[threadIdx.x] = next;
}

// Lanes 16..31 go their own way, with their own mask; faulty: they ask beyond it.
template <bool faulty>
__global__ void beyond_mask_kernel(int* y) {
  const int lane = static_cast<int>(threadIdx.x);
  int value = lane;
  if (lane >= 16) value = __shfl_xor_sync(0xffff0000u, value, faulty ? 16 : 8);
  y[lane] = value;
}

constexpr int conditional_line = __LINE__ + 5;
template <bool faulty>
__global__ void conditional_kernel(int* y) {
  const int lane = static_cast<int>(threadIdx.x), a = lane + 1, b = lane + 2;
  if constexpr (faulty) {
    y[lane] = lane % 2 == 0 ? __shfl_sync(~0u, a, 3) : __shfl_sync(~0u, b, 4);
  } else {
    const int from_3 = __shfl_sync(~0u, a, 3), from_4 = __shfl_sync(~0u, b, 4);
    y[lane] = lane % 2 == 0 ? from_3 : from_4;
  }
}

#define EITHER(condition, a, b) ((condition) ? __shfl_sync(~0u, a, 3) : __shfl_sync(~0u, b, 4))
__global__ void macro_kernel(int* y) {
  const int lane = static_cast<int>(threadIdx.x);
  y[lane] = EITHER(lane < 7, lane, -lane);
}

constexpr int helper_line = __LINE__ + 1;
__device__ int next_of(int value) { return __shfl_down_sync(~0u, value, 1); }
template <bool faulty>
__global__ void helper_kernel(int* y) {
  const int lane = static_cast<int>(threadIdx.x);
  int value = lane;
  if (faulty && lane < 5)
    value = next_of(value);
  else
    value = next_of(value);
  y[lane] = value;
}

// One shuffle in the source, of which the compiler makes five: lanes meet in different rounds.
__global__ void one_place_kernel(const int* x, int* y) {
  const int lane = static_cast<int>(threadIdx.x);
  int value = x[lane];
#pragma GCC unroll 5
  for (int i = 0; i < 5; ++i) {
    if (i == (lane % 2 == 0 ? 0 : 4)) continue;
    value += __shfl_sync(~0u, value, i);
  }
  y[lane] = value;
}

constexpr int skipped_line = __LINE__ + 5;
template <bool faulty>
__global__ void shuffle_of_half_kernel(int* y) {
  const int lane = static_cast<int>(threadIdx.x);
  int value = lane;
  if (lane < 16) value = __shfl_sync(faulty ? 0xffffffffu : 0xffffu, value, 3);
  y[lane] = value;
}

template <bool faulty>
__global__ void vote_of_half_kernel(int* y) {
  const int lane = static_cast<int>(threadIdx.x);
  y[lane] = 0;
  const unsigned low = __ballot_sync(~0u, lane < 16);
  if (lane < 16) y[lane] = __any_sync(faulty ? ~0u : low, lane == 3);
  y[lane] += 1;
}

// Lanes that wait for the block do not come, either.
template <bool faulty>
__global__ void barrier_or_shuffle_kernel(int* y) {
  const int lane = static_cast<int>(threadIdx.x);
  int value = lane;
  if (lane < 16) value = __shfl_sync(faulty ? ~0u : 0xffffu, value, 3);
  __syncthreads();
  y[lane] = value;
}

// Lanes leave one after the other, having stored in each round: who has returned is not waited for.
__global__ void fewer_and_fewer_kernel(int* y) {
  const int lane = static_cast<int>(threadIdx.x);
  for (int round = 0; round <= lane; ++round) {
    const int value = __shfl_sync(~0u, lane, 31);
    y[lane] = value;
  }
}

// A guard that stores something before it sends lanes home, and a sum whose last lanes go unread.
__global__ void guard_that_stores_kernel(int size, int* y) {
  const int lane = static_cast<int>(threadIdx.x);
  if (lane >= size) {
    y[lane] = -1;
    return;
  }
  y[lane] = __shfl_down_sync(~0u, lane, 1, 8);
}

constexpr int then_line = __LINE__ + 6;
template <bool faulty>
__global__ void two_barriers_kernel(int* y) {
  const int i = static_cast<int>(threadIdx.x);
  if (faulty && i < 32) {
    y[i] = 1;
    __syncthreads();
  } else {
    y[i] = 2;
    __syncthreads();
  }
}

// What the threads of a warp meet in is a reduction as every textbook has it.
__global__ void block_sum_kernel(const int* x, int* y) {
  __shared__ int sums[128];
  const int i = static_cast<int>(threadIdx.x);
  sums[i] = x[i];
  __syncthreads();
  for (int half = 64; half > 0; half /= 2) {
    if (i < half) sums[i] += sums[i + half];
    __syncthreads();
  }
  if (i == 0) *y = sums[0];
}

// A shuffle brings lanes together, but is no memory barrier.
template <bool faulty>
__global__ void shuffled_kernel(int* y) {
  __shared__ int tile[32];
  tile[threadIdx.x] = threadIdx.x;
  const int first = __shfl_sync(~0u, tile[threadIdx.x], 0);
  if (!faulty) __syncwarp();
  y[threadIdx.x] = tile[31 - threadIdx.x] + first;
}

// The last block to arrive puts the count of tickets back, by an ordinary store.
__device__ unsigned returned_tickets;
__global__ void ticket_kernel(int* parts) {
  if (threadIdx.x == 1) parts[blockIdx.x] = 1;
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0 && atomicAdd(&returned_tickets, 1) == gridDim.x - 1) returned_tickets = 0;
}

// Who fences vouches for itself and its warp, and not for those who looked before: in reverse order all the
// others have read the flag when thread 0 sets it.
__device__ unsigned looks;
template <bool faulty>
__global__ void early_look_kernel(int* parts, int* y) {
  __shared__ int flag;
  if (threadIdx.x == 0) {
    parts[blockIdx.x] = 1;
    __threadfence();
    flag = static_cast<int>(atomicAdd(&looks, 1));
  }
  if (!faulty) __syncthreads();
  y[threadIdx.x] = flag;
}

// One thread reads a sum when the others have added to it, as far as it can see.
template <bool faulty>
__global__ void early_sum_kernel(int* y) {
  __shared__ int sum;
  if (threadIdx.x == 0) sum = 0;
  __syncthreads();
  atomicAdd(&sum, 1);
  if (!faulty) __syncthreads();
  if (threadIdx.x == 0) *y = sum;
}

// The last block to arrive adds up what the others have left: fence, then ticket.
__device__ unsigned tickets;
__global__ void last_block_kernel(const int* x, volatile int* parts, int* y) {
  __shared__ bool last;
  if (threadIdx.x == 0) {
    parts[blockIdx.x] = x[blockIdx.x];
    __threadfence();
    last = atomicInc(&tickets, gridDim.x - 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (last && threadIdx.x == 0) {
    int sum = 0;
    for (unsigned b = 0; b < gridDim.x; ++b) sum += parts[b];
    *y = sum;
  }
}

// The same with parts by all threads. Thread 0 fences and takes the ticket, or all fence and thread 0 takes
// it: either way a barrier must come before thread 0 speaks for the others.
enum class fencing { by_one, by_one_without_barrier, by_all, by_all_without_barrier, before_the_store };
constexpr int part_line = __LINE__ + 6;
template <fencing how>
__global__ void last_block_of_many_kernel(int* parts, int* y) {
  __shared__ bool last;
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (how == fencing::before_the_store) __threadfence();
  parts[i] = 1;
  if (how == fencing::by_all || how == fencing::by_all_without_barrier) __threadfence();
  if (how == fencing::by_one || how == fencing::by_all || how == fencing::before_the_store) __syncthreads();
  if (threadIdx.x == 0) {
    if (how == fencing::by_one || how == fencing::by_one_without_barrier) __threadfence();
    last = atomicInc(&tickets, gridDim.x - 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (!last) return;
  for (unsigned n = threadIdx.x; n < gridDim.x * blockDim.x; n += blockDim.x) atomicAdd(y, parts[n]);
}

// The classic: a tree in each block, the sum by thread 0, a fence by all, a ticket by thread 0.
template <bool faulty>
__global__ void fence_reduction_kernel(const int* x, int* parts, int* y) {
  __shared__ int sums[64];
  __shared__ bool last;
  sums[threadIdx.x] = x[blockIdx.x * 64 + threadIdx.x];
  __syncthreads();
  for (unsigned half = 32; half > 0; half /= 2) {
    if (threadIdx.x < half) sums[threadIdx.x] += sums[threadIdx.x + half];
    __syncthreads();
  }
  // The faulty one leaves the sum to a thread of the other warp.
  if (threadIdx.x == (faulty ? 32 : 0)) parts[blockIdx.x] = sums[0];
  __threadfence();
  if (threadIdx.x == 0) last = atomicInc(&tickets, gridDim.x - 1) == gridDim.x - 1;
  __syncthreads();
  if (last && threadIdx.x == 0) {
    int sum = 0;
    for (unsigned b = 0; b < gridDim.x; ++b) sum += parts[b];
    *y = sum;
  }
}

// From a thread of one warp to a thread of another: value, fence, flag.
template <bool faulty>
__global__ void hand_over_kernel(int* y) {
  __shared__ int value, flag;
  if (threadIdx.x == 0) flag = 0;
  __syncthreads();
  if (threadIdx.x == 32) {
    value = 5;
    if (!faulty) __threadfence_block();
    atomicExch(&flag, 1);
  }
  if (threadIdx.x != 0) return;
  while (atomicAdd(&flag, 0) == 0) continue;
  *y = value;
}

// A lock that one thread takes for its block.
template <bool faulty>
__global__ void block_lock_kernel(int* lock, int* counts) {
  if (threadIdx.x == 0)
    while (atomicCAS(lock, 0, 1) != 0) continue;
  __syncthreads();
  counts[threadIdx.x] = counts[threadIdx.x] + 1;
  if (!faulty) __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    atomicExch(lock, 0);
  }
}

// Each block waits for the one with the ticket before its own: value, fence, then a volatile flag.
template <bool faulty>
__global__ void chain_kernel(volatile int* value, volatile int* flag, unsigned* ticket) {
  if (threadIdx.x != 0) return;
  const unsigned number = atomicAdd(ticket, 1u);
  int sum = 1;
  if (number > 0) {
    while (flag[number - 1] == 0) continue;
    sum += value[number - 1];
  }
  value[number] = sum;
  if (!faulty) __threadfence();
  flag[number] = 1;
}

// Decoupled look-back: a word of 8 bytes says whether it is there and how much there is so far. What lies in
// other memory needs a fence as ever.
template <bool faulty>
__global__ void look_back_kernel(volatile unsigned long long* state, int* extra, unsigned* ticket, int* y) {
  if (threadIdx.x != 0) return;
  constexpr unsigned long long there = 1ull << 40;
  const unsigned number = atomicAdd(ticket, 1u);
  unsigned long long sum = 1;
  if (number > 0) {
    unsigned long long before = 0;
    do before = state[number - 1];
    while ((before & there) == 0);
    sum += before & (there - 1);
    if (faulty) sum += extra[number - 1];
  }
  if (faulty) extra[number] = 1;
  state[number] = there | sum;
  y[number] = static_cast<int>(sum);
}

// The same by words of 4 bytes. A volatile one is taken for a flag, which needs a fence; an atomic one needs
// none.
template <bool faulty>
__global__ void small_look_back_kernel(unsigned* state, unsigned* ticket, int* y) {
  if (threadIdx.x != 0) return;
  constexpr unsigned there = 1u << 30;
  const unsigned number = atomicAdd(ticket, 1u);
  unsigned sum = 1;
  if (number > 0) {
    unsigned before = 0;
    do
      before =
          faulty ? static_cast<volatile unsigned*>(state)[number - 1] : atomicAdd(&state[number - 1], 0u);
    while ((before & there) == 0);
    sum += before & (there - 1);
  }
  if (faulty)
    static_cast<volatile unsigned*>(state)[number] = there | sum;
  else
    atomicExch(&state[number], there | sum);
  y[number] = static_cast<int>(sum);
}

// Volatile data of 8 bytes behind a flag of 4.
template <bool faulty>
__global__ void wide_chain_kernel(volatile double* value, volatile int* flag, unsigned* ticket) {
  if (threadIdx.x != 0) return;
  const unsigned number = atomicAdd(ticket, 1u);
  double sum = 1;
  if (number > 0) {
    while (flag[number - 1] == 0) continue;
    sum += value[number - 1];
  }
  value[number] = sum;
  if (!faulty) __threadfence();
  flag[number] = 1;
}

// Volatile alone hands nothing on.
template <bool faulty>
__global__ void volatile_kernel(volatile int* value) {
  if (threadIdx.x == 0 && (faulty || blockIdx.x == 0)) *value = *value + 1;
}

// A tree over any number of threads: in each round the upper part is added to the lower one.
template <bool faulty>
__device__ float sum_of_block(float* values) {
  int total = static_cast<int>(blockDim.x);
  const int own = static_cast<int>(threadIdx.x);
  __syncthreads();
  while (total > 1) {
    const int half = (1 + total) / 2;
    if (own >= half && (faulty || own < total)) {
      const float mine = values[own];
      values[own - half] += mine;
    }
    __syncthreads();
    total = half;
  }
  return values[0];
}
template <bool faulty>
__global__ void any_tree_kernel(float* y) {
  __shared__ float values[64];
  values[threadIdx.x] = 1;
  const float sum = sum_of_block<faulty>(values);
  if (threadIdx.x == 0) y[blockIdx.x] = sum;
}

}  // namespace

TEST_CASE("too many threads come into an if in which no barrier can stand") {
  device_array<float> d_y(1);
  in_all_orders([&] {
    const auto found = finding_of([&] { any_tree_kernel<true><<<1, 3>>>(d_y.data()); });
    REQUIRE(found.has_value());
    const std::string message = found->what();
    CAPTURE(message);
    CHECK(found->kind() == finding_kind::race);
    CHECK(message.find("Both are inside if (own >= half && (faulty || own < total))") != std::string::npos);
    CHECK(message.find("because a bound is missing or wrong") != std::string::npos);
    CHECK(message.find("a missing __syncthreads()") == std::string::npos);
    const auto nothing = finding_of([&] { any_tree_kernel<false><<<1, 3>>>(d_y.data()); });
    CHECK(!nothing);
  });
}

TEST_CASE("threads of a block without a barrier between them") {
  device_array<float> d_x(std::vector<float>(64, 1.0f)), d_y(64);
  check_found(
      finding_kind::race,
      {"race in kernel shift_kernel", "of block (0, 0, 0)", "in shared memory (tile has 64 elements",
       at_line(__FILE__, write_line), at_line(__FILE__, read_line),
       "Usual cause: a missing __syncthreads() between writing and reading"},
      [&] { shift_kernel<true><<<1, 64>>>(d_x.data(), d_y.data()); },
      [&] { shift_kernel<false><<<1, 64>>>(d_x.data(), d_y.data()); });

  // Both threads are named: the one that writes a place and the one that reads it.
  cuda_emulator::set_order("forward");
  const auto found = finding_of([&] { shift_kernel<true><<<1, 64>>>(d_x.data(), d_y.data()); });
  REQUIRE(found.has_value());
  const std::string message = found->what();
  CAPTURE(message);
  CHECK(message.find("thread (32, 0, 0) of block (0, 0, 0) writes 4 bytes: tile[32]") != std::string::npos);
  CHECK(message.find("thread (0, 0, 0) of block (0, 0, 0) reads there, at ") != std::string::npos);

  device_array<int> d_many(std::vector<int>(3 * 128, 1)), d_sums(128);
  check_found(
      finding_kind::race, {"loop_kernel", "tile[", "next round of a loop"},
      [&] { loop_kernel<true><<<1, 128>>>(d_many.data(), d_sums.data()); },
      [&] { loop_kernel<false><<<1, 128>>>(d_many.data(), d_sums.data()); });
  check_found(
      finding_kind::race, {"count_kernel", "count in shared memory"},
      [&] { count_kernel<true><<<1, 128>>>(d_sums.data()); },
      [&] { count_kernel<false><<<1, 128>>>(d_sums.data()); });
}

TEST_CASE("a fence or an atomic of one's own orders nothing that others did") {
  device_array<int> d_parts(1), d_y(64);
  check_found(
      finding_kind::race, {"early_look_kernel", "flag in shared memory"},
      [&] { early_look_kernel<true><<<1, 64>>>(d_parts.data(), d_y.data()); },
      [&] { early_look_kernel<false><<<1, 64>>>(d_parts.data(), d_y.data()); });
  check_found(
      finding_kind::race, {"early_sum_kernel", "sum in shared memory"},
      [&] { early_sum_kernel<true><<<1, 64>>>(d_y.data()); },
      [&] { early_sum_kernel<false><<<1, 64>>>(d_y.data()); });
}

TEST_CASE("lanes of a warp that have not met") {
  device_array<int> d_x(std::vector<int>(32, 1)), d_y(32);
  check_found(
      finding_kind::race,
      {"warp_shift_kernel", "tile[", "Usual cause: a missing __syncthreads() between writing and reading",
       "both threads are of one warp", "__syncwarp()"},
      [&] { warp_shift_kernel<true><<<1, 32>>>(d_x.data(), d_y.data()); },
      [&] { warp_shift_kernel<false><<<1, 32>>>(d_x.data(), d_y.data()); });
  check_found(
      finding_kind::race, {"half_warp_kernel", "tile["},
      [&] { half_warp_kernel<true><<<1, 32>>>(d_y.data()); },
      [&] { half_warp_kernel<false><<<1, 32>>>(d_y.data()); });
  check_found(
      finding_kind::race, {"shuffled_kernel", "tile[", "__syncwarp()"},
      [&] { shuffled_kernel<true><<<1, 32>>>(d_y.data()); },
      [&] { shuffled_kernel<false><<<1, 32>>>(d_y.data()); });
}

TEST_CASE("blocks of a launch, and global memory") {
  device_array<int> d_y(256);
  check_found(
      finding_kind::race,
      {"block_race_kernel", "of block (1, 0, 0)", "of block (0, 0, 0)",
       "A race: nothing orders the two. Usual cause: both threads computed the same index. They are "
       "threads\n  63 and 64 of the grid: blockIdx.x * blockDim.x + threadIdx.x is different for every "
       "thread.\n"
       "  (Both write the same value here. That is right only where no data can make the values differ.)"},
      [&] { block_race_kernel<true><<<2, 64>>>(d_y.data()); },
      [&] { block_race_kernel<false><<<2, 64>>>(d_y.data()); });
  check_found(
      finding_kind::race,
      {"block_alone_kernel",
       "A race: nothing orders the two, so either value may stay. Usual cause: both threads computed "
       "the same index: threadIdx.x begins\n  at 0 in every block. In the whole grid, a "
       "thread has the number blockIdx.x * blockDim.x + threadIdx.x."},
      [&] { block_alone_kernel<true><<<2, 64>>>(d_y.data()); },
      [&] { block_alone_kernel<false><<<2, 64>>>(d_y.data()); });
  check_found(
      finding_kind::race,
      {"stride_kernel",
       "both threads computed the same index. In a loop, the\n  step is wrong: it is usually gridDim.x * "
       "blockDim.x where all blocks go through the\n  array together, and blockDim.x where each block goes "
       "through a part of its own.\n  Elsewhere, the formula is: blockIdx.x * blockDim.x + threadIdx.x is"},
      [&] { stride_kernel<true><<<2, 64>>>(d_y.data(), 256); },
      [&] { stride_kernel<false><<<2, 64>>>(d_y.data(), 256); });
  device_array<float> d_x(std::vector<float>(256, 1.0f)), d_z(256);
  check_found(
      finding_kind::race,
      {"in_place_kernel", "of the allocation of 1024 bytes", ", into which x and y point"},
      [&] { in_place_kernel<true><<<4, 64>>>(d_x.data(), d_x.data(), 256); },
      [&] { in_place_kernel<false><<<4, 64>>>(d_x.data(), d_z.data(), 256); });
  device_array<int> d_values(std::vector<int>(64, 1)), d_sum(1);
  check_found(
      finding_kind::race,
      {"sum_kernel", "sum[0] in global memory (sum has 1 element of 4 bytes", "atomicAdd()"},
      [&] { sum_kernel<true><<<1, 64>>>(d_values.data(), d_sum.data()); },
      [&] { sum_kernel<false><<<3, 64>>>(d_values.data(), d_sum.data()); });
  device_array<unsigned char> d_bytes(64);
  check_found(
      finding_kind::race,
      {"bytes_kernel", "writes 1 byte",
       "Usual cause: both threads computed the same index. It must be\n  different for every thread"},
      [&] { bytes_kernel<true><<<1, 64>>>(d_bytes.data()); },
      [&] { bytes_kernel<false><<<1, 64>>>(d_bytes.data()); });
}

// What helps is different for each kind of race, and advice that belongs to another kind leads astray.
TEST_CASE("advice for each kind of race") {
  device_array<int> d_y(256);
  const auto message_of = [](auto&& launch) {
    const auto found = finding_of(launch);
    REQUIRE(found.has_value());
    return std::string(found->what());
  };
  const auto says = [](const std::string& message, const char* words) {
    return message.find(words) != std::string::npos;
  };
  const std::string both_write = message_of([&] { same_index_kernel<true><<<1, 64>>>(d_y.data()); });
  CAPTURE(both_write);
  CHECK(says(both_write, "same index. It must be\n  different for every thread, as threadIdx.x is."));
  CHECK_FALSE(says(both_write, "Usual cause: a missing __sync"));
  CHECK_FALSE(says(both_write, "atomicAdd"));  // an addition would read it, too
  CHECK_FALSE(finding_of([&] { same_index_kernel<false><<<1, 64>>>(d_y.data()); }).has_value());

  // The step of a loop is blamed only where the store is in one.
  const std::string wrong_step =
      "different for every thread, as threadIdx.x is. Or a loop has\n  a wrong "
      "step. It is usually blockDim.x, the number of threads of the block.";
  for (const loop_around around : {loop_around::none, loop_around::before, loop_around::around,
                                   loop_around::on_line, loop_around::with_braces, loop_around::called}) {
    const std::string message = message_of([&] {
      switch (around) {
        case loop_around::none:
          return looped_kernel<loop_around::none><<<1, 64>>>(d_y.data());
        case loop_around::before:
          return looped_kernel<loop_around::before><<<1, 64>>>(d_y.data());
        case loop_around::around:
          return looped_kernel<loop_around::around><<<1, 64>>>(d_y.data());
        case loop_around::on_line:
          return looped_kernel<loop_around::on_line><<<1, 64>>>(d_y.data());
        case loop_around::with_braces:
          return looped_kernel<loop_around::with_braces><<<1, 64>>>(d_y.data());
        case loop_around::called:
          return looped_kernel<loop_around::called><<<1, 64>>>(d_y.data());
        case loop_around::rounds:
          break;
      }
    });
    CAPTURE(message);
    const bool in_one = around != loop_around::none && around != loop_around::before;
    CHECK(says(message, wrong_step.c_str()) == in_one);
    CHECK(says(message, "a loop") == in_one);
  }
  // One that counts something else has rounds.
  const std::string rounds = message_of([&] { looped_kernel<loop_around::rounds><<<1, 64>>>(d_y.data()); });
  CAPTURE(rounds);
  CHECK(says(rounds, "different for every thread, as threadIdx.x is, and in every round of the loop."));
  // In a grid of two dimensions, too.
  const std::string of_rows =
      message_of([&] { looped_kernel<loop_around::before><<<1, dim3(32, 2)>>>(d_y.data()); });
  CAPTURE(of_rows);
  CHECK_FALSE(says(of_rows, "a loop"));

  // Adding to one element reads and writes it in one line; reading what others stage does not.
  check_found(
      finding_kind::race, {"histogram_kernel", "(To add to one element, use atomicAdd(), or its like.)"},
      [&] { histogram_kernel<true><<<1, 64>>>(d_y.data()); },
      [&] { histogram_kernel<false><<<1, 64>>>(d_y.data()); });
  device_array<float> d_x(std::vector<float>(256, 1.0f)), d_z(64);
  const std::string staged = message_of([&] { shift_kernel<true><<<1, 64>>>(d_x.data(), d_z.data()); });
  CAPTURE(staged);
  CHECK_FALSE(says(staged, "atomicAdd"));
  const std::string in_global =
      message_of([&] { in_place_kernel<true><<<1, 64>>>(d_x.data(), d_x.data(), 64); });
  CAPTURE(in_global);
  CHECK(says(in_global, "Usual cause: one thread changes what another one still reads"));
  CHECK_FALSE(says(in_global, "__syncwarp"));
  const std::string between =
      message_of([&] { in_place_kernel<true><<<256, 1>>>(d_x.data(), d_x.data(), 256); });
  CAPTURE(between);
  CHECK(says(between, "Blocks cannot wait for each other within a launch"));
  CHECK_FALSE(says(between, "__sync"));
}

TEST_CASE("launches do not race with each other") {
  device_array<int> d_y(64);
  in_all_orders([&] {
    const auto found = finding_of([&] {
      for (int i = 0; i < 20; ++i) block_race_kernel<false><<<1, 64>>>(d_y.data());
      block_race_kernel<false><<<64, 1>>>(d_y.data());
      block_race_kernel<false><<<1, 64>>>(d_y.data());
    });
    if (found) FAIL_CHECK(std::string(found->what()));
  });
}

TEST_CASE("barriers that not all threads reach, or not at the same line") {
  device_array<int> d_y(64);
  check_found(
      finding_kind::divergent_barrier,
      {"divergent barrier in kernel first_and_last_kernel", "thread (0, 0, 0) of block (0, 0, 0) waits",
       "thread (50, 0, 0) of block (0, 0, 0) has already returned", "14 of 64 threads",
       "GPUs since Volta do not hang"},
      [&] { first_and_last_kernel<true><<<1, 64>>>(d_y.data()); },
      [&] { first_and_last_kernel<false><<<1, 64>>>(d_y.data()); });
  check_found(
      finding_kind::divergent_barrier,
      {"two_barriers_kernel", "thread (0, 0, 0)", "thread (32, 0, 0)", at_line(__FILE__, then_line),
       at_line(__FILE__, then_line + 3)},
      [&] { two_barriers_kernel<true><<<1, 64>>>(d_y.data()); },
      [&] { two_barriers_kernel<false><<<1, 64>>>(d_y.data()); });
}

TEST_CASE("lanes of a warp that meet at different shuffles") {
  device_array<int> d_y(32);
  check_found(
      finding_kind::divergent_shuffle,
      {"divergent shuffle in kernel shuffle_in_if_kernel", "of the same warp",
       at_line(__FILE__, first_shuffle_line), at_line(__FILE__, first_shuffle_line + 6), "shuffle first"},
      [&] { shuffle_in_if_kernel<true><<<1, 32>>>(d_y.data()); },
      [&] { shuffle_in_if_kernel<false><<<1, 32>>>(d_y.data()); });
}

TEST_CASE("two shuffles on one line are two; a device function that is called twice has two") {
  device_array<int> d_y(32);
  check_found(
      finding_kind::divergent_shuffle,
      {"conditional_kernel", at_line(__FILE__, conditional_line), "another place on this line"},
      [&] { conditional_kernel<true><<<1, 32>>>(d_y.data()); },
      [&] { conditional_kernel<false><<<1, 32>>>(d_y.data()); });
  check_found(
      finding_kind::divergent_shuffle, {"macro_kernel", "another place on this line"},
      [&] { macro_kernel<<<1, 32>>>(d_y.data()); }, [] {});
  check_found(
      finding_kind::divergent_shuffle,
      {"helper_kernel", at_line(__FILE__, helper_line) + " (called from", at_line(__FILE__, helper_line + 6),
       at_line(__FILE__, helper_line + 8)},
      [&] { helper_kernel<true><<<1, 32>>>(d_y.data()); },
      [&] { helper_kernel<false><<<1, 32>>>(d_y.data()); });
}

TEST_CASE("shuffles that ask lanes which do not take part") {
  device_array<int> d_x(std::vector<int>(32, 2)), d_y(32);
  check_found(
      finding_kind::absent_lane,
      {"shuffle reads from a lane that has already returned in kernel guarded_tree_kernel",
       "thread (4, 0, 0) of block (0, 0, 0), lane 4 of its warp, reads from lane 20",
       at_line(__FILE__, tree_line), "thread (20, 0, 0) of block (0, 0, 0) is that lane",
       "if (i >= size) return;"},
      [&] { guarded_tree_kernel<true><<<2, 32>>>(d_x.data(), 20, d_y.data()); },
      [&] { guarded_tree_kernel<false><<<1, 32>>>(d_x.data(), 20, d_y.data()); });
  check_found(
      finding_kind::absent_lane,
      {"shuffle reads from a lane that did not execute it in kernel second_shuffle_kernel",
       "lane 15 of its warp, reads from lane 16",
       at_line(__FILE__, all_line) + ", but did not take part here, and has ended", "a shuffle inside an if"},
      [&] { second_shuffle_kernel<true><<<1, 32>>>(d_y.data()); },
      [&] { second_shuffle_kernel<false><<<1, 32>>>(d_y.data()); });
  check_found(
      finding_kind::absent_lane,
      {"a lane that did not execute it in kernel shuffle_in_loop_kernel",
       "lane 7 of its warp, reads from lane 8", "it came here before, but not this time, and has ended",
       "or a loop"},
      [&] { shuffle_in_loop_kernel<true><<<1, 32>>>(d_y.data()); },
      [&] { shuffle_in_loop_kernel<false><<<1, 32>>>(d_y.data()); });
  check_found(
      finding_kind::absent_lane,
      {"a lane that the block does not have", "lane 19 of its warp, reads from lane 20",
       "has only 20 threads"},
      [&] { short_warp_kernel<true><<<1, 20>>>(d_y.data()); },
      [&] { short_warp_kernel<false><<<1, 20>>>(d_y.data()); });
  check_found(
      finding_kind::absent_lane,
      {"shuffle reads from a lane outside its mask in kernel beyond_mask_kernel",
       "lane 16 of its warp, reads from lane 0", "The mask 0xffff0000 does not name lane 0"},
      [&] { beyond_mask_kernel<true><<<1, 32>>>(d_y.data()); },
      [&] { beyond_mask_kernel<false><<<1, 32>>>(d_y.data()); });
}

TEST_CASE("what helps against a race helps against all of its repeats") {
  device_array<int> d_y(64);
  in_all_orders([&] {
    const auto advice = [&](auto&& launch) {
      const auto found = finding_of(launch);
      REQUIRE(found.has_value());
      CHECK(found->kind() == finding_kind::race);
      return std::string(found->what());
    };
    const auto says = [](const std::string& text, const char* words) {
      return text.find(words) != text.npos;
    };
    const std::string two_warps = advice([&] { neighbors_kernel<<<1, 64>>>(d_y.data()); });
    CAPTURE(two_warps);
    CHECK(says(two_warps, "a missing __syncthreads()"));
    CHECK_FALSE(says(two_warps, "__syncwarp()"));
    const std::string one_warp = advice([&] { neighbors_kernel<<<1, 32>>>(d_y.data()); });
    CAPTURE(one_warp);
    CHECK(says(one_warp, "Each time both threads are of one warp"));
    CHECK(says(one_warp, "__syncwarp() is enough, a barrier for the threads of one warp.)"));
    CHECK(one_warp.find("a missing __syncthreads()") < one_warp.find("__syncwarp()"));
    const std::string late = advice([&] { late_barrier_kernel<<<1, 32>>>(d_y.data()); });
    CHECK(says(late, "a missing __syncthreads()"));
    CHECK_FALSE(says(late, "__syncwarp()"));
    const std::string two_blocks = advice([&] { histogram_kernel<<<2, 32>>>(d_y.data()); });
    CAPTURE(two_blocks);
    CHECK(says(two_blocks, "Blocks cannot wait for each other"));
    CHECK(says(two_blocks, "atomicAdd()"));
  });
}

TEST_CASE("a race is said before what its victims do with what they read") {
  device_array<int> d_y(64);
  in_all_orders([&] {
    const auto found = finding_of([&] { index_kernel<<<1, 64>>>(d_y.data()); });
    REQUIRE(found.has_value());
    CHECK(found->kind() == finding_kind::race);
  });
}

TEST_CASE("a mask that does not name the lane that calls") {
  device_array<unsigned> d_y(32);
  for (int what = 0; what < 4; ++what)
    check_found(
        finding_kind::unnamed_lane,
        {"mask that does not name the calling lane in kernel unnamed_kernel", "with the mask 0x0000ffff",
         at_line(__FILE__, unnamed_line + what), "Usual cause: a mask of some lanes"},
        [&] { unnamed_kernel<true><<<1, 32>>>(what, d_y.data()); },
        [&] {
          unnamed_kernel<false><<<1, 32>>>(what, d_y.data());
          named_half_kernel<<<1, 32>>>(d_y.data());
        });
}

TEST_CASE("lanes that go on elsewhere while others wait for them") {
  device_array<int> d_y(32);
  check_found(
      finding_kind::skipped_meeting,
      {"is waiting at in kernel shuffle_of_half_kernel", "lane 0 of its warp, waits at",
       at_line(__FILE__, skipped_line), "the mask 0xffffffff",
       "lane 16, never reaches that place, but uses memory at", at_line(__FILE__, skipped_line + 1)},
      [&] { shuffle_of_half_kernel<true><<<1, 32>>>(d_y.data()); },
      [&] { shuffle_of_half_kernel<false><<<1, 32>>>(d_y.data()); });
  check_found(
      finding_kind::skipped_meeting, {"vote_of_half_kernel", "lane 16, never reaches that place"},
      [&] { vote_of_half_kernel<true><<<1, 32>>>(d_y.data()); },
      [&] { vote_of_half_kernel<false><<<1, 32>>>(d_y.data()); });
  check_found(
      finding_kind::deadlock, {"barrier_or_shuffle_kernel", "16 for other lanes of their warp"},
      [&] { barrier_or_shuffle_kernel<true><<<1, 32>>>(d_y.data()); },
      [&] { barrier_or_shuffle_kernel<false><<<1, 32>>>(d_y.data()); });
}

TEST_CASE("no false alarm: one shuffle that the compiler doubles, lanes that return and are not asked") {
  device_array<int> d_x(std::vector<int>(32, 3)), d_y(32);
  in_all_orders([&] {
    const auto found = finding_of([&] {
      one_place_kernel<<<1, 32>>>(d_x.data(), d_y.data());
      fewer_and_fewer_kernel<<<1, 32>>>(d_y.data());
      guard_that_stores_kernel<<<1, 32>>>(24, d_y.data());
    });
    if (found) FAIL_CHECK(std::string(found->what()));
  });
}

TEST_CASE("no false alarm: reductions, and blocks that wait for each other by fence and ticket") {
  device_array<int> d_x(std::vector<int>(128, 2)), d_parts(128), d_y(1);
  in_all_orders([&] {
    const auto found = finding_of([&] {
      block_sum_kernel<<<1, 128>>>(d_x.data(), d_y.data());
      last_block_kernel<<<50, 32>>>(d_x.data(), d_parts.data(), d_y.data());
      ticket_kernel<<<50, 32>>>(d_parts.data());
    });
    if (found) FAIL_CHECK(std::string(found->what()));
    CHECK(d_y.to_host()[0] == 100);
  });
}

TEST_CASE(
    "a fence speaks for those who have met its thread before, and an atomic for those who have fenced") {
  device_array<int> d_parts(20 * 64), d_y(1), d_lock(1), d_counts(64);
  const auto sum = [&](auto kernel) {
    cudaMemset(d_y.data(), 0, sizeof(int));
    kernel<<<20, 64>>>(d_parts.data(), d_y.data());
  };
  for (const auto repaired :
       {last_block_of_many_kernel<fencing::by_one>, last_block_of_many_kernel<fencing::by_all>}) {
    for (const auto faulty : {last_block_of_many_kernel<fencing::by_one_without_barrier>,
                              last_block_of_many_kernel<fencing::by_all_without_barrier>,
                              last_block_of_many_kernel<fencing::before_the_store>}) {
      check_found(
          finding_kind::race,
          {"race in kernel last_block_of_many_kernel", at_line(__FILE__, part_line),
           "between the fence and the atomic"},
          [&] { sum(faulty); }, [&] { sum(repaired); });
      CHECK(d_y.to_host()[0] == 20 * 64);
    }
  }
  device_array<int> d_x(std::vector<int>(20 * 64, 1));
  check_found(
      finding_kind::race, {"race in kernel fence_reduction_kernel"},
      [&] { fence_reduction_kernel<true><<<20, 64>>>(d_x.data(), d_parts.data(), d_y.data()); },
      [&] { fence_reduction_kernel<false><<<20, 64>>>(d_x.data(), d_parts.data(), d_y.data()); });
  CHECK(d_y.to_host()[0] == 20 * 64);
  const auto lock = [&](auto kernel) {
    cudaMemset(d_lock.data(), 0, sizeof(int));
    cudaMemset(d_counts.data(), 0, 64 * sizeof(int));
    kernel<<<20, 64>>>(d_lock.data(), d_counts.data());
  };
  check_found(
      finding_kind::race, {"race in kernel block_lock_kernel"}, [&] { lock(block_lock_kernel<true>); },
      [&] { lock(block_lock_kernel<false>); });
  // Where blocks run at once, it is chance which of the races is met first. One by one, it is this one.
  cuda_emulator::set_threads(1);
  const auto found = finding_of([&] { lock(block_lock_kernel<true>); });
  cuda_emulator::set_threads(2);
  REQUIRE(found.has_value());
  CHECK(std::string(found->what()).find("missing\n  __syncthreads()") != std::string::npos);
  lock(block_lock_kernel<false>);
  CHECK(d_counts.to_host() == std::vector<int>(64, 20));
}

TEST_CASE("an atomic flag that is set after a fence hands data on within a block") {
  device_array<int> d_y(1);
  check_found(
      finding_kind::race, {"race in kernel hand_over_kernel"},
      [&] { hand_over_kernel<true><<<1, 64>>>(d_y.data()); },
      [&] { hand_over_kernel<false><<<1, 64>>>(d_y.data()); });
  CHECK(d_y.to_host()[0] == 5);
}

TEST_CASE("a volatile flag that is set after a fence hands data on to another block") {
  device_array<int> d_value(std::vector<int>(20, 0)), d_flag(std::vector<int>(20, 0));
  device_array<unsigned> d_ticket(1);
  const auto chain = [&](auto kernel) {
    cudaMemset(d_flag.data(), 0, 20 * sizeof(int));
    cudaMemset(d_ticket.data(), 0, sizeof(unsigned));
    kernel<<<20, 32>>>(d_value.data(), d_flag.data(), d_ticket.data());
  };
  check_found(
      finding_kind::race, {"race in kernel chain_kernel"}, [&] { chain(chain_kernel<true>); },
      [&] { chain(chain_kernel<false>); });
  CHECK(d_value.to_host()[19] == 20);
  device_array<unsigned long long> d_state(20);
  device_array<int> d_sums(20);
  const auto look_back = [&](auto kernel) {
    cudaMemset(d_state.data(), 0, 20 * sizeof(unsigned long long));
    cudaMemset(d_ticket.data(), 0, sizeof(unsigned));
    kernel<<<20, 32>>>(d_state.data(), d_value.data(), d_ticket.data(), d_sums.data());
  };
  check_found(
      finding_kind::race, {"race in kernel look_back_kernel"}, [&] { look_back(look_back_kernel<true>); },
      [&] { look_back(look_back_kernel<false>); });
  CHECK(d_sums.to_host()[19] == 20);
  device_array<unsigned> d_words(20);
  const auto small_look_back = [&](auto kernel) {
    cudaMemset(d_words.data(), 0, 20 * sizeof(unsigned));
    cudaMemset(d_ticket.data(), 0, sizeof(unsigned));
    kernel<<<20, 32>>>(d_words.data(), d_ticket.data(), d_sums.data());
  };
  check_found(
      finding_kind::race, {"race in kernel small_look_back_kernel"},
      [&] { small_look_back(small_look_back_kernel<true>); },
      [&] { small_look_back(small_look_back_kernel<false>); });
  CHECK(d_sums.to_host()[19] == 20);
  device_array<double> d_wide(20);
  const auto wide_chain = [&](auto kernel) {
    cudaMemset(d_flag.data(), 0, 20 * sizeof(int));
    cudaMemset(d_ticket.data(), 0, sizeof(unsigned));
    kernel<<<20, 32>>>(d_wide.data(), d_flag.data(), d_ticket.data());
  };
  check_found(
      finding_kind::race, {"race in kernel wide_chain_kernel"}, [&] { wide_chain(wide_chain_kernel<true>); },
      [&] { wide_chain(wide_chain_kernel<false>); });
  CHECK(d_wide.to_host()[19] == 20);
  check_found(
      finding_kind::race, {"race in kernel volatile_kernel"},
      [&] { volatile_kernel<true><<<2, 32>>>(d_value.data()); },
      [&] { volatile_kernel<false><<<2, 32>>>(d_value.data()); });
}

TEST_CASE("a race is reported once, and a flood is counted") {
  device_array<float> d_x(std::vector<float>(64, 1.0f)), d_y(64);
  const auto found = finding_of([&] { shift_kernel<true><<<1, 64>>>(d_x.data(), d_y.data()); });
  REQUIRE(found.has_value());
  CHECK(std::string(found->what()).find("times in this launch") != std::string::npos);
}
