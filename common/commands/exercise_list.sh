# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
# shellcheck shell=bash
#
# How far a reader is: the list of exercises, what comes next, and what a finished chapter was good for.
# Wants `root`; lesson.sh must be read, and all_exercises and exercise_state defined.

# bar DONE TOTAL: "[####--------]", of which a part is full only where all is done.
bar() {
  local width=12 full=0
  (( $2 )) && full=$(( width * $1 / $2 ))
  (( $1 && ! full )) && full=1
  printf '[%s%s]' "$(printf '%*s' "$full" '' | tr ' ' '#')" "$(printf '%*s' "$(( width - full ))" '' | tr ' ' '-')"
}

# Reads the state of all exercises, or of those of chapter $1 (two digits), into the arrays below. Whoever calls it may
# have made them local.
read_states() {
  local number n solution chapter exercise
  state_numbers=() state_ns=() state_solutions=() state_words=()
  while read -r number n solution; do
    [[ -z ${1:-} || $number == "$1" ]] || continue
    chapter=${solution%/solutions/*}
    exercise=$(exercise_file "$solution")
    state_numbers+=("$number")
    state_ns+=("$n")
    state_solutions+=("$solution")
    state_words+=("$(exercise_state)")
  done < <(all_exercises)
}

# Sets `done_count` and `all_count` for chapter $1; without it, for all that read_states has read.
count_states() {
  local i
  done_count=0
  all_count=0
  for i in "${!state_ns[@]}"; do
    [[ -z ${1:-} || ${state_numbers[i]} == "$1" ]] || continue
    all_count=$(( all_count + 1 ))
    if [[ ${state_words[i]} == solved ]]; then done_count=$(( done_count + 1 )); fi
  done
}

# The chapter's title without its number, where it begins with that.
title_without_number() { chapter_title "$1" | sed 's/^[0-9][0-9][.:]* *//'; }

# All exercises; with $1, a chapter's two digits, only its own.
list() {
  local i last='' number chapter exercise done_count all_count
  local state_numbers state_ns state_solutions state_words
  read_states "${1:-}"
  (( ${#state_ns[@]} )) || refuse "There are no exercises."
  for i in "${!state_ns[@]}"; do
    number=${state_numbers[i]}
    chapter=${state_solutions[i]%/solutions/*}
    exercise=$(exercise_file "${state_solutions[i]}")
    if [[ $number != "$last" ]]; then
      count_states "$number"
      printf '%-46s %s %d of %d\n' "$number $(title_without_number "$chapter")" "$(bar "$done_count" "$all_count")" \
        "$done_count" "$all_count"
      last=$number
    fi
    printf '   %s %-42s %-12s %s\n' "${state_ns[i]}" "$(exercise_title "$chapter" "${state_ns[i]}")" "${state_words[i]}" \
      "${exercise#"$chapter/exercises/"}"
  done
  if [[ -z ${1:-} ]]; then
    count_states
    printf '%-46s %s %d of %d\n' "In all" "$(bar "$done_count" "$all_count")" "$done_count" "$all_count"
  fi
}

# What to do next: the first exercise, in order, that is not solved; after exercise $1 ("NN n") as next_unsolved says.
next_step() {
  local i file text
  local state_numbers state_ns state_solutions state_words
  read_states
  if i=$(next_unsolved "${1:-}"); then
    file=$(exercise_file "${state_solutions[i]}")
    text=$(more_with_exercise "${state_solutions[i]%/solutions/*}" "${state_ns[i]}")
    echo "write in ${file#"$root"/}, then chapters/exercise check ${state_numbers[i]} ${state_ns[i]}${text:+ (its text: ${text#"$root"/})}"
  else
    echo "nothing, you have solved them all."
  fi
}

# The place in what read_states has read of the first exercise that is not solved, behind exercise $1 ("NN n"): first in
# its chapter, then one that was left out in its chapter (unless there is a $2), then in the chapters behind it, then any
# other. A side path comes last, unless the reader has begun it. Status 1 where there is none.
next_unsolved() {
  local i after=${1:-} here=${1%% *} left_out='' left_out_here='' later found=''
  later=" $(side_paths) "
  for i in "${!state_ns[@]}"; do
    [[ ${state_words[i]} =~ ^(solved|edited)$ ]] || continue
    later=${later/ ${state_numbers[i]} / }
    later=${later/ ${state_numbers[i]}.${state_ns[i]} / }
  done
  for i in "${!state_ns[@]}"; do
    if [[ "${state_numbers[i]} ${state_ns[i]}" == "$after" ]]; then
      after=
      continue
    fi
    [[ ${state_words[i]} == solved ]] && continue
    if [[ -n $after && ${state_numbers[i]} == "$here" && -z ${2:-} ]]; then left_out_here=${left_out_here:-$i}; fi
    if [[ -z $after && $later != *" ${state_numbers[i]} "* && $later != *" ${state_numbers[i]}.${state_ns[i]} "* ]]; then
      found=$i
      [[ ${state_numbers[i]} == "$here" ]] && left_out_here=
      break
    fi
    left_out=${left_out:-$i}
  done
  found=${left_out_here:-${found:-$left_out}}
  [[ -n $found ]] && echo "$found"
}

# Of chapter $1, two digits, in which an exercise was solved just now: how far it is (status 1); once all of it is solved,
# what the reader can do now, and what to read on.
tell_progress() {
  local done_count all_count folder i left=() side
  local state_numbers state_ns state_solutions state_words
  read_states "$1"
  count_states
  if (( done_count < all_count )); then
    side=" $(side_paths) "
    for i in "${!state_ns[@]}"; do
      [[ ${state_words[i]} == solved ]] || left+=("${state_ns[i]}")
      [[ ${state_words[i]} == solved || $side == *" $1.${state_ns[i]} "* ]] || side=
    done
    echo "$(bar "$done_count" "$all_count") $done_count of $all_count in chapter $1${side:+; you may leave out ${left[*]} (a side path)}"
    return 1
  fi
  folder=${state_solutions[0]%/solutions/*}
  echo "$(bar "$done_count" "$all_count") $done_count of $all_count: you have finished chapter $1, $(title_without_number "$folder")."
  if [[ -n $(chapter_objectives "$folder") ]]; then
    echo "You can now"
    chapter_objectives "$folder" | sed 's/^/  - /'
  fi
  read_on "$folder"
}

# The heading that follows exercise $2 in the lesson of chapter folder $1; nothing where that is the next exercise.
section_after() {
  awk -v n="$2:" '/^### Exercise / { if (found) exit; found = $3 == n; next }
    found && /^##+ / { sub(/^#+ /, ""); print; exit }' "$1/README.md"
}

# What to read after the chapter in folder $1: the next one, and where that is a side path, the next that is none.
read_on() {
  local folder number side sides=() title
  side=$(side_paths)
  for folder in "$root"/chapters/[0-9][0-9]_*/; do
    folder=${folder%/}
    [[ ${folder##*/} > ${1##*/} && -e $folder/README.md ]] || continue
    number=${folder##*/}
    number=${number%%_*}
    title="chapters/${folder##*/}/README.md, $(title_without_number "$folder")"
    if [[ " $side " == *" $number "* ]]; then
      sides+=("$number")
      continue
    fi
    if (( ${#sides[@]} == 0 )); then echo "Read on: $title"
    elif (( ${#sides[@]} == 1 )); then echo "Read on: $title. (${sides[0]} before it is a side path.)"
    else echo "Read on: $title. ($(printf '%s, ' "${sides[@]::${#sides[@]}-1}" | sed 's/, $//') and ${sides[-1]} before it are side paths.)"; fi
    return
  done
  echo "This was the last chapter. Go on with kernels of your own: docs/own_kernels.md"
}
