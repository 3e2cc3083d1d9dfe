#!/usr/bin/env bash
# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
#
# pictures.sh BUILD SAME_PICTURE FOLDER: the pictures that the program makes today are those in the lesson's FOLDER.
set -u
build=$1 same_picture=$2 folder=$3
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
"$folder/refresh" "$build" "$scratch" || exit 1
failures=0
compared=0
for made in "$scratch"/*; do
  kept=$folder/$(basename "$made")
  case $made in
    *.png) "$same_picture" "$made" "$kept" ;;
    *) cmp "$made" "$kept" ;;
  esac || {
    echo "FAILED: $(basename "$made") is stale: chapters/09_dct_compression/pictures/refresh BUILD makes it anew"
    failures=$((failures + 1))
  }
  compared=$((compared + 1))
done
[[ $failures == 0 && $compared == 4 ]]
