// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Cooperative groups: what each thread of a block gets, worked out by hand.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

#include <cuda/barrier>

#include "../emulator_test.hpp"

namespace cg = cooperative_groups;

namespace {

struct triple {
  int a;
  double b;
  float c;
};

__global__ void block_kernel(unsigned* out) {
  __shared__ unsigned from_others[60];
  const cg::thread_block block = cg::this_thread_block();
  const unsigned rank = block.thread_rank();
  from_others[rank] = rank;
  block.sync();
  unsigned* mine = out + 8 * (60 * blockIdx.x + rank);
  mine[0] = from_others[block.size() - 1 - rank];
  mine[1] = block.group_index().x;
  mine[2] = block.thread_index().y;
  mine[3] = block.group_dim().z * 100 + block.dim_threads().x;
  mine[4] = static_cast<unsigned>(cg::this_grid().thread_rank());
  mine[5] = static_cast<unsigned>(cg::this_grid().size());
  mine[6] = block.num_threads() + static_cast<unsigned>(cg::group_size(block));
  mine[7] = static_cast<unsigned>(cg::thread_rank(block));
  cg::sync(block);
}

template <unsigned Size>
__global__ void tile_kernel(int* out) {
  const cg::thread_block block = cg::this_thread_block();
  const auto tile = cg::tiled_partition<Size>(block);
  const int i = static_cast<int>(threadIdx.x);
  int n = 0;
  const auto put = [&](auto value) { out[12 * i + n++] = static_cast<int>(value); };
  put(tile.thread_rank());
  put(tile.meta_group_rank());
  put(tile.meta_group_size());
  put(tile.shfl(10 * i, 1));
  put(tile.shfl_up(i, 1));
  put(tile.shfl_down(i, 2));
  put(tile.shfl_xor(i, Size / 2));
  put(tile.any(i == 5));
  put(tile.all(i < 6));
  put(tile.ballot(i % 2 == 1));
  put(tile.match_any(i % 2));
  int same = 0;
  put(tile.match_all(i / static_cast<int>(Size), same));
  tile.sync();
}

// A tile of a tile, a tile that is passed on as thread_block_tile<8>, and one whose size only the host knows.
__device__ int ranks(const cg::thread_block_tile<8>& tile) {
  return static_cast<int>(100 * tile.meta_group_size() + 10 * tile.meta_group_rank() + tile.thread_rank());
}
__device__ int sum_of(cg::thread_group group, int* scratch, int value) {
  const int rank = static_cast<int>(group.thread_rank());
  for (int half = static_cast<int>(group.size()) / 2; half > 0; half /= 2) {
    scratch[rank] = value;
    group.sync();
    if (rank < half) value += scratch[rank + half];
    group.sync();
  }
  return value;
}
__global__ void nested_kernel(unsigned size, int* out) {
  __shared__ int scratch[64];
  const cg::thread_block block = cg::this_thread_block();
  const int i = static_cast<int>(threadIdx.x);
  const auto warp = cg::tiled_partition<32>(block);
  const auto eight = cg::tiled_partition<8>(warp);
  out[5 * i] = ranks(eight);
  const cg::thread_group group = cg::tiled_partition(block, size);
  int* const own = scratch + i / static_cast<int>(size) * static_cast<int>(size);
  out[5 * i + 1] = sum_of(group, own, i);
  block.sync();
  out[5 * i + 2] = sum_of(block, scratch, 1);
  const cg::thread_group pair = cg::tiled_partition(group, 2);
  out[5 * i + 3] = static_cast<int>(10 * pair.size() + pair.thread_rank());
  const cg::thread_block_tile<1> alone = cg::this_thread();
  out[5 * i + 4] = static_cast<int>(alone.size() + alone.thread_rank()) + alone.shfl(i, 0);
}

// Any of them where the function does not ask which it is.
__global__ void converted_kernel(int* out) {
  __shared__ int scratch[64];
  const cg::thread_block block = cg::this_thread_block();
  const int i = static_cast<int>(threadIdx.x);
  const auto tile = cg::tiled_partition<16>(block);
  const cg::thread_block_tile<16> plain = tile;
  out[6 * i] = sum_of(tile, scratch + i / 16 * 16, i);
  out[6 * i + 1] = sum_of(plain, scratch + i / 16 * 16, 1);
  const cg::thread_group quad = cg::tiled_partition(tile, 4);
  out[6 * i + 2] = sum_of(quad, scratch + i / 4 * 4, i);
  out[6 * i + 3] = static_cast<int>(10 * quad.size() + quad.thread_rank());
  out[6 * i + 4] = sum_of(cg::this_thread(), scratch + i, i);
  block.sync();
  if (i % 2 == 0) {
    const cg::coalesced_group even = cg::coalesced_threads();
    out[6 * i + 5] = sum_of(even, scratch + i / 32 * 32, 1);
  }
}

__global__ void coalesced_kernel(int* out) {
  const int i = static_cast<int>(threadIdx.x);
  for (int n = 0; n < 12; ++n) out[12 * i + n] = -1;
  if (i % 3 == 1) {
    const cg::coalesced_group group = cg::coalesced_threads();
    int n = 0;
    const auto put = [&](auto value) { out[12 * i + n++] = static_cast<int>(value); };
    put(group.size());
    put(group.thread_rank());
    put(group.shfl(i, 2));
    put(group.shfl_up(i, 1));
    put(group.shfl_down(i, 1));
    put(group.ballot(i % 2 == 0));
    put(group.any(i == 4));
    put(group.all(i % 3 == 1));
    put(group.match_any(i % 2));
    put(cg::reduce(group, i, cg::plus<int>()));
    put(cg::inclusive_scan(group, i));
    put(cg::exclusive_scan(group, i));
    group.sync();
  }
}

__global__ void partitions_kernel(int* out) {
  const int i = static_cast<int>(threadIdx.x);
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  const cg::coalesced_group by_label = cg::labeled_partition(warp, i % 5),
                            odd = cg::binary_partition(warp, i % 2 == 1);
  const cg::coalesced_group pairs = cg::tiled_partition(by_label, 2);
  int* const mine = out + 8 * i;
  mine[0] = static_cast<int>(by_label.size());
  mine[1] = static_cast<int>(by_label.thread_rank());
  mine[2] = static_cast<int>(by_label.meta_group_rank() * 10 + by_label.meta_group_size());
  mine[3] = cg::reduce(by_label, i, cg::greater<int>());
  mine[4] = static_cast<int>(odd.meta_group_rank() * 10 + odd.meta_group_size());
  mine[5] = static_cast<int>(pairs.size());
  mine[6] = static_cast<int>(pairs.meta_group_rank());
  mine[7] = odd.shfl(i, 0);
}

__global__ void reduce_kernel(long long* out) {
  const int i = static_cast<int>(threadIdx.x);
  const auto tile = cg::tiled_partition<16>(cg::this_thread_block());
  const int rank = static_cast<int>(tile.thread_rank());
  int n = 0;
  const auto put = [&](auto value) { out[12 * i + n++] = static_cast<long long>(value); };
  put(cg::reduce(tile, i, cg::plus<int>()));
  put(cg::reduce(tile, i, cg::less<int>()));
  put(cg::reduce(tile, i, cg::greater<int>()));
  put(cg::reduce(tile, 1u << rank, cg::bit_or<unsigned>()));
  put(cg::reduce(tile, ~(1u << rank), cg::bit_and<unsigned>()));
  put(cg::reduce(tile, 1u << rank / 2, cg::bit_xor<unsigned>()));
  put(cg::reduce(tile, 0.25 * rank, cg::plus<double>()) * 4);
  put(cg::reduce(tile, i, [](int a, int b) { return a > b ? a : b; }));
  put(cg::inclusive_scan(tile, i + 1));
  put(cg::exclusive_scan(tile, i + 1));
  put(cg::inclusive_scan(tile, (i * 7) % 16, cg::greater<int>()));
  put(cg::exclusive_scan(tile, 1ll << rank, cg::bit_or<long long>()));
}

// 24 bytes, more than any shuffle of the hardware moves.
__global__ void large_value_kernel(double* out) {
  const int i = static_cast<int>(threadIdx.x);
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  const triple other = warp.shfl(triple{i, 0.5 * i, 2.0f * static_cast<float>(i)}, (i + 3) % 32);
  out[i] = other.a + other.b + static_cast<double>(other.c);
  const float4 vector = warp.shfl_xor(make_float4(1, static_cast<float>(i), 3, 4), 1u);
  out[i] += static_cast<double>(vector.y) + static_cast<double>(warp.shfl(make_float2(0, vector.w), 0).y);
  int called = 0;
  cg::invoke_one(warp, [&] { called = 1; });
  out[32 + i] = cg::reduce(warp, called, cg::plus<int>());
  out[64 + i] = cg::invoke_one_broadcast(warp, [] { return 17; });
}

template <class T>
__global__ void staged_kernel(const T* x, T* y, unsigned size) {
  extern __shared__ __align__(16) unsigned char raw[];
  T* const stage = reinterpret_cast<T*>(raw);
  const cg::thread_block block = cg::this_thread_block();
  cg::memcpy_async(block, stage, x, sizeof(T) * size);
  cg::wait(block);
  for (unsigned i = block.thread_rank(); i < size; i += block.size()) y[i] = stage[size - 1 - i];
}
__global__ void staged_tile_kernel(const int* x, int* y) {
  __shared__ int stage[2][64];
  const auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  const unsigned w = tile.meta_group_rank();
  cg::memcpy_async(tile, stage[w], 40, x + 64 * w, 64);
  cg::memcpy_async(tile, stage[w] + 40, x + 64 * w + 40, cuda::aligned_size_t<16>(24 * sizeof(int)));
  cg::wait_prior<0>(tile);
  for (unsigned i = tile.thread_rank(); i < 64; i += 32) y[64 * w + i] = stage[w][63 - i];
}

// Tiles of several warps.
template <unsigned Size>
__global__ void wide_kernel(int* out) {
  __shared__ cg::block_tile_memory<256> memory;
  __shared__ int values[256];
  const cg::thread_block block = cg::this_thread_block(memory);
  const auto tile = cg::tiled_partition<Size>(block);
  const int i = static_cast<int>(threadIdx.x), rank = static_cast<int>(tile.thread_rank());
  values[i] = i;
  tile.sync();
  int* const mine = out + 8 * i;
  mine[0] = values[i - rank + static_cast<int>(Size) - 1 - rank];
  mine[1] = static_cast<int>(10 * tile.meta_group_rank() + tile.meta_group_size());
  mine[2] = cg::reduce(tile, i, cg::plus<int>());
  mine[3] = 0;
  // A tile does not wait for the others.
  for (unsigned turn = 0; turn < tile.meta_group_rank(); ++turn)
    mine[3] += cg::reduce(tile, 1, cg::plus<int>());
  mine[4] = tile.shfl(i, 33);
  mine[5] = tile.any(i == 70) + 2 * tile.all(i < 128);
  mine[6] = static_cast<int>(4 * cg::reduce(tile, 0.25 * rank, cg::greater<double>()));
  block.sync();
  mine[7] = values[255 - i];
}

}  // namespace

