// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// A program in C that knows nothing of the tutorial but <dct/jpeg.h>: files from both processors, with and without
// markers and codes of their own, and calls that cannot be.
#include <dct/jpeg.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

static int failures = 0;

static int expect(int condition, const char* what) {
  if (!condition) {
    fprintf(stderr, "FAILED: %s (dct_error: %s)\n", what, dct_error());
    ++failures;
  }
  return condition;
}

enum { width = 75, height = 41, stride = 3 * width + 3 };
static uint8_t pixels[height * stride];

static void paint(void) {
  uint32_t noise = 1;
  for (int i = 0; i < height * stride; ++i) {
    noise = noise * 1664525u + 1013904223u;
    pixels[i] = (uint8_t)(i % stride + i / stride + (noise >> 27));
  }
}

static size_t markers(const uint8_t* bytes, size_t size) {
  size_t count = 0;
  for (size_t i = 0; i + 1 < size; ++i)
    count += bytes[i] == 0xFF && bytes[i + 1] >= 0xD0 && bytes[i + 1] <= 0xD7;
  return count;
}

/// Both processors make the same picture of a file, close to the one that it was made of.
static void read_back(const uint8_t* file, size_t size, int channels) {
  static uint8_t decoded[2][height * stride];
  dct_jpeg jpeg = {0, 0, 0, 0};
  expect(dct_describe_jpeg(file, size, &jpeg) == DCT_OK && jpeg.width == width && jpeg.height == height &&
             jpeg.channels == channels && jpeg.orientation == 1,
         "describe");
  memset(decoded, 7, sizeof decoded);
  for (int processor = DCT_CPU; processor <= DCT_GPU; ++processor) {
    if (!dct_available((dct_processor)processor)) continue;
    expect(dct_decode_jpeg((dct_processor)processor, file, size, decoded[processor], stride) == DCT_OK,
           "decode");
    expect(memcmp(decoded[0], decoded[processor], sizeof decoded[0]) == 0, "the same on both processors");
  }
  const dct_image made = {decoded[0], width, height, channels, stride},
                  from = {pixels, width, height, channels, stride};
  double decibels = 0;
  expect(dct_psnr(&made, &from, &decibels) == DCT_OK && decibels > 15, "close to the picture");
  expect(decoded[0][stride - 1] == 7, "nothing behind a row is written");
  expect(dct_decode_jpeg(DCT_CPU, file, size - 90, decoded[0], 0) == DCT_FILE, "a file that ends early");
}

static void files(dct_processor processor, int channels, dct_sampling sampling) {
  const dct_image image = {pixels, width, height, channels, stride};
  uint8_t *plain = NULL, *by_libjpeg = NULL, *marked = NULL, *small = NULL;
  size_t size = 0, size_by_libjpeg = 0, marked_size = 0, small_size = 0;
  dct_picture* picture = NULL;
  if (!expect(dct_compress(processor, &image, 60, sampling, &picture) == DCT_OK, "compress") ||
      !expect(dct_encode_jpeg(picture, &by_libjpeg, &size_by_libjpeg) == DCT_OK, "libjpeg's file"))
    return;
  const dct_coding none = {0, 0}, with_markers = {2, 0}, own_codes = {0, 1};
  expect(dct_make_jpeg(processor, &image, 60, sampling, NULL, &plain, &size) == DCT_OK, "make");
  expect(dct_make_jpeg(processor, &image, 60, sampling, &none, &small, &small_size) == DCT_OK,
         "without markers");
  expect(small_size == size && memcmp(plain, small, size) == 0, "no coding is {0, 0}");
  dct_release_bytes(small);
  expect(dct_make_jpeg(processor, &image, 60, sampling, &with_markers, &marked, &marked_size) == DCT_OK,
         "markers");
  const int side = channels == 3 && sampling == DCT_420 ? 16 : 8;
  const size_t units = (size_t)((width + side - 1) / side) * (size_t)((height + side - 1) / side);
  expect(markers(marked, marked_size) == (units + 1) / 2 - 1, "a marker between every two units");
  expect(dct_make_jpeg(processor, &image, 60, sampling, &own_codes, &small, &small_size) == DCT_OK,
         "own codes");
  expect(small_size == size_by_libjpeg && memcmp(small, by_libjpeg, small_size) == 0,
         "the file is libjpeg's");
  expect(small_size < size, "own codes make it smaller");
  read_back(plain, size, channels);
  read_back(by_libjpeg, size_by_libjpeg, channels);
  read_back(marked, marked_size, channels);
  dct_release_bytes(plain);
  dct_release_bytes(by_libjpeg);
  dct_release_bytes(marked);
  dct_release_bytes(small);
  dct_release(picture);
}

