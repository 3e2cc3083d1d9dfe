// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "call_the_library.hpp"

#include <doctest/doctest.h>

#include "common/verify/inputs.hpp"

using namespace tutorial;

// The linker sends the answer's calls here (--wrap, in the chapter's CMakeLists.txt): they are counted, and
// may be made to fail. Calls to __real_... reach the library.
namespace {

struct watched_calls {
  int compressed = 0, pictures = 0, files = 0;  // calls; what is not released yet
  int wrong_order = 0;                          // calls with a picture that there is not
  int failing_compression = 0, failing_file = 0;
  bool gpu = true;
};
watched_calls calls;

}  // namespace

extern "C" {

int __real_dct_available(dct_processor);
dct_status __real_dct_compress(dct_processor, const dct_image*, int, dct_sampling, dct_picture**);
dct_status __real_dct_encode_jpeg(const dct_picture*, uint8_t**, size_t*);
void __real_dct_release(dct_picture*);
void __real_dct_release_bytes(uint8_t*);

int __wrap_dct_available(dct_processor processor) {
  return processor == DCT_GPU && !calls.gpu ? 0 : __real_dct_available(processor);
}

dct_status __wrap_dct_compress(dct_processor processor, const dct_image* image, int quality,
                               dct_sampling sampling, dct_picture** picture) {
  // A real error, so that dct_error() has something to say about it.
  if (++calls.compressed == calls.failing_compression) image = nullptr;
  const dct_status status = __real_dct_compress(processor, image, quality, sampling, picture);
  calls.pictures += status == DCT_OK;
  return status;
}

dct_status __wrap_dct_encode_jpeg(const dct_picture* picture, uint8_t** bytes, size_t* size) {
  calls.wrong_order += picture == nullptr;
  const bool fails = calls.compressed == calls.failing_file;
  const dct_status status = __real_dct_encode_jpeg(fails ? nullptr : picture, bytes, size);
  calls.files += status == DCT_OK;
  return status;
}

void __wrap_dct_release(dct_picture* picture) {
  calls.pictures -= picture != nullptr;
  __real_dct_release(picture);
}

void __wrap_dct_release_bytes(uint8_t* bytes) {
  calls.files -= bytes != nullptr;
  __real_dct_release_bytes(bytes);
}

}  // extern "C"

namespace {

struct picture {
  int width, height, channels;
  std::vector<std::uint8_t> pixels;

  /// A slope and some noise.
  picture(int w, int h, int c) : width(w), height(h), channels(c), pixels(std::size_t(w * h * c)) {
    for (std::size_t i = 0; i < pixels.size(); ++i)
      pixels[i] = std::uint8_t(i * 128 / pixels.size() + random_bits(9, i) % 100);
  }
  dct_image image() const { return {pixels.data(), width, height, channels, 0}; }
};

/// Size of the file of this quality, as the library makes it.
std::size_t size_of_quality(const dct_image& image, int quality) {
  dct_picture* compressed = nullptr;
  std::uint8_t* bytes = nullptr;
  std::size_t size = 0;
  REQUIRE(__real_dct_compress(DCT_CPU, &image, quality, DCT_420, &compressed) == DCT_OK);
  REQUIRE(__real_dct_encode_jpeg(compressed, &bytes, &size) == DCT_OK);
  __real_dct_release_bytes(bytes);
  __real_dct_release(compressed);
  return size;
}

jpeg_file watched(const dct_image& image, std::size_t most_bytes, dct_processor processor) {
  jpeg_file file = jpeg_within(image, most_bytes, processor);
  CHECK_MESSAGE(calls.pictures == 0, calls.pictures, " pictures are not released");
  CHECK_MESSAGE(calls.files == 0, calls.files, " files are not released");
  CHECK_MESSAGE(calls.wrong_order == 0, "a picture is used that there is not");
  return file;
}

}  // namespace

