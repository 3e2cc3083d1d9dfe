// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Inline PTX that concerns memory and the lanes of a warp: accesses, atomics, copies, shuffles, votes,
// matrices; and nvcuda::wmma. What is expected holds on a GPU to the bit: all sums of matrices are of small
// whole numbers.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <mma.h>

#include <bit>
#include <cstring>

#include "../copies.hpp"
#include "../emulator_test.hpp"

namespace {

using u32 = unsigned;
using u64 = unsigned long long;

__device__ u32 shared_address(const void* pointer) {
  return static_cast<u32>(__cvta_generic_to_shared(pointer));
}

template <class Out, class In, class Kernel>
std::vector<Out> run(Kernel kernel, const std::vector<In>& in, std::size_t size, unsigned threads,
                     unsigned blocks = 1) {
  device_array<In> d_in(in);
  device_array<Out> d_out(std::vector<Out>(size, Out()));
  kernel<<<blocks, threads>>>(d_in.data(), d_out.data());
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  return d_out.to_host();
}

std::vector<u32> numbers(std::size_t n) {
  std::vector<u32> all(n);
  for (std::size_t i = 0; i < n; ++i) all[i] = static_cast<u32>(i * 2654435761u);
  return all;
}

__constant__ u32 table[4] = {11, 22, 33, 44};

__global__ void accesses_kernel(const u32* x, u32* y) {
  __shared__ __align__(16) u32 tile[64];
  const unsigned i = threadIdx.x;
  u32 a, b, c, d;
  asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(a) : "l"(x + i));
  asm volatile("ld.global.cg.u32 %0, [%1+4];" : "=r"(b) : "l"(x + i));
  asm volatile("st.shared.u32 [%0], %1;" ::"r"(shared_address(&tile[i])), "r"(a ^ b) : "memory");
  asm volatile("bar.sync 0;" ::: "memory");
  asm volatile("ld.shared.u32 %0, [%1];" : "=r"(c) : "r"(shared_address(&tile[31 - i])) : "memory");
  asm volatile("st.global.cs.u32 [%0], %1;" ::"l"(y + i), "r"(c) : "memory");
  // Generic addresses lead anywhere.
  asm volatile("ld.u32 %0, [%1];" : "=r"(d) : "l"(&tile[i]));
  asm volatile("st.wt.u32 [%0+128], %1;" ::"l"(y + i), "r"(d) : "memory");
  asm volatile("ld.const.u32 %0, [%1];" : "=r"(d) : "l"(__cvta_generic_to_constant(&table[i % 4])));
  y[64 + i] = d;
}

__global__ void vectors_kernel(const u32* x, u32* y) {
  __shared__ __align__(16) u32 tile[128];
  const unsigned i = threadIdx.x;
  u32 a, b, c, d;
  asm volatile("ld.global.nc.L1::no_allocate.L2::128B.v4.u32 {%0, %1, %2, %3}, [%4];"
               : "=r"(a), "=r"(b), "=r"(c), "=r"(d)
               : "l"(x + 4 * i));
  asm volatile("st.shared.v4.b32 [%0], {%1, %2, %3, %4};" ::"r"(shared_address(&tile[4 * i])), "r"(d), "r"(c),
               "r"(b), "r"(a)
               : "memory");
  __syncwarp();
  float f, g;
  asm volatile("ld.shared.v2.f32 {%0, %1}, [%2];"
               : "=f"(f), "=f"(g)
               : "r"(shared_address(&tile[126 - 2 * i]))
               : "memory");
  asm volatile("st.global.v2.f32 [%0], {%1, %2};" ::"l"(y + 2 * i), "f"(f), "f"(g) : "memory");
}

__global__ void narrow_kernel(const signed char* x, int* y) {
  const unsigned i = threadIdx.x;
  int s;
  u32 u;
  short h;
  asm volatile("ld.global.s8 %0, [%1];" : "=r"(s) : "l"(x + i));
  asm volatile("ld.global.u8 %0, [%1];" : "=r"(u) : "l"(x + i));
  asm volatile("ld.global.s16 %0, [%1];" : "=h"(h) : "l"(x + 2 * i));
  y[3 * i] = s;
  y[3 * i + 1] = static_cast<int>(u);
  y[3 * i + 2] = h;
  asm volatile("st.global.b8 [%0], %1;" ::"l"(reinterpret_cast<char*>(y) + 12 * i + 1), "r"(0x1277)
               : "memory");
}

