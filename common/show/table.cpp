// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "table.hpp"

#include <algorithm>
#include <stdexcept>

#include "common/files/output_file.hpp"

namespace tutorial {

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
