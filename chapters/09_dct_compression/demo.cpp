// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include <vector>

#include "09_dct_compression/show/one_block_shown.hpp"
#include "09_dct_compression/show/own_options.hpp"
#include "09_dct_compression/show/own_picture.hpp"
#include "09_dct_compression/show/rate_distortion.hpp"
#include "09_dct_compression/show/tables.hpp"
#include "09_dct_compression/show/ties_shown.hpp"
#include "common/program/chapter.hpp"

namespace tutorial {
namespace {

std::vector<chapter_variant> variants() {
  std::vector<chapter_variant> all = {{"one_block", "one 8x8 block in figures, there and back"}};
  for (const chapter_variant& each : codec_variants()) all.push_back(each);
  all.push_back({"tie", "a coefficient halfway between two levels"});
  all.push_back({"rate_distortion", "size and quality of a picture at each quality; with --image: of yours"});
  return all;
}

void show(chapter_run& run) {
  if (run.wants("one_block")) show_one_block(run);
  show_codec_tables(run);
  if (run.wants("tie")) {
    show_tie(run);
    run.say();
  }
  if (run.wants("rate_distortion")) show_rate_distortion(run, sample_picture(256, 192), "sample picture");
  if (run.options().variant.empty()) draw_codec_times(run);
}

}  // namespace

chapter this_chapter() {
  return {.number = "09",
          .name = "dct_compression",
          .title = "DCT compression",
          .next = "10",
          .accepts = compressed_pictures(),
          .picture = own_picture::of_results,
          .variants = variants(),
          .demo = show,
          .on_own_data = compress_own_picture};
}

}  // namespace tutorial
