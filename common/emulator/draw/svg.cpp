// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "svg.hpp"

#include <algorithm>
#include <cstddef>

namespace svg {
namespace {

/// How many bytes the character at `at` has; 0 where these bytes are no character that XML can hold.
std::size_t character(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) {
    return at + i < text.size() ? static_cast<unsigned char>(text[at + i]) : 0u;
  };
  const unsigned first = byte(0);
  if (first < 0x80) return 1;
  const std::size_t size = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4) return 0;
  unsigned code = first & (0x7fu >> size);
  for (std::size_t i = 1; i < size; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return 0;
    code = code << 6 | (byte(i) & 0x3f);
  }
  constexpr unsigned least[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool allowed = code >= least[size] && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff) &&
                       code != 0xfffe && code != 0xffff;
  return allowed ? size : 0;
}

}  // namespace

std::string escaped(std::string_view text) {
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t size = character(text, at);
    const char each = text[at];
    if (each == '&')
      result += "&amp;";
    else if (each == '<')
      result += "&lt;";
    else if (each == '>')
      result += "&gt;";
    else if (each == '"')
      result += "&quot;";
    else if (size == 0)
      result += "\uFFFD";
    else if (static_cast<unsigned char>(each) < 0x20)
      result += ' ';
    else
      result += text.substr(at, size);
    at += size == 0 ? 1 : size;
  }
  return result;
}

double sans_width(std::string_view text, double size) {
  double width = 0;
  for (const char each : text) {
    if ((each & 0xC0) == 0x80) continue;  // a further byte of the same character
    if (std::string_view("iljtfrI.,:;'|!() ").find(each) != std::string_view::npos)
      width += 0.38;
    else
      width += std::string_view("mwMW%@").find(each) != std::string_view::npos ? 0.92 : 0.62;
  }
  return width * size;
}

double monospace_width(std::string_view text, double size) {
  const auto characters =
      std::count_if(text.begin(), text.end(), [](char each) { return (each & 0xC0) != 0x80; });
  return static_cast<double>(characters) * size * 0.61;  // of the widest of the fonts that the pictures name
}

}  // namespace svg
