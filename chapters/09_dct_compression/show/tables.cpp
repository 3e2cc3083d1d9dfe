// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "tables.hpp"

#include <algorithm>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "08_dct8x8/host/dct_serial.hpp"
#include "09_dct_compression/host/codec_verification.hpp"
#include "09_dct_compression/host/compress_serial.hpp"
#include "09_dct_compression/kernels/broken.hpp"
#include "09_dct_compression/kernels/compress_fused.hpp"
#include "09_dct_compression/kernels/compress_per_coefficient.hpp"
#include "09_dct_compression/kernels/compress_stepwise.hpp"
#include "09_dct_compression/kernels/move_blocks.hpp"
#include "common/files/numbers.hpp"
#include "common/program/plane_chapter.hpp"
#include "common/verify/compare.hpp"
#include "common/verify/test_picture.hpp"

namespace tutorial {
namespace {

using byte_plane = plane<std::uint8_t>;
using level_plane = plane<std::int16_t>;

constexpr int quality = 50;
constexpr double small_picture = 1e7;  // pixels, for versions of the host that are made to be read

/// Larger pictures repeat one of at most this size, so that all of a result can be verified: its first tile by the
/// reference, the others by being equal to it. Whole 8x8 blocks, and no power of two, as the mistakes in indices are.
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
plane_verification verified(const codec_agreement& tile_verified, const plane<T>& tile, const plane<T>& all) {
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

  plane_verification verify(const level_plane& result, codec_way way) const {
    const level_plane first = first_tile(result, tile_levels.width, tile_levels.height);
    return verified(verify_levels(tile, steps, first, way), first, result);
  }
  plane_verification verify(const byte_plane& result, const level_plane& levels_of_tile,
                            codec_way way) const {
    const byte_plane first = first_tile(result, tile.width, tile.height);
    return verified(verify_pixels(levels_of_tile, steps, first, way), first, result);
  }
  plane_verification verify(const byte_plane& result, codec_way way) const {
    return verify(result, tile_levels, way);
  }

  byte_plane tile;
  level_plane tile_levels;
  int width, height;
  byte_plane pixels;
  level_plane levels;
  quantization_table steps = table_for(component_kind::luminance, quality);
};

/// A launch whose first call finds nothing of a version before it in the output.
template <class Sets>
std::function<void(int)> fresh(Sets& sets, std::function<void(int)> launch) {
  return [&sets, launch = std::move(launch), first = true](int set) mutable {
    if (first) sets.output().poison();
    first = false;
    launch(set);
  };
}

void show_encode(chapter_run& run, const codec_work& work) {
  plane_sets<std::uint8_t, std::int16_t> sets(work.pixels, padded(work.width), padded(work.height));
  stepwise_codec stepwise(work.width, work.height);
  per_coefficient_codec per_coefficient(work.width, work.height);
  level_plane on_host;
  const auto row = [&](const std::string& name, const std::string& label, codec_way way, auto encode) {
    return plane_variant{
        .name = name,
        .label = label,
        .bytes = double(sets.bytes()),
        .launch = fresh(
            sets, [&sets, &work, encode](int set) { encode(sets.from(set), work.steps, sets.to(set)); }),
        .verify = [&sets, &work, way] { return work.verify(sets.output().to_host(), way); },
        .sets = sets.size()};
  };
  show_planes(
      run, "09", {"encode", work.width, work.height, "8-bit to levels"},
      {plane_variant{.name = "serial",
                     .label = "09 definition, one core",
                     .bytes = double(sets.bytes()),
                     .launch = [&](int) { on_host = encode_serial(work.pixels, work.steps); },
                     .verify = [&] { return work.verify(on_host, codec_way::fused); },
                     .on_device = false,
                     .max_pixels = small_picture},
       row("per_coefficient", "09 steps of 64 threads a block", codec_way::stepwise,
           [&](auto... all) { per_coefficient.encode(all...); }),
       row("stepwise", "09 step by step", codec_way::stepwise, [&](auto... all) { stepwise.encode(all...); }),
       row("fused", "09 fused", codec_way::fused, encode_fused)},
      [&] { sets.copy_there_and_back(); });
}

void show_decode(chapter_run& run, const codec_work& work) {
  plane_sets<std::int16_t, std::uint8_t> sets(work.levels, work.width, work.height);
  stepwise_codec stepwise(work.width, work.height);
  per_coefficient_codec per_coefficient(work.width, work.height);
  byte_plane on_host;
  const auto row = [&](const std::string& name, const std::string& label, codec_way way, auto decode) {
    return plane_variant{
        .name = name,
        .label = label,
        .bytes = double(sets.bytes()),
        .launch = fresh(
            sets, [&sets, &work, decode](int set) { decode(sets.from(set), work.steps, sets.to(set)); }),
        .verify = [&sets, &work, way] { return work.verify(sets.output().to_host(), way); },
        .sets = sets.size()};
  };
  show_planes(
      run, "09", {"decode", work.width, work.height, "levels to 8-bit"},
      {plane_variant{
           .name = "serial",
           .label = "09 definition, one core",
           .bytes = double(sets.bytes()),
           .launch = [&](int) { on_host = decode_serial(work.levels, work.steps, work.width, work.height); },
           .verify = [&] { return work.verify(on_host, codec_way::fused); },
           .on_device = false,
           .max_pixels = small_picture},
       row("per_coefficient", "09 steps of 64 threads a block", codec_way::stepwise,
           [&](auto... all) { per_coefficient.decode(all...); }),
       row("stepwise", "09 step by step", codec_way::stepwise, [&](auto... all) { stepwise.decode(all...); }),
       row("fused", "09 fused", codec_way::fused, decode_fused)},
      [&] { sets.copy_there_and_back(); });
}

void show_round_trip(const plane_presentation& present, const codec_work& work) {
  plane_sets<std::uint8_t, std::uint8_t> sets(work.pixels, work.width, work.height);
  stepwise_codec stepwise(work.width, work.height);
  per_coefficient_codec per_coefficient(work.width, work.height);
  device_plane<std::int16_t> levels(padded(work.width), padded(work.height));
  // Levels that two versions may round differently give blocks that differ: each is held against its own.
  const auto own_levels = [&] {
    return first_tile(levels.to_host(), work.tile_levels.width, work.tile_levels.height);
  };
  const auto chain = [&](const std::string& name, const std::string& label, auto& codec) {
    return plane_variant{
        .name = name,
        .label = label,
        .bytes = double(sets.bytes()),
        .launch = fresh(sets,
                        [&](int set) {
                          codec.encode(sets.from(set), work.steps, levels);
                          codec.decode(levels, work.steps, sets.to(set));
                        }),
        .verify = [&] { return work.verify(sets.output().to_host(), own_levels(), codec_way::stepwise); },
        .sets = sets.size()};
  };
  present(
      {"round trip", work.width, work.height, "8-bit to 8-bit"},
      {chain("per_coefficient", "09 steps of 64 threads a block", per_coefficient),
       chain("stepwise", "09 step by step", stepwise),
       plane_variant{.name = "fused_twice",
                     .label = "09 fused, encode and decode",
                     .bytes = double(sets.bytes()),
                     .launch = fresh(sets,
                                     [&](int set) {
                                       encode_fused(sets.from(set), work.steps, levels);
                                       decode_fused(levels, work.steps, sets.to(set));
                                     }),
                     .verify = [&] { return work.verify(sets.output().to_host(), codec_way::fused); },
                     .sets = sets.size()},
       plane_variant{.name = "fused",
                     .label = "09 fused, one kernel",
                     .bytes = double(sets.bytes()),
                     .launch = fresh(
                         sets, [&](int set) { round_trip_fused(sets.from(set), work.steps, sets.to(set)); }),
                     .verify = [&] { return work.verify(sets.output().to_host(), codec_way::fused); },
                     .sets = sets.size()}},
      [&] { sets.copy_there_and_back(); });
}

/// Is it the memory that holds up the round trip? The same loads and stores with nothing between them.
void show_limits(chapter_run& run, const codec_work& work) {
  plane_sets<std::uint8_t, std::uint8_t> sets(work.pixels, work.width, work.height);
  const double bytes = double(sets.bytes());
  show_planes(
      run, "09", {"limits", work.width, work.height, "8-bit to 8-bit"},
      {plane_variant{
           .name = "moves_only",
           .label = "09 its loads and stores alone",
           .bytes = bytes,
           .launch = fresh(sets, [&](int set) { move_blocks(sets.from(set), sets.to(set)); }),
           .verify =
               [&] { return compare<std::uint8_t>(sets.output().to_host().values, work.pixels.values); },
           .sets = sets.size()},
       plane_variant{.name = "fused",
                     .label = "09 fused, one kernel",
                     .bytes = bytes,
                     .launch = fresh(
                         sets, [&](int set) { round_trip_fused(sets.from(set), work.steps, sets.to(set)); }),
                     .verify = [&] { return work.verify(sets.output().to_host(), codec_way::fused); },
                     .sets = sets.size()}});
}

}  // namespace

std::vector<chapter_variant> codec_variants() {
  std::vector<chapter_variant> all = {
      {"serial", "the codec on the host, in double"},
      {"per_coefficient", "a kernel for each step, 64 threads for an 8x8 block"},
      {"stepwise", "a kernel for each step"},
      {"fused_twice", "there and back by two kernels, levels in global memory"},
      {"moves_only", "the loads and stores of the round trip, and nothing between them"},
      {"fused", "one kernel, a thread for an 8x8 block"}};
  for (const broken::shown_codec_mistake& each : broken::shown_codec_mistakes())
    all.push_back({each.name, each.description});
  return all;
}

void show_codec_tables(chapter_run& run) {
  for (const broken::shown_codec_mistake& each : broken::shown_codec_mistakes()) {
    if (run.options().variant != each.name) continue;
    run.say(each.description);
    run.say("Levels that are wrong this time: " + grouped(broken::wrong_levels(each.made)));
    return;
  }
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
}

void draw_codec_times(chapter_run& run) {
  if (run.options().picture.empty() || run.device().emulated) return;
  size_sweep points("round trip", "09 Compression: 8-bit picture to levels and back", "pixels");
  for (int width = 64; width <= 8192; width *= 2)
    show_round_trip(as_points(run, points), codec_work(width, width));
  points.show(run, "sizes");
}

}  // namespace tutorial
