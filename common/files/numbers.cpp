// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "numbers.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <iterator>

namespace tutorial {
namespace {

std::string printed(const char* format, int digits, double value) {
  char text[400];
  std::snprintf(text, sizeof text, format, digits, value);
  return text;
}

}  // namespace

std::string grouped(std::uint64_t value) {
  const std::string digits = std::to_string(value);
  std::string text;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i != 0 && (digits.size() - i) % 3 == 0) text += ',';
    text += digits[i];
  }
  return text;
}

std::string fixed(double value, int decimals) {
  return std::isfinite(value) ? printed("%.*f", decimals, value) : exact_digits(value);
}

std::string several(std::uint64_t count, const std::string& thing) {
  return std::to_string(count) + " " + thing + (count == 1 ? "" : "s");
}

std::string significant(double value, int digits) {
  if (value == 0) return "0";
  if (!std::isfinite(value)) return exact_digits(value);
  // Rounded first: 9.996 with three digits is 10.0, not 10.00.
  const double rounded = std::strtod(printed("%.*e", digits - 1, value).c_str(), nullptr);
  const int exponent = int(std::floor(std::log10(std::abs(rounded)) + 1e-12));
  if (exponent < -4 || exponent > 6) return printed("%.*e", digits - 1, rounded);
  return fixed(rounded, std::max(0, digits - 1 - exponent));
}

std::string percent(double ratio) { return fixed(100 * ratio, 0) + " %"; }

std::string bytes_text(double bytes) {
  const char* const units[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
  std::size_t unit = 0;
  for (; std::abs(bytes) >= 1024 && unit + 1 < std::size(units); ++unit) bytes /= 1024;
  std::string number = fixed(bytes, 1);
  if (number.ends_with(".0")) number.resize(number.size() - 2);
  return number + " " + units[unit];
}

std::string milliseconds(double ms) { return ms < 1e-4 ? fixed(ms, 6) : significant(ms, ms >= 100 ? 4 : 3); }

std::string exact_digits(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
  char text[40];
  return std::string(text, std::to_chars(text, text + sizeof text, value).ptr);
}

}  // namespace tutorial
