// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Mistakes with barriers in shared memory and with the copies that they track. The template argument is the
// mistake; `none` is the repaired twin.
#include <cooperative_groups.h>

#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda/ptx>

#include "../findings.hpp"

namespace {

using cuda_emulator::finding_kind;
namespace cg = cooperative_groups;
namespace ptx = cuda::ptx;
using block_barrier = cuda::barrier<cuda::thread_scope_block>;

enum class fault {
  none,
  count_too_large,
  count_too_small,
  one_stays_away,
  no_block_barrier,
  no_initialization,
  all_initialize,
  initialized_in_loop,
  too_many_arrivals,
  arrives_twice,
  arrives_only,
  other_barrier,
  few_bytes,
  many_bytes,
  no_copy,
  crooked_size,
  crooked_target,
  no_wait,
  waits_for_old_phase,
  issuer_reads,
  source,
  target,
  never_released,
  never_committed,
  no_read_wait,
  too_early,
  in_global,
  misaligned,
  no_arrivals,
  target_not_shared,
  source_not_global,
};

constexpr int wait_line = __LINE__ + 21;
template <fault f>
__global__ void meet_kernel(int* out) {
  __shared__ int values[64];
  __shared__ block_barrier barrier, second;
  const unsigned t = threadIdx.x;
  if (f != fault::no_initialization && (t == 0 || f == fault::all_initialize))
    init(&barrier, f == fault::count_too_large     ? 65
                   : f == fault::count_too_small   ? 63
                   : f == fault::too_many_arrivals ? 32
                                                   : 64);
  if (t == 0) init(&second, 64);
  if (f != fault::no_block_barrier && f != fault::all_initialize) __syncthreads();
  values[t] = static_cast<int>(t);
  if (f == fault::one_stays_away && t == 40) return;
  if (f == fault::too_many_arrivals) (void)barrier.arrive(t == 0 ? 33 : 1);
  if (f == fault::arrives_only && t < 32) {
    (void)barrier.arrive();
  } else if (f == fault::other_barrier && t < 32) {
    second.arrive_and_wait();
  } else {
    barrier.arrive_and_wait();
  }
  if (f == fault::other_barrier) return;
  out[t] = values[63 - t];
}

// Tiles that the block copies as a group: 16 elements, so that most threads have nothing to copy.
template <fault f>
__global__ void group_tile_kernel(const int* x, int* out) {
  __shared__ alignas(16) int tile[16];
  __shared__ block_barrier filled, used;
  const auto group = cg::this_thread_block();
  if (threadIdx.x == 0) {
    init(&filled, f == fault::count_too_small ? 63 : 64);
    init(&used, 64);
  }
  __syncthreads();
  int sum = 0;
  for (int k = 0; k < 2; ++k) {
    cuda::memcpy_async(group, tile, x + 16 * k, sizeof tile, filled);
    (void)filled.arrive();
    filled.wait_parity(k % 2 != 0);
    sum += tile[threadIdx.x % 16];
    // Who waits for all to have used the tile knows that the phase before is complete, too.
    if (f == fault::arrives_twice && threadIdx.x == 5) (void)filled.arrive();
    used.arrive_and_wait();
  }
  out[threadIdx.x] = sum;
}

template <fault f>
__global__ void loop_kernel(int* out) {
  __shared__ int values[64];
  __shared__ block_barrier barrier;
  if (f == fault::none && threadIdx.x == 0) init(&barrier, 64);
  if (f == fault::none) __syncthreads();
  for (int k = 0; k < 2; ++k) {
    if (f != fault::none && threadIdx.x == 0) init(&barrier, 64);
    if (f != fault::none && k == 0) __syncthreads();
    values[threadIdx.x] = k;
    barrier.arrive_and_wait();
    out[threadIdx.x] = values[63 - threadIdx.x];
    barrier.arrive_and_wait();
  }
}

// A tile in bulk, asked for by thread 0.
constexpr int bulk_line = __LINE__ + 16;
template <fault f>
__global__ void bulk_kernel(int* x, int what_it_has, int* out) {
  __shared__ alignas(16) int tile[2][64];
  __shared__ block_barrier barrier[2];
  const unsigned t = threadIdx.x;
  if (t == 0) {
    init(&barrier[0], 1);
    init(&barrier[1], 1);
  }
  __syncthreads();
  if (t == 0) {
    constexpr int expected = f == fault::few_bytes ? 128 : f == fault::many_bytes ? 512 : 256;
    constexpr int offset = f == fault::crooked_target ? 1 : 0, bytes = f == fault::crooked_size ? 252 : 256;
    auto* const handle = cuda::device::barrier_native_handle(barrier[0]);
    if (f != fault::no_copy)
      ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, tile[0] + offset, x, bytes, handle);
    (void)cuda::device::barrier_arrive_tx(barrier[0], 1, expected);
    if (f == fault::source) x[5] = what_it_has;
    if (f == fault::target) tile[0][5] = 1;
    if (f == fault::issuer_reads) out[0] = tile[0][63];
  }
  if (f == fault::waits_for_old_phase) barrier[0].wait_parity(true);
  if (f != fault::no_wait && f != fault::waits_for_old_phase) barrier[0].wait_parity(false);
  if (f == fault::no_wait && t == 0) barrier[0].wait_parity(false);
  out[t] = tile[0][63 - t];
}