TEST_CASE("thread_block and grid_group") {
  in_all_orders([] {
    device_array<unsigned> d_out(8 * 60 * 2);
    block_kernel<<<2, dim3(5, 4, 3)>>>(d_out.data());
    REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
    const auto out = d_out.to_host();
    for (unsigned b = 0; b < 2; ++b)
      for (unsigned i = 0; i < 60; ++i) {
        CAPTURE(i);
        const unsigned* const mine = &out[8 * (60 * b + i)];
        CHECK(mine[0] == 59 - i);
        CHECK(mine[1] == b);
        CHECK(mine[2] == i / 5 % 4);
        CHECK(mine[3] == 305);
        CHECK(mine[4] == 60 * b + i);
        CHECK(mine[5] == 120);
        CHECK(mine[6] == 120);
        CHECK(mine[7] == i);
      }
  });
}

template <int Size>
void check_tiles() {
  in_all_orders([] {
    device_array<int> d_out(12 * 64);
    tile_kernel<Size><<<1, 64>>>(d_out.data());
    REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
    const auto out = d_out.to_host();
    for (int i = 0; i < 64; ++i) {
      const int rank = i % Size, first = i - rank;
      const auto all_bits = static_cast<unsigned>((1ull << Size) - 1);
      const std::vector<int> expected{
          rank,
          i / Size,
          64 / Size,
          10 * (first + 1 % Size),
          rank >= 1 ? i - 1 : i,
          rank + 2 < Size ? i + 2 : i,
          i ^ (Size / 2),
          first <= 5 && 5 < first + Size,
          first + Size <= 6,
          static_cast<int>((first % 2 == 0 ? 0xaaaaaaaau : 0x55555555u) & all_bits),
          static_cast<int>((rank % 2 == 0 ? 0x55555555u : 0xaaaaaaaau) & all_bits),
          static_cast<int>(all_bits)};
      const std::vector<int> mine(out.begin() + 12 * i, out.begin() + 12 * (i + 1));
      CAPTURE(i);
      CHECK(mine == expected);
    }
  });
}

