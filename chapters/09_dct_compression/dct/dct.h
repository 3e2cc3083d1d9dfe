// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// The codec of chapter 09 for other programs, in C: pixels to levels to a JPEG file, and back, on the CPU or
// the GPU.
//
//     dct_image image = {pixels, width, height, 3, 0};
//     dct_picture* picture;
//     if (dct_compress(DCT_GPU, &image, 75, DCT_420, &picture) != DCT_OK ||
//         dct_save_jpeg(picture, "my.jpg") != DCT_OK)
//       fprintf(stderr, "%s\n", dct_error());
//     dct_release(picture);
//
// Every function may be called from any thread; a dct_picture never changes, so several threads may read
// one. What was computed is there when a function returns. Where a function fails, what it would have
// written through its pointers is untouched, but for a dct_picture** or uint8_t**, which then gets NULL. No
// exception leaves the library.
#ifndef DCT_DCT_H
#define DCT_DCT_H

#include <stddef.h>
#include <stdint.h>

// [interface]
#ifdef __cplusplus
extern "C" {
#endif

typedef enum dct_status {
  DCT_OK = 0,
  DCT_BAD_ARGUMENT = 1,   ///< A null pointer, a size or a quality that cannot be.
  DCT_OUT_OF_MEMORY = 2,  ///< Of the computer or of the GPU.
  DCT_NO_DEVICE = 3,      ///< There is no GPU that can be used, or it failed.
  DCT_FILE = 4,     ///< A file cannot be written; nothing of it is left. Or no picture can be made of it.
  DCT_INTERNAL = 5  ///< A mistake in the library.
} dct_status;

/// What the last call of this thread that failed has to say, in one line; "" if none did. Good until the next
/// one.
const char* dct_error(void);

/// The first number changes where a program would have to.
#define DCT_VERSION "2.0.0"
/// DCT_VERSION of the library that the program runs with.
const char* dct_version(void);

/// Both give the same levels and pixels, but for values that lie so near to the middle between two whole
/// numbers that the CPU's double precision and the GPU's single precision round them apart: those differ
/// by 1.
typedef enum dct_processor { DCT_CPU = 0, DCT_GPU = 1 } dct_processor;

/// 1 if dct_compress() can work there, else 0, and dct_error() says why. The emulated device counts as a GPU.
int dct_available(dct_processor processor);

/// How many pixels share a color: one, or 2 x 2.
typedef enum dct_sampling { DCT_444 = 0, DCT_420 = 1 } dct_sampling;

/// Pixels of the caller. Gray (1 channel) or red, green, blue (3 channels), 8 bits each:
///     value of channel c at (row, col) == pixels[row * stride + col * channels + c]
/// stride is at least width * channels; 0 stands for just that. width and height are 1 to 700,000,000; on the
/// GPU, height is at most 524,280.
typedef struct dct_image {
  const uint8_t* pixels;
  int width, height, channels;
  ptrdiff_t stride;
} dct_image;

/// A compressed picture: its levels and quantization tables. Opaque; to be released by dct_release().
typedef struct dct_picture dct_picture;

/// Quality is 1 (small) to 100 (good), as libjpeg's. `sampling` is of no account for a gray picture.
dct_status dct_compress(dct_processor processor, const dct_image* image, int quality, dct_sampling sampling,
                        dct_picture** picture);

/// The pixels that a reader of the JPEG file sees (one that repeats colors where 2 x 2 pixels share them),
/// into height rows of width * channels values; the stride as in dct_image.
dct_status dct_reconstruct(dct_processor processor, const dct_picture* picture, uint8_t* pixels,
                           ptrdiff_t stride);

/// NULL is allowed.
void dct_release(dct_picture* picture);

/// What dct_describe() says of a picture; sizes in pixels.
typedef struct dct_description {
  int width, height;
  int channels;           ///< 1 or 3: of the image, and as many components.
  dct_sampling sampling;  ///< Of a gray picture DCT_444.
} dct_description;

dct_status dct_describe(const dct_picture* picture, dct_description* description);

/// One component: the gray picture itself, or 0: brightness (Y), 1: blueness (Cb), 2: redness (Cr). The
/// pointers are good as long as the picture is.
typedef struct dct_component {
  int width, height;                ///< Samples.
  int padded_width, padded_height;  ///< The same, rounded up to whole 8x8 blocks.
  /// The coefficient (v, u) of an 8x8 block is levels[...] * steps[8 * v + u], the level at row v, column u
  /// of the block's place; a row has padded_width levels.
  const int16_t* levels;
  const uint16_t* steps;  ///< 64, row by row.
} dct_component;

dct_status dct_get_component(const dct_picture* picture, int index, dct_component* component);

/// A picture of which each 8x8 block keeps its first `count` levels on the zig-zag path, 1 to 64; the others
/// become zero.
dct_status dct_keep_first(const dct_picture* picture, int count, dct_picture** result);

/// A baseline JPEG file: no library is needed to read it back, every viewer can. Whole or not at all.
/// Pictures of more than 65500 pixels a side are too large for libjpeg: DCT_BAD_ARGUMENT, or DCT_FILE where
/// it names the file.
dct_status dct_save_jpeg(const dct_picture* picture, const char* path);

/// The same bytes in memory, to be released by dct_release_bytes().
dct_status dct_encode_jpeg(const dct_picture* picture, uint8_t** bytes, size_t* size);

/// NULL is allowed.
void dct_release_bytes(uint8_t* bytes);

/// Peak signal-to-noise ratio of two images of one size in dB, over all channels; infinity where they are
/// equal.
dct_status dct_psnr(const dct_image* a, const dct_image* b, double* decibels);

/// Structural similarity (SSIM, Wang et al. 2004) of the brightness of two images of one size; 1 where they
/// are equal.
dct_status dct_ssim(const dct_image* a, const dct_image* b, double* similarity);

#ifdef __cplusplus
}
#endif

#endif
