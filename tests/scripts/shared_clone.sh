#!/usr/bin/env bash
# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
#
# A clone that the user cannot write to, as a lab's shared folder: commands go on in a copy of the user's own. root could
# write anywhere, and runs them as another user.
source "$(dirname "${BASH_SOURCE[0]}")/tree.sh"
as_user=()
if (( EUID == 0 )); then
  as_user=(setpriv --reuid=65534 --regid=65534 --clear-groups)
  if ! "${as_user[@]}" true 2>/dev/null; then
    echo "SKIPPED: root cannot become another user here (setpriv)"
    exit
  fi
fi
make_tree
cp "$repository"/chapters/{grade,draw} "$tree/chapters/"
mkdir "$scratch/home"
chmod -R a+rX,go-w "$scratch"
if (( EUID == 0 )); then chown 65534:65534 "$scratch/home"; fi
trap 'chmod -R u+w "$scratch"; rm -rf "$scratch"' EXIT
chmod -R a-w "$tree"
unset XDG_DATA_HOME
export HOME=$scratch/home
user() { attempt "${as_user[@]}" "$@"; }
run=$tree/chapters/run
exercise=$tree/chapters/exercise

user "$run" 02 --length 3
expect_status 0
expect "<--length><3> ran"
copy=$(echo "$HOME"/.local/share/from-convolution-to-compression/tree-*)
expect_true "there is one copy" test -d "$copy"
expect "You can't write to this clone. Your own copy is in $copy: edit the files there."
expect_true "the copy is built" test -x "$copy/build/emulated/bin/02_second"
expect_true "nothing is built in the clone" test ! -e "$tree/build"
expect_true "the copy can be written to" "${as_user[@]}" test -w "$copy/chapters/02_second/exercises/1_sum/sum.cpp"
user "$run" 02
expect_true "later, only the place is said" test "$output" == "You can't write to this clone. Your own copy is in $copy: edit the files there."$'\n'" ran"
user "$copy/chapters/run" 02
expect_true "in the copy, all is as in any clone" test "$output" == " ran"
user "$run" --help
expect_no "cannot be written to"

# An exercise: the answer, the marks and the hints are in the copy, from wherever its files are named.
answer=chapters/02_second/exercises/1_sum/sum.cpp
cd "$tree/chapters" || exit
user "$exercise" check "${answer#chapters/}"
expect_status 1
expect "sum(1, 2) is 0, not 3"
"${as_user[@]}" sed -i 's/return a \* 0 + b \* 0;/return a + b;  \/\/ mine/' "$copy/$answer"
user "$exercise" check "$tree/$answer"
expect_status 0
expect "1 of 2 in chapter 02"
user "$exercise" list
expect "solved"
user "$exercise" hint 02 2
expect "First hint of 2."
expect_true "marks and hints are in the copy" test -e "$copy/.progress/passed_02_1" -a -e "$copy/.progress/hints_02_2"
echo 'int main() {}' >"$scratch/elsewhere.cu"
cd "$scratch" || exit
user "$tree/chapters/draw" elsewhere.cpp
expect "elsewhere.cpp is not there"
user "$tree/chapters/grade" nowhere table.csv
expect "Your own copy is in $copy"
expect "There is no folder '$scratch/nowhere'"
user "$tree/tests/run" 00_first
expect_status 0
expect_true "tests are built in the copy" test -x "$copy/build/emulated/bin/00_first"

# The clone is brought up to date: so is the copy, but for what the user has written.
chmod -R u+w "$tree"
sed -i 's/ ran/ ran again/' "$tree/chapters/02_second/main.cpp"
sed -i 's/b \* 0/b * 0 * 0/' "$tree/$answer" "$tree/chapters/02_second/exercises/2_sum/sum.cpp"
rm "$tree/chapters/00_first/README.md"
chmod -R a-w "$tree"
user "$run" 02
expect " ran again"
expect "$answer has changed in the clone, but you have edited your copy of it, so your copy is kept."
expect_true "what is gone is gone" test ! -e "$copy/chapters/00_first/README.md"
expect_true "what the user has not changed is new" grep -q 'b \* 0 \* 0' "$copy/chapters/02_second/exercises/2_sum/sum.cpp"
expect_true "what the user has written stays" grep -q mine "$copy/$answer"
user "$run" 02
expect_no "stays"

# Nowhere to write.
HOME=$tree user "$run" 02
expect_status 2
expect "set XDG_DATA_HOME to a folder of your own"
XDG_DATA_HOME=$scratch/home/data HOME=$tree user "$run" 02
expect_status 0
expect "Your own copy is in $scratch/home/data/from-convolution-to-compression/"

# A clone of the user's own in which another user has built.
cp -r "$copy" "$scratch/home/own"
if (( EUID == 0 )); then chown -R 65534:65534 "$scratch/home/own"; chown -R 0:0 "$scratch/home/own/build"; fi
chmod a-w "$scratch/home/own/build"
user "$scratch/home/own/chapters/run" 02
expect_status 2
expect "$scratch/home/own/build belongs to another user"
expect_no "unbound"
if (( EUID == 0 )); then chown 65534:65534 "$scratch/home/own/build"; fi
chmod u+w "$scratch/home/own/build"
chmod a-w "$scratch/home/own/build/emulated.lock"
user "$scratch/home/own/chapters/run" 02
expect_status 2
expect "emulated.lock cannot be written to"
finish
