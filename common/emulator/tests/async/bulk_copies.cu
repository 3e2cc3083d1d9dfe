// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Bulk copies, by cuda::device, cuda::ptx and inline PTX: values worked out by hand, and counts.
#include <cuda_pipeline.h>
#include <cuda/barrier>
#include <cuda/ptx>

#include "../emulator_test.hpp"

#ifdef ON_EMULATED_DEVICE
#include "emulator/counts.hpp"
#endif
#ifdef __NVCC__
#pragma nv_diag_suppress static_var_with_dynamic_init
#endif

namespace {

namespace ptx = cuda::ptx;
using block_barrier = cuda::barrier<cuda::thread_scope_block>;

__device__ unsigned in_shared(const void* pointer) {
  return static_cast<unsigned>(__cvta_generic_to_shared(pointer));
}

enum class spelling { ptx, assembly };

template <spelling how>
__device__ void begin(unsigned long long* barrier) {
  if constexpr (how == spelling::ptx) {
    ptx::mbarrier_init(reinterpret_cast<std::uint64_t*>(barrier), 1);
    ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
  } else {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1; fence.mbarrier_init.release.cluster;" ::"r"(
                     in_shared(barrier))
                 : "memory");
  }
}

template <spelling how>
__device__ void fetch(void* to, const void* from, unsigned bytes, unsigned long long* barrier) {
  if constexpr (how == spelling::ptx) {
    auto* const b = reinterpret_cast<std::uint64_t*>(barrier);
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, b, bytes);
    ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, to, from, bytes, b);
  } else {
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(in_shared(barrier)),
                 "r"(bytes)
                 : "memory");
    asm volatile(
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
            in_shared(to)),
        "l"(from), "r"(bytes), "r"(in_shared(barrier))
        : "memory");
  }
}

template <spelling how>
__device__ void wait(unsigned long long* barrier, unsigned parity) {
  if constexpr (how == spelling::ptx) {
    while (!ptx::mbarrier_try_wait_parity(reinterpret_cast<std::uint64_t*>(barrier), parity)) {
    }
  } else {
    asm volatile(
        "{\n\t"
        ".reg .pred done;\n"
        "WAIT_%=:\n\t"
        "mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n\t"
        "@done bra DONE_%=;\n\t"
        "bra WAIT_%=;\n"
        "DONE_%=:\n\t"
        "}" ::"r"(in_shared(barrier)),
        "r"(parity)
        : "memory");
  }
}

/// Every warp for itself: tiles come two ahead, are doubled and reversed, and go back in bulk.
template <spelling how>
__global__ void warps_kernel(const int* x, int tiles, int* y) {
  constexpr int warps = 2, stages = 3, size = 64;
  __shared__ alignas(128) int tile[warps][stages][size];
  __shared__ unsigned long long barriers[warps][stages];
  const int lane = static_cast<int>(threadIdx.x % 32), warp = static_cast<int>(threadIdx.x / 32),
            step = warps * static_cast<int>(gridDim.x);
  const int first = static_cast<int>(blockIdx.x) * warps + warp;
  const auto next = [&](int which, int stage) {
    if (which < tiles)
      fetch<how>(tile[warp][stage], x + size * which, sizeof tile[warp][stage], &barriers[warp][stage]);
  };
  if (lane == 0) {
    for (int s = 0; s < stages; ++s) begin<how>(&barriers[warp][s]);
    next(first, 0);
    next(first + step, 1);
  }
  __syncthreads();
  int stage = 0;
  unsigned phases = 0;
  for (int which = first; which < tiles; which += step) {
    int* const mine = tile[warp][stage];
    wait<how>(&barriers[warp][stage], phases >> stage & 1);
    phases ^= 1u << stage;
    const int a = mine[63 - lane], b = mine[31 - lane];
    __syncwarp();
    mine[lane] = 2 * a;
    mine[32 + lane] = 2 * b;
    ptx::fence_proxy_async(ptx::space_shared);
    __syncwarp();
    if (lane == 0) {
      asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
      next(which + 2 * step, stage == 0 ? 2 : stage - 1);
      ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, y + size * which, mine, sizeof tile[0][0]);
      ptx::cp_async_bulk_commit_group();
    }
    stage = stage == 2 ? 0 : stage + 1;
  }
  if (lane == 0) ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>());
}

// As the programming guide has it: one thread asks, all arrive and wait.
__global__ void guide_kernel(int* data, int offset) {
  __shared__ alignas(16) int tile[256];
  __shared__ block_barrier barrier;
  if (threadIdx.x == 0) init(&barrier, static_cast<std::ptrdiff_t>(blockDim.x));
  __syncthreads();
  block_barrier::arrival_token token;
  if (threadIdx.x == 0) {
    cuda::device::memcpy_async_tx(tile, data + offset, cuda::aligned_size_t<16>(sizeof tile), barrier);
    token = cuda::device::barrier_arrive_tx(barrier, 1, sizeof tile);
  } else {
    token = barrier.arrive();
  }
  barrier.wait(std::move(token));
  for (unsigned i = threadIdx.x; i < 256; i += blockDim.x) tile[i] += 1;
  ptx::fence_proxy_async(ptx::space_shared);
  __syncthreads();
  if (threadIdx.x == 0) {
    ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, data + offset, tile, sizeof tile);
    ptx::cp_async_bulk_commit_group();
    ptx::cp_async_bulk_wait_group(ptx::n32_t<0>());
    data[0] = data[offset];
  }
}