template <fault f>
__global__ void store_kernel(int* y) {
  __shared__ alignas(16) int tile[64];
  const unsigned t = threadIdx.x;
  tile[t] = 1;
  ptx::fence_proxy_async(ptx::space_shared);
  __syncthreads();
  if (t == 0) {
    ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, y, tile, sizeof tile);
    if (f != fault::never_committed) ptx::cp_async_bulk_commit_group();
    if (f == fault::too_early) y[64] = y[3];
    if (f == fault::source) tile[0] = 1;
    if (f != fault::no_read_wait) ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>());
    if (f == fault::none) ptx::cp_async_bulk_wait_group(ptx::n32_t<0>());
    if (f == fault::none) y[64] = y[3];
  }
}

template <fault f>
__global__ void pipeline_kernel(const int* x, int rounds, int* out) {
  __shared__ int tile[2][32];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  const auto block = cg::this_thread_block();
  const auto warp = cg::tiled_partition<32>(block);
  auto pipe = cuda::make_pipeline(block, &state, 32);
  int sum = 0;
  for (int k = 0; k < rounds; ++k) {
    if (block.thread_rank() < 32) {
      if (f != fault::too_early) pipe.producer_acquire();
      cuda::memcpy_async(warp, tile[k % 2], x + 32 * k, sizeof tile[0], pipe);
      pipe.producer_commit();
    } else {
      if (f != fault::no_wait) pipe.consumer_wait();
      sum += tile[k % 2][31 - warp.thread_rank()];
      if (f != fault::never_released) pipe.consumer_release();
    }
  }
  out[threadIdx.x] = sum;
}

// A loop of attempts is a wait as any other.
template <fault f>
__global__ void attempts_kernel(int* out) {
  __shared__ std::uint64_t barrier;
  if (threadIdx.x == 0) ptx::mbarrier_init(&barrier, f == fault::none ? 32 : 33);
  __syncthreads();
  ptx::mbarrier_arrive(&barrier);
  while (!ptx::mbarrier_try_wait_parity(&barrier, 0u)) {
  }
  out[threadIdx.x] = 1;
}
template <fault f>
__global__ void place_kernel(std::uint64_t* memory) {
  __shared__ std::uint64_t barrier[2];
  auto* const between = reinterpret_cast<std::uint64_t*>(reinterpret_cast<std::uint32_t*>(barrier) + 1);
  ptx::mbarrier_init(f == fault::in_global    ? memory
                     : f == fault::misaligned ? between
                                              : barrier,
                     f == fault::no_arrivals ? 0 : 1);
}

// Bulk copies whose sides lie elsewhere.
template <fault f>
__global__ void sides_kernel(int* x, int* y) {
  __shared__ alignas(16) int tile[4], other[4];
  __shared__ std::uint64_t barrier;
  ptx::mbarrier_init(&barrier, 1);
  for (int k = 0; k < 4; ++k) other[k] = k;
  ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, f == fault::target_not_shared ? y : tile,
                     f == fault::source_not_global ? other : x, sizeof tile, &barrier);
  ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &barrier, sizeof tile);
  while (!ptx::mbarrier_try_wait_parity(&barrier, 0u)) {
  }
  y[4] = tile[3];
}
template <fault f>
__global__ void store_sides_kernel(int* x, int* y) {
  __shared__ alignas(16) int tile[4], other[4];
  for (int k = 0; k < 4; ++k) tile[k] = k;
  ptx::fence_proxy_async(ptx::space_shared);
  ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, f == fault::target_not_shared ? other : y,
                     f == fault::source_not_global ? x : tile, sizeof tile);
  ptx::cp_async_bulk_commit_group();
  ptx::cp_async_bulk_wait_group(ptx::n32_t<0>());
}

