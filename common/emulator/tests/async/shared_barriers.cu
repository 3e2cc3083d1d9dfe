// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// cuda::barrier, cuda::memcpy_async() and cuda::pipeline: values worked out by hand.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>

#include <cuda/barrier>
#include <cuda/pipeline>

#include "../emulator_test.hpp"

#ifdef ON_EMULATED_DEVICE
#include "emulator/counts.hpp"
#endif
#ifdef __NVCC__
#pragma nv_diag_suppress static_var_with_dynamic_init
#endif

namespace cg = cooperative_groups;

namespace {

using block_barrier = cuda::barrier<cuda::thread_scope_block>;

// Half of the block produces, the other half consumes: two barriers for each of two stages.
__global__ void producers_kernel(const int* x, int rounds, int* sums) {
  __shared__ int stage[2][32];
  __shared__ block_barrier filled[2], emptied[2];
  const unsigned t = threadIdx.x, lane = t % 32;
  if (t == 0)
    for (int s = 0; s < 2; ++s) {
      init(&filled[s], 64);
      init(&emptied[s], 64);
    }
  __syncthreads();
  if (t < 32) {
    for (int k = 0; k < rounds; ++k) {
      if (k >= 2) emptied[k % 2].arrive_and_wait();
      stage[k % 2][lane] = x[32 * k + static_cast<int>(lane)];
      (void)filled[k % 2].arrive();
    }
  } else {
    int sum = 0;
    for (int k = 0; k < rounds; ++k) {
      filled[k % 2].arrive_and_wait();
      sum += stage[k % 2][31 - lane];
      if (k + 2 < rounds) (void)emptied[k % 2].arrive();
    }
    sums[lane] = sum;
  }
}

struct add_one {
  int* phases;
  __device__ void operator()() const { ++*phases; }
};

// The last to arrive does it, once for each phase, when all have written and none has gone on.
__global__ void completion_kernel(int rounds, int* out) {
  __shared__ int phases;
  using counting_barrier = cuda::barrier<cuda::thread_scope_block, add_one>;
  __shared__ counting_barrier barrier;
  if (threadIdx.x == 0) {
    phases = 0;
    init(&barrier, 48, add_one{&phases});
  }
  __syncthreads();
  for (int k = 0; k < rounds; k += 2) {
    barrier.arrive_and_wait();
    if (phases != k + 1) out[threadIdx.x] = -1;
    barrier.arrive_and_wait();
    if (phases != k + 2) out[threadIdx.x] = -1;
  }
  if (out[threadIdx.x] == 0) out[threadIdx.x] = phases;
}

// Each round one thread fewer takes part.
__global__ void drop_kernel(int* out) {
  __shared__ int left[32];
  __shared__ block_barrier barrier;
  const int t = static_cast<int>(threadIdx.x);
  if (t == 0) init(&barrier, 32);
  left[t] = 0;
  __syncthreads();
  for (int k = 0; k < 31; ++k) {
    left[t] = k + 1;
    if (t == k) {
      barrier.arrive_and_drop();
      return;
    }
    barrier.arrive_and_wait();
    if (t == 31) out[k] = left[k + (k < 30)];
    barrier.arrive_and_wait();
  }
  out[31] = 7;
}

__global__ void split_kernel(int* out) {
  __shared__ int values[64];
  __shared__ block_barrier barrier;
  auto block = cg::this_thread_block();
  if (block.thread_rank() == 0) init(&barrier, block.size());
  block.sync();
  const unsigned t = threadIdx.x;
  values[t] = static_cast<int>(t);
  block_barrier::arrival_token token = barrier.arrive();
  const int own = static_cast<int>(t) * 100;  // what needs nobody
  barrier.wait(cuda::std::move(token));
  out[t] = own + values[63 - t];
}

static_assert(cuda_emulator::is_copied_as_bytes<float4> && !cuda_emulator::is_copied_as_bytes<block_barrier>);

// A tile by all threads of the block, in pieces of 4 bytes, and by one thread as a whole.
template <bool whole, class T>
__global__ void tiles_kernel(const T* x, int tiles, T* sums) {
  __shared__ alignas(16) T tile[2][64];
  __shared__ block_barrier barrier[2];
  const auto block = cg::this_thread_block();
  const unsigned t = threadIdx.x;
  if (t == 0) {
    init(&barrier[0], whole ? 1 : 64);
    init(&barrier[1], whole ? 1 : 64);
  }
  block.sync();
  const auto fetch = [&](int k) {
    if (k >= tiles) return;
    if constexpr (whole) {
      if (t != 0) return;
      cuda::memcpy_async(tile[k % 2], x + 64 * k, cuda::aligned_size_t<16>(sizeof tile[0]), barrier[k % 2]);
    } else {
      cuda::memcpy_async(block, tile[k % 2], x + 64 * k, sizeof tile[0], barrier[k % 2]);
    }
    (void)barrier[k % 2].arrive();
  };
  fetch(0);
  T sum = 0;
  for (int k = 0; k < tiles; ++k) {
    fetch(k + 1);
    barrier[k % 2].wait_parity(k / 2 % 2 != 0);
    sum = static_cast<T>(sum + tile[k % 2][63 - t]);
    block.sync();
  }
  sums[t] = sum;
}

__global__ void own_pipeline_kernel(const int* x, int tiles, int* sums) {
  __shared__ int tile[4][32];
  cuda::pipeline<cuda::thread_scope_thread> pipe = cuda::make_pipeline();
  const unsigned t = threadIdx.x;
  const auto fetch = [&](int k) {
    pipe.producer_acquire();
    if (k < tiles) cuda::memcpy_async(&tile[k % 4][t], x + 32 * k + t, sizeof(int), pipe);
    pipe.producer_commit();
  };
  for (int k = 0; k < 3; ++k) fetch(k);
  int sum = 0;
  for (int k = 0; k < tiles; ++k) {
    fetch(k + 3);
    if (k % 2 == 0)
      pipe.consumer_wait();
    else
      cuda::pipeline_consumer_wait_prior<3>(pipe);
    sum += tile[k % 4][t];
    pipe.consumer_release();
  }
  sums[t] = sum;
}

enum class roles { all, by_count, by_name };
template <roles how>
__global__ void block_pipeline_kernel(const int* x, int tiles, int* sums) {
  __shared__ int tile[3][64];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 3> state;
  const auto block = cg::this_thread_block();
  const auto warp = cg::tiled_partition<32>(block);
  const bool fills = how == roles::all || threadIdx.x < 32, uses = how == roles::all || !fills;
  auto pipe = [&] {
    if constexpr (how == roles::all) return cuda::make_pipeline(block, &state);
    if constexpr (how == roles::by_count) return cuda::make_pipeline(block, &state, 32);
    if constexpr (how == roles::by_name)
      return cuda::make_pipeline(block, &state,
                                 fills ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer);
  }();
  int sum = 0;
  const auto fill = [&](int k) {
    pipe.producer_acquire();
    if (k < tiles) {
      if (how == roles::all)
        cuda::memcpy_async(block, tile[k % 3], x + 64 * k, sizeof tile[0], pipe);
      else
        cuda::memcpy_async(warp, tile[k % 3], x + 64 * k, sizeof tile[0], pipe);
    }
    pipe.producer_commit();
  };
  if (how == roles::all) fill(0);
  for (int k = 0; k < tiles; ++k) {
    if (fills) fill(how == roles::all ? k + 1 : k);
    if (!uses) continue;
    pipe.consumer_wait();
    for (unsigned i = threadIdx.x % 32; i < 64; i += 32) sum += tile[k % 3][63 - i];
    pipe.consumer_release();
  }
  if (uses) sums[threadIdx.x] = sum;
}

__global__ void group_kernel(const char* x, int bytes, char* y) {
  __shared__ alignas(16) char stage[2][256];
  const auto block = cg::this_thread_block();
  cg::memcpy_async(block, stage[0], x, static_cast<std::size_t>(bytes));
  cg::memcpy_async(block, stage[1], x + 256, static_cast<std::size_t>(bytes));
  cg::wait_prior<1>(block);
  for (int i = static_cast<int>(threadIdx.x); i < bytes; i += 32) y[i] = stage[0][bytes - 1 - i];
  cg::wait(block);
  for (int i = static_cast<int>(threadIdx.x); i < bytes; i += 32) y[256 + i] = stage[1][bytes - 1 - i];
}

std::vector<int> numbers(int size) {
  std::vector<int> x(static_cast<std::size_t>(size));
  for (int i = 0; i < size; ++i) x[static_cast<std::size_t>(i)] = i * 7 % 101;
  return x;
}

}  // namespace

