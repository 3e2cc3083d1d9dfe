// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// A warp reads the rows of a tile as round_trip_staged.cu does: rows of 8 words of 16 bytes, then of 10. Run
// with a trace, they become the pictures of this folder (docs/write/redraw).
#include "common/device/device_memory.hpp"

namespace {

template <int Words>
__global__ void rows_kernel(uint4* out) {
  __shared__ uint4 tile[8 * Words];
  const int pair = threadIdx.x / 4, j = threadIdx.x % 4;
  for (int row = threadIdx.x / 8; row < 8; row += 4)
    tile[row * Words + threadIdx.x % 8] = make_uint4(0, 0, 0, 0);
  __syncthreads();  // the tile is written
  out[threadIdx.x] = tile[j * Words + pair];
}

}  // namespace

int main() {
  using namespace tutorial;
  device_buffer<uint4> out(32);
  rows_kernel<8><<<1, 32>>>(out.data());
  check(cudaGetLastError());
  rows_kernel<10><<<1, 32>>>(out.data());
  check(cudaGetLastError());
  check(cudaDeviceSynchronize());
}
