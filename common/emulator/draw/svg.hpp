// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Text in SVG. It depends on nothing: other programs that draw may use it, too.
#pragma once

#include <string>
#include <string_view>

namespace svg {

/// Text as XML takes it. Control characters become spaces, bytes that are no UTF-8 the character for that.
std::string escaped(std::string_view text);

/// Pixels that text of this size takes, rather too many than too few: fonts differ between readers.
double sans_width(std::string_view text, double size);
/// The same in a font whose letters are all as wide.
double monospace_width(std::string_view text, double size);

}  // namespace svg
