// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// What dct8x8.cu does in shared memory, by one warp: four 8x8 blocks side by side go into a tile by columns
// and come out by rows. Once with rows of 32 words, once of 33. Run with a trace, it becomes the pictures of
// this folder (docs/write/redraw).
#include "common/device/device_memory.hpp"

namespace {

template <int Pitch>
__global__ void columns_to_rows_kernel(float* values) {
  __shared__ float tile[8][Pitch];
  const int t = threadIdx.x, i = t % 8, begin = t - i;
  for (int k = 0; k < 8; ++k) tile[k][t] = values[32 * k + t];
  __syncwarp();  // all columns are there before any lane reads a row
  for (int k = 0; k < 8; ++k) values[32 * k + t] = tile[i][begin + k];
}

}  // namespace

int main() {
  using namespace tutorial;
  device_buffer<float> values(std::vector<float>(8 * 32, 1));
  columns_to_rows_kernel<32><<<1, 32>>>(values.data());
  columns_to_rows_kernel<33><<<1, 32>>>(values.data());
  check(cudaGetLastError());
  check(cudaDeviceSynchronize());
}
