#!/usr/bin/env bash
# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
source "$(dirname "${BASH_SOURCE[0]}")/tree.sh"
make_tree
exercise=$tree/chapters/exercise
mine=$tree/chapters/02_second/exercises/1_sum/sum.cpp
cp "$mine" "$scratch/starter"
solve() { sed -i 's/a \* 0 + b \* 0/a + b/' "$1"; }

# Starters are made from solutions.
expect_true "the starter says what to do" grep -qx '  // TODO: add them (about 1 line)' "$mine"
expect_true "the starter has the line that is only for it" grep -qx '  return a \* 0 + b \* 0;' "$mine"
expect_true "the solution is not in the starter" test "$(grep -c 'SOLUTION\|return a + b\|STARTER' "$mine")" == 0
ends 0 "$exercise" starters --check
for stray in 3_more/more.cpp 1_sum/more.cpp 3_more.cpp; do
  mkdir -p "$tree/chapters/02_second/exercises/3_more"
  touch "$tree/chapters/02_second/exercises/$stray"
  ends 1 "$exercise" starters --check
  expect "exercises/$stray has no solution"
  rm -r "$tree/chapters/02_second/exercises"/{3_more,"$stray"} 2>/dev/null
done

ends 0 "$exercise" list
expect "02 chapter second"
expect "1 Sum number 1"
expect "02 chapter second                              [------------] 0 of 2"
expect "In all                                         [------------] 0 of 2"
expect "Next: write in chapters/02_second/exercises/1_sum/sum.cpp, then chapters/exercise check 02 1"

# Not solved, not compiling, crashing.
ends 1 "$exercise" check 02 1
expect "sum(1, 2) is 0, not 3"
expect "Where to look: chapters/02_second/exercises/1_sum/sum.cpp:4, at the TODO"
expect "chapters/exercise hint 02 1"
expect $'\n(sum.cpp is still the file that you started with. If you have changed it, save it first.)\n'
expect_true "only what is needed is built" test ! -e "$tree/build/emulated/bin/02_second"
echo 'int other() { return misspelled; }' >>"$mine"
ends 1 "$exercise" check 2 1
expect "misspelled"
expect "does not compile yet"
expect_no "FAILED:"
expect_no "CMakeFiles"
expect "Where to look: chapters/02_second/exercises/1_sum/sum.cpp:7"
expect_no "hint"  # the compiler has said what is wrong
for name in a b c d e f g h i; do echo "int other_$name() { return misspelled_$name; }" >>"$mine"; done
attempt "$exercise" check 2 1
few_lines() { (( $(grep -vc '^Building' <<<"$output") <= 25 )); }
expect_true "many messages of the compiler fit on a screen" few_lines
expect "more lines: chapters/exercise check 02 1 --verbose"
attempt "$exercise" check 2 1 --verbose
expect "misspelled_i"
# Where to look is where the compiler says, whichever file that is.
cp "$mine" "$scratch/many_errors"
cp "$scratch/starter" "$mine"
cp "$tree/chapters/02_second/exercises/1_sum/checks.cpp" "$scratch/checks"
sed -i '3i #include "not_there.hpp"' "$tree/chapters/02_second/exercises/1_sum/checks.cpp"
ends 1 "$exercise" check 2 1
expect "does not compile yet"
expect "Where to look: chapters/02_second/exercises/1_sum/checks.cpp:3"
cp "$scratch/checks" "$tree/chapters/02_second/exercises/1_sum/checks.cpp"
# A ; that is missing is named where it belongs.
sed 's/b \* 0;/b * 0/; s/^}$/int other(); }/' "$scratch/starter" >"$mine"
sed -i 's/^int other(); }/if (a) return 0;\n}/' "$mine"
ends 1 "$exercise" check 2 1
expect "In other words: a ; may be missing at the end of line 5."
expect "Where to look: chapters/02_second/exercises/1_sum/sum.cpp:5"
# A header that was given, an empty file, a warning.
sed '/#include/d; s/return/return misspelled +/' "$scratch/starter" >"$mine"
ends 1 "$exercise" check 2 1
expect 'Missing from the file that you started with: #include "sum.hpp"'
echo >"$mine"
ends 1 "$exercise" check 2 1
expect "chapters/02_second/exercises/1_sum/sum.cpp is empty: has your editor saved it? chapters/exercise reset 02 1 brings the starter back."
sed 's/^  return/  a == b;\n&/' "$scratch/starter" >"$mine"
for time in first second; do  # which compiles nothing
  ends 1 "$exercise" check 2 1
  expect "The compiler warns: chapters/02_second/exercises/1_sum/sum.cpp:5:5: statement has no effect"
  expect_no "In other words"
