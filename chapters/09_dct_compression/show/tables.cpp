// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "tables.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "08_dct8x8/host/dct_serial.hpp"
#include "09_dct_compression/checks/broken.hpp"
#include "09_dct_compression/checks/codec_verification.hpp"
#include "09_dct_compression/compress_stepwise.hpp"
#include "09_dct_compression/host/color.hpp"
#include "09_dct_compression/host/compress_serial.hpp"
#include "09_dct_compression/kernels/color_planes.hpp"
#include "09_dct_compression/kernels/compress_fused.hpp"
#include "09_dct_compression/kernels/compress_per_coefficient.hpp"
#include "09_dct_compression/kernels/compress_stepwise_vectors.hpp"
#include "09_dct_compression/kernels/move_blocks.hpp"
#include "09_dct_compression/show/rate_distortion.hpp"
#include "09_dct_compression/versions.hpp"
#include "common/device/stream.hpp"
#include "common/files/numbers.hpp"
#include "common/program/shown_mistakes.hpp"
#include "common/verify/compare.hpp"
#include "common/verify/test_picture.hpp"

namespace tutorial {
namespace {

using byte_plane = plane<std::uint8_t>;
using level_plane = plane<std::int16_t>;

constexpr int quality = 50;

/// Larger pictures repeat one of at most this size, so that all of a result can be verified: its first tile
/// by the reference, the others by being equal to it. Whole 8x8 blocks, and no power of two, as the mistakes
/// in indices are.
constexpr int most_of_a_tile = 2592;

struct size {
  int width, height;
};

std::vector<size> sizes(bool emulated) {
  return emulated ? std::vector<size>{{256, 64}} : std::vector<size>{{2592, 2592}, {16384, 16384}};
}

template <class T>
plane<T> repeated(const plane<T>& tile, int width, int height) {
  plane<T> all(width, height);
  for (int row = 0; row < height; ++row)
    for (int col = 0; col < width; col += tile.width)
      std::copy_n(&tile.at(row % tile.height, 0), std::min(tile.width, width - col), &all.at(row, col));
  return all;
}

template <class T>
plane<T> first_tile(const plane<T>& all, int width, int height) {
  plane<T> tile(width, height);
  for (int row = 0; row < height; ++row) std::copy_n(&all.at(row, 0), width, &tile.at(row, 0));
  return tile;
}

/// What is not equal to the first tile is one mismatch more.
template <class T>
verification verified(const codec_agreement& tile_verified, const plane<T>& tile, const plane<T>& all) {
  agreement found = tile_verified.found;
  for (int row = 0; row < all.height; ++row)
    for (int col = 0; col < all.width; col += tile.width) {
      const int count = std::min(tile.width, all.width - col);
      if (!std::equal(&all.at(row, col), &all.at(row, col) + count, &tile.at(row % tile.height, 0)))
        ++found.mismatches;
    }
  found.size = all.values.size();
  const std::size_t differing = tile_verified.differing;
  return {found, differing == 0 ? "" : grouped(differing) + " at or near ties"};
}

/// The work of one size: a picture, and its levels.
struct codec_work {
  codec_work(int width, int height)
      : tile(std::min(width, most_of_a_tile), std::min(height, most_of_a_tile)),
        width(width),
        height(height) {
    const plane<float> picture = test_picture(tile.width, tile.height);
    std::copy(picture.values.begin(), picture.values.end(), tile.values.begin());
    const device_plane<std::uint8_t> d_tile(tile);
    device_plane<std::int16_t> d_levels(padded(tile.width), padded(tile.height));
    encode_fused(d_tile, steps, d_levels);
    tile_levels = d_levels.to_host();
    pixels = repeated(tile, width, height);
    levels = repeated(tile_levels, padded(width), padded(height));
  }

  verification verify(const level_plane& result, codec_way way) const {
    const level_plane first = first_tile(result, tile_levels.width, tile_levels.height);
    return verified(verify_levels(tile, steps, first, way), first, result);
  }
  verification verify(const byte_plane& result, const level_plane& levels_of_tile, codec_way way) const {
    const byte_plane first = first_tile(result, tile.width, tile.height);
    return verified(verify_pixels(levels_of_tile, steps, first, way), first, result);
  }
  verification verify(const byte_plane& result, codec_way way) const {
    return verify(result, tile_levels, way);
  }

