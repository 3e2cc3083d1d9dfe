# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
# shellcheck shell=bash
#
# How far a reader is: the list of exercises, what comes next, and what a finished chapter was good for.
# Wants `root`; lesson.sh must be read, and each_exercise, find_exercise, meet and exercise_state defined.

# Lines "NN n state path-of-solution" of all exercises, or of those of chapter $1 (two digits).
states() { each_exercise "${1:-}" show_state; }
# shellcheck disable=SC2317  # each_exercise calls it
show_state() { echo "$number $n $(exercise_state) $solution"; }

# How many of such lines are solved: "[####--------] 1 of 3", of which a part is full only where all is done. Status 1
# where some are not.
bar() {
  awk '{ solved += $3 == "solved" }
    END {
      full = int(12 * solved / NR)
      if (solved && !full) full = 1
      for (; width < 12; ++width) text = text (width < full ? "#" : "-")
      printf "[%s] %d of %d\n", text, solved, NR
      exit solved < NR
    }'
}

# The chapter's title without its number, where it begins with that.
title_without_number() { chapter_title "$1" | sed 's/^[0-9][0-9][.:]* *//'; }

# All exercises; with $1, a chapter's two digits, only its own.
list() {
  local all last='' number n state solution chapter exercise
  all=$(states "${1:-}")
  [[ -n $all ]] || refuse "There are no exercises."
  while read -r number n state solution; do
    meet
    if [[ $number != "$last" ]]; then
      printf '%-46s %s\n' "$number $(title_without_number "$chapter")" "$(grep "^$number " <<<"$all" | bar)"
      last=$number
    fi
    printf '   %s %-42s %-12s %s\n' "$n" "$(exercise_title "$chapter" "$n")" "${state/_/ }" "${exercise#"$chapter/exercises/"}"
  done <<<"$all"
  if [[ -z ${1:-} ]]; then printf '%-46s %s\n' "In all" "$(bar <<<"$all")"; fi
}

# What to do next: the first exercise, in order, that is not solved; after exercise $1 ("NN n") as next_unsolved says.
next_step() {
  local next text
  if next=$(states | next_unsolved "${1:-}"); then
    find_exercise "${next% *}" "${next#* }"
    text=$(more_with_exercise "$chapter" "$n")
    echo "write in ${exercise#"$root"/}, then chapters/exercise check $next${text:+ (its text: ${text#"$root"/})}"
  else
    echo "nothing, you have solved them all."
  fi
}

# Of the lines of `states`, the first exercise that is not solved, "NN n", behind exercise $1: first in its chapter, then one
# that was left out in its chapter (unless there is a $2), then in the chapters behind it, then any other. A side path comes
# last, unless the reader has begun it. Status 1 where there is none.
next_unsolved() {
  awk -v after="${1:-}" -v forward="${2:-}" -v sides="$(side_paths)" '
    BEGIN {
      behind = after == ""
      for (i = split(sides, words); i > 0; --i) later[words[i]] = 1
    }
    { name[NR] = $1 " " $2; chapter[NR] = $1; whole[NR] = $1 "." $2; state[NR] = $3 }
    $3 ~ /^(solved|edited)$/ { delete later[$1]; delete later[$1 "." $2] }
    END {
      here = substr(after, 1, 2)
      for (i = 1; i <= NR && !found; ++i) {
        if (name[i] == after) { behind = 1; continue }
        if (state[i] == "solved") continue
        if (behind && !(chapter[i] in later) && !(whole[i] in later)) found = i
        else if (!left_out) left_out = i
        if (!behind && chapter[i] == here && !forward && !left_out_here) left_out_here = i
      }
      if (left_out_here && chapter[found] != here) found = left_out_here
      if (!found) found = left_out
      if (found) print name[found]
      exit !found
    }'
}

# Of chapter $1, two digits, in which an exercise was solved just now: how far it is (status 1); once all of it is solved,
# what the reader can do now, and what to read on.
tell_progress() {
  local all text folder left
  all=$(states "$1")
  if ! text=$(bar <<<"$all"); then
    left=$(awk -v sides=" $(side_paths) " '$3 != "solved" { left = left " " $2; route += !index(sides, " " $1 "." $2 " ") }
      END { if (!route) print "; you may leave out" left " (a side path)" }' <<<"$all")
    echo "$text in chapter $1$left"
    return 1
  fi
  folder=$(printf '%s\n' "$root/chapters/$1"_*)
  echo "$text: you have finished chapter $1, $(title_without_number "$folder")."
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
  local folder number sides=() text
  for folder in "$root"/chapters/[0-9][0-9]_*; do
    [[ ${folder##*/} > ${1##*/} && -e $folder/README.md ]] || continue
    number=${folder##*/}
    number=${number%%_*}
    if [[ " $(side_paths) " == *" $number "* ]]; then
      sides+=("$number")
      continue
    fi
    text=$(sed 's/ \([^ ]*\)$/ and \1/; s/\([0-9]\) \([0-9]\)/\1, \2/g' <<<"${sides[*]}")
    case ${#sides[@]} in
      0) ;;
      1) text=". ($text before it is a side path.)" ;;
      *) text=". ($text before it are side paths.)" ;;
    esac
    echo "Read on: chapters/${folder##*/}/README.md, $(title_without_number "$folder")$text"
    return
  done
  echo "This was the last chapter. Go on with kernels of your own: docs/own_kernels.md"
}
