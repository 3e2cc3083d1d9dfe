// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include <string>
#include <vector>

#include "01_serial_definition/versions.hpp"
#include "common/program/signals.hpp"
#include "versions.hpp"

namespace tutorial {
namespace {

// The rows of the standard works. `smooth` fits neither, and has a table of its own where it is named.
const std::vector<std::string> in_works = {"all_cores", "direct", "direct_interior", "direct_grouped"};

void show(convolution_demo& demo) {
  if (demo.run().options().variant == "smooth") {
    convolution_work work = demo.work_a();
    work.title = "The first kernel";
    work.type = element_type::float32;
    demo.table(work, {"smooth"});
    return;
  }
  demo.table(demo.work_a(), in_works);
  demo.table(demo.work_b(), in_works);
  demo.draw_sizes({"all_cores", "direct", "direct_grouped"});
}

}  // namespace

chapter this_chapter() {
  return convolution_chapter({.number = "02",
                              .name = "direct_kernel",
                              .title = "The direct kernel",
                              .next = "05",
                              .reference = reference_convolutions(),
                              .versions = {versions::all_cores, versions::smooth(), versions::direct,
                                           versions::direct_interior, versions::direct_grouped},
                              .default_version = "direct",
                              .picture = own_picture::of_times,
                              .demo = show});
}

}  // namespace tutorial