done
cp "$scratch/starter" "$mine"
attempt "$exercise" check 2 1
expect_no "The compiler warns"
# A guard that lets nobody pass looks right.
sed 's/^  return/  if (a < 0); return 0;\n&/' "$scratch/starter" >"$mine"
ends 1 "$exercise" check 2 1
expect "The compiler warns: chapters/02_second/exercises/1_sum/sum.cpp:5:13: this if ends at its semicolon, so what follows it always runs"
expect "Where to look: chapters/02_second/exercises/1_sum/sum.cpp:5, an if that ends at its semicolon"
cp "$scratch/starter" "$mine"
# A brace that is missing is not where the compiler notices (braces.sh has more of them).
sed 's/^}$//; $a namespace more {\n}' "$scratch/starter" >"$mine"
ends 1 "$exercise" check 2 1
expect "It does not compile yet (whole log: build/emulated/build.log). First, the braces: the { in line 3 has no }: by the indentation, it is missing before line 7."
expect "Where to look: chapters/02_second/exercises/1_sum/sum.cpp:3 (in sum)"
cp "$scratch/starter" "$mine"
sed -i 's/^int sum(/int summe(/' "$mine"
ends 1 "$exercise" check 2 1
expect "It compiles, but no file defines sum(int, int) (whole log: build/emulated/build.log)."
expect "Its name, its parameters and the namespace around it must be those of sum.hpp."
expect "Where to look: chapters/02_second/exercises/1_sum/sum.cpp"
expect_no "FAILED:"
expect_no "sum.cpp:"
cp "$scratch/many_errors" "$mine"
attempt "$exercise" list
expect "edited"
sed -i -e '/misspelled/d' -e 's/return a \* 0.*/__builtin_trap();/' "$mine"
ends 1 "$exercise" check 2 1
expect "The program crashed"

expect_no "as you got it"

# Of several findings the first is shown, and all with --verbose: then nothing is left to be shown.
cat >"$tree/chapters/02_second/exercises/1_sum/checks.cpp" <<'END'
#include <cstdio>
#include <cstdlib>
int main() {
  std::FILE* file = std::fopen(std::getenv("EXERCISE_RESULT"), "w");
  std::fputs("cases\t1\ncase\t1\tadds\nfinding\t0\tfirst finding\nfinding\t0\tsecond finding\n", file);
  std::fputs("first finding\nsecond finding\n", stderr);
  std::fclose(file);
  std::_Exit(1);
}
END
attempt "$exercise" check 2 1
expect $'first finding\n... and 1 more finding; chapters/exercise check 02 1 --verbose shows all\n'
expect_no "second finding"
attempt "$exercise" check 2 1 --verbose
expect "second finding"
expect_no "more finding"
cp "$scratch/checks" "$tree/chapters/02_second/exercises/1_sum/checks.cpp"

# What does not end is ended.
sed -i 's/__builtin_trap();/for (volatile int i = 0;; i = i + 1) {}/' "$mine"
TUTORIAL_PROGRESS=10 EXERCISE_SECONDS=5 ends 1 "$exercise" check 2 1
expect "Checking: check"
expect "The program did not end."
expect "It was ended, because it had run for 5 seconds."
expect "Where to look: chapters/02_second/exercises/1_sum/sum.cpp:5 (what you wrote)"
# What the emulated device says of a kernel that does not end is shown while it goes on.
note="sum.cpp:4: note: kernel k has been running for 1 second, and nothing advances."
sed -i -e '1i #include <cstdio>\n#include <cstdlib>' -e "s/for (volatile.*/std::FILE* file = std::fopen(std::getenv(\"EXERCISE_RESULT\"), \"w\");\n  \
std::fputs(\"note\\\\tlong_kernel\\\\tsum.cpp:4\\\\t$note Ctrl-C ends the program.\\\\n\", file);\n  std::fclose(file);\n  &/" "$mine"
TUTORIAL_PROGRESS=1 EXERCISE_SECONDS=6 ends 1 "$exercise" check 2 1
expect "$note"$'\n'"The check continues until it has run for 6 seconds; Ctrl-C ends it."$'\n'"Checking: check"
expect_true "a note is shown once while the check goes on" test "$(grep -c "ends it\.$" <<<"$output")" == 1
sed -i -e '1,2d' -e '/std::f/d; /FILE/d' -e 's/for (volatile int i = 0;; i = i + 1) {}/__builtin_trap();/' "$mine"

