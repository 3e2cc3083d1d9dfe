// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// The kernels of chapter 10, through their public functions. Where tiles look back at others, the pictures
// have one tile: a tile that waits loads again and again, as often as the others let it.
#include <algorithm>
#include <span>

#include "09_dct_compression/checks/jpeg_judge.hpp"
#include "09_dct_compression/host/color.hpp"
#include "09_dct_compression/host/compress_serial.hpp"
#include "10_bits/checks/test_pictures.hpp"
#include "10_bits/encode_strips.hpp"
#include "10_bits/jpeg_decoder.hpp"
#include "10_bits/kernels/decode/clean_scan.hpp"
#include "10_bits/kernels/encode/encode_stepwise.hpp"
#include "10_bits/kernels/encode/encode_tiles.hpp"
#include "10_bits/kernels/file_to_host.hpp"
#include "copied_plane.hpp"
#include "count_kernels.hpp"

namespace tutorial {
namespace {

using bytes = std::vector<std::uint8_t>;
using names = std::vector<std::string>;

/// A picture, 1 or 3 channels, colors in 4:2:0.
struct bits_case {
  int width, height, channels;
  picture_kind kind;
  int quality, restart_interval;
  bool optimized = false;
  int rounds = 0;  ///< Of guessing readers.

  jpeg_coding coding() const { return {restart_interval, optimized}; }
  std::string name() const {
    return std::to_string(width) + " x " + std::to_string(height) + (channels == 1 ? " gray" : " color") +
           (kind == picture_kind::noise ? " noise" : "") +
           (restart_interval == 0 ? "" : ", intervals of " + std::to_string(restart_interval)) +
           (optimized ? ", optimized" : "");
  }
  std::vector<plane<std::uint8_t>> planes() const {
    return split(test_picture(width, height, channels, kind, 3), chroma_sampling::s420);
  }
  /// As the host computes them: what a device rounds in another way shows in the file.
  compressed_picture levels() const {
    compressed_picture result{
        width, height, channels == 3 ? chroma_sampling::s420 : chroma_sampling::s444, {}};
    for (const plane<std::uint8_t>& each : planes()) {
      const auto steps = table_for(
          result.components.empty() ? component_kind::luminance : component_kind::chrominance, quality);
      result.components.push_back({each.width, each.height, steps, encode_serial(each, steps)});
    }
    return result;
  }
};

using make_encoder = std::unique_ptr<jpeg_encoder> (*)(const jpeg_description&, const jpeg_coding&);

/// `kernels` after those that make codes for the picture, if there are such.
void add_encoder(std::vector<count_entry>& entries, const std::string& version, make_encoder make,
                 const names& kernels, const bits_case& what) {
  names all = kernels;
  if (what.optimized) all.insert(all.begin(), {"count_symbols_kernel", "make_codes_kernel"});
  const auto run = [=] {
    const compressed_picture levels = what.levels();
    const jpeg_description picture = description_of(levels);
    std::vector<copied_plane<std::uint8_t>> planes;
    jpeg_planes on_device;
    for (const plane<std::uint8_t>& each : what.planes()) {
      planes.emplace_back(each);
      on_device.of[planes.size() - 1] = planes.back().span();
    }
    device_buffer<std::uint8_t> file(unwritten<std::uint8_t>(roomy_file_size(picture)));
    return file_difference(encoded_file(*make(picture, what.coding()), on_device, file),
                           jpeg_file_serial(levels, what.coding()));
  };
  entries.push_back({version + ", " + what.name(), all.front(), run, {all.begin() + 1, all.end()}});
}

void add_strips(std::vector<count_entry>& entries, const bits_case& what) {
  const auto run = [=] {
    const compressed_picture levels = what.levels();
    const jpeg_description picture = description_of(levels);
    const bytes pixels = what.planes()[0].values;
    device_buffer<std::uint8_t> file(unwritten<std::uint8_t>(roomy_file_size(picture)));
    device_buffer<std::uint64_t> size(1);
    strip_encoder encoder(picture, what.coding(), 3);
    encoder.encode(pixels.data(), file, size.data());
    return file_difference(file_on_host(file, size), jpeg_file_serial(levels, what.coding()));
  };
  entries.push_back({"strip_encoder, 3 strips, " + what.name(),
                     "tile_bits_kernel",
                     run,
                     {"tile_bits_kernel", "tile_bits_kernel", "join_tiles_kernel"}});
}

/// Small pieces: several chunks, and borders to be mended.
void add_decoder(std::vector<count_entry>& entries, const bits_case& what, reading_way way) {
  names further = {"readers_in_chunks_kernel", "mend_borders_kernel"};
  if (way == reading_way::intervals) further = {"interval_readers_kernel"};
  if (way == reading_way::guessing) {
    further.assign(std::size_t(what.rounds), "guessing_readers_kernel");
    further.insert(further.end(), {"add_up_pieces_kernel", "add_up_groups_kernel"});
  }
  if (way != reading_way::intervals) further.push_back("place_blocks_kernel");
  further.push_back("make_samples_kernel");
  if (what.channels == 3) further.push_back("join_components_kernel");
  const auto run = [=]() -> std::string {
    const bytes file = jpeg_file_serial(what.levels(), what.coding());
    const jpeg_head head = read_jpeg_head(file);
    const auto scan = std::span(file).subspan(head.scan_begin);
    if (scan.size() > 4096) return "more than one tile is to be cleaned";
    const device_buffer<std::uint8_t> d_scan(scan);
    jpeg_decoder decoder(head, way, piece_shape{2, 64, 8, 128, 1000});
    decoder.decode(d_scan);
    if (!decoder.why_not().empty()) return decoder.why_not();
    const image ours = decoder.picture();
    const image expected = judge::pixels_in(file, judge::libjpeg_ways::its_own);
    return std::ranges::equal(ours.pixels(), expected.pixels()) ? "" : "the pixels are not libjpeg's";
  };
  const std::string name = way == reading_way::guessing    ? "jpeg_decoder, guessing, "
                           : way == reading_way::intervals ? "jpeg_decoder, intervals, "
                                                           : "jpeg_decoder, ";
  entries.push_back({name + what.name(), "clean_scan_kernel", run, further});
}

/// A scan of `size` bytes that lies `offset` bytes behind a multiple of 16, with two intervals.
void add_cleaner(std::vector<count_entry>& entries, int size, int offset) {
  const std::string name = "scan_cleaner, " + std::to_string(size) + " bytes from " + std::to_string(offset);
  entries.push_back({name, "clean_scan_kernel", [=]() -> std::string {
                       bytes scan, left;
                       for (int i = 0; i < size / 2; ++i) {
                         const bool stuffed = i % 50 == 7;
                         left.push_back(stuffed ? 0xFF
                                                : std::uint8_t(random_bits(5, std::uint64_t(i)) % 255));
                         scan.push_back(left.back());
                         if (stuffed) scan.push_back(0);
                       }
                       const std::size_t first = left.size();
                       scan.insert(scan.end(), {0xFF, 0xD0});
                       while (int(scan.size()) < size - 2) scan.push_back(11), left.push_back(11);
                       scan.insert(scan.end(), {0xFF, 0xD9});
                       bytes all(std::size_t(offset), 0);
                       all.insert(all.end(), scan.begin(), scan.end());
                       const device_buffer<std::uint8_t> d_all(all);
                       device_buffer<int> begins(unwritten<int>(3));
                       device_buffer<scan_findings> findings(unwritten<scan_findings>(1));
                       scan_cleaner cleaner;
                       cleaner.clean({d_all.data() + offset, scan.size()}, 2, begins.data(), findings.data());
                       bytes clean(left.size());
                       check(cudaMemcpy(clean.data(), cleaner.words(), clean.size(), cudaMemcpyDeviceToHost));
                       if (findings.to_host()[0].markers != 2) return "there are two markers";
                       if (clean != left) return "what is left is wrong";
                       return difference(begins, {0, int(first), int(left.size())});
                     }});
}

void add_file(std::vector<count_entry>& entries, std::size_t size) {
  entries.push_back({"host_file, " + std::to_string(size) + " bytes", "file_to_host_kernel", [=] {
                       bytes file(size);
                       for (std::size_t i = 0; i < size; ++i) file[i] = std::uint8_t(random_bits(4, i));
                       const device_buffer<std::uint8_t> d_file(file);
                       const device_buffer<std::uint64_t> d_size(std::vector<std::uint64_t>{size});
                       host_file host(size);
                       host.bring(d_file, d_size.data());
                       const auto got = host.wait();
                       return difference(bytes(got.begin(), got.end()), file);
                     }});
}

}  // namespace

std::vector<count_entry> bits_entries() {
  std::vector<count_entry> entries;
  constexpr auto slopes = picture_kind::slopes, noise = picture_kind::noise;
  const names steps_of_gray = {"encode_fused_kernel", "code_lengths_kernel", "emit_codes_kernel",
                               "count_ff_kernel", "stuff_kernel"};
  names steps_of_color = steps_of_gray;
  steps_of_color.insert(steps_of_color.begin(), 2, "encode_fused_kernel");
  const names fused = {"encode_tiles_kernel"}, split_up = {"tile_bits_kernel", "join_tiles_kernel"};
  const bits_case gray = {61, 21, 1, slopes, 50, 0}, color = {61, 21, 3, slopes, 50, 0},
                  long_codes = {61, 21, 1, noise, 90, 0}, full_tile = {128, 64, 1, slopes, 50, 0},
                  tiles = {200, 136, 1, slopes, 50, 0};

  add_encoder(entries, "stepwise encoder", make_stepwise_encoder, steps_of_gray, gray);
  add_encoder(entries, "stepwise encoder", make_stepwise_encoder, steps_of_gray, tiles);
  add_encoder(entries, "stepwise encoder", make_stepwise_encoder, steps_of_color, color);
  for (const bits_case& what : {gray, color, long_codes, full_tile}) {
    add_encoder(entries, "fused encoder", make_fused_encoder, fused, what);
    add_encoder(entries, "split encoder", make_split_encoder, split_up, what);
  }
  add_encoder(entries, "split encoder", make_split_encoder, split_up, tiles);
  for (bits_case what : {gray, color}) {
    what.restart_interval = 3;
    add_encoder(entries, "split encoder", make_split_encoder, split_up, what);
    what.restart_interval = 0, what.optimized = true;
    add_encoder(entries, "fused encoder", make_fused_encoder, fused, what);
    add_encoder(entries, "split encoder", make_split_encoder, split_up, what);
  }
  add_strips(entries, tiles);
  const std::pair<bits_case, int> decoded[] = {{gray, 5}, {color, 17}, {full_tile, 10}};
  for (auto [what, rounds] : decoded) {
    what.rounds = rounds;
    for (const reading_way way : {reading_way::guessing, reading_way::chunks})
      add_decoder(entries, what, way);
    what.restart_interval = what.channels == 1 ? 1 : 3;
    for (const reading_way way : {reading_way::chunks, reading_way::intervals})
      add_decoder(entries, what, way);
  }
  for (const int offset : {0, 5}) add_cleaner(entries, 2001, offset);
  for (const std::size_t size : {1000, 5003}) add_file(entries, size);
  return entries;
}

}  // namespace tutorial
