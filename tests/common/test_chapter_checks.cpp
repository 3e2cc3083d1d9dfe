// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cstdlib>
#include <string>

TEST_CASE("first") { CHECK(1 + 1 == 2); }

TEST_CASE("second") {
  const char* wanted = std::getenv("TEST_CHAPTER");
  CHECK_MESSAGE(!(wanted && std::string(wanted) == "failing_check"), "failing on demand");
}
