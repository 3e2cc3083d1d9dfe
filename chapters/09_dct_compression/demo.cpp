// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "common/chapter.hpp"

tutorial::chapter tutorial::this_chapter() {
  return {.number = "09", .name = "dct_compression", .title = "DCT compression", .demo = [](chapter_run&) {}};
}
