# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
# shellcheck shell=bash
#
# What the compiler says of a build that failed, on one screen: its messages without what the build tool prints around
# them, and the place of the first error. Wants `root`, and packages.sh read.

screen_width() {
  local width=100000
  if [[ -t 2 ]]; then width=$(( $(terminal_width) - 1 )); fi
  echo "$(( width < 40 ? 40 : width ))"
}

# The text on standard input in lines that fit into the terminal, the first $1 of them; says how many are left out, and
# that $2 shows them.
first_lines() {
  fold -s -w "$(screen_width)" | awk -v most="$1" -v all="${2:---verbose}" '
    NR <= most { lines[NR] = $0 }
    END {
      shown = NR <= most ? NR : most - 1
      for (i = 1; i <= shown; ++i) print lines[i]
      if (shown < NR) print "  ... and " NR - shown " more lines: " all
    }'
}

# What the compiler and the linker say in the log $1 of a build; paths begin at the repository's folder.
compiler_messages() {
  awk '
    /^FAILED:/ { command = 1; next }
    command { command = 0; next }
    /^\[[ 0-9\/%]*\]/ || /^ninja: / || /^g?make/ || /^-- / { next }
    NF { if (lines && blank) print ""; print; lines = 1; blank = 0; next }
    { blank = 1 }' "$1" | sed "s#$root/##g"
}

