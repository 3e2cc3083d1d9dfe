// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// What the chapter's program takes of the reader's own.
#pragma once

#include "common/program/options.hpp"

namespace tutorial {

/// A picture, which becomes a JPEG file.
inline own_data compressed_pictures() {
  return {.of = own_data::kind::picture,
          .output = "Where the JPEG goes: .jpg or .jpeg",
          .quality = true,
          .drawn = true,
          .options = {{"--panels",
                       "Original, coefficients, result and difference as one picture; FILE_first.png beside "
                       "it shows what the first coefficients of every 8x8 block give",
                       "FILE.png", own_option::role::output}},
          .examples = {"--image my.png --quality 90 --output my.jpg --panels my_panels.png"},
          .accept = [](const chapter_options& options) {
            require_ending(options.output, {".jpg", ".jpeg"},
                           "--output writes a JPEG: give it a name that ends in .jpg");
            require_ending(options.own("--panels"), {".png"},
                           "--panels writes PNG: give it a name that ends in .png");
          }};
}

}  // namespace tutorial