__global__ void spaces_kernel(const u32* x, u32* y) {
  __shared__ u32 tile[1];
  u64 address;
  u32 is_shared, is_global;
  asm("cvta.to.shared.u64 %0, %1;" : "=l"(address) : "l"(tile));
  asm volatile("st.shared.u32 [%0], 5;" ::"l"(address) : "memory");
  asm("cvta.shared.u64 %0, %1;" : "=l"(address) : "l"(address));
  *reinterpret_cast<u32*>(address) += 1;
  asm("{ .reg .pred p; isspacep.shared p, %1; selp.u32 %0, 1, 0, p; }" : "=r"(is_shared) : "l"(address));
  asm("{ .reg .pred p; isspacep.global p, %1; selp.u32 %0, 1, 0, p; }" : "=r"(is_global) : "l"(x));
  y[0] = tile[0];
  y[1] = is_shared * 2 + is_global;
}

}  // namespace

TEST_CASE("loads and stores of all spaces and widths") {
  in_all_orders([] {
    const std::vector<u32> x = numbers(129);
    const auto out = run<u32>(accesses_kernel, x, 128, 32);
    for (u32 i = 0; i < 32; ++i) {
      CHECK(out[i] == (x[31 - i] ^ x[32 - i]));
      CHECK(out[32 + i] == (x[i] ^ x[i + 1]));
      CHECK(out[64 + i] == 11 * (i % 4 + 1));
    }
    const auto vectors = run<u32>(vectors_kernel, numbers(128), 64, 32);
    for (u32 i = 0; i < 64; ++i) {
      const u32 at = 126 - 2 * (i / 2) + i % 2;  // in the tile, in which each four are reversed
      CHECK(vectors[i] == x[at / 4 * 4 + 3 - at % 4]);
    }
    std::vector<signed char> bytes(64);
    for (int i = 0; i < 64; ++i) bytes[static_cast<std::size_t>(i)] = static_cast<signed char>(37 * i - 100);
    const auto narrow = run<int>(narrow_kernel, bytes, 96, 32);
    for (std::size_t i = 0; i < 32; ++i) {
      CHECK(narrow[3 * i] == static_cast<int>((static_cast<u32>(bytes[i]) & 0xffff00ffu) | 0x7700));
      CHECK(narrow[3 * i + 1] == static_cast<unsigned char>(bytes[i]));
      short both;
      std::memcpy(&both, &bytes[2 * i], 2);
      CHECK(narrow[3 * i + 2] == both);
    }
    CHECK(run<u32>(spaces_kernel, x, 2, 1) == std::vector<u32>{6, 3});
  });
}

namespace {

__global__ void atomics_kernel(const u32*, u32* y) {
  __shared__ u32 counts[2];
  if (threadIdx.x < 2) counts[threadIdx.x] = 0;
  __syncthreads();
  const u32 i = blockIdx.x * blockDim.x + threadIdx.x;
  u32 old;
  asm volatile("atom.shared.add.u32 %0, [%1], 1;" : "=r"(old) : "r"(shared_address(counts)) : "memory");
  asm volatile("red.shared.or.b32 [%0+4], %1;" ::"r"(shared_address(counts)), "r"(1u << old % 32) : "memory");
  __syncthreads();
  asm volatile("red.global.add.u32 [%0], %1;" ::"l"(y), "r"(counts[0]) : "memory");
  asm volatile("red.relaxed.gpu.global.max.s32 [%0], %1;" ::"l"(y + 1), "r"(static_cast<int>(i)) : "memory");
  asm volatile("red.and.b32 [%0], %1;" ::"l"(y + 2), "r"(counts[1]) : "memory");
  float one = 0.5f;
  asm volatile("red.global.add.f32 [%0], %1;" ::"l"(y + 3), "f"(one) : "memory");
  u64 wide;
  asm volatile("atom.global.add.u64 %0, [%1], %2;" : "=l"(wide) : "l"(y + 4), "l"(1ull << 20) : "memory");
  if (wide == ~0ull) y[0] = 0;  // never
  // As a loop around compare-and-swap.
  u32 seen = 0, assumed;
  do {
    assumed = seen;
    asm volatile("atom.acq_rel.gpu.global.cas.b32 %0, [%1], %2, %3;"
                 : "=r"(seen)
                 : "l"(y + 6), "r"(assumed), "r"(assumed + 3)
                 : "memory");
  } while (seen != assumed);
}

// Each block waits for the one with the ticket before its own: acquire and release hand the sum on.
__global__ void chain_kernel(u32* ticket, u32* y) {
  if (threadIdx.x != 0) return;
  u32* const value = y;
  u32* const flag = y + 64;
  const u32 number = atomicAdd(ticket, 1u);
  u32 sum = 1, ready = number == 0;
  while (ready == 0)
    asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(ready) : "l"(flag + number - 1) : "memory");
  if (number > 0) sum += value[number - 1];
  value[number] = sum;
  asm volatile("st.release.gpu.global.u32 [%0], %1;" ::"l"(flag + number), "r"(1) : "memory");
}

}  // namespace

