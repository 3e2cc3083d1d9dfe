# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
# shellcheck shell=bash
#
# For tests of the scripts: a small repository with our scripts and two tiny chapters.
# Nothing here touches the system: apt-get and sudo are replaced by scripts that write down what they were told.

repository=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd -P)
source "$repository/common/emulator/tests/expect.sh"
tree=$scratch/tree
screen_program=${1:-}  # learner_screen

unset CXX CUDACXX CMAKE_GENERATOR CMAKE_BUILD_PARALLEL_LEVEL CMAKE_PREFIX_PATH NO_COLOR COLUMNS
export TUTORIAL_PRESET=emulated

# holds FILE TEXT...: the page, or another text, has all of these in it; lacks: it has none of them.
holds() { in_page expect "$@"; }
lacks() { in_page expect_no "$@"; }
in_page() {
  local last=$2 output text
  output=$(sed '/<style>/,/<\/style>/d' "$2")
  for text in "${@:3}"; do "$1" "$text"; done
}

make_tree() {
  mkdir -p "$tree"/{chapters,tests,common} "$shims"
  cp "$repository"/chapters/{run,exercise} "$tree/chapters/"
  cp "$repository/tests/run" "$tree/tests/"
  cp -r "$repository/common/commands" "$tree/common/"
  cp "$repository/CMakePresets.json" "$tree/"

  cat >"$tree/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.25)
project(tree LANGUAGES CXX)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)
enable_testing()
foreach(chapter 00_first 02_second)
  add_executable(${chapter} chapters/${chapter}/main.cpp)
  add_test(NAME chapters.${chapter} COMMAND ${chapter} --check)
endforeach()
foreach(n 1 2)
  add_executable(exercise_02_${n} EXCLUDE_FROM_ALL
    chapters/02_second/exercises/${n}_sum/sum.cpp chapters/02_second/exercises/${n}_sum/checks.cpp)
  target_include_directories(exercise_02_${n} PRIVATE chapters/02_second/exercises/${n}_sum)
  target_compile_options(exercise_02_${n} PRIVATE -Wempty-body -Wunused-value)
endforeach()
END
  # That of this build: nothing here is about how it is made.
  printf 'add_custom_target(learner_screen COMMAND cmake -E copy "%s" bin/learner_screen)\n' \
    "${screen_program:=$repository/build/emulated/bin/learner_screen}" >>"$tree/CMakeLists.txt"
  local chapter n
  for chapter in 00_first 02_second; do
    mkdir -p "$tree/chapters/$chapter"
    touch "$tree/chapters/$chapter/CMakeLists.txt"
    printf '# %s: chapter %s\n\ntext\n\n| | |\n| --- | --- |\n| You will be able to | add numbers; say what $a + b$ is |\n' \
      "${chapter%_*}" "${chapter#*_}" >"$tree/chapters/$chapter/README.md"
    cat >"$tree/chapters/$chapter/main.cpp" <<'END'
#include <cstdio>
#include <cstdlib>
int main(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) std::printf("<%s>", argv[i]);
  std::puts(" ran");
  const char* status = std::getenv("FAKE_STATUS");
  return status ? std::atoi(status) : 0;
}
END
  done
  mkdir -p "$tree"/chapters/02_second/{solutions,exercises/{1,2}_sum}
  for n in 1 2; do
    cat >"$tree/chapters/02_second/solutions/${n}_sum.cpp" <<'END'
#include "sum.hpp"

int sum(int a, int b) {
  // SOLUTION: add them (about 1 line)
  // STARTER: return a * 0 + b * 0;
  return a + b;
  // END SOLUTION
}
END
    echo "int sum(int a, int b);" >"$tree/chapters/02_second/exercises/${n}_sum/sum.hpp"
    cat >"$tree/chapters/02_second/exercises/${n}_sum/checks.cpp" <<'END'
#include <cstdio>
#include "sum.hpp"
int main() {
  if (sum(1, 2) != 3) std::printf("sum(1, 2) is %d, not 3\n", sum(1, 2));
  return sum(1, 2) != 3;
}
END
    cat >>"$tree/chapters/02_second/README.md" <<END
### Exercise $n: Sum number $n

Write it. File: \`exercises/${n}_sum/sum.cpp\`

<details><summary>Hint 1</summary>

First hint of $n.

</details>
<details><summary>Hint 2</summary>

Second hint of $n.

\`\`\`cpp
# no heading
\`\`\`

</details>
<details><summary>What you learned</summary>

Adding, part $n.

For \$N + K\$ numbers, \$1, \ldots, 2^{-32}\$, \$2^{32}\$, not \`\$HOME\`.

</details>
END
  done
  printf '## After the exercises\n\nmore\n' >>"$tree/chapters/02_second/README.md"

  # Headers that the package check finds, whatever is installed.
  for header in doctest/doctest.h CLI/CLI.hpp boost/context/fiber.hpp thrust/version.h; do
    mkdir -p "$scratch/include/$(dirname "$header")"
    touch "$scratch/include/$header"
  done
  export CPATH=$scratch/include
  shim apt-get "echo \"apt-get \$*\" >>'$scratch/system'; exit \${FAKE_APT_STATUS:-0}"
  shim apt-cache "echo '  Candidate: 1.0'"
  shim sudo "echo \"sudo \$*\" >>'$scratch/system'; exec \"\$@\""
  export PATH=$shims:$PATH
  "$tree/chapters/exercise" starters >/dev/null || { echo "no starters could be made"; exit 1; }
}
