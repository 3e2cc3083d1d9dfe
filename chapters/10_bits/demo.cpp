// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "10_bits/show/own_options.hpp"
#include "10_bits/show/own_picture.hpp"
#include "10_bits/show/tables.hpp"
#include "common/program/chapter.hpp"

namespace tutorial {

chapter this_chapter() {
  return {.number = "10",
          .name = "bits",
          .title = "Bits",
          .next = "11",
          .accepts = coded_pictures(),
          .variants = bit_variants(),
          .demo = show_bit_tables,
          .on_own_data = code_own_picture};
}

}  // namespace tutorial
