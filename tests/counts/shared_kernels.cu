// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Ways to go through shared memory. Between a store and a load there is always a barrier, or nvcc keeps the
// value.
#include <algorithm>
#include <string>

#include "common/device/check.hpp"
#include "count_kernels.hpp"

namespace tutorial {
namespace {

/// y[i] = x[i ^ 1], through a tile whose elements are `stride` apart.
template <class T>
__global__ void swap_kernel(const T* __restrict__ x, T* __restrict__ y, int stride) {
  extern __shared__ __align__(16) unsigned char raw_tile[];
  T* const tile = reinterpret_cast<T*>(raw_tile);
  const int t = threadIdx.x;
  const int i = blockIdx.x * blockDim.x + t;
  tile[t * stride] = x[i];
  __syncthreads();  // the load below is of a neighbor's store
  y[i] = tile[(t ^ 1) * stride];
}

/// y[i] = tile[index[lane]] for the lanes whose bit is set, where tile[0, 64) is what the block's 64 threads
/// staged.
template <class T>
__global__ void look_up_kernel(const T* __restrict__ x, const int* __restrict__ index, T* __restrict__ y,
                               unsigned lanes) {
  extern __shared__ __align__(16) unsigned char raw_tile[];
  T* const tile = reinterpret_cast<T*>(raw_tile);
  const int lane = threadIdx.x % 32;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  tile[threadIdx.x] = x[i];
  __syncthreads();  // the load below is of any thread's store
  if (lanes >> lane & 1) y[i] = tile[index[lane]];
}

/// y = x transposed, both width x width, by blocks of 32 x 8 threads and tiles of 32 x 32; rows of a tile are
/// Pitch apart.
template <int Pitch>
__global__ void transpose_kernel(const float* __restrict__ x, float* __restrict__ y, int width) {
  __shared__ float tile[32][Pitch];
  const int from_col = blockIdx.x * 32 + threadIdx.x, from_row = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8) tile[threadIdx.y + j][threadIdx.x] = x[(from_row + j) * width + from_col];
  __syncthreads();  // rows were stored, columns are loaded
  const int to_col = blockIdx.y * 32 + threadIdx.x, to_row = blockIdx.x * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8) y[(to_row + j) * width + to_col] = tile[threadIdx.x][threadIdx.y + j];
}

/// Each 8x8 block of x transposed; rows of the tile are Pitch apart.
template <int Pitch>
__global__ void transpose_8x8_kernel(const float* __restrict__ x, float* __restrict__ y) {
  __shared__ float tile[8][Pitch];
  const int u = threadIdx.x, v = threadIdx.y;
  const int block_begin = blockIdx.x * 64;
  tile[v][u] = x[block_begin + v * 8 + u];
  __syncthreads();  // rows were stored, columns are loaded
  y[block_begin + v * 8 + u] = tile[u][v];
}

/// y[n] = sum of x[n - radius, n + radius], ghosts zero, from a tile with halo.
__global__ void stage_kernel(const float* __restrict__ x, float* __restrict__ y, int size, int radius) {
  extern __shared__ __align__(16) unsigned char raw_tile[];
  float* const tile = reinterpret_cast<float*>(raw_tile);
  const int tile_begin = blockIdx.x * blockDim.x - radius;  // tile[i] == x[tile_begin + i]
  const int staged = blockDim.x + 2 * radius;
#pragma unroll 1
  for (int i = threadIdx.x; i < staged; i += blockDim.x) {
    const int n = tile_begin + i;
    tile[i] = 0 <= n && n < size ? x[n] : 0;
  }
  __syncthreads();  // neighbors staged what is loaded below
  const int n = blockIdx.x * blockDim.x + threadIdx.x;
  if (n >= size) return;
  float sum = 0;
  for (int k = 0; k <= 2 * radius; ++k) sum += tile[threadIdx.x + k];
  y[n] = sum;
}