static void refused(void) {
  const dct_image image = {pixels, width, height, 3, 0}, long_one = {pixels, 65501, 1, 1, 0};
  const dct_coding interval = {65536, 0}, negative = {-1, 0}, codes = {0, 2};
  uint8_t* bytes = pixels;
  size_t size = 7;
  expect(dct_make_jpeg(DCT_CPU, NULL, 50, DCT_444, NULL, &bytes, &size) == DCT_BAD_ARGUMENT && bytes == NULL,
         "no image");
  expect(dct_make_jpeg(DCT_CPU, &image, 0, DCT_444, NULL, &bytes, &size) == DCT_BAD_ARGUMENT, "quality 0");
  expect(dct_make_jpeg(DCT_GPU, &image, 101, DCT_444, NULL, &bytes, &size) == DCT_BAD_ARGUMENT,
         "quality 101");
  expect(dct_make_jpeg(DCT_CPU, &image, 50, DCT_444, &interval, &bytes, &size) == DCT_BAD_ARGUMENT,
         "interval");
  expect(dct_make_jpeg(DCT_CPU, &image, 50, DCT_444, &negative, &bytes, &size) == DCT_BAD_ARGUMENT,
         "interval -1");
  expect(dct_make_jpeg(DCT_CPU, &image, 50, DCT_444, &codes, &bytes, &size) == DCT_BAD_ARGUMENT, "codes");
  expect(dct_make_jpeg(DCT_CPU, &long_one, 50, DCT_444, NULL, &bytes, &size) == DCT_BAD_ARGUMENT,
         "65501 pixels");
  expect(dct_make_jpeg(DCT_CPU, &image, 50, DCT_444, NULL, NULL, &size) == DCT_BAD_ARGUMENT, "no place");
  expect(size == 7, "a call that fails leaves the size alone");
  dct_encoder* encoder = (dct_encoder*)pixels;
  expect(
      dct_create_encoder(INT_MAX, 8, 1, 50, DCT_444, NULL, &encoder) == DCT_BAD_ARGUMENT && encoder == NULL,
      "size");
  expect(dct_create_encoder(8, 8, 2, 50, DCT_444, NULL, &encoder) == DCT_BAD_ARGUMENT, "two channels");
  expect(dct_encode_on_device(NULL, pixels, 0, pixels, 1, NULL, &size) == DCT_BAD_ARGUMENT, "no encoder");
  expect(dct_room_for_jpeg(NULL) == 0, "no encoder needs no room");
  dct_release_encoder(NULL);
  dct_release_bytes(NULL);
  dct_jpeg jpeg = {7, 0, 0, 0};
  expect(dct_describe_jpeg(pixels, 99, &jpeg) == DCT_FILE && jpeg.width == 7, "no JPEG");
  expect(dct_describe_jpeg(NULL, 0, &jpeg) == DCT_BAD_ARGUMENT, "no bytes");
  expect(dct_decode_jpeg(DCT_GPU, pixels, 99, NULL, 0) == DCT_BAD_ARGUMENT, "no place for pixels");
  expect(dct_begin_decoding(NULL, pixels, 99, pixels, 0, NULL) == DCT_BAD_ARGUMENT, "no decoder");
  expect(dct_create_decoder(NULL) == DCT_BAD_ARGUMENT, "no place for a decoder");
  dct_release_decoder(NULL);
  if (!dct_available(DCT_GPU)) return;
  dct_decoder* decoder = NULL;
  expect(dct_create_decoder(&decoder) == DCT_OK, "a decoder");
  expect(dct_begin_decoding(decoder, pixels, 99, pixels, 0, NULL) == DCT_BAD_ARGUMENT, "pixels of the host");
  expect(dct_finish_decoding(decoder, NULL) == DCT_BAD_ARGUMENT, "nothing was begun");
  dct_release_decoder(decoder);
  uint8_t place[4096];
  expect(dct_create_encoder(8, 8, 1, 50, DCT_444, NULL, &encoder) == DCT_OK, "an encoder");
  expect(dct_encode_on_device(encoder, pixels, 0, place, sizeof place, NULL, &size) == DCT_BAD_ARGUMENT,
         "pixels of the host");
  expect(size == 7, "a call that fails leaves the size alone");
  dct_release_encoder(encoder);
}

int main(void) {
  paint();
  for (int processor = DCT_CPU; processor <= DCT_GPU; ++processor) {
    if (!dct_available((dct_processor)processor)) continue;
    files((dct_processor)processor, 1, DCT_444);
    files((dct_processor)processor, 3, DCT_444);
    files((dct_processor)processor, 3, DCT_420);
  }
  refused();
  printf("jpeg %s: %s\n", dct_version(), failures == 0 ? "all well" : "FAILED");
  return failures != 0;
}
