// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Mistakes with the primitives of <cuda_pipeline.h>, which are those of cp.async. The template argument is
// the mistake; `none` is the repaired twin.
#include <cuda_pipeline.h>

#include "../findings.hpp"

namespace {

using cuda_emulator::finding_kind;

enum class fault {
  none,
  no_wait,
  no_commit,
  one_group_left,
  no_empty_group,
  no_barrier,
  late_barrier,
  stage_in_use,
  source,
  source_by_other,
  target,
  target_twice,
};

constexpr int copy_line = __LINE__ + 7, wait_line = __LINE__ + 11, read_line = __LINE__ + 13;
template <fault f>
__global__ void stages_kernel(const float* x, float* y) {
  __shared__ float tile[2][64];
  const unsigned t = threadIdx.x;
  for (int k = 0; k < 2; ++k) {
    // One element of each tile for each thread.
    __pipeline_memcpy_async(&tile[k][t], x + 64 * k + t, sizeof(float));
    if (f != fault::no_commit) __pipeline_commit();
  }
  if (f == fault::late_barrier) __syncthreads();
  if (f != fault::no_wait) __pipeline_wait_prior(f == fault::one_group_left ? 1 : 0);
  if (f != fault::no_barrier && f != fault::late_barrier) __syncthreads();
  y[t] = tile[1][63 - t];
}

// The same element again: no barrier is needed, but the wait is.
template <fault f>
__global__ void own_kernel(const float* x, float* y) {
  __shared__ float tile[64];
  const unsigned t = threadIdx.x;
  tile[t] = 7;
  __pipeline_memcpy_async(&tile[t], x + t, sizeof(float));
  __pipeline_commit();
  if (f == fault::none) __pipeline_wait_prior(0);
  y[t] = tile[t];
}

// The tile is used again while others still read it.
template <fault f>
__global__ void reuse_kernel(const float* x, float* y) {
  __shared__ float tile[64];
  const unsigned t = threadIdx.x;
  float sum = 0;
  for (int k = 0; k < 2; ++k) {
    __pipeline_memcpy_async(&tile[t], x + 64 * k + t, sizeof(float));
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    sum += tile[63 - t];
    if (f != fault::stage_in_use) __syncthreads();
  }
  y[t] = sum;
}

// In the second turn there is nothing to copy.
constexpr int turn_line = __LINE__ + 11;
template <fault f>
__global__ void turns_kernel(const float* x, float* y) {
  __shared__ float ring[2][64];
  const unsigned t = threadIdx.x;
  __pipeline_memcpy_async(&ring[0][t], x + t, sizeof(float));
  __pipeline_commit();
  float sum = 0;
  for (int k = 0; k < 2; ++k) {
    if (k == 0) __pipeline_memcpy_async(&ring[1][t], x + 64 + t, sizeof(float));
    if (k == 0 || f != fault::no_empty_group) __pipeline_commit();
    __pipeline_wait_prior(1);
    __syncthreads();
    sum += ring[k][63 - t];
  }
  y[t] = sum;
}

constexpr int overwrite_line = __LINE__ + 10;
template <fault f>
__global__ void overwrite_kernel(float* x, float what_it_has, float* y) {
  __shared__ float tile[64];
  const unsigned t = threadIdx.x;
  __pipeline_memcpy_async(&tile[t], x + t, sizeof(float));
  __pipeline_commit();
  if (f == fault::source_by_other) __syncthreads();
  const unsigned mine = f == fault::source_by_other ? 63 - t : t;
  if (f == fault::none) __pipeline_wait_prior(0);
  if (f != fault::target && f != fault::target_twice) x[mine] = what_it_has;
  if (f == fault::target) tile[t] = 2;
  if (f == fault::target_twice) __pipeline_memcpy_async(&tile[t], x + 64 + t, sizeof(float));
  if (f == fault::source_by_other) __syncthreads();
  if (f != fault::none) __pipeline_wait_prior(0);
  __syncthreads();
  y[t] = tile[63 - t];
}

// Single bytes of the source are written: what was there is what is written.
constexpr int byte_line = __LINE__ + 11;
template <fault f>
__global__ void bytes_kernel(unsigned char* x, unsigned char what_it_has, unsigned char* y) {
  __shared__ alignas(4) unsigned char tile[256];
  const unsigned t = threadIdx.x;
  x[4 * t + 3] = what_it_has;
  __syncthreads();
  __pipeline_memcpy_async(tile + 4 * t, x + 4 * t, 4);
  __pipeline_commit();
  if (f == fault::source_by_other) __syncthreads();
  if (f == fault::none) __pipeline_wait_prior(0);
  if (f == fault::source) x[4 * t + 1] = what_it_has;
  if (f != fault::none) __pipeline_wait_prior(0);
  if (f == fault::none) __syncthreads();
  if (f != fault::source && t >= 32) x[4 * (t - 32) + 1] = what_it_has;  // of a thread that has waited
  __syncthreads();
  y[t] = tile[4 * (63 - t)];
}

template <int bytes, int offset, int zeros>
__global__ void crooked_kernel(const float* x, float* y) {
  __shared__ alignas(16) float tile[8];
  __pipeline_memcpy_async(tile + offset, x, bytes, zeros);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  y[0] = 1;
}
template <bool faulty>
__global__ void beyond_kernel(const float* x, float* y) {
  __shared__ float tile[8];
  __pipeline_memcpy_async(tile + (faulty ? 8 : 7), x, sizeof(float));
  __pipeline_commit();
  __pipeline_wait_prior(0);
  y[0] = 1;
}
template <bool faulty>
__global__ void sides_kernel(float* x, float* y) {
  __shared__ float tile[8];
  tile[0] = 1;
  __pipeline_memcpy_async(faulty ? y : tile, x, sizeof(float));
  __pipeline_commit();
  __pipeline_wait_prior(0);
  y[0] = tile[0];
}
template <bool faulty>
__global__ void source_side_kernel(float* x, float* y) {
  __shared__ float tile[8];
  __pipeline_memcpy_async(tile, faulty ? tile + 4 : x, sizeof(float));
  __pipeline_commit();
  __pipeline_wait_prior(0);
  y[0] = tile[0];
}

template <fault f>
void check_stages(const std::vector<std::string>& words) {
  device_array<float> d_x(std::vector<float>(128, 1.0f)), d_y(64);
  check_found(
      finding_kind::asynchronous_copy, words, [&] { stages_kernel<f><<<1, 64>>>(d_x.data(), d_y.data()); },
      [&] { stages_kernel<fault::none><<<1, 64>>>(d_x.data(), d_y.data()); });
}

}  // namespace

