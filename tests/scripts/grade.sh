#!/usr/bin/env bash
# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
#
# chapters/grade on a day with a class: what is handed in under which name, tables, pages, and being stopped.
# (attacks.sh: what must not be; class.sh: what the pages say of mistakes.)
source "$(dirname "${BASH_SOURCE[0]}")/tree.sh"
grade=$repository/chapters/grade
class=$scratch/class
solution=$repository/chapters/01_serial_definition/solutions/1_correlate.cpp
good=$(sed '/^ *\/\/ \(STARTER\|SOLUTION\|END SOLUTION\)/d' "$solution")
wrong=${good/i + k - (taps - 1)/i - k}
# hand_in STUDENT/PATH: what stands on standard input.
hand_in() {
  mkdir -p "$(dirname "$class/$1")"
  cat >"$class/$1"
}
n=0
# good PATH: a right answer there, by a student of its own: in `student`.
good() {
  n=$(( n + 1 ))
  student=p$n
  echo "$good" | hand_in "$student/$1"
}

# Names, as they should be and nearly.
right=() near=()
for path in 01_serial_definition/1_correlate/correlate.cpp chapters/01_serial_definition/exercises/1_correlate/correlate.cpp \
  1_correlate/correlate.cpp correlate.cpp 01_serial_definition/1_correlate.cpp deep/er/1_correlate.cpp; do
  good "$path"
  right+=("$student")
done
for path in Correlate.CPP correlate.cpp.txt correlate.txt "correlate (1).cpp" correlate-1.cpp correlate.cu "Chapter 01/correlate.cpp" "Correlate - Copy.cpp"; do
  good "$path"
  near+=("$student")
done
good a/correlate.cpp
mkdir -p "$class/$student/b" && cp "$class/$student/a/correlate.cpp" "$class/$student/b/"  # twice the same
near+=("$student")
python3 - "$class" "$good" <<'END'
import pathlib, sys, zipfile
place, good = pathlib.Path(sys.argv[1]), sys.argv[2]
zipfile.ZipFile(place / "inside.zip", "w").writestr("hand-in/correlate.cpp", good)
zipfile.ZipFile(place / "p1/more.zip", "w").writestr("notes.txt", "none")
# What cannot be opened: of another kind, no archive, and with damage behind its beginning.
(place / "rar.rar").write_bytes(b"Rar!\x1a\x07")
(place / "cut.zip").write_bytes((place / "inside.zip").read_bytes()[:60])
zipfile.ZipFile(place / "damaged.zip", "w", zipfile.ZIP_DEFLATED).writestr("correlate.cpp", good)
data = bytearray((place / "damaged.zip").read_bytes())
data[50:90] = bytes(40)
(place / "damaged.zip").write_bytes(data)
zipfile.ZipFile(place / "twin.zip", "w").writestr("correlate.cpp", good)
# Of names that no file can have, and of much behind little.
with zipfile.ZipFile(place / "names.zip", "w", zipfile.ZIP_DEFLATED) as archive:
    for name in "correlate.cpp", "x" * 300 + ".hpp", "_" * 60000 + ".cpp", *(f"{i}.hpp" for i in range(99)):
        archive.writestr(name, good if name == "correlate.cpp" else bytes(1 << 20))
(place / "deep").mkdir()
(place / "deep/my work.tar.gz").write_bytes(b"x")
END
right+=(inside names)
echo "$good" | hand_in two/a/correlate.cpp
echo "$wrong" | hand_in two/b/correlate.cpp
echo "$good" | hand_in both/correlate.cpp
echo "$wrong" | hand_in both/correlate-2.cpp
near+=(both)
echo "${good//sum/total}" | hand_in short/correlate.cpp
right+=(short)
for path in correlate.c main.cpp mine.hpp .hidden chapters/01_serial_definition/README.md; do echo x | hand_in "other/$path"; done
echo "#include <cstdlib>"$'\n'"${good/float sum = 0;/std::exit(0); float sum = 0;}" | hand_in ends/correlate.cpp
mkdir -p "$class/nothing"
echo "$wrong" | hand_in twin/correlate.cpp
echo x | hand_in else/reverse.cu
# An own header, one of the same name as the contract, which is ours, and one elsewhere.
echo '#include "mine.hpp"'$'\n'"${good/float sum = 0/float sum = zero}" | hand_in header/correlate.cpp
echo 'constexpr float zero = 0;' | hand_in header/mine.hpp
echo '#error no' | hand_in header/correlate.hpp
right+=(header)
cp "$repository/chapters/01_serial_definition/exercises/1_correlate/correlate.cpp" "$scratch/starter"
awk -f "$repository/common/commands/starter.awk" "$solution" | sed 's/$/\r/; s|"correlate.hpp"|"exercise_checks/1_correlate.hpp"|' | hand_in windows/correlate.cpp
echo 'int' | hand_in "<b>bold & \"quoted\"<b>/correlate.cpp"
echo "$wrong" | hand_in "=1+1/correlate.cpp"
echo "$wrong" | hand_in clone/chapters/01_serial_definition/exercises/1_correlate/correlate.cpp
echo "$good" | hand_in clone/chapters/01_serial_definition/solutions/1_correlate.cpp
hand_in clone/.progress/hints_01_1 <<<1
printf '\377\376i\0n\0t\0' | hand_in utf16/correlate.cpp
ln -s "$class/p1/correlate.cpp" "$class/nothing/correlate.cpp"
touch "$class/notes.pdf"
echo "1.1 5  # the first" >"$scratch/weights"
echo "1.9 5" >"$scratch/no_weights"

