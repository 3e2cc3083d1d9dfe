// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Text that is to fit on a screen.
#pragma once

#include <string>
#include <vector>

namespace tutorial {

using source_lines = std::vector<std::string>;  ///< The first is line 1.

/// Without what ends a line, here or elsewhere.
source_lines lines_of_text(const std::string& text);
/// The same; of a file that is not there none.
source_lines lines_of_file(const std::string& file);
/// With a line break between two lines, and none at the end.
std::string text_of_lines(const source_lines& lines);

/// The text in lines of at most `width` letters, broken at spaces, and the first `most` of them, up to the
/// end of a sentence if one ends near; then it says how many are left out, and that `all` shows them.
std::string first_lines(const std::string& text, int most, int width, const std::string& all);
/// Rows of a screen of that width that these lines take as they are.
int rows_of(const std::string& text, int width);
/// Of the text; an empty one has none.
int count_lines(const std::string& text);

/// The line without blanks at both ends.
std::string trimmed(const std::string& line);
/// Every `what` in the text is left out.
std::string without(std::string text, const std::string& what);

}  // namespace tutorial
