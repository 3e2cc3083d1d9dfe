// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "14_small_matrices/show/own_picture.hpp"
#include "14_small_matrices/show/tables.hpp"
#include "common/program/chapter.hpp"

namespace tutorial {

chapter this_chapter() {
  return {.number = "14",
          .name = "small_matrices",
          .title = "Small matrices",
          .accepts = own_data::image_round_trip,
          .variants = product_variants(),
          .demo = show_product_tables,
          .on_own_data = round_trip_own_picture};
}

}  // namespace tutorial
