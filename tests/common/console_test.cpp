// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cstdlib>
#include <initializer_list>
#include <utility>

#include "common/show/console.hpp"

using namespace tutorial;

namespace {
void environment(std::initializer_list<std::pair<const char*, const char*>> variables) {
  for (const char* name : {"NO_COLOR", "CLICOLOR_FORCE", "TERM"}) unsetenv(name);
  for (const auto& [name, value] : variables) setenv(name, value, 1);
}
}  // namespace

TEST_CASE("color is for terminals, and the reader has the last word") {
  environment({{"TERM", "xterm"}});
  CHECK(color_wanted(true));
  CHECK_FALSE(color_wanted(false));
  environment({});
  CHECK_FALSE(color_wanted(true));
  environment({{"TERM", "dumb"}});
  CHECK_FALSE(color_wanted(true));
  environment({{"TERM", "xterm"}, {"NO_COLOR", "1"}});
  CHECK_FALSE(color_wanted(true));
  environment({{"TERM", "xterm"}, {"NO_COLOR", ""}});  // by its definition an empty one does not count
  CHECK(color_wanted(true));
  environment({{"CLICOLOR_FORCE", "1"}});
  CHECK(color_wanted(false));
  environment({{"CLICOLOR_FORCE", "0"}});
  CHECK_FALSE(color_wanted(false));
  environment({{"CLICOLOR_FORCE", "1"}, {"NO_COLOR", "1"}});
  CHECK_FALSE(color_wanted(false));
}

TEST_CASE("colored text keeps its words") {
  environment({{"CLICOLOR_FORCE", "1"}});
  CHECK(colored("passed", tone::good) == "\033[32mpassed\033[0m");
  CHECK(colored("passed", tone::plain) == "passed");
  environment({{"NO_COLOR", "1"}});
  CHECK(colored("passed", tone::good) == "passed");
}
