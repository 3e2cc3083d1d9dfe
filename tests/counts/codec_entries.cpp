// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// The kernels of chapter 09, by their public functions.
#include <functional>
#include <utility>

#include "08_dct8x8/host/dct_serial.hpp"
#include "09_dct_compression/checks/codec_verification.hpp"
#include "09_dct_compression/compress_stepwise.hpp"
#include "09_dct_compression/host/color.hpp"
#include "09_dct_compression/host/compress_serial.hpp"
#include "09_dct_compression/kernels/color_planes.hpp"
#include "09_dct_compression/kernels/compress_fused.hpp"
#include "09_dct_compression/kernels/compress_per_coefficient.hpp"
#include "09_dct_compression/kernels/compress_stepwise_vectors.hpp"
#include "09_dct_compression/kernels/move_blocks.hpp"
#include "common/verify/compare.hpp"
#include "copied_plane.hpp"
#include "count_kernels.hpp"

namespace tutorial {
namespace {

using byte_plane = plane<std::uint8_t>;
using level_plane = plane<std::int16_t>;

byte_plane some_pixels(int width, int height) {
  byte_plane pixels(width, height);
  for (std::size_t i = 0; i < pixels.values.size(); ++i)
    pixels.values[i] = std::uint8_t(random_bits(1, i) >> 24);
  return pixels;
}

/// What cannot be halfway between two whole numbers, so that every device rounds it alike.
plane<float> some_floats(int width, int height) {
  plane<float> values(width, height);
  for (std::size_t i = 0; i < values.values.size(); ++i)
    values.values[i] = float(int(random_bits(2, i) % 201) - 100) + 0.25f;
  return values;
}

level_plane some_levels(int width, int height) {
  level_plane levels(width, height);
  for (std::size_t i = 0; i < levels.values.size(); ++i)
    levels.values[i] = std::int16_t(int(random_bits(3, i) % 41) - 20);
  return levels;
}

const quantization_table& table() {
  static const quantization_table steps = table_for(component_kind::luminance, 75);
  return steps;
}

std::string wrong(const codec_agreement& verified) { return verified ? "" : describe(verified.found); }

template <class T>
std::string wrong(const plane<T>& actual, const plane<T>& expected) {
  return actual == expected ? "" : "it is not what the host computes";
}

std::string name_of(const std::string& what, int width, int height) {
  return what + ", " + std::to_string(width) + " x " + std::to_string(height);
}

void add_fused(std::vector<count_entry>& entries, int width, int height) {
  const int whole_width = padded(width), whole_height = padded(height);
  entries.push_back({name_of("encode_fused", width, height), "encode_fused_kernel", [=] {
                       const byte_plane pixels = some_pixels(width, height);
                       copied_plane from(pixels);
                       copied_plane to(level_plane(whole_width, whole_height));
                       encode_fused(from.span(), table(), to.span());
                       return wrong(verify_levels(pixels, table(), to.to_host(), codec_way::fused));
                     }});
  entries.push_back({name_of("decode_fused", width, height), "decode_fused_kernel", [=] {
                       const level_plane levels = some_levels(whole_width, whole_height);
                       copied_plane from(levels);
                       copied_plane to(byte_plane(width, height));
                       decode_fused(from.span(), table(), to.span());
                       return wrong(verify_pixels(levels, table(), to.to_host(), codec_way::fused));
                     }});
  entries.push_back(
      {name_of("round_trip_fused", width, height), "round_trip_fused_kernel", [=] {
         // Levels of whole coefficients, far from any tie: DC alone.
         const byte_plane pixels(width, height, 77);
         copied_plane from(pixels);
         copied_plane to(byte_plane(width, height));
         round_trip_fused(from.span(), table(), to.span());
         return wrong(verify_pixels(encode_serial(pixels, table()), table(), to.to_host(), codec_way::fused));
       }});
  entries.push_back({name_of("move_blocks", width, height), "move_blocks_kernel", [=] {
                       const byte_plane pixels = some_pixels(width, height);
                       copied_plane from(pixels);
                       copied_plane to(byte_plane(width, height));
                       move_blocks(from.span(), to.span());
                       return wrong(to.to_host(), pixels);
                     }});
}

template <class Codec>
void add_codec(std::vector<count_entry>& entries, const std::string& name, std::vector<std::string> encode,
               std::vector<std::string> decode, int width, int height) {
  const auto add = [&](const std::string& way, std::vector<std::string>& kernels,
                       std::function<std::string()> run) {
    const std::string first = kernels.front();
    kernels.erase(kernels.begin());
    entries.push_back({name_of(name + way, width, height), first, std::move(run), std::move(kernels)});
  };
  const int whole_width = padded(width), whole_height = padded(height);
  add(" encode", encode, [=] {
    const byte_plane pixels = some_pixels(width, height);
    copied_plane from(pixels);
    copied_plane to(level_plane(whole_width, whole_height));
    Codec codec(width, height);
    codec.encode(from.span(), table(), to.span());
    return wrong(verify_levels(pixels, table(), to.to_host(), codec_way::stepwise));
  });
  add(" decode", decode, [=] {
    const level_plane levels = some_levels(whole_width, whole_height);
    copied_plane from(levels);
    copied_plane to(byte_plane(width, height));
    Codec codec(width, height);
    codec.decode(from.span(), table(), to.span());
    return wrong(verify_pixels(levels, table(), to.to_host(), codec_way::stepwise));
  });
}

void add_steps(std::vector<count_entry>& entries, int width, int height) {
  const int whole_width = padded(width), whole_height = padded(height);
  entries.push_back({name_of("shift_levels", width, height), "shift_levels_kernel", [=] {
                       const byte_plane pixels = some_pixels(width, height);
                       copied_plane from(pixels);
                       plane<float> expected(width, height);
                       for (std::size_t i = 0; i < pixels.values.size(); ++i)
                         expected.values[i] = float(pixels.values[i] - 128);
                       copied_plane to(plane<float>(width, height));
                       shift_levels(from.span(), to.span());
                       return wrong(to.to_host(), expected);
                     }});
  entries.push_back({name_of("to_pixels", width, height), "to_pixels_kernel", [=] {
                       const plane<float> shifted = some_floats(width, height);
                       copied_plane from(shifted);
                       byte_plane expected(width, height);
                       for (std::size_t i = 0; i < shifted.values.size(); ++i)
                         expected.values[i] = std::uint8_t(shifted.values[i] + 128);  // a quarter more: down
                       copied_plane to(byte_plane(width, height));
                       to_pixels(from.span(), to.span());
                       return wrong(to.to_host(), expected);
                     }});
  entries.push_back({name_of("quantize", whole_width, whole_height), "quantize_kernel", [=] {
                       level_plane expected = some_levels(whole_width, whole_height);
                       plane<float> coefficients(whole_width, whole_height);
                       for (int row = 0; row < whole_height; ++row)
                         for (int col = 0; col < whole_width; ++col)
                           coefficients.at(row, col) =
                               float(expected.at(row, col) * table()[std::size_t(8 * (row % 8) + col % 8)]);
                       copied_plane from(coefficients);
                       copied_plane to(level_plane(whole_width, whole_height));
                       quantize(from.span(), table(), to.span());
                       return wrong(to.to_host(), expected);
                     }});
  entries.push_back({name_of("dequantize", whole_width, whole_height), "dequantize_kernel", [=] {
                       const level_plane levels = some_levels(whole_width, whole_height);
                       plane<float> expected(whole_width, whole_height);
                       for (int row = 0; row < whole_height; ++row)
                         for (int col = 0; col < whole_width; ++col)
                           expected.at(row, col) =
                               float(levels.at(row, col) * table()[std::size_t(8 * (row % 8) + col % 8)]);
                       copied_plane from(levels);
                       copied_plane to(plane<float>(whole_width, whole_height));
                       dequantize(from.span(), table(), to.span());
                       return wrong(to.to_host(), expected);
                     }});
}

/// The levels of some_levels() along their paths.
std::vector<std::int16_t> path_of(const level_plane& levels) {
  std::vector<std::int16_t> path;
  for (int top = 0; top < levels.height; top += 8)
    for (int left = 0; left < levels.width; left += 8)
      for (const int place : zigzag_order()) path.push_back(levels.at(top + place / 8, left + place % 8));
  return path;
}

void add_zigzag(std::vector<count_entry>& entries, int width, int height) {
  entries.push_back({name_of("to_zigzag", width, height), "to_zigzag_kernel", [=] {
                       const level_plane levels = some_levels(width, height);
                       copied_plane from(levels);
                       device_buffer<std::int16_t> path(unwritten<std::int16_t>(levels.values.size()));
                       to_zigzag(from.span(), path);
                       return difference(path, path_of(levels));
                     }});
  entries.push_back({name_of("from_zigzag", width, height), "from_zigzag_kernel", [=] {
                       const level_plane levels = some_levels(width, height);
                       const device_buffer<std::int16_t> path(path_of(levels));
                       copied_plane to(level_plane(width, height));
                       from_zigzag(path, to.span());
                       return wrong(to.to_host(), levels);
                     }});
}

void add_colors(std::vector<count_entry>& entries, chroma_sampling sampling, int width, int height) {
  const bool halves = sampling == chroma_sampling::s420;
  const std::string suffix = halves ? " 4:2:0" : " 4:4:4";
  entries.push_back({name_of("split_colors" + suffix, width, height),
                     halves ? "split_420_kernel" : "split_444_kernel", [=]() -> std::string {
                       const byte_plane rgb = some_pixels(3 * width, height);
                       const auto expected = split(image(width, height, 3, rgb.values), sampling);
                       copied_plane from(rgb);
                       std::vector<copied_plane<std::uint8_t>> to;
                       for (const byte_plane& each : expected)
                         to.emplace_back(byte_plane(each.width, each.height));
                       split_colors(from.span(), to[0].span(), to[1].span(), to[2].span(), sampling);
                       for (std::size_t c = 0; c < 3; ++c)
                         if (to[c].to_host() != expected[c])
                           return "plane " + std::to_string(c) + " is wrong";
                       return {};
                     }});
  entries.push_back(
      {name_of("join_colors" + suffix, width, height), "join_kernel", [=] {
         const auto planes = split(image(width, height, 3, some_pixels(3 * width, height).values), sampling);
         const image expected = joined(planes, width, height, sampling);
         std::vector<copied_plane<std::uint8_t>> from;
         for (const byte_plane& each : planes) from.emplace_back(each);
         copied_plane to(byte_plane(3 * width, height));
         join_colors(from[0].span(), from[1].span(), from[2].span(), sampling, to.span());
         return wrong(to.to_host(),
                      byte_plane(3 * width, height, {expected.pixels().begin(), expected.pixels().end()}));
       }});
}

}  // namespace

std::vector<count_entry> codec_entries() {
  std::vector<count_entry> entries;
  // Full warps, some that are not full and stand over both edges, and more 8x8 blocks in a row than a warp
  // has lanes.
  for (const auto& [width, height] : {std::pair(256, 32), {61, 21}, {275, 9}})
    add_fused(entries, width, height);
  for (const auto& [width, height] : {std::pair(64, 16), {61, 21}}) {
    add_codec<per_coefficient_codec>(
        entries, "per_coefficient_codec",
        {"shift_levels_kernel", "dct8x8_textured_kernel", "quantize_per_coefficient_kernel"},
        {"dequantize_per_coefficient_kernel", "idct8x8_textured_kernel", "to_pixels_kernel"}, width, height);
    add_codec<stepwise_vectors_codec>(
        entries, "stepwise_vectors_codec",
        {"shift_vectors_kernel", "dct8x8_kernel", "quantize_vectors_kernel"},
        {"dequantize_vectors_kernel", "idct8x8_kernel", "to_pixels_vectors_kernel"}, width, height);
    add_steps(entries, width, height);
    add_zigzag(entries, padded(width), padded(height));
    for (const auto sampling : {chroma_sampling::s444, chroma_sampling::s420})
      add_colors(entries, sampling, width, height);
  }
  return entries;
}

}  // namespace tutorial
