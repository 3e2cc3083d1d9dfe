# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
# shellcheck shell=bash
#
# Reads a chapter's lesson, README.md, and what it leaves out, more.md, where there is one. Every function takes the
# chapter's folder first. The text of the exercises, their hints and what they teach stand only there:
#   ### Exercise 1: Short title
#   text
#   <details><summary>Hint 1</summary> ... </details>
#   <details><summary>What you learned</summary> ... </details>

# Of the names of chapters from $2 on, those that the word $1 can mean: a number, a name, or a part of names.
chapters_meant() {
  local word=$1 name number=''
  shift
  [[ $word =~ ^[0-9]+$ ]] && number=$(printf '%02d' "$(( 10#$word ))")
  for name; do
    if [[ $name == "$word" || $name == "${number:-none}"_* ]]; then
      echo "$name"
      return
    fi
  done
  [[ -z $number ]] || return 0
  for name; do
    if [[ $name == *"$word"* ]]; then echo "$name"; fi
  done
}

# The path $1, as seen from here, from the repository's folder or from chapters/, from there on:
# "00_meet_the_device/README.md". Status 1 where it leads into no chapter. Wants `root`.
path_in_chapters() {
  local base path
  for base in "$PWD" "$root" "$root/chapters"; do
    [[ $1 == /* ]] && base=
    path=$(realpath -m -- "$base/$1")
    [[ $path == "$root"/chapters/[0-9][0-9]_* && ( $1 == */* || -e $path ) ]] || continue
    path=${path#"$root"/chapters/}
    if [[ -d $root/chapters/${path%%/*} ]]; then
      echo "$path"
      return
    fi
  done
  return 1
}

# "00 1" of the exercise that such a path leads to; status 1 where it leads to none.
exercise_of_path() { [[ $1 =~ ^([0-9]{2})_[^/]*/(exercises|solutions)/([0-9]+)_ ]] && echo "${BASH_REMATCH[1]} ${BASH_REMATCH[3]}"; }

# The title of the lesson, without the '#'.
chapter_title() {
  local title
  title=$(sed -n 's/^# *//p' "$1/README.md" 2>/dev/null | head -n 1)
  [[ -n $title ]] || title=${1##*/}
  printf '%s\n' "$title"
}

lesson_and_more() { cat "$1/README.md" "$1/more.md" 2>/dev/null; }

# What the lesson's card promises, an objective a line.
chapter_objectives() {
  sed -n 's/^| You will be able to | *\(.*[^ ]\) *|$/\1/p' "$1/README.md" | sed 's/; /\n/g; s/\[\([^]]*\)\]([^)]*)/\1/g' | plain_signs
}

# What chapters/route.txt calls side paths: "03 04 01.2 01.3". Wants `root`.
side_paths() { grep -v '^#' "$root/chapters/route.txt" 2>/dev/null | xargs; }

exercise_numbers() { lesson_and_more "$1" | sed -n 's/^### Exercise \([0-9][0-9]*\):.*/\1/p'; }

exercise_title() { lesson_and_more "$1" | sed -n "s/^### Exercise $2: *//p"; }

# The file more.md, if exercise $2 has its text there and not in the lesson.
more_with_exercise() { grep -ls "^### Exercise $2:" "$1/more.md"; }

# The section of exercise $2, without its heading: up to the next heading that is not below it.
exercise_section() {
  lesson_and_more "$1" | awk -v n="$2" '
    /^```/ { fenced = !fenced }
    !fenced && /^#+ / && !/^####/ { inside = ($0 ~ "^### Exercise " n ":"); next }
    inside { print }'
}

# Blank lines at both ends removed, runs of them made one.
trim_blank_lines() { awk 'NF { if (lines && blank) print ""; print; lines = 1; blank = 0; next } { blank = 1 }'; }

exercise_text() { exercise_section "$1" "$2" | sed '/^<details>/,/<\/details>/d' | trim_blank_lines; }

exercise_hint_count() { exercise_section "$1" "$2" | grep -c '^<details><summary>Hint [0-9]*</summary>'; }

# The learner's file of the solution $1: solutions/1_name.cu is answered in exercises/1_name/name.cu.
exercise_file() {
  local file=${1##*/}
  printf '%s\n' "${1%/solutions/*}/exercises/${file%.*}/${file#*_}"
}

# What stands in the details of exercise $2 whose summary is $3, for example "Hint 1".
exercise_details() {
  exercise_section "$1" "$2" | awk -v opening="<details><summary>$3</summary>" '
    index($0, opening) == 1 { inside = 1; $0 = substr($0, length(opening) + 1) }
    inside {
      last = sub(/<\/details>.*/, "")
      print
      if (last) exit
    }' | trim_blank_lines
}

# For a terminal: what stands between dollars, without them and with plain signs for what our lessons have of LaTeX (a test
# finds the rest). Code, in backquotes or fences, stays as it is.
plain_signs() {
  awk '
    function plain(math) {
      gsub(/\$/, "", math)
      gsub(/\\ldots/, "...", math)
      gsub(/\\[|]/, "|", math)
      while (match(math, /[{][A-Za-z0-9]*[}]/))
        math = substr(math, 1, RSTART - 1) substr(math, RSTART + 1, RLENGTH - 2) substr(math, RSTART + RLENGTH)
      gsub(/[{]/, "(", math)
      gsub(/[}]/, ")", math)
      return math
    }
    /^ *```/ { fenced = !fenced }
    fenced || /^ *```/ { print; next }
    {
      rest = $0
      line = ""
      while (match(rest, /`[^`]*`|\$\$?[^$`]+\$\$?/)) {
        found = substr(rest, RSTART, RLENGTH)
        line = line substr(rest, 1, RSTART - 1)
        rest = substr(rest, RSTART + RLENGTH)
        line = line (found ~ /^\$/ ? plain(found) : found)
      }
      print line rest
    }'
}
