// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "01_serial_definition/versions.hpp"
#include "common/program/signals.hpp"
#include "versions.hpp"

namespace tutorial {
namespace {

void show(convolution_demo& demo) {
  demo.table(demo.work_a());
  demo.table(demo.work_b());
  demo.draw_sizes({"all_cores", "direct", "direct_grouped"});
}

}  // namespace

chapter this_chapter() {
  return convolution_chapter({.number = "02",
                              .name = "direct_kernel",
                              .title = "The direct kernel",
                              .next = "05",
                              .reference = reference_convolutions(),
                              .versions = {versions::all_cores, versions::direct, versions::direct_interior,
                                           versions::direct_grouped},
                              .default_version = "direct",
                              .picture = own_picture::of_times,
                              .demo = show});
}

}  // namespace tutorial
