// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Whole pictures to whole files, and back, on the device.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "10_bits/host/jpeg_encoder.hpp"
#include "10_bits/jpeg_decoder.hpp"
#include "common/files/image.hpp"

namespace tutorial {

/// A picture's components in device memory.
struct device_picture {
  device_plane<std::uint8_t> component[3];  ///< Gray has one.

  /// For an encoder. The memory stays this object's.
  jpeg_planes planes() const;
};

/// Room for the components of a colored picture. Throws cuda_error where memory is short.
device_picture device_components(int width, int height, chroma_sampling sampling);

/// The picture itself if it is gray, or Y, Cb, Cr as chapter 09 makes them.
device_picture on_device(const image& picture, chroma_sampling sampling);

/// What a file of quality 1 to 100 needs to know of it. Throws std::invalid_argument for another quality.
jpeg_description description_of(int width, int height, int channels, int quality, chroma_sampling sampling);
jpeg_description description_of(const image& picture, int quality, chroma_sampling sampling);

/// The encoder that is faster for pictures of this size: the split one for many tiles, the fused one for few.
/// Throws std::invalid_argument for a size that no JPEG has.
std::unique_ptr<jpeg_encoder> make_encoder(const jpeg_description& picture, const jpeg_coding& coding);

/// Encodes pictures of one size that are in device memory, in colors or gray.
class picture_encoder {
 public:
  /// All the memory that it needs, it has from here on. Throws std::invalid_argument for a size that no JPEG
  /// has, cuda_error where the device fails or has too little memory.
  picture_encoder(const jpeg_description& picture, const jpeg_coding& coding);

  /// `pixels` are gray values, or R, G, B one after the other in rows three times as wide as the picture;
  /// rows begin at multiples of 8 bytes. Launches in `stream` what writes the file to `file` and its length
  /// to *size, as jpeg_encoder::encode() does; throws what that throws.
  void encode(device_plane_span<const std::uint8_t> pixels, device_span<std::uint8_t> file,
              std::uint64_t* size, cudaStream_t stream = nullptr);

 private:
  chroma_sampling sampling_;
  std::unique_ptr<jpeg_encoder> encoder_;
  device_picture colors_;  ///< Nothing for a gray picture.
};

/// The file; of a gray picture `sampling` is of no account. Throws std::invalid_argument for a size that no
/// JPEG has, cuda_error where the device fails or has too little memory.
std::vector<std::uint8_t> encode_jpeg_on_device(const image& picture, int quality, chroma_sampling sampling,
                                                const jpeg_coding& coding = {});

/// Decodes files. As long as they differ in nothing but levels and length, it keeps its memory on the device.
class picture_decoder {
 public:
  /// Reads the head, and launches in `stream` what makes the picture. Neither the file nor pixels() may be
  /// touched before finish(). Throws jpeg_refused for a file that libjpeg does not read without a warning,
  /// cuda_error where the device fails.
  void begin(std::span<const std::uint8_t> file, cudaStream_t stream = nullptr);
  /// Waits; then the picture is in pixels(). Throws what begin() throws.
  void finish();
  /// Gray values, or R, G, B one after the other. Good until the next begin(), which may move them.
  device_plane_span<const std::uint8_t> pixels() const { return decoder_->pixels(); }

  /// Of the last file, as read_jpeg_head() gives it.
  const jpeg_head& head() const { return head_; }
  /// Why libjpeg read it, on the host; empty: the device did.
  const std::string& why_host() const { return why_host_; }
  /// pixels(), on the host.
  image picture() const { return decoder_->picture(); }

 private:
  jpeg_head head_{};
  std::unique_ptr<jpeg_decoder> decoder_;
  device_buffer<std::uint8_t> scan_;
  std::span<const std::uint8_t> file_;
  cudaStream_t stream_ = nullptr;
  std::string why_host_;
};

/// What decode_jpeg_on_device() makes of a file.
struct decoded_jpeg {
  image picture;
  std::string why_host;  ///< As of picture_decoder.
  int orientation;       ///< EXIF's: what turns the picture upright.
};

/// The picture that libjpeg makes of the file, as it is stored: of a printer's colors, R, G, B. Throws what
/// picture_decoder::begin() throws.
decoded_jpeg decode_jpeg_on_device(std::span<const std::uint8_t> file);

}  // namespace tutorial
