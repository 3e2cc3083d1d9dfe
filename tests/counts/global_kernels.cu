// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Ways to go through global memory. Where lanes take different numbers of turns through a loop it is not
// unrolled: else nvcc splits it in two, lanes meet in other places than in the source, and there are more
// requests.
#include <string>

#include "common/device/check.hpp"
#include "count_kernels.hpp"

namespace tutorial {
namespace {

/// y[i] = x[from + i]
template <class T>
__global__ void copy_kernel(const T* __restrict__ x, T* __restrict__ y, int size, int from) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < size) y[i] = x[from + i];
}

/// y[i] = x[i] for the lanes whose bit is set.
__global__ void copy_lanes_kernel(const float* __restrict__ x, float* __restrict__ y, unsigned lanes) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if ((lanes >> (threadIdx.x % 32) & 1) == 0) return;
  y[i] = x[i];
}

/// p[i] += 1
__global__ void increment_kernel(int* p, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < size) p[i] += 1;
}

struct alignas(16) four_ints {
  int value[4];
};

struct four_loose_ints {  // nothing says that it starts at a multiple of more than 4 bytes
  int value[4];
};

/// y[i] = x[i], as bytes. Without the promise of alignment nvcc copies byte by byte.
__global__ void memcpy_kernel(const void* __restrict__ x, void* __restrict__ y, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= size) return;
  void* const to = static_cast<four_ints*>(y) + i;
  const void* const from = static_cast<const four_ints*>(x) + i;
  memcpy(__builtin_assume_aligned(to, 16), __builtin_assume_aligned(from, 16), sizeof(four_ints));
}

/// y[i] = x[index[i]]
__global__ void gather_kernel(const int* __restrict__ index, const float* __restrict__ x,
                              float* __restrict__ y, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < size) y[i] = x[index[i]];
}

/// y[index[i]] = x[i]
__global__ void scatter_kernel(const int* __restrict__ index, const float* __restrict__ x,
                               float* __restrict__ y, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < size) y[index[i]] = x[i];
}

/// y[i * stride + offset] = x[i]
__global__ void strided_store_kernel(const float* __restrict__ x, float* __restrict__ y, int size, int stride,
                                     int offset) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < size) y[i * stride + offset] = x[i];
}

/// y[i] = x[size - 1 - i]
__global__ void reverse_kernel(const float* __restrict__ x, float* __restrict__ y, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < size) y[i] = x[size - 1 - i];
}

/// y[i] = x[i / share]: that many neighbors read the same element.
__global__ void shared_element_kernel(const float* __restrict__ x, float* __restrict__ y, int size,
                                      int share) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < size) y[i] = x[i / share];
}

/// y[i] = x[i], each thread every (number of threads)-th element.
__global__ void grid_stride_kernel(const float* __restrict__ x, float* __restrict__ y, int size) {
#pragma unroll 1
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < size; i += gridDim.x * blockDim.x) y[i] = x[i];
}

/// y = x, row by row.
__global__ void copy_rows_kernel(const float* __restrict__ x, float* __restrict__ y, int width, int height) {
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (col < width && row < height) y[row * width + col] = x[row * width + col];
}

/// y = x for blocks of three dimensions, one behind the other.
__global__ void copy_boxes_kernel(const float* __restrict__ x, float* __restrict__ y) {
  const int box = (blockIdx.x * blockDim.z + threadIdx.z) * blockDim.y + threadIdx.y;
  const int i = box * blockDim.x + threadIdx.x;
  y[i] = x[i];
}

/// y[i] = sum of x[k * size + i] for k in [0, turns[i]): lanes leave the loop one after the other.
__global__ void ragged_sum_kernel(const int* __restrict__ turns, const float* __restrict__ x,
                                  float* __restrict__ y, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= size) return;
  const int end = turns[i];
  float sum = 0;
#pragma unroll 1
  for (int k = 0; k < end; ++k) sum += x[k * size + i];
  y[i] = sum;
}

/// y[i] = sum of x[k * size + i] over those k in [0, turns) for which k + i is even: in each turn other lanes
/// load.
__global__ void alternating_sum_kernel(const float* __restrict__ x, float* __restrict__ y, int size,
                                       int turns) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= size) return;
  float sum = 0;
#pragma unroll 1
  for (int k = 0; k < turns; ++k) {
    if ((k + i) % 2 == 0) sum += x[k * size + i];
  }
  y[i] = sum;
}

/// y[i] = x[i] for odd i, z[i] for even i. Of different types, or nvcc would load both in one place.
__global__ void branches_kernel(const float* __restrict__ x, const double* __restrict__ z,
                                double* __restrict__ y, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= size) return;
  double value;
  if (i % 2 == 1) {
    value = x[i];
  } else {
    value = z[i];
  }
  y[i] = value;
}