TEST_CASE("atomics, acquire and release") {
  in_all_orders([] {
    std::vector<u32> start(7, 0);
    start[2] = ~0u;
    device_array<u32> d_y(start), d_ticket(1), d_chain(std::vector<u32>(128, 0));
    atomics_kernel<<<3, 64>>>(nullptr, d_y.data());
    REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
    const auto y = d_y.to_host();
    CHECK(y[0] == 3 * 64 * 64);
    CHECK(y[1] == 3 * 64 - 1);
    CHECK(y[2] == ~0u);
    CHECK(std::bit_cast<float>(y[3]) == 96.0f);
    CHECK((y[4] | u64{y[5]} << 32) == u64{192} << 20);
    CHECK(y[6] == 3 * 192);
    cudaMemset(d_ticket.data(), 0, sizeof(u32));
    chain_kernel<<<20, 32>>>(d_ticket.data(), d_chain.data());
    REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
    CHECK(d_chain.to_host()[19] == 20);
  });
}

namespace {

__global__ void lanes_kernel(const u32* x, u32* y) {
  const unsigned i = threadIdx.x;
  const u32 mine = x[i];
  u32 v[10], in_range;
  asm volatile("shfl.sync.idx.b32 %0, %1, 5, 31, 0xffffffff;" : "=r"(v[0]) : "r"(mine));
  asm volatile("shfl.sync.up.b32 %0, %1, 3, 0, -1;" : "=r"(v[1]) : "r"(mine));
  asm volatile("{ .reg .pred p; shfl.sync.down.b32 %0|p, %2, 9, 0x1f, 0xffffffff; selp.u32 %1, 1, 0, p; }"
               : "=r"(v[2]), "=r"(in_range)
               : "r"(mine));
  v[2] += in_range;
  asm volatile("shfl.sync.bfly.b32 %0, %1, %2, 0x1f, 0xffffffff;" : "=r"(v[3]) : "r"(mine), "r"(16));
  asm volatile("shfl.sync.down.b32 %0, %1, 1, 0x181f, 0xffffffff;"
               : "=r"(v[4])
               : "r"(mine));  // segments of 8
  asm volatile("{ .reg .pred p; setp.gt.u32 p, %1, 0x80000000; vote.sync.ballot.b32 %0, p, 0xffffffff; }"
               : "=r"(v[5])
               : "r"(mine));
  asm volatile(
      "{ .reg .pred p, q, r, s; setp.ne.u32 p, %1, 12345;\n"
      "vote.sync.all.pred q, p, 0xffffffff; vote.sync.any.pred r, !p, 0xffffffff;\n"
      "vote.sync.uni.pred s, p, 0xffffffff;\n"
      "selp.u32 %0, 1, 0, q; @r add.u32 %0, %0, 2; @s add.u32 %0, %0, 4; }"
      : "=r"(v[6])
      : "r"(mine));
  asm volatile("match.any.sync.b32 %0, %1, 0xffffffff;" : "=r"(v[7]) : "r"(i / 4));
  asm volatile("redux.sync.max.s32 %0, %1, 0xffffffff;" : "=r"(v[8]) : "r"(static_cast<int>(i) - 40));
  asm volatile("activemask.b32 %0; bar.warp.sync 0xffffffff;" : "=r"(v[9]));
  for (int k = 0; k < 10; ++k) y[10 * i + k] = v[k];
}

__global__ void votes_kernel(const u32* x, u32* y) {
  u32 count, all, any;
  asm volatile("{ .reg .pred p; setp.eq.u32 p, %1, 3; bar.red.popc.u32 %0, 0, p; }"
               : "=r"(count)
               : "r"(x[threadIdx.x]));
  asm volatile(
      "{ .reg .pred p, q; setp.lt.u32 p, %1, 9; barrier.red.and.pred q, 0, p; selp.u32 %0, 1, 0, q; }"
      : "=r"(all)
      : "r"(x[threadIdx.x]));
  asm volatile("{ .reg .pred p, q; setp.gt.u32 p, %1, 9; bar.red.or.pred q, 0, p; selp.u32 %0, 1, 0, q; }"
               : "=r"(any)
               : "r"(x[threadIdx.x]));
  y[threadIdx.x] = count * 4 + all * 2 + any;
}

}  // namespace

TEST_CASE("shuffles, votes, matches, reductions, barriers that vote") {
  in_all_orders([] {
    const std::vector<u32> x = numbers(32);
    const auto out = run<u32>(lanes_kernel, x, 320, 32);
    u32 ballot = 0;
    for (u32 i = 0; i < 32; ++i) ballot |= static_cast<u32>(x[i] > 0x80000000u) << i;
    for (u32 i = 0; i < 32; ++i) {
      CAPTURE(i);
      const u32* v = &out[10 * i];
      CHECK(v[0] == x[5]);
      CHECK(v[1] == x[i < 3 ? i : i - 3]);
      CHECK(v[2] == (i + 9 < 32 ? x[i + 9] + 1 : x[i]));
      CHECK(v[3] == x[i ^ 16]);
      CHECK(v[4] == x[i % 8 == 7 ? i : i + 1]);
      CHECK(v[5] == ballot);
      CHECK(v[6] == 5);
      CHECK(v[7] == 15u << i / 4 * 4);
      CHECK(v[8] == static_cast<u32>(-9));
      CHECK(v[9] == ~0u);
    }
    std::vector<u32> few(70, 3);
    few[7] = 8;
    CHECK(run<u32>(votes_kernel, few, 70, 70) == std::vector<u32>(70, 69 * 4 + 2));
  });
}

