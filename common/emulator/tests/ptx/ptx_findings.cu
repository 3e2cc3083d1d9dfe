// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Mistakes in inline PTX and with nvcuda::wmma. Each faulty kernel stands beside its repaired twin; the
// template argument is the mistake.
#include <cuda_fp16.h>
#include <mma.h>

#include "../findings.hpp"

#include "emulator/counts.hpp"

namespace {

using cuda_emulator::finding_kind;
using u32 = unsigned;

__device__ u32 shared_address(const void* pointer) {
  return static_cast<u32>(__cvta_generic_to_shared(pointer));
}

constexpr int beyond_line = __LINE__ + 4;
template <bool faulty>
__global__ void beyond_kernel(const float* x, float* y) {
  float4 v;
  asm volatile("ld.global.v4.f32 {%0, %1, %2, %3}, [%4];"
               : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w)
               : "l"(x + 4 * threadIdx.x + (faulty ? 4 : 0)));
  y[threadIdx.x] = v.x;
}
template <bool faulty>
__global__ void misaligned_kernel(const float* x, float* y) {
  float a, b;
  asm volatile("ld.global.v2.f32 {%0, %1}, [%2];" : "=f"(a), "=f"(b) : "l"(x + (faulty ? 1 : 2)));
  y[0] = a + b;
}

// The line of a finding is that of the instruction, not of the statement.
constexpr int race_line = __LINE__ + 6;
template <bool faulty>
__global__ void race_kernel(u32* y) {
  __shared__ u32 tile[64];
  u32 r;
  asm volatile(
      "st.shared.u32 [%0], 1;"
      "" ::"r"(shared_address(&tile[threadIdx.x]))
      : "memory");
  if (!faulty) asm volatile("bar.sync 0;" ::: "memory");
  asm volatile("ld.shared.u32 %0, [%1];" : "=r"(r) : "r"(shared_address(&tile[63 - threadIdx.x])) : "memory");
  y[threadIdx.x] = r;
}

// A pointer where an address of shared memory is wanted: its upper half is lost.
template <bool faulty>
__global__ void pointer_kernel(u32* y) {
  __shared__ u32 tile[32];
  const u32 address =
      faulty ? static_cast<u32>(reinterpret_cast<unsigned long long>(tile)) : shared_address(tile);
  asm volatile("st.shared.u32 [%0], 1;" ::"r"(address) : "memory");
  y[0] = tile[0];
}
template <bool faulty>
__global__ void space_kernel(u32* y) {
  __shared__ u32 tile[32];
  u32* const p = faulty ? tile : y + 1;
  asm volatile("st.global.u32 [%0], 1;" ::"l"(p) : "memory");
  y[0] = 1;
}
template <bool faulty>
__global__ void barrier_kernel(u32* y, int threads) {
  asm volatile("bar.sync 0, %0;" ::"r"(faulty ? 32 : threads) : "memory");
  y[threadIdx.x] = 1;
}

// cp.async: read before the wait, and with the wait before the wrong copy.
template <int groups_left, bool waits>
__global__ void early_kernel(const u32* x, u32* y) {
  __shared__ __align__(16) u32 tile[2][128];
  for (int k = 0; k < 2; ++k) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(shared_address(&tile[k][4 * threadIdx.x])),
                 "l"(x + 128 * k + 4 * threadIdx.x)
                 : "memory");
    asm volatile("cp.async.commit_group;");
  }
  if (waits) asm volatile("cp.async.wait_group %0;" ::"n"(groups_left) : "memory");
  __syncthreads();
  y[threadIdx.x] = tile[1][127 - threadIdx.x];
}
template <bool faulty>
__global__ void crooked_copy_kernel(const u32* x, u32* y) {
  __shared__ __align__(16) u32 tile[8];
  asm volatile("cp.async.ca.shared.global [%0], [%1], 8; cp.async.wait_all;" ::"r"(shared_address(&tile[0])),
               "l"(x + (faulty ? 1 : 2))
               : "memory");
  y[0] = tile[0];
}

