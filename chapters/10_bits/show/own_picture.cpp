// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "own_picture.hpp"

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include "09_dct_compression/device_codec.hpp"
#include "09_dct_compression/host/jpeg_output.hpp"
#include "09_dct_compression/host/picture_quality.hpp"
#include "10_bits/jpeg_on_device.hpp"
#include "10_bits/show/own_options.hpp"
#include "common/files/exif.hpp"
#include "common/files/image_file.hpp"
#include "common/files/input_file.hpp"
#include "common/files/numbers.hpp"
#include "common/files/output_file.hpp"
#include "common/show/counts_table.hpp"

namespace tutorial {
namespace {

std::string size_text(const image& picture) {
  return grouped(std::uint64_t(picture.width())) + " x " + grouped(std::uint64_t(picture.height())) +
         (picture.channels() == 1 ? ", gray" : ", color");
}

void encode_own(chapter_run& run) {
  const chapter_options& options = run.options();
  const image picture = read_image(options.image, options.limits);
  run.say("picture  " + options.image.string() + ": " + size_text(picture));
  if (picture.width() > most_jpeg_pixels || picture.height() > most_jpeg_pixels)
    throw input_error(options.image.string() + ": a JPEG can have at most " + grouped(most_jpeg_pixels) +
                      " pixels in each direction; scale or crop it first");
  const chroma_sampling sampling = options.sampling == 420 ? chroma_sampling::s420 : chroma_sampling::s444;
  const jpeg_coding coding{restart_of(options), !options.own("--optimize").empty()};
  std::vector<std::uint8_t> file;
  const std::vector<launch_counts> launches =
      count_launches([&] { file = encode_jpeg_on_device(picture, options.quality, sampling, coding); });
  const compressed_picture levels = compress_on_device(picture, options.quality, sampling);
  const bool same = file == jpeg_bytes(levels, {coding.optimized, coding.restart_interval});
  const double bits = 8 * double(file.size()) / (double(picture.width()) * picture.height());
  run.say("coded    quality " + std::to_string(options.quality) + ", " +
          (coding.optimized ? "codes made for it" : "the standard's codes") + ", " +
          (coding.restart_interval == 0
               ? std::string("no restart markers")
               : "a restart marker every " + grouped(std::uint64_t(coding.restart_interval)) + " units"));
  run.say("JPEG     " + grouped(file.size()) + " bytes, " + significant(bits) + " bits per pixel");
  run.record({{"chapter", "10"},
              {"work", "own picture"},
              {"picture", options.image.filename().string()},
              {"width", std::to_string(picture.width())},
              {"height", std::to_string(picture.height())},
              {"quality", std::to_string(options.quality)},
              {"sampling", picture.channels() == 1   ? "gray"
                           : options.sampling == 420 ? "4:2:0"
                                                     : "4:4:4"},
              {"restart_interval", std::to_string(coding.restart_interval)},
              {"optimized", coding.optimized ? "1" : "0"},
              {"file_bytes", std::to_string(file.size())}});
  if (options.counts) run.say(counts_text(launches, 3));
  if (!same)
    return run.fail("the file is not the one that libjpeg writes for these levels. Nothing was written");
  run.say("verified every byte is that of libjpeg's file for the same levels");
  if (options.output.empty()) return;
  output_file out(options.output);
  out.write(file.data(), file.size());
  out.commit();
  run.say("written  " + options.output.string());
}

std::vector<std::uint8_t> bytes_of(const std::filesystem::path& file) {
  const input_stream in = open_input(file);
  std::vector<std::uint8_t> bytes, buffer(1 << 16);
  while (const std::size_t count = std::fread(buffer.data(), 1, buffer.size(), in.get()))
    bytes.insert(bytes.end(), buffer.begin(), buffer.begin() + std::ptrdiff_t(count));
  if (std::ferror(in.get()) != 0) fail_reading(file, errno);
  return bytes;
}

void decode_own(chapter_run& run) {
  const chapter_options& options = run.options();
  const std::string decode = options.own("--decode");
  const std::vector<std::uint8_t> file = bytes_of(decode);
  const auto refused = [&](const std::string& why) { return input_error(decode + ": " + why); };
  try {
    const jpeg_head head = read_jpeg_head(file);
    const std::uint64_t bytes =
        std::uint64_t(head.width) * std::uint64_t(head.height) * std::uint64_t(head.of.size());
    if (bytes > options.limits.pixel_bytes)
      throw refused("its picture takes " + grouped(bytes) + " bytes; --max-image accepts more than " +
                    grouped(options.limits.pixel_bytes));
    const decoded_jpeg decoded = decode_jpeg_on_device(file);
    const bool as_stored = !options.own("--as-stored").empty();
    const image picture = detail::upright(decoded.picture, as_stored ? 1 : decoded.orientation);
    run.say("file     " + decode + ": " + grouped(file.size()) + " bytes, " + size_text(picture) + ", " +
            several(std::uint64_t(head.layout.intervals()), "restart interval"));
    run.say(decoded.why_host.empty() ? "levels   read on the device"
                                     : "levels   read on the host, by libjpeg: " + decoded.why_host);
    if (head.colors.is_printed) run.say("colors   a printer's (CMYK), brought to red, green, blue");
    if (options.output.empty()) return;
    write_png(options.output, picture);
    run.say("written  " + options.output.string());
  } catch (const jpeg_refused& why) {
    throw refused(why.what());
  }
}

}  // namespace

void code_own_picture(chapter_run& run) {
  if (run.options().own("--decode").empty()) return encode_own(run);
  decode_own(run);
}

}  // namespace tutorial
