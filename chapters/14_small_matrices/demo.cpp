// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include <vector>

#include "14_small_matrices/show/accuracy.hpp"
#include "14_small_matrices/show/own_options.hpp"
#include "14_small_matrices/show/own_picture.hpp"
#include "14_small_matrices/show/tables.hpp"
#include "common/program/chapter.hpp"

namespace tutorial {
namespace {

std::vector<chapter_variant> variants() {
  std::vector<chapter_variant> all = {
      {"matrix", "the 64 x 64 matrix of the 8x8 DCT, at some places"},
      {"split", "some elements of the matrices, and what their two parts leave"},
      {"errors", "how far from float64 what is rounded to levels is"}};
  for (const chapter_variant& each : product_variants()) all.push_back(each);
  return all;
}

void show(chapter_run& run) {
  if (run.wants("matrix")) show_matrix(run);
  if (run.wants("split")) show_split(run);
  show_product_tables(run);
  if (run.wants("errors")) show_errors(run);
}

}  // namespace

chapter this_chapter() {
  return {.number = "14",
          .name = "small_matrices",
          .title = "Small matrices",
          .next = "15",
          .accepts = round_trip_pictures(),
          .variants = variants(),
          .demo = show,
          .on_own_data = round_trip_own_picture};
}

}  // namespace tutorial
