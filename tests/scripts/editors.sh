#!/usr/bin/env bash
# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
#
# What docs/editors.md says of VS Code, clangd and gdb:  editors.sh EMUCC STARTER LEARNER_SCREEN CHAPTER
# The starter is that of exercise 02.1, which compiles and fails; the chapter is the tests' own.
source "$(dirname "${BASH_SOURCE[0]}")/tree.sh"
emucc=$1 starter=$2 screen=$3 chapter=$4
cd "$repository" || exit 1
export EMUCC_QUIET=1
skipped=""  # said in the end, if nothing has failed

# Each message that VS Code is to show, by the regular expressions of tasks.json: "file:line".
problems() {
  python3 - "$repository" 3<<<"$output" <<'PYTHON'
import json, os, pathlib, re, sys
tasks = json.loads(pathlib.Path(".vscode/tasks.json").read_text(encoding="utf-8"))
lines = os.fdopen(3, encoding="utf-8").read().splitlines()
for at in range(len(lines)):
    for matcher in tasks["problemMatcher"]:
        patterns = matcher["pattern"] if isinstance(matcher["pattern"], list) else [matcher["pattern"]]
        found = [re.search(pattern["regexp"], line) for pattern, line in zip(patterns, lines[at:])]
        if len(found) == len(patterns) and all(found):
            part = lambda what: ", ".join(f[p[what]] for p, f in zip(patterns, found) if what in p)
            print(f"{part('file').removeprefix(sys.argv[1] + '/')}:{part('line')}: {part('message')}")
            break
PYTHON
}
shows() {
  output+=$'\n== shown: '$(problems)
  [[ ${output#*== shown: } == *"$1"* ]] || complain "VS Code should show: $1"
}

if command -v python3 >/dev/null; then
  sed 's/if (n >= length) return;//' docs/own_kernels/mean.cu >"$scratch/beyond.cu"
  attempt "$emucc" -run "$scratch/beyond.cu" -o "$scratch/beyond"
  shows "beyond.cu:20: access out of bounds in kernel mean_kernel"
  sed 's/threadIdx.x;/threadIdx.w;/' docs/own_kernels/mean.cu >"$scratch/wrong.cu"
  attempt "$emucc" "$scratch/wrong.cu" -o "$scratch/wrong"
  shows "wrong.cu:18: "
  attempt env TEST_CHAPTER=failing_check "$chapter"
  line=$(sed -n '/failing on demand/=' tests/common/test_chapter_checks.cpp)
  shows "tests/common/test_chapter_checks.cpp:$line: second, "
  exercise=chapters/02_direct_kernel/exercises/1_every_third/every_third.cu
  attempt env EXERCISE_RESULT="$scratch/kept.result" "$starter"
  attempt "$screen" check "$repository" "02 1" "$repository/$exercise" \
    "$repository/chapters/02_direct_kernel/solutions/1_every_third.cu" "$scratch/kept" "" 1 100 0 ""
  shows "$exercise:18: Where to look: $exercise:18"
else
  skipped+='SKIPPED: python3 was not found: the problem matchers of VS Code were not tried'$'\n'
fi

# clangd: no error in what compiles, and those that are there.
if command -v clangd >/dev/null; then
  check() { attempt clangd --check="$1"; output=$(grep -E '^[EW].*\] Line [0-9]' <<<"$output"); }
  for file in chapters/05_shared_memory/*.cu chapters/07_fft_convolution/kernels/convolve_overlap_save.cu \
    docs/own_kernels/mean.cu chapters/05_shared_memory/demo.cpp; do
    check "$file"
    expect_true "clangd has nothing to say" test -z "$output"
  done
  cp -r .clangd compile_flags.txt "$scratch/"
  mkdir -p "$scratch/common" && ln -s "$repository/common/emulator" "$scratch/common/emulator"
  check "$scratch/wrong.cu"
  expect "Line 18: no member named 'w' in 'uint3'"
else
  skipped+='SKIPPED: clangd was not found (package clangd): what it says of .cu files was not tried'$'\n'
fi

# gdb: the commands of the page, and what it shows of their answers, in this order.
if command -v gdb >/dev/null; then
  page=$(sed -n '/^(gdb) break/,/^```/p' docs/editors.md | sed '$d')
  sed -n 's/^(gdb) //p' <<<"$page" >"$scratch/commands"
  expect_true "the page has commands" test -s "$scratch/commands"
  "$emucc" -g docs/own_kernels/mean.cu -o "$scratch/mean"
  attempt gdb -q -nx -batch -ex "set debuginfod enabled off" -ex "set style enabled off" -x "$scratch/commands" "$scratch/mean"
  rest=$output
  while IFS= read -r line; do
    [[ $rest == *"$line"* ]] || { complain "the page says: $line"; break; }
    rest=${rest#*"$line"}
  done < <(grep -vE '^(\(gdb\) |\.\.\.$)' <<<"$page")
else
  skipped+='SKIPPED: gdb was not found (package gdb): what its page shows was not tried'$'\n'
fi
(( failures )) || printf "%s" "$skipped"
finish
