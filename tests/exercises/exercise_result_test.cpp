// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "exercise_result.hpp"

#include "common/program/plain_sentence.hpp"
#include "common/verify/case_at_work.hpp"

using namespace tutorial;

TEST_CASE("a message says it all, and the expression is left out") {
  CHECK(plain_sentence("threads == 256", "64 == 256", {"256 threads are wanted, but 64 came"}) ==
        "256 threads are wanted, but 64 came");
  CHECK(plain_sentence("bool(result)", "false",
                       {"3 samples: WRONG: 1,792 of 2,051, the first at index 256; got NaN"}) ==
        "3 samples: 1,792 of 2,051 are wrong, the first at index 256; got NaN");
  CHECK(plain_sentence("bool(result)", "false", {"WRONG: 1 of 5, the first at index 0"}) ==
        "1 of 5 is wrong, the first at index 0");
}

TEST_CASE("a number that has lost its sign has it beside it") {
  CHECK(plain_sentence("a", "false", {"the piece begins at 18446744073709551612, of 1000"}) ==
        "the piece begins at 18446744073709551612 (-4 before it became unsigned), of 1000");
  CHECK(plain_sentence("a", "false", {"9 of 99999999999999999999999 and 4294967295"}) ==
        "9 of 99999999999999999999999 and 4294967295");
}

TEST_CASE("one is one") {
  CHECK(plain_sentence("a", "false", {"1 samples, 1 outputs: 21 elements of 1 channels"}) ==
        "1 sample, 1 output: 21 elements of 1 channel");
  CHECK(plain_sentence("a", "false", {"2.1 samples, 1 pass, 1 is, x1 samples, 1 across, 7 x 1 pixels"}) ==
        "2.1 samples, 1 pass, 1 is, x1 samples, 1 across, 7 x 1 pixels");
}

TEST_CASE("what is captured comes first") {
  CHECK(plain_sentence("a == b", "1 == 2", {"width := 5", "height := 4"}) ==
        "width = 5, height = 4: a is 1; it should be 2, which is b.");
  CHECK(plain_sentence("bool(r)", "false", {"width := 5", "a pixel is wrong"}) ==
        "width = 5: a pixel is wrong");
}

TEST_CASE("a comparison without a message becomes a sentence") {
  CHECK(plain_sentence("blocks({100, 32, 0}) == 16", "12 == 16", {}) ==
        "blocks({100, 32, 0}) is 12; it should be 16.");
  CHECK(plain_sentence("loads <= 2 * y.size()", "30 <= 20", {}) ==
        "loads is 30; it should be at most 20, which is 2 * y.size().");
  CHECK(plain_sentence("loads < 5", "30 < 5", {}) == "loads is 30; it should be less than 5.");
  CHECK(plain_sentence("r > 0.5", "0 > 0.5", {}) == "r is 0; it should be more than 0.5.");
  CHECK(plain_sentence("r >= 1", "0 >= 1", {}) == "r is 0; it should be at least 1.");
  CHECK(plain_sentence("x != 0", "0 != 0", {}) == "x is 0; it should be anything but 0.");
  CHECK(plain_sentence("roof(d) == Approx(0.5)", "0.25 == Approx( 0.5 )", {}) ==
        "roof(d) is 0.25; it should be about 0.5.");
  CHECK(plain_sentence("name(\"a == b\") == \"x\"", "y == x", {}) ==
        "name(\"a == b\") is y; it should be x.");
}

TEST_CASE("values that nobody can read are not shown") {
  CHECK(plain_sentence("levels == plane(8, 8)", "{?} == {?}", {}) ==
        "This should be true, but it isn't: levels == plane(8, 8)");
  CHECK(plain_sentence("std::all_of(a, b, c)", "false", {}) ==
        "This should be true, but it isn't: std::all_of(a, b, c)");
}

TEST_CASE("of a list the first line is enough") {
  const std::string list = "\n  one sample: wrong\n  two samples: wrong\n  and 82 more";
  CHECK(plain_sentence("summary(f()) == \"\"", list + " == ", {}) ==
        "one sample: wrong\n(83 more of this kind)");
  CHECK(plain_sentence("f().empty()", "false", {list}) == "one sample: wrong\n(83 more of this kind)");
  CHECK(plain_sentence("f().empty()", "false", {"\n  one sample: wrong"}) == "one sample: wrong");
  CHECK(plain_sentence("difference(y, x) == \"\"", "row 1: got 2, expected 3 == ", {}) ==
        "row 1: got 2, expected 3");
}

TEST_CASE("what is given is known while it is worked on") {
  CHECK(case_at_work::given().empty());
  {
    const case_at_work outer("5 samples");
    CHECK(case_at_work::given() == "5 samples");
    {
      const case_at_work inner("2 taps");
      CHECK(case_at_work::given() == "2 taps");
    }
    CHECK(case_at_work::given() == "5 samples");
  }
  CHECK(case_at_work::given().empty());
}
