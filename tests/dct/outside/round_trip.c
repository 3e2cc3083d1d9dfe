// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// A program in C that knows nothing of the tutorial but <dct/dct.h>: compresses a picture on the CPU and on the GPU,
// compares the two, and reads the JPEG back with libjpeg.
//     round_trip FILE.jpg
#include <dct/dct.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>  // before jpeglib.h, which needs FILE

#include <jpeglib.h>
#include <stdlib.h>
#include <string.h>

static int failures = 0;

static int expect(int condition, const char* what) {
  if (!condition) {
    fprintf(stderr, "FAILED: %s (dct_error: %s)\n", what, dct_error());
    ++failures;
  }
  return condition;
}

enum { width = 93, height = 61, stride = 3 * width + 5 };
static uint8_t pixels[height * stride];

// Shades, an edge and noise; between the rows something that no picture contains.
static void paint(void) {
  uint32_t noise = 1;
  memset(pixels, 0xEE, sizeof pixels);
  for (int row = 0; row < height; ++row)
    for (int col = 0; col < width; ++col)
      for (int c = 0; c < 3; ++c) {
        noise = noise * 1664525u + 1013904223u;
        const int shade = col * 2 + row * c + (col > 40 && row > 20 ? 60 : 0) - (int)(noise >> 28);
        pixels[row * stride + 3 * col + c] = (uint8_t)(shade < 0 ? 0 : shade > 255 ? 255 : shade);
      }
}

/// How many of the levels, or of the bytes, differ, and whether one does by more than 1.
struct difference {
  size_t values, differ, far;
};
static void note(struct difference* d, int a, int b) {
  ++d->values;
  d->differ += a != b;
  d->far += abs(a - b) > 1;
}

static struct difference of_levels(const dct_picture* a, const dct_picture* b, int channels) {
  struct difference d = {0, 0, 0};
  for (int i = 0; i < channels; ++i) {
    dct_component one, other;
    if (!expect(dct_get_component(a, i, &one) == DCT_OK && dct_get_component(b, i, &other) == DCT_OK,
                "component"))
      continue;
    expect(one.padded_width % 8 == 0 && one.padded_height % 8 == 0, "levels come in whole 8x8 blocks");
    expect(one.padded_width == other.padded_width && one.padded_height == other.padded_height, "equal sizes");
    expect(memcmp(one.steps, other.steps, 64 * sizeof *one.steps) == 0, "equal quantization tables");
    for (int k = 0; k < one.padded_width * one.padded_height; ++k) note(&d, one.levels[k], other.levels[k]);
  }
  return d;
}

/// The pixels in a JPEG file as libjpeg decodes it, each color repeated as dct_reconstruct() does. Released by free().
static uint8_t* read_jpeg(const uint8_t* bytes, size_t size, int channels) {
  struct jpeg_decompress_struct jpeg;
  struct jpeg_error_mgr errors;
  jpeg.err = jpeg_std_error(&errors);
  jpeg_create_decompress(&jpeg);
  jpeg_mem_src(&jpeg, (unsigned char*)bytes, (unsigned long)size);
  jpeg_read_header(&jpeg, TRUE);
  jpeg.dct_method = JDCT_FLOAT;
  jpeg.do_fancy_upsampling = FALSE;
  jpeg_start_decompress(&jpeg);
  uint8_t* result = NULL;
  if (expect(jpeg.output_width == width && jpeg.output_height == height && jpeg.output_components == channels,
             "the JPEG has the size of the picture"))
    result = malloc((size_t)width * height * channels);
  while (result && jpeg.output_scanline < jpeg.output_height) {
    JSAMPROW row = result + (size_t)jpeg.output_scanline * width * channels;
    jpeg_read_scanlines(&jpeg, &row, 1);
  }
  if (result) jpeg_finish_decompress(&jpeg);
  jpeg_destroy_decompress(&jpeg);
  return result;
}