# What the answer prints is shown, but not all of it where that is much.
sed -i -e '1i #include <cstdio>' -e 's/^  __builtin_trap();/  for (int i = 0; i < 100; ++i) std::printf("line %d\\n", i); return 0;/' "$mine"
ends 1 "$exercise" check 2 1
expect "  | line 0"
expect "more lines: chapters/exercise check 02 1 --verbose"
expect_true "what is printed fits on a screen" few_lines
attempt "$exercise" check 2 1 --verbose
expect "line 99"
sed -i -e '1d' -e 's/^  for .*/  __builtin_trap();/' "$mine"

# Hints come one by one, and are remembered.
for hint in "Hint 1 of 2:First hint of 1." "Hint 2 of 2:Second hint of 1." "That was the last hint:Second hint of 1."; do
  ends 0 "$exercise" hint 02 1
  expect "${hint%:*}"
  expect "${hint#*:}"
  expect_no "details"
done
attempt "$exercise" hint 02 2 --all
expect "First hint of 2."
expect "Second hint of 2."
expect "# no heading"

# A reset keeps what was written.
cp "$mine" "$scratch/written"
ends 0 "$exercise" reset 02 1
expect "What you wrote is kept in exercise-backups/02/"
expect_true "the backup is what was written" cmp -s "$scratch/written" "$tree"/exercise-backups/02/*/1_sum.cpp
attempt "$exercise" list
expect_no "edited"
attempt "$exercise" reset 02 1
expect_true "resetting twice makes no second backup" test "$(find "$tree/exercise-backups" -type f | wc -l)" == 1
attempt "$exercise" hint 02 1
expect "Hint 1 of 2"

# Where no backup can be made, nothing is lost.
echo '// mine' >>"$mine"
mv "$tree/exercise-backups" "$scratch/backups"
touch "$tree/exercise-backups"
ends 1 "$exercise" reset 02 1
expect_true "the file is untouched" grep -qx '// mine' "$mine"
ends 1 "$exercise" starters
expect_true "starters does not overwrite what was written either" grep -qx '// mine' "$mine"
rm "$tree/exercise-backups"
mv "$scratch/backups" "$tree/exercise-backups"
rm "$mine"
ends 0 "$exercise" reset 02 1

# What was not checked is not solved.
solve "$mine"
cp "$mine" "$scratch/solved"
sed -i -e '1i #include <cstdio>' -e 's/^  return a/  std::puts("Several devices were not checked.");\n&/' "$mine"
ends 1 "$exercise" check 02 1
expect "Not solved yet: chapters/exercise check 02 1 --preset emulated"
expect_no "Solved."
attempt "$exercise" list
expect "1 Sum number 1                               edited"
cp "$scratch/solved" "$mine"

# Solved: said, explained, remembered as long as file and checks stay as they are.
ends 0 "$exercise" check 02 1
expect "Solved."
expect "  Adding, part 1."
expect '  For N + K numbers, 1, ..., 2^(-32), 2^32, not `$HOME`.'
expect "[######------] 1 of 2 in chapter 02"
expect_no "You can now"
expect "Next: write in chapters/02_second/exercises/2_sum/sum.cpp"
attempt "$exercise" list
expect "[######------] 1 of 2"
expect "1 Sum number 1                               solved"
echo "// changed" >>"$mine"
attempt "$exercise" list
expect "[------------] 0 of 2"
expect "1 Sum number 1                               edited"
ends 1 "$exercise" check 02
expect "  Adding, part 1."
expect "Exercise 02 2: Sum number 2"
solve "$tree/chapters/02_second/exercises/2_sum/sum.cpp"
ends 0 "$exercise" check 02
expect "[############] 2 of 2: you have finished chapter 02, chapter second."
expect $'You can now\n  - add numbers\n  - say what a + b is\n'
expect "This was the last chapter."
expect "Next: nothing, you have solved them all"
ends 0 "$exercise" list 2
expect "[############] 2 of 2"
expect_no "In all"
expect_no "Next:"

# What comes next lies behind what was solved, while there is something.
echo "// changed again" >>"$mine"
cp "$tree/chapters/02_second/solutions"/{2,3}_sum.cpp
cp -r "$tree/chapters/02_second/exercises"/{2,3}_sum
sed -i 's/a + b/b + a/' "$tree/chapters/02_second/exercises/3_sum/sum.cpp"
ends 0 "$exercise" check 02 2
expect "Read on: chapters/02_second/README.md, \"After the exercises\""
expect "Then: write in chapters/02_second/exercises/3_sum/sum.cpp, then chapters/exercise check 02 3"
expect_no "its text"
# A text that is not in the lesson is named.
printf '# More\n\n### Exercise 3: Sum number 3\n\nAdd.\n' >"$tree/chapters/02_second/more.md"
attempt "$exercise" check 02 2
expect "chapters/exercise check 02 3 (its text: chapters/02_second/more.md)"
rm "$tree/chapters/02_second/more.md"
rm -r "$tree"/chapters/02_second/{solutions/3_sum.cpp,exercises/3_sum}
ends 0 "$exercise" check 02 2
expect "Read on: chapters/02_second/README.md, \"After the exercises\""
expect "Then: write in chapters/02_second/exercises/1_sum/sum.cpp"
echo "// changed" >>"$tree/chapters/02_second/exercises/2_sum/sum.cpp"
attempt "$exercise" check 02 1
expect "Next: write in chapters/02_second/exercises/2_sum/sum.cpp"
ends 0 "$exercise" check 02
expect "you have solved them all"
attempt "$tree/chapters/run" 02
expect_true "no build writes into the learner's file" grep -qx '// changed' "$mine"

# The solution is shown when it is asked for.
ends 2 "$exercise" solution 02 1
expect_no "return a + b"
ends 0 "$exercise" solution 02 1 --yes
expect "return a + b;"
expect_no "STARTER"

# An exercise may be named in other ways, from wherever the reader is.
touch "$tree/chapters/02_second/pictures"
for words in "second 1" "02_second 1" "chapters/02_second/ 1" "chapters/02_second 1_sum" "./chapters/02_second/pictures 1" \
  "chapters/02_second/exercises/1_sum/sum.cpp" "chapters/02_second/exercises/1_sum" "chapters/02_second/solutions/1_sum.cpp" \
  "$tree/chapters/02_second/exercises/1_sum/" "02.1" "2/1" "02,1" "02:1" "2_1" "02_second/exercises/1_sum/checks.cpp 1"; do
  # shellcheck disable=SC2086
  ends 0 "$exercise" hint $words --all
  expect "First hint of 1."
done
(cd "$tree/chapters/02_second/exercises/2_sum" && "$exercise" hint sum.cpp --all) >"$scratch/from_its_folder" 2>&1
expect_true "a file is found from where the reader is" grep -q "First hint of 2" "$scratch/from_its_folder"
ends 0 "$exercise" list chapters/02_second/exercises/1_sum/sum.cpp
expect "2 Sum number 2"
# The name of an exercise behind its chapter, and in both tiny chapters nothing else has it.
mv "$tree/chapters/02_second/solutions/2_sum.cpp" "$tree/chapters/02_second/solutions/2_difference.cpp"
for words in "02 sum" "2 sum.cpp" "second 1_sum" "02 1_sum.cpp" "02 su"; do
  # shellcheck disable=SC2086
  ends 0 "$exercise" hint $words --all
  expect "First hint of 1."
done
attempt "$exercise" hint 02 diff --all
expect "First hint of 2."
attempt "$exercise" solution 02 sum
expect "chapters/exercise solution 02 1 --yes"
ends 2 "$exercise" check 02 smu
expect "There is no exercise 'smu' in chapter 02. There are:"
expect "2 Sum number 2"
attempt "$exercise" check 02 diference
expect "There is no exercise 'diference' in chapter 02. Did you mean difference? There are:"
attempt "$exercise" check diference
expect "There is no chapter 'diference'. Did you mean difference?"
ends 2 "$exercise" check secnod 1
expect "There is no chapter 'secnod'. Did you mean second?"
ends 2 "$exercise" hint 07 sum
expect "There is no chapter 07."
mv "$tree/chapters/02_second/solutions/2_difference.cpp" "$tree/chapters/02_second/solutions/2_sum.cpp"
ends 2 "$exercise" hint 02 sum
expect $'\'sum\' can mean several files:\n  chapters/exercise hint 02 1    chapters/02_second/exercises/1_sum/sum.cpp'
for words in "hint chapters/07_none/exercises/1_a/a.cpp" "hint nothing 1" "check chapters/README.md"; do
  # shellcheck disable=SC2086
  ends 2 "$exercise" $words
  expect "There is no chapter '"
done
# The end of the path of an exercise's file, as the lesson and the list print it, from anywhere.
mv "$tree/chapters/02_second/solutions/2_sum.cpp" "$scratch/second_solution"
for words in "exercises/1_sum/sum.cpp" "1_sum/sum.cpp" "./1_sum/sum.cpp" "sum.cpp"; do
  ends 0 "$exercise" hint "$words" --all
  expect "First hint of 1."
done
mv "$scratch/second_solution" "$tree/chapters/02_second/solutions/2_sum.cpp"
ends 0 "$exercise" hint exercises/2_sum/sum.cpp --all
expect "First hint of 2."
ends 2 "$exercise" check sum.cpp
expect $'\'sum.cpp\' can mean several files:\n  chapters/exercise check 02 1    chapters/02_second/exercises/1_sum/sum.cpp\n  chapters/exercise check 02 2    chapters/02_second/exercises/2_sum/sum.cpp'
ends 0 "$exercise" list sum.cpp
expect "2 Sum number 2"
ends 2 "$exercise" check um.cc
expect "There is no chapter 'um.cc', nor is it an exercise's file: give its path from here."
ends 2 "$exercise" hint 0 1
ends 2 "$exercise" hint _ 1
expect "'_' can mean more than one chapter: 00_first 02_second"

# The number of a chapter, or of an exercise in the chapter that the reader is in?
mkdir -p "$tree/chapters/00_first/solutions" "$tree/chapters/00_first/exercises/2_sum"
cp "$tree/chapters/02_second/solutions/2_sum.cpp" "$tree/chapters/00_first/solutions/2_sum.cpp"
cp "$tree/chapters/02_second/exercises/2_sum/"* "$tree/chapters/00_first/exercises/2_sum/"
ends 2 "$exercise" check 2
expect $'can mean two things:\n  chapters/exercise check 00 2    exercise 2 of chapter 00\n  chapters/exercise check 02      the exercises of chapter 02'
ends 2 "$exercise" hint 2
expect "for example 'chapters/exercise hint 00 2'"
ends 0 "$exercise" check 02
expect $'This was the last chapter. Go on with kernels of your own: docs/own_kernels.md\nThen: write in chapters/00_first/exercises/2_sum/sum.cpp'
rm -r "$tree"/chapters/00_first/{solutions,exercises}
ends 0 "$exercise" check 2
expect "2 of 2"
attempt "$exercise" hint
expect "for example 'chapters/exercise hint 02 1'"

for words in "check 02 9" "hint 09 1" "check" "hint 02" "hint 02 1 1" "frob" "list --frob" "list 09" "list 02 1"; do
  # shellcheck disable=SC2086
  ends 2 "$exercise" $words
done

# A command or an option that is misspelled, called otherwise, or left out.
for pair in "chek 02 1=check 02 1" "slution 02 1 =solution 02 1" "show 02 1=solution 02 1" "lst =list" "run 02=check 02"; do
  # shellcheck disable=SC2086
  ends 2 "$exercise" ${pair%%=*}
  expect "chapters/exercise does not know '${pair%% *}'. Did you mean: chapters/exercise ${pair##*=}"
  expect_no "watch [CHAPTER]"
done
ends 0 "$exercise" help
expect "watch [CHAPTER]"
attempt "$exercise" frobnicate
expect "chapters/exercise does not know 'frobnicate'."
expect_no "Did you mean"
expect "watch [CHAPTER]"
ends 2 "$exercise" 02 1
expect "Say what to do: chapters/exercise check 02 1 (or hint, solution, reset, list, watch)."
ends 2 "$exercise" check 02 1 --verbos
expect "chapters/exercise does not know the option '--verbos'. Did you mean --verbose? chapters/exercise --help shows what there is."
attempt "$exercise" check 02 1 --frob
expect "does not know the option '--frob'. chapters/exercise --help shows"

# A wrong number: only what could be meant is listed.
attempt "$exercise" check 02 9
expect "There is no exercise 9 in chapter 02. There are:"
expect "2 Sum number 2"
expect_no "Next"
attempt "$exercise" check 09 1
expect "There is no chapter 09."
expect_no "Sum number"
attempt "$exercise" check 00 1
expect "Chapter 00 has no exercises."

# A maintainer's mistakes in a solution.
solution=$tree/chapters/02_second/solutions/1_sum.cpp
ends 1 "$exercise" starters --check
expect "exercises/1_sum/sum.cpp is not what"
cp "$solution" "$scratch/solution"
for change in 's/ (about 1 line)//' 's/about 1 line/about 7 lines/' 's/END SOLUTION/END OF SOLUTION/' '/END SOLUTION/d' \
  '/ SOLUTION:/d' 's/STARTER:/STARTER/'; do
  sed "$change" "$scratch/solution" >"$solution"
  ends 1 "$exercise" starters --check
  expect "solutions/1_sum.cpp:"
done
expect_true "nothing was installed" test ! -e "$scratch/system"

# What a finished chapter says, of the chapters that there are: each has objectives, in plain words; the
# route says what is a side path.
root=$repository
source "$root/common/commands/exercise_list.sh"
source "$root/common/commands/lesson.sh"
for chapter in "$root"/chapters/[0-9][0-9]_*; do
  output=$(chapter_objectives "$chapter")
  last=$chapter
  expect_true "there are objectives" test "$(grep -c . <<<"$output")" -ge 2
  expect_no '$'
  expect_no ']('
done
for pair in "00_meet_the_device:01_serial_definition/README.md, The serial definition" \
  "02_direct_kernel:05_shared_memory/README.md, Shared memory. (03 and 04 before it are side paths.)" \
  "03_tiled:05_shared_memory/README.md, Shared memory. (04 before it is a side path.)" \
  "${last##*/}:docs/own_kernels.md"; do
  output=$(read_on "$root/chapters/${pair%%:*}")
  expect "${pair#*:}"