__device__ __align__(128) float device_table[64];

/// y[i] = device_table[i % 64] + x[i]
__global__ void device_variable_kernel(const float* __restrict__ x, float* __restrict__ y, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < size) y[i] = device_table[i % 64] + x[i];
}

constexpr int threads_per_block = 128;
constexpr int size = 1024;      // 8 full blocks
constexpr int odd_size = 1000;  // 7 full blocks, 3 full warps, 8 lanes

int blocks_for(int size, int threads = threads_per_block) { return (size + threads - 1) / threads; }

template <class T, class Scalar = T>
count_entry copy_entry(const std::string& what, int size, int threads = threads_per_block, int from = 0) {
  return {"copy " + what + ", " + std::to_string(size), "copy_kernel", [=] {
            const auto x = small_values<T, Scalar>(size + from);
            const device_buffer<T> d_x(x);
            device_buffer<T> d_y(unwritten<T>(size));
            copy_kernel<<<blocks_for(size, threads), threads>>>(d_x.data(), d_y.data(), size, from);
            check(cudaGetLastError());
            return difference(d_y, std::vector<T>(x.begin() + from, x.end()));
          }};
}

count_entry copy_lanes_entry(const std::string& what, unsigned lanes) {
  return {"copy floats, " + what, "copy_lanes_kernel", [=] {
            const auto x = small_values<float>(size);
            auto expected = unwritten<float>(size);
            for (int i = 0; i < size; ++i)
              if (lanes >> (i % 32) & 1) expected[i] = x[i];
            const device_buffer<float> d_x(x);
            device_buffer<float> d_y(unwritten<float>(size));
            copy_lanes_kernel<<<blocks_for(size), threads_per_block>>>(d_x.data(), d_y.data(), lanes);
            check(cudaGetLastError());
            return difference(d_y, expected);
          }};
}

count_entry copy_rows_entry(int width, int height, dim3 block) {
  const std::string sizes = std::to_string(width) + " x " + std::to_string(height) + ", blocks of " +
                            std::to_string(block.x) + " x " + std::to_string(block.y);
  return {"copy rows, " + sizes, "copy_rows_kernel", [=] {
            const auto x = small_values<float>(std::size_t(width) * height);
            const device_buffer<float> d_x(x);
            device_buffer<float> d_y(unwritten<float>(x.size()));
            const dim3 grid(blocks_for(width, block.x), blocks_for(height, block.y));
            copy_rows_kernel<<<grid, block>>>(d_x.data(), d_y.data(), width, height);
            check(cudaGetLastError());
            return difference(d_y, x);
          }};
}

/// An entry whose kernel makes `outputs` floats of one array of floats. launch(x, y), expected(x, i).
template <class Launch, class Expected>
count_entry entry(const std::string& name, const std::string& kernel, int inputs, int outputs, Launch launch,
                  Expected expected) {
  return {name, kernel, [=] {
            const auto x = small_values<float>(inputs);
            auto y = unwritten<float>(outputs);
            const device_buffer<float> d_x(x);
            device_buffer<float> d_y(y);
            launch(d_x.data(), d_y.data());
            check(cudaGetLastError());
            for (int i = 0; i < outputs; ++i) expected(x, i, y[i]);
            return difference(d_y, y);
          }};
}

/// [0, size) in an order without order.
std::vector<int> permutation(int size) {
  std::vector<int> order(size);
  for (int i = 0; i < size; ++i) order[i] = i;
  for (int i = size - 1; i > 0; --i) std::swap(order[i], order[random_bits(7, i) % (i + 1)]);
  return order;
}

