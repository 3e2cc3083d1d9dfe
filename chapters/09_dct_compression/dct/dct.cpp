// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "dct.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <utility>
#include <vector>

#include "09_dct_compression/device_codec.hpp"
#include "09_dct_compression/host/compress_serial.hpp"
#include "09_dct_compression/host/compressed_picture.hpp"
#include "09_dct_compression/host/jpeg_output.hpp"
#include "09_dct_compression/host/picture_quality.hpp"
#include "09_dct_compression/host/quantization.hpp"
#include "border.hpp"
#include "common/device/device.hpp"
#include "common/files/image.hpp"

struct dct_picture {
  tutorial::compressed_picture compressed;
};

namespace {

using namespace tutorial::border;

// So that three channels of a row, and whole 8x8 blocks, can be counted in int.
constexpr int most_pixels_a_side = 700000000;

// No std::string: to say that memory is short must not need memory.
thread_local char message[1024] = "";

const tutorial::compressed_picture& compressed(const dct_picture* picture) {
  require(picture != nullptr, "the picture is a null pointer");
  return picture->compressed;
}

void keep_first(tutorial::plane<std::int16_t>& levels, int count) {
  const auto& path = tutorial::zigzag_order();
  for (int row = 0; row < levels.height; row += 8)
    for (int col = 0; col < levels.width; col += 8)
      for (int i = count; i < 64; ++i) levels.at(row + path[i] / 8, col + path[i] % 8) = 0;
}

void hand_over(tutorial::compressed_picture&& from, dct_picture** to) {
  *to = new dct_picture{std::move(from)};
}

}  // namespace

namespace tutorial::border {

dct_status failed(dct_status status, const char* why) noexcept {
  std::snprintf(message, sizeof message, "%s", why);
  return status;
}

void require_picture(int width, int height, int channels) {
  require(width >= 1 && height >= 1, "the image has a width or height of less than 1");
  require(width <= most_pixels_a_side && height <= most_pixels_a_side,
          "the image has more than 700,000,000 pixels a side");
  require(channels == 1 || channels == 3, "the image must have 1 channel or 3");
}

void require_quality(int quality) { require(quality >= 1 && quality <= 100, "the quality must be 1 to 100"); }

std::ptrdiff_t row_bytes(int width, int channels, std::ptrdiff_t stride) {
  const std::ptrdiff_t least = std::ptrdiff_t(width) * channels;
  require(stride == 0 || stride >= least, "the stride is smaller than width * channels");
  return stride == 0 ? least : stride;
}

image image_of(const dct_image* from) {
  require(from != nullptr, "the image is a null pointer");
  require(from->pixels != nullptr, "the image has no pixels: a null pointer");
  require_picture(from->width, from->height, from->channels);
  const std::ptrdiff_t stride = row_bytes(from->width, from->channels, from->stride);
  image copy(from->width, from->height, from->channels);
  for (int row = 0; row < from->height; ++row)
    std::memcpy(copy.row(row).data(), from->pixels + row * stride, copy.stride());
  return copy;
}

bool on_gpu(dct_processor processor) {
  require(processor == DCT_CPU || processor == DCT_GPU, "the processor must be DCT_CPU or DCT_GPU");
  return processor == DCT_GPU;
}

chroma_sampling sampling_of(dct_sampling sampling) {
  require(sampling == DCT_444 || sampling == DCT_420, "the sampling must be DCT_444 or DCT_420");
  return sampling == DCT_420 ? chroma_sampling::s420 : chroma_sampling::s444;
}

void hand_over(const std::vector<std::uint8_t>& from, uint8_t** bytes, size_t* size) {
  void* copy = std::malloc(from.size());
  if (copy == nullptr) throw std::bad_alloc();
  *bytes = static_cast<uint8_t*>(std::memcpy(copy, from.data(), from.size()));
  *size = from.size();
}

}  // namespace tutorial::border

