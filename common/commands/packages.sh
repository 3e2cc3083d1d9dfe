# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
# shellcheck shell=bash
#
# What this repository needs from the system, how to see that it is there, and how to get what is missing.
# Read by chapters/run, chapters/exercise, tests/run, docs/book/build and .ci/run. They write their own messages to
# standard error; standard output belongs to the programs that they run.

source "$(dirname "${BASH_SOURCE[0]}")/progress.sh"

say() { printf '%s\n' "$*" >&2; }
strong() { if [[ -t 2 && -z ${NO_COLOR:-} && ${TERM:-dumb} != dumb ]]; then say $'\033[1m'"$*"$'\033[0m'; else say "$*"; fi; }

# Ends with "bad usage or bad input".
refuse() {
  say "$*"
  exit 2
}

# Of the words $2 ..., the one that $1 is misspelled for, by the rule that a chapter's program has, too
# (common/program/options.cpp): up to two letters changed, added or left out, or the end is missing. A word may have a
# meaning, "show=solution", which is then printed. Nothing, and status 1, where none is near.
nearest_word() {
  printf '%s\n' "${@:2}" | awk -v word="$1" '
    function plain(text) { sub(/=.*/, "", text); sub(/^-+/, "", text); return text }
    function between(a, b, row, i, j, diagonal, changed) {
      for (j = 0; j <= length(b); ++j) row[j] = j
      for (i = 1; i <= length(a); ++i) {
        diagonal = row[0]
        row[0] = i
        for (j = 1; j <= length(b); ++j) {
          changed = diagonal + (substr(a, i, 1) != substr(b, j, 1))
          diagonal = row[j]
          row[j] = least_of(changed, least_of(row[j - 1], diagonal) + 1)
        }
      }
      return row[length(b)]
    }
    function least_of(a, b) { return a < b ? a : b }
    BEGIN {
      if (length(word = plain(word)) < 3) exit
      least = least_of(int(length(word) / 2), 2) + 1
    }
    {
      letters = index(plain($0), word) == 1 ? 1 : between(word, plain($0))
      if (letters < least) {
        least = letters
        sub(/.*=/, "")
        best = $0
      }
    }
    END { if (best != "") print best; exit best == "" }'
}

# refuse_option COMMAND OPTION [MORE]: the script does not know it; `usage` names those that it does.
refuse_option() {
  local known meant
  mapfile -t known < <(usage | grep -oE -e '--[a-z]+' | sort -u)
  meant=$(nearest_word "$2" "${known[@]}") && meant=" Did you mean $meant?"
  refuse "$1 does not know the option '$2'${3:-}.$meant $1 --help shows what there is."
}

have_command() { command -v "$1" >/dev/null 2>&1; }

# The compiler that CMake will take: CXX, else the first of these. Prints nothing where there is none.
host_compiler() {
  local name
  for name in ${CXX:-c++ g++ clang++}; do
    if have_command "$name"; then
      command -v "$name"
      return
    fi
  done
}

have_compiler() {
  local compiler
  compiler=$(host_compiler)
  [[ -n $compiler ]] && "$compiler" -std=c++20 -fsyntax-only -x c++ - >/dev/null 2>&1 <<'END'
#include <source_location>
#include <span>
constinit int number = 0;
template <typename T>
  requires(sizeof(T) == 4)
T twice(T value) { return value + value; }
int main() { return twice(number) + int(std::source_location::current().line() == 0); }
END
}

# As the compiler sees it where there is one, else where Debian puts it.
have_header() {
  local compiler
  compiler=$(host_compiler)
  if [[ -z $compiler ]]; then
    [[ -e /usr/include/$1 || -e /usr/local/include/$1 ]]
    return
  fi
  "$compiler" -std=c++20 -E -x c++ - >/dev/null 2>&1 <<END
#if !__has_include(<$1>)
#error missing
#endif
END
}

have_cmake() {
  local version
  version=$(cmake --version 2>/dev/null | sed -n '1s/.* \([0-9][0-9.]*\).*/\1/p')
  [[ -n $version && $(printf '%s\n3.25\n' "$version" | sort -V | head -n 1) == 3.25 ]]
}

have_build_program() { have_command ninja || have_command make; }

# Debian package | what it is for | how to see that it is there
packages_for_everything='
g++|the C++20 compiler|have_compiler
cmake|describes the build; 3.25 or newer|have_cmake
ninja-build|runs the build (make would do as well)|have_build_program
binutils|the linker, and names for addresses|have_command ld
doctest-dev|the checks of every chapter|have_header doctest/doctest.h
libcli11-dev|the options of every chapter|have_header CLI/CLI.hpp
libpng-dev|pictures as PNG|have_header png.h
libjpeg-dev|pictures as JPEG|have_header jpeglib.h'

packages_for_the_emulated_device='
libboost-context-dev|lets the threads of a block wait for each other|have_header boost/context/fiber.hpp
libthrust-dev|Thrust, as the CUDA toolkit has it|have_header thrust/version.h
libkissfft-dev|the transforms behind its cuFFT|have_header kissfft/kiss_fft.h'

packages_for_grading='
python3|grades, and writes the pages|have_command python3
ninja-build|tells how an answer is compiled|have_command ninja
bubblewrap|runs each answer apart from the rest of this machine|have_bubblewrap'
# Root can do without, in a container.
have_bubblewrap() { have_command bwrap || is_root || [[ -n ${trust:-} ]]; }

