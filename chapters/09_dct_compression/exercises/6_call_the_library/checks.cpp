// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "call_the_library.hpp"

#include <doctest/doctest.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "common/files/numbers.hpp"
#include "common/verify/inputs.hpp"

using namespace tutorial;

// The linker sends the answer's calls here (--wrap, in the chapter's CMakeLists.txt): they are counted, and
// may be made to fail. Calls to __real_... reach the library.
namespace {

struct watched_calls {
  int compressed = 0, pictures = 0, files = 0;  // calls; what is not released yet
  int wrong_order = 0;                          // calls with a picture that there is not
  int failing_compression = 0, failing_file = 0;
  int last_quality = 0;  // that was asked for
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
  calls.last_quality = quality;
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
  const bool made = __real_dct_compress(DCT_CPU, &image, quality, DCT_420, &compressed) == DCT_OK &&
                    __real_dct_encode_jpeg(compressed, &bytes, &size) == DCT_OK;
  REQUIRE_MESSAGE(made, "the library itself fails: ", dct_error());
  __real_dct_release_bytes(bytes);
  __real_dct_release(compressed);
  return size;
}

/// "64 x 48 pixels, 1 channel, at most 750 bytes: "
std::string given(const dct_image& image, std::size_t most_bytes) {
  return std::to_string(image.width) + " x " + std::to_string(image.height) + " pixels, " +
         several(std::uint64_t(image.channels), "channel") + ", at most " + several(most_bytes, "byte") +
         ": ";
}

void check_status(const jpeg_file& file, dct_status expected, const std::string& error,
                  const std::string& what) {
  CHECK_MESSAGE(file.status == expected, what, "the status should be ", int(expected), ", and is ",
                int(file.status));
  CHECK_MESSAGE(file.error == error, what, "the error should be \"", error,
                "\", as dct_error() says, and is \"", file.error, "\"");
}

void check_no_file(const jpeg_file& file, const std::string& what) {
  CHECK_MESSAGE(file.bytes.empty(), what, "there should be no file, and it has ",
                several(file.bytes.size(), "byte"));
}

void check_empty(const jpeg_file& file, const std::string& what) {
  CHECK_MESSAGE(file.quality == 0, what, "the quality should be 0, and is ", file.quality);
  check_no_file(file, what);
}

jpeg_file watched(const dct_image& image, std::size_t most_bytes, dct_processor processor) {
  jpeg_file file = jpeg_within(image, most_bytes, processor);
  const std::string what = given(image, most_bytes);
  CHECK_MESSAGE(calls.pictures == 0, what, several(std::uint64_t(std::abs(calls.pictures)), "picture"),
                std::string(calls.pictures > 0 ? " that dct_compress() made " : " too many "),
                std::string(calls.pictures > 0 ? "are not released by dct_release()" : "are released"));
  CHECK_MESSAGE(calls.files == 0, what, several(std::uint64_t(std::abs(calls.files)), "file"),
                std::string(calls.files > 0 ? " that dct_encode_jpeg() made " : " too many "),
                std::string(calls.files > 0 ? "are not released by dct_release_bytes()" : "are released"));
  CHECK_MESSAGE(calls.wrong_order == 0, what,
                "dct_encode_jpeg() was called with a null pointer, as it is after dct_compress() has failed");
  return file;
}

}  // namespace

TEST_CASE("the best quality that fits") {
  for (const picture& p : {picture(64, 48, 1), picture(50, 33, 3)})
    for (const int wanted : {1, 2, 37, 50, 75, 99, 100}) {
      const std::size_t most = size_of_quality(p.image(), wanted);
      calls = {};
      const jpeg_file file = watched(p.image(), most, DCT_CPU);
      const std::string what = given(p.image(), most);
      check_status(file, DCT_OK, "", what);
      CHECK_MESSAGE(calls.compressed <= 7, what, "dct_compress() was called ", calls.compressed,
                    " times, and 7 are enough: each can halve the 100 qualities that are left");
      REQUIRE_MESSAGE((1 <= file.quality && file.quality <= 100), what, "quality ", wanted,
                      " fits, and the quality of the file is ", file.quality);
      REQUIRE_MESSAGE(file.bytes.size() > 4, what, "the file has only ", several(file.bytes.size(), "byte"));
      CHECK_MESSAGE(
          file.bytes.size() <= most, what, "the file has ", several(file.bytes.size(), "byte"),
          ", which is too much; its quality is ", file.quality, ". Quality ", wanted, " fits, with ",
          several(most, "byte"),
          std::string(file.quality == calls.last_quality
                          ? ". It is as if jpeg_within() returned the last file that it tried, and not "
                            "the best one that fits"
                          : ""));
      CHECK_MESSAGE(file.bytes.size() == size_of_quality(p.image(), file.quality), what, "the file has ",
                    several(file.bytes.size(), "byte"), ", but one of quality ", file.quality, " has ",
                    size_of_quality(p.image(), file.quality));
      if (file.quality < 100)
        CHECK_MESSAGE(size_of_quality(p.image(), file.quality + 1) > most, what, "the quality is ",
                      file.quality, ", but ", file.quality + 1, " fits, too");
      const std::size_t size = file.bytes.size();
      const bool whole = file.bytes[0] == 0xFF && file.bytes[1] == 0xD8 && file.bytes[size - 2] == 0xFF &&
                         file.bytes[size - 1] == 0xD9;
      CHECK_MESSAGE(whole, what, "a JPEG file begins with FF D8 and ends with FF D9, and this one does not");
    }
}

