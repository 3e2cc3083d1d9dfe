// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include <iterator>
#include <string>

#include "08_dct8x8/checks/broken.hpp"
#include "08_dct8x8/show/filters.hpp"
#include "08_dct8x8/show/one_block.hpp"
#include "08_dct8x8/show/own_options.hpp"
#include "08_dct8x8/show/tables.hpp"
#include "common/program/shown_mistakes.hpp"
#include "versions.hpp"

namespace tutorial {
namespace {

void show(chapter_run& run) {
  const std::string& wanted = run.options().variant;
  if (show_mistake(run, broken::shown_mistakes(), "Coefficients")) return;
  const bool filters = is_filter(wanted);
  const bool transforms = !filters && wanted != "one_block" && wanted != "starts";
  if (wanted.empty() || filters) show_filters(run);
  if (run.wants("one_block")) show_one_block(run);
  if (transforms) show_versions(run);
  if (run.wants("starts")) show_block_starts(run);
  if (transforms) draw_versions(run);
}

}  // namespace

chapter this_chapter() {
  chapter result{.number = "08",
                 .name = "dct8x8",
                 .title = "8x8 DCT",
                 .next = "09",
                 .accepts = transformed_pictures(),
                 .picture = own_picture::of_times,
                 .variants = {versions::square,
                              versions::separable,
                              versions::fused,
                              versions::definition,
                              versions::matrix,
                              versions::dct_all_cores,
                              versions::textured,
                              versions::per_coefficient,
                              versions::shared_matrix,
                              versions::columns,
                              {"one_block", "one 8x8 block in figures"},
                              {"starts", "what blocks of threads cost by themselves"}},
                 .demo = show,
                 .on_own_data = transform_own_picture};
  add_mistakes(result.variants, broken::shown_mistakes());
  return result;
}

}  // namespace tutorial
