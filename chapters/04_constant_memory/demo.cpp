// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "01_serial_definition/versions.hpp"
#include "02_direct_kernel/versions.hpp"
#include "03_tiled/versions.hpp"
#include "04_constant_memory/show/tables.hpp"
#include "versions.hpp"

namespace tutorial {
namespace {

void show(convolution_demo& demo) {
  // With 5 taps, 27 of the 32 lanes that share an output in chapter 03 have nothing to do.
  if (demo.run().options().variant != "warp_per_output")
    demo.table(demo.work_a(), {"direct", "constant", "constant_loaded"});
  demo.table(demo.work_b());
  if (!demo.run().options().variant.empty()) return;
  show_first_calls(demo.run());
  show_taps(demo);
  show_walks(demo.run());
  demo.draw_sizes({"direct", "constant", "constant_loaded"});
}

}  // namespace

chapter this_chapter() {
  return convolution_chapter({.number = "04",
                              .name = "constant_memory",
                              .title = "Constant memory",
                              .next = "05",
                              .reference = reference_convolutions(),
                              .versions = {versions::direct, versions::warp_per_output, versions::constant,
                                           versions::constant_loaded},
                              .default_version = "constant",
                              .picture = own_picture::of_times,
                              .demo = show});
}

}  // namespace tutorial
