// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// same_picture A B: status 0 if the two are the same, but for one value in 200: what a tie that is rounded
// the other way by another device moves.
#include <cstdio>
#include <exception>

#include "common/files/image_file.hpp"

int main(int count, char** arguments) {
  if (count != 3) return 2;
  try {
    const tutorial::image a = tutorial::read_image(arguments[1]), b = tutorial::read_image(arguments[2]);
    if (a.width() != b.width() || a.height() != b.height() || a.channels() != b.channels()) {
      std::puts("the sizes differ");
      return 1;
    }
    std::size_t differing = 0;
    for (std::size_t i = 0; i < a.pixels().size(); ++i) differing += a.pixels()[i] != b.pixels()[i];
    std::printf("%zu of %zu values differ\n", differing, a.pixels().size());
    return differing > a.pixels().size() / 200;
  } catch (const std::exception& error) {
    std::puts(error.what());
    return 2;
  }
}
