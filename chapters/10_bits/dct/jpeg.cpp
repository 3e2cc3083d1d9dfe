// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "jpeg.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
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

struct dct_decoder {
  tutorial::picture_decoder decoder;
  std::uint8_t* to = nullptr;  ///< Not nullptr from begin to finish.
  std::size_t pitch = 0;
  cudaStream_t stream = nullptr;

  void copy_pixels() const {
    const auto from = decoder.pixels();
    tutorial::check(cudaMemcpy2DAsync(to, pitch, from.data(), from.pitch(), std::size_t(from.width()),
                                      std::size_t(from.height()), cudaMemcpyDeviceToDevice, stream));
  }
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

std::span<const std::uint8_t> file_of(const uint8_t* bytes, size_t size) {
  require(bytes != nullptr, "there is no file: a null pointer");
  return {bytes, size};
}

dct_jpeg description_of(const tutorial::jpeg_head& head) {
  return {head.width, head.height, head.of.size() == 1 ? 1 : 3, head.orientation};
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
                                size_t room, void* stream, size_t* size) {
  return guarded([&] {
    require(encoder != nullptr, "the encoder is a null pointer");
    require(pixels != nullptr, "the image has no pixels: a null pointer");
    require(file != nullptr && size != nullptr, "there is no place for the bytes: a null pointer");
    require_device_memory(pixels, "the pixels are in host memory: copy them to the GPU's memory");
    require_device_memory(file, "the bytes would go to host memory: give a place in the GPU's memory");
    const tutorial::jpeg_description& picture = encoder->picture;
    const std::ptrdiff_t pitch = row_bytes(picture.width, picture.channels, stride);
    const auto in = static_cast<cudaStream_t>(stream);
    encoder->encoder.encode({pixels, picture.width * picture.channels, picture.height, std::size_t(pitch)},
                            {file, room}, encoder->size.data(), in);
    std::uint64_t bytes = 0;
    tutorial::check(cudaMemcpyAsync(&bytes, encoder->size.data(), sizeof bytes, cudaMemcpyDeviceToHost, in));
    tutorial::check(cudaStreamSynchronize(in));
    if (bytes > room)
      throw std::invalid_argument("the file has " + std::to_string(bytes) + " bytes, and there is room for " +
                                  std::to_string(room));
    *size = bytes;
  });
}

void dct_release_encoder(dct_encoder* encoder) { delete encoder; }

dct_status dct_describe_jpeg(const uint8_t* bytes, size_t size, dct_jpeg* jpeg) {
  return guarded([&] {
    require(jpeg != nullptr, "there is no place for the description: a null pointer");
    *jpeg = description_of(tutorial::read_jpeg_head(file_of(bytes, size)));
  });
}

dct_status dct_decode_jpeg(dct_processor processor, const uint8_t* bytes, size_t size, uint8_t* pixels,
                           ptrdiff_t stride) {
  return guarded([&] {
    const std::span<const std::uint8_t> file = file_of(bytes, size);
    require(pixels != nullptr, "there is no place for the pixels: a null pointer");
    const bool gpu = on_gpu(processor);
    const dct_jpeg jpeg = description_of(tutorial::read_jpeg_head(file));
    const std::ptrdiff_t pitch = row_bytes(jpeg.width, jpeg.channels, stride);
    const tutorial::image picture =
        gpu ? tutorial::decode_jpeg_on_device(file).picture : tutorial::decode_jpeg_on_host(file);
    for (int row = 0; row < jpeg.height; ++row)
      std::copy_n(picture.pixels().data() + std::size_t(row) * picture.stride(), picture.stride(),
                  pixels + row * pitch);
  });
}

dct_status dct_create_decoder(dct_decoder** decoder) {
  return guarded([&] {
    require(decoder != nullptr, "there is no place for the decoder: a null pointer");
    *decoder = nullptr;
    tutorial::current_device();  // says why where there is none
    *decoder = new dct_decoder;
  });
}

dct_status dct_begin_decoding(dct_decoder* decoder, const uint8_t* bytes, size_t size, uint8_t* pixels,
                              ptrdiff_t stride, void* stream) {
  return guarded([&] {
    require(decoder != nullptr, "the decoder is a null pointer");
    require(decoder->to == nullptr, "the file before has not been finished");
    const std::span<const std::uint8_t> file = file_of(bytes, size);
    require(pixels != nullptr, "there is no place for the pixels: a null pointer");
    require_device_memory(pixels, "the pixels would go to host memory: give a place in the GPU's memory");
    decoder->stream = static_cast<cudaStream_t>(stream);
    const dct_jpeg jpeg = description_of(tutorial::read_jpeg_head(file));
    decoder->pitch = std::size_t(row_bytes(jpeg.width, jpeg.channels, stride));
    decoder->decoder.begin(file, decoder->stream);
    decoder->to = pixels;
    decoder->copy_pixels();
  });
}

dct_status dct_finish_decoding(dct_decoder* decoder, int* by_host) {
  return guarded([&] {
    require(decoder != nullptr, "the decoder is a null pointer");
    require(decoder->to != nullptr, "no file has been begun");
    const auto is_over = [&](const void*) { decoder->to = nullptr; };
    const std::unique_ptr<dct_decoder, decltype(is_over)> whatever_happens(decoder, is_over);
    decoder->decoder.finish();
    const bool is_by_host = !decoder->decoder.why_host().empty();
    if (is_by_host) decoder->copy_pixels();  // those before were none
    tutorial::check(cudaStreamSynchronize(decoder->stream));
    if (by_host != nullptr) *by_host = is_by_host ? 1 : 0;
  });
}

void dct_release_decoder(dct_decoder* decoder) {
  if (decoder != nullptr && decoder->to != nullptr) cudaStreamSynchronize(decoder->stream);
  delete decoder;
}

}  // extern "C"
