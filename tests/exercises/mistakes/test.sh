#!/usr/bin/env bash
# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
#
# test.sh MISTAKES NAME SOLUTION FILE PROGRAM DRAW: what a learner sees of the program PROGRAM, whose source is FILE, is
# what the mistake NAME of the file MISTAKES expects. DRAW is draw_accesses.
set -u
mistakes=$1 name=$2 solution=$3 exercise=$4 program=$5 draw=$6
root=$(cd "$(dirname "$0")/../../.." && pwd -P)
lines() { awk -v name="$name" '/^mistake / { inside = ($2 == name) } inside' "$mistakes"; }
EXERCISE_SECONDS=$(lines | sed -n 's/^seconds //p')
# One that does not end is to be talked about before it is ended.
[[ -z $EXERCISE_SECONDS ]] || export EMULATOR_PATIENCE=1
export EXERCISE_SECONDS=${EXERCISE_SECONDS:-100}
source "$root/common/commands/packages.sh"
source "$root/common/commands/build.sh"
source "$root/common/commands/lesson.sh"
source "$root/common/commands/exercise_check.sh"
starter() { awk -f "$root/common/commands/starter.awk" "$1"; }

number=$(basename "$mistakes" .txt)
n=${number#*_}
number=${number%_*}
chapter=${solution%/solutions/*}
preset=emulated
verbose=0
kept=${exercise%/*}/run
report=$kept.html
status=0
stopped=
check_answer "$program" 2>/dev/null
screen=$(show_failure 2>&1)
printf '%s\n' "$screen"
echo "--------"

failures=0
wrong() {
  printf 'WRONG: %s\n' "$*"
  failures=$(( failures + 1 ))
}
# Without line ends: where the terminal breaks a line is of no interest.
flat=$(tr -s ' \n' ' ' <<<"$screen")
(( status )) || [[ -z $all_ran ]] || wrong "the mistake passes all checks"
(( $(wc -l <<<"$screen") <= 25 )) || wrong "the screen has $(wc -l <<<"$screen") lines"
while IFS= read -r text; do
  grep -qE -- "$text" <<<"$screen" && wrong "the screen has words of the framework: $text"
done <<'END'
(CHECK|REQUIRE|WARN)[A-Z_]*\(
\{\?\}
\[doctest\]
is NOT correct
END
# doctest prints a text that it takes for a pointer as an address; the emulated device says that it is one.
grep -vE 'address 0x' <<<"$screen" | grep -qE '0x[0-9a-f]{9,}' && wrong "the screen has an address of the host"
grep -qE '^ *[0-9.e+-]+ (==|!=|<=|>=|<|>) [0-9.e+-]+$' <<<"$screen" && wrong "a line has only two numbers"

# The order of what is there.
last=0
part() {
  local at
  at=$(grep -nE -m 1 -- "$2" <<<"$screen" | cut -d: -f1)
  if [[ -z $at ]]; then
    [[ $1 == may ]] || wrong "there is no line $2"
    return
  fi
  (( at > last )) || wrong "$2 comes too early"
  last=$at
}
part must '^(This check failed|The emulated device ended this check|This check did not end|The program (crashed|ended))'
part may ': error: '
part must '^([0-9]+ of [0-9]+ checks failed|This was check)'
part must '^Where to look: '
part must '^A hint: chapters/exercise hint'
part may '^A report of this run: '
part may '^What was counted, as a picture: '

place=$(sed -n 's/^Where to look: //p' <<<"$screen" | head -n 1)
place=${place%%[, ]*}
looked_at=
if [[ $place == *:* ]]; then looked_at=$(sed -n "${place##*:}p" "$root/${place%:*}"); fi
[[ -n $looked_at ]] || wrong "'$place' is no line of the file"

if grep -q '^A report' <<<"$screen"; then
  report=$(sed -n 's/^A report of this run: //p' <<<"$screen")
  if [[ ! -s $root/${report%#*} ]]; then wrong "there is no report ${report%#*}"
  elif [[ $report == *'#'* ]] && ! grep -q "id=\"${report#*#}\"" "$root/${report%#*}"; then
    wrong "the report has no ${report#*#}"
  fi
elif [[ $exercise == *.cu && -z $stopped ]] && (( ${#findings[@]} )); then
  wrong "there is no report of a finding"
fi
command=$(sed -n 's/^What was counted, as a picture: chapters\/draw //p' <<<"$screen")
if [[ -n $command ]]; then
  # shellcheck disable=SC2086  # words
  (cd "$root" && "$draw" $command -o "$kept.svg") || wrong "chapters/draw $command draws nothing"
fi

while IFS= read -r line; do
  text=${line#* }
  text=$(tr -s ' ' <<<"$text")
  case $line in
    'expect '*) [[ $flat == *"$text"* ]] || wrong "the screen should have: $text" ;;
    'never '*) [[ $flat != *"$text"* ]] || wrong "the screen should not have: $text" ;;
    'look '*) [[ $looked_at == *"${line#look }"* ]] || wrong "the place to look at is: $looked_at; not: ${line#look }" ;;
    'mistake '* | 'change '* | 'seconds '* | 'on starter' | '' | '#'*) ;;
    *) wrong "$mistakes has a line that nobody understands: $line" ;;
  esac
done < <(lines)
if (( failures )); then
  echo "$failures of what a learner needs is not so."
  exit 1
fi
echo "As it should be."
