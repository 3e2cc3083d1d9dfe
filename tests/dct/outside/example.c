// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// The library dct in one screen: a picture that is calculated becomes a JPEG file.
//     example FILE.jpg
// [example]
#include <dct/dct.h>
#include <stdio.h>

int main(int count, char** arguments) {
  enum { width = 320, height = 200 };
  static uint8_t pixels[width * height * 3];  // red, green, blue, row by row
  for (int row = 0; row < height; ++row)
    for (int col = 0; col < width; ++col) {
      uint8_t* const pixel = pixels + (row * width + col) * 3;
      pixel[0] = (uint8_t)(col * 255 / width);
      pixel[1] = (uint8_t)(row * 255 / height);
      pixel[2] = (col / 40 + row / 40) % 2 ? 200 : 60;
    }

  const dct_image image = {pixels, width, height, 3, 0};
  dct_picture* picture = NULL;
  if (count != 2 || dct_compress(DCT_GPU, &image, 75, DCT_420, &picture) != DCT_OK ||
      dct_save_jpeg(picture, arguments[1]) != DCT_OK) {
    fprintf(stderr, "%s\n", count == 2 ? dct_error() : "usage: example FILE.jpg");
    dct_release(picture);
    return 1;
  }
  dct_release(picture);
  return 0;
}
// [example]
