#!/usr/bin/env bash
# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
source "$(dirname "${BASH_SOURCE[0]}")/tree.sh"
make_tree
run=$tree/chapters/run

ends 0 "$run" 02 --length 1000 'two words'
expect "<--length><1000><two words> ran"
expect "Device: emulated (as asked)"
expect_true "only the chapter that was asked for is built" test ! -e "$tree/build/emulated/bin/00_first"

# Nothing has changed: only the chapter speaks, and CMake does not run again.
configured=$tree/build/emulated/configured
touch -d '1 hour ago' "$configured"
touch -d '2 hours ago' "$tree/CMakePresets.json"
ends 0 "$run" 2
expect_true "a second run prints what the chapter prints, and nothing else" test "$output" == " ran"
expect_true "a second run does not configure again" \
  test -n "$(find "$configured" -mmin +30)"

touch "$tree/CMakePresets.json"
ends 0 "$run" 2
expect_true "changed presets are read" test -z "$(find "$configured" -mmin +30)"

touch "$tree/chapters/02_second/more.md"
for name in 02_second second 2 002 chapters/02_second chapters/02_second/ "$tree/chapters/02_second/more.md" \
  ./chapters/02_second/README.md 02_second/; do
  ends 0 "$run" "$name"
  expect_true "'$name' is a chapter" test "$output" == " ran"
done
for name in 07 nothing 2x s chapters/07_none/ chapters chapters/README.md; do
  ends 2 "$run" "$name"
  expect "'$name'"
  expect "02_second"
done
for name in chapters/02_second/exercises/1_sum/sum.cpp chapters/02_second/exercises/1_sum chapters/02_second/solutions/1_sum.cpp; do
  ends 2 "$run" "$name"
  expect "This is an exercise: chapters/exercise check 02 1"
done
ends 2 "$run" --lenght 5
expect "does not know the option '--lenght' (options for a chapter come after its number). Did you mean --length? chapters/run --help shows"
ends 2 "$run" --prest gpu 02
expect "does not know the option '--prest' (options for a chapter come after its number). Did you mean --preset? chapters/run --help"
ends 2 "$run" check 02 1
expect "The exercises have a command of their own: chapters/exercise check 02 1"
attempt "$run" exercise hint 02 1
expect "The exercises have a command of their own: chapters/exercise hint 02 1"
ends 2 "$run" 02 00
expect "One chapter at a time, or all of them: chapters/run"
for pair in doctr=doctor secnod=second 02_secod=02_second; do
  ends 2 "$run" "${pair%=*}"
  expect "There is no chapter '${pair%=*}'. Did you mean ${pair#*=}? There are:"
done
for option in "--preset gpu" --preset=gpu --yes; do
  # shellcheck disable=SC2086
  ends 2 "$run" 02 $option
  expect "it comes before the chapter's number"
done
ends 2 "$run" --preset nonsense 02
expect "There is no preset 'nonsense'"

FAKE_STATUS=7 ends 7 "$run" 02
FAKE_STATUS=3 ends 3 "$run"
expect "2 of 2 chapters failed: 00_first 02_second"
ends 0 "$run"
expect "All 2 chapters are built and run in turn, which takes a while (Ctrl-C ends it). One alone: chapters/run 00"
expect "== 1 of 2: chapters/00_first"
expect "== 2 of 2: chapters/02_second"
expect "All 2 chapters ran"

# The first chapter runs while the second is still being built; no progress comes between the lines of a chapter.
slow=$scratch/slow
printf '#!/bin/sh\ncase $* in *02_second/main.cpp*) sleep 3; touch %q ;; esac\nexec "$@"\n' "$slow.done" >"$slow"
chmod +x "$slow"
: >"$scratch/early"
rm -rf "$tree/build"
CMAKE_CXX_COMPILER_LAUNCHER=$slow "$run" >"$scratch/early" 2>&1 </dev/null &
running=$!
for (( i = 0; i < 600; ++i )); do
  grep -q ' ran' "$scratch/early" && break
  sleep 0.05
done
expect_true "the first chapter runs while the second is being built" test ! -e "$slow.done"
wait "$running"
expect_true "and then the second" grep -q "All 2 chapters ran" "$scratch/early"

# What is interrupted leaves no build going on.
: >"$scratch/early"
rm -rf "$tree/build" "$slow.done"
CMAKE_CXX_COMPILER_LAUNCHER=$slow "$run" >"$scratch/early" 2>&1 </dev/null &
running=$!
for (( i = 0; i < 600; ++i )); do
  grep -q ' ran' "$scratch/early" && break
  sleep 0.05
done
kill -TERM "$running"
wait "$running"
status=$?
expect_status 143
sleep 4
expect_true "an interrupted run ends its build" test ! -e "$slow.done"

# A chapter that cannot be built does not keep those before it from running.
echo 'int main() { return misspelled; }' >"$scratch/wrong"
cp "$tree/chapters/02_second/main.cpp" "$scratch/right"
cp "$scratch/wrong" "$tree/chapters/02_second/main.cpp"
ends 1 "$run"
expect " ran"
expect "misspelled"
expect "02_second could not be built"
cp "$scratch/right" "$tree/chapters/02_second/main.cpp"

# From another folder, and through a link; files of the learner are found from where the learner stands.
ln -s "$run" "$scratch/link"
(cd / && "$scratch/link" 02 >"$scratch/from_elsewhere" 2>&1)
expect_true "works from any folder and through a link" grep -q ran "$scratch/from_elsewhere"

# A clone that was moved is built anew, not refused by CMake.
mv "$tree" "$scratch/moved"
ends 0 "$scratch/moved/chapters/run" 02
mv "$scratch/moved" "$tree"

# Where the build fails, what the compiler says is shown, and not what is around it.
printf 'int other;\nint main() { return misspelled; }\n' >"$tree/chapters/02_second/main.cpp"
ends 1 "$run" 02
expect "chapters/02_second/main.cpp:2:21: error:"
expect_no "$tree"
expect_no "FAILED:"
expect_no "ninja:"
expect "It does not compile yet. The compiler's first message is the one to read (whole log: build/emulated/build.log)."
expect "Where to look: chapters/02_second/main.cpp:2"
for name in a b c d e f g h i; do echo "int other_$name() { return misspelled_$name; }" >>"$tree/chapters/02_second/main.cpp"; done
attempt "$run" 02
expect "more lines: build/emulated/build.log"
expect_no "misspelled_i"
echo 'message(FATAL_ERROR "no way")' >>"$tree/CMakeLists.txt"
ends 1 "$run" 02
expect "no way"
expect_true "nothing was installed" test ! -e "$scratch/system"
finish
