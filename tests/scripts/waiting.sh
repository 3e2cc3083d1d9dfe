#!/usr/bin/env bash
# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
#
# What long work shows, on a terminal and without one.
source "$(dirname "${BASH_SOURCE[0]}")/tree.sh"
make_tree
unset TUTORIAL_PROGRESS

cat >"$scratch/work" <<END
root=$tree
source "\$root/common/commands/packages.sh"
build() { for i in 1 2 3; do echo "[\$i/3] Building CXX object some/where/part_\$i.cpp_cxx.cxx.o"; sleep 1.4; done; printf 'no line end'; return 3; }
silent() { sleep 3.5; echo done; return 4; }
quick() { echo "[0/1] Re-checking globbed directories..."; }
case \$1 in
  log) run_quietly "$scratch/log" "Building" build ;;
  quick) run_quietly "$scratch/log" "Building" quick ;;
  silent) with_progress "Thinking" silent ;;
  brief)
    trap 'echo tidied' EXIT
    for i in {10..49}; do with_progress "Blinking" sleep ".00${i:0:1}${i:1}"; done
    echo worked ;;
esac
END

# on_terminal COMMAND...: as attempt, on a terminal; what that got is in \`output\`.
on_terminal() {
  last="on a terminal: $*"
  output=$(TERM=xterm script -qec "$(printf '%q ' "$@")" /dev/null </dev/null)
  status=$?
}
erase=$'\r\033[K'
# A busy machine may skip a second.
expect_line() { grep -qE -- "$1" <<<"$output" || complain "the output should contain something like: $1"; }

TUTORIAL_PROGRESS=2 ends 3 bash "$scratch/work" log
expect "Building (log: $scratch/log)"
expect_line 'Building: [23] of 3, last: part_[23]\.cpp, [2-9] s'
expect_true "two lines or three say what it is at" test "$(wc -l <<<"$output")" -le 3
expect_true "the log is whole" test "$(tail -n 2 "$scratch/log")" == $'[3/3] Building CXX object some/where/part_3.cpp_cxx.cxx.o\nno line end'
attempt bash "$scratch/work" log
expect_true "without a terminal a few seconds are no news" test "$output" == "Building (log: $scratch/log)"
TUTORIAL_PROGRESS=0 attempt bash "$scratch/work" log
expect_true "none is wanted" test -z "$output"
attempt bash "$scratch/work" quick
expect_true "nothing to do is no news" test -z "$output"
on_terminal bash "$scratch/work" log
expect_status 3
expect_line "${erase//\[/\\[}Building: 1 of 3, last: part_1\.cpp, [1-9] s"
expect_line "${erase//\[/\\[}Building: 3 of 3, last: part_3\.cpp, [3-9] s"
expect_true "the line is wiped in the end" test "${output: -4}" == "$erase"

TUTORIAL_PROGRESS=1 ends 4 bash "$scratch/work" silent
expect_true "there is a line about each second" test "$(grep -cE '^Thinking, [1-9] s$' <<<"$output")" -ge 2
expect_true "it ends with what was printed" test "${output: -4}" == "done"
attempt bash "$scratch/work" silent
expect_true "without a terminal a few seconds are no news" test "$output" == "done"
on_terminal bash "$scratch/work" silent
expect_status 4
expect_true "the line is drawn again about each second" \
  test "$(grep -oE "${erase//\[/\\[}Thinking, [1-9] s"$'\r' <<<"$output" | wc -l)" -ge 2

# Work that ends at once: the ticker, killed before it has begun, does not tidy up for its caller.
attempt bash "$scratch/work" brief
expect_true "tidied once, at the end" test "$output" == $'worked\ntidied'
on_terminal bash "$scratch/work" brief
expect_true "likewise on a terminal" test "$(sed 's/.*\r\x1b\[K//; s/\r$//' <<<"$output")" == $'worked\ntidied'

# What is killed leaves no ticker.
bash "$scratch/work" silent >"$scratch/log" 2>&1 &
work=$!
sleep 1
kill -KILL "$work"
{ wait "$work"; } 2>/dev/null
sleep 3
expect_true "nothing goes on" test -z "$(grep -l "$scratch/work" /proc/[0-9]*/cmdline 2>/dev/null)"
finish
