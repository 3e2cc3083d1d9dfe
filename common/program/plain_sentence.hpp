// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// A failed check in the words of a person, not of the framework.
#pragma once

#include <doctest/doctest.h>

#include <string>
#include <vector>

namespace tutorial {

/// A failed check in a plain sentence: what was given, what came, what was expected. `expression` and
/// `values` are doctest's ("counts.threads == 256" and "64 == 256"); `said` is what the check itself says,
/// in order: captures ("width := 5"), then its message, if it has one.
std::string plain_sentence(const std::string& expression, const std::string& values,
                           const std::vector<std::string>& said);
/// The same of a check that fails now.
std::string plain_sentence(const doctest::AssertData& data);

/// What the checks say now, in order: captures ("width := 5") and messages.
std::vector<std::string> said_now();
/// Whether `text` is a capture, and no message.
bool is_capture(const std::string& text);
/// The captures alone: "width = 5, height = 4".
std::string captures(const std::vector<std::string>& said);

}  // namespace tutorial
