#!/usr/bin/env bash
# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
#
# any_workers.sh PROGRAM...: what a chapter's tables count does not depend on how many threads of this computer run the
# blocks, not even where blocks wait for each other.
set -u
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
failed=0
for program in "$@"; do
  for workers in 1 8; do
    EMULATOR_THREADS=$workers "$program" --no-check --csv "$scratch/$workers.csv" >"$scratch/out" 2>&1 ||
      { cat "$scratch/out"; exit 1; }
  done
  (( $(wc -l <"$scratch/1.csv") > 5 )) || { echo "${program##*/}: no table"; failed=1; }
  diff "$scratch/1.csv" "$scratch/8.csv" && continue
  echo "${program##*/}: these rows of its tables differ between one thread and eight."
  failed=1
done
exit "$failed"
