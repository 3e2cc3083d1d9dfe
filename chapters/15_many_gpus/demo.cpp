// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "15_many_gpus/host/four_devices.hpp"
#include "15_many_gpus/show/tables.hpp"
#include "common/program/chapter.hpp"

namespace tutorial {

chapter this_chapter() {
  return {.number = "15",
          .name = "many_gpus",
          .title = "Many GPUs",
          .picture = own_picture::of_times,
          .has_long_tables = true,
          .variants = spread_variants(),
          .demo = show_spread};
}

}  // namespace tutorial