/// y[block] = sum of the block's 256 elements of x.
__global__ void reduce_kernel(const float* __restrict__ x, float* __restrict__ y) {
  __shared__ float part[256];
  const int t = threadIdx.x;
  part[t] = x[blockIdx.x * 256 + t];
  for (int step = 128; step > 0; step /= 2) {
    __syncthreads();  // the sums of the turn before were stored by others
    if (t < step) part[t] += part[t + step];
  }
  __syncthreads();
  if (t == 0) y[blockIdx.x] = part[0];
}

/// y[i] = x[i ^ 1] + 1, incremented in shared memory.
__global__ void shared_increment_kernel(const int* __restrict__ x, int* __restrict__ y) {
  __shared__ int tile[64];
  const int t = threadIdx.x;
  const int i = blockIdx.x * 64 + t;
  tile[t] = x[i];
  __syncthreads();
  tile[t] += 1;
  __syncthreads();
  y[i] = tile[t ^ 1];
}

/// bins[b] = how many of the block's 64 elements of x are b modulo 16.
__global__ void shared_atomics_kernel(const int* __restrict__ x, int* __restrict__ bins) {
  __shared__ int count[16];
  const int t = threadIdx.x;
  if (t < 16) count[t] = 0;
  __syncthreads();
  atomicAdd(&count[x[blockIdx.x * 64 + t] & 15], 1);
  __syncthreads();
  if (t < 16) bins[blockIdx.x * 16 + t] = count[t];
}

constexpr int blocks = 3;
constexpr int threads = 64;  // two warps
constexpr int size = blocks * threads;

template <class T, class Scalar = T>
count_entry swap_entry(const std::string& what, int stride) {
  return {"shared " + what + ", stride " + std::to_string(stride), "swap_kernel", [=] {
            const auto x = small_values<T, Scalar>(size);
            std::vector<T> expected(size);
            for (int i = 0; i < size; ++i) expected[i] = x[i ^ 1];
            const device_buffer<T> d_x(x);
            device_buffer<T> d_y(unwritten<T>(size));
            swap_kernel<<<blocks, threads, threads * stride * sizeof(T)>>>(d_x.data(), d_y.data(), stride);
            check(cudaGetLastError());
            return difference(d_y, expected);
          }};
}

/// index(lane): which of the 64 staged elements the lane loads.
template <class T, class Scalar = T, class Index>
count_entry look_up_entry(const std::string& what, Index index, unsigned lanes = 0xffffffffu) {
  return {"shared " + what, "look_up_kernel", [=] {
            const auto x = small_values<T, Scalar>(size);
            std::vector<int> indices(32);
            for (int lane = 0; lane < 32; ++lane) indices[lane] = index(lane);
            auto expected = unwritten<T>(size);
            for (int i = 0; i < size; ++i)
              if (lanes >> (i % 32) & 1) expected[i] = x[i / threads * threads + indices[i % 32]];
            const device_buffer<T> d_x(x);
            const device_buffer<int> d_index(indices);
            device_buffer<T> d_y(unwritten<T>(size));
            look_up_kernel<<<blocks, threads, threads * sizeof(T)>>>(d_x.data(), d_index.data(), d_y.data(),
                                                                     lanes);
            check(cudaGetLastError());
            return difference(d_y, expected);
          }};
}

template <int Pitch>
count_entry transpose_entry() {
  return {"transpose 64 x 64, rows of the tile " + std::to_string(Pitch) + " apart", "transpose_kernel", [] {
            constexpr int width = 64;
            const auto x = small_values<float>(width * width);
            std::vector<float> expected(width * width);
            for (int row = 0; row < width; ++row)
              for (int col = 0; col < width; ++col) expected[col * width + row] = x[row * width + col];
            const device_buffer<float> d_x(x);
            device_buffer<float> d_y(unwritten<float>(width * width));
            transpose_kernel<Pitch><<<dim3(2, 2), dim3(32, 8)>>>(d_x.data(), d_y.data(), width);
            check(cudaGetLastError());
            return difference(d_y, expected);
          }};
}

