// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// What a compiler's first message says to somebody who meets it for the first time. (tests/scripts/braces.sh
// looks at braces.)
#include "common/screens/compiler_words.hpp"

#include <doctest/doctest.h>

using namespace tutorial;

TEST_CASE("errors in other words") {
  const source_lines file = {"#include \"a.hpp\"",
                             "",
                             "__global__ void copy_kernel(const float* x, float* y) {",
                             "  const int i = threadIdx.x  // no end",
                             "  // y[i] = misspeled;",
                             "",
                             "  if (i > 3) return;",
                             "  y[i] = x[i]",
                             "}",
                             "void copy() { copy_kernal<<<1, 1>>>(nullptr, nullptr); }",
                             "  y = 3;",
                             "for (int i = 0; i < 3; ++i) { y[i] = x[i] }"};
  // the message, its line, what is said (nothing where the message is clear), another line where that is the
  // place
  const struct {
    const char* message;
    int line;
    const char* words;
    int place;
  } all[] = {
      {"expected ‘,’ or ‘;’ before ‘if’", 7, "a ; may be missing at the end of line 4.", 4},
      {"expected ';' before 'if'", 7, "a ; may be missing at the end of line 4.", 4},
      {"expected ‘;’ before ‘}’ token", 8, "a ; may be missing at the end of line 8.", 8},
      {"expected a \";\"", 7, "a ; may be missing at the end of line 4.", 4},
      {"expected initializer before ‘void’", 10, "a ; may be missing at the end of line 9.", 9},
      {"assignment of read-only location ‘*(x + ((sizetype)(((long unsigned int)i) * 4)))’", 8,
       "x is const, which can only be read. Is it the array that you want to write?", 0},
      {"assignment of read-only location ‘x.std::span<const float>::operator[](i)’", 8,
       "x is const, which can only be read. Is it the array that you want to write?", 0},
      {"assignment of read-only variable ‘i’", 8,
       "i is const, and = would change it. Leave out const; or, to compare, write ==.", 0},
      {"cannot convert ‘const tutorial::device_span<float>’ to ‘float*’", 10,
       "a kernel takes a pointer: write .data() behind the name of what you pass.", 0},
      {"invalid conversion from ‘const float*’ to ‘float*’ [-fpermissive]", 10,
       "a read-only array is passed where the function needs one that it can write to. Are two arguments "
       "exchanged?",
       0},
      {"invalid application of ‘sizeof’ to incomplete type ‘float []’", 4,
       "shared memory whose size the launch gives is declared with extern: extern __shared__ float tile[];",
       0},
      {"‘copy_kernal’ was not declared in this scope", 10,
       "there is no copy_kernal. Did you mean copy_kernel?", 0},
      {"‘misspelled’ was not declared in this scope", 10, "", 0},
      {"‘copy_kernal’ was not declared in this scope; did you mean ‘copy_kernel’?", 10, "", 0},
      {"‘fill’ is not a member of ‘std::ranges’; did you mean ‘std::fill’?", 10,
       "std::fill is in a header of its own: #include <algorithm>. (A kernel has min(), max(), sqrtf() "
       "and the like without std::.)",
       0},
      {"‘frobnicate’ is not a member of ‘std’", 10, "", 0},
      {"‘retrun’ was not declared in this scope", 10, "there is no retrun. Did you mean return?", 0},
      {"‘y’ was not declared in this scope", 11,
       "y is new here. Its type belongs before it, as in: const int y = 3;", 0},
      {"expected ‘;’ before ‘}’ token", 12, "a ; may be missing before }.", 0},
      {"no matching function for call to ‘__shfl_down_sync(float&, int&)’", 10,
       "__shfl_down_sync takes three values, and the first says which lanes take part: 0xffffffff for all.",
       0},
      {"no matching function for call to ‘__shfl_down_sync(unsigned int, float&, const char*)’", 10, "", 0},
      {"expected ‘,’ or ‘;’ before ‘threadIdx’", 4,
       "something is missing before threadIdx: an operator such as + or *, a comma, or a ;.", 0},
      {"'{' is closed by ')' on line 4", 3, "the ) in line 4 is one too many, or what opens it is missing.",
       4},
      {"'(' is closed by '}' on line 9", 7, "a ( in line 7 is not closed.", 0},
      {"'[' is closed by ')' on line 9", 7, "a [ in line 7 is not closed.", 0},
      {"‘include’ does not name a type", 1, "a line that includes a header begins with #: #include", 0},
      {"invalid use of non-static member function ‘T* tutorial::device_span<T>::data() const [with T = "
       "const float]’",
       10, "data is a function. To call it, write data().", 0},
      {"too few arguments to function ‘void copy_kernel(const float*, float*)’", 10, "", 0},
  };
  for (const auto& [message, line, words, place] : all) {
    const std::string& shown = message;  // clang captures no name of a binding
    CAPTURE(shown);
    const error_words said =
        error_in_words("a.cu:" + std::to_string(line) + ": error: " + message, file, line, true);
    CHECK(said.text == words);
    CHECK(said.line == place);
  }
}

TEST_CASE("an error that comes several times is shown once") {
  CHECK(each_error_once({"a.cu: In function ‘void f()’:", "a.cu:10: error: ‘k’ was not declared",
                         "   10 | k<<<1, 1>>>();", "a.cu:10: error: ‘k’ was not declared",
                         "a.cu: In lambda function:", "a.cu:10:5: error: ‘k’ was not declared",
                         "   10 | k<<<1, 1>>>();", "a.cu:12: error: ‘m’ was not declared", "   12 | m",
                         "a.cu:13: warning: unused", "   13 | n"}) ==
        source_lines{"a.cu: In function ‘void f()’:", "a.cu:10: error: ‘k’ was not declared",
                     "   10 | k<<<1, 1>>>();", "a.cu:12: error: ‘m’ was not declared", "   12 | m",
                     "a.cu:13: warning: unused", "   13 | n"});
}

TEST_CASE("what the build tool prints around the messages is left out") {
  CHECK(
      compiler_messages({"[1/2] Building a.o", "FAILED: a.o", "c++ -c /tree/a.cpp", "/tree/a.cpp:1: error: x",
                         "", "", "more", "", "ninja: build stopped: subcommand failed."},
                        "/tree") == source_lines{"a.cpp:1: error: x", "", "more"});
}

TEST_CASE("warnings that may be why a result is wrong") {
  const auto found =
      warnings_about({"/tree/e/a.cpp:5:13: warning: suggest braces around empty body in an ‘if’ statement "
                      "[-Wempty-body]",
                      "/tree/e/a.cpp:6:5: warning: if statement has empty body [-Wempty-body]",
                      "/tree/e/a.cpp:7:5: warning: statement has no effect [-Wunused-value]",
                      "/tree/e/a.cpp:7:5: warning: statement has no effect [-Wunused-value]",
                      "/tree/e/a.cpp:8:5: warning: unused variable [-Wunused-variable]",
                      "/tree/e/b.cpp:9:5: warning: statement has no effect [-Wunused-value]"},
                     "/tree", "e/a.cpp");
  REQUIRE(found.size() == 3);
  CHECK(found[0].text == "e/a.cpp:5:13: this if ends at its semicolon, so what follows it always runs");
  CHECK(found[0].ends_an_if);
  CHECK(found[1].ends_an_if);
  CHECK(found[2].text == "e/a.cpp:7:5: statement has no effect");
  CHECK_FALSE(found[2].ends_an_if);
}
