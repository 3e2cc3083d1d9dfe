// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include <string>
#include <vector>

#include "01_serial_definition/versions.hpp"
#include "02_direct_kernel/versions.hpp"
#include "03_tiled/versions.hpp"
#include "04_constant_memory/show/tables.hpp"
#include "versions.hpp"

namespace tutorial {
namespace {

void show(convolution_demo& demo) {
  const std::string& wanted = demo.run().options().variant;
  const std::vector<std::string> taps_elsewhere = {"direct", "constant", "constant_loaded",
                                                   "constant_interior", "parameter_taps"};
  // With 5 taps, 27 of the 32 lanes that share an output in chapter 03 have nothing to do.
  std::vector<std::string> for_long_filters = taps_elsewhere;
  for_long_filters.push_back("warp_per_output");
  if (wanted == "constant_simple") {  // too few taps for work B, too narrow a type for work A
    demo.table({"5 float taps", element_type::float32, demo.work_a().samples, 5, convolution_mode::same});
    return;
  }
  if (wanted != "warp_per_output") demo.table(demo.work_a(), taps_elsewhere);
  demo.table(demo.work_b(), for_long_filters);
  if (!wanted.empty()) return;
  show_first_calls(demo.run());
  show_taps(demo);
  show_walks(demo.run());
  demo.draw_sizes({"direct", "constant", "constant_loaded", "parameter_taps"});
}

}  // namespace

chapter this_chapter() {
  return convolution_chapter(
      {.number = "04",
       .name = "constant_memory",
       .title = "Constant memory",
       .next = "05",
       .reference = reference_convolutions(),
       .versions = {versions::direct, versions::warp_per_output, versions::constant_simple(),
                    versions::constant, versions::constant_loaded, versions::constant_interior,
                    versions::parameter_taps()},
       .default_version = "constant",
       .picture = own_picture::of_times,
       .demo = show});
}

}  // namespace tutorial
