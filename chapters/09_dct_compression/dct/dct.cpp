// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// The border between C and the chapter: null pointers, sizes and exceptions stop here.
#include "dct.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <utility>

#include "09_dct_compression/host/compress_serial.hpp"
#include "09_dct_compression/host/compressed_picture.hpp"
#include "09_dct_compression/host/jpeg_output.hpp"
#include "09_dct_compression/host/picture_quality.hpp"
#include "09_dct_compression/host/quantization.hpp"
#include "09_dct_compression/kernels/device_codec.hpp"
#include "common/device/check.hpp"
#include "common/device/device.hpp"
#include "common/files/image.hpp"
#include "common/files/input_error.hpp"

struct dct_picture {
  tutorial::compressed_picture compressed;
};

namespace {

// No std::string: to say that memory is short must not need memory.
thread_local char message[1024] = "";

dct_status failed(dct_status status, const char* why) noexcept {
  std::snprintf(message, sizeof message, "%s", why);
  return status;
}

/// Runs `work` and turns what it throws into a status and dct_error().
template <class Work>
dct_status guarded(const Work& work) noexcept {
  try {
    work();
    return DCT_OK;
  } catch (const std::invalid_argument& error) {
    return failed(DCT_BAD_ARGUMENT, error.what());
  } catch (const tutorial::input_error& error) {
    return failed(DCT_FILE, error.what());
  } catch (const tutorial::cuda_error& error) {
    return failed(error.code() == cudaErrorMemoryAllocation ? DCT_OUT_OF_MEMORY : DCT_NO_DEVICE,
                  error.what());
  } catch (const std::bad_alloc&) {
    return failed(DCT_OUT_OF_MEMORY, "not enough memory for a picture of this size");
  } catch (const std::exception& error) {
    return failed(DCT_INTERNAL, error.what());
  } catch (...) {
    return failed(DCT_INTERNAL, "an exception of an unknown kind");
  }
}

void require(bool condition, const char* otherwise) {
  if (!condition) throw std::invalid_argument(otherwise);
}

// So that three channels of a row, and whole 8x8 blocks, can be counted in int.
constexpr int most_pixels_a_side = 700000000;

std::ptrdiff_t row_bytes(int width, int channels, std::ptrdiff_t stride) {
  const std::ptrdiff_t least = std::ptrdiff_t(width) * channels;
  require(stride == 0 || stride >= least, "the stride is smaller than width * channels");
  return stride == 0 ? least : stride;
}

tutorial::image image_of(const dct_image* image) {
  require(image != nullptr, "the image is a null pointer");
  require(image->pixels != nullptr, "the image has no pixels: a null pointer");
  require(image->width >= 1 && image->height >= 1, "the image has a width or height of less than 1");
  require(image->width <= most_pixels_a_side && image->height <= most_pixels_a_side,
          "the image has more than 700,000,000 pixels a side");
  require(image->channels == 1 || image->channels == 3, "the image must have 1 channel or 3");
  const std::ptrdiff_t stride = row_bytes(image->width, image->channels, image->stride);
  tutorial::image copy(image->width, image->height, image->channels);
  for (int row = 0; row < image->height; ++row)
    std::memcpy(copy.row(row).data(), image->pixels + row * stride, copy.stride());
  return copy;
}

const tutorial::compressed_picture& compressed(const dct_picture* picture) {
  require(picture != nullptr, "the picture is a null pointer");
  return picture->compressed;
}

bool on_gpu(dct_processor processor) {
  require(processor == DCT_CPU || processor == DCT_GPU, "the processor must be DCT_CPU or DCT_GPU");
  return processor == DCT_GPU;
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
    require(sampling == DCT_444 || sampling == DCT_420, "the sampling must be DCT_444 or DCT_420");
    const auto chroma =
        sampling == DCT_420 ? tutorial::chroma_sampling::s420 : tutorial::chroma_sampling::s444;
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
    const std::vector<std::uint8_t> jpeg = tutorial::jpeg_bytes(compressed(picture));
    void* copy = std::malloc(jpeg.size());
    if (copy == nullptr) throw std::bad_alloc();
    *bytes = static_cast<uint8_t*>(std::memcpy(copy, jpeg.data(), jpeg.size()));
    *size = jpeg.size();
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
