// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// What the chapter's program takes of the reader's own.
#pragma once

#include "common/program/options.hpp"

namespace tutorial {

/// A picture, which becomes what compression leaves of it.
inline own_data round_trip_pictures() {
  return {.of = own_data::kind::picture,
          .output = "Where the result goes: .png",
          .quality = true,
          .variants = false,
          .examples = {"--image my.png --quality 20 --output my_result.png"},
          .accept = [](const chapter_options& options) {
            require_ending(options.output, {".png"},
                           "--output writes the result as PNG: give it a name that ends in .png");
          }};
}

}  // namespace tutorial