attempt "$grade" "$class" "$scratch/grades.csv" 01 correlate --lms canvas --weights "$scratch/weights" --logs "$scratch/logs" --reports
expect_status 0
expect "neither folders nor .zip: notes.pdf"
expect "Answers run apart"
expect "not from Moodle or Canvas: no feedback for"
expect "To import: $scratch/grades_lms.csv"
expect_true "no empty archive" test ! -e "$scratch/grades_feedback.zip"
table=$(cat "$scratch/grades.csv")
output=$table
row() { grep -F "\"$1\",\"01\"" <<<"$table"; }
expect_row() { [[ $(row "$1") == "\"$1\",\"01\",\"1\",\"Correlate\",\"$2"* ]] || complain "the row of $1 should have: $2; it is: $(row "$1")"; }
for student in "${right[@]}" "${near[@]}"; do expect_row "$student" 'passed",2,2,'; done
expect_row two 'several files",0,2,"","a/correlate.cpp, b/correlate.cpp"'
for file in rar.rar cut.zip damaged.zip "deep/my work.tar.gz"; do
  expect_row "${file%%[./]*}" "not checked\",0,2,\"\",\"${file#deep/} can't be opened: a .zip can be, or the files by themselves\""
done
expect_row nothing 'missing",0,2,"","no file 01_serial_definition/1_correlate/correlate.cpp"'
expect_row other 'not recognized",0,2,"","correlate.c, main.cpp"'
expect_row twin 'several files",0,2,"","correlate.cpp, twin.zip/correlate.cpp"'
expect_row else missing
expect_row both 'passed",2,2,"also handed in: correlate-2.cpp'
expect_row short 'passed",2,2,"",""'  # a few words are the same by themselves
expect_true "not more than can be kept" test "$(PYTHONPATH=$repository/common/commands python3 -c "import hand_ins, pathlib
print(sum(map(len, hand_ins.files_of(pathlib.Path('$class/names.zip')).values())) >> 20)")" == 63
expect_row ends 'failed",0,2,"","the answer ended the program, as exit() does, with status 0"'
expect_row windows 'not started'
expect_row "'=1+1" 'failed",0,2,'
expect_row clone failed
expect_row utf16 'does not compile'
expect_true "a line for each submission" test "$(wc -l <<<"$table")" == "$(( $(find "$class" -mindepth 1 -maxdepth 1 -not -name notes.pdf | wc -l) ))"  # two of twin
expect_true "the log" test -s "$scratch/logs/clone/01_1.txt"
pages=$scratch/grades_pages
for student in "${near[@]}"; do holds "$pages/students/$student.html" "It was taken from "; done
expect_true "nothing is said of a right name" test "$(grep -c "taken from" "$pages/students/p1.html")" == 0
holds "$pages/students/clone.html" "The hint to read next (hint 2)" "It is as if the taps were reversed"
holds "$pages/students/utf16.html" "UTF-16"
holds "$pages/students/both.html" "correlate-2.cpp is different, and was not used."
holds "$pages/students/other.html" "Not recognized as an exercise: correlate.c, main.cpp." \
  "Their files should be called:</p><ul><li>01.1 Correlate: <code>correlate.cpp</code>"
holds "$pages/index.html" '<bdi>two</bdi></a>, 01.1 (several files): a/correlate.cpp, b/correlate.cpp' \
  '<bdi>rar</bdi></a>, 01.1 (not checked): rar.rar can' "<bdi>other</bdi></a>, 01.1 (not recognized): correlate.c, main.cpp" "Nothing handed in: <bdi>nothing</bdi>." "Only other exercises handed in: <bdi>else</bdi>." \
  "<bdi>&lt;b&gt;bold &amp; &quot;quoted&quot;&lt;b&gt;</bdi>"
