# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
# shellcheck shell=bash
#
# Checks one answer: builds it, runs its checks, and says on one screen what came of it.
# Wants `root`, `state` and `preset`, and of the exercise `number`, `n`, `chapter`, `solution` and `exercise`;
# packages.sh, build.sh and lesson.sh must be read, and `starter FILE` must print the starter of a solution.
# `verbose`, if it is not 0, shows what doctest and the compiler say themselves, too.
source "$(dirname "${BASH_SOURCE[0]}")/exercise_result.sh"

# Of a build that failed, only the compiler's messages (build.sh).
build_failure_log=messages
more_messages=--verbose
# Seconds that a test case may take before it is ended.
most_seconds=${EXERCISE_SECONDS:-120}
# Lines of a screen.
most_lines=25

# What an answer is remembered by: the learner's file together with the checks that it has passed.
fingerprint() { cat "$exercise" "${exercise%/*}/checks.cpp" "${exercise%.*}.hpp" 2>/dev/null | sha256sum | cut -d' ' -f1; }

# Rows of the terminal that standard input takes as it is.
rows() { awk -v width="$(screen_width)" '{ rows += length ? int((length - 1) / width) + 1 : 1 } END { print rows + 0 }'; }

# What a signal means to somebody who does not know its name.
signal_in_words() {
  case $1 in
    SIGSEGV | SIGBUS) echo "it used memory that is not its own" ;;
    SIGFPE) echo "an impossible division, by zero most often" ;;
    SIGILL) echo "an instruction that does not exist, or a trap" ;;
    SIGABRT) echo "it gave up" ;;
    *) echo "a signal ended it" ;;
  esac
}

# The last lines that the program wrote to standard error, each behind a line end.
said_in_the_end() { grep -av '^ *$' "$kept.err" | tail -n 4 | sed "s#$root/##g; s/^/  /; 1s/^/\n/"; }

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
        say "The check goes on until it has run for $most_seconds seconds; ${check_ends_by:-Ctrl-C ends it}."
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

