#!/usr/bin/env bash
# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
source "$(dirname "${BASH_SOURCE[0]}")/tree.sh"
make_tree
run=$tree/tests/run

ends 0 "$run" --list
expect_true "a list needs no program" test ! -e "$tree/build/emulated/bin/02_second"
ends 0 "$run" second
expect_true "only what the tests need is built" test ! -e "$tree/build/emulated/bin/00_first"
ends 0 "$run"
expect "100% tests passed"  # CMake 4 leaves out ", 0 tests failed"
expect "out of 2"
ends 0 "$run" second
expect "100% tests passed"
expect "out of 1"
ends 0 "$run" 'first|second'
expect "out of 2"

ends 1 "$run" nothing_like_this
expect "No test has 'nothing_like_this' in its name"
expect "  chapters.00_first"
TUTORIAL_PROGRESS=0 ends 0 "$run" --list  # a busy machine would say what it is at
expect_true "the list is the names" test "$output" == $'chapters.00_first\nchapters.02_second'
ends 2 "$run" one two
ends 2 "$run" --frob
ends 2 "$run" --preset docs

FAKE_STATUS=5 ends 1 "$run"
expect "0% tests passed, 2 tests failed out of 2"
expect "<--check> ran"

# On a terminal those that pass are only counted, in one line.
output=$(TERM=xterm script -qec "$run" /dev/null </dev/null)
status=$?
last="on a terminal: $run"
expect_status 0
expect $'\r\033[KTesting: 1 of 2, '
expect "100% tests passed"
expect_no "Passed  "
expect_no "Start 1"
output=$(TERM=xterm FAKE_STATUS=5 script -qec "$run second" /dev/null </dev/null)
status=$?
expect_status 1
expect "Test #2: chapters.02_second"
expect "<--check> ran"

# A program that is not made by default is made for the test that starts it.
cat >>"$tree/CMakeLists.txt" <<'END'
add_executable(seldom EXCLUDE_FROM_ALL chapters/00_first/main.cpp)
add_test(NAME seldom COMMAND seldom)
END
rm -r "$tree/build"
ends 0 "$run"
expect "out of 3"

# A tree in which no test is found is no success.
sed -i '/add_test/d' "$tree/CMakeLists.txt"
ends 1 "$run"
expect "No tests were found"
finish
