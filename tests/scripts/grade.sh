#!/usr/bin/env bash
# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
source "$(dirname "${BASH_SOURCE[0]}")/tree.sh"
make_tree
grade=$tree/chapters/grade
cp "$repository/chapters/grade" "$tree/chapters/"

# The tree's exercises with an answer that can come from elsewhere, and checks that leave what ours leave.
cat >>"$tree/CMakeLists.txt" <<'END'
foreach(n 1 2)
  set(folder chapters/02_second/exercises/${n}_sum)
  set(handed_in ${CMAKE_BINARY_DIR}/answers/02_second/${n}_sum/sum.cpp)
  set_source_files_properties(${handed_in} PROPERTIES GENERATED TRUE)
  add_executable(solution_02_${n} EXCLUDE_FROM_ALL chapters/02_second/solutions/${n}_sum.cpp ${folder}/checks.cpp)
  add_executable(answer_02_${n} EXCLUDE_FROM_ALL ${handed_in} ${folder}/checks.cpp)
  target_include_directories(solution_02_${n} PRIVATE ${folder})
  target_include_directories(answer_02_${n} PRIVATE ${folder})
endforeach()
END
cat >"$scratch/checks.cpp" <<'END'
#include <cstdio>
#include <cstdlib>
int sum(int a, int b);
bool watched();
int main() {
  std::FILE* result = std::fopen(std::getenv("EXERCISE_RESULT"), "w");
  std::setvbuf(result, nullptr, _IONBF, 0);
  std::fputs("exercise-result\t1\ncases\t2\n", result);
  int failed = 0;
  for (int i = 1; i <= 2; ++i) {
    std::fprintf(result, "case\t%d\t%d and two\n", i, i);
    const int wanted = i + 2;
    if (const int got = watched() || i == 1 ? sum(i, 2) : wanted; got != wanted) {
      std::puts("/somewhere/checks.cpp:7: ERROR: CHECK( sum(i, 2) == wanted ) is NOT correct!");
      if (got == 99) {
        std::fprintf(result, "finding\t0\t%s/answers/02_second/1_sum/sum.cpp:3: error: race in kernel sum_kernel<int>"
            "\\n  thread 1 reads &<b>x[1]</b>\\n  Usual cause: a missing __syncthreads() between\\n  a & b.\n"
            "fact\ttitle\trace\nfact\tusual_cause\ta missing __syncthreads() between a & b\n", BUILD);
        std::exit(1);
      }
      std::fprintf(result, "failed\t%d\t/somewhere/checks.cpp\t7\t%d + 2 is %d; it should be %d.\n", i, i, got, wanted);
      ++failed;
      std::fprintf(result, "end\t%d\tfailed\t0.00\n", i);
    } else {
      std::fprintf(result, "end\t%d\tpassed\t0.00\n", i);
    }
  }
  std::fprintf(result, "done\t2\t%d\t%d\n", 2 - failed, failed);
  if (std::getenv("EMULATOR_REPORT")) {  // like the emulated device's, it shows the source
    std::FILE* report = std::fopen(std::getenv("EMULATOR_REPORT"), "w");
    std::fputs("<!doctype html>\n<title>a report</title>\n<p>" BUILD "/answers/02_second/1_sum/sum.cpp\n", report);
    std::FILE* source = std::fopen(BUILD "/answers/02_second/1_sum/sum.cpp", "r");
    for (int c; (c = std::fgetc(source)) != EOF;) std::fputc(c, report);
  }
  return failed != 0;
}
END
sed -i "1i #define BUILD \"$tree/build/emulated\"" "$scratch/checks.cpp"
cp "$scratch/checks.cpp" "$tree/chapters/02_second/exercises/1_sum/checks.cpp"
echo 'bool watched() { return true; }' >>"$tree/chapters/02_second/exercises/1_sum/checks.cpp"

# Exercise 2 has checks as the emulated device has them: without addresses for its notes, as many as 32 GiB, it says so,
# and sees less.
cp "$scratch/checks.cpp" "$tree/chapters/02_second/exercises/2_sum/checks.cpp"
cat >>"$tree/chapters/02_second/exercises/2_sum/checks.cpp" <<'END'
#include <sys/mman.h>
bool watched() {
  static const bool can =
      mmap(nullptr, 32ull << 30, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0) != MAP_FAILED;
  if (!can) std::puts("emulated device: this system grants too few addresses (see ulimit -v)");
  return can;
}
END

