// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// What the convolution chapters do with the reader's own data.
#pragma once

#include "signals.hpp"

namespace tutorial {

/// Convolves as the run's options say, verifies the result, and writes it where --output says. Throws
/// input_error or usage_error for data and options that do not fit.
void convolve_own_data(chapter_run& run, const convolution_chapter_parts& parts);

/// What they accept.
own_data convolved_signals();
/// Whether one of the chapter's versions runs on the device.
bool any_on_device(const convolution_chapter_parts& parts);
/// With --explain: what the versions in the table chose, and why; or that none of them chooses.
void explain(chapter_run& run, const convolution_chapter_parts& parts, const convolution_work& work,
             const version_table& table);
/// A table that holds only what became of one version; nothing in it was measured.
convolution_table one_row_table(const convolution_work& work, std::size_t outputs, version_row row);

}  // namespace tutorial