TEST_CASE("tiles of 1 to 32 threads") {
  check_tiles<1>();
  check_tiles<2>();
  check_tiles<4>();
  check_tiles<8>();
  check_tiles<16>();
  check_tiles<32>();
}

template <unsigned Size>
void check_wide_tiles() {
  in_all_orders([] {
    device_array<int> d_out(8 * 256);
    wide_kernel<Size><<<1, 256>>>(d_out.data());
    REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
    const auto out = d_out.to_host();
    constexpr int size = Size;
    for (int i = 0; i < 256; ++i) {
      CAPTURE(i);
      const int rank = i % size, first = i - rank;
      const std::vector<int> mine(out.begin() + 8 * i, out.begin() + 8 * (i + 1));
      const std::vector<int> expected{first + size - 1 - rank,
                                      10 * (i / size) + 256 / size,
                                      size * first + size * (size - 1) / 2,
                                      i / size * size,
                                      first + 33,
                                      (first <= 70 && 70 < first + size) + 2 * (first + size <= 128),
                                      size - 1,
                                      255 - i};
      CHECK(mine == expected);
    }
  });
}

TEST_CASE("tiles of several warps") {
  check_wide_tiles<64>();
  check_wide_tiles<128>();
  check_wide_tiles<256>();
}

TEST_CASE("tiles of tiles, and groups whose kind a function does not know") {
  in_all_orders([] {
    for (const int size : {2, 4, 16, 32}) {
      device_array<int> d_out(5 * 64);
      nested_kernel<<<1, 64>>>(static_cast<unsigned>(size), d_out.data());
      REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
      const auto out = d_out.to_host();
      for (int i = 0; i < 64; ++i) {
        CAPTURE(size);
        CAPTURE(i);
        CHECK(out[5 * i] == 400 + 10 * (i % 32 / 8) + i % 8);
        if (i % size == 0) CHECK(out[5 * i + 1] == size * i + size * (size - 1) / 2);
        if (i == 0) CHECK(out[2] == 64);
        CHECK(out[5 * i + 3] == 20 + i % 2);
        CHECK(out[5 * i + 4] == 1 + i);
      }
    }
  });
}