TEST_CASE("arrive and wait") {
  device_array<int> d_x(numbers(32 * 9));
  const std::vector<int> x = numbers(32 * 9);
  in_all_orders([&] {
    for (const int rounds : {1, 2, 3, 9}) {
      device_array<int> d_sums(32);
      producers_kernel<<<1, 64>>>(d_x.data(), rounds, d_sums.data());
      const std::vector<int> sums = d_sums.to_host();
      for (int lane = 0; lane < 32; ++lane) {
        int expected = 0;
        for (int k = 0; k < rounds; ++k) expected += x[static_cast<std::size_t>(32 * k + 31 - lane)];
        CHECK(sums[static_cast<std::size_t>(lane)] == expected);
      }
    }
    device_array<int> d_out(64);
    split_kernel<<<1, 64>>>(d_out.data());
    const std::vector<int> out = d_out.to_host();
    for (int t = 0; t < 64; ++t) CHECK(out[static_cast<std::size_t>(t)] == 100 * t + 63 - t);
  });
}

TEST_CASE("completion functions, and threads that drop out") {
  in_all_orders([] {
    device_array<int> d_out(48), d_dropped(32);
    completion_kernel<<<1, 48>>>(4, d_out.data());
    CHECK(d_out.to_host() == std::vector<int>(48, 4));
    drop_kernel<<<1, 32>>>(d_dropped.data());
    const std::vector<int> dropped = d_dropped.to_host();
    for (int k = 0; k < 31; ++k) CHECK(dropped[static_cast<std::size_t>(k)] == k + 1);
    CHECK(dropped[31] == 7);
  });
}