namespace {

// Two tiles under way: the ring of the tutorials.
__global__ void copies_kernel(const u32* x, u32* y) {
  __shared__ __align__(16) u32 tiles[2][128];
  const unsigned i = threadIdx.x;
  const auto stage = [&](unsigned tile) {
    asm volatile(
        "cp.async.cg.shared.global.L2::128B [%0], [%1], 16;" ::"r"(shared_address(&tiles[tile % 2][4 * i])),
        "l"(x + 128 * tile + 4 * i)
        : "memory");
    asm volatile("cp.async.commit_group;" ::: "memory");
  };
  stage(0);
  for (unsigned tile = 0; tile < 4; ++tile) {
    if (tile + 1 < 4) stage(tile + 1);
    if (tile + 1 < 4) {
      asm volatile("cp.async.wait_group %0;" ::"n"(1) : "memory");
    } else {
      asm volatile("cp.async.wait_all;" ::: "memory");
    }
    __syncthreads();
    for (unsigned k = 0; k < 4; ++k) y[128 * tile + 32 * k + i] = tiles[tile % 2][127 - 32 * k - i];
    __syncthreads();
  }
}

// The end of an array: what does not exist becomes zero.
__global__ void copy_end_kernel(const u32* x, u32* y) {
  __shared__ __align__(16) u32 tile[128];
  const int left = 98 - 4 * static_cast<int>(threadIdx.x), bytes = left >= 4 ? 16 : left > 0 ? 4 * left : 0;
  asm volatile("cp.async.ca.shared.global [%0], [%1], %2, %3;" ::"r"(shared_address(&tile[4 * threadIdx.x])),
               "l"(x + (bytes > 0 ? 4 * threadIdx.x : 0)), "n"(16), "r"(bytes)
               : "memory");
  asm volatile("cp.async.commit_group;\n\tcp.async.wait_group 0;" ::: "memory");
  __syncthreads();
  for (unsigned k = threadIdx.x; k < 128; k += 32) y[k] = tile[k];
}

}  // namespace

TEST_CASE("asynchronous copies land where they are waited for") {
  in_all_orders([] {
    const std::vector<u32> x = numbers(512);
    const auto out = run<u32>(copies_kernel, x, 512, 32);
    for (u32 i = 0; i < 512; ++i) CHECK(out[i] == x[i / 128 * 128 + 127 - i % 128]);
    const auto end = run<u32>(copy_end_kernel, std::vector<u32>(x.begin(), x.begin() + 98), 128, 32);
    for (u32 i = 0; i < 128; ++i) CHECK(end[i] == (i < 98 ? x[i] : 0));
  });
}

namespace {

// Eight rows of eight half numbers a matrix, with a pitch of 12 words.
template <int count, bool transposed>
__global__ void load_matrix_kernel(const u32* x, u32* y) {
  __shared__ __align__(16) u32 tile[32 * 12];
  const unsigned lane = threadIdx.x;
  for (unsigned k = lane; k < 32 * 12; k += 32) tile[k] = x[k];
  __syncwarp();
  const u32 row = shared_address(&tile[lane * 12]);
  u32 r[4] = {};
  if constexpr (count == 1 && !transposed)
    asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(r[0]) : "r"(row) : "memory");
  if constexpr (count == 2 && !transposed)
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2];"
                 : "=r"(r[0]), "=r"(r[1])
                 : "r"(row));
  if constexpr (count == 4 && !transposed)
    asm volatile("ldmatrix.sync.aligned.x4.m8n8.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                 : "r"(row));
  if constexpr (count == 4 && transposed)
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared::cta.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                 : "r"(row));
  for (int k = 0; k < 4; ++k) y[4 * lane + k] = r[k];
}

__global__ void store_matrix_kernel(const u32* x, u32* y) {
  __shared__ __align__(16) u32 tile[32 * 4];
  const unsigned lane = threadIdx.x;
  asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %2, %3, %4};" ::"r"(
                   shared_address(&tile[lane * 4])),
               "r"(x[lane]), "r"(x[32 + lane]), "r"(x[64 + lane]), "r"(x[96 + lane])
               : "memory");
  __syncwarp();
  for (unsigned k = lane; k < 128; k += 32) y[k] = tile[k];
}

}  // namespace

