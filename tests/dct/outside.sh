#!/usr/bin/env bash
# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
#
# outside.sh BUILD C_COMPILER CXX_COMPILER GENERATOR MAKE_PROGRAM: installs the library dct of this build into a folder
# of its own, and builds and runs programs against it as somebody would who has nothing but that folder.
set -u
build=$1 c_compiler=$2 cxx_compiler=$3 generator=$4 make_program=$5
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
prefix=$scratch/installed
failures=0

# try WHAT COMMAND...: quiet unless it fails.
try() {
  local what=$1
  shift
  if "$@" >"$scratch/log" 2>&1; then
    printf 'ok      %s\n' "$what"
  else
    printf 'FAILED  %s: %s\n' "$what" "$*"
    sed 's/^/  | /' "$scratch/log"
    failures=$((failures + 1))
    return 1
  fi
}
complain() {
  printf 'FAILED  %s\n' "$1"
  failures=$((failures + 1))
}

try "install" cmake --install "$build" --prefix "$prefix" || exit 1
# Moved, so that nothing that works does so by the place it was installed to.
mv "$prefix" "$scratch/moved" && prefix=$scratch/moved

for file in include/dct/dct.h include/dct/dct.hpp include/dct/jpeg.h include/dct/jpeg.hpp; do
  [[ -s $prefix/$file ]] || complain "$file is not there"
done
library=$(find "$prefix" -name 'libdct.so.2')
[[ -n $library ]] || { complain "libdct.so.2 is not there"; exit 1; }
libraries=$(dirname "$library")

# Nothing of ours is in anybody's way: the library shows its functions only.
shown=$(nm -D --defined-only "$library" | awk '{ print $3 }' | sed 's/@.*//')
[[ $(grep -c '^dct_' <<<"$shown") -ge 14 ]] || complain "libdct.so does not show the functions of dct.h"
others=$(grep -v '^dct_' <<<"$shown")
[[ -z $others ]] || complain "libdct.so also shows: $(head -n 5 <<<"$others" | xargs)"
declared=$(grep -ohE '^[a-z_* ]*\b(dct_[a-z_]+)\(' "$prefix"/include/dct/*.h | grep -oE 'dct_[a-z_]+\(' | tr -d '(' | sort -u)
for name in $declared; do
  grep -qx "$name" <<<"$shown" || complain "a header declares $name(), which libdct.so does not show"
done
[[ $(wc -w <<<"$declared") -ge 19 ]] || complain "the functions of dct.h and jpeg.h were not found"

# Nor does the archive show more, and it holds the codec alone: neither the program's options, charts and checks nor the
# ruler, and none of the kernels that only the lesson compares.
archive=$(find "$prefix" -name libdct.a)
[[ -n $archive ]] || { complain "libdct.a is not there"; exit 1; }
[[ $(nm -g --defined-only "$archive" | awk 'NF == 3 { print $3 }' | sort) == "$(sort <<<"$shown")" ]] ||
  complain "libdct.a does not show just what libdct.so shows: $(nm -g --defined-only "$archive" | awk 'NF == 3 { print $3 }' | head -n 5 | xargs)"
# What is wanted only weakly, a linker may leave out: then a call goes nowhere.
weak=$(nm "$archive" | awk '$1 == "w" && $2 ~ /^_ZN?[SK]/ { print $2 }')
[[ -z $weak ]] || complain "libdct.a wants only weakly: $(head -n 5 <<<"$weak" | xargs)"
inside=$(nm -C --defined-only "$archive" "$library")
grep -q 'encode_kernel\|encode_fused' <<<"$inside" || complain "no kernel was found in libdct.a: its names are not read"
foreign=$(grep -E 'doctest|CLI::|tutorial::(chart|table\b|console|chapter|options|compare|device_limits|measure|versions|broken)|per_coefficient|stepwise' <<<"$inside")
[[ -z $foreign ]] || complain "the library also holds: $(head -n 5 <<<"$foreign" | cut -c 20- | xargs)"

if try "CMake finds the package" cmake -S "$here/outside" -B "$scratch/outside" -DCMAKE_PREFIX_PATH="$prefix" \
     -DCMAKE_C_COMPILER="$c_compiler" -DCMAKE_CXX_COMPILER="$cxx_compiler" -DWITH_CPP=ON \
     -G "$generator" -DCMAKE_MAKE_PROGRAM="$make_program" &&
   try "programs in C and C++ build" cmake --build "$scratch/outside"; then
  for kind in shared static; do
    try "C, $kind library" "$scratch/outside/with_$kind" "$scratch/$kind.jpg" && cat "$scratch/log"
  done
  for kind in shared static; do try "files in C, $kind library" "$scratch/outside/jpeg_$kind" && cat "$scratch/log"; done
  try "the lesson's example" "$scratch/outside/example" "$scratch/example.jpg"
  [[ $(head -c 2 "$scratch/example.jpg" | od -An -tx1 | tr -d ' ') == ffd8 ]] || complain "the example's JPEG is none"
  try "C++, shared library" "$scratch/outside/cpp_dct"
  try "C++, static library" "$scratch/outside/cpp_dct_static"
  cmp -s "$scratch/shared.jpg" "$scratch/static.jpg" || complain "shared and static library give different files"
  needed=$(readelf -d "$scratch/outside/with_static" | grep NEEDED)
  [[ $needed != *libdct* ]] || complain "the static program needs libdct.so"
fi

if command -v pkg-config >/dev/null; then
  export PKG_CONFIG_PATH=$libraries/pkgconfig
  # shellcheck disable=SC2046  # flags are words
  if try "cc with the flags of pkg-config" "$c_compiler" -std=c99 $(pkg-config --cflags dct) \
       "$here/outside/round_trip.c" -o "$scratch/by_flags" $(pkg-config --libs dct) -ljpeg -lm \
       -Wl,-rpath,"$libraries"; then
    try "C, flags of pkg-config" "$scratch/by_flags" "$scratch/flags.jpg"
  fi
  # A program with kernels of its own: the pictures never leave the device.
  cuda=$build/bin/emucc rpath=-Wl,-rpath,$libraries
  [[ -x $cuda ]] || cuda=$(command -v nvcc) rpath=-Xlinker=-rpath=$libraries
  # shellcheck disable=SC2046
  if [[ -n $cuda ]] && try "a kernel file with the flags of pkg-config" "$cuda" -std=c++20 "$here/outside/on_device.cu" \
       -o "$scratch/on_device" $(pkg-config --cflags --libs dct) "$rpath" &&
     try "pictures from a kernel, and back" env -C "$scratch" ./on_device; then
    grep -q '^read by the device; values differ by at most [1-9]' "$scratch/log" || complain "the files were not read on the device"
    for picture in 0 1 2; do
      [[ $(head -c 2 "$scratch/$picture.jpg" | od -An -tx1 | tr -d ' ') == ffd8 ]] || complain "$picture.jpg is no JPEG"
    done
    cmp -s "$scratch/0.jpg" "$scratch/example.jpg" || complain "a picture from a kernel has another file than one of the host"
  fi
else
  echo 'skipped the flags of pkg-config: there is no pkg-config'
fi

[[ $failures == 0 ]]
