// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <limits>
#include <stdexcept>

#include "common/files/input_error.hpp"
#include "common/files/numbers.hpp"
#include "common/show/table.hpp"
#include "scratch.hpp"

using namespace tutorial;

TEST_CASE("numbers as people read them") {
  CHECK(grouped(0) == "0");
  CHECK(grouped(999) == "999");
  CHECK(grouped(1000) == "1,000");
  CHECK(several(1, "sample") == "1 sample");
  CHECK(several(0, "sample") == "0 samples");
  CHECK(several(2051, "sample") == "2051 samples");
  CHECK(grouped(10000000) == "10,000,000");
  CHECK(grouped(std::numeric_limits<std::uint64_t>::max()) == "18,446,744,073,709,551,615");
  CHECK(significant(0.04281) == "0.0428");
  CHECK(significant(4.281) == "4.28");
  CHECK(significant(9.996) == "10.0");
  CHECK(significant(99.96) == "100");
  CHECK(significant(4281) == "4280");
  CHECK(significant(-0.5) == "-0.500");
  CHECK(significant(1.7e10, 2) == "1.7e+10");
  CHECK(significant(0) == "0");
  CHECK(significant(std::numeric_limits<double>::quiet_NaN()) == "nan");
  CHECK(fixed(2.345, 1) == "2.3");
  CHECK(percent(0.7234) == "72 %");
  CHECK(bytes_text(1024.0 * 1024 * 1024) == "1 GiB");
  CHECK(bytes_text(80e6) == "76.3 MiB");
  CHECK(bytes_text(12) == "12 B");
  CHECK(milliseconds(0.042812) == "0.0428");
  CHECK(milliseconds(428.12) == "428.1");
  CHECK(exact_digits(0.1) == "0.1");
  CHECK(exact_digits(-std::numeric_limits<double>::infinity()) == "-inf");
}

TEST_CASE("width counts code points, not bytes") {
  CHECK(display_width("") == 0);
  CHECK(display_width("abc") == 3);
  CHECK(display_width("µs") == 2);
  CHECK(display_width("σ² → ∞") == 6);
  CHECK(display_width("e\xCC\x81") == 1);  // e and a combining acute accent
}

TEST_CASE("columns are aligned, also with letters of several bytes and with remarks") {
  text_table table(
      {{"version", text_table::align::left}, {"ms"}, {"of limit"}, {"verified", text_table::align::left}});
  table.add_row({"direct", "12.5", "72 %", "exact"});
  table.add_row({"größer", "1", "3 %", ""});
  table.add_row({"serial", "skipped: a remark that runs over the other columns"});
  const std::string expected =
      "  version    ms  of limit  verified\n"
      "  direct   12.5      72 %  exact\n"
      "  größer      1       3 %\n"
      "  serial   skipped: a remark that runs over the other columns\n";
  CHECK(table.text(2) == expected);
  CHECK_THROWS_AS(table.add_row({"1", "2", "3", "4", "5"}), std::invalid_argument);
}

TEST_CASE("CSV: quotes where they are needed, columns by name") {
  csv_table table;
  CHECK(table.empty());
  table.add_row({{"name", "plain"}, {"value", "1"}});
  table.add_row({{"value", "2"}, {"name", "comma, and \"quotes\""}, {"later", "two\nlines"}});
  table.add_row({{"name", "short"}});
  const std::string expected =
      "name,value,later\n"
      "plain,1,\n"
      "\"comma, and \"\"quotes\"\"\",2,\"two\nlines\"\n"
      "short,,\n";
  CHECK(table.text() == expected);
  const scratch_folder folder;
  table.save(folder / "t.csv");
  CHECK(content(folder / "t.csv") == expected);
  CHECK_THROWS_AS(table.save(folder / "none/t.csv"), input_error);
}