TEST_CASE("with room for everything, and for nothing") {
  const picture p(40, 40, 3);
  calls = {};
  const jpeg_file large = watched(p.image(), 1000000, DCT_CPU);
  CHECK_MESSAGE(large.quality == 100, given(p.image(), 1000000),
                "everything fits, so the quality should be 100, and is ", large.quality);
  CHECK_MESSAGE(large.bytes.size() > 0, given(p.image(), 1000000), "everything fits, and there is no file");
  const std::size_t too_few = size_of_quality(p.image(), 1) - 1;
  const jpeg_file none = watched(p.image(), too_few, DCT_CPU);
  const std::string what = given(p.image(), too_few) + "not even quality 1 fits; ";
  check_status(none, DCT_OK, "", what);
  check_empty(none, what);
}

TEST_CASE("the processor") {
  calls = {};
  const bool gpu = __real_dct_available(DCT_GPU) != 0;
  CHECK_MESSAGE(best_processor() == (gpu ? DCT_GPU : DCT_CPU), "dct_available(DCT_GPU) says ",
                std::string(gpu ? "yes" : "no"), ", so best_processor() should be ",
                std::string(gpu ? "DCT_GPU" : "DCT_CPU"), ", and is the other one");
  calls.gpu = false;  // as on a machine without one
  CHECK_MESSAGE(best_processor() == DCT_CPU,
                "dct_available(DCT_GPU) says no, as on a machine without a GPU: ",
                "best_processor() should be DCT_CPU, and is DCT_GPU");
  calls = {};
  const picture p(64, 48, 1);
  const std::size_t most = size_of_quality(p.image(), 60) + 20;
  const jpeg_file file = watched(p.image(), most, best_processor());
  const std::string what = given(p.image(), most) + "with best_processor(), ";
  check_status(file, DCT_OK, "", what);
  CHECK_MESSAGE(file.quality > 0, what, "quality 60 fits, and the quality is ", file.quality);
  CHECK_MESSAGE((file.bytes.size() > 0 && file.bytes.size() <= most), what, "the file has ",
                several(file.bytes.size(), "byte"));
}

TEST_CASE("what the library refuses") {
  calls = {};
  const picture p(16, 16, 1);
  dct_image image = p.image();
  image.channels = 2;
  const jpeg_file file = watched(image, 1000000, DCT_CPU);
  const std::string what = given(image, 1000000) + "the library refuses 2 channels; ";
  check_status(file, DCT_BAD_ARGUMENT, "the image must have 1 channel or 3", what);
  check_empty(file, what);
  CHECK_MESSAGE(calls.compressed == 1, what, "dct_compress() was called ", calls.compressed,
                " times, though the first call failed");
}

TEST_CASE("a call that fails later") {
  const picture p(64, 48, 1);
  const std::size_t most = size_of_quality(p.image(), 80);
  for (const int at : {2, 3}) {
    calls = {};
    calls.failing_compression = at;
    const jpeg_file not_compressed = watched(p.image(), most, DCT_CPU);
    std::string what = given(p.image(), most) + "call " + std::to_string(at) + " of dct_compress() fails; ";
    check_status(not_compressed, DCT_BAD_ARGUMENT, "the image is a null pointer", what);
    check_no_file(not_compressed, what);
    CHECK_MESSAGE(calls.compressed == at, what, "it was called ", calls.compressed, " times");

    calls = {};
    calls.failing_file = at;
    const jpeg_file not_encoded = watched(p.image(), most, DCT_CPU);
    what = given(p.image(), most) + "call " + std::to_string(at) + " of dct_encode_jpeg() fails; ";
    check_status(not_encoded, DCT_BAD_ARGUMENT, "the picture is a null pointer", what);
    check_no_file(not_encoded, what);
    CHECK_MESSAGE(calls.compressed == at, what, "dct_compress() was called ", calls.compressed, " times");
  }
}