TEST_CASE("ldmatrix and stmatrix") {
  in_all_orders([] {
    const std::vector<u32> x = numbers(32 * 12);
    const auto half = [&](u32 row, u32 column) {
      return x[row * 12 + column / 2] >> 16 * (column % 2) & 0xffff;
    };
    const auto check = [&](const std::vector<u32>& out, u32 count, bool transposed) {
      for (u32 lane = 0; lane < 32; ++lane)
        for (u32 m = 0; m < 4; ++m) {
          const u32 row = 8 * m + lane / 4, column = 2 * (lane % 4);
          const u32 wanted = transposed
                                 ? half(8 * m + column, lane / 4) | half(8 * m + column + 1, lane / 4) << 16
                                 : half(row, column) | half(row, column + 1) << 16;
          CHECK(out[4 * lane + m] == (m < count ? wanted : 0));
        }
    };
    check(run<u32>(load_matrix_kernel<1, false>, x, 128, 32), 1, false);
    check(run<u32>(load_matrix_kernel<2, false>, x, 128, 32), 2, false);
    check(run<u32>(load_matrix_kernel<4, false>, x, 128, 32), 4, false);
    check(run<u32>(load_matrix_kernel<4, true>, x, 128, 32), 4, true);
    const auto stored = run<u32>(store_matrix_kernel, x, 128, 32);
    for (u32 k = 0; k < 128; ++k) {  // word k % 4 of row k / 4
      const u32 m = k / 32, lane = k % 32 / 4 * 4 + k % 4;
      CHECK(stored[k] == x[32 * m + lane]);
    }
  });
}

namespace {

// D = A B + C of 16 x 8, with A and B in memory as bits, by the layout of the PTX ISA written out for each
// shape.
enum class shape {
  f16_k8,
  f16_k16,
  f16_k16_to_f16,
  bf16_k16,
  tf32_k4,
  tf32_k8,
  s8_k16,
  s8_k32,
  us8_k32,
  f64_k4,
  s8_m8
};

template <class T>
__device__ u32 pack(const T* p, unsigned step) {  // as many as fit into 32 bits, `step` apart
  u32 r = 0;
  for (unsigned k = 0; k < 4 / sizeof(T); ++k) {
    u32 bits = 0;
    memcpy(&bits, p + k * step, sizeof(T));
    r |= bits << 8 * sizeof(T) * k;
  }
  return r;
}

template <shape s, int k, class A, class B>
__global__ void multiply_kernel(const A* a, const B* b, const float* c, float* d) {
  const unsigned g = threadIdx.x / 4, t = threadIdx.x % 4;
  constexpr unsigned each = 4 / sizeof(A);
  // a[row * k + column], b[row * 8 + column]
  const auto a_at = [&](unsigned row, unsigned chunk) {
    return pack(a + (g + 8 * row) * k + chunk * 4 * each + t * each, 1);
  };
  const auto b_at = [&](unsigned chunk) { return pack(b + (chunk * 4 * each + t * each) * 8 + g, 8); };
  const float* const from = c + g * 8 + 2 * t;
  float f0 = from[0], f1 = from[1], f2 = from[64], f3 = from[65];
  if constexpr (s == shape::f16_k8)
    asm volatile(
        "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5}, {%6}, {%0,%1,%2,%3};"
        : "+f"(f0), "+f"(f1), "+f"(f2), "+f"(f3)
        : "r"(a_at(0, 0)), "r"(a_at(1, 0)), "r"(b_at(0)));
#define MULTIPLY_4_2(ptx)                                                                          \
  asm volatile(ptx " {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"                        \
               : "+f"(f0), "+f"(f1), "+f"(f2), "+f"(f3)                                            \
               : "r"(a_at(0, 0)), "r"(a_at(1, 0)), "r"(a_at(0, 1)), "r"(a_at(1, 1)), "r"(b_at(0)), \
                 "r"(b_at(1)))
  if constexpr (s == shape::f16_k16) MULTIPLY_4_2("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32");
  if constexpr (s == shape::bf16_k16) MULTIPLY_4_2("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32");
  if constexpr (s == shape::tf32_k8) MULTIPLY_4_2("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32");
  if constexpr (s == shape::tf32_k4)
    asm volatile(
        "mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32 {%0,%1,%2,%3}, {%4,%5}, {%6}, {%0,%1,%2,%3};"
        : "+f"(f0), "+f"(f1), "+f"(f2), "+f"(f3)
        : "r"(a_at(0, 0)), "r"(a_at(1, 0)), "r"(b_at(0)));
  if constexpr (s == shape::f16_k16_to_f16) {
    u32 low = __half_as_ushort(__float2half(f0)) | static_cast<u32>(__half_as_ushort(__float2half(f1))) << 16,
        high = __half_as_ushort(__float2half(f2)) | static_cast<u32>(__half_as_ushort(__float2half(f3)))
                                                        << 16;
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%0,%1}, {%2,%3,%4,%5}, {%6,%7}, {%0,%1};"
                 : "+r"(low), "+r"(high)
                 : "r"(a_at(0, 0)), "r"(a_at(1, 0)), "r"(a_at(0, 1)), "r"(a_at(1, 1)), "r"(b_at(0)),
                   "r"(b_at(1)));
    f0 = __half2float(__ushort_as_half(static_cast<unsigned short>(low)));
    f1 = __half2float(__ushort_as_half(static_cast<unsigned short>(low >> 16)));
    f2 = __half2float(__ushort_as_half(static_cast<unsigned short>(high)));
    f3 = __half2float(__ushort_as_half(static_cast<unsigned short>(high >> 16)));
  }
  int i0 = static_cast<int>(f0), i1 = static_cast<int>(f1), i2 = static_cast<int>(f2),
      i3 = static_cast<int>(f3);
  if constexpr (s == shape::s8_k16)
    asm volatile(
        "mma.sync.aligned.m16n8k16.row.col.s32.s8.s8.s32 {%0,%1,%2,%3}, {%4,%5}, {%6}, {%0,%1,%2,%3};"
        : "+r"(i0), "+r"(i1), "+r"(i2), "+r"(i3)
        : "r"(a_at(0, 0)), "r"(a_at(1, 0)), "r"(b_at(0)));
