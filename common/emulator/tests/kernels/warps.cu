// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// What the 32 lanes of a warp do together: shuffles, votes, matches, sums, and masks that name only some of
// them.
#include <cstdint>

#include "../findings.hpp"

namespace {

constexpr unsigned everybody = 0xffffffffu;

// One launch of one warp gives one value per lane.
template <class T, class Work>
__global__ void lanes_kernel(Work work, T* out) {
  out[threadIdx.x] = work(static_cast<int>(threadIdx.x));
}

template <class T, class Work, class Expected>
void check_lanes(Work work, Expected expected, int lanes = 32) {
  in_all_orders([&] {
    device_array<T> d_out(static_cast<std::size_t>(lanes));
    lanes_kernel<<<1, lanes>>>(work, d_out.data());
    REQUIRE(cudaGetLastError() == cudaSuccess);
    const std::vector<T> out = d_out.to_host();
    for (int lane = 0; lane < lanes; ++lane) {
      CAPTURE(lane);
      CHECK(out[static_cast<std::size_t>(lane)] == expected(lane));
    }
  });
}

struct shuffle_all {
  __device__ int operator()(int lane) const { return __shfl_sync(everybody, lane * 10, (lane + 5) % 32); }
};
struct shuffle_in_eights {
  __device__ int operator()(int lane) const { return __shfl_sync(everybody, lane, 11, 8); }  // 11 modulo 8
};
struct shuffle_up {
  __device__ float operator()(int lane) const { return __shfl_up_sync(everybody, lane + 0.5f, 3); }
};
struct shuffle_up_in_halves {
  __device__ int operator()(int lane) const { return __shfl_up_sync(everybody, lane, 1, 16); }
};
struct shuffle_down {
  __device__ double operator()(int lane) const { return __shfl_down_sync(everybody, lane * 0.25, 30); }
};
struct shuffle_xor {
  __device__ std::uint64_t operator()(int lane) const {
    return __shfl_xor_sync(everybody, static_cast<unsigned long long>(lane) << 40, 17);
  }
};
struct shuffle_small {
  __device__ int operator()(int lane) const {
    return __shfl_sync(everybody, static_cast<signed char>(-lane), 4);
  }
};
struct ballots {
  __device__ unsigned operator()(int lane) const { return __ballot_sync(everybody, lane % 3 == 0); }
};
struct votes {
  __device__ int operator()(int lane) const {
    return __all_sync(everybody, lane < 32) + 2 * __all_sync(everybody, lane < 31) +
           4 * __any_sync(everybody, lane == 9) + 8 * __any_sync(everybody, lane > 40);
  }
};
struct matches {
  __device__ unsigned operator()(int lane) const { return __match_any_sync(everybody, lane % 4); }
};
struct match_of_all {
  __device__ int operator()(int lane) const {
    int same = -1, different = -1;
    const unsigned a = __match_all_sync(everybody, 2.5f, &same),
                   b = __match_all_sync(everybody, lane / 31, &different);
    return (a == everybody) + 2 * (b == 0) + 4 * same + 8 * different;
  }
};
struct reductions {
  __device__ int operator()(int lane) const {
    const int add = __reduce_add_sync(everybody, lane - 40), low = __reduce_min_sync(everybody, lane - 7);
    const int high = __reduce_max_sync(everybody, lane - 40);
    const unsigned bits = 1u << lane;
    const bool right =
        add == 496 - 32 * 40 && low == -7 && high == -9 && __reduce_or_sync(everybody, bits) == everybody &&
        __reduce_and_sync(everybody, ~bits) == 0 && __reduce_xor_sync(everybody, bits) == everybody &&
        __reduce_min_sync(everybody, bits) == 1 && __reduce_max_sync(everybody, bits) == 1u << 31 &&
        __reduce_add_sync(everybody, bits) == everybody;
    return right;
  }
};
// Lanes 0..15 and 16..31 go their own ways, and each half calls with a mask of its own.
struct halves {
  __device__ int operator()(int lane) const {
    const unsigned mask = lane < 16 ? 0x0000ffffu : 0xffff0000u;
    int sum = lane;
    if (lane < 16) {
      for (int distance = 8; distance > 0; distance /= 2) sum += __shfl_xor_sync(mask, sum, distance);
    } else {
      for (int distance = 8; distance > 0; distance /= 2) sum += 1000 + __shfl_xor_sync(mask, sum, distance);
    }
    return sum;
  }
};
struct converged_odd_lanes {
  __device__ unsigned operator()(int lane) const {
    if (lane % 2 == 0) return 0;
    const unsigned mask = __activemask();
    return __ballot_sync(mask, lane > 20);
  }
};
struct last_warp_of_20 {
  __device__ int operator()(int lane) const { return __reduce_add_sync(0xfffffu, lane); }
};
__global__ void exits_early_kernel(int* out) {
  const int lane = static_cast<int>(threadIdx.x);
  if (lane >= 10) {
    out[lane] = -1;
    return;  // who has exited is not waited for
  }
  out[lane] = __reduce_add_sync(everybody, lane);
}

// Lanes hand a value around through shared memory; only __syncwarp orders them.
__global__ void around_kernel(int steps, int* out) {
  __shared__ int ring[64];
  const int lane = static_cast<int>(threadIdx.x % 32), warp = static_cast<int>(threadIdx.x / 32);
  int value = lane;
  for (int i = 0; i < steps; ++i) {
    ring[warp * 32 + lane] = value;
    __syncwarp();
    value = ring[warp * 32 + (lane + 1) % 32];
    __syncwarp();
  }
  out[threadIdx.x] = value;
}

__global__ void block_sum_kernel(const int* x, int* out) {
  __shared__ int sums[32];
  int sum = x[threadIdx.x];
  for (int distance = 16; distance > 0; distance /= 2) sum += __shfl_down_sync(everybody, sum, distance);
  if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x < 32) {
    sum = threadIdx.x < blockDim.x / 32 ? sums[threadIdx.x] : 0;
    for (int distance = 16; distance > 0; distance /= 2) sum += __shfl_down_sync(everybody, sum, distance);
    if (threadIdx.x == 0) *out = sum;
  }
}

