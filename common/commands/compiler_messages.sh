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

# explain_messages LOG [FILE]: the messages and what to read in them. FILE is where to look where no error has a place.
# `verbose`, if it is set and not 0: all messages.
explain_messages() {
  local messages place missing brace_place brace_said whole="whole log: ${1#"$root"/}"
  messages=$(compiler_messages "$1")
  if (( ${verbose:-0} )); then
    say "$messages"
  else
    # How the compiler came to a file is of no use here.
    grep -v -e '^In file included from' -e '^  *from ' <<<"$messages" | first_lines 16 "${more_messages:-${1#"$root"/}}" >&2
  fi
  say ""
  if place=$(first_error <<<"$messages"); then
    if find_unmatched_brace "$root/${place%:*}"; then
      # The compiler has counted to the end of the file, and names what is left then.
      say "It does not compile yet ($whole). First, the braces: ${brace_said}."
      place=$brace_place
    else
      say "It does not compile yet. The compiler's first message is the one to read ($whole)."
    fi
  else
    place=${2:-}
    missing=$(sed -n "s/.*undefined reference to [\`']\(.*\)'\$/\1/p" <<<"$messages" | head -n 1)
    if [[ -n $missing ]]; then say "It compiles, but no file defines $missing ($whole)."
    else say "It could not be built ($whole)."; fi
  fi
  if [[ -n $place ]]; then say "Where to look: $place"; fi
}
