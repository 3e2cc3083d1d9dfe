// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <string>
#include <vector>

#include "01_serial_definition/versions.hpp"
#include "02_direct_kernel/versions.hpp"
#include "04_constant_memory/versions.hpp"
#include "05_shared_memory/show/tables.hpp"
#include "broken.hpp"
#include "versions.hpp"

namespace tutorial {
namespace {

void show(convolution_demo& demo) {
  const std::string& wanted = demo.run().options().variant;
  if (show_broken(demo.run(), wanted)) return;
  if (demo.wants("access")) show_access(demo.run());
  if (demo.wants("limits")) show_limits(demo.run());
  if (wanted == "access" || wanted == "limits") return;
  const std::vector<std::string> shown = {"direct", "constant_loaded", "shared_loaded", "shared",
                                          "shared_chunked"};
  const std::vector<std::string> layouts = {"shared_neighbors", "shared_padded", "shared_side_by_side"};
  if (std::find(layouts.begin(), layouts.end(), wanted) == layouts.end()) {
    demo.table(demo.work_a(), shown);
    demo.table(demo.work_b(), shown);
  }
  show_taps(demo);
  show_layouts(demo, layouts);
  demo.draw_sizes(shown);
}

std::vector<chapter_variant> extras() {
  std::vector<chapter_variant> all = {{"access", "loads per block, by formula"},
                                      {"limits", "how much shared memory a block may have"}};
  for (const broken::shown_mistake& each : broken::shown_mistakes())
    all.push_back({each.name, each.description});
  return all;
}

}  // namespace

chapter this_chapter() {
  return convolution_chapter(
      {.number = "05",
       .name = "shared_memory",
       .title = "Shared memory",
       .next = "06",
       .reference = reference_convolutions(),
       .versions = {versions::direct, versions::constant_loaded, versions::shared_loaded, versions::shared,
                    versions::shared_chunked, versions::shared_neighbors, versions::shared_padded,
                    versions::shared_side_by_side},
       .extras = extras(),
       .default_version = "shared",
       .picture = own_picture::of_times,
       .has_long_tables = true,
       .demo = show});
}

}  // namespace tutorial
