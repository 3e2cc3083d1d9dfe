#!/usr/bin/env bash
# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
#
# nothing_else.sh REPOSITORY: no exercise is described that does not exist, no folder lies about, and no check uses INFO,
# whose text would be taken for the check's message: what is given is a case_at_work or a CAPTURE.
set -u
repository=$1
source "$repository/common/commands/lesson.sh"
failed=0
found=0
for chapter in "$repository"/chapters/[0-9][0-9]_*/; do
  chapter=${chapter%/}
  for n in $(exercise_numbers "$chapter"); do
    found=$(( found + 1 ))
    compgen -G "$chapter/solutions/${n}_*" >/dev/null && continue
    echo "${chapter##*/} describes an exercise $n, but solutions/${n}_* does not exist"
    failed=1
  done
  for folder in "$chapter"/exercises/*/; do
    name=$(basename "$folder")
    compgen -G "$chapter/solutions/$name.*" >/dev/null && continue
    echo "${chapter##*/}/exercises/$name belongs to no solution"
    failed=1
  done
done
if grep -n '\bINFO(' "$repository"/chapters/[0-9][0-9]_*/exercises/*/checks.cpp; then
  echo "^ write what is given as a case_at_work, or with CAPTURE"
  failed=1
fi
(( found > 0 )) || { echo "no lesson describes an exercise"; failed=1; }
exit "$failed"
