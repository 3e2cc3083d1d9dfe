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
# Of the answer alone: an update of its checks takes nothing back.
fingerprint() { sha256sum <"$exercise" | cut -d" " -f1; }

# Rows of the terminal that standard input takes as it is.
rows() { awk -v width="$(screen_width)" '{ rows += length ? int((length - 1) / width) + 1 : 1 } END { print rows + 0 }'; }

# The place in the learner's file that the text $1 names; empty where it names none.
place_in_answer() {
  local name=${exercise##*/} line
  line=$(grep -oE "(^|[^A-Za-z0-9_])${name//./\\.}:[0-9]+" <<<"$1" | head -n 1)
  [[ -n $line ]] && printf '%s:%s' "${exercise#"$root"/}" "${line##*:}"
}

# The TODOs that the learner has not begun, as line numbers: each with the lines around it that the starter has, from the
# given line before it to the given line behind its part.
open_todos() {
  awk '
    { gsub(/^[ \t]+|[ \t\r]+$/, "") }
    NR == FNR {
      if (/^\/\/ SOLUTION:/) {
        sub(/SOLUTION:/, "TO''DO:")
        if (waiting) given($0)
        part[++parts] = before
        add($0)
        inside = 1
      } else if (/^\/\/ END SOLUTION/) {
        inside = 0
        before = ""  # what stands above the next part may have been written
        waiting = 1
      } else if (inside) {
        if (sub(/^\/\/ STARTER: */, "") && $0 != "") add($0)
      } else if ($0 != "") {
        if (waiting) given($0)
        before = $0
      }
      next
    }
    $0 != "" { text[++count] = $0; number[count] = FNR }
    function add(line) { part[parts, ++lines[parts]] = line }
    function given(line) { add(line); waiting = 0 }
    END {
      for (p = 1; p <= parts; ++p)
        for (i = 1; i <= count; ++i) {
          if (part[p] != "" && (i == 1 || text[i - 1] != part[p])) continue
          for (k = 1; k <= lines[p] && text[i + k - 1] == part[p, k]; ++k) {}
          if (k > lines[p]) print number[i]
        }
    }' "$solution" "$exercise" | sort -nu
}

# The lines of the learner's file that the starter does not have, as numbers; not the empty ones.
own_lines() {
  diff --old-line-format= --unchanged-line-format= --new-line-format='%dn:%L' <(starter "$solution") "$exercise" |
    sed -n '/:[[:space:]]*$/!s/:.*//p' | tr '\n' ' '
}

# These numbers as "lines 3 to 5 and 9".
as_ranges() {
  awk '{ for (i = 1; i <= NF; ++i) {
           if (n && $i <= last[n] + 2) last[n] = $i
           else { first[++n] = $i; last[n] = $i }
         }
         for (i = 1; i <= n && i <= 4; ++i)
           text = text (i == 1 ? "" : i == n ? " and " : ", ") first[i] (last[i] > first[i] ? " to " last[i] : "")
         print (n > 1 || last[1] > first[1] ? "lines " : "line ") text (n > 4 ? ", ..." : "") }' <<<"$1"
}

# "42, after which a line that was given is missing: tile = tile_before;", the first such line; empty where none is.
missing_line() {
  diff <(awk '/^ *\/\/ SOLUTION/ { theirs = 1 } !theirs { print } /^ *\/\/ END SOLUTION/ { theirs = 0 }' "$solution") "$exercise" |
    awk 'function told() { if (gone != "") { print at ", after which a line that was given is missing: " gone; gone = ""; exit } }
         /^[0-9,]+[acd][0-9,]+$/ {
           told()
           at = $0
           sub(/^[0-9,]*[acd]/, "", at)
           sub(/,.*/, "", at)
           gone = ""
           if (/a/) at = ""
           if (/c/) --at
           next
         }
         /^> *[^ ]/ { at = gone = "" }  # not gone, but changed
         at != "" && gone == "" && /^< / && !/^< *(\/\/|[{}]*$)/ { gone = substr($0, 3); sub(/^ */, "", gone) }
         END { told() }'
}

# Is part of the function $1 left to the learner?
is_asked_for() {
  awk -v call="$1(" '/^[A-Za-z_]/ && !/;/ && index($0, call) { inside = 1 }
    inside && /\/\/ SOLUTION/ { found = 1 }
    /^}/ { inside = 0 }
    END { exit !found }' "$solution"
}

