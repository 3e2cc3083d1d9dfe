#!/usr/bin/env bash
# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
#
# test.sh MISTAKES NAME SOLUTION FILE PROGRAM DRAW SCREEN: what a learner sees of the program PROGRAM, whose source is FILE, is
# what the mistake NAME of the file MISTAKES expects. DRAW is draw_accesses, SCREEN learner_screen.
set -u
mistakes=$1 name=$2 solution=$3 exercise=$4 program=$5 draw=$6
root=$(cd "$(dirname "$0")/../../.." && pwd -P)
mapfile -t wanted < <(awk -v name="$name" '/^mistake / { inside = ($2 == name) } inside' "$mistakes")
EXERCISE_SECONDS=
for line in "${wanted[@]}"; do [[ $line != 'seconds '* ]] || EXERCISE_SECONDS=${line#seconds }; done
# One that does not end is to be talked about before it is ended.
[[ -z $EXERCISE_SECONDS ]] || export EMULATOR_PATIENCE=1
export EXERCISE_SECONDS=${EXERCISE_SECONDS:-100}
source "$root/common/commands/packages.sh"
source "$root/common/commands/build.sh"
source "$root/common/commands/lesson.sh"
source "$root/common/commands/exercise_check.sh"
starter() { awk -f "$root/common/commands/starter.awk" "$1"; }

number=${mistakes##*/}
number=${number%.txt}
n=${number#*_}
number=${number%_*}
chapter=${solution%/solutions/*}
preset=emulated
verbose=0
progress=${exercise%/*}
hints=1
for line in "${wanted[@]}"; do [[ $line != 'before a hint' ]] || hints=0; done
echo "$hints" >"$progress/hints_${number}_$n"
screen_folder=${7%/bin/*}
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
mapfile -t lines <<<"$screen"
# Without line ends: where the terminal breaks a line is of no interest.
one_space() {  # sets `text`
  text=${1//$'\n'/ }
  while [[ $text == *'  '* ]]; do text=${text//  / }; done
}
one_space "$screen "
flat=$text
(( status )) || ! all_ran || wrong "the mistake passes all checks"
(( ${#lines[@]} <= 25 )) || wrong "the screen has ${#lines[@]} lines"
for text in '(CHECK|REQUIRE|WARN)[A-Z_]*\(' '\{\?\}' '\[doctest]' 'is NOT correct'; do
  [[ ! $screen =~ $text ]] || wrong "the screen has words of the framework: $text"
done
numbers='^ *[0-9.e+-]+ (==|!=|<=|>=|<|>) [0-9.e+-]+$'
for line in "${lines[@]}"; do
  # doctest prints a text that it takes for a pointer as an address; the emulated device says that it is one.
  [[ $line == *'address 0x'* || ! $line =~ 0x[0-9a-f]{9} ]] || wrong "the screen has an address of the host: $line"
  [[ ! $line =~ $numbers ]] || wrong "a line has only two numbers: $line"
done

# found PATTERN: the first line that has it is number `at` and matched; 0 where there is none.
found() {
  for (( at = 1; at <= ${#lines[@]}; at++ )); do
    [[ ${lines[at - 1]} =~ $1 ]] && return
  done
  at=0
  return 1
}
# The order of what is there.
last=0
part() {
  if ! found "$2"; then
    [[ $1 == may ]] || wrong "there is no line $2"
    return
  fi
  (( at > last )) || wrong "$2 comes too early"
  last=$at
}
part must '^(This check failed|The emulated device ended this check|This check did not end|The program (crashed|ended))'
part may ': error: '
part must '^([0-9]+ of [0-9]+ checks failed|This was check|Of [0-9]+ checks)'
part must '^Where to look: '
part must '^A hint: chapters/exercise hint'
part may '^A report of this run(, with its timeline)?: '
part may '^What was counted, as a picture: '

place=
if found '^Where to look: (.*)$'; then place=${BASH_REMATCH[1]}; fi
place=${place%%[, ]*}
looked_at=
if (( ! hints )); then
  # Where faults are to be found: neither the line nor the cause.
  looked_at=$place
  [[ -f $root/$place ]] || wrong "'$place' is no file"
  [[ ! $screen =~ ${exercise##*/}:[0-9] ]] || wrong "the screen has a line before a hint"
  [[ $screen != *'Usual cause'* ]] || wrong "the screen has a cause before a hint"
elif [[ $place == *:* ]]; then looked_at=$(sed -n "${place##*:}p" "$root/${place%:*}"); fi
[[ -n $looked_at ]] || wrong "'$place' is no line of the file"

if found '^A report of this run(, with its timeline)?: (.*)$'; then
  report=${BASH_REMATCH[2]}
  timeline=${BASH_REMATCH[1]}
  launch=
  if [[ $report =~ ^(.*)' (launch '([0-9]+)')'$ ]]; then
    report=${BASH_REMATCH[1]}
    launch=${BASH_REMATCH[2]}
  fi
  if [[ ! -s $root/$report ]]; then wrong "there is no report $report"
  elif [[ -n $launch ]] && ! grep -q "id=\"launch_$launch\"" "$root/$report"; then
    wrong "the report does not show launch $launch"
  elif [[ -n $timeline ]] && ! grep -q '<svg.*timeline_title' "$root/$report"; then
    wrong "the report has no timeline"
  fi
elif [[ $exercise == *.cu && -z $stopped ]] && grep -q '^finding' "$kept.result"; then
  wrong "there is no report of a finding"
fi
if found '^What was counted, as a picture: chapters/draw (.*)$'; then
  command=${BASH_REMATCH[1]}
  # shellcheck disable=SC2086  # words
  (cd "$root" && "$draw" $command -o "$kept.svg") || wrong "chapters/draw $command draws nothing"
fi

for line in "${wanted[@]}"; do
  one_space "${line#* }"
  case $line in
    'expect '*) [[ $flat == *"$text"* ]] || wrong "the screen should have: $text" ;;
    'never '*) [[ $flat != *"$text"* ]] || wrong "the screen should not have: $text" ;;
    'look '*) [[ $looked_at == *"${line#look }"* ]] || wrong "the place to look at is: $looked_at; not: ${line#look }" ;;
    'mistake '* | 'change '* | 'seconds '* | 'on starter' | 'before a hint' | '' | '#'*) ;;
    *) wrong "$mistakes has a line that nobody understands: $line" ;;
  esac
done
if (( failures )); then
  echo "$failures of what a learner needs is not so."
  exit 1
fi
echo "As it should be."
