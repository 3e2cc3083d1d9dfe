// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Atomic functions: every type, every order, global and shared memory, and locks built from them.
#include <cuda/atomic>

#include "../emulator_test.hpp"

namespace {

using u32 = unsigned int;
using u64 = unsigned long long;

template <class T>
__global__ void add_kernel(T* sum, T value) {
  atomicAdd(sum, value);
}

__global__ void integer_kernel(u32* u, int* s, u64* l, long long* sl) {
  const u32 i = blockIdx.x * blockDim.x + threadIdx.x;
  const int v = static_cast<int>(i) - 100;
  atomicSub(&s[0], v);
  atomicMin(&s[1], v);
  atomicMax(&s[2], v);
  atomicAnd(&u[0], ~(1u << i % 8));
  atomicOr(&u[1], 1u << i % 16);
  atomicXor(&u[2], i);
  atomicInc(&u[3], 9);
  atomicDec(&u[4], 9);
  atomicMin(&u[5], i + 3);
  atomicMax(&u[6], i + 3);
  atomicSub(&u[7], 2u);
  atomicMin(&l[0], u64{i} << 33);
  atomicMax(&l[1], u64{i} << 33);
  atomicAnd(&l[2], ~(u64{1} << i % 64));
  atomicOr(&l[3], u64{1} << i % 40);
  atomicXor(&l[4], u64{i} << 32);
  atomicMin(&sl[0], static_cast<long long>(v) << 33);
  atomicMax(&sl[1], static_cast<long long>(v) << 33);
}

// Each value that was put in comes out exactly once.
template <class T>
__global__ void exchange_kernel(T* cell, int* times_seen) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const T old = atomicExch(cell, static_cast<T>(i + 1));
  atomicAdd(&times_seen[static_cast<int>(old)], 1);
}

__global__ void scopes_kernel(int* sums) {
  __shared__ int in_block;
  if (threadIdx.x == 0) in_block = 0;
  __syncthreads();
  atomicAdd_block(&in_block, 1);
  __syncthreads();
  if (threadIdx.x == 0) atomicAdd_system(&sums[0], in_block);
}

__device__ double add_by_cas(double* address, double value) {
  auto* bits = reinterpret_cast<u64*>(address);
  u64 old = *const_cast<volatile u64*>(bits), assumed;
  do {
    assumed = old;
    old = atomicCAS(bits, assumed,
                    static_cast<u64>(
                        __double_as_longlong(value + __longlong_as_double(static_cast<long long>(assumed)))));
  } while (old != assumed);
  return __longlong_as_double(static_cast<long long>(old));
}
__global__ void add_by_cas_kernel(double* sum) { add_by_cas(sum, 0.5); }

__global__ void short_cas_kernel(unsigned short* cell) {
  unsigned short old = 0, assumed;
  do {
    assumed = old;
    old = atomicCAS(cell, assumed, static_cast<unsigned short>(assumed + 1));
  } while (old != assumed);
}

// Every thread takes the lock once. One that does not get it must let the one that has it go on.
__global__ void lock_kernel(int* lock, volatile int* counter) {
  bool done = false;
  while (!done) {
    if (atomicCAS(lock, 0, 1) == 0) {
      *counter = *counter + 1;
      __threadfence();
      atomicExch(lock, 0);
      done = true;
    }
  }
}

template <class T>
void check_add(T value) {
  in_all_orders([&] {
    device_array<T> d_sum(1);
    add_kernel<<<5, 100>>>(d_sum.data(), value);
    REQUIRE(cudaGetLastError() == cudaSuccess);
    CHECK(d_sum.to_host()[0] == T(500) * value);
  });
}

/// Block by block, by a number that each one draws: data of the one before, once its flag says that it is
/// there.
__global__ void pass_on_kernel(u64* flags, u32* drawn, int* data, int* seen) {
  const u32 mine =
      cuda::atomic_ref<u32, cuda::thread_scope_device>(*drawn).fetch_add(1, cuda::memory_order_relaxed);
  data[mine] = 3 * static_cast<int>(mine);
  using flag = cuda::atomic_ref<u64, cuda::thread_scope_device>;
  flag(flags[mine]).store(mine + 1, cuda::memory_order_release);
  if (mine == 0) return;
  while (flag(flags[mine - 1]).load(cuda::memory_order_acquire) != mine) {
  }
  seen[mine] = data[mine - 1];
}

}  // namespace