// Lanes 16..31 have left when the others shuffle: 8..15 ask them.
__global__ void ask_the_gone_kernel(float* y) {
  const int lane = static_cast<int>(threadIdx.x);
  y[lane] = 0;
  if (lane >= 16) return;
  y[lane] = __shfl_down_sync(everybody, 1.0f, 8);
}

}  // namespace

TEST_CASE("shuffles") {
  check_lanes<int>(shuffle_all{}, [](int lane) { return (lane + 5) % 32 * 10; });
  check_lanes<int>(shuffle_in_eights{}, [](int lane) { return lane / 8 * 8 + 3; });
  check_lanes<float>(shuffle_up{}, [](int lane) { return (lane < 3 ? lane : lane - 3) + 0.5f; });
  check_lanes<int>(shuffle_up_in_halves{}, [](int lane) { return lane % 16 == 0 ? lane : lane - 1; });
  check_lanes<double>(shuffle_down{}, [](int lane) { return (lane < 2 ? lane + 30 : lane) * 0.25; });
  check_lanes<std::uint64_t>(shuffle_xor{},
                             [](int lane) { return static_cast<std::uint64_t>(lane ^ 17) << 40; });
  check_lanes<int>(shuffle_small{}, [](int) { return -4; });
}

TEST_CASE("votes, matches and reductions") {
  check_lanes<unsigned>(ballots{}, [](int) { return 0x49249249u; });
  check_lanes<int>(votes{}, [](int) { return 5; });
  check_lanes<unsigned>(matches{}, [](int lane) { return 0x11111111u << lane % 4; });
  check_lanes<int>(match_of_all{}, [](int) { return 1 + 2 + 4; });
  check_lanes<int>(reductions{}, [](int) { return 1; });
}

TEST_CASE("a lane that has returned gives nothing that could be mistaken for a value") {
  in_all_orders([&] {
    device_array<float> d_y(32);
    const auto found = finding_of([&] { ask_the_gone_kernel<<<1, 32>>>(d_y.data()); });
    REQUIRE(found.has_value());
    CHECK(found->kind() == cuda_emulator::finding_kind::absent_lane);
    const std::vector<float> y = d_y.to_host();
    for (int lane = 0; lane < 8; ++lane) CHECK(y[lane] == 1.0f);
    for (int lane = 8; lane < 16; ++lane) CHECK(y[lane] != y[lane]);
  });
}

TEST_CASE("masks that name some lanes") {
  check_lanes<int>(halves{}, [](int lane) { return lane < 16 ? 120 : 376 + 15 * 1000; });
  check_lanes<unsigned>(converged_odd_lanes{}, [](int lane) { return lane % 2 == 0 ? 0 : 0xaaa00000u; });
  check_lanes<int>(
      last_warp_of_20{}, [](int) { return 190; }, 20);
  in_all_orders([] {
    device_array<int> d_out(32);
    exits_early_kernel<<<1, 32>>>(d_out.data());
    const auto out = d_out.to_host();
    for (int lane = 0; lane < 32; ++lane) CHECK(out[static_cast<std::size_t>(lane)] == (lane < 10 ? 45 : -1));
  });
}

TEST_CASE("__syncwarp orders the lanes of a warp") {
  in_all_orders([] {
    device_array<int> d_out(64);
    around_kernel<<<1, 64>>>(40, d_out.data());
    const auto out = d_out.to_host();
    for (int i = 0; i < 64; ++i) CHECK(out[static_cast<std::size_t>(i)] == (i + 40) % 32);
  });
}

TEST_CASE("a sum over warps and a block") {
  std::vector<int> x(512);
  int sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) sum += x[i] = static_cast<int>(i * i % 97);
  in_all_orders([&] {
    device_array<int> d_x(x), d_sum(1);
    block_sum_kernel<<<1, 512>>>(d_x.data(), d_sum.data());
    CHECK(d_sum.to_host()[0] == sum);
  });
}