TEST_CASE("a tile that is read before it has landed") {
  const std::string copy = at_line(__FILE__, copy_line), wait = at_line(__FILE__, wait_line),
                    read = at_line(__FILE__, read_line);
  check_stages<fault::no_wait>({read + ": error: read of memory that an asynchronous copy is still filling",
                                copy + ", and has not waited since", "tile[1][",
                                "no wait\n  (__pipeline_wait_prior(0)"});
  check_stages<fault::no_commit>({read + ": error: read of memory",
                                  wait + ", but the copy is in no stage yet", "missing __pipeline_commit()"});
  check_stages<fault::one_group_left>({read + ": error: read of memory",
                                       wait + " only for stages of copies before this one",
                                       "leaves too many\n  stages under way"});
}

TEST_CASE("a turn that commits no stage") {
  device_array<float> d_x(std::vector<float>(128, 1.0f)), d_y(64);
  check_found(
      finding_kind::asynchronous_copy,
      {"still filling in kernel turns_kernel", at_line(__FILE__, turn_line) + " only for stages",
       "committed 2 stages, none of them since the wait before, "
       "and __pipeline_wait_prior(1) leaves the last one",
       "an empty stage counts"},
      [&] { turns_kernel<fault::no_empty_group><<<1, 64>>>(d_x.data(), d_y.data()); },
      [&] { turns_kernel<fault::none><<<1, 64>>>(d_x.data(), d_y.data()); });
}

TEST_CASE("a wait counts for the thread that waits") {
  const std::string copy = at_line(__FILE__, copy_line), read = at_line(__FILE__, read_line);
  check_stages<fault::no_barrier>({"race with an asynchronous copy", copy, read, "missing __syncthreads()"});
  check_stages<fault::late_barrier>({"asynchronous copy", copy, read, "__syncthreads()"});
  device_array<float> d_x(std::vector<float>(128, 1.0f)), d_y(64);
  check_found(
      finding_kind::asynchronous_copy,
      {"race with an asynchronous copy", "and the next copy to the same place"},
      [&] { reuse_kernel<fault::stage_in_use><<<1, 64>>>(d_x.data(), d_y.data()); },
      [&] { reuse_kernel<fault::none><<<1, 64>>>(d_x.data(), d_y.data()); });
}

