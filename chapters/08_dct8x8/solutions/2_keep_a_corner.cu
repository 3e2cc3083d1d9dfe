// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Exercise 2: transform, keep the low frequencies, transform back: all in one kernel, one thread per
// coefficient.
#include "keep_a_corner.hpp"

#include "08_dct8x8/host/dct_serial.hpp"
#include "common/device/check.hpp"

namespace tutorial {
namespace {

__constant__ float a[8][8];  // (u, x): a row is a basis wave

/// y = A^T C' A for one 8x8 block; C' is C = A x A^T where u + v < corner, and 0 elsewhere. Pitches are in
/// floats.
__global__ void keep_a_corner_kernel(const float* x, int width, int height, int x_pitch, int corner, float* y,
                                     int y_pitch) {
  __shared__ float block[8][8], half[8][8];  // [row][column], whatever they hold
  const int r = threadIdx.y, c = threadIdx.x;
  const int row = blockIdx.y * 8 + r, col = blockIdx.x * 8 + c;

  block[r][c] = x[min(row, height - 1) * x_pitch + min(col, width - 1)];
  __syncthreads();  // all pixels are there before any thread adds them up

  float sum = 0;  // A x: row r is frequency v = r now, column c is still column c
  for (int i = 0; i < 8; ++i) sum += a[r][i] * block[i][c];
  half[r][c] = sum;
  __syncthreads();  // half is written by all before any thread adds up a row of it

  sum = 0;  // (A x) A^T: column c is frequency u = c
  for (int i = 0; i < 8; ++i) sum += half[r][i] * a[c][i];

  // SOLUTION: keep the coefficient or not, then the way back in two more steps (about 9 lines)
  block[r][c] = r + c < corner ? sum : 0.0f;  // the pixels have been read by all: a barrier lies between
  __syncthreads();                            // all coefficients are there; no thread reads half any more
  sum = 0;                                    // A^T C': row r is row r again
  for (int i = 0; i < 8; ++i) sum += a[i][r] * block[i][c];
  half[r][c] = sum;
  __syncthreads();  // half is written by all before any thread adds up a row of it
  sum = 0;          // (A^T C') A
  for (int i = 0; i < 8; ++i) sum += half[r][i] * a[i][c];
  // STARTER: (void)corner;
  // END SOLUTION
  if (row < height && col < width) y[row * y_pitch + col] = sum;
}

}  // namespace

void keep_a_corner(device_plane_span<const float> x, int corner, device_plane_span<float> y) {
  float matrix[8][8];
  for (int u = 0; u < 8; ++u)
    for (int i = 0; i < 8; ++i) matrix[u][i] = float(dct_matrix()[u][i]);
  check(cudaMemcpyToSymbol(a, matrix, sizeof matrix));
  const dim3 blocks(padded(x.width()) / 8, padded(x.height()) / 8), threads(8, 8);
  keep_a_corner_kernel<<<blocks, threads>>>(x.data(), x.width(), x.height(), int(x.pitch() / sizeof(float)),
                                            corner, y.data(), int(y.pitch() / sizeof(float)));
  check(cudaGetLastError());
}

}  // namespace tutorial