for student in utf16 ends two rar; do lacks "$pages/students/$student.html" "hint to read next"; done
lacks "$pages/index.html" "wrong result"
holds "$pages/students/ends.html" "a call such as exit() ends a program like this."
holds "$scratch/grades_lms.csv" "Student,ID,SIS User ID,SIS Login ID,Section,01.1 Correlate,Final Points" \
  "    Points Possible,,,,,5.0,5.0" "p1,,,p1,,5.0,5.0" "clone,,,clone,,0,0" "nothing,,,nothing,,0,0"
holds "$pages/students/else.html" "None of these exercises is in it." "<code>correlate.cpp</code>"
for student in two rar other twin; do holds "$scratch/grades_lms.csv" "$student,,,$student,,,"; done  # by hand
report=$(grep -o '\.\./reports/[^"]*' "$pages/students/clone.html")
holds "$pages/students/$report" '<iframe sandbox title="The report" srcdoc="' "&lt;h1&gt;exercise_01_1&lt;/h1&gt;"
lacks "$pages/students/$report" "/grade-"
for page in "$pages/index.html" "$pages"/{students,reports}/*.html; do
  holds "$page" "content=\"default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
  for text in "<script" "<meta http-equiv=\"refresh" "<b>bold"; do
    expect_true "$page has no $text" test "$(grep -ciF -- "$text" "$page")" == 0
  done
done

# The downloads of an LMS, to its table and back. Rows of other exercises stay.
class=$scratch/moodle
moodle() { echo "$2" | hand_in "CS 1-Correlate-77/$1"; }
moodle "Ada Nowak_1234567_assignsubmission_file/correlate.cpp" "$good"
moodle "Ada Nowak_1234567_assignsubmission_onlinetext/onlinetext.html" hello
moodle "Bao_1234568_assignsubmission_file_/Correlate-1.cpp" "$wrong"
moodle "Bao_1234569_assignsubmission_file_correlate.cpp" "$good"
attempt "$grade" "$class" "$scratch/moodle.csv" 01.1 --lms moodle --reports
holds "$scratch/moodle_lms.csv" "Identifier,Full name,Username,01.1 Correlate,Grade,Last modified (grade),Feedback comments" \
  "Participant 1234567,Ada Nowak,,1,1,-,01.1 passed" "Participant 1234568,Bao 1234568,,0,0,-,01.1 failed" \
  "Participant 1234569,Bao 1234569,,1,1,-,01.1 passed"
names() { output=$(python3 -m zipfile -l "$1"); }
names "$scratch/moodle_feedback.zip"
expect "Ada Nowak_1234567_assignsubmission_file_feedback.html "
expect "Bao_1234569_assignsubmission_file_feedback.html "
python3 -m zipfile -e "$scratch/moodle_feedback.zip" "$scratch/sent"
holds "$scratch/sent/Bao_1234568_assignsubmission_file_feedback.html" "</summary><iframe sandbox"
lacks "$scratch/sent/Bao_1234568_assignsubmission_file_feedback.html" "../reports"
class=$scratch/canvas
echo "$good" | hand_in nowakada_4711_123456_correlate.cpp
echo "$good" | hand_in bao_LATE_4712_123457_correlate-1.cpp
echo "$wrong" | hand_in anon_1a2b3_123458_correlate.cpp
echo | hand_in notes.txt
attempt "$grade" "$class" "$scratch/canvas.csv" 01.1 --lms canvas
holds "$scratch/canvas_lms.csv" "anon_1a2b3,1a2b3,,,,0,0"
expect "neither folders nor .zip: notes.txt"
rm "$class/anon_1a2b3_123458_correlate.cpp"
attempt "$grade" "$class" "$scratch/canvas.csv" 01.4 --only Bao --lms canvas
expect "The table keeps what earlier runs found of 01.1"
expect "Not in the table, since not in the folder: anon_1a2b3"
holds "$scratch/canvas.csv" '"bao","01","4","Equal taps","missing"'
holds "$scratch/canvas_lms.csv" "Section,01.1 Correlate,01.4 Equal taps,Final Points" "nowakada,4711,,,,1,0,1" \
  "bao,4712,,,,1,0,1"
names "$scratch/canvas_feedback.zip"
expect "bao_LATE_4712_123457_feedback.html "
expect_no "nowakada"
points=$(cat "$scratch/canvas_lms.csv")
attempt "$grade" "$class" "$scratch/canvas.csv" 01 --only bao --lms canvas
expect "Not in this table, so not for --only: 01.2, 01.3"
expect_true "the same points" test "$(cat "$scratch/canvas_lms.csv")" == "$points"
attempt "$grade" "$class" "$scratch/canvas.csv" 01.1 --only nowakda
expect_status 2
expect "No student is called 'nowakda'. Nearly: nowakada."
class=$scratch/class

# What has not changed is not run again; only one; and what has changed is.
began=$SECONDS
attempt "$grade" "$class" "$scratch/grades.csv" 01.1 --reports --lms canvas
expect_status 0
holds "$scratch/grades_lms.csv" "    Points Possible,,,,,5.0,5.0" "p1,,,p1,,5.0,5.0"  # the points, too
expect_true "rows are kept" test "$(cat "$scratch/grades.csv")" == "$table"
expect_true "and nothing runs" test $(( SECONDS - began )) -lt 60
echo "$good" | hand_in "clone/chapters/01_serial_definition/exercises/1_correlate/correlate.cpp"
echo "$wrong" | hand_in p1/01_serial_definition/1_correlate/correlate.cpp
attempt "$grade" "$class" "$scratch/grades.csv" 01.1 --reports --only clone --jobs 1
expect_status 0
table=$(cat "$scratch/grades.csv")
expect_row clone 'passed",2,2,'
expect_row p1 'passed",2,2,'
rm "$class/nothing/correlate.cpp" && hand_in nothing/correlate.cpp <<<"$good"
attempt "$grade" "$class" "$scratch/grades.csv" 01.1 --reports --resume
table=$(cat "$scratch/grades.csv")
expect_row p1 'passed",2,2,'
expect_row nothing 'passed",2,2,'
attempt "$grade" "$class" "$scratch/grades.csv" 01.1 --reports
table=$(cat "$scratch/grades.csv")
expect_row p1 'failed",0,2,'

# Stopped or killed: the table is whole, the rows that were there stay, nothing runs on, and it goes on from there.
for student in a b; do
  mkdir -p "$scratch/loops/$student"
  echo "${good/float sum = 0;/float sum = 0; for (volatile int j = 0; j < 1; j = 0) sum = 0;}" >"$scratch/loops/$student/correlate.cpp"
done
mkdir -p "$scratch/loops/0"
echo "$good" >"$scratch/loops/0/correlate.cpp"
running() { find /proc -maxdepth 2 -name exe -lname '*/grade-*/exercise_01_1' 2>/dev/null | grep -q .; }
for signal in INT TERM KILL; do
  : >"$scratch/out"
  set -m  # in a group of its own, all of which Ctrl-C reaches
  "$grade" "$scratch/loops" "$scratch/$signal.csv" 01.1 --seconds 100 --jobs 1 >"$scratch/out" 2>"$scratch/said" &
  set +m
  for (( i = 0; i < 900; i++ )); do
    grep -q "^0 .*passed" "$scratch/out" && running && break
    sleep 0.1
  done
  case $signal in INT) kill -INT -- -$! ;; *) kill "-$signal" $! ;; esac
  wait $! 2>/dev/null
  output=$(cat "$scratch/said" "$scratch/out" "$scratch/$signal.csv" 2>&1)
  last="$signal to chapters/grade"
  expect '"0","01","1","Correlate","passed"'
  expect '"a","01","1","Correlate","not yet"'
  [[ $signal == KILL ]] || expect_true "one line about it" test "$(tail -n +2 "$scratch/said")" == \
    "Stopped after 1 of 3 answers. $scratch/$signal.csv has them, and the same command continues from there."
  sleep 1
  if running; then complain "the answer should run no more"; fi
done
attempt "$grade" "$scratch/loops" "$scratch/TERM.csv" 01.1 --seconds 2
expect '2 out of time'
output=$(sed '/<style>/,/<\/style>/d' "$scratch/TERM_pages/students/a.html")
expect "It was ended, because it took more than 2 seconds of processor time, or 8 by the clock."

# Bad usage.
mkdir "$scratch/folder.csv" "$scratch/other_pages" "$scratch/empty"
for words in "" "$class" "$class grades.txt" "$scratch/none grades.csv" "$class $scratch/none/grades.csv" "$class x.csv x" \
  "$class x.csv 02.9" "$class x.csv 02 1 3.9" "$class x.csv --seconds 0" "$class x.csv --logs" "$class x.csv --other" \
  "$class $scratch/folder.csv" "$class x.csv --logs $class/logs" "$class $scratch/other.csv 01 1" "$scratch/empty $scratch/x.csv 01.1" \
  "$class $scratch/x.csv 01.1 --only nobody" "$class $scratch/x.csv 01.1 --weights $scratch/no_weights" "$class $scratch/x.csv --lms none"; do
  # shellcheck disable=SC2086  # several words each
  attempt "$grade" $words
  expect_status 2
done

finish
