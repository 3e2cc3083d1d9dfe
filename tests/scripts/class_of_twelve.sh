#!/usr/bin/env bash
# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
#
# class_of_twelve.sh FOLDER: a made-up class. Twelve students hand in answers, as solutions with the mistakes that people
# make: a missing guard or barrier, a wrong index, pitch or scale, a transposed matrix, a loop that does not end.
set -euo pipefail
repository=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd -P)
class=$1

# answer STUDENT NN N [SED]: hands in that solution, changed by SED, in the student's clone.
answer() {
  local chapter solution file text
  chapter=$(cd "$repository/chapters" && echo "$2"_*)
  solution=$(echo "$repository/chapters/$chapter/solutions/$3"_*)
  file=${solution##*/}
  file=$class/$1/$chapter/${file%.*}/${file#*_}
  mkdir -p "${file%/*}"
  text=$(sed '/^ *\/\/ \(STARTER\|SOLUTION\|END SOLUTION\)/d' "$solution")
  sed "${4:-}" <<<"$text" >"$file"
  if [[ -n ${4:-} && $(cat "$file") == "$text" ]]; then
    echo "'$4' changes nothing in $solution" >&2
    exit 1
  fi
}
starter() {
  local chapter file
  answer "$1" "$2" "$3"
  chapter=$(cd "$repository/chapters" && echo "$2"_*)
  file=$(echo "$class/$1/$chapter/$3"_*/*)
  awk -f "$repository/common/commands/starter.awk" "$repository/chapters/$chapter/solutions/$3"_* >"$file"
}

without_guard='/if (i >= size) return;/d'
one_beyond='s/x\[size - 1 - i\]/x[size - i]/'
not_rounded_up='s/(size + threads_per_block - 1) \/ threads_per_block/size \/ threads_per_block/'
for student in "Ada Nowak" Bao "Chloé Martin" Dmitri "Eun-ji Park" "Fatima al-Zahra" Goran "O'Neil, Hugh" Ines Jonas "王小明" Lena; do
  mkdir -p "$class/$student"
done

# 00.1 Backwards
answer "Ada Nowak" 00 1
answer Bao 00 1 "$without_guard"
answer "Chloé Martin" 00 1
answer Dmitri 00 1 "$one_beyond"
answer "Eun-ji Park" 00 1 "$without_guard"
answer "Fatima al-Zahra" 00 1
answer Goran 00 1 "$not_rounded_up"
starter "O'Neil, Hugh" 00 1
answer Ines 00 1 's/threadIdx\.x/threadIdx/'
# What an unwinding stack has to destroy brings a symbol of the compiler's own with it.
answer Jonas 00 1 's|^#include "common.*|#include <vector>\n&|; s/^  const int blocks = .*/&\n  const std::vector<int> mine(blocks);/'

# 00.4 A grid that does not grow
answer "Ada Nowak" 00 4
answer Dmitri 00 4 's/i < size; i += threads_in_grid/i < size;/'
answer "Fatima al-Zahra" 00 4 's/const int threads_in_grid = gridDim.x \* blockDim.x/const int threads_in_grid = blockDim.x/'

# 05.2 A ragged end
no_barrier='/__syncthreads();/d'
answer "Ada Nowak" 05 2
answer Bao 05 2 "$no_barrier"
answer "Chloé Martin" 05 2 "$no_barrier"
answer "Eun-ji Park" 05 2 's/if (i < size) y\[i\]/y[i]/'
answer "Fatima al-Zahra" 05 2 "$no_barrier"
answer Jonas 05 2 's/sample_or_ghost(i + radius)/sample_or_ghost(i + radius - 1)/'

# 07.1 The theorem at work
answer "Ada Nowak" 07 1
answer "Chloé Martin" 07 1 's/ \* (1.0f \/ float(length))//'
answer Jonas 07 1 's/samples + taps - 1) length/std::max(samples, taps)) length/'

# 08.1 Whole blocks
answer "Ada Nowak" 08 1
answer "Chloé Martin" 08 1 's/ \/ sizeof(float)//g'
answer Jonas 08 1 's/row \* y_pitch + col/col * y_pitch + row/'

# 08.2 Keep a corner
answer "Ada Nowak" 08 2 's/a\[i\]\[r\] \* block/a[r][i] * block/'
answer "Chloé Martin" 08 2 '/all coefficients are there/d'
answer "Fatima al-Zahra" 08 2 '/all coefficients are there/d'
answer Jonas 08 2
