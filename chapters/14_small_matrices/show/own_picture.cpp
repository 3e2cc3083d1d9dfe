// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "own_picture.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "09_dct_compression/host/color.hpp"
#include "09_dct_compression/host/picture_quality.hpp"
#include "14_small_matrices/checks/round_trip_verification.hpp"
#include "14_small_matrices/kernels/small_matrices.hpp"
#include "common/device/device.hpp"
#include "common/files/image_file.hpp"
#include "common/files/numbers.hpp"
#include "common/show/counts_table.hpp"

namespace tutorial {

void round_trip_own_picture(chapter_run& run) {
  const chapter_options& options = run.options();
  const image picture = read_image(options.image, options.limits);
  const chroma_sampling sampling = options.sampling == 420 ? chroma_sampling::s420 : chroma_sampling::s444;
  image result(1, 1, 1);
  const std::vector<launch_counts> launches =
      count_launches([&] { result = round_trip_picture(picture, options.quality, sampling); });

  // The planes, one by one, as round_trip_picture() joins them.
  std::vector<plane<std::uint8_t>> planes = split(picture, sampling);
  const std::size_t count = planes.size();
  round_trip_agreement worst;
  std::size_t samples = 0, differing = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const quantization_table steps =
        table_for(i == 0 ? component_kind::luminance : component_kind::chrominance, options.quality);
    const product_matrices matrices(steps);
    const device_plane<std::uint8_t> from(planes[i]);
    device_plane<std::uint8_t> to(planes[i].width, planes[i].height);
    round_trip_staged(from, matrices, to);
    const plane<std::uint8_t> after = to.to_host();
    const round_trip_agreement found = verify_round_trip(planes[i], steps, after);
    if (i == 0 || (worst && !found)) worst = found;
    samples += after.values.size();
    differing += found.differing;
    planes[i] = after;
  }
  const image expected =
      joined(planes, picture.width(), picture.height(), count == 1 ? chroma_sampling::s444 : sampling);

  const double decibels = psnr(picture, result);
  run.say("picture  " + options.image.string() + ": " + grouped(std::uint64_t(picture.width())) + " x " +
          grouped(std::uint64_t(picture.height())) + (picture.channels() == 1 ? ", gray" : ", color"));
  run.say("result   quality " + std::to_string(options.quality) + ", PSNR " +
          (std::isfinite(decibels) ? fixed(decibels, 2) + " dB" : "infinite, nothing is lost"));
  run.record({{"chapter", "14"},
              {"work", "own picture"},
              {"picture", options.image.filename().string()},
              {"width", std::to_string(picture.width())},
              {"height", std::to_string(picture.height())},
              {"quality", std::to_string(options.quality)},
              {"psnr", exact_digits(decibels)},
              {"differing", std::to_string(differing)}});
  if (options.counts) run.say(counts_text(launches, 3));
  if (!worst || result != expected)
    return run.fail("the device's result is not that of the serial definition: " + describe(worst.found) +
                    ". Nothing was written");
  run.say("verified " + grouped(samples) + " samples against the serial definition" +
          (differing == 0 ? ""
                          : "; " + grouped(differing) +
                                " differ: a level or a pixel is nearly halfway between two values"));
  if (options.output.empty()) return;
  write_png(options.output, result);
  run.say("written  " + options.output.string());
}

}  // namespace tutorial
