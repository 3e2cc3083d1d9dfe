// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "01_serial_definition/reference.hpp"
#include "common/convolution_chapter.hpp"
#include "convolve_constant.hpp"

namespace tutorial {
namespace {

void show(convolution_demo& demo) {
  demo.table(demo.work_a());
  demo.table(demo.work_b());
}

}  // namespace

chapter this_chapter() {
  return convolution_chapter(
      {.number = "04",
       .name = "constant_memory",
       .title = "Constant memory",
       .reference = reference_convolutions(),
       .variants = {device_variant("constant", "04 constant memory",
                                   [](auto x, auto h, auto y, auto mode) { convolve_constant(x, h, y, mode); })},
       .demo = show});
}

}  // namespace tutorial
