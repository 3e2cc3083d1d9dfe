// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "spread_picture.hpp"

#include <algorithm>
#include <stdexcept>

#include "08_dct8x8/host/dct_serial.hpp"
#include "09_dct_compression/kernels/compress_fused.hpp"
#include "15_many_gpus/host/devices.hpp"

namespace tutorial {
namespace {

/// Rows [first, first + rows) of a picture.
template <class T>
plane<T> rows_of(const plane<T>& all, std::size_t first, int rows) {
  const auto begin = all.values.begin() + std::ptrdiff_t(first) * all.width;
  return {all.width, rows, std::vector<T>(begin, begin + std::ptrdiff_t(rows) * all.width)};
}

template <class T>
void put_rows(const plane<T>& rows, std::size_t first, plane<T>& all) {
  std::copy(rows.values.begin(), rows.values.end(), all.values.begin() + std::ptrdiff_t(first) * all.width);
}

}  // namespace

// [rows]
spread_picture::spread_picture(int width, int height, std::span<const int> devices)
    : width_(width), height_(height) {
  if (width < 1 || height < 1) throw std::invalid_argument("a picture needs at least one pixel");
  const signal_split blocks(std::size_t(padded(height) / 8), int(devices.size()), {});
  for (int p = 0; p < blocks.parts(); ++p) {
    const current_device_guard at(devices[std::size_t(p)]);
    const sample_range own = blocks.owned(p);
    picture_part mine{.device = devices[std::size_t(p)],
                      .rows = {8 * own.begin, std::min(8 * own.end, std::size_t(height))}};
    if (!own.empty()) {
      mine.pixels = device_plane<std::uint8_t>(width, int(mine.rows.size()));
      mine.levels = device_plane<std::int16_t>(padded(width), padded(int(mine.rows.size())));
    }
    parts_.push_back(std::move(mine));
  }
}

void spread_picture::encode(const quantization_table& steps, int times) {
  for (int i = 0; i < times; ++i)
    for (picture_part& each : parts_) {  // a launch returns at once: all devices work at the same time
      const current_device_guard at(each.device);
      if (!each.rows.empty()) encode_fused(each.pixels, steps, each.levels);
    }
  wait();
}
// [rows]

void spread_picture::decode(const quantization_table& steps) {
  for (picture_part& each : parts_) {
    const current_device_guard at(each.device);
    if (!each.rows.empty()) decode_fused(each.levels, steps, each.pixels);
  }
  wait();
}

void spread_picture::wait() const {
  for (const picture_part& each : parts_) {
    const current_device_guard at(each.device);
    check(cudaDeviceSynchronize());
  }
}

void spread_picture::bring(const plane<std::uint8_t>& pixels) {
  if (pixels.width != width_ || pixels.height != height_)
    throw std::invalid_argument("the picture has another size");
  for (picture_part& each : parts_) {
    const current_device_guard at(each.device);
    if (!each.rows.empty()) each.pixels.copy_from(rows_of(pixels, each.rows.begin, int(each.rows.size())));
  }
  wait();
}

plane<std::int16_t> spread_picture::levels() const {
  plane<std::int16_t> all(padded(width_), padded(height_));
  for (const picture_part& each : parts_) {
    const current_device_guard at(each.device);
    if (!each.rows.empty()) put_rows(each.levels.to_host(), each.rows.begin, all);
  }
  return all;
}

plane<std::uint8_t> spread_picture::pixels() const {
  plane<std::uint8_t> all(width_, height_);
  for (const picture_part& each : parts_) {
    const current_device_guard at(each.device);
    if (!each.rows.empty()) put_rows(each.pixels.to_host(), each.rows.begin, all);
  }
  return all;
}

}  // namespace tutorial