done

# The next exercise is that of the chapter to read on: a side path comes last, unless it was begun.
places=("02 1" "03 1" "03 2" "04 1" "05 1")
next_after() {  # a state for each of the places, then the exercise that was just solved, then "forward" for who passes over some
  local i
  for i in "${!places[@]}"; do echo "${places[i]} ${*:i + 1:1}"; done | next_unsolved "${@:${#places[@]} + 1}"
}
check_next() {
  local case states
  for case; do
    IFS=: read -ra states <<<"${case%=*}"
    output=$(next_after "${states[@]}")
    expect_true "next: $case" test "$output" == "${case##*=}"
  done
}
new=not_started
check_next "solved:$new:$new:$new:$new:02 1=05 1" "solved:$new:$new:$new:$new:=05 1" \
  "solved:edited:$new:$new:$new:02 1=03 1" "solved:solved:$new:$new:$new:03 1=03 2" \
  "solved:solved:solved:$new:$new:03 2=05 1" "solved:$new:$new:$new:solved:05 1=03 1" \
  "solved:edited:solved:$new:$new:03 2=03 1" "$new:$new:solved:$new:$new:03 2=03 1" \
  "$new:$new:$new:$new:solved:05 1=02 1" "solved:solved:solved:solved:solved:05 1="
# Exercises can be side paths, too: after 01.1 the route goes on with 02.
places=("01 1" "01 2" "01 3" "02 1")
check_next "solved:$new:$new:$new:01 1=02 1" "solved:edited:$new:$new:01 1=01 2" "solved:solved:$new:$new:01 2=02 1" \
  "solved:$new:$new:solved:02 1=01 2" "$new:$new:$new:$new:=01 1"