TEST_CASE("what was there before the copy is not what is wanted") {
  device_array<float> d_x(std::vector<float>(64, 1.0f)), d_y(64);
  check_found(
      finding_kind::asynchronous_copy, {"read of memory that an asynchronous copy is still filling"},
      [&] { own_kernel<fault::no_wait><<<1, 64>>>(d_x.data(), d_y.data()); },
      [&] { own_kernel<fault::none><<<1, 64>>>(d_x.data(), d_y.data()); });
  cuda_emulator::throw_findings(true);
  try {
    own_kernel<fault::no_wait><<<1, 64>>>(d_x.data(), d_y.data());
    cudaDeviceSynchronize();
  } catch (const cuda_emulator::finding&) {
  }
  cuda_emulator::throw_findings(false);
  CHECK(d_y.to_host() == std::vector<float>(64, 7.0f));
}

TEST_CASE("source or target is written while the copy is under way") {
  device_array<float> d_x(std::vector<float>(128, 1.0f)), d_y(64);
  const auto repaired = [&] { overwrite_kernel<fault::none><<<1, 64>>>(d_x.data(), 1.0f, d_y.data()); };
  check_found(
      finding_kind::asynchronous_copy,
      {"asynchronous copy whose source changes before it lands", "x[", "before the wait for the copy",
       at_line(__FILE__, overwrite_line)},
      [&] { overwrite_kernel<fault::source><<<1, 64>>>(d_x.data(), 1.0f, d_y.data()); }, repaired);
  check_found(
      finding_kind::asynchronous_copy, {"asynchronous copy whose source changes before it lands"},
      [&] { overwrite_kernel<fault::source_by_other><<<1, 64>>>(d_x.data(), 1.0f, d_y.data()); }, repaired);
  check_found(
      finding_kind::asynchronous_copy,
      {"write to memory that an asynchronous copy is still filling", "tile["},
      [&] { overwrite_kernel<fault::target><<<1, 64>>>(d_x.data(), 1.0f, d_y.data()); }, repaired);
  check_found(
      finding_kind::asynchronous_copy,
      {"write to memory that an asynchronous copy is still filling", "filled again before the wait"},
      [&] { overwrite_kernel<fault::target_twice><<<1, 64>>>(d_x.data(), 1.0f, d_y.data()); }, repaired);
}

TEST_CASE("a byte of the source is written while the copy is under way, or with no barrier after it") {
  device_array<unsigned char> d_x(std::vector<unsigned char>(256, 1)), d_y(64);
  const auto repaired = [&] { bytes_kernel<fault::none><<<1, 64>>>(d_x.data(), 1, d_y.data()); };
  check_found(
      finding_kind::asynchronous_copy,
      {"asynchronous copy whose source changes before it lands", at_line(__FILE__, byte_line)},
      [&] { bytes_kernel<fault::source><<<1, 64>>>(d_x.data(), 1, d_y.data()); }, repaired);
  check_found(
      finding_kind::race, {"race in kernel bytes_kernel", "x["},
      [&] { bytes_kernel<fault::source_by_other><<<1, 64>>>(d_x.data(), 1, d_y.data()); }, repaired);
}

TEST_CASE("sizes, alignment, and sides of a copy") {
  device_array<float> d_x(std::vector<float>(64, 1.0f)), d_y(64);
  const auto repaired = [&] { crooked_kernel<8, 2, 3><<<1, 1>>>(d_x.data(), d_y.data()); };
  check_found(
      finding_kind::crash, {"a misaligned __pipeline_memcpy_async()", "multiple of its size"},
      [&] { crooked_kernel<8, 1, 0><<<1, 1>>>(d_x.data(), d_y.data()); }, repaired);
  check_found(
      finding_kind::crash, {"__pipeline_memcpy_async() of 12 bytes", "4, 8 or 16 bytes"},
      [&] { crooked_kernel<12, 0, 0><<<1, 1>>>(d_x.data(), d_y.data()); }, repaired);
  check_found(
      finding_kind::crash, {"of 8 bytes, of which 9 are to be zero", "Its fourth argument"},
      [&] { crooked_kernel<8, 0, 9><<<1, 1>>>(d_x.data(), d_y.data()); }, repaired);
  check_found(
      finding_kind::out_of_bounds, {"copies asynchronously 4 bytes: tile[8]"},
      [&] { beyond_kernel<true><<<1, 1>>>(d_x.data(), d_y.data()); },
      [&] { beyond_kernel<false><<<1, 1>>>(d_x.data(), d_y.data()); });
  check_found(
      finding_kind::crash, {"to an address that is not in shared memory"},
      [&] { sides_kernel<true><<<1, 1>>>(d_x.data(), d_y.data()); },
      [&] { sides_kernel<false><<<1, 1>>>(d_x.data(), d_y.data()); });
  check_found(
      finding_kind::crash, {"from an address that is not in global memory"},
      [&] { source_side_kernel<true><<<1, 1>>>(d_x.data(), d_y.data()); },
      [&] { source_side_kernel<false><<<1, 1>>>(d_x.data(), d_y.data()); });
}
