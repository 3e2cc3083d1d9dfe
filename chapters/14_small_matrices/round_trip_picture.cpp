// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT

#include "09_dct_compression/kernels/color_planes.hpp"
#include "14_small_matrices/kernels/small_matrices.hpp"

namespace tutorial {
namespace {

using device_samples = device_plane<std::uint8_t>;

device_samples round_trip(const device_samples& samples, const product_matrices& matrices) {
  device_samples result(samples.width(), samples.height());
  round_trip_staged(samples, matrices, result);
  return result;
}

device_samples on_device(const image& picture) {
  return device_samples(plane<std::uint8_t>(int(picture.stride()), picture.height(),
                                            {picture.pixels().begin(), picture.pixels().end()}));
}

}  // namespace

image round_trip_picture(const image& picture, int quality, chroma_sampling sampling) {
  const int width = picture.width(), height = picture.height(), channels = picture.channels();
  const product_matrices luminance(table_for(component_kind::luminance, quality));
  const device_samples rows = on_device(picture);
  if (channels == 1) return image(width, height, 1, round_trip(rows, luminance).to_host().values);

  const product_matrices chrominance(table_for(component_kind::chrominance, quality));
  const bool halved = sampling == chroma_sampling::s420;
  const int color_width = halved ? half_as_many(width) : width;
  const int color_height = halved ? half_as_many(height) : height;
  device_samples y(width, height), cb(color_width, color_height), cr(color_width, color_height);
  split_colors(rows, y, cb, cr, sampling);
  y = round_trip(y, luminance);
  cb = round_trip(cb, chrominance);
  cr = round_trip(cr, chrominance);
  device_samples joined(3 * width, height);
  join_colors(y, cb, cr, sampling, joined);
  return image(width, height, 3, joined.to_host().values);
}

}  // namespace tutorial