// More bytes of the source than the target takes.
template <bool faulty>
__global__ void long_copy_kernel(const u32* x, u32* y) {
  __shared__ u32 tile[4];
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2; cp.async.wait_all;" ::"r"(shared_address(tile)),
               "l"(x), "r"(faulty ? 8 : 2)
               : "memory");
  y[0] = tile[0];
}
__constant__ u32 constant_word;
template <bool faulty>
__global__ void constant_kernel(const u32* x, u32* y) {
  u32 r;
  asm volatile("ld.const.u32 %0, [%1];" : "=r"(r) : "l"(faulty ? x : &constant_word));
  y[0] = r;
}
template <int pitch>
__global__ void stored_row_kernel(u32* y) {
  __shared__ __align__(16) u32 tile[8 * pitch];
  asm volatile("stmatrix.sync.aligned.m8n8.x1.shared.b16 [%0], {%1};" ::"r"(
                   shared_address(&tile[threadIdx.x % 8 * pitch])),
               "r"(threadIdx.x)
               : "memory");
  __syncwarp();
  y[threadIdx.x] = tile[threadIdx.x / 4 * pitch];
}

// ldmatrix: rows of 9 words, of which every other one is misaligned.
template <int pitch>
__global__ void row_kernel(u32* y) {
  __shared__ __align__(16) u32 tile[16 * pitch];
  for (unsigned k = threadIdx.x; k < 16 * pitch; k += 32) tile[k] = k;
  __syncwarp();
  u32 a, b;
  asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2];"
               : "=r"(a), "=r"(b)
               : "r"(shared_address(&tile[threadIdx.x % 16 * pitch])));
  y[threadIdx.x] = a + b;
}
// Its rows come from other lanes, and those have to have written them.
template <bool faulty>
__global__ void unwritten_rows_kernel(u32* y) {
  __shared__ __align__(16) u32 tile[32];
  if (!faulty || threadIdx.x < 16) tile[threadIdx.x] = threadIdx.x;
  __syncwarp();
  u32 a;
  asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];"
               : "=r"(a)
               : "r"(shared_address(&tile[threadIdx.x % 8 * 4])));
  y[threadIdx.x] = a;
}

template <bool faulty>
__global__ void missing_lane_kernel(float* y, int size) {
  if (faulty && static_cast<int>(threadIdx.x) >= size) return;
  float d[4] = {};
  asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%4}, {%4}, {%0,%1,%2,%3};"
               : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
               : "r"(0x3c003c00));
  if (static_cast<int>(threadIdx.x) < size) y[threadIdx.x] = d[0];
}
constexpr int branch_line = __LINE__ + 6;
template <bool faulty>
__global__ void branch_kernel(u32* y) {
  u32 d[2] = {0, 0}, a = threadIdx.x;
  if (threadIdx.x < 16 && faulty) {
    // clang-format off
    asm volatile("mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16 "
                 "{%0,%1}, {%2,%2}, {%2}, {%0,%1};" : "+r"(d[0]), "+r"(d[1]) : "r"(a));
    // clang-format on
  } else {
    asm volatile("mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16 {%0,%1}, {%2,%2}, {%2}, {%0,%1};"
                 : "+r"(d[0]), "+r"(d[1])
                 : "r"(a));
  }
  y[threadIdx.x] = d[0];
}

namespace wmma = nvcuda::wmma;
enum class fragment_fault { none, pointer_of_lane, crooked, pitch, lane };

