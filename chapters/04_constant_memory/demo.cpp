// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "01_serial_definition/reference.hpp"
#include "02_direct_kernel/convolve_direct.hpp"
#include "03_tiled/convolve_tiled.hpp"
#include "04_constant_memory/show/tables.hpp"
#include "common/program/convolution_chapter.hpp"
#include "convolve_constant.hpp"

namespace tutorial {
namespace {

void show(convolution_demo& demo) {
  // With 5 taps, 27 of the 32 lanes that share an output in chapter 03 have nothing to do.
  if (demo.run().options().variant != "warp") demo.table(demo.work_a(), {"direct", "constant", "once"});
  demo.table(demo.work_b());
  if (!demo.run().options().variant.empty()) return;
  show_first_calls(demo.run());
  show_taps(demo);
  show_walks(demo.run());
  demo.draw_sizes({"direct", "constant", "once"});
}

}  // namespace

chapter this_chapter() {
  return convolution_chapter(
      {.number = "04",
       .name = "constant_memory",
       .title = "Constant memory",
       .next = "05",
       .reference = reference_convolutions(),
       .variants = {device_variant("direct", "02 one output per thread",
                                   [](auto x, auto h, auto y, auto mode) { convolve_direct(x, h, y, mode); }),
                    device_variant(
                        "warp", "03 one warp per output",
                        [](auto x, auto h, auto y, auto mode) { convolve_warp_per_output(x, h, y, mode); }),
                    device_variant(
                        "constant", "04 taps copied in every call",
                        [](auto x, auto h, auto y, auto mode) { convolve_constant(x, h, y, mode); }),
                    with_preparation(device_variant("once", "04 taps already there",
                                                    [](auto x, auto h, auto y, auto mode) {
                                                      convolve_with_constant_taps(x, h.size(), y, mode);
                                                    }),
                                     [](auto h) { load_constant_taps(h); })},
       .default_variant = "constant",
       .picture = own_picture::of_times,
       .demo = show});
}

}  // namespace tutorial
