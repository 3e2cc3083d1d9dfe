// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "01_serial_definition/reference.hpp"
#include "common/convolution_chapter.hpp"
#include "convolve_shared.hpp"

namespace tutorial {
namespace {

void show(convolution_demo& demo) {
  demo.table(demo.work_a());
  demo.table(demo.work_b());
}

}  // namespace

chapter this_chapter() {
  return convolution_chapter(
      {.number = "05",
       .name = "shared_memory",
       .title = "Shared memory",
       .reference = reference_convolutions(),
       .variants = {device_variant("shared", "05 shared memory",
                                   [](auto x, auto h, auto y, auto mode) { convolve_shared(x, h, y, mode); })},
       .demo = show});
}

}  // namespace tutorial