packages_for_the_tests='
gcc|C, for programs that use chapter 09 as a library|have_command cc
python3|tests of the documents, of the sample data and of pictures|have_command python3
python3-nbclient|runs the notebook|python_with ipykernel,nbclient
python3-ipykernel|Python, for the notebook|python_with ipykernel,nbclient
make|the Makefile of a page, which a test runs|have_command make
bubblewrap|runs answers of a class apart, for who is not root|have_command bwrap
git|what a test of the last commit has to look at|have_command git'

# The Python that has the modules $1: that of the distribution, where another python3 comes first in PATH.
python_with() {
  local python
  for python in python3 /usr/bin/python3; do
    if "$python" -c "import $1" 2>/dev/null; then echo "$python"; return; fi
  done
  return 1
}

packages_for_the_book='
python3|makes the pages|have_command python3
doxygen|reads the code|have_command doxygen
python3-sphinx|makes the pages from the documents|python_with sphinx
python3-myst-parser|reads the documents, which are Markdown|python_with myst_parser
fonts-stix|the letters of the formulas|test -e /usr/share/fonts/opentype/stix-word/STIXMath-Regular.otf'

package_for_the_browser='
chromium|opens the book as readers do|have_browser'
have_browser() {
  have_command chromium || have_command chromium-browser || have_command google-chrome || have_command google-chrome-stable
}

# The lines of the table $1 whose package is missing.
missing_packages() {
  local package purpose test
  while IFS='|' read -r package purpose test; do
    [[ -n $package ]] || continue
    # shellcheck disable=SC2086  # the test is a command with its arguments
    $test >/dev/null || printf '%s|%s|%s\n' "$package" "$purpose" "$test"
  done <<<"$1"
}

describe_packages() {
  local package purpose _
  while IFS='|' read -r package purpose _; do
    if [[ -n $package ]]; then printf '  %-22s %s\n' "$package" "$purpose" >&2; fi
  done <<<"$1"
}

package_names() { cut -d'|' -f1 <<<"$1" | xargs; }

is_root() { [[ $(id -u) == 0 ]]; }

# ensure_packages TABLE LOG YES: returns when everything in the table is there, and otherwise ends the program.
# YES (0 or 1): install without asking.
ensure_packages() {
  local missing log=$2 yes=$3 names=() prefix=() answer
  if [[ -n ${CXX:-} && -z $(host_compiler) ]]; then
    refuse "CXX is set to '$CXX', but there is no such compiler. Unset it, or set it to one that is installed."
  fi
  missing=$(with_progress "Looking at what is installed" missing_packages "$1")
  [[ -n $missing ]] || return 0
  read -r -a names < <(package_names "$missing")

  strong "Missing:"
  describe_packages "$missing"
  if ! have_command apt-get; then
    refuse "This system has no apt: install these with its own package manager (their names may differ a little there)," \
      "or use a container: docs/mac.md has the line."
  fi
  is_root || prefix=(sudo)
  say ""
  say "  ${prefix[*]}${prefix[*]:+ }apt-get install --no-install-recommends ${names[*]}"
  say ""

  if (( ! yes )); then
    if [[ -t 0 && -t 2 ]]; then
      read -r -p "Run this now? [Y/n] " answer || answer=n
      [[ $answer =~ ^([Yy]|[Yy][Ee][Ss])?$ ]] || refuse "Nothing was installed. Run the line above, then this command again."
    elif ! is_root; then
      refuse "Run the line above, then this command again, or add --yes to run it automatically."
    fi
  fi
  if ! is_root && ! have_command sudo; then
    refuse "There is no sudo here: run the line above as root, then this command again."
  fi
  install_packages
  packages_were_installed=1

  missing=$(missing_packages "$missing")
  [[ -n $missing ]] || return 0
  strong "Installed, but still missing or too old:"
  describe_packages "$missing"
  refuse "This distribution may be too old (Debian 12 is the oldest that we try). What is used now:" \
    "compiler ${CXX:-$(host_compiler)}, cmake $(cmake --version 2>/dev/null | sed -n '1s/.* //p')." \
    "docs/mac.md has a container line that works anywhere."
}

# Of ensure_packages: gets the packages `names`, by `prefix`, which is sudo or nothing.
install_packages() {
  local attempt
  mkdir -p "$(dirname "$log")"
  : >"$log"
  say "Installing (log: $log)"
  # shellcheck disable=SC2317  # with_progress calls it
  run_apt() { "${prefix[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 "$@" >>"$log" 2>&1 </dev/null; }
  # Its question for the password would be written over by progress.
  if [[ ${prefix[*]} == sudo && -t 0 ]]; then sudo -v; fi
  # The lists may be there and outdated: then the first attempt fails, and a fresh list mends it.
  for attempt in first second; do
    if [[ $attempt == second ]] || ! apt_knows "${names[@]}"; then
      with_progress "Reading the lists of packages" run_apt update
    fi
    with_progress "Installing" run_apt install -y --no-install-recommends "${names[@]}" && return 0
  done
  cat "$log" >&2
  say ""
  refuse "apt could not install them; its whole output is above."
}

apt_knows() {
  local name
  for name in "$@"; do
    [[ $(apt-cache policy "$name" 2>/dev/null) == *'Candidate: '[^\(]* ]] || return 1
  done
}