void add_copies(std::vector<count_entry>& entries) {
  entries.push_back(copy_entry<signed char>("1-byte elements", odd_size));
  entries.push_back(copy_entry<short>("2-byte elements", odd_size));
  entries.push_back(copy_entry<float>("floats", odd_size));
  entries.push_back(copy_entry<double>("doubles", odd_size));
  entries.push_back(copy_entry<float2, float>("float2", odd_size));
  entries.push_back(copy_entry<float4, float>("float4", odd_size));
  entries.push_back(copy_entry<double2, double>("double2", odd_size));
  entries.push_back(copy_entry<four_ints, int>("structs of 16 aligned bytes", odd_size));
  entries.push_back(copy_entry<four_loose_ints, int>("structs of 4 ints", odd_size));
  entries.push_back(copy_entry<signed char>("1-byte elements from 1", odd_size, threads_per_block, 1));
  entries.push_back(copy_entry<double>("doubles from 1", odd_size, threads_per_block, 1));
  entries.push_back(copy_entry<float2, float>("float2 from 1", odd_size, threads_per_block, 1));
  entries.push_back(copy_entry<float4, float>("float4 from 1", odd_size, threads_per_block, 1));
  entries.push_back(copy_entry<float>("floats, blocks of 48", odd_size, 48));
  entries.push_back(copy_entry<float>("floats, blocks of 100", odd_size, 100));
  entries.push_back(copy_entry<float>("floats, blocks of 33", 330, 33));
  entries.push_back(copy_entry<float>("floats, blocks of 1", 10, 1));
  entries.push_back(copy_lanes_entry("every other lane", 0x55555555u));
  entries.push_back(copy_lanes_entry("the first half of each warp", 0x0000ffffu));
  entries.push_back(copy_lanes_entry("first and last lane", 0x80000001u));
  entries.push_back(copy_lanes_entry("one lane", 0x00000100u));
  entries.push_back({"copy structs of 16 aligned bytes by memcpy, 1000", "memcpy_kernel", [] {
                       const auto x = small_values<four_ints, int>(odd_size);
                       const device_buffer<four_ints> d_x(x);
                       device_buffer<four_ints> d_y(unwritten<four_ints>(odd_size));
                       memcpy_kernel<<<blocks_for(odd_size), threads_per_block>>>(d_x.data(), d_y.data(),
                                                                                  odd_size);
                       check(cudaGetLastError());
                       return difference(d_y, x);
                     }});
  entries.push_back({"increment ints, 1000", "increment_kernel", [] {
                       auto p = small_values<int>(odd_size);
                       device_buffer<int> d_p(p);
                       increment_kernel<<<blocks_for(odd_size), threads_per_block>>>(d_p.data(), odd_size);
                       check(cudaGetLastError());
                       for (int& each : p) ++each;
                       return difference(d_p, p);
                     }});
}

void add_patterns(std::vector<count_entry>& entries) {
  entries.push_back({"gather floats, random, 1024 of 4096", "gather_kernel", [] {
                       const auto x = small_values<float>(4096);
                       std::vector<int> index(size);
                       std::vector<float> expected(size);
                       for (int i = 0; i < size; ++i) index[i] = static_cast<int>(random_bits(3, i) % 4096);
                       for (int i = 0; i < size; ++i) expected[i] = x[index[i]];
                       const device_buffer<float> d_x(x);
                       const device_buffer<int> d_index(index);
                       device_buffer<float> d_y(unwritten<float>(size));
                       gather_kernel<<<blocks_for(size), threads_per_block>>>(d_index.data(), d_x.data(),
                                                                              d_y.data(), size);
                       check(cudaGetLastError());
                       return difference(d_y, expected);
                     }});
  entries.push_back({"scatter floats, a permutation of 1024", "scatter_kernel", [] {
                       const auto x = small_values<float>(size);
                       const std::vector<int> index = permutation(size);
                       std::vector<float> expected(size);
                       for (int i = 0; i < size; ++i) expected[index[i]] = x[i];
                       const device_buffer<float> d_x(x);
                       const device_buffer<int> d_index(index);
                       device_buffer<float> d_y(unwritten<float>(size));
                       scatter_kernel<<<blocks_for(size), threads_per_block>>>(d_index.data(), d_x.data(),
                                                                               d_y.data(), size);
                       check(cudaGetLastError());
                       return difference(d_y, expected);
                     }});
  for (const auto& [stride, offset] : {std::pair{1, 1}, {2, 0}, {3, 0}, {8, 0}, {8, 7}, {33, 0}}) {
    entries.push_back(entry(
        "store floats, stride " + std::to_string(stride) + " from " + std::to_string(offset) + ", 1024",
        "strided_store_kernel", size, size * stride + offset,
        [stride = stride, offset = offset](const float* x, float* y) {
          strided_store_kernel<<<blocks_for(size), threads_per_block>>>(x, y, size, stride, offset);
        },
        [stride = stride, offset = offset](const std::vector<float>& x, int i, float& y) {
          if (i >= offset && (i - offset) % stride == 0 && (i - offset) / stride < size)
            y = x[(i - offset) / stride];
        }));
  }
  for (const int length : {1024, 1000}) {
    entries.push_back(entry(
        "reverse floats, " + std::to_string(length), "reverse_kernel", length, length,
        [=](const float* x, float* y) {
          reverse_kernel<<<blocks_for(length), threads_per_block>>>(x, y, length);
        },
        [=](const std::vector<float>& x, int i, float& y) { y = x[length - 1 - i]; }));
  }
  for (const int share : {2, 5, 32, 1024}) {
    entries.push_back(entry(
        "floats, each for " + std::to_string(share) + " threads", "shared_element_kernel",
        blocks_for(size, share), size,
        [=](const float* x, float* y) {
          shared_element_kernel<<<blocks_for(size), threads_per_block>>>(x, y, size, share);
        },
        [=](const std::vector<float>& x, int i, float& y) { y = x[i / share]; }));
  }
  entries.push_back(entry(
      "floats in a grid-stride loop, 1000 by 256", "grid_stride_kernel", 1000, 1000,
      [](const float* x, float* y) { grid_stride_kernel<<<2, threads_per_block>>>(x, y, 1000); },
      [](const std::vector<float>& x, int i, float& y) { y = x[i]; }));
}