TEST_CASE("the best quality that fits") {
  for (const picture& p : {picture(64, 48, 1), picture(50, 33, 3)})
    for (const int wanted : {1, 2, 37, 50, 75, 99, 100}) {
      const std::size_t most = size_of_quality(p.image(), wanted);
      calls = {};
      const jpeg_file file = watched(p.image(), most, DCT_CPU);
      CAPTURE(most);
      CHECK(file.status == DCT_OK);
      CHECK(file.error.empty());
      CHECK_MESSAGE(calls.compressed <= 7, "compresses ", calls.compressed, " times");
      REQUIRE(1 <= file.quality);
      REQUIRE(file.quality <= 100);
      REQUIRE(file.bytes.size() > 4);
      CHECK(file.bytes.size() <= most);
      CHECK_MESSAGE(file.bytes.size() == size_of_quality(p.image(), file.quality),
                    "the bytes are not those of quality ", file.quality);
      if (file.quality < 100)
        CHECK_MESSAGE(size_of_quality(p.image(), file.quality + 1) > most, "quality ", file.quality + 1,
                      " fits as well as ", file.quality);
      CHECK(int(file.bytes[0]) == 0xFF);  // how every JPEG file begins and ends
      CHECK(int(file.bytes[1]) == 0xD8);
      CHECK(int(file.bytes[file.bytes.size() - 2]) == 0xFF);
      CHECK(int(file.bytes.back()) == 0xD9);
    }
}

TEST_CASE("with room for everything, and for nothing") {
  const picture p(40, 40, 3);
  calls = {};
  const jpeg_file large = watched(p.image(), 1000000, DCT_CPU);
  CHECK(large.quality == 100);
  CHECK(large.bytes.size() > 0);
  const jpeg_file none = watched(p.image(), size_of_quality(p.image(), 1) - 1, DCT_CPU);
  CHECK(none.status == DCT_OK);
  CHECK(none.error.empty());
  CHECK(none.quality == 0);
  CHECK(none.bytes.empty());
}

TEST_CASE("the processor") {
  calls = {};
  CHECK(best_processor() == (__real_dct_available(DCT_GPU) ? DCT_GPU : DCT_CPU));
  calls.gpu = false;  // as on a machine without one
  CHECK(best_processor() == DCT_CPU);
  calls = {};
  const picture p(64, 48, 1);
  const std::size_t most = size_of_quality(p.image(), 60) + 20;
  const jpeg_file file = watched(p.image(), most, best_processor());
  CHECK(file.status == DCT_OK);
  CHECK(file.quality > 0);
  CHECK(file.bytes.size() > 0);
  CHECK(file.bytes.size() <= most);
}

TEST_CASE("what the library refuses") {
  calls = {};
  const picture p(16, 16, 1);
  dct_image image = p.image();
  image.channels = 2;
  const jpeg_file file = watched(image, 1000000, DCT_CPU);
  CHECK(file.status == DCT_BAD_ARGUMENT);
  CHECK(file.error == "the image must have 1 channel or 3");
  CHECK(file.quality == 0);
  CHECK(file.bytes.empty());
  CHECK_MESSAGE(calls.compressed == 1, "goes on after an error");
}

TEST_CASE("a call that fails later") {
  const picture p(64, 48, 1);
  const std::size_t most = size_of_quality(p.image(), 80);
  for (const int at : {2, 3}) {
    calls = {};
    calls.failing_compression = at;
    const jpeg_file not_compressed = watched(p.image(), most, DCT_CPU);
    CHECK(not_compressed.status == DCT_BAD_ARGUMENT);
    CHECK(not_compressed.error == "the image is a null pointer");
    CHECK(not_compressed.bytes.empty());
    CHECK_MESSAGE(calls.compressed == at, "goes on after an error");

    calls = {};
    calls.failing_file = at;
    const jpeg_file not_encoded = watched(p.image(), most, DCT_CPU);
    CHECK(not_encoded.status == DCT_BAD_ARGUMENT);
    CHECK(not_encoded.error == "the picture is a null pointer");
    CHECK(not_encoded.bytes.empty());
    CHECK_MESSAGE(calls.compressed == at, "goes on after an error");
  }
}
