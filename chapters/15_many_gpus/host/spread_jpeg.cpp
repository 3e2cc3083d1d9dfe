// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "spread_jpeg.hpp"

#include <algorithm>
#include <stdexcept>

#include "15_many_gpus/host/devices.hpp"
#include "common/device/ceil_div.hpp"

namespace tutorial {
namespace {

constexpr int markers = 8;  // RST0 to RST7

jpeg_coding interval_a_row(const jpeg_description& picture) {
  jpeg_coding coding;
  coding.restart_interval =
      scan_layout_of(picture.width, picture.height, picture.channels, picture.sampling, 0).units_wide;
  return coding;
}

}  // namespace

spread_jpeg::spread_jpeg(const jpeg_description& picture, std::span<const int> devices)
    : picture_(picture), coding_(interval_a_row(picture)) {
  const bool halves = picture.channels == 3 && picture.sampling == chroma_sampling::s420;
  const std::size_t rows = markers * (halves ? 16 : 8), height = std::size_t(picture.height);
  const signal_split split(ceil_div(height, rows), int(devices.size()), {});
  for (int p = 0; p < split.parts(); ++p) {
    const current_device_guard at(devices[std::size_t(p)]);
    const sample_range own = split.owned(p);
    jpeg_part mine{.device = devices[std::size_t(p)],
                   .rows = {rows * own.begin, std::min(rows * own.end, height)}};
    if (!own.empty()) {
      jpeg_description piece = picture;
      piece.height = int(mine.rows.size());
      mine.pixels = device_plane<std::uint8_t>(picture.channels * picture.width, piece.height);
      mine.encoder = std::make_unique<picture_encoder>(piece, coding_);
      mine.file = device_buffer<std::uint8_t>(roomy_file_size(piece));
      mine.size = device_buffer<std::uint64_t>(1);
    }
    parts_.push_back(std::move(mine));
  }
}

void spread_jpeg::bring(const image& picture) {
  if (picture.width() != picture_.width || picture.height() != picture_.height ||
      picture.channels() != picture_.channels)
    throw std::invalid_argument("the picture has another size");
  for (jpeg_part& each : parts_) {
    if (each.rows.empty()) continue;
    const current_device_guard at(each.device);
    const auto own =
        picture.pixels().subspan(each.rows.begin * picture.stride(), each.rows.size() * picture.stride());
    each.pixels.copy_from({int(picture.stride()), int(each.rows.size()), {own.begin(), own.end()}});
    check(cudaDeviceSynchronize());
  }
}

void spread_jpeg::encode(int times) {
  for (int i = 0; i < times; ++i)
    for (jpeg_part& each : parts_) {
      if (each.rows.empty()) continue;
      const current_device_guard at(each.device);
      each.encoder->encode(each.pixels, each.file, each.size.data());
    }
  for (const jpeg_part& each : parts_) {
    const current_device_guard at(each.device);
    check(cudaDeviceSynchronize());
  }
}

// [join]
std::vector<std::uint8_t> spread_jpeg::file() const {
  std::vector<std::uint8_t> all = jpeg_header(picture_, standard_codes(), coding_.restart_interval);
  const std::size_t header = all.size();  // each piece has one as long
  const auto marker = [&](jpeg_marker which, int number) {
    all.push_back(0xFF);
    all.push_back(std::uint8_t(int(which) + number));
  };
  for (const jpeg_part& each : parts_) {
    if (each.rows.empty()) continue;
    const current_device_guard at(each.device);
    const std::vector<std::uint8_t> piece = file_on_host(each.file, each.size);
    if (each.rows.begin > 0) marker(jpeg_marker::restart_0, markers - 1);  // after a multiple of 8 intervals
    all.insert(all.end(), piece.begin() + std::ptrdiff_t(header), piece.end() - 2);  // without its end marker
  }
  marker(jpeg_marker::end_of_image, 0);
  return all;
}
// [join]

}  // namespace tutorial