# check_answer PROGRAM: runs its checks, and sets what run_answer and read_result set. The report shows the first block
# of a launch; where the finding is in another one, and is found within seconds, the checks run again for that block.
check_answer() {
  local began=$SECONDS block
  run_answer "$1"
  read_result "$kept.result"
  [[ $preset == emulated && -z ${EMULATOR_TRACE_BLOCK:-} ]] && (( ${#findings[@]} )) || return 0
  block=${facts[block]:-}
  block=${block//[() ]/}
  [[ -n $block && $block != 0,0,0 ]] && (( SECONDS - began <= 5 )) || return 0
  EMULATOR_TRACE_BLOCK=$block run_answer "$1"
  read_result "$kept.result"
}

# Where not all is well: one screen.
show_failure() {
  local text others='' finding='' more most left=$most_lines tail=() place words where refused extra='' line timeline=
  # What is always there, in the end.
  { read -r where; refused=$(cat); } < <("${looks:-$root/build/$preset/bin/where_to_look}" "$root" "$exercise" "$solution" "$kept")
  if starter "$solution" | cmp -s - "$exercise"; then
    tail+=("(${exercise##*/} is still the file that you got. If you have written in it, save it first.)")
  fi
  tail+=("Where to look: $where" "A hint: chapters/exercise hint $number $n")
  line=$(grep -oE '>refused: |id="timeline"' "$report" 2>/dev/null)
  if [[ -n $launch$line ]] || (( ${#findings[@]} )); then
    place=${launch:-0}
    (( finding_launch )) && place=$finding_launch  # the report begins with a finding's launch, wherever it came
    [[ $line == *timeline* ]] && timeline=", with its timeline"
    line=${report#"$root"/}
    (( place )) && line+=" (launch $place)"
    tail+=("A report of this run$timeline: $line")
    if [[ -n $launch_view && -s $kept.trace ]]; then
      tail+=("What was counted, as a picture: chapters/draw ${kept#"$root"/}.trace --launch $launch --view $launch_view${launch_options:+ $launch_options}")
    fi
  fi

  # First the sentence.
  if (( cases == 0 )); then
    text="The program ended with status $status before its first check."
    (( status > 128 )) && text="The program crashed before its first check."
    [[ -n $stopped ]] && text="The program did not end."
  elif [[ -n $sentence ]]; then
    text="This check failed: $sentence_case"$'\n  '${sentence//$'\n'/$'\n  '}
  elif (( ${#findings[@]} )); then
    text="The emulated device ended this check: $case_name${given:+$'\n'  with $given}"
  elif [[ -n $stopped ]]; then
    text="This check did not end: $case_name${given:+$'\n'  with $given}"
  elif [[ -n $crashed ]]; then
    text="The program crashed in this check: $case_name${given:+$'\n'  with $given}"
  else
    text="The program ended with status $status in the middle of this check: $case_name${given:+$'\n'  with $given}"
  fi
  # Then what the device or the system says about it.
  if (( ${#findings[@]} )); then
    if [[ -n $sentence ]]; then finding="Then the emulated device ended this check: $case_name${given:+, with $given}"$'\n'; fi
    finding+=${findings[0]}
    # A call that failed, and may be why.
    line=$(grep -am 1 ': note: .* failed here: ' "$kept.err")
    [[ $line == *"${exercise##*/}:"* ]] && finding+=$'\nBefore that, at '${line/: note: /: }
    if (( ${#findings[@]} > 1 && ! verbose )); then
      more=$(( ${#findings[@]} - 1 ))
      extra="... and $more more finding$( (( more > 1 )) && echo s); chapters/exercise check $number $n --verbose shows all"
    fi
  elif [[ -n $stopped ]]; then
    finding=$long_kernel
    # Too early for that note, the report knows the kernel.
    [[ -n $finding ]] || finding=$(sed -n 's#^<dt>End</dt><dd>.*, in the middle of \(.*\)</dd>$#It was in the middle of \1.#p' \
      "$report" 2>/dev/null | sed 's/&lt;/</g; s/&gt;/>/g; s/&quot;/"/g; s/&amp;/\&/g')
    finding="It was ended, because $stopped."${finding:+$'\n'$finding}
    [[ -n $sentence ]] && finding="After that, this check did not end: $case_name${given:+, with $given}"$'\n'$finding
  elif [[ -n $crashed ]] || (( status > 128 )); then
    words=${crashed:-SIG$(kill -l $(( status - 128 )))}
    finding=$refused
    [[ -n $finding ]] || finding="$words: $(signal_in_words "$words").$(said_in_the_end)"
    [[ -n $sentence ]] && finding="After that, the program crashed in this check: $case_name${given:+, with $given}"$'\n'$finding
  else
    # Of calls that failed and nobody asked about, or why the program ended.
    finding=$(grep -a ': note: ' "$kept.err" | head -n 3)
    if [[ -z $finding && -z $all_ran ]]; then
      finding=$(said_in_the_end)
      (( cases )) && finding="Nothing crashed: a call such as exit() ends a program like this.$finding"
    fi
  fi
  if (( cases == 0 )); then
    others="No check was made."
  elif [[ -z $all_ran ]]; then
    others="This was check $(( ended_cases + 1 )) of $cases"
    (( ${#failed_cases[@]} )) && others+="; ${#failed_cases[@]} before it failed"
    others+="."
  elif (( ${#failed_cases[@]} > 1 )); then
    others="${#failed_cases[@]} of $cases checks failed. This one, too: "
    (( ${#failed_cases[@]} > 2 )) && others="${#failed_cases[@]} of $cases checks failed. These, too: "
    others+=$(printf '%s; ' "${failed_cases[@]:1}")
    others=${others%; }
  else
    others="1 of $cases checks failed."
  fi

  # What the compiler has seen may be why.
  if [[ -z ${findings[*]} && -s $kept.warnings ]]; then
    extra=$(printf '%s\n' ${extra:+"$extra"} "The compiler warns: $(head -n 1 "$kept.warnings")" | first_lines 3)
  fi

  # Each part has its share of the screen, and what is said last has no less of it than it needs.
  text=$(first_lines 5 <<<"$text")
  others=$(first_lines 2 <<<"$others")
  place=$(printf '%s\n' "${tail[@]}")  # not broken into lines: a command is to be copied
  left=$(( most_lines - 3 - $(wc -l <<<"$text") - $(wc -l <<<"$others") - $(rows <<<"$place") ))
  [[ -n $extra ]] && left=$(( left - $(wc -l <<<"$extra") ))
  if [[ -n $finding ]]; then
    most=$left
    [[ -s $kept.out ]] && most=$(( left - 4 ))  # what it printed is shown, too
    finding=$(first_lines "$most" <<<"$finding")
    left=$(( left - $(wc -l <<<"$finding") ))
  fi
  if [[ -s $kept.out ]] && (( ! verbose )); then
    say "It printed:"
    tr -d '\r' <"$kept.out" | sed 's/^/  | /' | first_lines "$(( left - 1 < 6 ? left - 1 : 6 ))" >&2
  fi
  say ""
  say "$text"
  [[ -n $finding ]] && say "$finding"
  [[ -n $extra ]] && say "$extra"
  say "$others"
  say ""
  say "$place"
}

# Of a file that does not compile: the lines with headers that it was given, and that are gone.
say_what_is_gone() {
  local line
  while IFS= read -r line; do say "Gone from the file that you got: $line"; done < <(
    starter "$solution" | grep '^ *#include' | grep -vxFf <(sed 's/[[:space:]]*$//' "$exercise"))
}

# Keeps in $kept.warnings what the compiler has just warned of in the answer, as far as a wrong result may come from it. A
# build that had nothing to compile says nothing new.
keep_warnings() {
  local log=$root/build/$preset/build.log
  grep -q "${exercise#"$root"/}" "$log" 2>/dev/null || return 0
  grep -E "$(basename "$exercise"):[0-9:]+ warning: .*\[-W(address|empty-body|maybe-uninitialized|misleading-indentation|parentheses|return-type|sequence-point|uninitialized|unused-value)\]" \
    "$log" | sed "s#$root/##; s/ \[-W[a-z-]*\]\$//; s/: warning: /: /
      s/: \(suggest braces around empty body in an [^a-z]*\|\)if[^a-z]*statement\( has empty body\|\)\$/: this if ends at its semicolon, so what comes behind it is done always/" |
    awk '!seen[$0]++' >"$kept.warnings"
}

# Status 0 passed, 1 not.
check_one() {
  local status stopped kept report checked
  [[ -e $exercise ]] || refuse "${exercise#"$root"/} is missing: chapters/exercise reset $number $n brings it back."
  strong "Exercise $number $n: $(exercise_title "$chapter" "$n")"
  if ! grep -q '[^[:space:]]' "$exercise"; then
    say "${exercise#"$root"/} is empty: has your editor saved it? chapters/exercise reset $number $n brings the starter back."
    return 1
  fi
  checked=$(fingerprint)  # before it can be saved again
  if ! build "$preset" "exercise_${number}_$n"; then
    say_what_is_gone
    return 1
  fi
  mkdir -p "$state"
  kept=$state/${number}_$n
  keep_warnings
  report=$(realpath -m "${EMULATOR_REPORT:-$kept.html}")
  check_answer "$root/build/$preset/bin/exercise_${number}_$n"
  (( verbose )) && cat "$kept.out" "$kept.err" >&2
  # An answer that ends the program has not been checked, whatever the status.
  if (( status )) || [[ $cases != 0 && -z $all_ran ]]; then
    show_failure
    return 1
  fi
  [[ -s $kept.out ]] && (( ! verbose )) && first_lines 15 <"$kept.out"
  if grep -q '^Several devices were not checked' "$kept.out"; then
    say "Not solved yet: chapters/exercise check $number $n --preset emulated"
    return 1
  fi
  echo "$checked" >"$state/passed_${number}_$n"
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
