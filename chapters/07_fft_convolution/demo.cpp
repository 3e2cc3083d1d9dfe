// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include <string>
#include <vector>

#include "01_serial_definition/versions.hpp"
#include "02_direct_kernel/versions.hpp"
#include "03_tiled/versions.hpp"
#include "04_constant_memory/versions.hpp"
#include "05_shared_memory/versions.hpp"
#include "06_register_tiling/versions.hpp"
#include "07_fft_convolution/host/convolve_fft_all_cores.hpp"
#include "07_fft_convolution/show/experiment.hpp"
#include "07_fft_convolution/show/tables.hpp"
#include "versions.hpp"

namespace tutorial {
namespace {

void show(convolution_demo& demo) {
  const std::string& only = demo.run().options().variant;
  if (only == "circle") return show_theorem(demo.run());
  if (only == "blocks") return show_blocks_that_overlap(demo.run());
  calibrate(demo.run());
  if (!only.empty()) {  // also one that is not in the tables below
    for (const convolution_work& work : {demo.work_a(), demo.work_b()}) demo.table(work, {only});
    return;
  }
  show_theorem(demo.run());
  show_blocks_that_overlap(demo.run());
  demo.table(demo.work_a(), {"direct", "register_tiled", "fft_from_scratch", "fft", "overlap_save", "best"});
  std::vector<std::string> long_filters = {"direct",           "shared",           "register_tiled",
                                           "fft_from_scratch", "fft_power_of_two", "fft",
                                           "fft_one_block",    "overlap_save",     "best"};
  if (!demo.emulated())  // counts of the CPU are not to be had
    long_filters.insert(long_filters.begin(), {"all_cores", "fft_all_cores"});
  demo.table(demo.work_b(), long_filters);
  show_lengths(demo.run());
  show_blocks(demo);
  show_batches(demo.run());
  show_rounding(demo);
  show_experiment(demo);
}

std::vector<convolution_version> all_versions() {
  constexpr double most_products = 4e10;  // more takes the CPU longer than a reader waits
  std::vector<convolution_version> all = {up_to(most_products, versions::gather),
                                          up_to(most_products, versions::all_cores),
                                          versions::direct,
                                          versions::tiled(),
                                          versions::warp_per_output,
                                          versions::constant,
                                          versions::shared,
                                          versions::register_tiled};
  if (has_kissfft()) all.push_back(versions::fft_all_cores());
  for (const auto& make : {versions::fft_from_scratch, versions::fft_power_of_two, versions::fft,
                           versions::fft_one_block, versions::overlap_save, versions::best})
    all.push_back(make());
  return all;
}

}  // namespace

chapter this_chapter() {
  return convolution_chapter({.number = "07",
                              .name = "fft_convolution",
                              .title = "FFT convolution",
                              .next = "08",
                              .reference = quick_reference_convolutions(),
                              .versions = all_versions(),
                              .extras = {{"circle", "the convolution theorem on six numbers"},
                                         {"blocks", "overlap-save on twelve numbers"}},
                              .picture = own_picture::of_times,
                              .has_long_tables = true,
                              .demo = show});
}

}  // namespace tutorial
