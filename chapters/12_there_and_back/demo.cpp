// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "12_there_and_back/show/own_options.hpp"
#include "12_there_and_back/show/own_signal.hpp"
#include "12_there_and_back/show/tables.hpp"
#include "common/program/chapter.hpp"

namespace tutorial {

chapter this_chapter() {
  return {.number = "12",
          .name = "there_and_back",
          .title = "There and back",
          .next = "13",
          .accepts = signals_in_pieces(),
          .has_long_tables = true,
          .variants = journey_variants(),
          .demo = show_journeys,
          .on_own_data = filter_own_signal};
}

}  // namespace tutorial
