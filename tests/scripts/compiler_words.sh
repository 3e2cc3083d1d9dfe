#!/usr/bin/env bash
# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
#
# What a compiler's first message says to somebody who meets it for the first time.
source "$(dirname "${BASH_SOURCE[0]}")/tree.sh"
root=$scratch
source "$repository/common/commands/packages.sh"
source "$repository/common/commands/compiler_messages.sh"
cat >"$scratch/a.cu" <<'END'
#include "a.hpp"

__global__ void copy_kernel(const float* x, float* y) {
  const int i = threadIdx.x  // no end
  // y[i] = misspeled;

  if (i > 3) return;
  y[i] = x[i]
}
void copy() { copy_kernal<<<1, 1>>>(nullptr, nullptr); }
  y = 3;
for (int i = 0; i < 3; ++i) { y[i] = x[i] }
END

# the message | its line | what is said; nothing where the message is clear | another line, where that is the place
while IFS='|' read -r message line wanted place; do
  last=$message
  error_in_words "a.cu:$line: error: $message" "$scratch/a.cu" "$line"
  output=$words
  expect_true "the words should be: $wanted" test "$words" == "$wanted"
  output=$words_line
  expect_true "the place should be: ${place:-as the compiler says}" test "$words_line" == "$place"
done <<'END'
expected ‘,’ or ‘;’ before ‘if’|7|a ; may be missing at the end of line 4.|4
expected ';' before 'if'|7|a ; may be missing at the end of line 4.|4
expected ‘;’ before ‘}’ token|8|a ; may be missing at the end of line 8.|8
expected a ";"|7|a ; may be missing at the end of line 4.|4
expected initializer before ‘void’|10|a ; may be missing at the end of line 9.|9
assignment of read-only location ‘*(x + ((sizetype)(((long unsigned int)i) * 4)))’|8|x is const, which can only be read. Is it the array that is to be written?|
assignment of read-only location ‘x.std::span<const float>::operator[](i)’|8|x is const, which can only be read. Is it the array that is to be written?|
assignment of read-only variable ‘i’|8|i is const, and = would change it. Leave out const; or, to compare, write ==.|
cannot convert ‘const tutorial::device_span<float>’ to ‘float*’|10|a kernel takes a pointer: write .data() behind the name of what you pass.|
invalid conversion from ‘const float*’ to ‘float*’ [-fpermissive]|10|an array that can only be read is passed where one to write to is wanted. Are two arguments exchanged?|
invalid application of ‘sizeof’ to incomplete type ‘float []’|4|shared memory whose size the launch gives is declared with extern: extern __shared__ float tile[];|
‘copy_kernal’ was not declared in this scope|10|there is no copy_kernal. Did you mean copy_kernel?|
‘misspelled’ was not declared in this scope|10||
‘copy_kernal’ was not declared in this scope; did you mean ‘copy_kernel’?|10||
‘fill’ is not a member of ‘std::ranges’; did you mean ‘std::fill’?|10|std::fill is in a header of its own: #include <algorithm>. (A kernel has min(), max(), sqrtf() and the like without std::.)|
‘frobnicate’ is not a member of ‘std’|10||
‘retrun’ was not declared in this scope|10|there is no retrun. Did you mean return?|
‘y’ was not declared in this scope|11|y is new here. Its type belongs before it, as in: const int y = 3;|
expected ‘;’ before ‘}’ token|12|a ; may be missing before }.|
no matching function for call to ‘__shfl_down_sync(float&, int&)’|10|__shfl_down_sync takes three values, and the first says which lanes take part: 0xffffffff for all.|
no matching function for call to ‘__shfl_down_sync(unsigned int, float&, const char*)’|10||
expected ‘,’ or ‘;’ before ‘threadIdx’|4|something is missing before threadIdx: an operator such as + or *, a comma, or a ;.|
'{' is closed by ')' on line 4|3|the ) in line 4 is one too many, or what opens it is missing.|4
'(' is closed by '}' on line 9|7|a ( in line 7 is not closed.|
'[' is closed by ')' on line 9|7|a [ in line 7 is not closed.|
‘include’ does not name a type|1|a line that includes a header begins with #: #include|
invalid use of non-static member function ‘T* tutorial::device_span<T>::data() const [with T = const float]’|10|data is a function. To call it, write data().|
too few arguments to function ‘void copy_kernel(const float*, float*)’|10||
END

# An error that comes several times is shown once.
last="each error once"
output=$(each_error_once <<'END'
a.cu: In function ‘void f()’:
a.cu:10: error: ‘k’ was not declared in this scope
   10 | k<<<1, 1>>>();
a.cu:10: error: ‘k’ was not declared in this scope
a.cu: In lambda function:
a.cu:10:5: error: ‘k’ was not declared in this scope
   10 | k<<<1, 1>>>();
a.cu:12: error: ‘m’ was not declared in this scope
   12 | m
a.cu:13: warning: unused
   13 | n
END
)
expect_true "three messages are left" test "$(grep -c 'error: \|warning: ' <<<"$output")" == 3
expect $'   10 | k<<<1, 1>>>();\na.cu:12: error: \xe2\x80\x98m\xe2\x80\x99'
expect $'   12 | m\na.cu:13: warning: unused\n   13 | n'
expect_no "lambda"
finish