void add_blocks(std::vector<count_entry>& entries) {
  entries.push_back(copy_rows_entry(48, 32, dim3(16, 16)));
  entries.push_back(copy_rows_entry(50, 35, dim3(16, 16)));
  entries.push_back(copy_rows_entry(48, 32, dim3(8, 8)));
  entries.push_back(copy_rows_entry(20, 20, dim3(8, 8)));
  entries.push_back(copy_rows_entry(96, 6, dim3(32, 4)));
  entries.push_back(copy_rows_entry(30, 9, dim3(10, 3)));
  entries.push_back(entry(
      "copy boxes, blocks of 4 x 4 x 4", "copy_boxes_kernel", 1024, 1024,
      [](const float* x, float* y) { copy_boxes_kernel<<<16, dim3(4, 4, 4)>>>(x, y); },
      [](const std::vector<float>& x, int i, float& y) { y = x[i]; }));
  entries.push_back(entry(
      "copy boxes, blocks of 5 x 3 x 3", "copy_boxes_kernel", 450, 450,
      [](const float* x, float* y) { copy_boxes_kernel<<<10, dim3(5, 3, 3)>>>(x, y); },
      [](const std::vector<float>& x, int i, float& y) { y = x[i]; }));
}

void add_divergence(std::vector<count_entry>& entries) {
  entries.push_back({"sum of i % 5 floats, 1024", "ragged_sum_kernel", [] {
                       const auto x = small_values<float>(5 * size);
                       std::vector<int> turns(size);
                       std::vector<float> expected(size);
                       for (int i = 0; i < size; ++i) turns[i] = i % 5;
                       for (int i = 0; i < size; ++i)
                         for (int k = 0; k < turns[i]; ++k) expected[i] += x[k * size + i];
                       const device_buffer<float> d_x(x);
                       const device_buffer<int> d_turns(turns);
                       device_buffer<float> d_y(unwritten<float>(size));
                       ragged_sum_kernel<<<blocks_for(size), threads_per_block>>>(d_turns.data(), d_x.data(),
                                                                                  d_y.data(), size);
                       check(cudaGetLastError());
                       return difference(d_y, expected);
                     }});
  entries.push_back(entry(
      "sum of every other of 6 floats, 1024", "alternating_sum_kernel", 6 * size, size,
      [](const float* x, float* y) {
        alternating_sum_kernel<<<blocks_for(size), threads_per_block>>>(x, y, size, 6);
      },
      [](const std::vector<float>& x, int i, float& y) {
        y = 0;
        for (int k = i % 2; k < 6; k += 2) y += x[k * size + i];
      }));
  entries.push_back({"floats or doubles in two branches, 1024", "branches_kernel", [] {
                       const auto x = small_values<float>(size);
                       const auto z = small_values<double>(size, 2);
                       std::vector<double> expected(size);
                       for (int i = 0; i < size; ++i) expected[i] = i % 2 == 1 ? x[i] : z[i];
                       const device_buffer<float> d_x(x);
                       const device_buffer<double> d_z(z);
                       device_buffer<double> d_y(unwritten<double>(size));
                       branches_kernel<<<blocks_for(size), threads_per_block>>>(d_x.data(), d_z.data(),
                                                                                d_y.data(), size);
                       check(cudaGetLastError());
                       return difference(d_y, expected);
                     }});
  entries.push_back(entry(
      "floats and a __device__ table, 1024", "device_variable_kernel", size, size,
      [](const float* x, float* y) {
        std::vector<float> table(64);
        for (int i = 0; i < 64; ++i) table[i] = static_cast<float>(i);
        check(cudaMemcpyToSymbol(device_table, table.data(), sizeof(device_table)));
        device_variable_kernel<<<blocks_for(size), threads_per_block>>>(x, y, size);
      },
      [](const std::vector<float>& x, int i, float& y) { y = static_cast<float>(i % 64) + x[i]; }));
}

}  // namespace

std::vector<count_entry> global_entries() {
  std::vector<count_entry> entries;
  add_copies(entries);
  add_patterns(entries);
  add_blocks(entries);
  add_divergence(entries);
  return entries;
}

}  // namespace tutorial