extern "C" {

const char* dct_error(void) { return message; }

const char* dct_version(void) { return DCT_VERSION; }

int dct_available(dct_processor processor) {
  return guarded([&] {
           if (on_gpu(processor)) tutorial::current_device();
         }) == DCT_OK;
}

dct_status dct_compress(dct_processor processor, const dct_image* image, int quality, dct_sampling sampling,
                        dct_picture** picture) {
  return guarded([&] {
    require(picture != nullptr, "there is no place for the picture: a null pointer");
    *picture = nullptr;
    require_quality(quality);
    const tutorial::chroma_sampling chroma = sampling_of(sampling);
    const bool gpu = on_gpu(processor);
    const tutorial::image pixels = image_of(image);
    hand_over(gpu ? tutorial::compress_on_device(pixels, quality, chroma)
                  : tutorial::compress_serial(pixels, quality, chroma),
              picture);
  });
}

dct_status dct_reconstruct(dct_processor processor, const dct_picture* picture, uint8_t* pixels,
                           ptrdiff_t stride) {
  return guarded([&] {
    const tutorial::compressed_picture& from = compressed(picture);
    require(pixels != nullptr, "there is no place for the pixels: a null pointer");
    const std::ptrdiff_t bytes = row_bytes(from.width, int(from.components.size()), stride);
    const tutorial::image result =
        on_gpu(processor) ? tutorial::reconstruct_on_device(from) : tutorial::reconstruct_serial(from);
    for (int row = 0; row < result.height(); ++row)
      std::memcpy(pixels + row * bytes, result.row(row).data(), result.stride());
  });
}

void dct_release(dct_picture* picture) { delete picture; }

dct_status dct_describe(const dct_picture* picture, dct_description* description) {
  return guarded([&] {
    const tutorial::compressed_picture& from = compressed(picture);
    require(description != nullptr, "there is no place for the description: a null pointer");
    *description = {from.width, from.height, int(from.components.size()),
                    from.sampling == tutorial::chroma_sampling::s420 ? DCT_420 : DCT_444};
  });
}

dct_status dct_get_component(const dct_picture* picture, int index, dct_component* component) {
  return guarded([&] {
    const tutorial::compressed_picture& from = compressed(picture);
    require(component != nullptr, "there is no place for the component: a null pointer");
    require(index >= 0 && index < int(from.components.size()), "the picture has no component of this index");
    const tutorial::compressed_component& one = from.components[std::size_t(index)];
    *component = {one.width,       one.height, one.levels.width, one.levels.height, one.levels.values.data(),
                  one.steps.data()};
  });
}

dct_status dct_keep_first(const dct_picture* picture, int count, dct_picture** result) {
  return guarded([&] {
    require(result != nullptr, "there is no place for the result: a null pointer");
    *result = nullptr;
    require(count >= 1 && count <= 64, "the number of levels to keep must be 1 to 64");
    tutorial::compressed_picture kept = compressed(picture);
    for (tutorial::compressed_component& component : kept.components) keep_first(component.levels, count);
    hand_over(std::move(kept), result);
  });
}

dct_status dct_save_jpeg(const dct_picture* picture, const char* path) {
  return guarded([&] {
    const tutorial::compressed_picture& from = compressed(picture);
    require(path != nullptr, "the path is a null pointer");
    tutorial::write_jpeg(path, from);
  });
}

dct_status dct_encode_jpeg(const dct_picture* picture, uint8_t** bytes, size_t* size) {
  return guarded([&] {
    require(bytes != nullptr && size != nullptr, "there is no place for the bytes: a null pointer");
    *bytes = nullptr;
    hand_over(tutorial::jpeg_bytes(compressed(picture)), bytes, size);
  });
}

void dct_release_bytes(uint8_t* bytes) { std::free(bytes); }

dct_status dct_psnr(const dct_image* a, const dct_image* b, double* decibels) {
  return guarded([&] {
    require(decibels != nullptr, "there is no place for the value: a null pointer");
    *decibels = tutorial::psnr(image_of(a), image_of(b));
  });
}

dct_status dct_ssim(const dct_image* a, const dct_image* b, double* similarity) {
  return guarded([&] {
    require(similarity != nullptr, "there is no place for the value: a null pointer");
    *similarity = tutorial::ssim(image_of(a), image_of(b));
  });
}

}  // extern "C"