#define MULTIPLY_BYTES(ptx)                                                                        \
  asm volatile(ptx " {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"                        \
               : "+r"(i0), "+r"(i1), "+r"(i2), "+r"(i3)                                            \
               : "r"(a_at(0, 0)), "r"(a_at(1, 0)), "r"(a_at(0, 1)), "r"(a_at(1, 1)), "r"(b_at(0)), \
                 "r"(b_at(1)))
  if constexpr (s == shape::s8_k32) MULTIPLY_BYTES("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32");
  if constexpr (s == shape::us8_k32)
    MULTIPLY_BYTES("mma.sync.aligned.m16n8k32.row.col.satfinite.s32.u8.s8.s32");
  if constexpr (sizeof(A) == 1) {
    f0 = static_cast<float>(i0);
    f1 = static_cast<float>(i1);
    f2 = static_cast<float>(i2);
    f3 = static_cast<float>(i3);
  }
  float* const to = d + g * 8 + 2 * t;
  to[0] = f0;
  to[1] = f1;
  to[64] = f2;
  to[65] = f3;
}

__global__ void multiply_doubles_kernel(const double* a, const double* b, double* d) {
  const unsigned g = threadIdx.x / 4, t = threadIdx.x % 4;
  double d0 = 1, d1 = 2;
  asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1}, {%2}, {%3}, {%0,%1};"
               : "+d"(d0), "+d"(d1)
               : "d"(a[g * 4 + t]), "d"(b[t * 8 + g]));
  d[g * 8 + 2 * t] = d0;
  d[g * 8 + 2 * t + 1] = d1;
}

/// a is 16 x k, b is k x 8, d is 16 x 8, rows one after the other; d = a b + 1.
template <int k>
__global__ void multiply_more_doubles_kernel(const double* a, const double* b, double* d) {
  const unsigned g = threadIdx.x / 4, t = threadIdx.x % 4;
  double own_a[k / 2], own_b[k / 4], s[4] = {1, 1, 1, 1};
  for (unsigned i = 0; i < k / 2; ++i) own_a[i] = a[(g + i % 2 * 8) * k + i / 2 * 4 + t];
  for (unsigned i = 0; i < k / 4; ++i) own_b[i] = b[(i * 4 + t) * 8 + g];
  if constexpr (k == 4)
    asm volatile(
        "mma.sync.aligned.m16n8k4.row.col.f64.f64.f64.f64 {%0,%1,%2,%3}, {%4,%5}, {%6}, {%0,%1,%2,%3};"
        : "+d"(s[0]), "+d"(s[1]), "+d"(s[2]), "+d"(s[3])
        : "d"(own_a[0]), "d"(own_a[1]), "d"(own_b[0]));
  if constexpr (k == 8)
    asm volatile(
        "mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64 {%0,%1,%2,%3}, {%4,%5,%6,%7}, "
        "{%8,%9}, {%0,%1,%2,%3};"
        : "+d"(s[0]), "+d"(s[1]), "+d"(s[2]), "+d"(s[3])
        : "d"(own_a[0]), "d"(own_a[1]), "d"(own_a[2]), "d"(own_a[3]), "d"(own_b[0]), "d"(own_b[1]));
  if constexpr (k == 16)
    asm volatile(
        "mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64 {%0,%1,%2,%3}, {%4,%5,%6,%7,%8,%9,%10,%11}, "
        "{%12,%13,%14,%15}, {%0,%1,%2,%3};"
        : "+d"(s[0]), "+d"(s[1]), "+d"(s[2]), "+d"(s[3])
        : "d"(own_a[0]), "d"(own_a[1]), "d"(own_a[2]), "d"(own_a[3]), "d"(own_a[4]), "d"(own_a[5]),
          "d"(own_a[6]), "d"(own_a[7]), "d"(own_b[0]), "d"(own_b[1]), "d"(own_b[2]), "d"(own_b[3]));
  for (unsigned i = 0; i < 4; ++i) d[(g + i / 2 * 8) * 8 + 2 * t + i % 2] = s[i];
}

