// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include <string>
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

/// Where both limits meet on a current GPU.
convolution_work work_between(bool emulated) {
  if (emulated) return {"65 taps, reduced", element_type::float32, 20'000, 65, convolution_mode::full};
  return {"65 taps", element_type::float32, std::size_t{1} << 24, 65, convolution_mode::full};
}

void show(convolution_demo& demo) {
  std::vector<std::string> long_filters = {
      "direct",         "warp_per_output",  "constant_loaded",   "shared",
      "shared_chunked", "register_blocked", "constant_operands", "register_tiled"};
  std::vector<std::string> medium_filters = long_filters, short_filters = long_filters;
  long_filters.push_back("shared_loaded");
  medium_filters.push_back("prefetched");
  short_filters.insert(short_filters.end(), {"prefetched", "vectors"});
  // A warp for each of work A's outputs would keep the emulated device busy for as long as all the rest.
  if (demo.emulated()) std::erase(short_filters, "warp_per_output");
  const std::vector<convolution_table> tables = {demo.table(demo.work_a(), short_filters),
                                                 demo.table(work_between(demo.emulated()), medium_filters),
                                                 demo.table(demo.work_b(), long_filters)};
  show_roofline(demo.run(), tables);
  if (demo.run().options().variant.empty()) {
    show_kernels(demo.run());
    show_window_places(demo.run());
  }
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
