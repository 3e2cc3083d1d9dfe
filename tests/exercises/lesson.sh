#!/usr/bin/env bash
# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
#
# lesson.sh CHAPTER_FOLDER N FILE: the lesson has what chapters/exercise shows for exercise N, and the starter differs
# from the solution only between the markers.
set -u
chapter=$1 n=$2 file=$3
repository=$(cd "$chapter/../.." && pwd)
source "$repository/common/commands/lesson.sh"
failed=0
wrong() {
  printf '%s: %s\n' "${chapter##*/}, exercise $n" "$1"
  failed=1
}

[[ -n $(exercise_title "$chapter" "$n") ]] || wrong "no line '### Exercise $n: Title'"
[[ -n $(exercise_text "$chapter" "$n") ]] || wrong "README.md and more.md say nothing about what is to be done"
mine=exercises/${file%.*}/${file#*_}
exercise_text "$chapter" "$n" | grep -qF "$mine" || wrong "the text does not name the file $mine"
hints=$(exercise_hint_count "$chapter" "$n")
(( hints >= 2 )) || wrong "$hints hints; two are needed, from a push in the right direction to nearly all"
# What a terminal cannot show: dollars and backslashes that are left outside of code.
for part in "What you learned" $(seq -f 'Hint@%g' "$hints"); do
  left=$(exercise_details "$chapter" "$n" "${part/@/ }" | plain_signs |
    sed -e '/^```/,/^```/d' -e 's/`[^`]*`//g' | grep -n '[$\\]') && wrong "'${part/@/ }' in a terminal: $left"
done
for (( i = 1; i <= hints; i++ )); do
  [[ -n $(exercise_details "$chapter" "$n" "Hint $i") ]] || wrong "hint $i is missing or empty (hints count from 1)"
done
[[ -n $(exercise_details "$chapter" "$n" "What you learned") ]] || wrong "it lacks its 'What you learned'"

# The other way round than starter.awk does it: what stands outside the markers is the same in both.
solution="$chapter/solutions/$file"
starter=$(awk -f "$repository/common/commands/starter.awk" "$solution") || wrong "no starter can be made from $solution"
outside=$(sed '/^ *\/\/ SOLUTION:/,/^ *\/\/ END SOLUTION/d' "$solution")
only_in_starter=$(sed -n -e 's/SOLUTION: /TODO: /p' -e 's/^\( *\)\/\/ STARTER: /\1/p' "$solution")
if ! diff <(printf '%s\n%s\n' "$outside" "$only_in_starter" | sort) <(sort <<<"$starter"); then
  wrong "the starter differs from the solution outside the markers"
fi
exit "$failed"
