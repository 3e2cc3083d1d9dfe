// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT

#include "09_dct_compression/host/compress_serial.hpp"
#include "10_bits/checks/broken.hpp"
#include "10_bits/checks/test_pictures.hpp"
#include "10_bits/host/code_serial.hpp"
#include "fault.hpp"

namespace tutorial {
namespace {

using mistake = broken::bits_mistake;

/// A coder, on a picture that has what the mistake is about.
fault coder(std::string name, mistake made, picture_kind kind, int quality, int interval) {
  const auto use = [made, kind, quality, interval] {
    const compressed_picture picture =
        compress_serial(test_picture(88, 72, 1, kind, 4), quality, chroma_sampling::s444);
    return file_difference(
        broken::code_levels(made, picture, interval),
        code_serial(picture, scan_layout_of(88, 72, 1, chroma_sampling::s444, interval), standard_codes()));
  };
  return fault_of(std::move(name), use);
}

fault of_readers(std::string name, broken::reading_mistake made) {
  return fault_of(std::move(name), [made] { return wrong_ones(broken::wrong_blocks(made), "blocks"); });
}

}  // namespace

std::vector<fault> faults() {
  using enum broken::bits_mistake;
  std::vector<fault> all = each_fault<mistake>([](const std::string& name, mistake made) {
    const picture_kind kind = made == not_stuffed ? picture_kind::noise
                              : made == run_of_16 ? picture_kind::one_wave
                                                  : picture_kind::slopes;
    return coder(name, made, kind, made == not_stuffed ? 100 : 50,
                 made == no_atomic || made == scan_not_awaited ? 0 : 7);
  });
  for (fault& each : each_fault<broken::reading_mistake>(of_readers))
    if (each.name != "none") all.push_back(std::move(each));
  return all;
}

}  // namespace tutorial
