// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "jpeg.h"

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>

#include "09_dct_compression/dct/border.hpp"
#include "09_dct_compression/host/compress_serial.hpp"
#include "09_dct_compression/host/jpeg_output.hpp"
#include "10_bits/host/code_serial.hpp"
#include "10_bits/jpeg_on_device.hpp"
#include "common/device/device.hpp"
#include "common/device/device_memory.hpp"

struct dct_encoder {
  tutorial::jpeg_description picture;
  tutorial::picture_encoder encoder;
  tutorial::device_buffer<std::uint64_t> size{1};
};

namespace {

using namespace tutorial::border;

tutorial::jpeg_coding coding_of(const dct_coding* coding) {
  if (coding == nullptr) return {};
  require(coding->restart_interval >= 0 && coding->restart_interval <= 65535,
          "the restart interval must be 0 to 65535");
  require(coding->optimized == 0 || coding->optimized == 1, "`optimized` must be 0 or 1");
  return {coding->restart_interval, coding->optimized == 1};
}

void require_jpeg_size(int width, int height) {
  require(width <= tutorial::most_jpeg_pixels && height <= tutorial::most_jpeg_pixels,
          "the picture has more pixels a side than a JPEG file may have: 65500");
}

/// Pageable memory of the host would end the program's use of the GPU, not this call only.
void require_device_memory(const void* pointer, const char* what) {
  cudaPointerAttributes found{};
  tutorial::check(cudaPointerGetAttributes(&found, pointer));
  require(found.type != cudaMemoryTypeUnregistered, what);
}

}  // namespace

extern "C" {

dct_status dct_make_jpeg(dct_processor processor, const dct_image* image, int quality, dct_sampling sampling,
                         const dct_coding* coding, uint8_t** bytes, size_t* size) {
  return guarded([&] {
    require(bytes != nullptr && size != nullptr, "there is no place for the bytes: a null pointer");
    *bytes = nullptr;
    require_quality(quality);
    const tutorial::chroma_sampling chroma = sampling_of(sampling);
    const tutorial::jpeg_coding how = coding_of(coding);
    const bool gpu = on_gpu(processor);
    if (image != nullptr) require_jpeg_size(image->width, image->height);  // before the pixels are copied
    const tutorial::image pixels = image_of(image);
    hand_over(gpu ? tutorial::encode_jpeg_on_device(pixels, quality, chroma, how)
                  : tutorial::jpeg_file_serial(tutorial::compress_serial(pixels, quality, chroma), how),
              bytes, size);
  });
}

dct_status dct_create_encoder(int width, int height, int channels, int quality, dct_sampling sampling,
                              const dct_coding* coding, dct_encoder** encoder) {
  return guarded([&] {
    require(encoder != nullptr, "there is no place for the encoder: a null pointer");
    *encoder = nullptr;
    require_picture(width, height, channels);
    require_jpeg_size(width, height);
    require_quality(quality);
    const tutorial::chroma_sampling chroma = sampling_of(sampling);
    const tutorial::jpeg_coding how = coding_of(coding);
    const tutorial::jpeg_description picture =
        tutorial::description_of(width, height, channels, quality, chroma);
    tutorial::current_device();  // says why where there is none
    *encoder = new dct_encoder{picture, tutorial::picture_encoder(picture, how)};
  });
}

size_t dct_room_for_jpeg(const dct_encoder* encoder) {
  return encoder == nullptr ? 0 : tutorial::roomy_file_size(encoder->picture);
}

dct_status dct_encode_on_device(dct_encoder* encoder, const uint8_t* pixels, ptrdiff_t stride, uint8_t* file,
                                size_t room, size_t* size) {
  return guarded([&] {
    require(encoder != nullptr, "the encoder is a null pointer");
    require(pixels != nullptr, "the image has no pixels: a null pointer");
    require(file != nullptr && size != nullptr, "there is no place for the bytes: a null pointer");
    require_device_memory(pixels, "the pixels are in host memory: copy them to the GPU's memory");
    require_device_memory(file, "the bytes would go to host memory: give a place in the GPU's memory");
    const tutorial::jpeg_description& picture = encoder->picture;
    const std::ptrdiff_t pitch = row_bytes(picture.width, picture.channels, stride);
    encoder->encoder.encode({pixels, picture.width * picture.channels, picture.height, std::size_t(pitch)},
                            {file, room}, encoder->size.data());
    const std::uint64_t bytes = encoder->size.to_host()[0];  // waits
    if (bytes > room)
      throw std::invalid_argument("the file has " + std::to_string(bytes) + " bytes, and there is room for " +
                                  std::to_string(room));
    *size = bytes;
  });
}

void dct_release_encoder(dct_encoder* encoder) { delete encoder; }

}  // extern "C"