TEST_CASE("atomicAdd for every type") {
  check_add<int>(-3);
  check_add<u32>(3000000000u);  // wraps
  check_add<u64>(u64{1} << 40);
  check_add<float>(0.25f);
  check_add<double>(1.0 / 1024);
}

TEST_CASE("integers: every operation") {
  constexpr int n = 4 * 70;
  in_all_orders([] {
    device_array<u32> d_u(std::vector<u32>{0xffffffffu, 0, 0, 0, 0, 1u << 31, 0, 1000});
    device_array<int> d_s(std::vector<int>{0, 0, 0});
    device_array<u64> d_l(std::vector<u64>{~0ull, 0, ~0ull, 0, 0});
    device_array<long long> d_sl(std::vector<long long>{0, 0});
    integer_kernel<<<4, 70>>>(d_u.data(), d_s.data(), d_l.data(), d_sl.data());
    REQUIRE(cudaGetLastError() == cudaSuccess);
    const auto u = d_u.to_host();
    const auto s = d_s.to_host();
    const auto l = d_l.to_host();
    const auto sl = d_sl.to_host();
    u32 all_bits = 0;
    for (u32 i = 0; i < n; ++i) all_bits ^= i;
    CHECK(s == std::vector<int>{-(n * (n - 1) / 2 - 100 * n), -100, n - 101});
    CHECK(u == std::vector<u32>{0xffffff00u, 0xffffu, all_bits, n % 10, 0, 3, n + 2, 1000 - 2 * n});
    CHECK(l == std::vector<u64>{0, u64{n - 1} << 33, 0, (u64{1} << 40) - 1, u64{all_bits} << 32});
    CHECK(sl == std::vector<long long>{-100ll << 33, (n - 101ll) << 33});
  });
}

TEST_CASE_TEMPLATE("atomicExch", T, int, u32, u64, float) {
  in_all_orders([] {
    device_array<T> d_cell(1);
    device_array<int> d_seen(301);
    exchange_kernel<<<3, 100>>>(d_cell.data(), d_seen.data());
    auto seen = d_seen.to_host();
    ++seen[static_cast<std::size_t>(d_cell.to_host()[0])];  // the last one is still in it
    CHECK(seen == std::vector<int>(301, 1));
  });
}

TEST_CASE("scopes, compare-and-swap, locks") {
  in_all_orders([] {
    device_array<int> d_sums(2);
    scopes_kernel<<<6, 50>>>(d_sums.data());
    CHECK(d_sums.to_host()[0] == 300);

    device_array<double> d_double(1);
    add_by_cas_kernel<<<6, 50>>>(d_double.data());
    CHECK(d_double.to_host()[0] == 150.0);

    device_array<unsigned short> d_short(2);
    short_cas_kernel<<<2, 50>>>(d_short.data());
    CHECK(d_short.to_host() == std::vector<unsigned short>{100, 0});
  });
  in_all_orders([] {
    device_array<int> d_lock(1), d_counter(1);
    lock_kernel<<<2, 40>>>(d_lock.data(), d_counter.data());
    REQUIRE(cudaGetLastError() == cudaSuccess);
    CHECK(d_counter.to_host()[0] == 80);
  });
}

TEST_CASE("cuda::atomic_ref: flags between blocks") {
  in_all_orders([] {
    device_array<u64> d_flags(8);
    device_array<u32> d_drawn(1);
    device_array<int> d_data(8), d_seen(8);
    pass_on_kernel<<<8, 1>>>(d_flags.data(), d_drawn.data(), d_data.data(), d_seen.data());
    REQUIRE(cudaGetLastError() == cudaSuccess);
    CHECK(d_seen.to_host() == std::vector<int>{0, 0, 3, 6, 9, 12, 15, 18});
  });
}
