// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "common/table.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <stdexcept>

#include "common/output_file.hpp"

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

std::size_t display_width(std::string_view text) {
  std::size_t width = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const unsigned char byte = static_cast<unsigned char>(text[i]);
    if ((byte & 0xC0) == 0x80) continue;  // the second and later bytes of a code point
    // Combining marks U+0300 to U+036F are encoded as CC 80 to CD AF.
    const unsigned char next = i + 1 < text.size() ? static_cast<unsigned char>(text[i + 1]) : 0;
    if (byte == 0xCC || (byte == 0xCD && next <= 0xAF)) continue;
    ++width;
  }
  return width;
}

void text_table::add_row(std::vector<std::string> cells) {
  if (cells.size() > columns_.size()) throw std::invalid_argument("text_table: more cells than columns");
  rows_.push_back(std::move(cells));
}

std::string text_table::text(std::size_t indent) const {
  std::vector<std::size_t> widths;
  for (const column& each : columns_) widths.push_back(display_width(each.title));
  for (const auto& row : rows_) {
    for (std::size_t c = 0; c < row.size(); ++c) {
      const bool runs_over = c + 1 == row.size() && row.size() < columns_.size();
      if (!runs_over) widths[c] = std::max(widths[c], display_width(row[c]));
    }
  }
  std::string result;
  const auto add_line = [&](const std::vector<std::string>& cells) {
    std::string line(indent, ' ');
    for (std::size_t c = 0; c < cells.size(); ++c) {
      const bool runs_over = c + 1 == cells.size() && cells.size() < columns_.size();
      const std::size_t width = display_width(cells[c]);
      const std::string gap(width < widths[c] ? widths[c] - width : 0, ' ');
      if (columns_[c].side == align::right && !runs_over)
        line += gap + cells[c];
      else
        line += cells[c] + gap;
      line += "  ";
    }
    line.erase(line.find_last_not_of(' ') + 1);
    result += line + "\n";
  };
  std::vector<std::string> titles;
  for (const column& each : columns_) titles.push_back(each.title);
  add_line(titles);
  for (const auto& row : rows_) add_line(row);
  return result;
}

void csv_table::add_row(const std::vector<std::pair<std::string, std::string>>& cells) {
  std::vector<std::string> row(header_.size());
  for (const auto& [name, value] : cells) {
    const auto at = std::find(header_.begin(), header_.end(), name);
    if (at != header_.end()) {
      row[std::size_t(at - header_.begin())] = value;
    } else {
      header_.push_back(name);
      row.push_back(value);
    }
  }
  rows_.push_back(std::move(row));
}

std::string csv_table::text() const {
  std::string result;
  const auto add_line = [&](const std::vector<std::string>& cells) {
    for (std::size_t c = 0; c < header_.size(); ++c) {
      if (c != 0) result += ',';
      const std::string cell = c < cells.size() ? cells[c] : "";  // rows older than a column are shorter
      if (cell.find_first_of(",\"\r\n") == std::string::npos) {
        result += cell;
      } else {
        result += '"';
        for (const char each : cell) result += each == '"' ? std::string("\"\"") : std::string(1, each);
        result += '"';
      }
    }
    result += '\n';
  };
  add_line(header_);
  for (const auto& row : rows_) add_line(row);
  return result;
}

void csv_table::save(const std::filesystem::path& file) const {
  output_file out(file);
  out.write(text());
  out.commit();
}

}  // namespace tutorial
