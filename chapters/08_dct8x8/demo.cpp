// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <iterator>
#include <string>

#include "08_dct8x8/kernels/broken.hpp"
#include "08_dct8x8/show/one_block.hpp"
#include "08_dct8x8/show/tables.hpp"
#include "common/program/chapter.hpp"

namespace tutorial {
namespace {

void show(chapter_run& run) {
  const std::string& wanted = run.options().variant;
  if (show_broken(run, wanted)) return;
  if (wanted.empty() || wanted == "one_block") show_one_block(run);
  if (wanted != "one_block" && wanted != "starts") show_versions(run);
  if (wanted.empty() || wanted == "starts") show_block_starts(run);
  if (wanted != "one_block" && wanted != "starts") draw_versions(run);
}

}  // namespace

chapter this_chapter() {
  chapter result{.number = "08",
                 .name = "dct8x8",
                 .title = "8x8 DCT",
                 .next = "09",
                 .accepts = own_data::image_transform,
                 .picture = own_picture::of_times,
                 .variants = {{"definition", "on the host: 64 products for each coefficient, in double"},
                              {"matrix", "on the host: two matrix products, in double"},
                              {"parallel", "on the host: the same in float, on all cores"},
                              {"textured", "64 threads for an 8x8 block, input from a texture"},
                              {"per_coefficient", "64 threads for an 8x8 block"},
                              {"shared_matrix", "64 threads for an 8x8 block, the matrix in shared memory"},
                              {"columns", "8 threads for an 8x8 block, columns in registers"},
                              {"one_block", "one 8x8 block in figures"},
                              {"starts", "what blocks of threads cost by themselves"}},
                 .demo = show,
                 .on_own_data = transform_own_picture};
  for (const broken::shown_mistake& each : broken::shown_mistakes())
    result.variants.push_back({each.name, each.description});
  return result;
}

}  // namespace tutorial
