// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "common/screens/where_to_look.hpp"

#include <doctest/doctest.h>

#include <sstream>

using namespace tutorial;

namespace {

/// An answer in which line 3 is the learner's own, and the kernel is launched in line 7.
checked_answer answer() {
  checked_answer result;
  result.name = "chapters/01/double.cu";
  result.solution = {"__global__ void twice(float* y, int n) {",
                     "  int i = threadIdx.x;",
                     "  // SOLUTION: double it (about 1 line)",
                     "  if (i < n) y[i] *= 2;",
                     "  // END SOLUTION",
                     "}",
                     "void run(float* y, int n) {",
                     "  int blocks = (n + 255) / 256;",
                     "  twice<<<blocks, 256>>>(y, n);",
                     "}"};
  result.text = {"__global__ void twice(float* y, int n) {",
                 "  int i = threadIdx.x;",
                 "  y[i] *= 3;",
                 "}",
                 "void run(float* y, int n) {",
                 "  int blocks = (n + 255) / 256;",
                 "  twice<<<blocks, 256>>>(y, n);",
                 "}"};
  return result;
}

recorded_finding finding(const char* text, std::multimap<std::string, std::string> facts) {
  return {text, std::move(facts), "1"};
}

}  // namespace

TEST_CASE("records are read, and lines of other kinds are left alone") {
  std::istringstream file(
      "exercise-result\t1\ncase\t1\tname\nfailed\t1\tc.cpp\t22\tx is 1\\nand so on\n"
      "failed\t1\tc.cpp\t23\tsecond\n"
      "launch\t3\ttwice<float>\tdouble.cu:1\tthreads\t--warp 2\tdouble.cu:7\n"
      "finding\t3\tdouble.cu:3: error\nfact\tkind\trace\nfact\tplace\tdouble.cu:3\nfact\tplace\tdouble.cu:2\n"
      "note\tlong_kernel\tdouble.cu:3\tso long\nplaces\tdouble.cu:3 c.cpp:9\n");
  const exercise_record result = read_record(file);
  CHECK(result.sentence == "x is 1\nand so on");
  CHECK(result.launch.kernel == "twice<float>");
  CHECK(result.launch.at == "double.cu:7");
  REQUIRE(result.findings.size() == 1);
  CHECK(result.findings[0].fact("kind") == "race");
  CHECK(result.findings[0].fact("place") == "double.cu:3");
  CHECK(result.findings[0].fact("array").empty());
  CHECK(result.notes.at(0).place == "double.cu:3");
  CHECK(result.crash_places == "double.cu:3 c.cpp:9");
}

TEST_CASE("a finding leads to its line") {
  checked_answer a = answer();
  a.record.findings = {finding("chapters/01/double.cu:3: error: access out of bounds in kernel twice",
                               {{"kind", "out_of_bounds"}, {"kernel", "twice"}})};
  CHECK(where_to_look(a) == "chapters/01/double.cu:3");
}

TEST_CASE("what a launch passes leads to the launch") {
  checked_answer a = answer();
  a.record.findings = {finding("chapters/01/double.cu:3: error: null pointer in kernel twice",
                               {{"kind", "host_pointer"}, {"launched_at", "chapters/01/double.cu:7"}})};
  CHECK(where_to_look(a) == "chapters/01/double.cu:7 (what the launch passes; line 3 uses it)");
}

TEST_CASE("a kernel that takes long leads to its loop") {
  checked_answer a = answer();
  a.record.notes = {{"long_kernel", "chapters/01/double.cu:3", ""}};
  CHECK(where_to_look(a) == "chapters/01/double.cu:3");
}

TEST_CASE("without a place, what the learner wrote") {
  checked_answer a = answer();
  a.record.sentence = "1 of 3 is wrong";
  CHECK(where_to_look(a) == "chapters/01/double.cu:3 (what you wrote)");
}

TEST_CASE("a TODO that is not begun") {
  checked_answer a = answer();
  a.text[2] = "  // TODO: double it (about 1 line)";
  CHECK(where_to_look(a) == "chapters/01/double.cu:3, at the TODO");
}

TEST_CASE("a given line that is gone") {
  checked_answer a = answer();
  a.text.erase(a.text.begin() + 5);
  CHECK(
      where_to_look(a) ==
      "chapters/01/double.cu:5, after which a line that was given is missing: int blocks = (n + 255) / 256;");
}

TEST_CASE("a launch of the wrong size leads to where that is computed") {
  checked_answer a = answer();
  a.record.sentence = "the launch has only 256 threads";
  a.record.leads_to = "launch";
  a.record.launch.kernel = "twice";
  CHECK(where_to_look(a) == "chapters/01/double.cu:6 (blocks, for the launch at line 7)");
}

TEST_CASE("an index that the standard library refused") {
  checked_answer a = answer();
  a.text.insert(a.text.end(), {"float sum(std::span<const float> x) {", "  return x[3] + 1;", "}"});
  a.record.refusal = {"3", "std::span", "const float", "3", "", ""};
  a.record.crash_places = "chapters/01/double.cu:10";
  CHECK(refused_in_words(a) ==
        "x[3] is out of range: the index is 3, and x has 3 elements, x[0] to x[2].\n  line 10: return x[3] "
        "+ 1;");
  a.record.refusal = {"", "", "", "", "int& std::vector<int>::front() [with _Tp = int]", "!this->empty()"};
  CHECK(refused_in_words(a) == "std::vector: front() was called where there is no such element.");
  a.record.refusal = {"", "", "", "", "int f()", "n > 0"};
  CHECK(refused_in_words(a) == "The standard library refuses a call: 'n > 0' failed.");
  a.record.refusal = {};
  CHECK(refused_in_words(a).empty());
}

TEST_CASE("a launch that was refused leads to the number that is wrong") {
  checked_answer a = answer();
  a.record.notes = {{"refused_grid", "chapters/01/double.cu:7", ""}};
  CHECK(where_to_look(a) == "chapters/01/double.cu:6 (blocks, for the launch at line 7)");
  a.record.notes = {{"refused_block", "chapters/01/double.cu:7", ""}};
  CHECK(where_to_look(a) == "chapters/01/double.cu:7 (the launch)");
}

TEST_CASE("an if that ends at its semicolon") {
  checked_answer a = answer();
  a.warnings = {{"chapters/01/double.cu:3:9: this if ends at its semicolon", true}};
  CHECK(where_to_look(a) == "chapters/01/double.cu:3, an if that ends at its semicolon");
}

TEST_CASE("what a check says that is missing leads to its place") {
  checked_answer a = answer();
  a.record.launch.kernel = "twice";
  a.record.leads_to = "missing_copy_back";
  CHECK(where_to_look(a) == "chapters/01/double.cu:7 (the launch: the copy belongs behind it)");
  a.record.leads_to = "arguments";
  CHECK(where_to_look(a) == "chapters/01/double.cu:7 (the launch)");
}
