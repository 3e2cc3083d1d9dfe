#!/usr/bin/env bash
# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
#
# What code hosts run (.github, .gitlab-ci.yml, .woodpecker.yml): the steps, as a user without a terminal in a fresh copy,
# and what the hosts then publish.
source "$(dirname "${BASH_SOURCE[0]}")/tree.sh"
make_tree
mkdir -p "$tree/docs/book"
cp "$repository/docs/book/build" "$tree/docs/book/"
touch "$tree/docs/book/make_book.py"
for target in draw_accesses cuda_emulator emulator_translate emulator_ahead_before_cxx20 common_verify; do
  echo "add_custom_target($target)" >>"$tree/CMakeLists.txt"
done
shim python3 'while (( $# )); do [[ $1 == --output ]] && mkdir -p "$2/html" && touch "$2/html/index.html"; shift; done'
shim id "echo 1000"
export CI=true

# The commands of the workflow $1: in a "run:" or below "script:" or "commands:", one line each.
steps() { sed -nE 's/^ +- (run: )?([a-z]+[ /][^:]*)$/\2/p' "$1"; }

for workflow in .github/workflows/{tests,book}.yml .gitlab-ci.yml .woodpecker.yml; do
  rm -rf "$scratch/clone"
  cp -r "$tree" "$scratch/clone"
  ends 0 env -C "$scratch/clone" bash -e -c "$(steps "$repository/$workflow")"
  if [[ $workflow != *book* ]]; then expect "100% tests passed"; fi
  if [[ $workflow == *woodpecker* ]]; then expect "Of 0 that you have begun, 0 are solved."; fi
  if [[ $workflow == *book* || $workflow == *gitlab* ]]; then
    published=$(sed -nE 's/^ +(path: |paths: \[)([a-z/]+)\]?$/\2/p' "$repository/$workflow")
    expect_true "the book is in '$published'" test -e "$scratch/clone/$published/index.html"
  fi
done

# A test that fails stops the workflow.
sed -i 's/COMMAND ${chapter}/COMMAND false/' "$scratch/clone/CMakeLists.txt"
attempt env -C "$scratch/clone" bash -e -c "$(steps "$repository/.gitlab-ci.yml")"
expect_true "the status tells" test "$status" != 0

# They are YAML, where something here can read it.
if python3() { /usr/bin/python3 "$@"; } && python3 -c 'import yaml' 2>/dev/null; then
  ends 0 python3 -c 'import sys, yaml; [yaml.safe_load(open(name, encoding="utf-8")) for name in sys.argv[1:]]' \
    "$repository"/.github/workflows/*.yml "$repository"/.{gitlab-ci,woodpecker}.yml "$repository/common/emulator/check/action.yml"
fi
finish
