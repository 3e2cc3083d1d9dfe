// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
//
// Decides whether chapter 08's inverse with 64 threads for each 8x8 block takes longer than the forward
// transform because its lanes want single elements of the matrix in constant memory. Each direction has the
// matrix in pairs (LDC.64: an element and its neighbor), in singles (LDC), and in shared memory. The last row
// starts as many blocks that do nothing.
#include <cmath>

#include "common/device/check.hpp"
#include "common/device/device_memory.hpp"
#include "common/verify/inputs.hpp"
#include "controls.hpp"

namespace tutorial {
namespace {

/// The matrix A; its rows nine apart, where every other pair would be misaligned, so that nvcc makes LDC; and
/// A^T.
struct matrices {
  float a[8][8], askew[8][9], transposed[8][8];
};
static __constant__ __align__(16) matrices constant_matrices;
static __device__ matrices
    global_matrices;  // where the kernels with the matrix in shared memory take it from

enum class matrix_by { pairs, singles, shared };

/// Forward: C = A X A^T. Inverse: X = A^T C A.
template <bool Inverse, matrix_by Matrix>
__global__ void __launch_bounds__(64) transform_kernel(const float* from, float* to, int width) {
  __shared__ float value[8][8], half[8][8], a[8][9];
  const int x = threadIdx.x, y = threadIdx.y;
  const int col = blockIdx.x * 8 + x, row = blockIdx.y * 8 + y;
  value[y][x] = from[row * width + col];
  if constexpr (Matrix == matrix_by::shared)
    a[y][x] = Inverse ? global_matrices.transposed[y][x] : global_matrices.a[y][x];
  __syncthreads();  // the block and the matrix are complete before any thread reads them
  // Element (r, k) of the factor on the left, which is (k, r) of the one on the right.
  const auto at = [&](int r, int k) {
    if constexpr (Matrix == matrix_by::shared)
      return a[r][k];
    else if constexpr (Inverse)
      return Matrix == matrix_by::pairs ? constant_matrices.transposed[r][k] : constant_matrices.a[k][r];
    else
      return Matrix == matrix_by::pairs ? constant_matrices.a[r][k] : constant_matrices.askew[r][k];
  };
  float sum = 0;
#pragma unroll
  for (int k = 0; k < 8; ++k) sum += at(y, k) * value[k][x];
  half[y][x] = sum;
  __syncthreads();  // the first product is complete before the second one reads it
  sum = 0;
#pragma unroll
  for (int k = 0; k < 8; ++k) sum += half[y][k] * at(x, k);
  to[row * width + col] = sum;
}

__global__ void __launch_bounds__(64) nothing_kernel() {}

struct work {
  control_rows& rows;
  int width;
  std::vector<device_buffer<float>> from, to;
  dim3 blocks{unsigned(width) / 8, unsigned(width) / 8}, threads{8, 8};
};

template <bool Inverse, matrix_by Matrix>
void measure_transform(work& w, std::vector<float>& first) {
  static const char* const names[] = {"pairs", "singles", "shared memory"};
  const auto launch = [&](int i) {
    const std::size_t set = std::size_t(i) % w.from.size();
    transform_kernel<Inverse, Matrix><<<w.blocks, w.threads>>>(w.from[set].data(), w.to[set].data(), w.width);
    check(cudaGetLastError());
  };
  poison(w.to[0].span());
  launch(0);
  must_be_the_same(first, w.to[0].to_host(), names[int(Matrix)]);
  w.rows.measure({{"transform", Inverse ? "inverse" : "forward"}, {"matrix", names[int(Matrix)]}}, launch);
}

template <bool Inverse>
void measure_direction(work& w) {
  std::vector<float> first;
  measure_transform<Inverse, matrix_by::pairs>(w, first);
  measure_transform<Inverse, matrix_by::singles>(w, first);
  measure_transform<Inverse, matrix_by::shared>(w, first);
}

void measure_all(control_rows& rows) {
  matrices host{};
  for (int u = 0; u < 8; ++u)
    for (int x = 0; x < 8; ++x) {
      const double value =
          (u == 0 ? std::sqrt(0.125) : 0.5) * std::cos((2 * x + 1) * u * std::acos(-1.0) / 16);
      host.a[u][x] = host.askew[u][x] = host.transposed[x][u] = float(value);
    }
  check(cudaMemcpyToSymbol(constant_matrices, &host, sizeof(host)));
  check(cudaMemcpyToSymbol(global_matrices, &host, sizeof(host)));
  work w{rows, rows.size(2592, 32), {}, {}};
  const std::size_t pixels = std::size_t(w.width) * w.width;
  for (int s = 0; s < buffer_sets(2 * pixels * sizeof(float)); ++s) {
    w.from.emplace_back(random_signal<float>(pixels, s + 1));
    w.to.emplace_back(pixels);
    if (rows.small()) break;
  }
  measure_direction<false>(w);
  measure_direction<true>(w);
  rows.measure({{"transform", "none"}, {"matrix", "none"}}, [&](int) {
    nothing_kernel<<<w.blocks, w.threads>>>();
    check(cudaGetLastError());
  });
}

}  // namespace
}  // namespace tutorial

int main(int argc, char** argv) { return tutorial::controls_main(argc, argv, tutorial::measure_all); }