// A chain of two products. Sums of one are factors of the next: only memory knows where each element goes.
enum class chain { stored, copied_to_a, copied_to_b, changed, filled };
template <chain way>
__global__ void chain_kernel(const __half* x, float* y) {
  __shared__ __align__(32) float sums[256];
  __shared__ __align__(32) __half levels[256];
  wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> a;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::row_major> b;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> c;
  wmma::fill_fragment(c, 0.0f);
  wmma::load_matrix_sync(a, x, 16);
  wmma::load_matrix_sync(b, x, 16);
  wmma::mma_sync(c, a, b, c);
  for (int e = 0; e < c.num_elements; ++e) c.x[e] = c.x[e] / 8 + 1;  // each element as the others: no layout
  if (way == chain::copied_to_a)
    for (int e = 0; e < c.num_elements; ++e) a.x[e] = __float2half(-rintf(c.x[e]));
  if (way == chain::copied_to_b)
    for (int e = 0; e < c.num_elements; ++e) b.x[e] = __float2half(fmaxf(c.x[e], 0));
  if (way == chain::changed)
    for (int e = 0; e < a.num_elements; ++e) a.x[e] = __hmul(a.x[e], __float2half(2));
  if (way == chain::filled)  // written by the program, and no sums
    for (int e = 0; e < a.num_elements; ++e) a.x[e] = __float2half(1);
  if (way == chain::stored) {
    wmma::store_matrix_sync(sums, c, 16, wmma::mem_row_major);
    __syncwarp();
    for (unsigned i = threadIdx.x; i < 256; i += 32) levels[i] = __float2half(sums[i]);
    __syncwarp();
    wmma::load_matrix_sync(a, levels, 16);
  }
  wmma::fill_fragment(c, 0.0f);
  wmma::mma_sync(c, a, b, c);
  wmma::store_matrix_sync(y, c, 16, wmma::mem_row_major);
}

template <fragment_fault fault>
__global__ void fragment_kernel(const __half* x, float* y) {
  if (fault == fragment_fault::lane && threadIdx.x == 31) return;
  wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> a;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::col_major> b;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> c;
  wmma::fill_fragment(c, 0.0f);
  const __half* from = x;
  if (fault == fragment_fault::pointer_of_lane) from += 16 * (threadIdx.x % 2);
  if (fault == fragment_fault::crooked) from += 8;
  wmma::load_matrix_sync(a, from, fault == fragment_fault::pitch ? 20 : 16);
  wmma::load_matrix_sync(b, x, 16);
  wmma::mma_sync(c, a, b, c);
  wmma::store_matrix_sync(y, c, 16, wmma::mem_row_major);
}

__global__ void counted_kernel(const float4* x, float* y) {
  __shared__ float4 tile[32];
  float4 v;
  asm volatile("ld.global.nc.v4.f32 {%0, %1, %2, %3}, [%4];"
               : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w)
               : "l"(x + threadIdx.x));
  asm volatile("st.shared.v4.f32 [%0], {%1, %2, %3, %4};" ::"r"(shared_address(&tile[threadIdx.x])), "f"(v.x),
               "f"(v.y), "f"(v.z), "f"(v.w)
               : "memory");
  __syncwarp();
  asm volatile("st.global.f32 [%0], %1;" ::"l"(y + threadIdx.x), "f"(tile[31 - threadIdx.x].x) : "memory");
}
__global__ void same_in_words_kernel(const float4* x, float* y) {
  __shared__ float4 tile[32];
  tile[threadIdx.x] = x[threadIdx.x];
  __syncwarp();
  y[threadIdx.x] = tile[31 - threadIdx.x].x;
}

}  // namespace

