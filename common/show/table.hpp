// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Tables as text and as CSV.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tutorial {

/// How many columns a UTF-8 text takes on a terminal (every code point counts as one, combining marks as
/// none).
std::size_t display_width(std::string_view text);

/// Columns under titles, aligned by spaces only.
class text_table {
 public:
  enum class align { left, right };
  struct column {
    std::string title;
    align side = align::right;
  };
  /// Without rows so far.
  explicit text_table(std::vector<column> columns) : columns_(std::move(columns)) {}

  /// As many cells as there are columns, or fewer: the last one then runs over the columns that follow, as a
  /// remark does. std::invalid_argument if there are more.
  void add_row(std::vector<std::string> cells);
  /// Whether there are no rows.
  bool empty() const { return rows_.empty(); }
  /// Every line indented and ended by a newline; no line ends in a space.
  std::string text(std::size_t indent = 0) const;

 private:
  std::vector<column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

/// Rows of named values. A column exists from the first row that names it; cells that a row does not name are
/// empty.
class csv_table {
 public:
  /// The next row: a name and a value for each of its cells.
  void add_row(const std::vector<std::pair<std::string, std::string>>& cells);
  /// Whether there are no rows.
  bool empty() const { return rows_.empty(); }
  /// RFC 4180 with "\n" at line ends: a header, quotes only where a cell needs them.
  std::string text() const;
  /// Throws input_error where the file cannot be written.
  void save(const std::filesystem::path& file) const;

 private:
  std::vector<std::string> header_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace tutorial