// Copies of 16 bytes by every thread, and one barrier for all of them.
template <bool counted_by_hand>
__global__ void followed_kernel(const int4* x, int4* y) {
  __shared__ int4 tile[64];
  __shared__ unsigned long long barrier;
  if (threadIdx.x == 0)
    asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(in_shared(&barrier)), "r"(64) : "memory");
  __syncthreads();
  __pipeline_memcpy_async(&tile[threadIdx.x], x + threadIdx.x, sizeof(int4));
  if constexpr (counted_by_hand) {
    asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" ::"r"(in_shared(&barrier)) : "memory");
  } else {
    unsigned long long token;
    asm volatile("cp.async.mbarrier.arrive.shared.b64 [%0];" ::"r"(in_shared(&barrier)) : "memory");
    asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(token) : "r"(in_shared(&barrier)) : "memory");
    unsigned done = 0;
    while (done == 0)
      asm volatile("{ .reg .pred p; mbarrier.test_wait.shared.b64 p, [%1], %2; selp.b32 %0, 1, 0, p; }"
                   : "=r"(done)
                   : "r"(in_shared(&barrier)), "l"(token)
                   : "memory");
  }
  if constexpr (counted_by_hand) wait<spelling::assembly>(&barrier, 0);
  y[threadIdx.x] = tile[63 - threadIdx.x];
}

/// Gives up after some attempts, since one arrival is missing on purpose.
__global__ void attempts_kernel(int* tries) {
  __shared__ unsigned long long barrier;
  if (threadIdx.x == 0) begin<spelling::ptx>(&barrier);
  __syncthreads();
  int n = 0;
  while (n < 5 && !ptx::mbarrier_try_wait_parity(reinterpret_cast<std::uint64_t*>(&barrier), 0)) ++n;
  tries[threadIdx.x] = n;
}

std::vector<int> numbers(int size) {
  std::vector<int> x(static_cast<std::size_t>(size));
  for (int i = 0; i < size; ++i) x[static_cast<std::size_t>(i)] = i * 13 % 1009;
  return x;
}

template <spelling how>
void check_warps() {
  for (const int tiles : {1, 4, 5, 23}) {
    const std::vector<int> x = numbers(64 * tiles);
    device_array<int> d_x(x), d_y(x.size());
    warps_kernel<how><<<2, 64>>>(d_x.data(), tiles, d_y.data());
    const std::vector<int> y = d_y.to_host();
    for (std::size_t i = 0; i < y.size(); ++i) CHECK(y[i] == 2 * x[i / 64 * 64 + 63 - i % 64]);
  }
}

}  // namespace

TEST_CASE("tiles come and go in bulk, every warp for itself") {
  in_all_orders([] {
    check_warps<spelling::ptx>();
    check_warps<spelling::assembly>();
  });
}

TEST_CASE("one thread asks, all wait") {
  in_all_orders([] {
    std::vector<int> x = numbers(1024);
    device_array<int> d_x(x);
    guide_kernel<<<1, 96>>>(d_x.data(), 512);
    for (std::size_t i = 512; i < 768; ++i) ++x[i];
    x[0] = x[512];
    CHECK(d_x.to_host() == x);
  });
}

TEST_CASE("a barrier that follows copies of threads") {
  std::vector<int4> x(64);
  for (int i = 0; i < 64; ++i) x[static_cast<std::size_t>(i)].w = i;
  device_array<int4> d_x(x), d_y(64), d_z(64);
  in_all_orders([&] {
    followed_kernel<true><<<1, 64>>>(d_x.data(), d_y.data());
    followed_kernel<false><<<1, 64>>>(d_x.data(), d_z.data());
    const std::vector<int4> y = d_y.to_host(), z = d_z.to_host();
    for (int i = 0; i < 64; ++i) {
      CHECK(y[static_cast<std::size_t>(i)].w == 63 - i);
      CHECK(z[static_cast<std::size_t>(i)].w == 63 - i);
    }
  });
}

TEST_CASE("attempts that fail do not hang") {
  in_all_orders([] {
    device_array<int> d_tries(48);
    attempts_kernel<<<1, 48>>>(d_tries.data());
    CHECK(d_tries.to_host() == std::vector<int>(48, 5));
  });
}

#ifdef ON_EMULATED_DEVICE
TEST_CASE("bulk copies are no loads and stores of threads") {
  in_all_orders([] {
    device_array<int> d_x(64 * 4), d_y(64 * 4);
    cuda_emulator::begin_counting();
    warps_kernel<spelling::assembly><<<2, 64>>>(d_x.data(), 4, d_y.data());
    const auto launches = cuda_emulator::end_counting();
    REQUIRE(launches.size() == 1);
    const cuda_emulator::kernel_counts& c = launches[0];
    CHECK(c.global_loads == 0);
    CHECK(c.global_stores == 0);
    CHECK(c.shared_load_requests == 4 * 2);
    CHECK(c.shared_load_wavefronts == 4 * 2);
    CHECK(c.shared_store_requests == 4 * 2);
    CHECK(c.barriers == 2);
  });
}
#endif