  byte_plane tile;
  level_plane tile_levels;
  int width, height;
  byte_plane pixels;
  level_plane levels;
  quantization_table steps = table_for(component_kind::luminance, quality);
};

/// The definition on the host: run() works on all pixels and verify() looks at what it has left.
template <class Run, class Verify>
ready_version on_host(const codec_work& work, std::size_t bytes, Run run, Verify verify) {
  return {.name = versions::serial.name,
          .label = versions::serial.label(),
          .bytes = double(bytes),
          .launch = [run](int) { run(); },
          .verify = verify,
          .on_device = false,
          .too_large = double(work.width) * work.height > small_picture};
}

void show_encode(chapter_run& run, const codec_work& work) {
  plane_sets<std::uint8_t, std::int16_t> sets(work.pixels, padded(work.width), padded(work.height));
  stepwise_codec stepwise(work.width, work.height);
  stepwise_vectors_codec vectors(work.width, work.height);
  per_coefficient_codec per_coefficient(work.width, work.height);
  level_plane in_double;
  const auto row = [&](const version_name& name, codec_way way, auto encode) {
    return sets.version(
        name, [&work, encode](auto from, auto to) { encode(from, work.steps, to); },
        [&work, way](const level_plane& result) { return work.verify(result, way); });
  };
  show_planes(
      run, "09", {"encode", work.width, work.height, "8-bit to levels"},
      {on_host(
           work, sets.bytes(), [&] { in_double = encode_serial(work.pixels, work.steps); },
           [&] { return work.verify(in_double, codec_way::fused); }),
       row(versions::codec_per_coefficient, codec_way::stepwise,
           [&](auto... all) { per_coefficient.encode(all...); }),
       row(versions::stepwise, codec_way::stepwise, [&](auto... all) { stepwise.encode(all...); }),
       row(versions::stepwise_vectors, codec_way::stepwise, [&](auto... all) { vectors.encode(all...); }),
       row(versions::fused, codec_way::fused, in_default_stream<encode_fused>)},
      [&] { return sets.measure_copies(); });
}

void show_decode(chapter_run& run, const codec_work& work) {
  plane_sets<std::int16_t, std::uint8_t> sets(work.levels, work.width, work.height);
  stepwise_codec stepwise(work.width, work.height);
  stepwise_vectors_codec vectors(work.width, work.height);
  per_coefficient_codec per_coefficient(work.width, work.height);
  byte_plane in_double;
  const auto row = [&](const version_name& name, codec_way way, auto decode) {
    return sets.version(
        name, [&work, decode](auto from, auto to) { decode(from, work.steps, to); },
        [&work, way](const byte_plane& result) { return work.verify(result, way); });
  };
  show_planes(
      run, "09", {"decode", work.width, work.height, "levels to 8-bit"},
      {on_host(
           work, sets.bytes(),
           [&] { in_double = decode_serial(work.levels, work.steps, work.width, work.height); },
           [&] { return work.verify(in_double, codec_way::fused); }),
       row(versions::codec_per_coefficient, codec_way::stepwise,
           [&](auto... all) { per_coefficient.decode(all...); }),
       row(versions::stepwise, codec_way::stepwise, [&](auto... all) { stepwise.decode(all...); }),
       row(versions::stepwise_vectors, codec_way::stepwise, [&](auto... all) { vectors.decode(all...); }),
       row(versions::fused, codec_way::fused, in_default_stream<decode_fused>)},
      [&] { return sets.measure_copies(); });
}

ready_version round_trip_by_one_kernel(plane_sets<std::uint8_t, std::uint8_t>& sets, const codec_work& work) {
  return sets.version(
      versions::fused, [&work](auto from, auto to) { round_trip_fused(from, work.steps, to); },
      [&work](const byte_plane& result) { return work.verify(result, codec_way::fused); });
}

void show_round_trip(const plane_presentation& present, const codec_work& work) {
  plane_sets<std::uint8_t, std::uint8_t> sets(work.pixels, work.width, work.height);
  stepwise_codec stepwise(work.width, work.height);
  stepwise_vectors_codec vectors(work.width, work.height);
  per_coefficient_codec per_coefficient(work.width, work.height);
  device_plane<std::int16_t> levels(padded(work.width), padded(work.height));
  // Levels that two versions may round differently give blocks that differ: each is held against its own.
  const auto chain = [&](const version_name& name, auto& codec) {
    return sets.version(
        name,
        [&](auto from, auto to) {
          codec.encode(from, work.steps, levels);
          codec.decode(levels, work.steps, to);
        },
        [&](const byte_plane& result) {
          return work.verify(result,
                             first_tile(levels.to_host(), work.tile_levels.width, work.tile_levels.height),
                             codec_way::stepwise);
        });
  };
  present({"round trip", work.width, work.height, "8-bit to 8-bit"},
          {chain(versions::codec_per_coefficient, per_coefficient), chain(versions::stepwise, stepwise),
           chain(versions::stepwise_vectors, vectors),
           sets.version(
               versions::fused_twice,
               [&](auto from, auto to) {
                 encode_fused(from, work.steps, levels);
                 decode_fused(levels, work.steps, to);
               },
               [&](const byte_plane& result) { return work.verify(result, codec_way::fused); }),
           round_trip_by_one_kernel(sets, work)},
          [&] { return sets.measure_copies(); });
}

/// Is it the memory that holds up the round trip? The same loads and stores with nothing between them.
void show_limits(chapter_run& run, const codec_work& work) {
  plane_sets<std::uint8_t, std::uint8_t> sets(work.pixels, work.width, work.height);
  show_planes(run, "09", {"limits", work.width, work.height, "8-bit to 8-bit"},
              {sets.version(
                   versions::loads_and_stores, [](auto from, auto to) { move_blocks(from, to); },
                   [&](const byte_plane& result) {
                     return compare<std::uint8_t>(result.values, work.pixels.values);
                   }),
               round_trip_by_one_kernel(sets, work)});
}

/// Y above, the colors below it: side by side for 4:2:0, one under the other for 4:4:4. So three planes are
/// the output of one version.
struct color_sheet {
  chroma_sampling sampling;
  int width, height;  ///< Of the picture; even, the width a multiple of 16.

