# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
# shellcheck shell=bash
#
# Checks one answer: builds it, runs its checks, and prints what came of it, as learner_screen composes it.
# Wants `root`, `state`, `progress` and `preset`, and of the exercise `number`, `n`, `chapter`, `solution` and `exercise`;
# packages.sh, build.sh and lesson.sh must be read, and `starter FILE` must print the starter of a solution.
# `verbose`, if it is not 0, shows what doctest and the compiler say themselves, too.

# Of a build that failed, only the compiler's messages (build.sh).
build_failure_log=messages
# Seconds that a test case may take before it is ended.
most_seconds=${EXERCISE_SECONDS:-120}

# What an answer is remembered by: the learner's file together with the checks that it has passed.
# Of the answer alone: an update of its checks takes nothing back.
fingerprint() { sha256sum <"$exercise" | cut -d" " -f1; }

# run_answer PROGRAM: runs its checks, with progress. Sets `status`, and `stopped` to why it was ended, if it was. What it
# wrote is in $kept.result, .out and .err, of the emulated device also in $report and $kept.trace.
run_answer() {
  local began=$SECONDS case_began=$SECONDS case_count=-1 count process old_trap arguments=()
  local environment=(EXERCISE_RESULT="$kept.result" EXERCISE_ANSWER="${exercise##*/}") words notes told=0 announced=0 each
  rm -f "$kept".{result,out,err,trace} "$report"
  if [[ $preset == emulated ]]; then
    environment+=(EMULATOR_REPORT="$report" EXERCISE_TRACE="$kept.trace")
    # What the caller wants beside it, from where the caller is.
    for each in EMULATOR_TRACE EMULATOR_TIMELINE; do
      if [[ -n ${!each:-} ]]; then environment+=("$each=$(realpath -m "${!each}")"); fi
    done
  fi
  (( verbose )) && arguments=(--verbose)
  stopped=
  # In the repository's folder, so that what names a file names it from there.
  (cd "$root" && exec env "${environment[@]}" "$1" "${arguments[@]}") >"$kept.out" 2>"$kept.err" </dev/null &
  process=$!
  {
    begin_progress "Checking" 2>&"$screen"
    old_trap=$(trap -p INT)
    trap 'stopped="you stopped it"; kill -TERM "$process" 2>/dev/null' INT
    while kill -0 "$process" 2>/dev/null; do
      sleep 0.1
      (( SECONDS - began < 3 )) && continue
      count=$(grep -c '^end' "$kept.result" 2>/dev/null)
      if (( ${count:-0} != case_count )); then
        case_count=${count:-0}
        case_began=$SECONDS
      elif (( SECONDS - case_began >= most_seconds )) && [[ -z $stopped ]]; then
        stopped="it had run for $most_seconds seconds"
        kill -TERM "$process" 2>/dev/null
      elif (( SECONDS - case_began >= most_seconds + 10 )); then
        kill -KILL "$process" 2>/dev/null
      fi
      # What the emulated device says of a kernel that goes on, at once.
      mapfile -t notes < <(sed -n 's/^note\tlong_kernel\t[^\t]*\t//; T; s/\\n.*//; p' "$kept.result" 2>/dev/null)
      if (( ${#notes[@]} > told )); then
        end_progress
        for (( ; told < ${#notes[@]}; ++told )); do say "${notes[told]% Ctrl-C ends the program.}"; done
        say "The check continues until it has run for $most_seconds seconds; ${check_ends_by:-Ctrl-C ends it}."
      fi 2>&"$screen"
      words=$(grep -c $'^case\t' "$kept.result" 2>/dev/null)
      progress_step="check ${words:-1} of $(sed -n 's/^cases\t//p' "$kept.result" 2>/dev/null)"
      progress_what="${check_ends_by:-Ctrl-C ends it}"
      # A check that takes long says so early, also where it cannot be watched.
      if (( ! announced )); then progress_drawn=$(( SECONDS - progress_seconds )); fi
      announced=1
      tick_progress 2>&"$screen"
    done
    end_progress 2>&"$screen"
    wait "$process"
    status=$?
  } {screen}>&2 2>/dev/null  # bash's own line about a crash would name a line of this script
  exec {screen}>&-
  trap - INT
  eval "$old_trap"
}

# Whether every case ended by itself, as far as the program has told of any (tests/exercises/exercise_result.md).
all_ran() { ! grep -qs $'^cases\t[1-9]' "$kept.result" || grep -q '^done' "$kept.result"; }

# "0,3,0": the block of the first finding, if there is one.
block_of_finding() {
  awk -F'\t' '$1 == "finding" && ++found > 1 { exit } $1 == "fact" && $2 == "block" { gsub(/[() ]/, "", $3); print $3; exit }' \
    "$kept.result" 2>/dev/null
}

# check_answer PROGRAM: runs its checks, and sets what run_answer sets. The report shows the first block of a launch; where
# the finding is in another one, and is found within seconds, the checks run again for that block.
check_answer() {
  local began=$SECONDS block
  run_answer "$1"
  [[ $preset == emulated && -z ${EMULATOR_TRACE_BLOCK:-} ]] || return 0
  block=$(block_of_finding)
  [[ -n $block && $block != 0,0,0 ]] && (( SECONDS - began <= 5 )) || return 0
  EMULATOR_TRACE_BLOCK=$block run_answer "$1"
}

# Where not all is well: one screen.
show_failure() {
  learner_screen check "$root" "$number $n" "$exercise" "$solution" "$kept" "$report" "$status" "$(screen_width)" "$verbose" \
    "$(cat "$progress/hints_${number}_$n" 2>/dev/null)" ${stopped:+"$stopped"} >&2
}

# Keeps in $kept.warnings what the compiler has just warned of in the answer. A build that had nothing to compile says
# nothing new.
keep_warnings() {
  local log=$root/build/$preset/build.log
  grep -qF "${exercise#"$root"/}" "$log" 2>/dev/null || return 0
  : >"$kept.warnings"
  if grep -qF ': warning: ' "$log"; then learner_screen warnings "$root" "$log" "$exercise" >"$kept.warnings"; fi
}

# Status 0 passed, 1 not.
check_one() {
  local status stopped kept report checked printed
  [[ -e $exercise ]] || refuse "${exercise#"$root"/} is missing: chapters/exercise reset $number $n brings it back."
  strong "Exercise $number $n: $(exercise_title "$chapter" "$n")"
  if ! grep -q '[^[:space:]]' "$exercise"; then
    say "${exercise#"$root"/} is empty: has your editor saved it? chapters/exercise reset $number $n brings the starter back."
    return 1
  fi
  checked=$(fingerprint)  # before it can be saved again
  more_messages="chapters/exercise check $number $n --verbose"
  build "$preset" "exercise_${number}_$n" || return 1
  mkdir -p "$state"
  kept=$state/${number}_$n
  keep_warnings
  report=$(realpath -m "${EMULATOR_REPORT:-$kept.html}")
  check_answer "$root/build/$preset/bin/exercise_${number}_$n"
  (( verbose )) && cat "$kept.out" "$kept.err" >&2
  # An answer that ends the program has not been checked, whatever the status.
  if (( status )) || ! all_ran; then
    show_failure
    return 1
  fi
  if (( ! verbose )); then
    head -n 15 "$kept.out"
    printed=$(wc -l <"$kept.out")
    if (( printed > 15 )); then echo "  ... and $(( printed - 15 )) more lines: chapters/exercise check $number $n --verbose"; fi
  fi
  if grep -q '^Several devices were not checked' "$kept.out"; then
    say "Not solved yet: chapters/exercise check $number $n --preset emulated"
    return 1
  fi
  mkdir -p "$progress"
  echo "$checked" >"$progress/passed_${number}_$n"
  strong "Solved."
  echo
  if grep -q 'id="kernels"' "$report" 2>/dev/null; then
    echo "Your kernels in pictures: ${report#"$root"/}"
    echo
  fi
  echo "What you learned"
  exercise_details "$chapter" "$n" "What you learned" | plain_signs | sed 's/^/  /'
  echo
}

# All exercises that are begun, a line each; of those that are not solved, what is wrong, too. Status 1 where there is one.
check_all() {
  local begun=0 open=0 said='' fence='' result
  prepare "$asked_preset" "$yes"
  mkdir -p "$state"
  if (( summary )); then
    printf '| exercise | |\n| --- | --- |\n'
    fence='```'
  fi
  # shellcheck disable=SC2317  # each_exercise calls it
  check_begun() {
    [[ $(exercise_state) == edited || $(exercise_state) == solved ]] || return 0
    begun=$(( begun + 1 ))
    result=solved
    if ! progress_seconds=0 check_one >"$state/said" 2>&1 </dev/null; then
      result="not solved"
      open=$(( open + 1 ))
      said+=$fence$'\n'$(cat "$state/said")$'\n'$fence$'\n'
    fi
    result="$number.$n $(exercise_title "$chapter" "$n") | $result"
    if (( summary )); then result="| $result |"; fi
    echo "$result"
  }
  each_exercise "" check_begun
  printf '\nOf %s that you have begun, %s are solved.\n%s' "$begun" "$(( begun - open ))" "$said"
  (( ! open ))
}
