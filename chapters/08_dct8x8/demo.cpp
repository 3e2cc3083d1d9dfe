// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "common/chapter.hpp"

tutorial::chapter tutorial::this_chapter() {
  return {.number = "08", .name = "dct8x8", .title = "8x8 DCT", .next = "09", .demo = [](chapter_run&) {}};
}
