// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "common/screens/failed_check.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <sstream>
#include <utility>

using namespace tutorial;

namespace {

checked_run run() {
  checked_run result;
  result.answer.name = "chapters/01/double.cu";
  result.answer.solution = {"void run() {", "  // SOLUTION: run (about 1 line)", "  f();",
                            "  // END SOLUTION", "}"};
  result.answer.text = {"void run() {", "  g();", "}"};
  result.answer.record.cases = 3;
  result.answer.record.case_name = "doubles all";
  result.exercise = "01 2";
  result.status = 1;
  result.report = "build/run.html";
  result.root = "/tree";
  return result;
}

const char* const end =
    "\n\nWhere to look: chapters/01/double.cu:2 (what you wrote)\nA hint: chapters/exercise hint 01 2";

}  // namespace

TEST_CASE("a check that failed") {
  checked_run r = run();
  exercise_record& record = r.answer.record;
  record.sentence = "y[0] is 1\nand so on";
  record.sentence_case = "doubles all";
  record.failed_cases = {"doubles all"};
  record.all_ran = true;
  CHECK(failed_check_screen(r) ==
        "\nThis check failed: doubles all\n  y[0] is 1\n  and so on\n1 of 3 checks failed." +
            std::string(end));
  record.failed_cases = {"doubles all", "a", "b"};
  CHECK(failed_check_screen(r).find("\n3 of 3 checks failed. These, too: a; b\n") != std::string::npos);
  record.launch = {"4", "twice", "", "banks", "--warp 1", ""};
  r.trace = "build/run.trace";
  CHECK(failed_check_screen(r).ends_with(
      "\nA report of this run: build/run.html (launch 4)\nWhat was counted, as a picture: chapters/draw "
      "build/run.trace --launch 4 --view banks --warp 1"));
}

TEST_CASE("a finding, a call that failed before it, and more of them") {
  checked_run r = run();
  exercise_record& record = r.answer.record;
  record.given = "5 elements";
  record.findings = {{"double.cu:2: error: race", {}, "7"}, {"another", {}, "7"}};
  record.notes = {{"failed_call", "chapters/01/double.cu:2", "cudaMalloc() failed here."},
                  {"timeline", "", ""}};
  CHECK(failed_check_screen(r) ==
        "\nThe emulated device ended this check: doubles all\n  with 5 elements\ndouble.cu:2: error: "
        "race\nBefore "
        "that, at chapters/01/double.cu:2: cudaMalloc() failed here.\n... and 1 more finding; "
        "chapters/exercise "
        "check 01 2 --verbose shows all\nThis was check 1 of 3.\n\nWhere to look: chapters/01/double.cu:2, "
        "a call "
        "that failed\nA hint: chapters/exercise hint 01 2\nA report of this run, with its timeline: "
        "build/run.html "
        "(launch 7)");
  // What the compiler has seen may be why.
  r.answer.warnings = {{"double.cu:2: a <= b < c", false}};
  CHECK(failed_check_screen(r).find("shows all\nThe compiler warns: double.cu:2: a <= b < c\nThis was") !=
        std::string::npos);
}

TEST_CASE("a call that failed comes first, and faults to be found have no line before the first hint") {
  checked_run r = run();
  exercise_record& record = r.answer.record;
  record.sentence = "got 0, expected 1. All values are 0: was nothing added?";
  record.sentence_case = "doubles all";
  record.failed_cases = {"doubles all"};
  record.all_ran = true;
  record.notes = {
      {"failed_call", "chapters/01/double.cu:2", "the launch of k failed here: too many threads."}};
  r.answer.errors = {"chapters/01/double.cu:2: note: the launch of k failed here: too many threads."};
  const std::string check =
      "\nThis check failed: doubles all\n  got 0, expected 1.\n1 of 3 checks failed.\n\nWhere";
  CHECK(failed_check_screen(r).starts_with(
      "\nBefore anything else: at chapters/01/double.cu:2, the launch of k failed: too many threads." +
      check));
  r.answer.solution[1] = "  // SOLUTION: one fault is here (about 1 line)";
  record.notes[0].text = "the launch of k failed here: too many threads, at double.cu:9.";
  r.answer.errors = {"chapters/01/double.cu:2: note: " + record.notes[0].text};
  const std::string symptoms = failed_check_screen(r);
  CHECK(symptoms.starts_with("\nBefore anything else: the launch of k failed: too many threads." + check));
  CHECK(symptoms.find(
            "Where to look: chapters/01/double.cu (from the first hint on, you also see the line)\n") !=
        std::string::npos);
  record.findings = {
      {"/a/double.cu:2: error: race in k\n  reads tile[1] (4 bytes, declared at /a/double.cu:3), at "
       "double.cu:4\n  Usual cause: a barrier",
       {},
       "0"}};
  record.sentence = "";
  record.notes.clear();
  CHECK(failed_check_screen(r).find("\nerror: race in k\n  reads tile[1] (4 bytes)\n1 of 3") !=
        std::string::npos);
  record.findings.push_back(record.findings.front());
  r.answer.warnings = {{"double.cu:2: a <= b < c", false}};
  CHECK(failed_check_screen(r).find("(4 bytes)\n... and 1 more finding\n1 of 3") != std::string::npos);
  // What is said before the place is another line, and stays.
  record.sentence = "got 0, expected 1";
  record.case_name = "nothing is lost";
  CHECK(failed_check_screen(r).find("ended this check: nothing is lost\nerror: race in k") !=
        std::string::npos);
  record.sentence = "";
  r.hints = 1;
  CHECK(failed_check_screen(r).find("double.cu:4\n  Usual cause: a barrier") != std::string::npos);
}

