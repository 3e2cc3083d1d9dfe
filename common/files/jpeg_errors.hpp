// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// libjpeg's errors on their way into C++. For files that call libjpeg themselves and link it.
#pragma once

#include <csetjmp>
#include <cstdio>  // before jpeglib.h, which needs FILE

#include <jpeglib.h>

namespace tutorial::detail {

/// What libjpeg's callbacks, which are called from C and must not throw, leave for us: set jpeg.err =
/// &report.manager and run all calls by completes(report.give_up, ...) of image_formats.hpp. Warnings are
/// errors, because libjpeg's warnings mean that it makes up pixels; harmless ones are passed over. Nothing is
/// printed.
struct jpeg_report {
  jpeg_error_mgr manager{};  // first: libjpeg knows only this part
  std::jmp_buf give_up;
  int code = 0;  ///< libjpeg's JERR_ or JWRN_ number.
  char text[JMSG_LENGTH_MAX] = "";

  jpeg_report();
  jpeg_report(const jpeg_report&) = delete;
};

}  // namespace tutorial::detail
