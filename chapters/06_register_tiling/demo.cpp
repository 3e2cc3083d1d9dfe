// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "01_serial_definition/reference.hpp"
#include "common/convolution_chapter.hpp"
#include "convolve_register_tiled.hpp"

namespace tutorial {
namespace {

void show(convolution_demo& demo) {
  demo.table(demo.work_a());
  demo.table(demo.work_b());
}

}  // namespace

chapter this_chapter() {
  return convolution_chapter(
      {.number = "06",
       .name = "register_tiling",
       .title = "Register tiling",
       .reference = reference_convolutions(),
       .variants = {device_variant("register_tiled", "06 register tiling",
                                   [](auto x, auto h, auto y, auto mode) { convolve_register_tiled(x, h, y, mode); })},
       .demo = show});
}

}  // namespace tutorial
