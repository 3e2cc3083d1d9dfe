// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "01_serial_definition/versions.hpp"
#include "07_fft_convolution/versions.hpp"
#include "13_one_pass/checks/broken.hpp"
#include "13_one_pass/show/tables.hpp"
#include "common/program/shown_mistakes.hpp"
#include "versions.hpp"

namespace tutorial {
namespace {

void show(convolution_demo& demo) {
  const std::string& only = demo.run().options().variant;
  if (show_mistake(demo.run(), broken::shown_fused_mistakes(), "Outputs")) return;
  if (only == "walk") return show_walk(demo.run());
  show_exchange(demo.run());
  if (only == "exchange") return;
  calibrate_one_pass(demo.run());
  if (!only.empty()) return (void)demo.table(demo.work_b(), {only});
  show_way(demo);
  show_segments(demo);
  for (const std::size_t samples : demo.emulated()
                                       ? std::vector<std::size_t>{std::size_t{1} << 17}
                                       : std::vector<std::size_t>{std::size_t{1} << 20, std::size_t{1} << 24})
    show_one_call(demo, samples);
}

std::vector<convolution_version> all_versions() {
  return {versions::overlap_save(),    versions::radix_2(),         versions::radix_4(),
          versions::radix_16(),        versions::radix_16_padded(), versions::one_pass_of(256),
          versions::one_pass_of(1024), versions::one_pass_of(4096), versions::one_pass_of(8192),
          versions::one_pass(),        versions::fastest()};
}

}  // namespace

chapter this_chapter() {
  return convolution_chapter({.number = "13",
                              .name = "one_pass",
                              .title = "One pass",
                              .next = "14",
                              .reference = quick_reference_convolutions(),
                              .versions = all_versions(),
                              .extras = extra_variants(),
                              .default_version = "fastest",
                              .demo = show});
}

}  // namespace tutorial
