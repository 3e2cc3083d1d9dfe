// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// What the chapter's program takes of the reader's own.
#pragma once

#include "common/program/options.hpp"

namespace tutorial {

/// A picture, whose coefficients come out, or with a filter as variant a picture.
inline own_data transformed_pictures() {
  return {.of = own_data::kind::picture,
          .output =
              "Where the coefficients go, one float for each pixel; with a filter: where the picture "
              "goes, .png",
          .output_name = "FILE.npy",
          .examples = {"--image my.png --output my_coefficients.npy"},
          .accept = [](const chapter_options& options) {
            require_ending(options.output, {".npy", ".png"},
                           "--output writes an array or a picture: give it a name that ends in .npy or .png");
          }};
}

}  // namespace tutorial