class=$scratch/class
# hand_in STUDENT/PATH: what stands on standard input.
hand_in() {
  mkdir -p "$(dirname "$class/$1")"
  cat >"$class/$1"
}
good='int sum(int a, int b) { return a + b; }'
begin() { echo "$good namespace { struct s { s() { $1 } } x; }"; }
echo "$good" | hand_in ada/1_sum.cpp
echo "$good" | hand_in "o'neil, \"x\"/chapters/02_second/exercises/1_sum.cpp"
echo 'int sum(int a, int b) { return a * b; }' | hand_in half/1_sum.cpp
echo 'int sum(int a, int) { return misspelled; }' | hand_in misspelled/1_sum.cpp
cp "$tree/chapters/02_second/exercises/1_sum/sum.cpp" "$scratch/starter"
hand_in starter/1_sum.cpp <"$scratch/starter"
hand_in windows/1_sum.cpp < <(sed 's/$/\r/' "$scratch/starter")
# Of before exercises had folders, a starter says otherwise what it includes.
hand_in before/chapters/02_second/exercises/1_sum.cpp < <(sed 's|"sum.hpp"|"exercise_checks/1_sum.hpp"|' "$scratch/starter")
# Today's names, wherever it is clear whose they are.
for path in 02_second/1_sum chapters/02_second/exercises/1_sum 1_sum; do
  echo "$good" | hand_in "in ${path//\//.}/$path/sum.cpp"
  echo 'int sum(int, int) { return 0; }' | hand_in "in ${path//\//.}/${path/1/2}/sum.cpp"
done
echo "$good" | hand_in unclear/02_second/sum.cpp
echo "$good" | hand_in two/a/1_sum.cpp
echo "$good" | hand_in two/b/1_sum.cpp
mkdir -p "$class/nothing"
hand_in formula/02_second/1_sum.cpp < <(echo '#include <cstdlib>'; begin 'std::exit(0);')
mv "$class/formula" "$class/=1+1"
# What it leaves running keeps nobody waiting.
hand_in parent/1_sum.cpp < <(echo '#include <unistd.h>'; begin 'if (fork() == 0) sleep(100);')
# What it writes instead of its checks has colors, half a character, HTML, another direction of writing, and zero bytes.
hand_in colors/1_sum.cpp <<'END'
#include <cstdio>
#include <cstdlib>
int sum(int a, int b) { return a - b; }
namespace {
struct s {
  s() {
    std::FILE* result = std::fopen(std::getenv("EXERCISE_RESULT"), "w");
    std::fputs("case\t1\t</title><script>alert(1)</script>\nfailed\t1\t\t0\t\033[31mred\303\244\303 <img src=x "
        "onerror=alert(2)> \342\200\256 \\\"&amp;\nend\t1\tfailed\t0\ndone\t1\t0\t1\n", result);
    std::fwrite("\0\0", 1, 2, result);
    std::fclose(result);
    if (const char* report = std::getenv("EMULATOR_REPORT")) std::fputs("<script>alert(3)</script>", std::fopen(report, "w"));
    std::_Exit(1);
  }
} x;
}
END
hand_in race/1_sum.cpp <<<'int sum(int, int) { return 99; }'
hand_in "<b>bold & \"quoted\"<b>/1_sum.cpp" <<<'int sum(int, int) { return 99; }'
# Of the hints of exercise 1 it has seen the first: a clone tells so.
hand_in half/.progress/hints_02_1 <<<1
hand_in loop/1_sum.cpp < <(begin 'for (volatile int i = 0;; i = i + 1) {}')
hand_in flood/1_sum.cpp < <(echo '#include <cstdio>'; begin 'for (;;) std::puts("and again and again and again");')
hand_in hog/1_sum.cpp < <(echo "#include <cstddef>"; begin 'volatile char* all = new char[std::size_t(3) << 30]; all[0] = 1;')
hand_in crash/1_sum.cpp < <(begin '__builtin_trap();')
# A clone has the solution too: that is not its answer.
hand_in clone/chapters/02_second/solutions/1_sum.cpp <<<"$good"
hand_in clone/chapters/02_second/exercises/1_sum.cpp <<<'int sum(int a, int b) { return a - b; }'
# Nothing of ours reaches what others wrote.
hand_in curious/1_sum.cpp < <(echo '#include <cstdlib>'; begin 'if (std::getenv("SECRET") != nullptr) std::abort();')
hand_in alike/1_sum.cpp < <(echo "$good // \"quoted\", and a comma")
ln -s /etc/hostname "$class/nothing/1_sum.cpp"
mkdir "$scratch/elsewhere"
echo "$good" >"$scratch/elsewhere/1_sum.cpp"
ln -s "$scratch/elsewhere" "$class/linked"
touch "$class/eva's.zip"

