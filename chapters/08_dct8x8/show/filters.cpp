// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "filters.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "08_dct8x8/host/filter_serial.hpp"
#include "08_dct8x8/kernels/filter_fused.hpp"
#include "08_dct8x8/kernels/filter_separable.hpp"
#include "08_dct8x8/kernels/filter_square.hpp"
#include "08_dct8x8/show/tables.hpp"
#include "08_dct8x8/versions.hpp"
#include "common/device/stream.hpp"
#include "common/files/image_file.hpp"
#include "common/files/input_error.hpp"
#include "common/files/numbers.hpp"
#include "common/show/counts_table.hpp"
#include "common/verify/test_picture.hpp"

namespace tutorial {

bool is_filter(const std::string& variant) {
  return variant == versions::square.name || variant == versions::separable.name ||
         variant == versions::fused.name;
}

void show_filters(chapter_run& run) {
  const bool emulated = run.device().emulated;
  const plane<float> pixels =
      emulated ? test_picture(256, 64) : test_picture(2592, 2592);  // as large as the first for the DCT
  plane_sets<float, float> sets(pixels, pixels.width, pixels.height);
  device_plane<float> between(pixels.width, pixels.height);
  const auto verify = [&](const plane<float>& result) { return verify_filter(pixels, result); };
  show_planes(
      run, "08", {"filter", pixels.width, pixels.height, "float, 7 x 7 taps"},
      {sets.version(versions::square, in_default_stream<filter_square>, verify),
       sets.version(
           versions::separable, [&](auto from, auto to) { filter_separable(from, between, to); }, verify),
       sets.version(versions::fused, in_default_stream<filter_fused>, verify)});
}

void filter_own_picture(chapter_run& run) {
  const chapter_options& options = run.options();
  if (!options.output.empty() && options.output.extension() != ".png")
    throw usage_error("--variant " + options.variant +
                      " writes a picture: give --output a name that ends in .png");
  const image picture = read_image(options.image, options.limits);
  plane<float> pixels = luminance(picture);
  for (float& pixel : pixels.values)
    pixel = std::round(pixel);  // whole numbers: the filter is exact for them
  run.say(own_picture_line(options.image.string(), picture));

  const device_plane<float> x(pixels);
  device_plane<float> between(pixels.width, pixels.height), y(pixels.width, pixels.height);
  const auto launches = count_launches([&] {
    if (options.variant == versions::square.name)
      filter_square(x, y);
    else if (options.variant == versions::separable.name)
      filter_separable(x, between, y);
    else
      filter_fused(x, y);
  });
  const plane<float> result = y.to_host();
  const agreement verified = verify_filter(pixels, result);
  const double loads = double(sum(launches).global_loads) / double(pixels.values.size());
  run.say("result   " + options.variant + ": each pixel is a weighted mean of 7 x 7 pixels" +
          (launches.empty()
               ? ""
               : "; " + fixed(loads, 2) + " loads per pixel, launches: " + std::to_string(launches.size())));
  run.say("verified against the definition: " + describe(verified));
  if (options.counts && !launches.empty()) run.say(counts_text(launches, 3));
  if (!verified) return run.fail(options.variant + ": " + describe(verified) + ". Nothing was written");
  if (options.output.empty()) return;
  image smooth(pixels.width, pixels.height, 1);
  std::transform(result.values.begin(), result.values.end(), smooth.pixels().begin(),
                 [](float value) { return std::uint8_t(std::lround(value)); });
  write_png(options.output, smooth);
  run.say("written  " + options.output.string());
}

}  // namespace tutorial
