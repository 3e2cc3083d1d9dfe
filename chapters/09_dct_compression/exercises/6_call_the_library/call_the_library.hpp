// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#pragma once

#include <dct/dct.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace tutorial {

// [given]
struct jpeg_file {
  dct_status status = DCT_OK;       ///< Of the first call that failed, if one did.
  std::string error;                ///< What dct_error() says about that call.
  int quality = 0;                  ///< 1 to 100.
  std::vector<std::uint8_t> bytes;  ///< The whole file.
};
// [given]

/// The GPU if the library can work there, otherwise the CPU.
dct_processor best_processor();

/// The picture as a JPEG file (DCT_420) of at most `most_bytes` bytes: of a quality that fits, while the next
/// higher one does not, or of quality 100. Where not even quality 1 fits, the quality is 0, there are no
/// bytes, and the status is DCT_OK. Compresses at most seven times, on `processor`. Where a call fails, the
/// result has its status and error, and nothing else. Releases everything that the library gives.
jpeg_file jpeg_within(const dct_image& image, std::size_t most_bytes, dct_processor processor);

}  // namespace tutorial