TEST_CASE("accesses of inline PTX are checked like those of C++") {
  device_array<float> d_x(std::vector<float>(128, 1.0f)), d_y(128);
  device_array<u32> d_n(64);
  check_found(
      finding_kind::out_of_bounds,
      {"access out of bounds in kernel beyond_kernel", at_line(__FILE__, beyond_line), "reads 16 bytes"},
      [&] { beyond_kernel<true><<<1, 32>>>(d_x.data(), d_y.data()); },
      [&] { beyond_kernel<false><<<1, 32>>>(d_x.data(), d_y.data()); });
  check_found(
      finding_kind::misaligned, {"misaligned access in kernel misaligned_kernel", "8 bytes"},
      [&] { misaligned_kernel<true><<<1, 1>>>(d_x.data(), d_y.data()); },
      [&] { misaligned_kernel<false><<<1, 1>>>(d_x.data(), d_y.data()); });
  check_found(
      finding_kind::race, {"race in kernel race_kernel", at_line(__FILE__, race_line), "tile["},
      [&] { race_kernel<true><<<1, 64>>>(d_n.data()); }, [&] { race_kernel<false><<<1, 64>>>(d_n.data()); });
  check_found(
      finding_kind::crash,
      {"an address that is not one of shared memory", "__cvta_generic_to_shared(pointer)"},
      [&] { pointer_kernel<true><<<1, 1>>>(d_n.data()); },
      [&] { pointer_kernel<false><<<1, 1>>>(d_n.data()); });
  check_found(
      finding_kind::crash, {"not one to global memory", "leave the space out"},
      [&] { space_kernel<true><<<1, 1>>>(d_n.data()); }, [&] { space_kernel<false><<<1, 1>>>(d_n.data()); });
  const u32 seven = 7;
  cudaMemcpyToSymbol(constant_word, &seven, sizeof seven);
  check_found(
      finding_kind::crash, {"a constant access by a pointer that is not one to constant memory"},
      [&] { constant_kernel<true><<<1, 1>>>(d_n.data(), d_n.data()); },
      [&] { constant_kernel<false><<<1, 1>>>(d_n.data(), d_n.data()); });
  check_found(
      finding_kind::crash, {"a barrier of PTX with a number of its own or for some threads", "bar.sync 0"},
      [&] { barrier_kernel<true><<<1, 64>>>(d_n.data(), 64); },
      [&] { barrier_kernel<false><<<1, 64>>>(d_n.data(), 64); });
}

TEST_CASE("asynchronous copies that are not waited for") {
  device_array<u32> d_x(std::vector<u32>(256, 1)), d_y(32);
  check_found(
      finding_kind::asynchronous_copy, {"early_kernel", "tile"},
      [&] { early_kernel<0, false><<<1, 32>>>(d_x.data(), d_y.data()); },
      [&] { early_kernel<0, true><<<1, 32>>>(d_x.data(), d_y.data()); });
  check_found(
      finding_kind::asynchronous_copy, {"early_kernel", "tile"},
      [&] { early_kernel<1, true><<<1, 32>>>(d_x.data(), d_y.data()); },
      [&] { early_kernel<0, true><<<1, 32>>>(d_x.data(), d_y.data()); });
  check_found(
      finding_kind::crash, {"a misaligned cp.async", "multiple of its size"},
      [&] { crooked_copy_kernel<true><<<1, 1>>>(d_x.data(), d_y.data()); },
      [&] { crooked_copy_kernel<false><<<1, 1>>>(d_x.data(), d_y.data()); });
  check_found(
      finding_kind::crash, {"cp.async from a source that is larger than the target", "at most the third"},
      [&] { long_copy_kernel<true><<<1, 1>>>(d_x.data(), d_y.data()); },
      [&] { long_copy_kernel<false><<<1, 1>>>(d_x.data(), d_y.data()); });
}

TEST_CASE("matrix instructions: rows, and all lanes of the warp") {
  device_array<u32> d_n(32);
  device_array<float> d_y(32);
  check_found(
      finding_kind::crash, {"a misaligned row of ldmatrix", "not a multiple of 8 elements"},
      [&] { row_kernel<9><<<1, 32>>>(d_n.data()); }, [&] { row_kernel<12><<<1, 32>>>(d_n.data()); });
  check_found(
      finding_kind::crash, {"a misaligned row of stmatrix"},
      [&] { stored_row_kernel<5><<<1, 32>>>(d_n.data()); },
      [&] { stored_row_kernel<4><<<1, 32>>>(d_n.data()); });
  check_found(
      finding_kind::uninitialized_read, {"unwritten_rows_kernel", "reads 16 bytes: tile[16]"},
      [&] { unwritten_rows_kernel<true><<<1, 32>>>(d_n.data()); },
      [&] { unwritten_rows_kernel<false><<<1, 32>>>(d_n.data()); });
  check_found(
      finding_kind::incomplete_warp,
      {"mma.sync without all lanes of the warp in kernel missing_lane_kernel", "lane 20",
       "has already returned", "12 of 32 lanes are missing", "guard the stores"},
      [&] { missing_lane_kernel<true><<<1, 32>>>(d_y.data(), 20); },
      [&] { missing_lane_kernel<false><<<1, 32>>>(d_y.data(), 20); });
  check_found(
      finding_kind::incomplete_warp, {"missing_lane_kernel", "The block has 16 threads"},
      [&] { missing_lane_kernel<false><<<1, 16>>>(d_y.data(), 16); },
      [&] { missing_lane_kernel<false><<<1, 32>>>(d_y.data(), 16); });
  check_found(
      finding_kind::incomplete_warp,
      {"branch_kernel", at_line(__FILE__, branch_line), "of the same warp is at"},
      [&] { branch_kernel<true><<<1, 32>>>(d_n.data()); },
      [&] { branch_kernel<false><<<1, 32>>>(d_n.data()); });
}

