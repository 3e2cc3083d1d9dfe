# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
#
# Where a file of C++ has a { without its }, or a } without its {:  awk -f common/commands/unmatched_brace.awk FILE
# A compiler counts braces, so it names the last one that is left, often a namespace far away. Here the indentation tells
# which one it is. Prints nothing where all have partners, else three fields between tabs: the line, the function that it
# is in (or is the head of; may be empty), and a sentence.

BEGIN { by = ": by the indentation, it is missing " }
function found(line, sentence) {
  if (at) return
  at = line
  said = sentence
  inside = ""
  for (i = 1; i <= open && inside == ""; ++i) inside = function_of[i]
}
# The } in line FNR has no {: the nearest head with the same indentation may have lost its own.
function without_begin() {
  if (stray) return
  stray = FNR
  if (indent in head && (!open || head[indent] > line_of[open])) stray_head = head[indent]
}
function without_end(i, before) {
  found(line_of[i], "the { in line " line_of[i] " has no }" (before ? by "before line " before : ""))
}

{
  sub(/\r$/, "")
  code = $0
  gsub(/\t/, "    ", code)
  match(code, /^ */)
  indent = RLENGTH
  first = 1
  for (p = 1; p <= length(code); ++p) {
    c = substr(code, p, 1)
    two = substr(code, p, 2)
    if (comment) {
      if (two == "*/") { comment = 0; ++p }
      continue
    }
    if (raw) {
      if (substr(code, p, length(raw_end)) == raw_end) { p += length(raw_end) - 1; raw = 0 }
      continue
    }
    if (two == "//") break
    if (two == "/*") { comment = 1; ++p; continue }
    if (c == " ") continue
    if (c == "#" && first) break  # to the preprocessor
    if (c == "\"" && substr(code, p - 1, 1) == "R") {
      raw_end = substr(code, p + 1)
      sub(/\(.*/, "", raw_end)
      p += length(raw_end) + 1
      raw_end = ")" raw_end "\""
      raw = 1
      first = 0
      continue
    }
    # Not the ' in 1'000'000.
    if (c == "\"" || (c == "'" && substr(code, p - 1, 1) !~ /[0-9A-Fa-f]/)) {
      for (++p; p <= length(code) && substr(code, p, 1) != c; ++p)
        if (substr(code, p, 1) == "\\") ++p
      first = 0
      continue
    }
    # Behind if (...), or the head of a function, a word on the next line begins a statement of its own.
    if (first && !parentheses && c ~ /[A-Za-z_]/ && text ~ /\) *$/ &&
        text !~ /(__launch_bounds__|__attribute__|alignas|requires) *\(/ &&
        substr(code, p) !~ /^requires|^(const|noexcept|override|final)( *[{;=]| *$)/) {
      new_statement = 1
      if (indent > statement) head[statement] = last
    }
    if (first && new_statement) {
      statement = indent
      text = ""
      # What begins no deeper than the line that opened the block around it, although lines of the block before it did.
      if (c !~ /[{}]/ && substr(code, p) !~ /^(case|default|public|private|protected)[ :]/)
        while (open && !space[open] && body[open] > opened[open] && indent <= opened[open]) {
          without_end(open, FNR)
          --open
        }
      if (open && !body[open] && c != "}") body[open] = indent
      new_statement = 0
    }
    if (c == "(") ++parentheses
    if (c == ")" && parentheses) --parentheses
    if (c == "{") {
      ++opens
      ++open
      line_of[open] = FNR
      opened[open] = statement
      body[open] = 0
      space[open] = (text ~ /(^|[^A-Za-z0-9_])(namespace|extern)([^A-Za-z0-9_(]|$)/ && text !~ /\(/)
      function_of[open] = ""
      name = text
      if (!(open > 1 && function_of[open - 1] != "") && match(name, /[A-Za-z_][A-Za-z0-9_]* *\(/)) {
        name = substr(name, RSTART, RLENGTH - 1)
        sub(/ *$/, "", name)
        if (name !~ /^(if|for|while|switch|catch|return|sizeof)$/) function_of[open] = name
      }
      kept[open] = parentheses
      parentheses = 0
      new_statement = 1
      text = ""
    } else if (c == "}") {
      ++closes
      if (first) {
        while (open > 1 && opened[open] > indent) {
          without_end(open, FNR)
          --open
        }
        ends_space = (code ~ /\/\/ *(end )?(of )?namespace/)
        if (ends_space && open > 1 && !space[open]) {
          without_end(open, FNR)
          while (open > 1 && !space[open]) --open
        }
        if (open && ((opened[open] < indent && FNR != line_of[open]) || (space[open] && !ends_space))) without_begin()
        if (open && opened[open] < indent && FNR != line_of[open]) {
          new_statement = 1
          first = 0
          continue
        }
      }
      if (open) {
        parentheses = kept[open]
        --open
      } else {
        without_begin()
      }
      new_statement = !parentheses
      if (new_statement) text = ""
    } else {
      if (c == ";" && !parentheses) new_statement = 1
      text = text c
      if (c ~ /[A-Za-z0-9_]/ && substr(code, p + 1, 1) == " ") text = text " "
    }
    first = 0
    last = FNR
  }
  if (length(code)) text = text " "
}

END {
  if (opens == closes) exit
  if (opens < closes) {
    at = 0
    inside = ""
    if (stray_head) found(stray_head, "the } in line " stray " has no {" by "behind line " stray_head)
    else found(stray, "the } in line " stray " has no {, or is one too many")
  } else if (!at) {
    without_end(open, 0)
  }
  printf "%d\t%s\t%s\n", at, inside, said
}