static void try_picture(int channels, dct_sampling sampling, const char* path) {
  // Gray: every third value of the rows would be a channel; the first third of them makes a picture as well.
  const dct_image image = {pixels, width, height, channels, stride};
  dct_picture *cpu = NULL, *gpu = NULL;
  uint8_t from_cpu[height * width * 3], from_gpu[height * width * 3], *bytes = NULL, *read = NULL;
  size_t size = 0;
  double decibels = 0, similarity = 0;
  if (expect(dct_compress(DCT_CPU, &image, 80, sampling, &cpu) == DCT_OK, "compressing on the CPU") &&
      expect(dct_compress(DCT_GPU, &image, 80, sampling, &gpu) == DCT_OK, "compressing on the GPU") &&
      expect(dct_reconstruct(DCT_CPU, gpu, from_cpu, 0) == DCT_OK, "reconstructing on the CPU") &&
      expect(dct_reconstruct(DCT_GPU, gpu, from_gpu, 0) == DCT_OK, "reconstructing on the GPU") &&
      expect(dct_save_jpeg(gpu, path) == DCT_OK, "saving a JPEG") &&
      expect(dct_encode_jpeg(gpu, &bytes, &size) == DCT_OK, "encoding a JPEG")) {
    const dct_image result = {from_gpu, width, height, channels, 0};
    expect(dct_psnr(&image, &result, &decibels) == DCT_OK, "PSNR");
    expect(dct_ssim(&image, &result, &similarity) == DCT_OK, "SSIM");
    const struct difference levels = of_levels(cpu, gpu, channels);
    expect(levels.values >= (size_t)width * height, "levels were compared");
    expect(levels.far == 0 && levels.differ * 200 <= levels.values,
           "CPU and GPU agree on the levels, but at ties");
    struct difference both = {0, 0, 0}, file = {0, 0, 0};
    // Gray and brightness within 1; a color is a sum of products of two planes: within 3.
    read = read_jpeg(bytes, size, channels);
    for (int i = 0; read && i < width * height * channels; ++i) {
      note(&both, from_cpu[i], from_gpu[i]);
      const int error = abs(from_gpu[i] - read[i]);
      note(&file, error <= (channels == 1 ? 1 : 3) ? 0 : error, 0);
    }
    expect(both.values == (size_t)width * height * channels, "pixels were compared");
    expect((channels == 3 || both.far == 0) && both.differ * 100 <= both.values,
           "CPU and GPU agree on the pixels, but at ties");
    expect(file.differ == 0, "libjpeg reads from the JPEG what dct_reconstruct() gives");
    expect(decibels > 25 && decibels < 60 && similarity > 0.7 && similarity < 1,
           "the result looks like the picture");
    printf("%d channels, %s: %zu bytes, PSNR %.1f dB, SSIM %.3f; CPU and GPU differ in %zu of %zu levels\n",
           channels, sampling == DCT_420 ? "4:2:0" : "4:4:4", size, decibels, similarity, levels.differ,
           levels.values);
    // The file is those bytes.
    uint8_t* content = malloc(size + 1);
    FILE* file_read = fopen(path, "rb");
    expect(content && file_read && fread(content, 1, size + 1, file_read) == size &&
               memcmp(content, bytes, size) == 0,
           "the file holds what the memory does");
    if (file_read) fclose(file_read);
    free(content);
  }
  free(read);
  dct_release_bytes(bytes);
  dct_release(cpu);
  dct_release(gpu);
}

static void refuse(dct_status got, dct_status wanted, const char* word, const char* what) {
  expect(got == wanted && strstr(dct_error(), word) != NULL, what);
}

