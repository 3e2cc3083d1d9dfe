# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
# shellcheck shell=bash
#
# Checks one answer: builds it, runs its checks, and says what came of it.
# Wants `root`, `state` and `preset`, and of the exercise `number`, `n`, `chapter`, `solution` and `exercise`;
# packages.sh, build.sh and lesson.sh must be read, and `starter FILE` must print the starter of a solution.

# What an answer is remembered by: the learner's file together with the checks that it has passed.
fingerprint() { cat "$exercise" "${exercise%/*}/checks.cpp" "${exercise%.*}.hpp" 2>/dev/null | sha256sum | cut -d' ' -f1; }

# Where the compiler refuses the learner's file, its words are what matters, not the build's.
show_compiler_messages() {
  local log=$root/build/$preset/build.log messages
  messages=$(awk '
    /^FAILED:/ { command = 1; next }
    command { command = 0; next }
    /^\[[ 0-9\/%]*\]/ || /^ninja: / || /^g?make/ || /^-- / { next }
    { print }' "$log" | trim_blank_lines)
  printf '%s\n' "$messages" >&2
  say ""
}

# Status 0 passed, 1 not.
check_one() {
  local status
  [[ -e $exercise ]] || refuse "${exercise#"$root"/} is missing: chapters/exercise reset $number $n brings it back."
  strong "Exercise $number $n: $(exercise_title "$chapter" "$n")"
  export build_failure_log=none
  if ! build "$preset" "exercise_${number}_$n"; then
    [[ -e $root/build/$preset/build.log ]] && show_compiler_messages
    say "It does not compile yet. The compiler's first message is the one to read (whole log: build/$preset/build.log)."
    return 1
  fi
  # Bash's own line about a program that crashed would only name a line of this script.
  { "$root/build/$preset/bin/exercise_${number}_$n" 2>&3; } 3>&2 2>/dev/null
  status=$?
  if (( status )); then
    say ""
    case $status in
      1) say "Not solved yet: the messages above say what the checks expected and what they got." ;;
      *) say "It ended with status $status$( (( status > 128 )) && printf ' (signal %d, a crash)' $(( status - 128 )))." ;;
    esac
    if starter "$solution" | cmp -s - "$exercise"; then say "Write your answer in ${exercise#"$root"/}, at the place that the file marks."; fi
    say "A hint: chapters/exercise hint $number $n"
    return 1
  fi
  mkdir -p "$state"
  fingerprint >"$state/passed_${number}_$n"
  strong "Solved."
  echo
  echo "What you learned"
  exercise_details "$chapter" "$n" "What you learned" | plain_signs | sed 's/^/  /'
  echo
}
