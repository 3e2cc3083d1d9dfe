# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
#
# Makes the starter of an exercise from its solution:  awk -f common/commands/starter.awk solutions/1_name.cu
#
#   // SOLUTION: <hint> (about 4 lines)    opens the part that the learner writes; the starter says "to do" there
#   // STARTER: <code>                     inside such a part: a line of code that only the starter has
#   // END SOLUTION                        closes it
#
# Everything else is copied. A marker that is not understood is an error with file:line, and status 1.

function fail(message) {
  printf "%s:%d: %s\n", FILENAME, FNR, message > "/dev/stderr"
  failed = 1
  exit 1
}

/^[ \t]*\/\/ SOLUTION:/ {
  if (inside) fail("a SOLUTION inside the SOLUTION of line " opened)
  if (!match($0, /\(about [0-9]+ lines?\)$/))
    fail("say how much is to be written, at the end of the line: // SOLUTION: <hint> (about N lines)")
  promised = substr($0, RSTART + 7) + 0
  sub(/SOLUTION:/, "TODO:")
  print
  inside = 1; opened = FNR; written = 0; blocks++
  next
}

/^[ \t]*\/\/ END SOLUTION[ \t]*$/ {
  if (!inside) fail("END SOLUTION without a SOLUTION")
  # Braces alone are no lines that anybody has to think of.
  difference = written > promised ? written - promised : promised - written
  if (difference > 1 && difference > written / 2)
    fail("'about " promised " lines' is promised in line " opened ", but the solution has " written)
  inside = 0
  next
}

/^[ \t]*\/\/ (SOLUTION|END|STARTER)/ && !(inside && /\/\/ STARTER: /) { fail("this marker is not understood: " $0) }

inside && /^[ \t]*\/\/ STARTER: / {
  sub(/\/\/ STARTER: /, "")
  print
  next
}

inside {
  if ($0 !~ /^[ \t]*$/ && $0 !~ /^[ \t]*\/\// && $0 !~ /^[ \t]*[{}]+;?[ \t]*$/) written++
  next
}

{ print }

END {
  if (failed) exit 1
  if (inside) fail("the SOLUTION of line " opened " is not closed: // END SOLUTION is missing")
  if (!blocks) fail("no '// SOLUTION: <hint> (about N lines)' stands in this file")
}
