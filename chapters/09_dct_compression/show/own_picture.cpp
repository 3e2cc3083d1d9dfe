// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "own_picture.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <new>
#include <optional>
#include <string>
#include <vector>

#include "09_dct_compression/checks/codec_verification.hpp"
#include "09_dct_compression/dct/dct.hpp"
#include "09_dct_compression/device_codec.hpp"
#include "09_dct_compression/host/color.hpp"
#include "09_dct_compression/host/compress_serial.hpp"
#include "09_dct_compression/host/jpeg_output.hpp"
#include "09_dct_compression/host/picture_quality.hpp"
#include "common/files/image_file.hpp"
#include "common/files/numbers.hpp"
#include "common/files/output_file.hpp"
#include "common/show/console.hpp"
#include "common/show/counts_table.hpp"
#include "panels.hpp"
#include "rate_distortion.hpp"

namespace tutorial {
namespace {

namespace fs = std::filesystem;

template <class Work>
auto with_progress(const std::string& what, const Work& work) {
  progress shown(what);
  shown.step();
  return work();
}

/// What the library says, in the exceptions of the chapters: the exit status depends on them.
template <class Work>
auto through_library(const Work& work) {
  try {
    return work();
  } catch (const dct::error& error) {
    if (error.status() == DCT_OUT_OF_MEMORY) throw std::bad_alloc();
    if (error.status() == DCT_BAD_ARGUMENT || error.status() == DCT_FILE) throw input_error(error.what());
    throw;
  }
}

/// What is in the handle, as the chapter's functions take it.
compressed_picture content_of(const dct::picture& picture) {
  const dct_description size = picture.describe();
  compressed_picture result{
      size.width, size.height, size.sampling == DCT_420 ? chroma_sampling::s420 : chroma_sampling::s444, {}};
  for (int i = 0; i < size.channels; ++i) {
    const dct_component from = picture.component(i);
    compressed_component& to =
        result.components.emplace_back(compressed_component{from.width, from.height, {}, {}});
    std::copy(from.steps, from.steps + 64, to.steps.begin());
    const std::size_t count = std::size_t(from.padded_width) * std::size_t(from.padded_height);
    to.levels = plane<std::int16_t>(from.padded_width, from.padded_height,
                                    std::vector<std::int16_t>(from.levels, from.levels + count));
  }
  return result;
}

/// Of all components together.
struct verdict {
  bool right = true;
  std::size_t values = 0, differing = 0;
  codec_agreement worst;

