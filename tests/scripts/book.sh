#!/usr/bin/env bash
# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
source "$(dirname "${BASH_SOURCE[0]}")/tree.sh"
make_tree
mkdir -p "$tree/docs/book"
cp "$repository/docs/book/build" "$tree/docs/book/"
touch "$tree/docs/book/make_book.py"
book=$tree/docs/book/build
for target in draw_accesses cuda_emulator emulator_translate emulator_ahead_before_cxx20 common_verify; do
  echo "add_custom_target($target COMMAND echo $target >>built)" >>"$tree/CMakeLists.txt"
done
sed -i "s|/usr/share/fonts/|$scratch/fonts/|; s|python3 /usr/bin/python3|python3|" "$tree/common/commands/packages.sh"
mkdir -p "$scratch/fonts/opentype/stix-word"
touch "$scratch/fonts/opentype/stix-word/STIXMath-Regular.otf"

# Writes down how make_book.py was called, and makes a first page. Without Sphinx until apt-get has run.
shim doxygen 'exit 0'
shim python3 "
if [[ \$1 == -c ]]; then [[ \$2 != *sphinx* || -e '$scratch/sphinx' ]]; exit; fi
printf '<%s>' \"\$@\" >'$scratch/called'
[[ -z \${FAKE_STATUS:-} ]] || exit \"\$FAKE_STATUS\"
while (( \$# )); do [[ \$1 == --output ]] && mkdir -p \"\$2/html\" && touch \"\$2/html/index.html\"; shift; done"
shim id "echo 1000"

# What is missing is named, with what it is for; without a terminal nothing is installed.
ends 2 "$book"
expect "sudo apt-get install --no-install-recommends python3-sphinx"
expect "makes the pages from the documents"
expect_no "fonts-stix"
expect_no "g++"
expect_true "nothing was installed" test ! -e "$scratch/system"
expect_true "nothing was built" test ! -e "$scratch/called"

# --yes installs it.
shim apt-get "echo \"apt-get \$*\" >>'$scratch/system'; touch '$scratch/sphinx'"
ends 0 "$book" --yes
expect "file://$tree/build/docs/html/index.html"
expect_true "what makes the pages of steps was built" \
  test "$(sort "$tree/build/emulated/built" | xargs)" == "common_verify cuda_emulator draw_accesses emulator_ahead_before_cxx20 emulator_translate"
expect_true "the build is passed on" grep -qF "<--emulated><$tree/build/emulated>" "$scratch/called"
expect "python3 -m http.server --directory '$tree/build/docs/html'"
expect_true "apt-get was run through sudo" grep -q '^sudo .*install .*python3-sphinx' "$scratch/system"
expect_true "a warning of Sphinx is no failure" test "$(grep -c -- --strict "$scratch/called")" == 0

# All is there: no question, no installation. Standard output is the address alone, with blanks as a browser wants them.
rm "$scratch/system"
ends 0 "$book" --strict --output "$scratch/my book"
expect_true "nothing was installed" test ! -e "$scratch/system"
expect_true "--strict is passed on" grep -q '<--strict>' "$scratch/called"
expect_true "the folder is passed on whole" grep -qF "<--output><$scratch/my book>" "$scratch/called"
expect_true "the address is all of standard output" \
  test "$("$book" --output "$scratch/my book" 2>/dev/null)" == "file://$scratch/my%20book/html/index.html"
shim wslpath 'echo "\\\\wsl\\book"'
attempt "$book"
expect 'From Windows: \\wsl\book'

# On paper.
shim chromium 'exit 0'
ends 0 "$book" --pdf
expect "On paper: $tree/build/docs/book.pdf"
expect_true "the page with all lessons is printed" \
  grep -qF "browser.py><$tree/build/docs/html/print.html><$tree/build/docs/book.pdf>" "$scratch/called"

# A book that cannot be built.
FAKE_STATUS=1 ends 1 "$book"
expect_no "Open it"
echo "add_custom_command(TARGET cuda_emulator COMMAND false)" >>"$tree/CMakeLists.txt"
ends 1 "$book"
expect "docs/book/build --no-steps leaves them out"
expect_no "Open it"

# Without the pages of steps nothing is compiled.
ends 0 "$book" --no-steps
expect_true "no build is passed on" test "$(grep -c -- --emulated "$scratch/called")" == 0
hide g++ c++ clang++ cmake
CPATH='' ends 0 "$book" --no-steps
ends 2 "$book"
expect "the C++20 compiler"

for wrong in --frob page --output; do
  ends 2 "$book" "$wrong"
done
ends 0 "$book" --help
expect "--yes"
finish
