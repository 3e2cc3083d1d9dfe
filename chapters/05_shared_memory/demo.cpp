// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include <string>
#include <vector>

#include "01_serial_definition/reference.hpp"
#include "02_direct_kernel/convolve_direct.hpp"
#include "04_constant_memory/convolve_constant.hpp"
#include "05_shared_memory/show/tables.hpp"
#include "broken.hpp"
#include "common/program/convolution_chapter.hpp"
#include "convolve_shared.hpp"

namespace tutorial {
namespace {

void show(convolution_demo& demo) {
  const std::string& wanted = demo.run().options().variant;
  if (show_broken(demo.run(), wanted)) return;
  if (wanted.empty() || wanted == "access") show_access(demo.run());
  if (wanted.empty() || wanted == "limits") show_limits(demo.run());
  if (wanted == "access" || wanted == "limits") return;
  if (wanted.find("side") == std::string::npos && wanted.find("neighbors") == std::string::npos) {
    const std::vector<std::string> versions = {"direct", "constant", "one_launch", "shared", "chunked"};
    demo.table(demo.work_a(), versions);
    demo.table(demo.work_b(), versions);
  }
  show_taps(demo);
  show_layouts(demo);
  demo.draw_sizes({"direct", "constant", "one_launch", "shared", "chunked"});
}

convolution_variant eight(std::string name, std::string label, tile_layout layout) {
  return device_variant(std::move(name), std::move(label), [layout](auto x, auto h, auto y, auto mode) {
    convolve_shared_eight(x, h, y, mode, layout);
  });
}

}  // namespace

chapter this_chapter() {
  chapter result = convolution_chapter(
      {.number = "05",
       .name = "shared_memory",
       .title = "Shared memory",
       .next = "06",
       .reference = reference_convolutions(),
       .variants = {device_variant("direct", "02 one output per thread",
                                   [](auto x, auto h, auto y, auto mode) { convolve_direct(x, h, y, mode); }),
                    with_preparation(device_variant("constant", "04 taps already there",
                                                    [](auto x, auto h, auto y, auto mode) {
                                                      convolve_with_constant_taps(x, h.size(), y, mode);
                                                    }),
                                     [](auto h) { load_constant_taps(h); }),
                    with_preparation(device_variant("one_launch", "05 taps there, one launch",
                                                    [](auto x, auto h, auto y, auto mode) {
                                                      convolve_shared_with_loaded_taps(x, h.size(), y, mode);
                                                    }),
                                     [](auto h) { load_shared_taps(h); }),
                    device_variant("shared", "05 taps copied part by part",
                                   [](auto x, auto h, auto y, auto mode) { convolve_shared(x, h, y, mode); }),
                    device_variant(
                        "chunked", "05 taps in shared memory, too",
                        [](auto x, auto h, auto y, auto mode) { convolve_shared_chunked(x, h, y, mode); }),
                    eight("neighbors", "05 neighboring outputs", tile_layout::neighbors),
                    eight("neighbors_padded", "05 the same, tile padded", tile_layout::neighbors_padded),
                    eight("side_by_side", "05 outputs side by side", tile_layout::side_by_side)},
       .default_variant = "shared",
       .picture = own_picture::of_times,
       .demo = show});
  result.variants.push_back({"access", "loads per block, by formula"});
  result.variants.push_back({"limits", "how much shared memory a block may have"});
  for (const broken::shown_mistake& each : broken::shown_mistakes())
    result.variants.push_back({each.name, each.description});
  return result;
}

}  // namespace tutorial