# launch_line [KERNEL]: the number of the line that launches it (without it: that launches any); empty where none does.
launch_line() { grep -nE "(^|[^A-Za-z0-9_])${1:-[A-Za-z0-9_]+} *(<.*>)?<<<" "$exercise" | head -n 1 | cut -d: -f1; }

# place_of_grid LINE [block | bytes]: "26 (blocks, for the launch at line 27)" of the launch in that line: where its number
# of blocks, or with `block` of threads in a block, with `bytes` of bytes of shared memory, is computed, if that has a name, or else "27 (the launch)".
place_of_grid() {
  local size line='' which=1
  case ${2:-} in
    block) which=2 ;;
    bytes) which=3 ;;
  esac
  # Only a name: what stands between brackets is not cut at its commas.
  size=$(sed -n "$1p" "$exercise" | awk -v which="$which" '
    match($0, /<<<.*/) {
      text = substr($0, RSTART + 3)
      sub(/>>>.*/, "", text)  # the launch may go on in the next line
      while (sub(/[({][^(){}]*[)}]/, "#", text)) {}
      split(text, part, ",")
      gsub(/ /, "", part[which])
      if (part[which] ~ /^[A-Za-z_][A-Za-z0-9_]*$/) print part[which]
    }')
  [[ -n $size ]] && line=$(head -n "$1" "$exercise" | grep -nE "[^A-Za-z0-9_.]$size *[=({]" | tail -n 1 | cut -d: -f1)
  if [[ -n $line ]]; then printf '%s (%s, for the launch at line %s)' "$line" "$size" "$1"
  else printf '%s (the launch)' "$1"; fi
}

