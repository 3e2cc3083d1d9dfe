#!/usr/bin/env bash
# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
#
# make.sh MISTAKES NAME SOLUTION FILE: writes the answer with the mistake NAME of the file MISTAKES to FILE.
set -eu
mistakes=$1 name=$2 solution=$3 file=$4
common=$(cd "$(dirname "$0")/../../../common" && pwd)
lines() { awk -v name="$name" '/^mistake / { inside = ($2 == name) } inside' "$mistakes"; }
if [[ $name == as_given ]] && lines | grep -q '^change '; then
  echo "$mistakes: the mistake '$name' is the starter as it is, with no change" >&2
  exit 1
fi
if [[ $name == as_given ]] || lines | grep -qx 'on starter'; then
  awk -f "$common/commands/starter.awk" "$solution" >"$file.new"
else
  sed -E '/^ *\/\/ (SOLUTION|STARTER|END SOLUTION)/d' "$solution" >"$file.new"
  lines | grep -q '^change ' || { echo "$mistakes: the mistake '$name' changes nothing" >&2; exit 1; }
fi
while IFS= read -r change; do
  sed -E "$change" "$file.new" >"$file.changed"
  if cmp -s "$file.new" "$file.changed"; then
    echo "$mistakes: the mistake '$name' finds nothing to change by: $change" >&2
    exit 1
  fi
  mv "$file.changed" "$file.new"
done < <(lines | sed -n 's/^change //p')
mv "$file.new" "$file"
