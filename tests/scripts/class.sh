#!/usr/bin/env bash
# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
#
# chapters/grade with our own exercises, and what its pages say about each mistake. Twelve students hand in answers, as solutions
# with the mistakes that people make: a missing guard or barrier, a wrong index, pitch or scale, a transposed matrix.
source "$(dirname "${BASH_SOURCE[0]}")/tree.sh"
class=$scratch/answers

# answer STUDENT NN N [SED]: hands in that solution, changed by SED, in the student's clone.
answer() {
  local chapter solution file text
  chapter=$(cd "$repository/chapters" && echo "$2"_*)
  solution=$(echo "$repository/chapters/$chapter/solutions/$3"_*)
  file=${solution##*/}
  file=$class/$1/$chapter/${file%.*}/${file#*_}
  mkdir -p "${file%/*}"
  text=$(sed '/^ *\/\/ \(STARTER\|SOLUTION\|END SOLUTION\)/d' "$solution")
  sed "${4:-}" <<<"$text" >"$file"
  if [[ -n ${4:-} && $(cat "$file") == "$text" ]]; then
    echo "'$4' changes nothing in $solution" >&2
    exit 1
  fi
}
starter() {
  local chapter file
  answer "$1" "$2" "$3"
  chapter=$(cd "$repository/chapters" && echo "$2"_*)
  file=$(echo "$class/$1/$chapter/$3"_*/*)
  awk -f "$repository/common/commands/starter.awk" "$repository/chapters/$chapter/solutions/$3"_* >"$file"
}

without_guard='/if (i >= size) return;/d'
one_beyond='s/x\[size - 1 - i\]/x[size - i]/'
not_rounded_up='s/(size + threads_per_block - 1) \/ threads_per_block/size \/ threads_per_block/'
for student in "Ada Nowak" Bao "Chloé Martin" Dmitri "Eun-ji Park" "Fatima al-Zahra" Goran "O'Neil, Hugh" Ines Jonas "王小明" Lena; do
  mkdir -p "$class/$student"
done

# 00.1 Backwards
answer "Ada Nowak" 00 1
answer Bao 00 1 "$without_guard"
answer "Chloé Martin" 00 1
answer Dmitri 00 1 "$one_beyond"
answer "Eun-ji Park" 00 1 "$without_guard"
answer "Fatima al-Zahra" 00 1 's/^  if (i >= size) return;/  if (i >= size || size == 513) return;/'
answer Goran 00 1 "$not_rounded_up"
starter "O'Neil, Hugh" 00 1
answer Ines 00 1 's/threadIdx\.x/threadIdx/'
# What an unwinding stack has to destroy brings a symbol of the compiler's own with it.
answer Jonas 00 1 's|^#include "common.*|#include <vector>\n&|; s/^  const int blocks = .*/&\n  const std::vector<int> mine(blocks);/'

# 08.1 Whole blocks
answer "Ada Nowak" 08 1
answer "Chloé Martin" 08 1 's/ \/ sizeof(float)//g'
answer Jonas 08 1 's/row \* y_pitch + col/col * y_pitch + row/'

# 08.2 Keep a corner
answer "Ada Nowak" 08 2 's/a\[i\]\[r\] \* block/a[r][i] * block/'
answer "Chloé Martin" 08 2 '/all coefficients are there/d'
answer "Fatima al-Zahra" 08 2 '/all coefficients are there/d'
answer Jonas 08 2

# The example of the teachers' page: a size that Fatima has not thought of.
mkdir "$scratch/sizes"
sed -n '/^    #include "reverse.hpp"/,/^    }/s/^    //p' "$repository/docs/teaching.md" >"$scratch/sizes/00_1.cpp"
attempt "$repository/chapters/grade" "$class" "$scratch/grades.csv" 00.1 08.1 08.2 --seconds 60 --sizes "$scratch/sizes"
expect_status 0
expect "to check by hand: the page of the class says why"
pages=$scratch/grades_pages
holds "$pages/index.html" "12 students, 3 exercises handed in" "Nothing handed in: <bdi>Lena</bdi>, <bdi>王小明</bdi>." \
  '<b>6 of 12</b> are stuck on <a href="#e00_1">00.1 Backwards</a>, 3 of them at: access out of bounds.' \
  '<b>3 of 12</b> are stuck on <a href="#e08_2">08.2 Keep a corner</a>, 2 of them at: race.' \
  '<b>2 of 12</b> are stuck on <a href="#e08_1">08.1 Whole blocks</a>, all at: access out of bounds.' \
  "<b>2 of 12: race.</b>" "Usual cause: a missing __syncthreads() between" "<b>1 of 12: does not compile.</b>" \
  "<b>1 of 12: &quot;a corner of every size, in pictures of every size&quot;.</b>" "1 of 12: passes only the tested sizes" \
  "3 of 12 passed, 6 stuck, 2 not handed in." '<bdi>Ada Nowak</bdi></a>, 00.1, 08.1 (passed): same as the solution' \
  "1 of 12: not started" "students/%E7%8E%8B%E5%B0%8F%E6%98%8E.html"
holds "$pages/students/bao.html" "reverse.cu:17: error: access out of bounds in kernel reverse_kernel" "Where to look: reverse.cu:17" \
  "You can keep the index and the guard of the copy kernel." "chapters/exercise hint 00 1"
holds "$pages/students/dmitri.html" "reverse.cu:18: error: access out of bounds in kernel reverse_kernel"
holds "$pages/students/goran.html" "none of the three may be 0" "reverse.cu:27"
holds "$pages/students/ines.html" "no match for" "Where to look: reverse.cu:16"
holds "$pages/students/o-neil-hugh.html" "The file has not been changed."
holds "$pages/students/lena.html" "Nothing has been handed in yet."
holds "$pages/students/chloe-martin.html" "keep_a_corner.cu:32: error: race in kernel keep_a_corner_kernel" \
  "whole_blocks.cu:21: error: access out of bounds in kernel fill_up_kernel"
holds "$pages/students/ada-nowak.html" "2 of 3 exercises passed." 'This check failed: a corner of every size, in pictures of every size' "128 of 128"

holds "$pages/students/fatima-al-zahra.html" "This check is your teacher's own"
lacks "$pages/students/fatima-al-zahra.html" "exercise check 00 1" "exercise hint 00 1"
# The table keeps to its own checks; those that are wrong in themselves are named.
attempt "$repository/chapters/grade" "$class" "$scratch/grades.csv" 00.1 --only "Fatima al-Zahra" --seconds 60
expect "The answers have to pass your $scratch/sizes/00_1.cpp, as before."
expect "passes only the tested sizes"
sed -i 's/== 7/== 8/' "$scratch/sizes/00_1.cpp"
attempt "$repository/chapters/grade" "$class" "$scratch/grades.csv" 00.1 --seconds 60
expect_status 2
expect "does not pass your $scratch/sizes/00_1.cpp here"

finish
