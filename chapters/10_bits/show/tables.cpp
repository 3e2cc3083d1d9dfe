// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "tables.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "09_dct_compression/checks/jpeg_judge.hpp"
#include "09_dct_compression/device_codec.hpp"
#include "09_dct_compression/host/jpeg_output.hpp"
#include "10_bits/checks/broken.hpp"
#include "10_bits/encode_strips.hpp"
#include "10_bits/host/code_serial.hpp"
#include "10_bits/jpeg_decoder.hpp"
#include "10_bits/jpeg_on_device.hpp"
#include "10_bits/kernels/encode/encode_stepwise.hpp"
#include "10_bits/kernels/encode/encode_tiles.hpp"
#include "10_bits/kernels/file_to_host.hpp"
#include "10_bits/versions.hpp"
#include "common/device/check.hpp"
#include "common/device/pinned_buffer.hpp"
#include "common/files/numbers.hpp"
#include "common/program/shown_mistakes.hpp"
#include "common/verify/compare.hpp"
#include "common/verify/test_picture.hpp"

namespace tutorial {
namespace {

constexpr int quality = 50;
constexpr int interval = 128;  // 8x8 blocks of a gray picture: one tile
constexpr int strips = 8;      // of a picture on its way from the host

image gray_picture(int width, int height) {
  const plane<float> values = test_picture(width, height);
  return image(width, height, 1, {values.values.begin(), values.values.end()});
}

image color_picture(int width, int height) {
  const plane<float> red = test_picture(width, height, 1), green = test_picture(width, height, 2);
  image result(width, height, 3);
  for (int row = 0; row < height; ++row)
    for (int col = 0; col < width; ++col) {
      const int r = int(red.at(row, col)), g = int(green.at(row, col));
      result.at(row, col, 0) = std::uint8_t(r);
      result.at(row, col, 1) = std::uint8_t((3 * r + g) / 4);  // colors of pictures vary less than brightness
      result.at(row, col, 2) = std::uint8_t((r + g) / 2);
    }
  return result;
}

/// A picture in so many places in device memory that no call finds it in the cache, and libjpeg's file of it.
class file_work {
 public:
  file_work(const image& picture, const jpeg_coding& coding)
      : description(description_of(picture, quality, chroma_sampling::s420)),
        coding(coding),
        levels(compress_on_device(picture, quality, chroma_sampling::s420)),
        expected(jpeg_bytes(levels, {coding.optimized, coding.restart_interval})),
        file_(roomy_file_size(description)),
        size_(1) {
    for (int s = buffer_sets(bytes()); s > 0; --s)
      pictures_.push_back(on_device(picture, chroma_sampling::s420));
  }

  /// Read and written, at least: the samples, and the file.
  std::size_t bytes() const {
    const int chroma = half_as_many(description.width) * half_as_many(description.height);
    return std::size_t(description.width) * std::size_t(description.height) +
           (description.channels == 3 ? 2 * std::size_t(chroma) : 0) + expected.size();
  }

  ready_version version(const version_name& name, std::shared_ptr<jpeg_encoder> encoder) {
    return {.name = name.name,
            .label = name.label(),
            .bytes = double(bytes()),
            .prepare = [this] { poison(file_.span()); },
            .launch =
                [this, encoder](int set) {
                  encoder->encode(pictures_[std::size_t(set)].planes(), file_, size_.data());
                },
            .verify = [this] { return verified(); },
            .sets = int(pictures_.size()),
            .counted = counted_blocks::one_by_one};
  }

  const jpeg_description description;
  const jpeg_coding coding;
  const compressed_picture levels;
  const std::vector<std::uint8_t> expected;

 private:
  verification verified() {
    std::vector<std::uint8_t> ours = file_.to_host();
    ours.resize(std::min(ours.size(), std::size_t(size_.to_host()[0])));
    if (ours.size() != expected.size()) {
      agreement found{.size = expected.size(), .mismatches = 1};
      return {found,
              std::to_string(ours.size()) + " bytes, libjpeg's file has " + std::to_string(expected.size())};
    }
    return {compare(ours, expected), "as libjpeg's file"};
  }

