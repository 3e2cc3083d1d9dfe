// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "01_serial_definition/convolve_serial.hpp"
#include "01_serial_definition/reference.hpp"
#include "common/program/convolution_chapter.hpp"
#include "convolve_direct.hpp"

namespace tutorial {
namespace {

void show(convolution_demo& demo) {
  demo.table(demo.work_a());
  demo.table(demo.work_b());
  demo.draw_sizes({"all_cores", "direct", "grouped"});
}

}  // namespace

chapter this_chapter() {
  return convolution_chapter(
      {.number = "02",
       .name = "direct_kernel",
       .title = "The direct kernel",
       .next = "03",
       .reference = reference_convolutions(),
       .variants = {host_variant("all_cores", "01 all cores of the CPU",
                                 [](auto x, auto h, auto y, auto mode) { convolve_parallel(x, h, y, mode); }),
                    device_variant("direct", "02 one output per thread",
                                   [](auto x, auto h, auto y, auto mode) { convolve_direct(x, h, y, mode); }),
                    device_variant(
                        "grouped", "02 eight outputs per thread",
                        [](auto x, auto h, auto y, auto mode) { convolve_direct_grouped(x, h, y, mode); })},
       .default_variant = "direct",
       .picture = own_picture::of_times,
       .demo = show});
}

}  // namespace tutorial
