// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// A picture in the host's memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace tutorial {

/// Gray (1 channel) or red, green, blue (3 channels), 8 bits each: 0 is black, 255 is full.
///
/// Invariant: width, height >= 1; channels is 1 or 3; pixels() has width * height * channels elements, row by
/// row from the top without gaps, the channels of a pixel side by side:
///     value of channel c at (row, col) == pixels()[(row * width + col) * channels + c]
class image {
 public:
  /// Black. Throws std::invalid_argument where the invariant would not hold.
  image(int width, int height, int channels)
      : image(width, height, channels, std::vector<std::uint8_t>(count(width, height, channels))) {}
  /// With these values. Throws std::invalid_argument where the invariant would not hold.
  image(int width, int height, int channels, std::vector<std::uint8_t> pixels)
      : width_(width), height_(height), channels_(channels), pixels_(std::move(pixels)) {
    if (pixels_.size() != count(width, height, channels))
      throw std::invalid_argument("image: " + std::to_string(pixels_.size()) + " values for " + size_text());
  }

  /// Pixels in a row.
  int width() const { return width_; }
  /// Rows.
  int height() const { return height_; }
  /// Values of a pixel: 1 or 3.
  int channels() const { return channels_; }
  /// Bytes, and at the same time values, from one row to the next.
  std::size_t stride() const { return std::size_t(width_) * std::size_t(channels_); }

  /// All values, in the order that the invariant says.
  std::span<const std::uint8_t> pixels() const { return pixels_; }
  std::span<std::uint8_t> pixels() { return pixels_; }

  /// stride() values. Throws std::out_of_range, as at() does.
  std::span<const std::uint8_t> row(int row) const {
    return std::span(pixels_).subspan(offset(row, 0, 0), stride());
  }
  std::span<std::uint8_t> row(int row) { return std::span(pixels_).subspan(offset(row, 0, 0), stride()); }

  /// One value. Throws std::out_of_range where row, column or channel is not there.
  std::uint8_t at(int row, int col, int channel = 0) const { return pixels_[offset(row, col, channel)]; }
  std::uint8_t& at(int row, int col, int channel = 0) { return pixels_[offset(row, col, channel)]; }

  friend bool operator==(const image&, const image&) = default;

 private:
  static std::size_t count(int width, int height, int channels) {
    if (width < 1 || height < 1 || (channels != 1 && channels != 3))
      throw std::invalid_argument("image: " + std::to_string(width) + " x " + std::to_string(height) +
                                  " pixels of " + std::to_string(channels) + " channels");
    return std::size_t(width) * std::size_t(height) * std::size_t(channels);
  }
  std::size_t offset(int row, int col, int channel) const {
    if (row < 0 || row >= height_ || col < 0 || col >= width_ || channel < 0 || channel >= channels_)
      throw std::out_of_range("image: row " + std::to_string(row) + ", column " + std::to_string(col) +
                              ", channel " + std::to_string(channel) + " of " + size_text());
    return std::size_t(row) * stride() + std::size_t(col) * std::size_t(channels_) + std::size_t(channel);
  }
  std::string size_text() const {
    return std::to_string(width_) + " x " + std::to_string(height_) + " pixels of " +
           std::to_string(channels_) + (channels_ == 1 ? " channel" : " channels");
  }

  int width_, height_, channels_;
  std::vector<std::uint8_t> pixels_;
};

}  // namespace tutorial
