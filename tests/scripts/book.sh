#!/usr/bin/env bash
# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
source "$(dirname "${BASH_SOURCE[0]}")/tree.sh"
make_tree
mkdir -p "$tree/docs/book" "$scratch/theme"
cp "$repository/docs/book/build" "$tree/docs/book/"
touch "$tree/docs/book/build_book.py"
book=$tree/docs/book/build
for target in draw_accesses emucc common_verify; do
  echo "add_custom_target($target COMMAND echo $target >>built)" >>"$tree/CMakeLists.txt"
done
mathjax=$scratch/mathjax
mkdir -p "$mathjax/jax/output/SVG"
touch "$mathjax/jax/output/SVG/jax.js"
options=(--theme "$scratch/theme" --mathjax "$mathjax")

# Writes down how build_book.py was called, and makes a first page.
shim doxygen 'exit 0'
shim python3 "
printf '<%s>' \"\$@\" >'$scratch/called'
[[ -z \${FAKE_STATUS:-} ]] || exit \"\$FAKE_STATUS\"
while (( \$# )); do [[ \$1 == --output ]] && mkdir -p \"\$2/html\" && touch \"\$2/html/index.html\"; shift; done"
shim id "echo 1000"

# What is missing is named, with what it is for; without a terminal nothing is installed.
attempt "$book" "${options[@]}"
expect_status 2
expect "sudo apt-get install --no-install-recommends doxygen-awesome-css"
expect "the theme of the book"
expect_no "libjs-mathjax"
expect_no "g++"
expect_true "nothing was installed" test ! -e "$scratch/system"
expect_true "nothing was built" test ! -e "$scratch/called"

# --yes installs it. The theme is there when apt-get has run.
shim apt-get "echo \"apt-get \$*\" >>'$scratch/system'; touch '$scratch/theme/doxygen-awesome.css'"
attempt "$book" --yes "${options[@]}"
expect_status 0
expect "file://$tree/build/docs/html/index.html"
expect_true "what makes the pages of steps was built" \
  test "$(sort "$tree/build/emulated/built" | xargs)" == "common_verify draw_accesses emucc"
expect_true "the build is passed on" grep -qF "<--emulated><$tree/build/emulated>" "$scratch/called"
expect "python3 -m http.server --directory '$tree/build/docs/html'"
expect_true "apt-get was run through sudo" grep -q '^sudo .*install .*doxygen-awesome-css' "$scratch/system"
expect_true "a warning of Doxygen is no failure" test "$(grep -c -- --strict "$scratch/called")" == 0

# All is there: no question, no installation. Standard output is the address alone, with blanks as a browser wants them.
rm "$scratch/system"
attempt "$book" --strict --output "$scratch/my book" "${options[@]}"
expect_status 0
expect_true "nothing was installed" test ! -e "$scratch/system"
expect_true "--strict is passed on" grep -q '<--strict>' "$scratch/called"
expect_true "the folder is passed on whole" grep -qF "<--output><$scratch/my book>" "$scratch/called"
expect_true "the address is all of standard output" \
  test "$("$book" --output "$scratch/my book" "${options[@]}" 2>/dev/null)" == "file://$scratch/my%20book/html/index.html"
shim wslpath 'echo "\\\\wsl\\book"'
attempt "$book" "${options[@]}"
expect 'From Windows: \\wsl\book'

# A book that cannot be built.
FAKE_STATUS=1 attempt "$book" "${options[@]}"
expect_status 1
expect_no "Open it"
echo "add_custom_command(TARGET emucc COMMAND false)" >>"$tree/CMakeLists.txt"
attempt "$book" "${options[@]}"
expect_status 1
expect "docs/book/build --no-steps leaves them out"
expect_no "Open it"

# Without the pages of steps nothing is compiled.
attempt "$book" --no-steps "${options[@]}"
expect_status 0
expect_true "no build is passed on" test "$(grep -c -- --emulated "$scratch/called")" == 0
hide g++ c++ clang++ cmake
CPATH='' attempt "$book" --no-steps "${options[@]}"
expect_status 0
attempt "$book" "${options[@]}"
expect_status 2
expect "the C++20 compiler"

for wrong in --frob page --output; do
  attempt "$book" "$wrong"
  expect_status 2
done
attempt "$book" --help
expect_status 0
expect "--yes"
finish