TEST_CASE("nvcuda::wmma: one matrix for the whole warp") {
  device_array<__half> d_x(std::vector<__half>(512, __half(1.0f)));
  device_array<float> d_y(256);
  using fault = fragment_fault;
  const auto check = [&](auto faulty, finding_kind kind, const std::vector<std::string>& words) {
    check_found(
        kind, words, [&] { faulty<<<1, 32>>>(d_x.data(), d_y.data()); },
        [&] { fragment_kernel<fault::none><<<1, 32>>>(d_x.data(), d_y.data()); });
  };
  check(fragment_kernel<fault::pointer_of_lane>, finding_kind::crash,
        {"wmma::load_matrix_sync() with arguments that differ from lane to lane"});
  check(fragment_kernel<fault::crooked>, finding_kind::crash, {"misaligned pointer", "multiple of 32 bytes"});
  check(fragment_kernel<fault::pitch>, finding_kind::crash, {"distance of rows", "multiple of 16 bytes"});
  check(fragment_kernel<fault::lane>, finding_kind::incomplete_warp,
        {"wmma::load_matrix_sync without all lanes"});
  CHECK(d_y.to_host() == std::vector<float>(256, 16.0f));
}

TEST_CASE("nvcuda::wmma: elements copied from a fragment of another layout") {
  std::vector<__half> x(256);
  for (int i = 0; i < 256; ++i) x[static_cast<std::size_t>(i)] = __half(float(i * 37 % 61 - 30) / 8);
  device_array<__half> d_x(x);
  device_array<float> d_y(256);
  const std::vector<std::string> words = {
      "wmma::mma_sync() with elements that were copied from a fragment of "
      "another layout in kernel chain_kernel",
      "store_matrix_sync()"};
  const auto check = [&](auto faulty, auto repaired) {
    check_found(
        finding_kind::crash, words, [&] { faulty<<<1, 32>>>(d_x.data(), d_y.data()); },
        [&] { repaired<<<1, 32>>>(d_x.data(), d_y.data()); });
  };
  check(chain_kernel<chain::copied_to_a>, chain_kernel<chain::stored>);
  check(chain_kernel<chain::copied_to_b>, chain_kernel<chain::changed>);
  check(chain_kernel<chain::copied_to_a>, chain_kernel<chain::filled>);
}

TEST_CASE("accesses of inline PTX are counted like those of C++") {
  device_array<float4> d_x(std::vector<float4>(32));
  device_array<float> d_y(32);
  const auto counts = [&](auto kernel) {
    cuda_emulator::begin_counting();
    kernel<<<1, 32>>>(d_x.data(), d_y.data());
    const cuda_emulator::kernel_counts c = cuda_emulator::end_counting().at(0);
    return std::vector<std::uint64_t>{
        c.global_loads,         c.global_load_bytes,      c.global_load_requests,  c.global_load_sectors,
        c.global_stores,        c.global_store_requests,  c.global_store_sectors,  c.shared_loads,
        c.shared_load_requests, c.shared_load_wavefronts, c.shared_store_requests, c.shared_store_wavefronts};
  };
  in_all_orders([&] {
    const auto ptx = counts(counted_kernel), words = counts(same_in_words_kernel);
    CHECK(ptx == words);
  });
}
