#!/usr/bin/env bash
# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
#
# The compiler refuses by name each call in refused.cu:
# refused.sh EMUCC
set -u
emucc=$1
here=$(cd "$(dirname "$0")" && pwd)
scratch=$(mktemp -d) && trap 'rm -rf "$scratch"' EXIT
failures=0

output=$("$emucc" -c "$here/refused.cu" -o "$scratch/refused.o" 2>&1) && {
  printf 'FAILED: refused.cu was compiled\n'
  failures=1
}
names=$(grep -oE '\b(tex|texCubemap|surf|cuda|cu)[A-Za-z0-9]*(<[a-z0-9]+>)?\(' "$here/refused.cu" | sed 's/<.*//; s/($//' | sort -u)
count=0
for name in $names; do
  count=$((count + 1))
  grep -qF "$name() is not emulated: " <<<"$output" && continue
  printf 'FAILED: %s() is not refused by name\n' "$name"
  failures=$((failures + 1))
done
# Types and constants that such calls need are there: nothing else is to be said.
if grep -E "was not declared|does not name a type|incomplete type|undeclared identifier|unknown type" <<<"$output"; then
  printf 'FAILED: a type or a constant is missing\n'
  failures=$((failures + 1))
fi
if [[ $count -lt 25 ]]; then
  printf 'FAILED: only %s names were found in refused.cu\n' "$count"
  failures=$((failures + 1))
fi
((failures == 0)) || printf '%s\n' "$output" | head -40
exit $((failures != 0))
