#!/usr/bin/env bash
# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
#
# chapters/grade with our own exercises: the class of twelve, and what its pages say about each mistake.
source "$(dirname "${BASH_SOURCE[0]}")/tree.sh"
bash "$(dirname "${BASH_SOURCE[0]}")/class_of_twelve.sh" "$scratch/answers" || exit 1

attempt "$repository/chapters/grade" "$scratch/answers" "$scratch/grades.csv" 00.1 08.1 08.2 --seconds 60
expect_status 0
expect "with a flag"
pages=$scratch/grades_pages
# holds FILE TEXT...: the page has each of these texts in it.
holds() {
  local page=$pages/$1 text
  last=$page
  output=$(sed '/<style>/,/<\/style>/d' "$page")
  shift
  for text in "$@"; do expect "$text"; done
}
holds index.html "12 students, 3 exercises handed in" "Nothing handed in: <bdi>Lena</bdi>, <bdi>王小明</bdi>." \
  '<b>5 of 12</b> are stuck on <a href="#e00_1">00.1 Backwards</a>, 3 of them at: access out of bounds.' \
  '<b>3 of 12</b> are stuck on <a href="#e08_2">08.2 Keep a corner</a>, 2 of them at: race.' \
  '<b>2 of 12</b> are stuck on <a href="#e08_1">08.1 Whole blocks</a>, all at: access out of bounds.' \
  "<b>2 of 12: race.</b>" "Usual cause: a missing __syncthreads() between" "<b>1 of 12: does not compile.</b>" \
  "4 of 12 passed, 5 are stuck, 2 have not handed it in." "1 of 12: not started" "students/%E7%8E%8B%E5%B0%8F%E6%98%8E.html"
holds students/bao.html "reverse.cu:18: error: access out of bounds in kernel reverse_kernel" "Where to look: reverse.cu:18" \
  "You can keep the index and the guard of the copy kernel." "chapters/exercise hint 00 1"
holds students/dmitri.html "reverse.cu:19: error: access out of bounds in kernel reverse_kernel"
holds students/goran.html "none of the three may be 0" "reverse.cu:28"
holds students/ines.html "no match for" "Where to look: reverse.cu:17"
holds students/o-neil-hugh.html "The file has not been changed."
holds students/lena.html "Nothing has been handed in yet."
holds students/chloe-martin.html "keep_a_corner.cu:33: error: race in kernel keep_a_corner_kernel" \
  "whole_blocks.cu:22: error: access out of bounds in kernel fill_up_kernel"
holds students/ada-nowak.html "2 of 3 exercises passed." 'This check failed: a corner of every size, in pictures of every size' "128 of 128"

finish