TEST_CASE("a crash, an end by itself, and an end from outside") {
  checked_run r = run();
  r.answer.record.crashed = "SIGSEGV";
  r.answer.errors = {"said", "", "in /tree/a.cpp"};
  CHECK(failed_check_screen(r) ==
        "\nThe program crashed in this check: doubles all\nSIGSEGV: it used memory that is not its own.\n  "
        "said\n  in "
        "a.cpp\nThis was check 1 of 3." +
            std::string(end));
  r.answer.record.crashed = "";
  CHECK(
      failed_check_screen(r).find("in the middle of this check: doubles all\nNothing crashed: a call such as "
                                  "exit() ends a program like this.\n  said") != std::string::npos);
  // What it then has not freed is no reason.
  const std::string leak = "a.cu:2: note: 4 bytes of device memory were never freed";
  std::istringstream left("cases\t3\ncase\t1\tdoubles all\nfinding\t0\t" + leak + "\n");
  const exercise_record before = std::exchange(r.answer.record, read_record(left));
  r.answer.errors = {leak, "Usual cause: a cudaFree() that is missing"};
  CHECK(failed_check_screen(r).find("exit() ends a program like this.\nThis was check 1") !=
        std::string::npos);
  r.answer.record = before;
  r.stopped = "you stopped it";
  r.answer.record.notes = {{"interrupted", "", "kernel k"}};
  CHECK(failed_check_screen(r).find(
            "\nThis check did not end: doubles all\nIt was ended, because you stopped it.\nIt "
            "was in the middle of kernel k.\n") != std::string::npos);
  r.answer.record = {};
  r.stopped = "";
  r.status = 139;
  CHECK(failed_check_screen(r).find("\nThe program crashed before its first check.\nSIGSEGV: ") !=
        std::string::npos);
}

TEST_CASE("it fits on a screen, whatever is said") {
  checked_run r = run();
  r.width = 60;
  for (int i = 0; i < 100; ++i) {
    r.printed.push_back("line " + std::to_string(i));
    r.answer.record.sentence += "\nmore and more words, so that a line of a terminal is too short for them";
    r.answer.record.failed_cases.push_back("a case with a long name");
  }
  r.answer.record.findings = {{r.answer.record.sentence, {}, "0"}, {"x", {}, "0"}};
  const std::string screen = failed_check_screen(r);
  CHECK(rows_of(screen, r.width) <= 25);
  CHECK(screen.starts_with("It printed:\n  | line 0\n"));
  CHECK(screen.find("  ... more: chapters/exercise check 01 2 --verbose\n") != std::string::npos);
  CHECK(screen.find("Where to look: ") != std::string::npos);
}

TEST_CASE("lines are broken at spaces, and letters count, not bytes") {
  CHECK(first_lines("one two three", 9, 8, "") == "one two \nthree");
  CHECK(first_lines("\u00e4\u00e4\u00e4 b", 9, 5, "") == "\u00e4\u00e4\u00e4 b");
  CHECK(first_lines("abcdefgh", 9, 3, "") == "abc\ndef\ngh");
  CHECK(first_lines("a\nb\nc", 2, 80, "that") == "a\n  ... and 2 more lines: that");
  CHECK(first_lines("One ends. The next\ndoes not\nend here.", 2, 80, "that") ==
        "One ends.\n  ... and 2 more lines: that");
}