# "file:line" of the first error in the messages on standard input; status 1 where no error has a place. Of one in
# what a line of ours uses, a template for example, that line.
first_error() {
  awk '
    function place() {
      if (match($0, /^[^:(]+:[0-9]+/)) return substr($0, RSTART, RLENGTH)
      if (!match($0, /^[^:(]+\([0-9]+\)/)) return ""
      found = substr($0, RSTART, RLENGTH - 1)  # as nvcc writes it
      sub(/\(/, ":", found)
      return found
    }
    / required from here/ && place() !~ /^\// { user = place() }
    place() != "" && /[0-9)]: (fatal |catastrophic )?error( #[0-9A-Z-]+)?: / {
      if (user == "" && place() ~ /^\//) { outside = outside == "" ? place() : outside; next }
      print user == "" ? place() : user
      found_one = 1
      exit
    }
    END {
      if (!found_one && outside != "") print outside
      exit !found_one && outside == ""
    }'
}

# Where the file $1 has a brace without its partner: sets `brace_place`, "file:line (in the_kernel)", and `brace_said`, a
# sentence. Status 1 where all have partners.
find_unmatched_brace() {
  local line function
  brace_place=
  [[ -f $1 ]] || return 1
  IFS=$'\x1f' read -r line function brace_said < <(awk -f "$root/common/commands/unmatched_brace.awk" "$1" | tr '\t' '\037')
  [[ -n $line ]] || return 1
  brace_place=${1#"$root"/}:$line${function:+ (in $function)}
}

# Of the messages on standard input, each error once: a kernel's name that is misspelled is an error in several places of
# what is made of its launch.
each_error_once() {
  awk '
    / In lambda function:$/ { next }
    /: (fatal )?error: / {
      match($0, /^[^:]+:[0-9]+/)
      text = substr($0, RLENGTH + 1)
      sub(/^:[0-9]+/, "", text)  # the column
      again = seen[substr($0, 1, RLENGTH) text]++
    }
    /^[^ ]/ && !/: (fatal )?error: / { again = 0 }
    !again'
}

# The line before line $2 of the file $1 that has code, by its number; empty where there is none.
code_before() {
  head -n "$(( $2 - 1 ))" "$1" | grep -nE '^ *[^ /]' | tail -n 1 | cut -d: -f1
}

# What the compiler's error $1, at line $3 of the file $2, says to somebody who has not met it before: sets `words`, empty
# where it is clear by itself, and `words_line`, where that is another line. The quotation marks differ.
error_in_words() {
  local message line next text never_closed="'([([])' is closed by '"
  local closed_too_often="'[{]' is closed by '([])])' on line ([0-9]+)"
  message=${1//‘/\'}
  message=${message//[\"\`]/\'}
  message=${message//’/\'}
  words='' words_line=''
  if [[ $message =~ expected.*\;.*before\ \'?([^\']+)\' || $message =~ expected\ a\ \'\;\' || $message =~ expected\ initializer\ before\ \'([^\']+)\' ]]; then
    next=${BASH_REMATCH[1]:-}
    text=$(sed -n "$3{s/^ *//;p}" "$2")
    line=$3
    if [[ $next == '}' && $text == ?*'}'* ]]; then
      words="a ; may be missing before }."
      return
    fi
    if [[ -n $next && $text == ?*"$next"* ]]; then
      words="something is missing before $next: an operator such as + or *, a comma, or a ;."
      return
    fi
    if [[ -z $next || $text == "$next"* ]]; then line=$(code_before "$2" "$3"); fi
    [[ -n $line ]] || return
    words="a ; may be missing at the end of line $line."
    words_line=$line
  elif [[ $message =~ $closed_too_often ]]; then
    words="the ${BASH_REMATCH[1]} in line ${BASH_REMATCH[2]} is one too many, or what opens it is missing."
    words_line=${BASH_REMATCH[2]}
  elif [[ $message =~ $never_closed ]]; then
    words="a ${BASH_REMATCH[1]} in line $3 is not closed."
  elif [[ $message =~ no\ matching\ function.*\'(__shfl[a-z_]*_sync)\([^,]*,[^,]*\)\' ]]; then
    words="${BASH_REMATCH[1]} takes three values, and the first says which lanes take part: 0xffffffff for all."
  elif [[ $message =~ \'include\'\ does\ not\ name\ a\ type ]]; then
    words="a line that includes a header begins with #: #include"
  elif [[ $message =~ invalid\ use\ of\ non-static\ member\ function\ .*::([A-Za-z_]+)\(\) ]]; then
    words="${BASH_REMATCH[1]} is a function. To call it, write ${BASH_REMATCH[1]}()."
  elif [[ $message =~ assignment\ of\ read-only\ location\ \'[*\(]*([A-Za-z_][A-Za-z0-9_]*) ]]; then
    words="${BASH_REMATCH[1]} is const, which can only be read. Is it the array that is to be written?"
  elif [[ $message =~ assignment\ of\ read-only\ [a-z]+\ \'([^\']+)\' ]]; then
    words="${BASH_REMATCH[1]} is const, and = would change it. Leave out const; or, to compare, write ==."
  elif [[ $message =~ cannot\ convert\ .*device_span.*\ to\ .*\* ]]; then
    words="a kernel takes a pointer: write .data() behind the name of what you pass."
  elif [[ $message =~ invalid\ conversion\ from\ \'const\ ([a-z]+)\*\'\ to\ \'[a-z]+\*\' ]]; then
    words="an array that can only be read is passed where one to write to is wanted. Are two arguments exchanged?"
  elif [[ $message =~ incomplete\ type\ \'[A-Za-z0-9_:\ ]+\[\]\' ]]; then
    words="shared memory whose size the launch gives is declared with extern: extern __shared__ float tile[];"
  elif [[ $message =~ \'([A-Za-z_][A-Za-z0-9_]*)\'\ was\ not\ declared\ in\ this\ scope$ ]]; then
    local name=${BASH_REMATCH[1]}
    text=$(sed -n "$3{s/^ *//;p}" "$2")
    if [[ $text =~ ^$name\ *=[^=] ]]; then
      words="$name is new here. Its type belongs before it, as in: const int $text"
      return
    fi
    next=$(sed 's,//.*,,' "$2" | grep -oE '[A-Za-z_][A-Za-z0-9_]*' | grep -vxF "$name" | sort -u)
    # shellcheck disable=SC2086  # words
    if next=$(nearest_word "$name" $next return break continue const float double while); then words="there is no $name. Did you mean $next?"; fi
  elif [[ $message =~ \'([a-z_]+)\'\ is\ not\ a\ member\ of\ \'std ]]; then
    case ${BASH_REMATCH[1]} in
      clamp | copy | fill | max | max_element | min | min_element | reverse | sort | transform) text=algorithm ;;
      accumulate | iota | reduce) text=numeric ;;
      abs | cos | exp | fabs | isnan | log | pow | sin | sqrt) text=cmath ;;
      array | span | string | vector) text=${BASH_REMATCH[1]} ;;
      *) return ;;
    esac
    words="std::${BASH_REMATCH[1]} is in a header of its own: #include <$text>."
    if [[ $2 == *.cu ]]; then words+=" (A kernel has min(), max(), sqrtf() and the like without std::.)"; fi
  fi
}

# explain_messages LOG [FILE]: the messages and what to read in them. FILE is where to look where no error has a place.
# `verbose`, if it is set and not 0: all messages.
explain_messages() {
  local messages place missing words words_line brace_place brace_said whole="whole log: ${1#"$root"/}"
  messages=$(compiler_messages "$1")
  if (( ${verbose:-0} )); then
    say "$messages"
  else
    # How the compiler came to a file is of no use here.
    grep -v -e '^In file included from' -e '^  *from ' <<<"$messages" | each_error_once | first_lines 16 "${more_messages:-${1#"$root"/}}" >&2
  fi
  say ""
  if place=$(first_error <<<"$messages"); then
    if find_unmatched_brace "$root/${place%:*}"; then
      # The compiler has counted to the end of the file, and names what is left then.
      say "It does not compile yet ($whole). First, the braces: ${brace_said}."
      place=$brace_place
    else
      say "It does not compile yet. The compiler's first message is the one to read ($whole)."
      error_in_words "$(grep -m 1 -E "(fatal )?error( #[0-9A-Z-]+)?: " <<<"$messages")" "$root/${place%:*}" "${place##*:}"
      [[ -z $words ]] || say "In other words: $words"
      [[ -z $words_line ]] || place=${place%:*}:$words_line
    fi
  else
    place=${2:-}
    missing=$(sed -n "s/.*undefined reference to [\`']\(.*\)'\$/\1/p" <<<"$messages" | head -n 1)
    if [[ -n $missing ]]; then
      say "It compiles, but no file defines $missing ($whole)."
      if [[ -n $place && -e $root/${place%.*}.hpp ]]; then
        say "Its name, its parameters and the namespace around it must be those of $(basename "${place%.*}.hpp")."
      fi
    else say "It could not be built ($whole)."; fi
  fi
  if [[ -n $place ]]; then say "Where to look: $place"; fi
}
