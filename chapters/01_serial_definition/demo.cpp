// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "common/program/convolution_chapter.hpp"
#include "convolve_serial.hpp"
#include "reference.hpp"

namespace tutorial {
namespace {

constexpr double one_core_products = 2e9;  // more takes one core longer than a reader waits

void show(convolution_demo& demo) {
  demo.table(demo.work_a());
  convolution_work b = demo.work_b();
  if (demo.emulated()) {  // a machine without a GPU is rarely one with many cores
    b.title = "B, reduced";
    b.samples = 1 << 16;
  }
  demo.table(b);
  demo.table({"C, short", element_type::float64, 500, 5, convolution_mode::same});
  demo.draw_sizes({"scatter", "gather", "reversed", "all_cores"});
}

}  // namespace

chapter this_chapter() {
  return convolution_chapter(
      {.number = "01",
       .name = "serial_definition",
       .title = "The serial definition",
       .next = "02",
       .reference = reference_convolutions(),
       .variants = {host_variant(
                        "scatter", "01 one core, by sample",
                        [](auto x, auto h, auto y, auto mode) { convolve_scatter(x, h, y, mode); },
                        one_core_products),
                    host_variant(
                        "gather", "01 one core, by output",
                        [](auto x, auto h, auto y, auto mode) { convolve_gather(x, h, y, mode); },
                        one_core_products),
                    host_variant(
                        "reversed", "01 one core, reversed filter",
                        [](auto x, auto h, auto y, auto mode) { convolve_reversed(x, h, y, mode); },
                        one_core_products),
                    host_variant(
                        "all_cores", "01 all cores, vectors",
                        [](auto x, auto h, auto y, auto mode) { convolve_parallel(x, h, y, mode); })},
       .picture = own_picture::of_results,
       .demo = show});
}

}  // namespace tutorial
