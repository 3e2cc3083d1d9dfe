#!/usr/bin/env bash
# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
#
# Each mistake of published_shapes.cu is found on its lines, and on no other: published_shapes.sh PROGRAM
set -u
program=$1
source=$(dirname "$0")/published_shapes.cu
failures=0
number=0
for shape in early guard halo taps; do
  number=$((number + 1))
  # A length that fills its blocks hides all four mistakes.
  output=$("$program" $number 256 2>&1) || {
    printf 'FAILED: %s with whole blocks\n%s\n' $shape "$output"
    failures=$((failures + 1))
  }
  for order in forward reverse; do
    output=$(EMULATOR_ORDER=$order "$program" $number 200 2>&1)
    wanted=$(grep -n "// $shape: " "$source" | sed -E 's/^([0-9]+):.*: /\1 /' | sort)
    found=$(grep -oE 'published_shapes\.cu:[0-9]+: error: [a-z ]+' <<<"$output" |
      sed -E 's/^[^:]*:([0-9]+): error: (.*) in kernel.*/\1 \2/' | sort)
    if [[ $found != "$wanted" ]]; then
      printf 'FAILED: %s, order %s. Expected\n%s\nfound\n%s\n' $shape $order "$wanted" "$output"
      failures=$((failures + 1))
    fi
  done
done
exit $((failures > 0))
