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
#include <utility>
#include <vector>

#include "color.hpp"
#include "common/console.hpp"
#include "common/counts_table.hpp"
#include "common/image_file.hpp"
#include "common/output_file.hpp"
#include "common/table.hpp"
#include "compress_serial.hpp"
#include "dct/dct.hpp"
#include "device_codec.hpp"
#include "panels.hpp"
#include "picture_quality.hpp"
#include "rate_distortion.hpp"

namespace tutorial {
namespace {

namespace fs = std::filesystem;

constexpr double level_bound = 1e-3, pixel_bound = 1e-2;

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

/// A whole number is right if the number that it was rounded from is at most 1/2 away, and the device's rounding noise.
struct verdict {
  std::size_t compared = 0, wrong = 0;
  double worst = 0;  ///< The largest distance beyond 1/2.
  double bound = 0;

  void add(double rounded, double exact, double allowed) {
    const double beyond = std::abs(rounded - exact) - 0.5;
    ++compared;
    wrong += !(beyond <= allowed);
    worst = std::max(worst, beyond);
    bound = std::max(bound, allowed);
  }
  std::string text(const std::string& what) const {
    return wrong == 0
               ? what + " right: at most 1/2 + " + significant(worst, 2) + " from the exact value, 1/2 + " +
                     significant(bound, 2) + " are allowed"
               : grouped(wrong) + " of " + grouped(compared) + " " + what + " WRONG, by up to " +
                     significant(worst + 0.5) + " where 1/2 + " + significant(bound, 2) + " are allowed";
  }
};

struct verification {
  verdict levels, pixels;
  bool joined_alike = true;
  bool right() const {
    return levels.compared > 0 && pixels.compared > 0 && levels.wrong == 0 && pixels.wrong == 0 &&
           joined_alike;
  }
};

verification verify(const image& original, const compressed_picture& compressed, const image& result) {
  verification all;
  const std::vector<plane<std::uint8_t>> samples = split(original, compressed.sampling);
  std::vector<plane<std::uint8_t>> decoded;
  for (std::size_t i = 0; i < compressed.components.size(); ++i) {
    const compressed_component& component = compressed.components[i];
    const plane<double> ratios = unrounded_levels(samples[i], component.steps);
    for (std::size_t k = 0; k < ratios.values.size(); ++k)
      all.levels.add(component.levels.values[k], ratios.values[k], level_bound);
    decoded.push_back(decode_on_device(component));
    const plane<double> exact =
        unrounded_pixels(component.levels, component.steps, component.width, component.height);
    for (std::size_t k = 0; k < exact.values.size(); ++k)
      all.pixels.add(decoded.back().values[k], std::clamp(exact.values[k], 0.0, 255.0), pixel_bound);
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

}  // namespace

void compress_own_picture(chapter_run& run) {
  const chapter_options& options = run.options();
  const bool curve = options.variant == "rate_distortion";
  if (!curve && !options.variant.empty())
    throw usage_error("--image takes --variant rate_distortion or none: '" + options.variant +
                      "' is a part of the demo");
  if (curve && (!options.output.empty() || !options.panels.empty()))
    throw usage_error(
        "--variant rate_distortion tries many qualities and keeps no result: leave out --output and "
        "--panels");
  if (!curve && !options.picture.empty())
    throw usage_error("--picture with --image needs --variant rate_distortion");
  const fs::path first = beside(options.panels, "_first");
  std::error_code ignored;
  if (!options.panels.empty() && fs::equivalent(first, options.image, ignored))
    throw usage_error("--panels also writes " + first.string() +
                      ", which is the picture itself: give another name");

  const image original = with_progress("reading", [&] { return read_image(options.image, options.limits); });
  const double pixels = double(original.width()) * double(original.height());
  run.say("picture  " + options.image.string() + ": " + grouped(std::uint64_t(original.width())) + " x " +
          grouped(std::uint64_t(original.height())) + (original.channels() == 1 ? ", gray" : ", color"));
  if (curve) {
    with_progress("rate and distortion",
                  [&] { show_rate_distortion(run, original, options.image.filename().string()); });
    return;
  }

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
  run.say("JPEG     " + grouped(jpeg.size()) + " bytes, " + significant(bits) + " bits per pixel of " +
          std::to_string(8 * original.channels()) + "; " + fixed(zeros, 1) +
          " of 64 levels of an 8x8 block are zero");
  run.say("result   PSNR " +
          (std::isfinite(decibels) ? fixed(decibels, 2) + " dB" : "infinite, nothing is lost") + ", SSIM " +
          fixed(similarity, 4));
  run.say("verified against the serial definition: " + verified.levels.text("levels"));
  run.say("                                        " + verified.pixels.text("samples"));
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
  if (!options.output.empty()) {
    with_progress("writing", [&] {
      output_file file(options.output);
      file.write(jpeg.data(), jpeg.size());
      file.commit();
    });
    run.say("written  " + options.output.string());
  }
  if (options.panels.empty()) return;
  with_progress("panels", [&] {
    write_png(options.panels, panels(original, *compressed, result));
    write_png(first, through_library([&] { return first_panels(*compressed); }));
  });
  run.say("written  " + options.panels.string() +
          ": original | coefficients (black is 0) / result | difference, " +
          std::to_string(difference_factor) + " times as large, gray is none");
  std::string counts;
  for (const int count : first_counts) counts += (counts.empty() ? "" : ", ") + std::to_string(count);
  run.say("written  " + first.string() + ": what the first " + counts + " levels of each 8x8 block give");
}

}  // namespace tutorial