template <int Pitch>
count_entry transpose_8x8_entry() {
  return {"transpose 3 8x8 blocks, rows of the tile " + std::to_string(Pitch) + " apart",
          "transpose_8x8_kernel", [] {
            const auto x = small_values<float>(size);
            std::vector<float> expected(size);
            for (int i = 0; i < size; ++i) expected[i] = x[i / 64 * 64 + i % 8 * 8 + i % 64 / 8];
            const device_buffer<float> d_x(x);
            device_buffer<float> d_y(unwritten<float>(size));
            transpose_8x8_kernel<Pitch><<<blocks, dim3(8, 8)>>>(d_x.data(), d_y.data());
            check(cudaGetLastError());
            return difference(d_y, expected);
          }};
}

count_entry stage_entry(int length, int radius) {
  return {"tile and halo, " + std::to_string(2 * radius + 1) + " taps, " + std::to_string(length),
          "stage_kernel", [=] {
            constexpr int tile = 128;
            const auto x = small_values<float>(length);
            std::vector<float> expected(length);
            for (int n = 0; n < length; ++n)
              for (int m = std::max(0, n - radius); m <= std::min(length - 1, n + radius); ++m)
                expected[n] += x[m];
            const device_buffer<float> d_x(x);
            device_buffer<float> d_y(unwritten<float>(length));
            stage_kernel<<<(length + tile - 1) / tile, tile, (tile + 2 * radius) * sizeof(float)>>>(
                d_x.data(), d_y.data(), length, radius);
            check(cudaGetLastError());
            return difference(d_y, expected);
          }};
}

count_entry reduce_entry() {
  return {"reduce 4 blocks of 256", "reduce_kernel", [] {
            const auto x = small_values<float>(4 * 256);
            std::vector<float> expected(4);
            for (int i = 0; i < 4 * 256; ++i) expected[i / 256] += x[i];
            const device_buffer<float> d_x(x);
            device_buffer<float> d_y(unwritten<float>(4));
            reduce_kernel<<<4, 256>>>(d_x.data(), d_y.data());
            check(cudaGetLastError());
            return difference(d_y, expected);
          }};
}

count_entry shared_increment_entry() {
  return {"shared increment", "shared_increment_kernel", [] {
            const auto x = small_values<int>(size);
            std::vector<int> expected(size);
            for (int i = 0; i < size; ++i) expected[i] = x[i ^ 1] + 1;
            const device_buffer<int> d_x(x);
            device_buffer<int> d_y(unwritten<int>(size));
            shared_increment_kernel<<<blocks, threads>>>(d_x.data(), d_y.data());
            check(cudaGetLastError());
            return difference(d_y, expected);
          }};
}

count_entry shared_atomics_entry() {
  return {"shared atomics, 16 bins", "shared_atomics_kernel", [] {
            std::vector<int> x(size), expected(blocks * 16);
            for (int i = 0; i < size; ++i) x[i] = static_cast<int>(random_bits(5, i) % 1024);
            for (int i = 0; i < size; ++i) ++expected[i / threads * 16 + x[i] % 16];
            const device_buffer<int> d_x(x);
            device_buffer<int> d_bins(unwritten<int>(blocks * 16));
            shared_atomics_kernel<<<blocks, threads>>>(d_x.data(), d_bins.data());
            check(cudaGetLastError());
            return difference(d_bins, expected);
          }};
}

