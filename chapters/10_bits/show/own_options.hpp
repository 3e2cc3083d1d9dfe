// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// What the chapter's program takes of the reader's own.
#pragma once

#include "common/program/options.hpp"

namespace tutorial {

/// Units between two restart markers.
inline int restart_of(const chapter_options& options) {
  const std::string typed = options.own("--restart");
  return typed.empty() ? 0 : int(whole_number("--restart", typed, 0, 65535));
}

/// A picture, which becomes a JPEG file; or a JPEG file, which becomes a picture.
inline own_data coded_pictures() {
  const auto accept = [](const chapter_options& options) {
    const bool decodes = !options.own("--decode").empty();
    if (decodes && !options.image.empty())
      throw usage_error(
          "Use either --image or --decode, not both: one makes a JPEG file, the other reads it");
    for (const std::string option : {"--quality", "--sampling", "--restart", "--optimize"})
      if (decodes && !options.own(option).empty())
        throw usage_error(option + " is for making a file, and --decode reads one: leave it out");
    if (!decodes && !options.own("--as-stored").empty()) throw usage_error("--as-stored is for --decode");
    restart_of(options);
    if (decodes)
      require_ending(options.output, {".png"},
                     "--output writes the decoded picture as PNG: give it a name that ends in .png");
    else
      require_ending(options.output, {".jpg", ".jpeg"},
                     "--output writes a JPEG: give it a name that ends in .jpg");
  };
  return {.of = own_data::kind::picture,
          .output = "Where the result goes: .jpg or .jpeg; with --decode: .png",
          .quality = true,
          .variants = false,
          .options = {{"--restart",
                       "A restart marker every N units: 8x8 pixels, in 4:2:0 16x16 (default: none)", "N"},
                      {"--optimize", "Huffman codes made for the picture"},
                      {"--decode", "Instead of --image: a JPEG file, to pixels", "FILE.jpg",
                       own_option::role::input},
                      {"--as-stored", "With --decode: ignore the EXIF orientation"}},
          .examples = {"--image my.png --quality 90 --restart 128 --output my.jpg",
                       "--decode my.jpg --output my.png"},
          .accept = accept};
}

}  // namespace tutorial
