// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// The way numbers are written: in tables, messages and files.
#pragma once

#include <cstdint>
#include <string>

namespace tutorial {

/// 10000000 -> "10,000,000".
std::string grouped(std::uint64_t value);
/// 1 and "sample" -> "1 sample", 20 and "sample" -> "20 samples".
std::string several(std::uint64_t count, const std::string& thing);
/// `digits` significant digits without exponent where that is readable: 0.0428, 4.28, 42.8, 4280, 1.7e+10.
std::string significant(double value, int digits = 3);
/// With `decimals` digits after the point.
std::string fixed(double value, int decimals);
/// 0.7234 -> "72 %".
std::string percent(double ratio);
/// 1073741824 -> "1 GiB", 80000000 -> "76.3 MiB".
std::string bytes_text(double bytes);
/// Milliseconds with three or more significant digits, never below a nanosecond: 0.0428, 4.28, 42.8, 428.
std::string milliseconds(double ms);

/// The shortest digits that read back as the same value; "nan", "inf", "-inf".
std::string exact_digits(double value);

}  // namespace tutorial
