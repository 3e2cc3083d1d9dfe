// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include <vector>

#include "01_serial_definition/versions.hpp"
#include "02_direct_kernel/versions.hpp"
#include "03_tiled/versions.hpp"
#include "04_constant_memory/versions.hpp"
#include "05_shared_memory/versions.hpp"
#include "06_register_tiling/show/tables.hpp"
#include "versions.hpp"

namespace tutorial {
namespace {

void show(convolution_demo& demo) {
  const std::vector<convolution_table> tables = show_works(demo);
  show_roofline(demo.run(), tables);
  show_kernels(demo.run());
  show_window_places(demo.run());
  show_sizes(demo, tables);
  demo.draw_sizes({"direct", "constant_loaded", "shared", "register_tiled"}, "sizes");
}

}  // namespace

chapter this_chapter() {
  return convolution_chapter(
      {.number = "06",
       .name = "register_tiling",
       .title = "Register tiling",
       .next = "07",
       .reference = quick_reference_convolutions(),
       .versions = {versions::direct, versions::warp_per_output, versions::constant_loaded, versions::shared,
                    versions::shared_loaded, versions::shared_chunked, versions::vectors,
                    versions::register_blocked, versions::constant_operands, versions::prefetched,
                    versions::register_tiled},
       .picture = own_picture::of_times,
       .has_long_tables = true,
       .demo = show});
}

}  // namespace tutorial