template <fault f>
void check_meeting(finding_kind kind, const std::vector<std::string>& words) {
  device_array<int> d_out(64);
  check_found(
      kind, words, [&] { meet_kernel<f><<<1, 64>>>(d_out.data()); },
      [&] { meet_kernel<fault::none><<<1, 64>>>(d_out.data()); });
}
template <fault f>
void check_bulk(finding_kind kind, const std::vector<std::string>& words) {
  device_array<int> d_x(std::vector<int>(128, 1)), d_out(64);
  check_found(
      kind, words, [&] { bulk_kernel<f><<<1, 64>>>(d_x.data(), 1, d_out.data()); },
      [&] { bulk_kernel<fault::none><<<1, 64>>>(d_x.data(), 1, d_out.data()); });
}
template <fault f>
void check_store(const std::vector<std::string>& words) {
  device_array<int> d_y(80);
  check_found(
      finding_kind::asynchronous_copy, words, [&] { store_kernel<f><<<1, 64>>>(d_y.data()); },
      [&] { store_kernel<fault::none><<<1, 64>>>(d_y.data()); });
}
template <fault f>
void check_pipeline(finding_kind kind, const std::vector<std::string>& words) {
  device_array<int> d_x(std::vector<int>(192, 1)), d_out(64);
  // Consumers that never wait would run ahead of the phases, and producers would wait forever.
  const int rounds = f == fault::no_wait ? 2 : 6;
  check_found(
      kind, words, [&] { pipeline_kernel<f><<<1, 64>>>(d_x.data(), rounds, d_out.data()); },
      [&] { pipeline_kernel<fault::none><<<1, 64>>>(d_x.data(), rounds, d_out.data()); });
}

}  // namespace

TEST_CASE("a barrier that is never completed: who is missing") {
  const std::string never = "barrier in shared memory that is never completed in kernel",
                    wait = at_line(__FILE__, wait_line);
  check_meeting<fault::count_too_large>(
      finding_kind::shared_barrier,
      {wait, never, "waits for barrier in shared memory", "64 of 65 arrivals have come",
       "All 64 threads of the block have arrived", "init() with a count that is not the number of arrivals"});
  check_meeting<fault::one_stays_away>(
      finding_kind::shared_barrier,
      {never, "63 of 64 arrivals have come", "1 of the 64 threads of the block has not arrived",
       "thread (40, 0, 0) has returned from the kernel"});
  check_meeting<fault::other_barrier>(finding_kind::shared_barrier,
                                      {never, "32 of 64 arrivals have come", "waits at "});
  device_array<int> d_out(64);
  check_found(
      finding_kind::shared_barrier, {never, "32 of 33 arrivals have come"},
      [&] { attempts_kernel<fault::count_too_large><<<1, 32>>>(d_out.data()); },
      [&] { attempts_kernel<fault::none><<<1, 32>>>(d_out.data()); });
}

TEST_CASE("barriers and their initialization") {
  const std::string before = "barrier in shared memory that is used before its initialization";
  check_meeting<fault::no_block_barrier>(finding_kind::shared_barrier,
                                         {before, "no __syncthreads() between init()"});
  check_meeting<fault::no_initialization>(finding_kind::shared_barrier, {before, "or no init() at all"});
  check_meeting<fault::all_initialize>(
      finding_kind::shared_barrier,
      {"barrier in shared memory that two threads initialize", "a missing if (threadIdx.x == 0)"});
  device_array<int> d_out(64);
  check_found(
      finding_kind::shared_barrier, {"barrier in shared memory"},
      [&] { loop_kernel<fault::initialized_in_loop><<<1, 64>>>(d_out.data()); },
      [&] { loop_kernel<fault::none><<<1, 64>>>(d_out.data()); });
  device_array<std::uint64_t> d_place(1);
  check_found(
      finding_kind::shared_barrier, {"barrier that is not in shared memory", "declare it\n  __shared__"},
      [&] { place_kernel<fault::in_global><<<1, 1>>>(d_place.data()); },
      [&] { place_kernel<fault::none><<<1, 1>>>(d_place.data()); });
  check_found(
      finding_kind::shared_barrier, {"misaligned barrier", "at a multiple of 8 bytes"},
      [&] { place_kernel<fault::misaligned><<<1, 1>>>(d_place.data()); },
      [&] { place_kernel<fault::none><<<1, 1>>>(d_place.data()); });
  check_found(
      finding_kind::shared_barrier, {"barrier for 0 arrivals", "must expect at least one"},
      [&] { place_kernel<fault::no_arrivals><<<1, 1>>>(d_place.data()); },
      [&] { place_kernel<fault::none><<<1, 1>>>(d_place.data()); });
}