  void add(const codec_agreement& found) {
    right = right && bool(found);
    values += found.found.size;
    differing += found.differing;
    const auto excess = [](const agreement& a) { return a.worst_error - a.worst_bound; };
    if (values == found.found.size || (worst && !found) ||
        (bool(worst) == bool(found) && excess(found.found) > excess(worst.found)))
      worst = found;
  }
  std::string text(const std::string& what) const {
    if (!right) return what + ": " + describe(worst.found);
    const double error = worst.found.worst_error, past_half = error - 0.5;
    return grouped(values) + " " + what + ": error " + (past_half < 0 ? significant(error) : "1/2") +
           (past_half > 0 ? " + " + significant(past_half, 2) : "") + " <= 1/2 + " +
           significant(worst.found.worst_bound - 0.5, 2) +
           (differing == 0 ? "" : "; " + grouped(differing) + " halfway, rounded the other way");
  }
};

struct verification {
  verdict levels, samples;
  bool joined_alike = true;
  bool right() const {
    return levels.right && levels.values > 0 && samples.right && samples.values > 0 && joined_alike;
  }
};

verification verify(const image& original, const compressed_picture& compressed, const image& result) {
  verification all;
  const std::vector<plane<std::uint8_t>> samples = split(original, compressed.sampling);
  std::vector<plane<std::uint8_t>> decoded;
  for (std::size_t i = 0; i < compressed.components.size(); ++i) {
    const compressed_component& component = compressed.components[i];
    all.levels.add(verify_levels(samples[i], component.steps, component.levels, codec_way::fused));
    decoded.push_back(decode_on_device(component));
    all.samples.add(verify_pixels(component.levels, component.steps, decoded.back(), codec_way::fused));
  }
  all.joined_alike = joined(decoded, original.width(), original.height(), compressed.sampling) == result;
  return all;
}

std::string name_of_sampling(const compressed_picture& picture) {
  return picture.components.size() == 1              ? "gray"
         : picture.sampling == chroma_sampling::s420 ? "4:2:0"
                                                     : "4:4:4";
}

fs::path beside(const fs::path& file, const std::string& suffix) {
  return fs::path(file).replace_filename(file.stem().string() + suffix + file.extension().string());
}

/// The second file of --panels; empty without it.
fs::path first_panels_file(const chapter_options& options) {
  const fs::path file = options.own("--panels");
  return file.empty() ? fs::path() : beside(file, "_first");
}

bool wants_curve(const chapter_options& options) { return options.variant == "rate_distortion"; }

void refuse_contradictions(const chapter_options& options) {
  const bool curve = wants_curve(options);
  if (!curve && !options.variant.empty())
    throw usage_error("--image takes --variant rate_distortion or none: '" + options.variant +
                      "' is a part of the demo");
  if (curve && (!options.output.empty() || !options.own("--panels").empty()))
    throw usage_error(
        "--variant rate_distortion tries many qualities and keeps no result: "
        "leave out --output and --panels");
  if (!curve && !options.picture.empty())
    throw usage_error("--picture with --image needs --variant rate_distortion");
  std::error_code ignored;
  const fs::path first = first_panels_file(options);
  if (!first.empty() && fs::equivalent(first, options.image, ignored))
    throw usage_error("--panels also writes " + first.string() +
                      ", which is the picture itself: give another name");
}

void write_results(chapter_run& run, const image& original, const dct::picture& compressed,
                   const std::vector<std::uint8_t>& jpeg, const image& result) {
  const chapter_options& options = run.options();
  if (!options.output.empty()) {
    with_progress("writing", [&] {
      output_file file(options.output);
      file.write(jpeg.data(), jpeg.size());
      file.commit();
    });
    run.say("written  " + options.output.string());
  }
  const fs::path file = options.own("--panels");
  if (file.empty()) return;
  const fs::path first = first_panels_file(options);
  with_progress("panels", [&] {
    write_png(file, panels(original, compressed, result));
    write_png(first, through_library([&] { return first_panels(compressed); }));
  });
  run.say("written  " + file.string() + ": original | coefficients (black is 0) / result | difference, " +
          std::to_string(difference_factor) + " times as large (gray is no difference)");
  std::string counts;
  for (const int count : first_counts) counts += (counts.empty() ? "" : ", ") + std::to_string(count);
  run.say("written  " + first.string() + ": what the first " + counts + " levels of each 8x8 block give");
}

}  // namespace

void compress_own_picture(chapter_run& run) {
  const chapter_options& options = run.options();
  refuse_contradictions(options);
  const image original = with_progress("reading", [&] { return read_image(options.image, options.limits); });
  const double pixels = double(original.width()) * double(original.height());
  run.say("picture  " + options.image.string() + ": " + grouped(std::uint64_t(original.width())) + " x " +
          grouped(std::uint64_t(original.height())) + (original.channels() == 1 ? ", gray" : ", color"));
  if (original.width() > most_jpeg_pixels || original.height() > most_jpeg_pixels)
    throw input_error(options.image.string() + ": a JPEG can have at most " + grouped(most_jpeg_pixels) +
                      " pixels in each direction; scale or crop it first");
  if (wants_curve(options)) return show_rate_distortion(run, original, options.image.filename().string());

  const dct::image view{original.pixels().data(), original.width(), original.height(), original.channels(),
                        0};
  const dct::sampling sampling = options.sampling == 420 ? dct::sampling::s420 : dct::sampling::s444;
  std::optional<dct::picture> compressed;
  const std::vector<launch_counts> launches = count_launches([&] {
    compressed = with_progress("compressing", [&] {
      return through_library(
          [&] { return dct::compress(dct::processor::gpu, view, options.quality, sampling); });
    });
  });
  const image result = with_progress("reconstructing", [&] {
    return through_library([&] { return reconstructed(*compressed, dct::processor::gpu); });
  });
  const std::vector<std::uint8_t> jpeg =
      with_progress("encoding", [&] { return through_library([&] { return compressed->encode_jpeg(); }); });
  const compressed_picture content = content_of(*compressed);
  const verification verified = with_progress("verifying", [&] { return verify(original, content, result); });

  const double bits = 8 * double(jpeg.size()) / pixels;
  const double decibels = psnr(original, result), similarity = ssim(original, result);
  const double zeros = zeros_per_block(content);
  run.say("quality  " + std::to_string(options.quality) + ", " + name_of_sampling(content));
  run.say("JPEG     " + grouped(jpeg.size()) + " bytes, " + significant(bits) + " bits per pixel (" +
          std::to_string(8 * original.channels()) + " before); " + fixed(zeros, 1) +
          " of 64 levels of an 8x8 block are zero");
  run.say("result   PSNR " +
          (std::isfinite(decibels) ? fixed(decibels, 2) + " dB" : "infinite, nothing is lost") + ", SSIM " +
          fixed(similarity, 4));
  run.say("verified against the serial definition: " + verified.levels.text("levels"));
  run.say("                                        " + verified.samples.text("samples"));
  run.record({{"chapter", "09"},
              {"work", "own picture"},
              {"picture", options.image.filename().string()},
              {"width", std::to_string(original.width())},
              {"height", std::to_string(original.height())},
              {"quality", std::to_string(options.quality)},
              {"sampling", name_of_sampling(content)},
              {"file_bytes", std::to_string(jpeg.size())},
              {"bits_per_pixel", exact_digits(bits)},
              {"psnr", exact_digits(decibels)},
              {"ssim", exact_digits(similarity)},
              {"zeros_per_block", exact_digits(zeros)}});
  if (options.counts) run.say(counts_text(launches, 3));

  if (!verified.right())
    return run.fail(std::string("the device's result is not that of the serial definition") +
                    (verified.joined_alike ? "" : ": the planes make another picture") +
                    ". Nothing was written");
  write_results(run, original, *compressed, jpeg, result);
}

}  // namespace tutorial