static void try_mistakes(void) {
  const dct_image image = {pixels, width, height, 3, stride};
  dct_image bad = image;
  dct_picture* picture = (dct_picture*)&bad;
  uint8_t result[4], *bytes = result;
  size_t size = 0;
  double value = 0;
  for (int where = DCT_CPU; where <= DCT_GPU; ++where) {
    const dct_processor processor = (dct_processor)where;
    refuse(dct_compress(processor, &image, 0, DCT_444, &picture), DCT_BAD_ARGUMENT,
           "the quality must be 1 to 100", "quality 0");
    expect(picture == NULL, "a failure leaves a null pointer");
    refuse(dct_compress(processor, &image, 101, DCT_444, &picture), DCT_BAD_ARGUMENT,
           "the quality must be 1 to 100", "quality 101");
    refuse(dct_compress(processor, NULL, 50, DCT_444, &picture), DCT_BAD_ARGUMENT, "null", "no image");
    refuse(dct_compress(processor, &image, 50, DCT_444, NULL), DCT_BAD_ARGUMENT, "null", "no place");
    bad = image, bad.width = 0;
    refuse(dct_compress(processor, &bad, 50, DCT_444, &picture), DCT_BAD_ARGUMENT, "less than 1", "width 0");
    bad = image, bad.width = bad.height = INT_MAX;
    refuse(dct_compress(processor, &bad, 50, DCT_444, &picture), DCT_BAD_ARGUMENT, "700,000,000",
           "a size beyond all counting");
    bad.width = bad.height = 700000000, bad.stride = 0;
    expect(dct_compress(processor, &bad, 50, DCT_444, &picture) == DCT_OUT_OF_MEMORY && picture == NULL,
           "a size beyond all memory");
    bad = image, bad.channels = 4;
    refuse(dct_compress(processor, &bad, 50, DCT_444, &picture), DCT_BAD_ARGUMENT, "channel", "4 channels");
    bad = image, bad.stride = 3 * width - 1;
    refuse(dct_compress(processor, &bad, 50, DCT_444, &picture), DCT_BAD_ARGUMENT, "stride",
           "a short stride");
    bad = image, bad.pixels = NULL;
    refuse(dct_compress(processor, &bad, 50, DCT_444, &picture), DCT_BAD_ARGUMENT, "null", "no pixels");
    refuse(dct_compress(processor, &image, 50, (dct_sampling)7, &picture), DCT_BAD_ARGUMENT, "sampling",
           "sampling 7");
    refuse(dct_reconstruct(processor, NULL, result, 0), DCT_BAD_ARGUMENT, "null", "no picture");
  }
  refuse(dct_compress((dct_processor)9, &image, 50, DCT_444, &picture), DCT_BAD_ARGUMENT, "processor",
         "processor 9");
  refuse(dct_psnr(&image, NULL, &value), DCT_BAD_ARGUMENT, "null", "PSNR of nothing");
  bad = image, bad.width = width - 1;
  expect(dct_psnr(&image, &bad, &value) == DCT_BAD_ARGUMENT, "PSNR of pictures of two sizes");
  refuse(dct_encode_jpeg(NULL, &bytes, &size), DCT_BAD_ARGUMENT, "null", "a JPEG of nothing");
  expect(bytes == NULL, "a failure leaves a null pointer");
  dct_release(NULL);
  dct_release_bytes(NULL);

  if (!expect(dct_compress(DCT_CPU, &image, 50, DCT_420, &picture) == DCT_OK, "compressing")) return;
  dct_description description = {0, 0, 0, DCT_444};
  expect(dct_describe(picture, &description) == DCT_OK && description.width == width &&
             description.height == height && description.channels == 3 && description.sampling == DCT_420,
         "the description");
  dct_component component;
  refuse(dct_get_component(picture, 3, &component), DCT_BAD_ARGUMENT, "component", "component 3");
  refuse(dct_get_component(picture, -1, &component), DCT_BAD_ARGUMENT, "component", "component -1");
  refuse(dct_save_jpeg(picture, "no/such/folder/a.jpg"), DCT_FILE, "folder", "a folder that does not exist");
  dct_picture* first = NULL;
  refuse(dct_keep_first(picture, 0, &first), DCT_BAD_ARGUMENT, "1 to 64", "to keep no level");
  if (expect(dct_keep_first(picture, 1, &first) == DCT_OK, "keeping the first level")) {
    int kept = 0, others = 0;
    dct_component all;
    dct_get_component(first, 0, &component);
    dct_get_component(picture, 0, &all);
    for (int row = 0; row < component.padded_height; ++row)
      for (int col = 0; col < component.padded_width; ++col) {
        const int at = row * component.padded_width + col;
        if (row % 8 == 0 && col % 8 == 0)
          kept += component.levels[at] != 0 && component.levels[at] == all.levels[at];
        else
          others += component.levels[at] != 0;
      }
    expect(kept > 10 && others == 0, "of each 8x8 block its mean stays");
  }
  dct_release(first);
  dct_release(picture);
}

int main(int count, char** arguments) {
  if (count != 2) {
    fprintf(stderr, "usage: round_trip FILE.jpg\n");
    return 2;
  }
  expect(strcmp(dct_error(), "") == 0, "no error before the first call");
  expect(dct_available(DCT_CPU) && dct_available(DCT_GPU), "CPU and GPU are there");
  paint();
  try_picture(1, DCT_444, arguments[1]);
  try_picture(3, DCT_444, arguments[1]);
  try_picture(3, DCT_420, arguments[1]);
  try_mistakes();
  printf("dct %s: %s\n", dct_version(), failures == 0 ? "all well" : "FAILED");
  return failures != 0;
}