TEST_CASE("copies that a barrier tracks") {
  const std::vector<int> x = numbers(64 * 7);
  std::vector<signed char> small(64 * 7);
  for (std::size_t i = 0; i < small.size(); ++i) small[i] = static_cast<signed char>(x[i] % 10);
  device_array<int> d_x(x), d_sums(64);
  device_array<signed char> d_small(small), d_small_sums(64);
  in_all_orders([&] {
    for (const int tiles : {1, 2, 7}) {
      std::vector<int> expected(64);
      std::vector<signed char> small_expected(64);
      for (int i = 0; i < 64 * tiles; ++i) {
        expected[static_cast<std::size_t>(63 - i % 64)] += x[static_cast<std::size_t>(i)];
        small_expected[static_cast<std::size_t>(63 - i % 64)] = static_cast<signed char>(
            small_expected[static_cast<std::size_t>(63 - i % 64)] + small[static_cast<std::size_t>(i)]);
      }
      tiles_kernel<true><<<1, 64>>>(d_x.data(), tiles, d_sums.data());
      CHECK(d_sums.to_host() == expected);
      tiles_kernel<false><<<1, 64>>>(d_x.data(), tiles, d_sums.data());
      CHECK(d_sums.to_host() == expected);
      tiles_kernel<false><<<1, 64>>>(d_small.data(), tiles, d_small_sums.data());
      CHECK(d_small_sums.to_host() == small_expected);
    }
  });
}

TEST_CASE("pipelines of a thread and of a block") {
  const std::vector<int> x = numbers(64 * 8);
  device_array<int> d_x(x);
  in_all_orders([&] {
    for (const int tiles : {1, 3, 8}) {
      std::vector<int> own(32), of_block(32);
      for (int i = 0; i < 32 * tiles; ++i)
        own[static_cast<std::size_t>(i % 32)] += x[static_cast<std::size_t>(i)];
      for (int i = 0; i < 64 * tiles; ++i)
        of_block[static_cast<std::size_t>((63 - i % 64) % 32)] += x[static_cast<std::size_t>(i)];
      device_array<int> d_own(32), d_all(64), d_count(64), d_name(64);
      own_pipeline_kernel<<<1, 32>>>(d_x.data(), tiles, d_own.data());
      CHECK(d_own.to_host() == own);
      block_pipeline_kernel<roles::all><<<1, 64>>>(d_x.data(), tiles, d_all.data());
      block_pipeline_kernel<roles::by_count><<<1, 64>>>(d_x.data(), tiles, d_count.data());
      block_pipeline_kernel<roles::by_name><<<1, 64>>>(d_x.data(), tiles, d_name.data());
      const std::vector<int> all = d_all.to_host(), count = d_count.to_host(), name = d_name.to_host();
      for (std::size_t t = 0; t < 32; ++t) {
        CHECK(all[t] == of_block[t]);
        CHECK(all[32 + t] == of_block[t]);
        CHECK(count[32 + t] == of_block[t]);
        CHECK(name[32 + t] == of_block[t]);
      }
    }
  });
}

TEST_CASE("copies of a group, of any number of bytes") {
  std::vector<char> x(512);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<char>(i % 100);
  device_array<char> d_x(x), d_y(512);
  in_all_orders([&] {
    for (const int bytes : {1, 2, 12, 24, 64, 255, 256}) {
      group_kernel<<<1, 32>>>(d_x.data(), bytes, d_y.data());
      const std::vector<char> y = d_y.to_host();
      for (int i = 0; i < bytes; ++i) {
        CHECK(y[static_cast<std::size_t>(i)] == x[static_cast<std::size_t>(bytes - 1 - i)]);
        CHECK(y[static_cast<std::size_t>(256 + i)] == x[static_cast<std::size_t>(256 + bytes - 1 - i)]);
      }
    }
  });
}
