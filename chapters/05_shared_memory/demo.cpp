// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "01_serial_definition/versions.hpp"
#include "02_direct_kernel/versions.hpp"
#include "04_constant_memory/versions.hpp"
#include "05_shared_memory/broken.hpp"
#include "05_shared_memory/show/tables.hpp"
#include "common/program/shown_mistakes.hpp"
#include "versions.hpp"

namespace tutorial {
namespace {

void show(convolution_demo& demo) {
  if (show_mistake(demo.run(), broken::shown_mistakes(), "Outputs")) return;
  if (demo.wants("access")) show_access(demo.run());
  if (demo.wants("limits")) show_limits(demo.run());
  show_first_tile(demo);
  show_works(demo);
  show_taps(demo);
  show_layouts(demo);
  draw_sizes(demo);
}

}  // namespace

chapter this_chapter() {
  return convolution_chapter(
      {.number = "05",
       .name = "shared_memory",
       .title = "Shared memory",
       .next = "06",
       .reference = reference_convolutions(),
       .versions = {versions::direct, versions::direct_interior, versions::constant_loaded,
                    versions::constant_interior, versions::smooth_tile(), versions::shared_loaded,
                    versions::shared, versions::shared_chunked, versions::shared_neighbors,
                    versions::shared_padded, versions::shared_side_by_side},
       .extras = extra_variants(),
       .default_version = "shared",
       .picture = own_picture::of_times,
       .has_long_tables = true,
       .demo = show});
}

}  // namespace tutorial
