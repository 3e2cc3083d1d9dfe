// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Exercise 6: the best JPEG file that fits into a number of bytes, by the library dct. Its contract is
// dct/dct.h.

#include "call_the_library.hpp"

#include <utility>

namespace tutorial {

namespace {

/// The picture as a file of this quality.
jpeg_file jpeg_of_quality(const dct_image& image, int quality, dct_processor processor) {
  jpeg_file file;
  dct_picture* picture = nullptr;
  std::uint8_t* bytes = nullptr;
  std::size_t size = 0;
  // SOLUTION: compress, encode, note an error or keep the bytes; release on every path (about 9 lines)
  // STARTER: file.status = dct_compress(processor, &image, quality, DCT_420, &picture);
  // STARTER: dct_encode_jpeg(picture, &bytes, &size);  // and if one of them fails?
  // STARTER: file.quality = quality;
  // STARTER: file.bytes.assign(bytes, bytes + size);
  file.status = dct_compress(processor, &image, quality, DCT_420, &picture);
  if (file.status == DCT_OK) file.status = dct_encode_jpeg(picture, &bytes, &size);
  if (file.status == DCT_OK) {
    file.quality = quality;
    file.bytes.assign(bytes, bytes + size);
  } else {
    file.error = dct_error();
  }
  // Where a call failed it has set its pointer to NULL, which may be released.
  dct_release_bytes(bytes);
  dct_release(picture);
  // END SOLUTION
  return file;
}

}  // namespace

dct_processor best_processor() {
  // SOLUTION: ask the library (about 1 line)
  // STARTER: return DCT_GPU;  // on every machine?
  return dct_available(DCT_GPU) ? DCT_GPU : DCT_CPU;
  // END SOLUTION
}

jpeg_file jpeg_within(const dct_image& image, std::size_t most_bytes, dct_processor processor) {
  jpeg_file best;
  // SOLUTION: halve the range of qualities until the best one is found (about 11 lines)
  // STARTER: for (int quality = 1; quality <= 100; ++quality) {  // a hundred times?
  // STARTER:   best = jpeg_of_quality(image, quality, processor);
  // STARTER:   if (best.bytes.size() > most_bytes) break;
  // STARTER: }
  int fits = 0, too_large = 101;  // qualities; nothing at all fits, and 101 does not exist
  while (too_large - fits > 1) {
    const int middle = (fits + too_large) / 2;
    jpeg_file file = jpeg_of_quality(image, middle, processor);
    if (file.status != DCT_OK) return file;
    if (file.bytes.size() <= most_bytes) {
      fits = middle;
      best = std::move(file);
    } else {
      too_large = middle;
    }
  }
  // END SOLUTION
  return best;
}

}  // namespace tutorial