TEST_CASE("bulk copies go from one kind of memory to the other") {
  device_array<int> d_x(std::vector<int>(8, 1)), d_y(8);
  const auto check_sides = [&](const std::string& what, auto faulty, auto repaired) {
    check_found(
        finding_kind::crash, {what, "target first, as in memcpy()"},
        [&] { faulty<<<1, 1>>>(d_x.data(), d_y.data()); },
        [&] { repaired<<<1, 1>>>(d_x.data(), d_y.data()); });
  };
  check_sides("a bulk copy to an address that is not in shared memory",
              sides_kernel<fault::target_not_shared>, sides_kernel<fault::none>);
  check_sides("a bulk copy from an address that is not in global memory",
              sides_kernel<fault::source_not_global>, sides_kernel<fault::none>);
  check_sides("a bulk copy to an address that is not in global memory",
              store_sides_kernel<fault::target_not_shared>, store_sides_kernel<fault::none>);
  check_sides("a bulk copy from an address that is not in shared memory",
              store_sides_kernel<fault::source_not_global>, store_sides_kernel<fault::none>);
}

TEST_CASE("arrivals are not waits") {
  check_meeting<fault::too_many_arrivals>(
      finding_kind::shared_barrier,
      {"more arrivals at a barrier than it expects", "init() with too small a count"});
  // The last one to come counts for the next phase. It need not read what matters: it waits for nobody.
  check_meeting<fault::count_too_small>(
      finding_kind::shared_barrier,
      {"more arrivals at a barrier than it expects", "The 63 arrivals that it expects in a phase have come",
       "nothing orders this one behind them", "init() with too small a count"});
  device_array<int> d_tiles(std::vector<int>(128, 7)), d_tile_sums(64);
  // Where the last one copies a part of the tile, that is found first.
  in_all_orders([&] {
    for (const auto faulty :
         {group_tile_kernel<fault::count_too_small>, group_tile_kernel<fault::arrives_twice>}) {
      const auto found = finding_of([&] { faulty<<<1, 64>>>(d_tiles.data(), d_tile_sums.data()); });
      REQUIRE(found.has_value());
      const std::string message = found->what();
      CHECK((message.find("nothing orders this one behind them") != message.npos ||
             message.find("race with an asynchronous copy in kernel group_tile_kernel") != message.npos));
    }
    const auto found =
        finding_of([&] { group_tile_kernel<fault::none><<<1, 64>>>(d_tiles.data(), d_tile_sums.data()); });
    if (found) FAIL_CHECK(std::string(found->what()));
  });
  CHECK(d_tile_sums.to_host() == std::vector<int>(64, 14));
  check_meeting<fault::arrives_only>(finding_kind::race, {"race in kernel meet_kernel", "values["});
}

TEST_CASE("bytes that a barrier expects") {
  check_bulk<fault::few_bytes>(finding_kind::shared_barrier,
                               {"copies that bring more bytes than their barrier expects",
                                "It expects 128 bytes in this phase, and the copies bring 256"});
  check_bulk<fault::many_bytes>(
      finding_kind::shared_barrier,
      {"never completed", "1 of 1 arrival have come, and copies bring 256 of 512 bytes"});
  check_bulk<fault::no_copy>(finding_kind::shared_barrier,
                             {"never completed", "copies bring 0 of 256 bytes"});
  check_bulk<fault::crooked_size>(finding_kind::crash, {"a misaligned bulk copy", "multiple of 16"});
  check_bulk<fault::crooked_target>(finding_kind::crash, {"a misaligned bulk copy", "multiple of 16"});
}

TEST_CASE("what a barrier tracks is there for those who wait for its phase") {
  const std::string copy = at_line(__FILE__, bulk_line);
  check_bulk<fault::no_wait>(finding_kind::asynchronous_copy,
                             {"asynchronous copy", copy, "tile[0][", "no wait before the use"});
  check_bulk<fault::waits_for_old_phase>(finding_kind::asynchronous_copy,
                                         {"asynchronous copy", copy, "another phase (parity)"});
  check_bulk<fault::issuer_reads>(finding_kind::asynchronous_copy, {"asynchronous copy", "tile[0][63]"});
  check_bulk<fault::source>(finding_kind::asynchronous_copy, {"asynchronous copy", "x["});
  check_bulk<fault::target>(finding_kind::asynchronous_copy, {"asynchronous copy", "tile[0][5]"});
}

TEST_CASE("bulk copies to global memory") {
  check_store<fault::no_read_wait>(
      {"bulk copy that its thread does not wait for", "copies 256 bytes from tile"});
  check_store<fault::never_committed>({"bulk copy that its thread does not wait for"});
  check_store<fault::too_early>({"read of memory that an asynchronous copy is still filling", "y[3]"});
  check_store<fault::source>({"asynchronous copy whose source changes before it lands", "tile[0]"});
}

TEST_CASE("pipelines of a block") {
  check_pipeline<fault::never_released>(finding_kind::shared_barrier,
                                        {"barrier in shared memory that is never completed", "state"});
  check_pipeline<fault::no_wait>(finding_kind::asynchronous_copy, {"asynchronous copy", "tile["});
  check_pipeline<fault::too_early>(finding_kind::asynchronous_copy, {"asynchronous copy", "tile["});
}