export SECRET=1
SECONDS=0
attempt "$grade" "$class" "$scratch/grades.csv" 02 1 --seconds 2 --memory 2 --logs "$scratch/logs" --reports
expect_status 0
expect "This runs what others wrote"
expect "Not looked at, since they are no folders: eva\\'s.zip"
expect_no $'\033'
table=$(cat "$scratch/grades.csv")
line() { grep -F "$1" <<<"$table"; }
expect_line() { [[ $(line "$1") == "$1,02,1,\"Sum number 1\",$2"* ]] || complain "the table should say of $1: $2; it says: $(line "$1")"; }
expect_true "the table begins with its columns" \
  test "$(head -n 1 <<<"$table")" == "submission,chapter,exercise,title,result,checks_passed,checks,message"
expect_true "one line for each submission" test "$(wc -l <<<"$table")" == 27
expect_line '"ada"' 'passed,2,2,""'
expect_line '"alike"' 'passed,2,2,""'
expect_line '"curious"' 'passed,2,2,""'
expect_line "\"o'neil, \"\"x\"\"\"" 'passed,2,2,""'
expect_line '"half"' 'failed,1,2,"1 + 2 is 2; it should be 3."'
expect_line '"clone"' 'failed,0,2,'
expect_line '"misspelled"' 'does not compile,0,2,"sum.cpp:1:'
expect_line '"starter"' 'not started,0,2,'
expect_line '"windows"' 'not started,0,2,'
expect_line '"linked"' 'passed,2,2,""'
expect_line '"parent"' 'passed,2,2,""'
expect_true "nobody waited for what an answer left running" test "$SECONDS" -lt 90
expect_line '"colors"' 'failed,0,2," [31mredä <img src=x onerror=alert(2)>'
expect_line '"before"' 'not started,0,2,'
for path in 02_second/1_sum chapters/02_second/exercises/1_sum 1_sum; do expect_line "\"in ${path//\//.}\"" 'passed,2,2,""'; done
expect_line '"unclear"' 'missing,0,2,"no file 02_second/1_sum/sum.cpp; 02_second/sum.cpp may be of another exercise"'
expect_line '"two"' 'several files,0,2,"a/1_sum.cpp, b/1_sum.cpp"'
expect_line '"nothing"' 'missing,0,2,'
expect_line "\"'=1+1\"" 'not checked,0,2,'
expect_line '"loop"' 'out of time,0,2,"more than 2 seconds"'
expect_line '"flood"' 'too much output,0,2,"more than 256 KiB"'
expect_line '"hog"' 'out of memory,0,2,"more than 2 GiB'
expect_line '"crash"' 'crashed,0,2,"signal 4'
expect_line '"race"' 'failed,0,2,"sum.cpp:3: error: race in kernel sum_kernel<int>"'
expect_true "the log says what the program said" grep -q 'is NOT correct' "$scratch/logs/half/02_1.txt"
expect_true "the learner's own file is as it was" cmp -s "$scratch/starter" "$tree/chapters/02_second/exercises/1_sum/sum.cpp"

