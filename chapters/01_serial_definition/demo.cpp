// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "common/program/signals.hpp"
#include "versions.hpp"

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
  demo.table({"short", element_type::float64, 500, 5, convolution_mode::same});
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
       .versions = {up_to(one_core_products, versions::scatter), up_to(one_core_products, versions::gather),
                    up_to(one_core_products, versions::reversed), versions::all_cores},
       .picture = own_picture::of_results,
       .demo = show});
}

}  // namespace tutorial
