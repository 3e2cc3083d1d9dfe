// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// dct.h for C++: the same, with objects that release themselves and errors as exceptions. Header only, so
// that the static and the shared library are the same to it. C++17.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "dct.h"

namespace dct {

/// What dct_error() says; status() is what the C function returned.
class error : public std::runtime_error {
 public:
  error(dct_status status, const std::string& message) : std::runtime_error(message), status_(status) {}
  dct_status status() const { return status_; }

 private:
  dct_status status_;
};

namespace detail {
inline void check(dct_status status) {
  if (status != DCT_OK) throw error(status, dct_error());
}
struct picture_release {
  void operator()(dct_picture* handle) const { dct_release(handle); }
};
}  // namespace detail

/// Where to work: dct_processor.
enum class processor { cpu = DCT_CPU, gpu = DCT_GPU };
/// How many pixels share a color: dct_sampling.
enum class sampling { s444 = DCT_444, s420 = DCT_420 };

/// Pixels of the caller, as dct_image says.
using image = dct_image;

inline bool available(processor where) { return dct_available(static_cast<dct_processor>(where)) != 0; }

/// A compressed picture; move-only.
class picture {
 public:
  explicit picture(dct_picture* owned) : handle_(owned) {}

  dct_description describe() const {
    dct_description description;
    detail::check(dct_describe(get(), &description));
    return description;
  }
  /// `index` is 0 to describe().channels - 1.
  dct_component component(int index) const {
    dct_component component;
    detail::check(dct_get_component(get(), index, &component));
    return component;
  }
  /// height rows of width * channels values, without gaps.
  std::vector<std::uint8_t> reconstruct(processor where) const {
    const dct_description size = describe();
    std::vector<std::uint8_t> pixels(std::size_t(size.width) * std::size_t(size.height) *
                                     std::size_t(size.channels));
    detail::check(dct_reconstruct(static_cast<dct_processor>(where), get(), pixels.data(), 0));
    return pixels;
  }
  picture keep_first(int count) const {
    dct_picture* result = nullptr;
    detail::check(dct_keep_first(get(), count, &result));
    return picture(result);
  }
  void save_jpeg(const std::string& path) const { detail::check(dct_save_jpeg(get(), path.c_str())); }
  std::vector<std::uint8_t> encode_jpeg() const {
    std::uint8_t* bytes = nullptr;
    std::size_t size = 0;
    detail::check(dct_encode_jpeg(get(), &bytes, &size));
    const std::unique_ptr<std::uint8_t, void (*)(std::uint8_t*)> owner(bytes, dct_release_bytes);
    return {bytes, bytes + size};
  }
  /// For the functions of dct.h.
  const dct_picture* get() const { return handle_.get(); }

 private:
  std::unique_ptr<dct_picture, detail::picture_release> handle_;
};

inline picture compress(processor where, const image& pixels, int quality, sampling colors = sampling::s420) {
  dct_picture* result = nullptr;
  detail::check(dct_compress(static_cast<dct_processor>(where), &pixels, quality,
                             static_cast<dct_sampling>(colors), &result));
  return picture(result);
}

inline double psnr(const image& a, const image& b) {
  double decibels = 0;
  detail::check(dct_psnr(&a, &b, &decibels));
  return decibels;
}

inline double ssim(const image& a, const image& b) {
  double similarity = 0;
  detail::check(dct_ssim(&a, &b, &similarity));
  return similarity;
}

}  // namespace dct