void add_strides(std::vector<count_entry>& entries) {
  for (const int stride : {1, 2, 3, 4, 8, 16, 17, 32, 33})
    entries.push_back(swap_entry<float>("floats", stride));
  for (const int stride : {1, 2, 3, 4, 16}) entries.push_back(swap_entry<double>("doubles", stride));
  for (const int stride : {1, 2, 3, 4, 8}) entries.push_back(swap_entry<float4, float>("float4", stride));
  entries.push_back(swap_entry<float2, float>("float2", 1));
  for (const int stride : {1, 4, 128}) entries.push_back(swap_entry<signed char>("1-byte elements", stride));
  for (const int stride : {1, 2}) entries.push_back(swap_entry<short>("2-byte elements", stride));
}

void add_look_ups(std::vector<count_entry>& entries) {
  const auto one = [](int) { return 5; };
  const auto two_words = [](int lane) { return lane % 2 * 32; };
  const auto two_halves = [](int lane) { return lane / 16 * 32; };
  const auto pairs = [](int lane) { return lane / 2; };
  const auto reversed = [](int lane) { return 31 - lane; };
  const auto any = [](int lane) { return static_cast<int>(random_bits(11, lane) % 64); };
  const auto same_halves = [](int lane) { return lane % 16; };
  const auto own = [](int lane) { return lane; };
  const auto even = [](int lane) { return lane * 2; };

  entries.push_back(look_up_entry<float>("floats, all lanes one word", one));
  entries.push_back(look_up_entry<float>("floats, two words of one bank, by turns", two_words));
  entries.push_back(look_up_entry<float>("floats, two words of one bank, by halves", two_halves));
  entries.push_back(look_up_entry<float>("floats, each word for two lanes", pairs));
  entries.push_back(look_up_entry<float>("floats, reversed", reversed));
  entries.push_back(look_up_entry<float>("floats, random", any));
  entries.push_back(look_up_entry<float>("floats, even words", even));
  entries.push_back(look_up_entry<float>("floats, even words, half the warp", even, 0x0000ffffu));
  entries.push_back(look_up_entry<float>("floats, one lane", own, 0x00000100u));

  entries.push_back(look_up_entry<double>("doubles, all lanes one element", one));
  entries.push_back(look_up_entry<double>("doubles, each element for two lanes", pairs));
  entries.push_back(look_up_entry<double>("doubles, both halves the same", same_halves));
  entries.push_back(look_up_entry<double>("doubles, reversed", reversed));
  entries.push_back(look_up_entry<double>("doubles, random", any));
  entries.push_back(look_up_entry<double>("doubles, the first half of each warp", own, 0x0000ffffu));
  entries.push_back(look_up_entry<double>("doubles, every other lane", own, 0x55555555u));
  entries.push_back(look_up_entry<double>("doubles, one lane", own, 0x00000100u));

  entries.push_back(look_up_entry<float4, float>("float4, all lanes one element", one));
  entries.push_back(look_up_entry<float4, float>("float4, each element for two lanes", pairs));
  entries.push_back(look_up_entry<float4, float>("float4, reversed", reversed));
  entries.push_back(look_up_entry<float4, float>("float4, random", any));
  entries.push_back(look_up_entry<float4, float>("float4, the first quarter of each warp", own, 0x000000ffu));
  entries.push_back(look_up_entry<float4, float>("float4, every fourth lane", own, 0x11111111u));
  entries.push_back(look_up_entry<float4, float>("float4, one lane", own, 0x00000100u));
}

}  // namespace

std::vector<count_entry> shared_entries() {
  std::vector<count_entry> entries;
  add_strides(entries);
  add_look_ups(entries);
  entries.push_back(transpose_entry<32>());
  entries.push_back(transpose_entry<33>());
  entries.push_back(transpose_8x8_entry<8>());
  entries.push_back(transpose_8x8_entry<9>());
  entries.push_back(stage_entry(1000, 2));
  entries.push_back(stage_entry(1024, 16));
  entries.push_back(stage_entry(100, 65));
  entries.push_back(reduce_entry());
  entries.push_back(shared_increment_entry());
  entries.push_back(shared_atomics_entry());
  return entries;
}

}  // namespace tutorial