template <int k>
void check_product_of_doubles() {
  CAPTURE(k);
  std::vector<double> a(16 * k), b(k * 8);
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = static_cast<double>(i * 7 % 23) - 11;
  for (std::size_t i = 0; i < b.size(); ++i) b[i] = static_cast<double>(i * 5 % 19) - 9;
  device_array<double> d_a(a), d_b(b), d_d(128);
  multiply_more_doubles_kernel<k><<<1, 32>>>(d_a.data(), d_b.data(), d_d.data());
  const auto d = d_d.to_host();
  for (std::size_t row = 0; row < 16; ++row)
    for (std::size_t column = 0; column < 8; ++column) {
      double sum = 1;
      for (std::size_t i = 0; i < k; ++i) sum += a[row * k + i] * b[i * 8 + column];
      CHECK(d[row * 8 + column] == sum);
    }
}

template <shape s, int k, class A, class B, class MakeA, class MakeB>
void check_product(const char* name, MakeA make_a, MakeB make_b) {
  CAPTURE(name);
  std::vector<A> a(16 * k);
  std::vector<B> b(k * 8);
  std::vector<float> c(128), wanted(128);
  // Small whole numbers: every sum fits, also into half numbers.
  for (int i = 0; i < 16 * k; ++i) a[static_cast<std::size_t>(i)] = make_a((i * 7 + i / 13) % 11 - 5);
  for (int i = 0; i < k * 8; ++i) b[static_cast<std::size_t>(i)] = make_b((i * 5 + i / 7) % 9 - 4);
  for (int i = 0; i < 128; ++i) c[static_cast<std::size_t>(i)] = static_cast<float>(i % 17 - 8);
  for (int row = 0; row < 16; ++row)
    for (int column = 0; column < 8; ++column) {
      float sum = c[static_cast<std::size_t>(row * 8 + column)];
      for (int i = 0; i < k; ++i)
        sum += static_cast<float>(a[static_cast<std::size_t>(row * k + i)]) *
               static_cast<float>(b[static_cast<std::size_t>(i * 8 + column)]);
      wanted[static_cast<std::size_t>(row * 8 + column)] = sum;
    }
  device_array<A> d_a(a);
  device_array<B> d_b(b);
  device_array<float> d_c(c), d_d(128);
  multiply_kernel<s, k><<<1, 32>>>(d_a.data(), d_b.data(), d_c.data(), d_d.data());
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(d_d.to_host() == wanted);
}

}  // namespace

TEST_CASE("mma.sync: every element of every shape") {
  in_all_orders([] {
    const auto half = [](int n) { return __float2half(static_cast<float>(n)); };
    const auto brain = [](int n) { return __float2bfloat16(static_cast<float>(n)); };
    const auto single = [](int n) { return static_cast<float>(n); };
    const auto byte = [](int n) { return static_cast<signed char>(20 * n); };
    const auto without_sign = [](int n) { return static_cast<unsigned char>(20 * n + 120); };
    check_product<shape::f16_k8, 8, __half, __half>("m16n8k8 f16", half, half);
    check_product<shape::f16_k16, 16, __half, __half>("m16n8k16 f16", half, half);
    check_product<shape::f16_k16_to_f16, 16, __half, __half>("m16n8k16 f16 to f16", half, half);
    check_product<shape::bf16_k16, 16, __nv_bfloat16, __nv_bfloat16>("m16n8k16 bf16", brain, brain);
    check_product<shape::tf32_k4, 4, float, float>("m16n8k4 tf32", single, single);
    check_product<shape::tf32_k8, 8, float, float>("m16n8k8 tf32", single, single);
    check_product<shape::s8_k16, 16, signed char, signed char>("m16n8k16 s8", byte, byte);
    check_product<shape::s8_k32, 32, signed char, signed char>("m16n8k32 s8", byte, byte);
    check_product<shape::us8_k32, 32, unsigned char, signed char>("m16n8k32 u8 s8", without_sign, byte);
    std::vector<double> a(32), b(32);
    for (int i = 0; i < 32; ++i)
      a[static_cast<std::size_t>(i)] = i % 7 - 3, b[static_cast<std::size_t>(i)] = i % 5;
    device_array<double> d_a(a), d_b(b), d_d(64);
    multiply_doubles_kernel<<<1, 32>>>(d_a.data(), d_b.data(), d_d.data());
    const auto d = d_d.to_host();
    for (std::size_t row = 0; row < 8; ++row)
      for (std::size_t column = 0; column < 8; ++column) {
        double sum = column % 2 == 0 ? 1 : 2;
        for (std::size_t i = 0; i < 4; ++i) sum += a[row * 4 + i] * b[i * 8 + column];
        CHECK(d[row * 8 + column] == sum);
      }
    check_product_of_doubles<4>();
    check_product_of_doubles<8>();
    check_product_of_doubles<16>();
  });
}