TEST_CASE("any group is a thread_group") {
  in_all_orders([] {
    device_array<int> d_out(6 * 64);
    converted_kernel<<<1, 64>>>(d_out.data());
    REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
    const auto out = d_out.to_host();
    for (int i = 0; i < 64; ++i) {
      CAPTURE(i);
      const int* const mine = &out[6 * i];
      if (i % 16 == 0) CHECK(mine[0] == 16 * i + 15 * 16 / 2);
      if (i % 16 == 0) CHECK(mine[1] == 16);
      if (i % 4 == 0) CHECK(mine[2] == 4 * i + 6);
      CHECK(mine[3] == 40 + i % 4);
      CHECK(mine[4] == i);
      if (i % 32 == 0) CHECK(mine[5] == 16);
    }
  });
}

TEST_CASE("the threads that are together") {
  in_all_orders([] {
    device_array<int> d_out(12 * 32);
    coalesced_kernel<<<1, 32>>>(d_out.data());
    REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
    const auto out = d_out.to_host();
    for (int i = 0; i < 32; ++i) {
      CAPTURE(i);
      const std::vector<int> mine(out.begin() + 12 * i, out.begin() + 12 * (i + 1));
      std::vector<int> expected(12, -1);
      if (i % 3 == 1) {  // 1, 4, 7, ..., 31: 11 threads
        const int rank = i / 3, sum = (rank + 1) * (1 + i) / 2;
        expected = {11,
                    rank,
                    7,
                    rank > 0 ? i - 3 : i,
                    rank < 10 ? i + 3 : i,
                    0b01010101010,
                    1,
                    1,
                    i % 2 == 0 ? 0b01010101010 : 0b10101010101,
                    176,
                    sum,
                    sum - i};
      }
      CHECK(mine == expected);
    }
  });
}