  std::vector<device_picture> pictures_;
  device_buffer<std::uint8_t> file_;
  device_buffer<std::uint64_t> size_;
};

std::string name_of(const image& picture, const jpeg_coding& coding) {
  return std::string(picture.channels() == 1 ? "gray" : "4:2:0") +
         (coding.restart_interval == 0
              ? ""
              : " with a marker every " + std::to_string(coding.restart_interval) + " units") +
         (coding.optimized ? " with own codes" : "");
}

/// The last step alone, on the host.
ready_version on_host(const file_work& work, std::vector<std::uint8_t>& result) {
  const auto layout =
      scan_layout_of(work.description.width, work.description.height, work.description.channels,
                     work.description.sampling, work.coding.restart_interval);
  return {.name = versions::code_serial.name,
          .label = versions::code_serial.label(),
          .bytes = double(work.bytes()),
          .launch = [&work, &result,
                     layout](int) { result = code_serial(work.levels, layout, standard_codes()); },
          .verify =
              [&work, &result] {
                const std::size_t header =
                    jpeg_header(work.description, standard_codes(), work.coding.restart_interval).size();
                std::vector<std::uint8_t> expected(work.expected.begin() + std::ptrdiff_t(header),
                                                   work.expected.end() - 2);
                if (expected.size() != result.size())
                  return verification(agreement{.size = expected.size(), .mismatches = 1});
                return verification(compare(result, expected), "as in libjpeg's file");
              },
          .on_device = false,
          .too_large = double(work.description.width) * work.description.height > small_picture};
}

void show_files(chapter_run& run, const image& picture, const jpeg_coding& coding) {
  file_work work(picture, coding);
  std::vector<std::uint8_t> coded;
  std::vector<ready_version> rows;
  if (!coding.optimized) rows.push_back(on_host(work, coded));
  if (!coding.optimized && coding.restart_interval == 0)
    rows.push_back(work.version(versions::encode_stepwise, make_stepwise_encoder(work.description, coding)));
  rows.push_back(work.version(versions::encode_fused_tiles, make_fused_encoder(work.description, coding)));
  rows.push_back(work.version(versions::encode_split_tiles, make_split_encoder(work.description, coding)));
  show_planes(run, "10", {"to a file", picture.width(), picture.height(), name_of(picture, coding)}, rows);
}

/// A version timed by the host's clock: `call` leaves the file on the host in `result`.
ready_version host_version(const file_work& work, const version_name& name, std::function<void()> call,
                           std::span<const std::uint8_t>& result) {
  return {.name = name.name,
          .label = name.label(),
          .bytes = double(work.bytes()),
          .launch = [call](int) { call(); },
          .verify =
              [&work, &result] {
                return result.size() != work.expected.size()
                           ? verification(agreement{.size = work.expected.size(), .mismatches = 1})
                           : verification(compare<std::uint8_t>(result, work.expected), "as libjpeg's file");
              },
          .on_device = false};
}

/// Whole calls: pixels on the device or on the host to a file on the host.
void show_files_on_host(chapter_run& run, const image& picture, const jpeg_coding& coding) {
  const file_work work(picture, coding);
  picture_encoder encoder(work.description, coding);
  strip_encoder by_strips(work.description, coding, strips);
  const pinned_buffer<std::uint8_t> on_host(picture.pixels());
  device_plane<std::uint8_t> pixels(plane<std::uint8_t>(int(picture.stride()), picture.height(),
                                                        {picture.pixels().begin(), picture.pixels().end()}));
  device_buffer<std::uint8_t> file(roomy_file_size(work.description));
  device_buffer<std::uint64_t> size(1);
  pinned_buffer<std::uint8_t> copied(file.size());
  host_file written(file.size());
  std::span<const std::uint8_t> result;
  const auto bring = [&] {
    written.bring(file, size.data());
    result = written.wait();
  };
  const std::string name = name_of(picture, coding);
  show_planes(run, "10", {"to a file on the host", picture.width(), picture.height(), name},
              {host_version(
                   work, versions::copied_to_host,
                   [&] {
                     encoder.encode(pixels, file, size.data());
                     const std::size_t bytes = std::min<std::size_t>(size.to_host()[0], file.size());
                     check(cudaMemcpy(copied.data(), file.data(), bytes, cudaMemcpyDeviceToHost));
                     result = copied.span().first(bytes);
                   },
                   result),
               host_version(
                   work, versions::written_to_host,
                   [&] {
                     encoder.encode(pixels, file, size.data());
                     bring();
                   },
                   result)});
  show_planes(
      run, "10", {"from the host to a file there", picture.width(), picture.height(), name},
      {host_version(
           work, versions::uploaded_whole,
           [&] {
             const std::size_t width = std::size_t(pixels.width());
             check(cudaMemcpy2DAsync(pixels.span().data(), pixels.pitch(), on_host.span().data(), width,
                                     width, std::size_t(pixels.height()), cudaMemcpyHostToDevice));
             encoder.encode(pixels, file, size.data());
             bring();
           },
           result),
       host_version(
           work, versions::uploaded_in_strips,
           [&] {
             by_strips.encode(on_host.span().data(), file, size.data());
             bring();
           },
           result)});
}

void show_decoding(chapter_run& run, const image& picture, int restart_interval) {
  const std::vector<std::uint8_t> file =
      jpeg_bytes(compress_on_device(picture, quality, chroma_sampling::s420), {false, restart_interval});
  const jpeg_head head = read_jpeg_head(file);
  const device_buffer<std::uint8_t> scan(std::span<const std::uint8_t>(file).subspan(head.scan_begin));
  const image expected = judge::pixels_in(file, judge::libjpeg_ways::its_own);
  piece_shape word_by_word = jpeg_decoder::shape_for(head, scan.size());
  word_by_word.words_of_look = 1;
  jpeg_decoder guessing(head, reading_way::guessing, word_by_word),
      chunks(head, reading_way::chunks, word_by_word), striding(head, reading_way::chunks, std::nullopt),
      intervals(head, reading_way::intervals, std::nullopt);
  const auto version = [&](const version_name& which, jpeg_decoder& decoder) {
    return ready_version{.name = which.name,
                         .label = which.label(),
                         .bytes = double(expected.pixels().size() + file.size()),
                         .launch = [&](int) { decoder.decode(scan); },
                         .verify =
                             [&] {
                               return verification(
                                   compare<std::uint8_t>(decoder.picture().pixels(), expected.pixels()),
                                   "as libjpeg's");
                             },
                         .counted = counted_blocks::one_by_one};
  };
  std::vector<ready_version> all = {version(versions::guessing_readers, guessing),
                                    version(versions::readers_in_chunks, chunks),
                                    version(versions::striding_readers, striding)};
  if (restart_interval > 0) all.push_back(version(versions::interval_readers, intervals));
  show_planes(run, "10",
              {"from a file", picture.width(), picture.height(), name_of(picture, {restart_interval, false})},
              all);
}

}  // namespace

std::vector<chapter_variant> bit_variants() {
  std::vector<chapter_variant> all(std::begin(versions::all_bits), std::end(versions::all_bits));
  add_mistakes(all, broken::shown_bits_mistakes());
  return all;
}

void show_bit_tables(chapter_run& run) {
  if (show_mistake(run, broken::shown_bits_mistakes(), "Results")) return;
  const std::vector<int> sides = run.device().emulated ? std::vector<int>{256} : std::vector<int>{2592, 8192};
  for (const int side : sides) {
    const image gray = gray_picture(side, side);
    show_files(run, gray, {0, false});
    show_files(run, gray, {interval, false});
    show_files(run, gray, {0, true});
    const image color = color_picture(side, side);
    show_files(run, color, {0, false});
    // On the emulated device it would be the time of an emulation.
    if (!run.device().emulated || !run.options().variant.empty())
      show_files_on_host(run, gray, {interval, false});
    for (const int interval : {0, 32}) show_decoding(run, gray, interval);
    show_decoding(run, color, 0);
  }
}

}  // namespace tutorial