  bool halves() const { return sampling == chroma_sampling::s420; }
  int rows() const { return halves() ? height + height / 2 : 3 * height; }
  template <class T>
  device_plane_span<T> component(device_plane_span<T> sheet, int c) const {
    if (c == 0) return {sheet.data(), width, height, sheet.pitch()};
    const int top = halves() ? height : c * height, left = halves() && c == 2 ? width / 2 : 0;
    return {sheet.data() + std::size_t(top) * sheet.pitch() + left, halves() ? width / 2 : width,
            halves() ? height / 2 : height, sheet.pitch()};
  }
  byte_plane sheet_of(const std::vector<byte_plane>& planes) const {
    byte_plane sheet(width, rows());
    for (int c = 0; c < 3; ++c) {
      const int top = c == 0 ? 0 : halves() ? height : c * height, left = halves() && c == 2 ? width / 2 : 0;
      const byte_plane& from = planes[std::size_t(c)];
      for (int row = 0; row < from.height; ++row)
        std::copy_n(&from.at(row, 0), from.width, &sheet.at(top + row, left));
    }
    return sheet;
  }
};

/// Red, green and blue to brightness and color, and back: what a colored picture needs beside the codec.
void show_colors(chapter_run& run, int width, int height) {
  const image picture = sample_picture(width, height);
  const byte_plane rgb(3 * width, height, {picture.pixels().begin(), picture.pixels().end()});
  for (const chroma_sampling sampling : {chroma_sampling::s444, chroma_sampling::s420}) {
    const color_sheet sheet{sampling, width, height};
    const std::vector<byte_plane> planes = split(picture, sampling);
    const byte_plane expected = sheet.sheet_of(planes);
    const image joined_host = joined(planes, width, height, sampling);
    const std::string name = sheet.halves() ? "4:2:0" : "4:4:4";
    {
      plane_sets<std::uint8_t, std::uint8_t> sets(rgb, width, sheet.rows());
      show_planes(run, "09", {"colors to " + name, width, height, "8-bit RGB to Y Cb Cr"},
                  {sets.version(
                      versions::colors,
                      [&](auto from, auto to) {
                        split_colors(from, sheet.component(to, 0), sheet.component(to, 1),
                                     sheet.component(to, 2), sampling);
                      },
                      [&](const byte_plane& result) {
                        return compare<std::uint8_t>(result.values, expected.values);
                      })});
    }
    plane_sets<std::uint8_t, std::uint8_t> sets(expected, 3 * width, height);
    show_planes(run, "09", {"colors from " + name, width, height, "8-bit Y Cb Cr to RGB"},
                {sets.version(
                    versions::colors,
                    [&](auto from, auto to) {
                      join_colors(sheet.component(from, 0), sheet.component(from, 1),
                                  sheet.component(from, 2), sampling, to);
                    },
                    [&](const byte_plane& result) {
                      return compare<std::uint8_t>(result.values, joined_host.pixels());
                    })});
  }
}

}  // namespace

std::vector<chapter_variant> codec_variants() {
  std::vector<chapter_variant> all(std::begin(versions::all_codecs), std::end(versions::all_codecs));
  add_mistakes(all, broken::shown_codec_mistakes());
  return all;
}

void show_codec_tables(chapter_run& run) {
  if (show_mistake(run, broken::shown_codec_mistakes(), "Levels")) return;
  const std::vector<chapter_variant> variants = codec_variants();
  if (std::none_of(variants.begin(), variants.end(), [&](const auto& each) { return run.wants(each.name); }))
    return;
  for (const auto& [width, height] : sizes(run.device().emulated)) {
    const codec_work work(width, height);
    show_encode(run, work);
    show_decode(run, work);
    show_round_trip(as_tables(run, "09"), work);
    if (run.options().variant != "fused") show_limits(run, work);
  }
  if (!run.device().emulated && run.wants(versions::colors.name))
    for (const int side : {2592, 8192}) show_colors(run, side, side);
  else if (run.options().variant == versions::colors.name)
    show_colors(run, 256, 64);
}

void draw_codec_times(chapter_run& run) {
  if (run.options().picture.empty() || run.device().emulated) return;
  size_sweep points("round trip", "09 Compression: 8-bit picture to levels and back", "pixels");
  for (int width = 64; width <= 8192; width *= 2)
    show_round_trip(as_points(run, points), codec_work(width, width));
  points.show(run, "sizes");
}

}  // namespace tutorial