TEST_CASE("labeled and binary partitions") {
  in_all_orders([] {
    device_array<int> d_out(8 * 32);
    partitions_kernel<<<1, 32>>>(d_out.data());
    REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
    const auto out = d_out.to_host();
    for (int i = 0; i < 32; ++i) {
      CAPTURE(i);
      const int label = i % 5, count = label < 2 ? 7 : 6, rank = i / 5;
      const std::vector<int> mine(out.begin() + 8 * i, out.begin() + 8 * (i + 1));
      const std::vector<int> expected{count,          rank,
                                      label * 10 + 5, 5 * (count - 1) + label,
                                      i % 2 * 10 + 2, count == 7 && rank == 6 ? 1 : 2,
                                      rank / 2,       i % 2};
      CHECK(mine == expected);
    }
  });
}

TEST_CASE("reductions and scans of a tile") {
  in_all_orders([] {
    device_array<long long> d_out(12 * 32);
    reduce_kernel<<<1, 32>>>(d_out.data());
    REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
    const auto out = d_out.to_host();
    for (int i = 0; i < 32; ++i) {
      CAPTURE(i);
      const int first = i / 16 * 16, rank = i % 16;
      long long sum = 0;
      int most = 0;
      for (int k = first; k <= i; ++k) {
        sum += k + 1;
        most = k * 7 % 16 > most ? k * 7 % 16 : most;
      }
      const std::vector<long long> mine(out.begin() + 12 * i, out.begin() + 12 * (i + 1));
      const std::vector<long long> expected{
          16 * first + 120, first, first + 15,  0xffff, 0xffff0000ll,     0, 120,
          first + 15,       sum,   sum - i - 1, most,   (1ll << rank) - 1};
      CHECK(mine == expected);
    }
  });
}

TEST_CASE("values of 24 bytes; one thread for all") {
  in_all_orders([] {
    device_array<double> d_out(96);
    large_value_kernel<<<1, 32>>>(d_out.data());
    REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
    const auto out = d_out.to_host();
    for (int i = 0; i < 32; ++i) {
      CHECK(out[i] == 3.5 * ((i + 3) % 32) + (i ^ 1) + 4);
      CHECK(out[32 + i] == 1);
      CHECK(out[64 + i] == 17);
    }
  });
}

TEST_CASE("copies by a group") {
  const auto check = [](auto zero, unsigned size) {
    using T = decltype(zero);
    std::vector<T> x(size), expected(size);
    for (unsigned i = 0; i < size; ++i) expected[size - 1 - i] = x[i] = static_cast<T>(i * 3 + 1);
    device_array<T> d_x(x), d_y(size);
    staged_kernel<T><<<1, 50, sizeof(T) * size>>>(d_x.data(), d_y.data(), size);
    REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
    CHECK(d_y.to_host() == expected);
  };
  in_all_orders([&] {
    check(float{}, 256);
    check(float{}, 99);
    check(double{}, 77);
    check(static_cast<unsigned char>(0), 101);
    std::vector<int> x(128), expected(128);
    for (int i = 0; i < 128; ++i) expected[i / 64 * 64 + 63 - i % 64] = x[i] = i * i;
    device_array<int> d_x(x), d_y(128);
    staged_tile_kernel<<<1, 64>>>(d_x.data(), d_y.data());
    REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
    CHECK(d_y.to_host() == expected);
  });
}
