#!/usr/bin/env bash
# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
#
# tests/sanitize, with a stand-in for compute-sanitizer.
source "$(dirname "${BASH_SOURCE[0]}")/tree.sh"
make_tree
mkdir -p "$tree/build/gpu/bin"
cp "$repository/tests/sanitize" "$tree/tests/"

ends 2 "$tree/tests/sanitize" --jobs many
expect 'tests/sanitize [--csv FILE]'

shim compute-sanitizer 'for word; do case $word in */02_second) [ "$2" != racecheck ] || { echo "Race reported"; exit 9; } ;; */03_silent) exit 0 ;; esac; done
echo "31 checks passed in 0.4 s"
case $* in *more*) echo without ;; esac'
ends 2 "$tree/tests/sanitize"
expect 'build the gpu preset first'

mkdir -p "$tree/chapters/"{00_first,02_second,03_silent}
for name in 00_first 00_no_chapter 02_second 03_silent; do
  printf '#!/bin/sh\n' >"$tree/build/gpu/bin/$name"
  chmod +x "$tree/build/gpu/bin/$name"
done
ends 0 "$tree/tests/sanitize" 00
expect 'memcheck   silent'
expect_no '02_second'
expect_no '00_no_chapter'

ends 1 "$tree/tests/sanitize" --jobs 3 --csv "$tree/found.csv" 00 02
expect 'Race reported'
output=$(cat "$tree/found.csv")
expect 'program,tool,checks,seconds,found'
expect '00_first,synccheck,31,'
expect '02_second,racecheck,,'
expect 'FOUND SOMETHING'

# What initcheck finds beside others is asked once more, by itself.
shim compute-sanitizer '[ "$2" != initcheck ] || for word; do case $word in
  */00_first) [ -e '"$tree"'/asked ] || { touch '"$tree"'/asked; exit 9; } ;;
  */02_second) echo "Not written"; exit 9 ;; esac; done
echo "31 checks passed in 0.4 s"'
ends 1 "$tree/tests/sanitize" --jobs 3 --csv "$tree/again.csv" 00 02
expect '00_first: initcheck once more, by itself'
expect '02_second: initcheck once more, by itself'
output=$(cat "$tree/again.csv")
expect '00_first,initcheck,31,'
expect '02_second,initcheck,,'
rm "$tree/asked"
ends 1 "$tree/tests/sanitize" --jobs 1 00
expect_no 'once more'

# Ended before its time: what was known by then is in the table.
shim compute-sanitizer 'for word; do case $word in */02_second) sleep 60 ;; esac; done
echo "31 checks passed in 0.4 s"'
ends 124 timeout 3 "$tree/tests/sanitize" --csv "$tree/ended.csv" 00 02
output=$(cat "$tree/ended.csv")
expect '00_first,synccheck,31,'
expect_no '02_second'

shim compute-sanitizer 'exit 0'
ends 1 "$tree/tests/sanitize" 03  # it runs, and no check has run
finish
