#!/usr/bin/env bash
# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
#
# chapters/exercise watch, without a terminal, and on one that watch.py plays the reader at.
source "$(dirname "${BASH_SOURCE[0]}")/tree.sh"
make_tree
exercise=$tree/chapters/exercise

ends 2 "$exercise" watch
expect "chapters/exercise watch needs a terminal"
expect_true "one line says so" test "$(wc -l <<<"$output")" == 1
for words in "watch 09" "watch 00" "watch two" "watch 02 1"; do
  # shellcheck disable=SC2086
  ends 2 "$exercise" $words
done

# A compiler that takes its time over a file that says so.
printf '#!/bin/sh\nfor word; do case $word in *.cpp) grep -q "take your time" "$word" && sleep 61.5 ;; esac; done\nexec "$@"\n' \
  >"$scratch/compiler"
chmod +x "$scratch/compiler"
export CMAKE_CXX_COMPILER_LAUNCHER=$scratch/compiler
python3 -B "$repository/tests/scripts/watch.py" "$tree" || failures=$(( failures + 1 ))
finish
