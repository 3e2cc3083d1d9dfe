// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "broken.hpp"

#include "08_dct8x8/host/dct_serial.hpp"
#include "08_dct8x8/kernels/dct8x8_columns.hpp"
#include "09_dct_compression/checks/codec_verification.hpp"
#include "09_dct_compression/host/block_factors.hpp"
#include "09_dct_compression/kernels/block_memory.cuh"
#include "09_dct_compression/kernels/codec_steps.hpp"
#include "09_dct_compression/kernels/factorized_dct.cuh"
#include "common/device/check.hpp"
#include "common/device/device_memory.hpp"
#include "common/verify/inputs.hpp"

namespace tutorial::broken {
namespace {

using mistake = codec_mistake;

/// The kernel of encode_fused.cu, one thread a block.
template <mistake Made>
__global__ void broken_encode_kernel(const std::uint8_t* pixels, std::size_t pixel_pitch, int width,
                                     int height, const __grid_constant__ block_factors factors,
                                     std::int16_t* levels, std::size_t level_pitch) {
  const pixel_block at{static_cast<int>(blockIdx.x) * 8, static_cast<int>(blockIdx.y) * 8, width, height};
  pixel_row rows[8];
  if (Made == mistake::rows_behind_last || Made == mistake::askew_rows) {
    for (int r = 0; r < 8; ++r) {
      const int row = Made == mistake::askew_rows ? min(at.row + r, height - 1) : at.row + r;
      rows[r] = *reinterpret_cast<const pixel_row*>(pixels + row * pixel_pitch + at.column);
    }
  } else {
    load_rows(pixels, pixel_pitch, at, rows);
  }
  float x[64];
  for (int i = 0; i < 64; ++i) {
    const bool outside = at.row + i / 8 >= height || at.column + i % 8 >= width;
    const bool zero = Made == mistake::zeros_outside && outside;
    x[i] = zero ? 0 : static_cast<float>(byte_of(rows[i / 8], i % 8));
  }
  for (int c = 0; c < 8; ++c) dct8_scaled<8>(x + c);
  for (int v = 0; v < 8; ++v) dct8_scaled<1>(x + 8 * v);
  if (Made != mistake::shift_forgotten) x[0] -= 64 * 128;

  auto* const first =
      reinterpret_cast<char*>(levels) + at.row * level_pitch + at.column * sizeof(std::int16_t);
  for (int i = 0; i < 64; ++i) {
    const float value = x[i] * factors.at[i];
    const float level = Made == mistake::truncated ? truncf(value) : rintf(value);
    const int u = Made == mistake::pairs_exchanged ? i % 8 ^ 1 : i % 8;
    reinterpret_cast<std::int16_t*>(first + i / 8 * level_pitch)[u] = static_cast<std::int16_t>(level);
  }
}

/// The kernel of decode_fused.cu, one thread a block.
template <mistake Made>
__global__ void broken_decode_kernel(const std::int16_t* levels, std::size_t level_pitch,
                                     const __grid_constant__ block_factors factors, std::uint8_t* pixels,
                                     std::size_t pixel_pitch, int width, int height) {
  const pixel_block at{static_cast<int>(blockIdx.x) * 8, static_cast<int>(blockIdx.y) * 8, width, height};
  const char* const first =
      reinterpret_cast<const char*>(levels) + at.row * level_pitch + at.column * sizeof(std::int16_t);
  float x[64];
  for (int i = 0; i < 64; ++i)
    x[i] = reinterpret_cast<const std::int16_t*>(first + i / 8 * level_pitch)[i % 8] * factors.at[i];
  x[0] += 128;
  for (int v = 0; v < 8; ++v) idct8_scaled<1>(x + 8 * v);
  for (int c = 0; c < 8; ++c) idct8_scaled<8>(x + c);
  for (int i = 0; i < 64; ++i) {
    const int row = at.row + i / 8, col = at.column + i % 8;
    if (row >= height || (col >= width && Made != mistake::whole_rows_stored)) continue;
    const int nearest = __float2int_rn(x[i]);
    const int value = Made == mistake::not_clamped ? nearest & 255 : min(max(nearest, 0), 255);
    pixels[row * pixel_pitch + col] = static_cast<std::uint8_t>(value);
  }
}

/// The kernel of quantize.cu, for one row of 8x8 blocks, without its barrier.
__global__ void broken_quantize_kernel(const float* coefficients, std::size_t coefficients_pitch,
                                       const __grid_constant__ block_factors steps, std::int16_t* levels,
                                       std::size_t levels_pitch) {
  __shared__ float step[64];
  const int thread = threadIdx.y * blockDim.x + threadIdx.x;
  if (thread < 64) step[thread] = steps.at[thread];
  const int col = threadIdx.x, row = threadIdx.y;
  levels[row * levels_pitch + col] = static_cast<std::int16_t>(
      roundf(coefficients[row * coefficients_pitch + col] / step[8 * row + col % 8]));
}

quantization_table transposed(const quantization_table& steps) {
  quantization_table result{};
  for (std::size_t i = 0; i < 64; ++i) result[i] = steps[i % 8 * 8 + i / 8];
  return result;
}

/// Without the scale of the DCT, but for the 8 that is common to all.
block_factors unscaled_factors(const quantization_table& steps) {
  block_factors factors{};
  for (int i = 0; i < 64; ++i) factors.at[i] = 1 / (8.0f * steps[std::size_t(i)]);
  return factors;
}

template <mistake Made>
void launch_encode(device_plane_span<const std::uint8_t> pixels, const quantization_table& steps,
                   device_plane_span<std::int16_t> levels) {
  const block_factors factors = Made == mistake::scale_forgotten    ? unscaled_factors(steps)
                                : Made == mistake::steps_transposed ? encode_factors(transposed(steps))
                                                                    : encode_factors(steps);
  const dim3 blocks(unsigned(levels.width() / 8), unsigned(levels.height() / 8));
  broken_encode_kernel<Made><<<blocks, 1>>>(pixels.data(), pixels.pitch(), pixels.width(), pixels.height(),
                                            factors, levels.data(), levels.pitch());
  check(cudaGetLastError());
}

template <mistake Made>
void launch_decode(device_plane_span<const std::int16_t> levels, const quantization_table& steps,
                   device_plane_span<std::uint8_t> pixels) {
  const dim3 blocks(unsigned(levels.width() / 8), unsigned(levels.height() / 8));
  broken_decode_kernel<Made><<<blocks, 1>>>(levels.data(), levels.pitch(), decode_factors(steps),
                                            pixels.data(), pixels.pitch(), pixels.width(), pixels.height());
  check(cudaGetLastError());
}

}  // namespace

void encode(codec_mistake made, device_plane_span<const std::uint8_t> pixels, const quantization_table& steps,
            device_plane_span<std::int16_t> levels) {
  using enum codec_mistake;
  const auto launch = [&](auto constant) { launch_encode<constant.value>(pixels, steps, levels); };
  if (!with_mistakes<shift_forgotten, zeros_outside>(made, launch) &&
      !with_mistakes<rows_behind_last, askew_rows>(made, launch))
    launch_encode<none>(pixels, steps, levels);
}

void decode(codec_mistake made, device_plane_span<const std::int16_t> levels, const quantization_table& steps,
            device_plane_span<std::uint8_t> pixels) {
  using enum codec_mistake;
  if (!with_mistakes<not_clamped, whole_rows_stored>(
          made, [&](auto constant) { launch_decode<constant.value>(levels, steps, pixels); }))
    launch_decode<none>(levels, steps, pixels);
}

std::vector<shown_mistake> shown_codec_mistakes() {
  using enum codec_mistake;
  return shown<codec_mistake>(
      wrong_levels,
      {{steps_not_awaited, "broken: no barrier before the steps are used", "race"},
       {rows_behind_last, "broken: loads rows that the picture does not have", "access out of bounds"},
       {askew_rows, "broken: words of 8 bytes from rows at multiples of 4", "misaligned access"}});
}

std::size_t wrong_levels(codec_mistake made) {
  const int width = 32, height = made == mistake::rows_behind_last ? 13 : 8;
  const quantization_table steps = table_for(component_kind::luminance, 75);
  plane<std::uint8_t> pixels(width, height);
  for (std::size_t i = 0; i < pixels.values.size(); ++i)
    pixels.values[i] = static_cast<std::uint8_t>(random_bits(1, i) >> 24);
  device_plane<std::int16_t> levels(padded(width), padded(height));

  if (made == mistake::steps_not_awaited) {
    const device_plane<std::uint8_t> d_pixels(pixels);
    device_plane<float> shifted(width, height), coefficients(width, height);
    shift_levels(d_pixels, shifted);
    dct8x8(shifted, coefficients);
    broken_quantize_kernel<<<1, dim3(32, 8)>>>(coefficients.span().data(),
                                               coefficients.pitch() / sizeof(float), plain_factors(steps),
                                               levels.span().data(), levels.pitch() / sizeof(std::int16_t));
    check(cudaGetLastError());
    return verify_levels(pixels, steps, levels.to_host(), codec_way::stepwise).found.mismatches;
  }
  // Rows without a gap, but for askew_rows, where they begin at every 36th byte.
  const std::size_t pitch = made == mistake::askew_rows ? 36 : 32;
  device_buffer<std::uint8_t> bytes(pitch * std::size_t(height));
  check(cudaMemset(bytes.data(), 0, bytes.size()));
  check(cudaMemcpy2D(bytes.data(), pitch, pixels.values.data(), 32, 32, std::size_t(height),
                     cudaMemcpyHostToDevice));
  encode(made, {bytes.data(), width, height, pitch}, steps, levels);
  return verify_levels(pixels, steps, levels.to_host(), codec_way::fused).found.mismatches;
}

}  // namespace tutorial::broken
