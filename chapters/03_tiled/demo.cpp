// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include <string>
#include <vector>

#include "01_serial_definition/versions.hpp"
#include "02_direct_kernel/versions.hpp"
#include "03_tiled/show/tables.hpp"
#include "versions.hpp"

namespace tutorial {
namespace {

void show(convolution_demo& demo) {
  if (demo.run().options().variant.empty()) show_sums(demo.run());
  const std::vector<std::string> fast = {"all_cores", "direct", "tiled", "tiled_allocated",
                                         "warp_per_output"};
  std::vector<std::string> all = fast;  // with few outputs there is time for one core, too
  all.insert(all.end(), {"gather", "direct_small_blocks"});
  show_with_intermediate(demo, {"C", element_type::int32, 1024, 1024, convolution_mode::full}, all);
  convolution_work work_a = demo.work_a();
  if (demo.emulated()) work_a.samples /= 5;  // it takes a while to emulate 32 threads for each output
  show_with_intermediate(demo, work_a, fast);
  show_with_intermediate(demo, demo.work_b(), fast);
  draw_sizes(demo);
}

}  // namespace

chapter this_chapter() {
  return convolution_chapter(
      {.number = "03",
       .name = "tiled",
       .title = "Tiles",
       .next = "04",
       .reference = reference_convolutions(),
       .versions = {versions::gather, versions::all_cores, versions::direct, versions::direct_small_blocks,
                    versions::tiled(), versions::tiled_allocated, versions::warp_per_output},
       .picture = own_picture::of_times,
       .demo = show});
}

}  // namespace tutorial
