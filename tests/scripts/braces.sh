#!/usr/bin/env bash
# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
#
# A brace that is missing is named where it is missing, not where a compiler notices.
source "$(dirname "${BASH_SOURCE[0]}")/tree.sh"
mkdir "$scratch/braces"
brace_of() { "${screen_program:-$repository/build/emulated/bin/learner_screen}" brace "$1"; }

# A file with what braces can stand in; each line that says so loses its brace, and is then to be named.
cat >"$scratch/braces/whole.cu" <<'END'
// a { in a comment
#include "a.hpp"

namespace tutorial {
namespace {

constexpr int limits[] = {1, 2, 3};
constexpr char brace = '{', long_number = 1'000;
const char* text = "} \" }"; /* } }
} */
const char* raw = R"x(} " } )" })x";

/// y[i] = x[i]
__global__ void copy_kernel(const float* x,
                            float* y, int size) {  // loses: copy_kernel {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < 3; ++k) {  // loses: loop {
    if (i >= size) {
      return;
    }  // loses: if }
    switch (k) {
      case 0: y[i] = x[i]; break;
      default: { break; }
    }  // loses: switch }
  }  // loses: loop }
}  // loses: copy_kernel }

struct point {
  int x;
 public:
  int y() { return x; }
};  // loses: struct }

}  // namespace

void copy(const float* x, float* y, int size)
{  // loses: copy {
  const auto run = [&](int blocks) {
    copy_kernel<<<blocks, 256>>>(x, y, size);
  };  // loses: lambda }
  if (size > 0) { run((size + 255) / 256); }
  else {
    run(0);
  }  // loses: else }
}  // loses: copy }

#define OPEN {

void second() {
	if (true) {
		copy(nullptr, nullptr, 0);
	}  // loses: tab }
}

}  // namespace tutorial
END
last="a file with all its braces"
output=$(brace_of "$scratch/braces/whole.cu")
expect_true "has none to be named" test -z "$output"

# what is taken away | the line that is named | the function | what is said
while IFS='|' read -r mark line function words; do
  brace=${mark##* }
  last="without the $mark"
  sed "/loses: $mark\$/s/[$brace];\\?//" "$scratch/braces/whole.cu" >"$scratch/braces/less.cu"
  cmp -s "$scratch/braces/whole.cu" "$scratch/braces/less.cu" && complain "nothing was taken away"
  number=$(grep -nF -- "$line" "$scratch/braces/less.cu" | head -n 1 | cut -d: -f1)
  output=$(brace_of "$scratch/braces/less.cu")
  expect "$number"$'\t'"$function"$'\t'
  expect "$words"
done <<'END'
if }|if (i >= size) {|copy_kernel|the { in line 18 has no }: by the indentation, it is missing before line 21
switch }|switch (k) {|copy_kernel|the { in line 21 has no }: by the indentation, it is missing before line 25
loop }|for (int k = 0|copy_kernel|the { in line 17 has no }: by the indentation, it is missing before line 26
copy_kernel }|float* y, int size) {|copy_kernel|the { in line 15 has no }: by the indentation, it is missing before line 28
struct }|struct point {||the { in line 28 has no }: by the indentation, it is missing before line 34
lambda }|const auto run|copy|the { in line 38 has no }: by the indentation, it is missing before line 41
else }|else {|copy|the { in line 42 has no }: by the indentation, it is missing before line 45
copy }|{  // loses: copy {|copy|the { in line 37 has no }: by the indentation, it is missing before line 49
tab }|if (true) {|second|the { in line 50 has no }: by the indentation, it is missing before line 53
loop {|for (int k = 0||the } in line 25 has no {: by the indentation, it is missing behind line 17
copy_kernel {|float* y, int size)||the } in line 26 has no {: by the indentation, it is missing behind line 15
copy {|void copy(||the } in line 45 has no {: by the indentation, it is missing behind line 36
END

# One too many.
last="a } too many"
printf 'void f() {\n  g();\n  }\n}\n' >"$scratch/braces/more.cu"
output=$(brace_of "$scratch/braces/more.cu")
expect $'3\t\tthe } in line 3 has no {, or is one too many'

# Where nothing is indented, the last one that is left is named, as a compiler does.
last="a file without indentation"
printf 'void f() {\nif (true) {\ng();\n}\n' >"$scratch/braces/flat.cu"
output=$(brace_of "$scratch/braces/flat.cu")
expect "1"$'\t'"f"$'\t'"the { in line 1 has no }"
expect_no "by the indentation"

# What we have written ourselves has all its braces: nothing that is right is complained about.
last="our own files"
count=0
for file in "$repository"/{chapters,common}/*/{,*/,*/*/}*.{cu,cpp,hpp}; do
  [[ -e $file ]] || continue
  count=$(( count + 1 ))
  output=$(brace_of "$file")
  expect_true "${file#"$repository"/} has all its braces" test -z "$output"
done
expect_true "there are many" test "$count" -gt 300
finish
