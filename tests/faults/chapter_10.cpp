// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstddef>

#include "09_dct_compression/host/compress_serial.hpp"
#include "10_bits/checks/broken.hpp"
#include "10_bits/checks/test_pictures.hpp"
#include "10_bits/host/code_serial.hpp"
#include "fault.hpp"

namespace tutorial {
namespace {

using mistake = broken::bits_mistake;

/// A coder, on a picture that has what the mistake is about.
fault coder(std::string name, mistake made, picture_kind kind = picture_kind::slopes, int quality = 50,
            int interval = 7) {
  const auto use = [made, kind, quality, interval] {
    const compressed_picture picture =
        compress_serial(test_picture(88, 72, 1, kind, 4), quality, chroma_sampling::s444);
    return file_difference(
        broken::code_levels(made, picture, interval),
        code_serial(picture, scan_layout_of(88, 72, 1, chroma_sampling::s444, interval), standard_codes()));
  };
  const auto checks = [use] {
    const std::string wrong = use();
    return wrong.empty() ? refusal{} : refusal{"results", wrong};
  };
  return {std::move(name), use, checks};
}

}  // namespace

std::vector<fault> faults() {
  return {coder("none", mistake::none),
          coder("carry_lost", mistake::carry_lost),
          coder("not_stuffed", mistake::not_stuffed, picture_kind::noise, 100),
          coder("wrong_neighbor", mistake::wrong_neighbor),
          coder("prediction_kept", mistake::prediction_kept),
          coder("run_of_16", mistake::run_of_16, picture_kind::one_wave),
          coder("marker_number", mistake::marker_number),
          coder("zeros_fill", mistake::zeros_fill),
          coder("negative_extra", mistake::negative_extra),
          coder("no_atomic", mistake::no_atomic, picture_kind::slopes, 50, 0),
          coder("scan_not_awaited", mistake::scan_not_awaited, picture_kind::slopes, 50, 0)};
}

}  // namespace tutorial
