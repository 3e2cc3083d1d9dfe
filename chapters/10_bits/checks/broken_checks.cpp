// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cstddef>
#include <vector>

#include "09_dct_compression/host/compress_serial.hpp"
#include "10_bits/checks/broken.hpp"
#include "10_bits/host/code_serial.hpp"
#include "common/verify/counted_check.hpp"
#include "test_pictures.hpp"

using namespace tutorial;
using broken::bits_mistake;
using broken::reading_mistake;

namespace {

/// "" or where the broken coder parts from the serial one.
std::string refused(bits_mistake made, picture_kind kind, int quality, int interval) {
  const compressed_picture picture =
      compress_serial(test_picture(88, 72, 1, kind, 4), quality, chroma_sampling::s444);
  const scan_layout layout = scan_layout_of(88, 72, 1, chroma_sampling::s444, interval);
  return file_difference(broken::code_levels(made, picture, interval),
                         code_serial(picture, layout, standard_codes()));
}

}  // namespace

TEST_CASE("the checks refuse coders that are wrong on purpose") {
  using enum bits_mistake;
  for (const picture_kind kind :
       {picture_kind::noise, picture_kind::slopes, picture_kind::one_color, picture_kind::one_wave})
    for (const int interval : {0, 1, 7}) CHECK(refused(none, kind, 90, interval) == "");
  CHECK(refused(carry_lost, picture_kind::slopes, 50, 0) != "");
  CHECK(refused(not_stuffed, picture_kind::noise, 100, 0) != "");
  CHECK(refused(wrong_neighbor, picture_kind::slopes, 50, 0) != "");
  CHECK(refused(prediction_kept, picture_kind::slopes, 50, 0) == "");  // right as long as there is no marker
  CHECK(refused(prediction_kept, picture_kind::slopes, 50, 7) != "");
  CHECK(refused(run_of_16, picture_kind::one_wave, 50, 0) != "");
  CHECK(refused(marker_number, picture_kind::slopes, 50, 20) == "");  // five markers
  CHECK(refused(marker_number, picture_kind::slopes, 50, 7) != "");
  CHECK(refused(zeros_fill, picture_kind::slopes, 50, 7) != "");
  CHECK(refused(negative_extra, picture_kind::slopes, 50, 0) != "");
}

TEST_CASE("the checks refuse readers that are wrong on purpose") {
  CHECK(broken::wrong_blocks(reading_mistake::none) == 0);
  CHECK(broken::wrong_blocks(reading_mistake::guess_kept) > 0);
  CHECK(broken::wrong_blocks(reading_mistake::counted_before) > 0);
}

// Whether such a mistake changes a byte depends on the schedule. The emulated device names it, and ends the
// program that made it, so each runs in a process of its own.
TEST_CASE("the emulated device names mistakes that a result may not show") {
  if (!has_counts(count_launches([] { broken::wrong_bytes(bits_mistake::none); }))) return;
  CHECK(broken::not_named(broken::shown_bits_mistakes()) == "");
  CHECK(broken::wrong_bytes(bits_mistake::none) == 0);
}
