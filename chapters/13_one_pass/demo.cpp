// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "common/program/chapter.hpp"
namespace tutorial {
chapter this_chapter() {
  return {.number = "13", .name = "one_pass", .title = "One pass", .demo = [](chapter_run&) {}};
}
}  // namespace tutorial
