// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "01_serial_definition/versions.hpp"
#include "06_register_tiling/versions.hpp"
#include "11_in_flight/checks/broken.hpp"
#include "11_in_flight/show/tables.hpp"
#include "common/program/shown_mistakes.hpp"
#include "versions.hpp"

namespace tutorial {
namespace {

void show(convolution_demo& demo) {
  chapter_run& run = demo.run();
  const std::string& variant = run.options().variant;
  if (show_mistake(run, broken::shown_mistakes(), "Outputs")) return;
  if (run.wants("law")) show_law(run);
  if (run.wants("limits")) show_limits(run);
  if (variant != "law" && variant != "limits" && variant != "depths" && variant != "plane") show_ring(demo);
  if (run.wants("depths")) show_depths(run);
  if (run.wants("plane")) show_plane(run);
}

std::vector<chapter_variant> extras() {
  std::vector<chapter_variant> all = {{"law", "copies: bytes under way against speed"},
                                      {"limits", "lanes on two paths, and instructions beside a copy"},
                                      {"depths", "rings of 1 to 4 tiles"},
                                      {"plane", "tiles of a plane: loaded, or by a tensor map"}};
  add_mistakes(all, broken::shown_mistakes());
  return all;
}

}  // namespace

chapter this_chapter() {
  return convolution_chapter(
      {.number = "11",
       .name = "in_flight",
       .title = "In flight",
       .next = "12",
       .reference = quick_reference_convolutions(),
       .versions = {versions::register_blocked, versions::constant_operands, versions::prefetched,
                    versions::ring(), versions::bulk(), versions::fast_fir()},
       .extras = extras(),
       .default_version = "ring",
       .picture = own_picture::of_times,
       .demo = show});
}

}  // namespace tutorial
