// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "common/chapter.hpp"
#include "own_picture.hpp"
#include "rate_distortion.hpp"
#include "ties_shown.hpp"

namespace tutorial {
namespace {

void show(chapter_run& run) {
  if (run.wants("tie")) show_tie(run);
  if (run.wants("rate_distortion")) show_rate_distortion(run, sample_picture(256, 192), "sample picture");
}

}  // namespace

chapter this_chapter() {
  return {.number = "09",
          .name = "dct_compression",
          .title = "DCT compression",
          .accepts = own_data::image_compression,
          .picture = own_picture::of_results,
          .variants = {{"tie", "A coefficient halfway between two levels"},
                       {"rate_distortion",
                        "Size and quality of the result at each quality; with --image: of yours"}},
          .demo = show,
          .on_own_data = compress_own_picture};
}

}  // namespace tutorial
