// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "01_serial_definition/convolve_serial.hpp"
#include "01_serial_definition/reference.hpp"
#include "02_direct_kernel/convolve_direct.hpp"
#include "03_tiled/convolve_tiled.hpp"
#include "04_constant_memory/convolve_constant.hpp"
#include "05_shared_memory/convolve_shared.hpp"
#include "06_register_tiling/show/tables.hpp"
#include "common/program/convolution_chapter.hpp"
#include "convolve_register_tiled.hpp"

namespace tutorial {
namespace {

/// Where both limits meet on a current GPU.
convolution_work work_between(bool emulated) {
  if (emulated) return {"65 taps, reduced", element_type::float32, 20'000, 65, convolution_mode::full};
  return {"65 taps", element_type::float32, std::size_t{1} << 24, 65, convolution_mode::full};
}

/// Chapter 01's definition, or for many billions of products, which take it long, chapter 01's fast version
/// of it.
const auto reference = []<class T>(std::span<const T> x, std::span<const T> h, std::span<T> y,
                                   convolution_mode mode) {
  if (product_count(x.size(), h.size(), mode) < 4e9)
    std::get<host_convolution<T>>(reference_convolutions())(x, h, y, mode);
  else
    convolve_parallel(x, h, y, mode);
};

void show(convolution_demo& demo) {
  std::vector<std::string> long_filters = {"direct",  "warp",    "constant",          "shared",
                                           "chunked", "blocked", "constant_operands", "register_tiled"};
  std::vector<std::string> medium_filters = long_filters, short_filters = long_filters;
  long_filters.push_back("one_launch");
  medium_filters.push_back("prefetched");
  short_filters.insert(short_filters.end(), {"prefetched", "vectors"});
  // A warp for each of work A's outputs would keep the emulated device busy for as long as all the rest.
  if (demo.emulated()) std::erase(short_filters, "warp");
  const std::vector<convolution_table> tables = {demo.table(demo.work_a(), short_filters),
                                                 demo.table(work_between(demo.emulated()), medium_filters),
                                                 demo.table(demo.work_b(), long_filters)};
  show_roofline(demo.run(), tables);
  if (demo.run().options().variant.empty()) {
    show_kernels(demo.run());
    show_window_places(demo.run());
  }
  show_sizes(demo, tables);
  demo.draw_sizes({"direct", "constant", "shared", "register_tiled"}, "sizes");
}

}  // namespace

chapter this_chapter() {
  return convolution_chapter(
      {.number = "06",
       .name = "register_tiling",
       .title = "Register tiling",
       .next = "07",
       .reference = all_types_on_host(reference),
       .variants =
           {device_variant("direct", "02 one output per thread",
                           [](auto x, auto h, auto y, auto mode) { convolve_direct(x, h, y, mode); }),
            device_variant(
                "warp", "03 one warp per output",
                [](auto x, auto h, auto y, auto mode) { convolve_warp_per_output(x, h, y, mode); }),
            with_preparation(device_variant("constant", "04 constant memory",
                                            [](auto x, auto h, auto y, auto mode) {
                                              convolve_with_constant_taps(x, h.size(), y, mode);
                                            }),
                             [](auto h) { load_constant_taps(h); }),
            device_variant("shared", "05 shared memory",
                           [](auto x, auto h, auto y, auto mode) { convolve_shared(x, h, y, mode); }),
            with_preparation(device_variant("one_launch", "05 all taps in one launch",
                                            [](auto x, auto h, auto y, auto mode) {
                                              convolve_shared_with_loaded_taps(x, h.size(), y, mode);
                                            }),
                             [](auto h) { load_shared_taps(h); }),
            device_variant("chunked", "05 taps in shared memory, too",
                           [](auto x, auto h, auto y, auto mode) { convolve_shared_chunked(x, h, y, mode); }),
            device_variant("vectors", "06 vectors",
                           [](auto x, auto h, auto y, auto mode) { convolve_vectors(x, h, y, mode); }),
            device_variant(
                "blocked", "06 registers, shared taps",
                [](auto x, auto h, auto y, auto mode) { convolve_register_blocked(x, h, y, mode); }),
            device_variant(
                "constant_operands", "06 registers, constant taps",
                [](auto x, auto h, auto y, auto mode) { convolve_constant_operands(x, h, y, mode); }),
            device_variant("prefetched", "06 the same, fetched ahead",
                           [](auto x, auto h, auto y, auto mode) { convolve_prefetched(x, h, y, mode); }),
            device_variant(
                "register_tiled", "06 the one that chooses",
                [](auto x, auto h, auto y, auto mode) { convolve_register_tiled(x, h, y, mode); })},
       .picture = own_picture::of_times,
       .demo = show});
}

}  // namespace tutorial
