// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// jpeg.h for C++: the same, with objects that release themselves and errors as exceptions. Header only.
// C++17.
#pragma once

#include <dct/jpeg.h>
#include <dct/dct.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace dct {

/// A whole JPEG file.
inline std::vector<std::uint8_t> make_jpeg(processor where, const image& pixels, int quality,
                                           sampling colors = sampling::s420, const dct_coding& coding = {}) {
  std::uint8_t* bytes = nullptr;
  std::size_t size = 0;
  detail::check(dct_make_jpeg(static_cast<dct_processor>(where), &pixels, quality,
                              static_cast<dct_sampling>(colors), &coding, &bytes, &size));
  const std::unique_ptr<std::uint8_t, void (*)(std::uint8_t*)> owner(bytes, dct_release_bytes);
  return {bytes, bytes + size};
}

/// dct_encoder; move-only.
class encoder {
 public:
  encoder(int width, int height, int channels, int quality, sampling colors = sampling::s420,
          const dct_coding& coding = {})
      : handle_(nullptr, dct_release_encoder) {
    dct_encoder* made = nullptr;
    detail::check(dct_create_encoder(width, height, channels, quality, static_cast<dct_sampling>(colors),
                                     &coding, &made));
    handle_.reset(made);
  }
  /// Bytes that a file hardly ever needs more of.
  std::size_t room() const { return dct_room_for_jpeg(handle_.get()); }
  /// From and to the memory of the GPU; the length of the file in bytes.
  std::size_t encode(const std::uint8_t* pixels, std::ptrdiff_t stride, std::uint8_t* file, std::size_t room,
                     void* stream = nullptr) {
    std::size_t size = 0;
    detail::check(dct_encode_on_device(handle_.get(), pixels, stride, file, room, stream, &size));
    return size;
  }

 private:
  std::unique_ptr<dct_encoder, void (*)(dct_encoder*)> handle_;
};

/// What a JPEG file says of its picture.
inline dct_jpeg describe_jpeg(const std::uint8_t* bytes, std::size_t size) {
  dct_jpeg result;
  detail::check(dct_describe_jpeg(bytes, size, &result));
  return result;
}

/// The pixels of any JPEG file, in rows without gaps.
inline std::vector<std::uint8_t> decode_jpeg(processor where, const std::uint8_t* bytes, std::size_t size) {
  const dct_jpeg jpeg = describe_jpeg(bytes, size);
  std::vector<std::uint8_t> pixels(static_cast<std::size_t>(jpeg.width) * jpeg.channels * jpeg.height);
  detail::check(dct_decode_jpeg(static_cast<dct_processor>(where), bytes, size, pixels.data(), 0));
  return pixels;
}

/// dct_decoder; move-only.
class decoder {
 public:
  decoder() : handle_(nullptr, dct_release_decoder) {
    dct_decoder* made = nullptr;
    detail::check(dct_create_decoder(&made));
    handle_.reset(made);
  }
  void begin(const std::uint8_t* bytes, std::size_t size, std::uint8_t* pixels, std::ptrdiff_t stride = 0,
             void* stream = nullptr) {
    detail::check(dct_begin_decoding(handle_.get(), bytes, size, pixels, stride, stream));
  }
  /// Waits; true if the device has read it all.
  bool finish() {
    int by_host = 0;
    detail::check(dct_finish_decoding(handle_.get(), &by_host));
    return by_host == 0;
  }

 private:
  std::unique_ptr<dct_decoder, void (*)(dct_decoder*)> handle_;
};

}  // namespace dct