# Of as_ranges' words, "26 (what you wrote: lines 26 to 28)"; "26 (what you wrote)" for a single line.
wrote() {
  local first=${1#line* }
  first=${first%%[!0-9]*}
  if [[ $1 == "line $first" ]]; then printf '%s (what you wrote)' "$first"
  else printf '%s (what you wrote: %s)' "$first" "$1"; fi
}

# Of own_lines, those that launch a kernel, as "27 (the launch)"; where there are none, those in the function with the
# launch in line $1, as "26 (what you wrote)". Status 1 where there are none either.
wrote_at_launch() {
  local line own begin
  for line in $(own_lines); do
    if sed -n "${line}p" "$exercise" | grep -q '^ *[^/ ].*<<<'; then
      printf '%s (the launch)' "$line"
      return
    fi
  done
  [[ -n $1 ]] || return
  begin=$(head -n "$1" "$exercise" | grep -n '^}' | tail -n 1 | cut -d: -f1)
  own=$(wrote_in_function_of ":$(( ${begin:-0} + 1 ))") || return
  own=$(as_ranges "$own")
  wrote "$own"
}

# "line 24, which stores to tile only where a condition holds", of the array $1; "line 24, which stores to tile" where no
# store has a condition; empty where no line stores.
stores_to() {
  local lines all only=' only where a condition holds'
  [[ -n $1 ]] || return
  local store="^ *(if [(].*[) ])?$1\\\\[[^=]*\\\\] *=[^=]"
  all=$(awk -v store="$store" '$0 ~ store { printf "%s ", FNR }' "$exercise")
  lines=$(awk -v store="$store" '
    $0 ~ store && (/^ *if [(]/ || before ~ /^ *if [(].*[)]$/) { printf "%s ", FNR }
    { before = $0 }' "$exercise")
  [[ -n $lines ]] || { lines=$all only=''; }
  [[ -n $lines ]] || return
  lines=$(as_ranges "$lines")
  printf '%s, which store%s to %s%s' "$lines" "$([[ $lines == lines* ]] || echo s)" "$1" "$only"
}

# "line 22, which returns" of the lines above line $1 in its function that do; empty where none does.
returns_before() {
  local lines
  lines=$(awk -v to="$1" 'FNR >= to { exit } /^}/ { lines = "" } !/^ *\/\// && /(^|[^A-Za-z0-9_])return;/ { lines = lines FNR " " } END { printf "%s", lines }' \
    "$exercise")
  [[ -n $lines ]] || return
  lines=$(as_ranges "$lines")
  printf '%s, which return%s' "$lines" "$([[ $lines == lines* ]] || echo s)"
}

# Where line $1 of the learner's file calls a function in which the learner has written: "13 (place), which line 22 calls".
function_written_in() {
  local function line
  while read -r function; do
    line=$(grep -nE "^[A-Za-z_][^;]*[^A-Za-z0-9_]$function\(" "$exercise" | head -n 1 | cut -d: -f1)
    if [[ -n $line ]] && (( line < $1 )) && wrote_in_function_of ":$line" >/dev/null; then
      printf '%s (%s), which line %s calls' "$line" "$function" "$1"
      return
    fi
  done < <(sed -n "$1p" "$exercise" | grep -oE '[A-Za-z_][A-Za-z0-9_]*\(' | tr -d '(')
}

# "17, which computes its index": where what the learner wrote gives a value to a name in the index of the array of the first
# finding, above line $1, which uses it.
line_of_index() {
  local array names line
  array=$(grep -m 1 -oE 'bytes?: [A-Za-z_][A-Za-z0-9_]*\[' <<<"${findings[0]-}" | grep -oE '[A-Za-z0-9_]+\[')
  [[ -n $array ]] || return
  names=$(sed -n "$1p" "$exercise" | grep -oE "(^|[^A-Za-z0-9_])${array%[}\[[^]]+" | head -n 1 | sed 's/.*\[//' |
    grep -oE '[A-Za-z_][A-Za-z0-9_]*' | paste -sd '|')
  [[ -n $names ]] || return
  line=$(head -n "$(( $1 - 1 ))" "$exercise" | grep -nE "(^|[^A-Za-z0-9_.])($names) *= " | tail -n 1 | cut -d: -f1)
  [[ -n $line && " $(own_lines)" == *" $line "* ]] && printf '%s, which computes its index' "$line"
}

# Of own_lines, those in the function that begins at $1, as far as its closing brace. Status 1 where there are none.
wrote_in_function_of() {
  own_lines | awk -v from="${1##*:}" -v to="$(awk -v from="${1##*:}" 'NR > from && /^}/ { print NR; exit }' "$exercise")" \
    '{ for (i = 1; i <= NF; ++i) if (from <= $i && $i <= to) { found = 1; printf "%s ", $i } } END { exit !found }'
}

# Where the text $1 says that an allocation is too small: where that is made, or, if the learner has not written that, where
# the function that makes it is called, "40 (allocate)".
place_of_allocation() {
  local place function line
  grep -q 'cudaMalloc() takes bytes' <<<"$1" || return
  place=$(place_in_answer "$(grep -m 1 -oE '(allocated|made) at [^ ,)]+' <<<"$1")")
  [[ -n $place ]] || return
  if [[ " $(own_lines)" != *" ${place##*:} "* ]]; then
    function=$(head -n "${place##*:}" "$exercise" | grep -E '^[A-Za-z_][^;]*\(' | tail -n 1 | grep -oE '[A-Za-z_][A-Za-z0-9_]*\(' | head -n 1)
    line=$(tail -n "+$(( ${place##*:} + 1 ))" "$exercise" | grep -nE "^[^/]*[^A-Za-z0-9_]${function%(}\(" | head -n 1 | cut -d: -f1)
    if [[ -n $function && -n $line ]]; then place="${place%:*}:$(( ${place##*:} + line )) (${function%(})"; fi
  fi
  printf '%s' "$place"
}

# The name of the kernel that the first finding is in.
kernel_of_finding() { grep -m 1 -oE ' in kernel [A-Za-z_][A-Za-z0-9_]*' <<<"${findings[0]-}" | sed 's/.* //'; }

# Where the learner should look: what the findings name, else a TODO that is not begun, else where a given line is gone, else what the
# sentence names, else the launch, where the sentence is about that, else the kernel that came to the result, unless all
# that the learner wrote is elsewhere.
where_to_look() {
  local place line function kernel own file=${exercise#"$root"/} marked
  line=$(grep -oE "(goes on and on|threads take turns) in line [0-9]+ of [^ ]*${exercise##*/}" <<<"$1" | grep -oE '[0-9]+ of' | head -n 1)
  if [[ -n $line ]]; then
    printf '%s:%s' "$file" "${line% of}"
    return
  fi
  # A guard that lets no thread pass.
  place=$(place_in_answer "$(grep -m 1 'this if ends at its semicolon' "$kept.warnings" 2>/dev/null)")
  if [[ -n $place && -z ${findings[*]} ]]; then
    printf '%s, an if that ends at its semicolon' "$place"
    return
  fi
  # A copy that is missing or too short, not the kernel that reads what it should have brought.
  place=$(place_in_answer "$(grep -m 1 -A 1 -E '^  (Nothing was copied to|These are bytes) ' <<<"$1")")
  if [[ -n $place ]] && grep -q 'Usual cause: an index that is too large; or a size' <<<"$1"; then
    place="$(place_in_answer "$1"), or line ${place##*:}, which copies"
  fi
  [[ -n $place ]] || place=$(place_in_answer "$(grep -m 1 -oE '^ *cuda[A-Za-z]+\(\) at [^ ]+ wrote only ' <<<"$1")")
  [[ -n $place ]] || place=$(place_of_allocation "$1")
  # The last copy is the one that brings the result.
  if [[ -z $place && ${sentence-} == *'which is what a copy of'* ]]; then
    line=$(grep -nE '^[^/]*cudaMemcpy' "$exercise" | tail -n 1 | cut -d: -f1)
    [[ -z $line ]] || place=$file:$line
  fi
  if [[ -z $place && ${sentence-} == *'Is the copy of the result to the host missing?'* ]]; then
    line=$(launch_line "${launch_kernel%%<*}")
    [[ -z $line ]] || place="$file:$line (the launch: the copy belongs behind it)"
  fi
  if [[ -n $place ]]; then
    printf '%s' "$place"
    return
  fi
  if [[ ${sentence-} == *'are the arguments in the order of the parameters?'* ]]; then
    line=$(launch_line "${launch_kernel%%<*}")
    if [[ -n $line ]]; then
      printf '%s:%s (the launch)' "$file" "$line"
      return
    fi
  fi
  # A launch that was refused, not the check that has told.
  line=$(place_in_answer "$(grep -m 1 -oE '\(the launch at .*' <<<"$1")")
  if [[ -n $line ]]; then
    local of=grid
    [[ $1 == *'the block has '* ]] && of=block
    [[ $1 == *'of dynamic shared memory were asked for'* ]] && of=bytes
    printf '%s:%s' "$file" "$(place_of_grid "${line##*:}" "$of")"
    return
  fi
  # What a launch passes, not the line that uses it.
  if grep -qE '^  The launch asks for .* third number in <<<' <<<"${findings[0]-}"; then
    line=$(launch_line "$(kernel_of_finding)")
    if [[ -n $line ]]; then
      printf '%s:%s' "$file" "$(place_of_grid "$line" bytes)"
      return
    fi
  fi
  line=
  if grep -qE ': error: (null pointer|host memory used) in kernel ' <<<"${findings[0]-}" &&
    ! grep -qF "the host's variables" <<<"${findings[0]}"; then
    line=$(launch_line "$(kernel_of_finding)")
    place=$(place_in_answer "${findings[0]}")
    if [[ -n $line ]]; then
      printf '%s:%s (what the launch passes%s)' "$file" "$line" "${place:+; line ${place##*:} uses it}"
      return
    fi
  fi
  # Memory of the answer's own, in which nothing has been written when the kernel is launched.
  if grep -q ': error: read of uninitialized memory in kernel ' <<<"${findings[0]-}" &&
    [[ -n $(place_in_answer "$(grep -m 1 -oE 'in global memory .*' <<<"${findings[0]}")") ]]; then
    line=$(launch_line "$(kernel_of_finding)")
    if [[ -n $line ]]; then
      printf '%s:%s (the launch, before which %s is to be written)' "$file" "$line" \
        "$(grep -m 1 -oE '[A-Za-z_][A-Za-z0-9_]*\[[0-9, ]*\].* in global memory' <<<"${findings[0]}" | sed 's/\[.*//')"
      return
    fi
  fi
  # A call that failed before a kernel used what it should have brought.
  if [[ -n ${findings[0]-} ]]; then
    place=$(place_in_answer "$(grep -am 1 ': note: .* failed here: ' "$kept.err")")
    if [[ -n $place ]]; then
      printf '%s, a call that failed' "$place"
      return
    fi
  fi
  # The wait that left a copy under way, perhaps because a stage is missing.
  if grep -q 'Usual cause: a turn that commits no stage' <<<"${findings[0]-}"; then
    place=$(place_in_answer "$(grep -m 1 -oE 'and has waited at .*' <<<"${findings[0]-}")")
    if [[ -n $place ]]; then
      printf '%s, and where the stages before it are committed' "$place"
      return
    fi
  fi
  place=$(place_in_answer "$1")
  if [[ -n $place ]]; then
    # An index that a function computes in which the learner has written, and that is called here.
    if grep -qE 'access out of bounds|both threads computed the same index' <<<"${findings[0]-}" &&
      [[ " $(own_lines)" != *" ${place##*:} "* ]]; then
      line=$(function_written_in "${place##*:}")
      if [[ -n $line ]]; then
        printf '%s:%s' "$file" "$line"
        return
      fi
    fi
    # In a function that was given, and that the learner's kernel calls? Then the call.
    line=$(place_in_answer "$(grep -m 1 -oE 'which the kernel calls at .*' <<<"$1")")
    if [[ -n $line && " $(own_lines)" != *" ${place##*:} "* ]]; then place=$line; fi
    # A pitch in bytes comes from the launch.
    line=$(place_in_answer "$(grep -m 1 -E '^  The launch at .* passes ' <<<"${findings[0]-}")")
    [[ -n $line ]] && place+=", and line ${line##*:}, which launches it"
    # A kernel that was given goes through a pointer into an array, which the learner's launch passes.
    if grep -q ': error: access out of bounds' <<<"${findings[0]-}" && grep -q ' points to element \[' <<<"${findings[0]}" &&
      [[ " $(own_lines)" != *" ${place##*:} "* ]]; then
      line=$(launch_line "$(kernel_of_finding)")
      [[ -n $line && " $(own_lines)" == *" $line "* ]] && place+=", and line $line, which launches it"
    fi
    # Threads have left the kernel before a barrier: from where?
    if grep -q ' has already returned from the kernel' <<<"${findings[0]-}"; then
      line=$(returns_before "${place##*:}")
      [[ -n $line ]] && place+=", and $line before it"
    fi
    # What is uninitialized may be what a store, perhaps under a condition, leaves out.
    if grep -q ': error: read of uninitialized memory' <<<"${findings[0]-}"; then
      line=$(stores_to "$(grep -m 1 -oE '[A-Za-z_][A-Za-z0-9_]*\[[0-9, ]*\].* in shared memory' <<<"${findings[0]}" | sed 's/\[.*//')")
      [[ -n $line ]] && place+=", and $line"
    fi
    # It may be the formula for the index that is wrong.
    if [[ $place != *,* ]] && grep -qE 'both threads computed the same index|wrong formula for the index' <<<"${findings[0]-}"; then
      line=$(line_of_index "${place##*:}")
      [[ -n $line ]] && place+=", and line $line"
    fi
    printf '%s' "$place"
    return
  fi
  mapfile -t marked < <(open_todos)
  # Of faults to be found, one that is repaired says nothing about the others.
  (( ${#marked[@]} )) ||
    mapfile -t marked < <(grep -nE '^ *// TO''DO:.*(fault|missing|right\?)' "$exercise" | cut -d: -f1)
  if (( ${#marked[@]} )); then
    printf '%s:%s, at the ' "$file" "${marked[0]}"
    case ${#marked[@]} in
      1) printf 'TODO' ;;
      2) printf 'TODO, or line %s, at the other one' "${marked[1]}" ;;
      *) printf 'first of %s TODOs' "${#marked[@]}" ;;
    esac
    return
  fi
  line=$(missing_line)
  if [[ -n $line ]]; then
    printf '%s:%s' "$file" "$line"
    return
  fi
  while read -r function; do
    line=$(grep -nE "^[A-Za-z][^;]*[^A-Za-z0-9_]$function\(" "$exercise" | head -n 1 | cut -d: -f1)
    # A function of the device may have been given whole.
    [[ -z $line ]] && is_asked_for "$function" &&
      line=$(grep -nE "^__[^;]*[^A-Za-z0-9_]$function\(" "$exercise" | head -n 1 | cut -d: -f1)
    if [[ -n $line ]]; then
      printf '%s:%s (%s)' "$file" "$line" "$function"
      return
    fi
  done < <(grep -oE '[A-Za-z_][A-Za-z0-9_]*\(' <<<"$sentence" | tr -d '(')
  if [[ ${sentence-} == *[Tt]'he launch'* ]]; then
    line=$(launch_line "${launch_kernel%%<*}")
    if [[ -n $line ]]; then
      printf '%s:%s' "$file" "$(place_of_grid "$line")"
      return
    fi
  fi
  if [[ ${sentence-} == *' were launched'* ]]; then
    place=$(wrote_at_launch "$(launch_line "${launch_kernel%%<*}")")
    if [[ -n $place ]]; then
      printf '%s:%s' "$file" "$place"
      return
    fi
  fi
  own=$(own_lines)
  [[ -n $own ]] && own=$(as_ranges "$own")
  place=$(place_in_answer "$launch_place")
  # Where the learner has written in several places, the kernel's among them, it or its launch comes first.
  if [[ -n $place ]] && { [[ -z $own ]] || { [[ $own =~ ,|and ]] && wrote_in_function_of "$place" >/dev/null; }; }; then
    kernel=${launch_kernel%%<*}
    own=$(wrote_in_function_of "$place") || true
    line=$(launch_line "$kernel")
    printf '%s (%s%s)%s' "$place" "$kernel" "${own:+; what you wrote: $(as_ranges "$own")}" "${line:+, or line $line, which launches it}"
    return
  fi
  if [[ -n $own ]]; then
    printf '%s:%s' "$file" "$(wrote "$own")"
    return
  fi
  # What the header declares, the first of it that the file has.
  while read -r function; do
    line=$(grep -nE "^[^/]*[^A-Za-z0-9_]$function\\(" "$exercise" | head -n 1 | cut -d: -f1)
    if [[ -n $line ]]; then
      printf '%s:%s (%s)' "$file" "$line" "$function"
      return
    fi
  done < <(grep -v '^ *//' "${exercise%.*}.hpp" 2>/dev/null | grep -oE '[A-Za-z_][A-Za-z0-9_]*\(' | tr -d '(')
  printf '%s' "$file"
}

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

# What tests/exercises/index_out_of_range.cpp has said in the file $1, with the place in the answer: "x[m] is out of range:
# the index is 5, and x has 5 elements, x[0] to x[4].", and the line. Of containers that are alike, it may be either.
index_in_words() {
  local said index container element size place code accesses=() alike=() each name has line=''
  local parts='\[(-?[0-9]+)\] of a ([a-z_:]+)(<[A-Za-z0-9_: ]+>)? of size ([0-9]+)'
  said=$(grep -aE -m 1 '^An index is out of range: ' "$1") || return
  [[ $said =~ $parts ]] || return
  index=${BASH_REMATCH[1]} container=${BASH_REMATCH[2]} element=${BASH_REMATCH[3]} size=${BASH_REMATCH[4]}
  element=${element#<} element=${element%>}
  place=$(place_in_answer "$crash_places")
  if [[ -n $place ]]; then
    code=$(sed -n "${place##*:}{s/^ *//;p}" "$exercise")
    line=$'\n'"  line ${place##*:}: $code"
    # No brackets within brackets: which of them is refused?
    [[ $code =~ \[[^]]*\[ ]] || mapfile -t accesses < <(grep -oE '[A-Za-z_][A-Za-z0-9_]*\[[^][]+\]' <<<"$code" | awk '!seen[$0]++')
  fi
  for each in "${accesses[@]}"; do
    name=${each%%[*}
    grep -qE "${container#std::}<$element(,[^>]*)?> *&? *$name([^A-Za-z0-9_]|\$)" "$exercise" && alike+=("$each")
  done
  # None of this kind? Then one of which the file does not say what it is; or what a function does that the line calls.
  if (( ! ${#alike[@]} )); then
    for each in "${accesses[@]}"; do
      grep -qE "(span|vector|array)<[^;()]*> *&? *${each%%[*}([^A-Za-z0-9_]|\$)" "$exercise" || alike+=("$each")
    done
  fi
  if (( ! ${#alike[@]} )); then
    mapfile -t alike < <(grep -oE '[A-Za-z_][A-Za-z0-9_]*\.[A-Za-z_]+\([^()]+\)' <<<"$code" | awk '!seen[$0]++')
    if (( ${#alike[@]} )); then
      name=$(printf ' or %s' "${alike[@]}")
      printf '%s goes out of range: the index that it computes is %s, and the %s has %s elements.%s\n' "${name# or }" "$index" \
        "$container" "$size" "$line"
      return
    fi
    alike=("${accesses[@]}")
  fi
  if (( ${#alike[@]} == 1 )); then
    name=${alike[0]%%[*}
    case $size in
      0) has="has no elements" ;;
      1) has="has 1 element, ${name}[0]" ;;
      *) has="has $size elements, ${name}[0] to ${name}[$(( size - 1 ))]" ;;
    esac
    printf '%s is out of range: the index is %s, and %s %s.%s\n' "${alike[0]}" "$index" "$name" "$has" "$line"
    return
  fi
  case $size in
    0) has="no elements" ;;
    1) has="1 element, [0]" ;;
    *) has="$size elements, [0] to [$(( size - 1 ))]" ;;
  esac
  name=$(printf ' or %s' "${alike[@]}")' is out of range: the index is'
  (( ${#alike[@]} )) || name=' or An index is out of range: it is'
  printf '%s %s, and the %s has %s.%s\n' "${name# or }" "$index" "$container" "$has" "$line"
}

# The standard library's assertion in the file $1 in words: "std::span: operator[] was called with ...".
assertion_in_words() {
  local line class function
  index_in_words "$1" && return
  line=$(grep -am 1 "Assertion '.*' failed" "$1") || return
  class=$(grep -oE 'std::[a-z_]+<' <<<"$line" | tail -n 1)
  [[ $line =~ (std::[a-z_:]*[a-z_]+)\<[^:]*\>?::(operator\[\]|front|back|first|last|subspan|at)\( ]] && class=${BASH_REMATCH[1]}
  function=$(grep -oE '(operator\[\]|front|back|first|last|subspan|pop_back)\(' <<<"$line" | head -n 1)
  class=${class%<}
  case $function in
    'operator[](') echo "${class:-A container}: the index in [] is not below size(). A negative one counts as very large." ;;
    '') echo "The standard library refuses a call: ${line#*Assertion }" ;;
    *) echo "${class:-A container}: $function) was called where there is no such element." ;;
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
      mapfile -t notes < <(grep -a ': note: kernel ' "$kept.err")
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
  block=$(grep -oE 'of block \([0-9]+, [0-9]+, [0-9]+\)' <<<"${findings[0]}" | head -n 1 | tr -dc '0-9,')
  [[ -n $block && $block != 0,0,0 ]] && (( SECONDS - began <= 5 )) || return 0
  EMULATOR_TRACE_BLOCK=$block run_answer "$1"
  read_result "$kept.result"
}

# Where not all is well: one screen.
show_failure() {
  local text others='' finding='' more most left=$most_lines tail=() place words where extra='' line timeline=
  # What is always there, in the end.
  where=$(where_to_look "$(printf '%s\n' "${findings[@]}" "$crash_places" "$sentence" "$(grep -a "$(basename "$exercise"):[0-9]" "$kept.err")")")
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
    [[ -n $(place_in_answer "$line") ]] && finding+=$'\nBefore that, at '${line/: note: /: }
    if (( ${#findings[@]} > 1 && ! verbose )); then
      more=$(( ${#findings[@]} - 1 ))
      extra="... and $more more finding$( (( more > 1 )) && echo s); chapters/exercise check $number $n --verbose shows all"
    fi
  elif [[ -n $stopped ]]; then
    finding=$(grep -am 1 ': note: kernel' "$kept.err")
    # Too early for that note, the report knows the kernel.
    [[ -n $finding ]] || finding=$(sed -n 's#^<dt>End</dt><dd>.*, in the middle of \(.*\)</dd>$#It was in the middle of \1.#p' \
      "$report" 2>/dev/null | sed 's/&lt;/</g; s/&gt;/>/g; s/&quot;/"/g; s/&amp;/\&/g')
    finding="It was ended, because $stopped."${finding:+$'\n'$finding}
    [[ -n $sentence ]] && finding="After that, this check did not end: $case_name${given:+, with $given}"$'\n'$finding
  elif [[ -n $crashed ]] || (( status > 128 )); then
    words=${crashed:-SIG$(kill -l $(( status - 128 )))}
    finding=$(assertion_in_words "$kept.err")
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