# What is left of the chapter may be side paths alone.
for case in "solved solved solved solved $new $new:; you may leave out 5 6" "solved $new solved solved $new $new:"; do
  output=$(
    states() {
      local n=0 state
      for state in ${case%%:*}; do echo "05 $(( ++n )) $state"; done
    }
    tell_progress 05
  )
  expect "of 6 in chapter 05${case##*:}"
  [[ $case == *out* ]] || expect_no "leave out"
done
# A reader who passes over exercises, as in watch, does not come back to them at once.
places=("00 1" "00 2" "00 3" "01 1")
check_next "$new:solved:solved:$new:00 3:=00 1" "$new:solved:solved:$new:00 3:forward=01 1" "$new:solved:$new:$new:00 2:=00 3"
# All that are begun, as a code host shows them.
"$exercise" reset 2 1 >/dev/null
"$exercise" reset 2 2 >/dev/null
sed -i 's/a \* 0 + b \* 0/a + b/' "$tree/chapters/02_second/exercises/1_sum/sum.cpp"
ends 0 "$exercise" check --all
expect "02.1 Sum number 1 | solved"
sed -i 's/a \* 0 + b \* 0/a - b/' "$tree/chapters/02_second/exercises/2_sum/sum.cpp"
ends 1 "$exercise" check --all --summary
expect "| 02.2 Sum number 2 | not solved |"
expect "Of 2 that you have begun, 1 are solved."

finish
