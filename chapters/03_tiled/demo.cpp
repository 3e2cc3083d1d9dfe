// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "01_serial_definition/reference.hpp"
#include "common/convolution_chapter.hpp"
#include "convolve_tiled.hpp"

namespace tutorial {
namespace {

void show(convolution_demo& demo) {
  demo.table(demo.work_a());
  demo.table(demo.work_b());
}

}  // namespace

chapter this_chapter() {
  return convolution_chapter(
      {.number = "03",
       .name = "tiled",
       .title = "Tiles",
       .reference = reference_convolutions(),
       .variants = {device_variant("tiled", "03 tiles",
                                   [](auto x, auto h, auto y, auto mode) { convolve_tiled(x, h, y, mode); })},
       .demo = show});
}

}  // namespace tutorial
