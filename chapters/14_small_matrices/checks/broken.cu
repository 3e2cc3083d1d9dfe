// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "broken.hpp"

#include <cuda_pipeline.h>
#include <mma.h>

#include <vector>

#include "14_small_matrices/checks/round_trip_verification.hpp"
#include "14_small_matrices/kernels/warp_products.cuh"
#include "common/device/check.hpp"
#include "common/device/device_memory.hpp"
#include "common/verify/inputs.hpp"

namespace tutorial::broken {
namespace {

using namespace detail;
using mistake = product_mistake;
namespace wmma = nvcuda::wmma;

/// load_16_pixels() with zeros beyond the edge.
__device__ uint4 load_16_or_zeros(const pixel_rows<const std::uint8_t>& from, int row, int column) {
  unsigned words[4] = {};
  for (int i = 0; i < 16; ++i)
    if (row < from.height && column + i < from.width)
      words[i / 4] |= unsigned(from.data[row * from.pitch + column + i]) << (8 * (i % 4));
  return make_uint4(words[0], words[1], words[2], words[3]);
}

template <mistake Made>
__device__ unsigned broken_levels(float a, float b) {
  constexpr float scale = float(1 / forward_scale), back = float(1 / inverse_scale);
  if (Made == mistake::small_levels_assumed) return as_bits(two_levels<true>(a, b));
  if (Made == mistake::levels_truncated)
    return as_bits(__floats2half2_rn(truncf(a * scale) * back, truncf(b * scale) * back));
  if (Made == mistake::scale_forgotten) return as_bits(__floats2half2_rn(rintf(a * scale), rintf(b * scale)));
  if (Made == mistake::halves_exchanged) return as_bits(two_levels<false>(b, a));
  return as_bits(two_levels<false>(a, b));
}

/// round_trip_tile().
template <mistake Made>
__device__ void broken_tile(uint4& top, uint4& bottom, const uint4 (&matrices)[16]) {
  const folded_tile folded = fold_tile(top, bottom);
  float pixels[folded_parts][2][4];
  for (int part = 0; part < folded_parts; ++part) {
    float sums[2][4] = {};
    const unsigned(&a)[4] = folded.part[part];
    const unsigned exchanged[4] = {a[0], a[2], a[1], a[3]};
    add_split_product(sums, Made == mistake::registers_exchanged ? exchanged : a, matrices + 2 * part);
    unsigned levels[4];
    for (int i = 0; i < 4; ++i)
      levels[i] = broken_levels<Made>(sums[i / 2][i % 2 * 2], sums[i / 2][i % 2 * 2 + 1]);
    for (int i = 0; i < 8; ++i)
      pixels[part][i / 4][i % 4] = part == 0 && Made != mistake::shift_forgotten ? 128.0f : 0.0f;
    add_split_product(pixels[part], levels, matrices + 8 + 2 * part);
  }
  uint2 rows[2][2];
  for (int block = 0; block < 2; ++block) {
    float of_block[folded_parts][4];
    for (int i = 0; i < 16; ++i) of_block[i / 4][i % 4] = pixels[i / 4][i % 4 / 2][2 * block + i % 2];
    unfold(of_block, rows[block][0], rows[block][1]);
    if (Made == mistake::mirror_forgotten) rows[block][1] = rows[block][0];
  }
  top = make_uint4(rows[0][0].x, rows[0][0].y, rows[1][0].x, rows[1][0].y);
  bottom = make_uint4(rows[0][1].x, rows[0][1].y, rows[1][1].x, rows[1][1].y);
}

/// A warp for each tile, with the pixels straight from and to global memory.
template <mistake Made>
__global__ void broken_mma_kernel(const pixel_rows<const std::uint8_t> pixels, const uint4* fragments,
                                  const tile_grid grid, const pixel_rows<std::uint8_t> result) {
  const int pair = threadIdx.x / 4, j = threadIdx.x % 4;
  const tile_place at = place_of_tile(int(blockIdx.x), grid.tiles_in_row);
  const int column = at.column + 16 * pair;
  if (Made == mistake::lanes_guarded && column >= pixels.width) return;
  uint4 matrices[16];
  load_fragments(fragments, matrices);
  const bool zeros = Made == mistake::zeros_outside;
  uint4 top =
      zeros ? load_16_or_zeros(pixels, at.row + j, column) : load_16_pixels(pixels, at.row + j, column);
  uint4 bottom = zeros ? load_16_or_zeros(pixels, at.row + 7 - j, column)
                       : load_16_pixels(pixels, at.row + 7 - j, column);
  broken_tile<Made>(top, bottom, matrices);
  pixel_rows<std::uint8_t> to = result;
  if (Made == mistake::whole_words_stored) to.width = (to.width + 15) / 16 * 16;
  store_16_pixels(to, at.row + j, column, top);
  store_16_pixels(to, at.row + 7 - j, column, bottom);
}

/// A warp for each tile, with the pixels staged.
template <mistake Made>
__global__ void broken_staged_kernel(const pixel_rows<const std::uint8_t> pixels, const uint4* fragments,
                                     const tile_grid grid, const pixel_rows<std::uint8_t> result) {
  __shared__ uint4 rows[8][10];
  const int pair = threadIdx.x / 4, j = threadIdx.x % 4, line = threadIdx.x / 8, word = threadIdx.x % 8;
  const tile_place at = place_of_tile(int(blockIdx.x), grid.tiles_in_row);
  uint4 matrices[16];
  load_fragments(fragments, matrices);
  for (int row = line; row < 8; row += 4) {
    const std::uint8_t* const from = pixels.data + (at.row + row) * pixels.pitch + at.column + 16 * word;
    __pipeline_memcpy_async(&rows[row][word], from, 16);
  }
  __pipeline_commit();
  if (Made != mistake::not_waited_for) __pipeline_wait_prior(0);
  __syncwarp();
  uint4 top = rows[j][pair], bottom = rows[7 - j][pair];
  round_trip_tile<false>(top, bottom, matrices);
  rows[j][pair] = top, rows[7 - j][pair] = bottom;
  if (Made != mistake::rows_not_met) __syncwarp();
  for (int row = line; row < 8; row += 4)
    store_16_pixels(result, at.row + row, at.column + 16 * word, rows[row][word]);
}

/// The first part of the first tile by wmma: its levels go from one fragment to the other by their elements.
__global__ void broken_wmma_kernel(const pixel_rows<const std::uint8_t> pixels,
                                   const split_matrices* matrices, const pixel_rows<std::uint8_t> result) {
  __shared__ __align__(32) __half factors[256];
  __shared__ __align__(32) float sums[256];
  const int pair = threadIdx.x / 4, j = threadIdx.x % 4;
  const uint4 top = load_16_pixels(pixels, j, 16 * pair), bottom = load_16_pixels(pixels, 7 - j, 16 * pair);
  for (int block = 0; block < 2; ++block) {
    __half2 folded[4][2];
    fold(block == 0 ? make_uint2(top.x, top.y) : make_uint2(top.z, top.w),
         block == 0 ? make_uint2(bottom.x, bottom.y) : make_uint2(bottom.z, bottom.w), folded);
    for (int i = 0; i < 2; ++i)
      *reinterpret_cast<__half2*>(&factors[16 * (2 * pair + block) + 2 * j + 8 * i]) = folded[0][i];
  }
  __syncwarp();
  wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> a;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::col_major> b;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
  wmma::fill_fragment(sum, 0.0f);
  wmma::load_matrix_sync(a, factors, 16);
  wmma::load_matrix_sync(b, reinterpret_cast<const __half*>(matrices->forward[0].high), 16);
  wmma::mma_sync(sum, a, b, sum);
  for (int i = 0; i < sum.num_elements; ++i)
    a.x[i] = __float2half(rintf(sum.x[i] * float(1 / forward_scale)) * float(1 / inverse_scale));
  wmma::fill_fragment(sum, 128.0f);
  wmma::load_matrix_sync(b, reinterpret_cast<const __half*>(matrices->inverse[0].high), 16);
  wmma::mma_sync(sum, a, b, sum);
  wmma::store_matrix_sync(sums, sum, 16, wmma::mem_row_major);
  __syncwarp();
  for (int i = threadIdx.x; i < 1024; i += 32)
    result.data[i / 128 * result.pitch + i % 128] = std::uint8_t(sums[i / 4]);
}

quantization_table table_of_mistakes() { return table_for(component_kind::luminance, 90); }

/// The number toward zero from `bits` if that was rounded up.
std::uint16_t truncated(std::uint16_t bits, std::uint16_t low) {
  const bool away = low != 0 && low != 0x8000 && ((bits ^ low) & 0x8000) != 0;  // high is further from zero
  return std::uint16_t(bits - away);
}

/// The fragments of all lanes, changed as the mistake wants it.
std::vector<uint4> broken_fragments(mistake made, const quantization_table& steps) {
  split_matrices split = split_matrices_of(steps);
  for (int m = 0; m < 2 * folded_parts; ++m) {
    split_matrix& matrix = m < folded_parts ? split.forward[m] : split.inverse[m - folded_parts];
    const split_matrix right = matrix;
    for (int i = 0; i < 256; ++i) {
      if (made == mistake::low_dropped) matrix.low[i] = 0;
      if (made == mistake::high_truncated) matrix.high[i] = truncated(matrix.high[i], matrix.low[i]);
      if (made != mistake::b_transposed) continue;
      matrix.high[i] = right.high[i % 16 * 16 + i / 16];
      matrix.low[i] = right.low[i % 16 * 16 + i / 16];
    }
  }
  std::vector<uint4> all(32 * 16);
  for (int lane = 0; lane < 32; ++lane) {
    const lane_fragments mine = fragments_of(split, lane);
    for (int i = 0; i < 16; ++i) all[std::size_t(32 * i + lane)] = mine.of[i];
  }
  return all;
}

template <mistake Made>
void launch(device_plane_span<const std::uint8_t> pixels, const quantization_table& steps,
            device_plane_span<std::uint8_t> result) {
  const tile_grid grid = tile_grid_of(pixels, result);
  const auto blocks = unsigned(grid.tiles);
  const device_buffer<uint4> fragments(broken_fragments(Made, steps));
  if constexpr (Made == mistake::layout_assumed) {
    const product_matrices matrices(steps);
    broken_wmma_kernel<<<1, 32>>>(rows_of(pixels), matrices.matrices(), rows_of(result));
    check(cudaDeviceSynchronize());
  } else if constexpr (Made == mistake::not_waited_for || Made == mistake::rows_not_met) {
    broken_staged_kernel<Made><<<blocks, 32>>>(rows_of(pixels), fragments.data(), grid, rows_of(result));
  } else {
    broken_mma_kernel<Made><<<blocks, 32>>>(rows_of(pixels), fragments.data(), grid, rows_of(result));
  }
  check(cudaGetLastError());
  check(cudaDeviceSynchronize());
}

}  // namespace

void round_trip(product_mistake made, device_plane_span<const std::uint8_t> pixels,
                const quantization_table& steps, device_plane_span<std::uint8_t> result) {
  using enum product_mistake;
  with_mistakes<none, layout_assumed>(made,
                                      [&](auto constant) { launch<constant.value>(pixels, steps, result); });
}

std::vector<shown_mistake> shown_product_mistakes() {
  using enum product_mistake;
  return shown<product_mistake>(
      wrong_pixels, {{lanes_guarded, "broken: lanes outside of the picture leave before the products",
                      "mma.sync without all lanes of the warp"},
                     {not_waited_for, "broken: staged pixels are read while they are under way",
                      "read of memory that an asynchronous copy is still filling"},
                     {rows_not_met, "broken: rows leave before all lanes have written them", "race"},
                     {layout_assumed, "broken: elements go from a fragment of sums to one of factors",
                      "wmma::mma_sync() with elements that were copied from a fragment of another layout"}});
}

std::size_t wrong_pixels(product_mistake made) {
  const int width = made == mistake::lanes_guarded ? 100 : 128, height = 8;
  plane<std::uint8_t> pixels(width, height);
  for (std::size_t i = 0; i < pixels.values.size(); ++i)
    pixels.values[i] = std::uint8_t(random_bits(1, i) >> 24);
  const device_plane<std::uint8_t> d_pixels(pixels);
  device_plane<std::uint8_t> result(width, height);
  round_trip(made, d_pixels, table_of_mistakes(), result);
  return verify_round_trip(pixels, table_of_mistakes(), result.to_host()).found.mismatches;
}

}  // namespace tutorial::broken