# The pages.
pages=$scratch/grades_pages
students=$pages/students
expect_true "there is a page of the class" test -s "$pages/index.html"
expect_true "and one for each student" test "$(find "$students" -name '*.html' | wc -l)" == 26
# holds FILE TEXT: the page has this text in it; lacks FILE TEXT: it has not.
holds() { grep -qF -- "$2" "$1" || { last=$1; output=$(sed '/<style>/,/<\/style>/d' "$1"); complain "the page should contain: $2"; }; }
lacks() { ! grep -qiF -- "$2" "$1" || { last=$1; output=; complain "the page should not contain: $2"; }; }
holds "$pages/index.html" "26 students, 1 exercise handed in"
holds "$pages/index.html" "<b>2 of 26: race.</b> <span class=\"soft\">Usual cause: a missing __syncthreads() between a &amp; b.</span>"
holds "$pages/index.html" "<bdi>&lt;b&gt;bold &amp; &quot;quoted&quot;&lt;b&gt;</bdi>"
holds "$pages/index.html" "<b>11 of 26</b> are stuck in <a href=\"#e02_1\">02.1 Sum number 1</a>, 2 of them at: "
holds "$pages/index.html" "Nothing handed in: "
holds "$students/half.html" "1 + 2 is 2; it should be 3."
holds "$students/half.html" 'In the case "1 and two"'
holds "$students/half.html" "1 of 2 cases passed."
holds "$students/half.html" "The hint to read next (hint 2)"
holds "$students/half.html" "Second hint of 1."
holds "$students/clone.html" "The hint to read next (hint 1)"
holds "$students/clone.html" "1 more case failed."
holds "$students/race.html" "<pre>sum.cpp:3: error: race in kernel sum_kernel&lt;int&gt;"
holds "$students/race.html" "thread 1 reads &amp;&lt;b&gt;x[1]&lt;/b&gt;"
holds "$students/race.html" "Where to look: <code>sum.cpp:3</code>"
holds "$students/misspelled.html" "Where to look: <code>sum.cpp:1</code>"
holds "$students/misspelled.html" "misspelled"
holds "$students/loop.html" "It does not end in time: more than 2 seconds."
holds "$students/nothing.html" "Nothing has been handed in yet."
holds "$students/two.html" "a/1_sum.cpp, b/1_sum.cpp"
holds "$students/colors.html" "&lt;img src=x onerror=alert(2)&gt;"
holds "$students/b-bold-quoted-b.html" "race"
holds "$students/o-neil-x.html" "1 of 1 exercise passed."
lacks "$students/ada.html" "half"
for page in "$pages/index.html" "$students"/*.html; do
  holds "$page" "content=\"default-src 'none'; style-src 'unsafe-inline'\""
  for text in "<script" "<img" "<b>bold" "http:" "https:" "src=x>" "onerror=alert(2)>"; do lacks "$page" "$text"; done
  expect_true "it is whole text: $page" iconv -f UTF-8 -t UTF-8 "$page" -o /dev/null
  expect_true "without control characters: $page" test -z "$(LC_ALL=C grep -n "$(printf '[\001-\010\013-\037\177]')" "$page")"
  lacks "$page" $'\342\200\256'
done
# A report is kept where a program wrote one, and whatever it is, nothing in it runs.
report=$(grep -o '"../reports/[^"]*"' "$students/half.html" | tr -d '"')
expect_true "the report is there" test -s "$students/$report"
holds "$students/$report" "<title>a report</title>"
holds "$students/$report" "<p>sum.cpp"
holds "$students/$report" "return a * b;"
report=$(grep -o '"../reports/[^"]*"' "$students/colors.html" | tr -d '"')
expect_true "and begins with what forbids scripts" \
  grep -q "^<!doctype html><meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'" "$students/$report"

# What only the emulated device sees is seen under limits too, and they still hold.
watched=$scratch/watched
for name in wrong hog right; do mkdir -p "$watched/$name/02_second"; done
echo "$good" >"$watched/right/02_second/2_sum.cpp"
echo 'int sum(int a, int b) { return a + b + (a == 2); }' >"$watched/wrong/02_second/2_sum.cpp"
echo 'int sum(int a, int b) { volatile char* all = new char[3ul << 30]; all[0] = 1; return a + b; }' >"$watched/hog/02_second/2_sum.cpp"
attempt "$grade" "$watched" "$scratch/watched.csv" 02 2 --memory 2
expect_status 0
expect "right                        02 2  passed"
expect "wrong                        02 2  failed"
attempt "$grade" "$watched" "$scratch/both.csv" 02.2 2.1
expect_status 0
expect_true "both exercises are checked" test "$(wc -l <"$scratch/both.csv")" == 7
holds "$scratch/both_pages/index.html" "Exercises not handed in</h2><p>02.1 Sum number 1</p>"
expect "hog                          02 2  out of memory"
for words in 'too few addresses' 'no range of addresses'; do
  expect_true "the emulated device says '$words'" grep -q "$words" "$repository/common/emulator/source/memory/device_memory.cpp"
  expect_true "and that is looked for" grep -q "$words" "$grade"
done

# Two at the same time do not take each other's answers.
for name in 1 2 3; do
  mkdir -p "$scratch"/{right,wrong}/"$name"
  echo "$good" >"$scratch/right/$name/1_sum.cpp"
  echo 'int sum(int a, int b) { return a * b; }' >"$scratch/wrong/$name/1_sum.cpp"
done
"$grade" "$scratch/right" "$scratch/right.csv" 02 1 >/dev/null 2>&1 &
attempt "$grade" "$scratch/wrong" "$scratch/wrong.csv" 02 1_sum
wait
expect "    3 failed"
expect_true "all of one class have passed" test "$(grep -c ',passed,2,2,' "$scratch/right.csv")" == 3
expect_true "none of the other" test "$(grep -c ',failed,1,2,' "$scratch/wrong.csv")" == 3

# Whoever stops it finds nothing left: no table, no folder, no program.
mkdir -p "$scratch/stopped/loop" "$scratch/temporary"
cp "$class/loop/1_sum.cpp" "$scratch/stopped/loop/"
TMPDIR=$scratch/temporary "$grade" "$scratch/stopped" "$scratch/stopped.csv" 02 1 --seconds 100 >/dev/null 2>"$scratch/said" &
running() { find /proc -maxdepth 2 -name exe -lname "$tree/build/emulated/bin/answer_02_1" 2>/dev/null | grep -q .; }
for (( i = 0; i < 300; i++ )); do
  running && break
  sleep 0.1
done
expect_true "the answer runs" running
kill -TERM $!
output=
last="TERM to chapters/grade"
wait $!
status=$?
expect_status 143
expect_true "it says that it stopped" grep -q "Stopped. No table was written." "$scratch/said"
expect_true "nothing is left of it" test "$(ls -A "$scratch/temporary")" == ""
expect_true "no table was written" test ! -e "$scratch/stopped.csv"
expect_true "and no pages" test ! -e "$scratch/stopped_pages"
if running; then complain "the answer should run no more"; fi

# Where no table can be made, an older one stays as it was.
before=$(cat "$scratch/grades.csv")
sed -i 's/a + b/a - b/' "$tree/chapters/02_second/solutions/1_sum.cpp"
attempt "$grade" "$class" "$scratch/grades.csv" 02 1
expect "does not pass here"
expect_status 2
expect_true "and the older pages stay" test -s "$pages/index.html"
expect_true "the older table stays" test "$(cat "$scratch/grades.csv")" == "$before"

# Bad usage.
mkdir "$scratch/folder.csv"
for words in "" "$class" "$class grades.txt" "$scratch/none grades.csv" "$class $scratch/none/grades.csv" "$class grades.csv 3" \
  "$class grades.csv x" "$class grades.csv 02.3" "$class grades.csv 02.1 03.1" "$class grades.csv 02 1 3" "$class grades.csv --seconds 0" "$class grades.csv --logs" "$class grades.csv --other" \
  "$class grades.csv --memory 32" "$class $scratch/folder.csv" "$class $scratch/kept.csv --logs $class/logs"; do
  # shellcheck disable=SC2086  # several words each
  attempt "$grade" $words
  expect_status 2
done
mkdir "$scratch/other_pages"
attempt "$grade" "$class" "$scratch/other.csv" 02 1
expect_status 2
expect "is not a folder that this command has made"
mkdir "$scratch/empty"
attempt "$grade" "$scratch/empty" "$scratch/grades.csv" 02 2
expect "each submission is a folder"

finish