namespace {

namespace wmma = nvcuda::wmma;

template <int m, int n, int k, class T, class Stored, class LayoutA, class LayoutB, class Sum>
__global__ void fragments_kernel(const Stored* a, const Stored* b, const Sum* c, Sum* d) {
  wmma::fragment<wmma::matrix_a, m, n, k, T, LayoutA> of_a;
  wmma::fragment<wmma::matrix_b, m, n, k, T, LayoutB> of_b;
  wmma::fragment<wmma::accumulator, m, n, k, Sum> of_c, of_d;
  wmma::fill_fragment(of_d, Sum(1));
  wmma::load_matrix_sync(of_a, a, std::is_same_v<LayoutA, wmma::row_major> ? k : m);
  wmma::load_matrix_sync(of_b, b, std::is_same_v<LayoutB, wmma::row_major> ? n : k);
  wmma::load_matrix_sync(of_c, c, m, wmma::mem_col_major);
  if constexpr (std::is_same_v<T, wmma::precision::tf32>)
    for (int e = 0; e < of_a.num_elements; ++e) of_a.x[e] = wmma::__float_to_tf32(of_a.x[e]);
  wmma::mma_sync(of_d, of_a, of_b, of_d);
  for (int e = 0; e < of_c.num_elements; ++e) of_d.x[e] = of_d.x[e] + of_c.x[e] + of_c.x[e];
  wmma::store_matrix_sync(d, of_d, n, wmma::mem_row_major);
}

template <int m, int n, int k, class T, class Stored, class LayoutA, class LayoutB, class Sum, class Make>
void check_fragments(const char* name, Make make) {
  CAPTURE(name);
  constexpr bool a_rows = std::is_same_v<LayoutA, wmma::row_major>,
                 b_rows = std::is_same_v<LayoutB, wmma::row_major>;
  std::vector<Stored> a(m * k), b(k * n);
  std::vector<Sum> c(m * n);
  for (int i = 0; i < m * k; ++i) a[static_cast<std::size_t>(i)] = make((i * 7 + i / 13) % 11 - 5);
  for (int i = 0; i < k * n; ++i) b[static_cast<std::size_t>(i)] = make((i * 5 + i / 7) % 9 - 4);
  for (int i = 0; i < m * n; ++i) c[static_cast<std::size_t>(i)] = Sum(static_cast<float>(i % 17 - 8));
  device_array<Stored> d_a(a), d_b(b);
  device_array<Sum> d_c(c), d_d(m * n);
  fragments_kernel<m, n, k, T, Stored, LayoutA, LayoutB, Sum>
      <<<1, 32>>>(d_a.data(), d_b.data(), d_c.data(), d_d.data());
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  const auto d = d_d.to_host();
  int wrong = 0;
  for (int row = 0; row < m; ++row)
    for (int column = 0; column < n; ++column) {
      float sum = 1 + 2 * static_cast<float>(c[static_cast<std::size_t>(column * m + row)]);
      for (int i = 0; i < k; ++i)
        sum += static_cast<float>(a[static_cast<std::size_t>(a_rows ? row * k + i : i * m + row)]) *
               static_cast<float>(b[static_cast<std::size_t>(b_rows ? i * n + column : column * k + i)]);
      wrong += static_cast<float>(d[static_cast<std::size_t>(row * n + column)]) != sum;
    }
  CHECK(wrong == 0);
}

}  // namespace

TEST_CASE("nvcuda::wmma: shapes, layouts, types") {
  const auto half = [](int n) { return __float2half(static_cast<float>(n)); };
  const auto brain = [](int n) { return __float2bfloat16(static_cast<float>(n)); };
  const auto single = [](int n) { return static_cast<float>(n); };
  const auto byte = [](int n) { return static_cast<signed char>(20 * n); };
  using wmma::col_major;
  using wmma::row_major;
  in_all_orders([&] {
    check_fragments<16, 16, 16, __half, __half, row_major, col_major, float>("half", half);
    check_fragments<16, 16, 16, __half, __half, col_major, row_major, __half>("half to half", half);
    check_fragments<32, 8, 16, __half, __half, row_major, row_major, float>("32x8x16", half);
    check_fragments<8, 32, 16, __half, __half, col_major, col_major, float>("8x32x16", half);
    check_fragments<16, 16, 16, __nv_bfloat16, __nv_bfloat16, row_major, row_major, float>("bfloat16", brain);
    check_fragments<16, 16, 8, wmma::precision::tf32, float, row_major, col_major, float>("tf32", single);
    check_fragments<16, 16, 16, signed char, signed char, row_major, col_major, int>("8 bits", byte);
  });
}
