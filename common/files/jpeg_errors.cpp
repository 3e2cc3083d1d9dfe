// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "jpeg_errors.hpp"

#include <jerror.h>

namespace tutorial::detail {
namespace {

[[noreturn]] void on_error(j_common_ptr jpeg) {
  jpeg_report& report = *reinterpret_cast<jpeg_report*>(jpeg->err);
  report.code = jpeg->err->msg_code;
  jpeg->err->format_message(jpeg, report.text);
  std::longjmp(report.give_up, 1);
}

// Level -1 is a warning.
void on_message(j_common_ptr jpeg, int level) {
  if (level >= 0) return;
  switch (jpeg->err->msg_code) {
    case JWRN_ADOBE_XFORM:      // a number that is not in Adobe's list: the usual colors are assumed
    case JWRN_JFIF_MAJOR:       // a newer JFIF
    case JWRN_EXTRANEOUS_DATA:  // between two parts of the file; some cameras leave such bytes
      return;
    default:
      on_error(jpeg);
  }
}

void on_output(j_common_ptr) {}

}  // namespace

jpeg_report::jpeg_report() {
  jpeg_std_error(&manager);
  manager.error_exit = on_error;
  manager.emit_message = on_message;
  manager.output_message = on_output;
}

}  // namespace tutorial::detail
