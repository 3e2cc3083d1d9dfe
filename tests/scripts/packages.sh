#!/usr/bin/env bash
# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
source "$(dirname "${BASH_SOURCE[0]}")/tree.sh"
make_tree
run=$tree/chapters/run
compiler=$(command -v "${CXX:-c++}")
# A compiler that does not see the header in FAKE_MISSING, until "apt-get install" has run.
shim c++ "
if [[ \$* == *' -E '* && -n \${FAKE_MISSING:-} ]] && ! grep -qs 'install' '$scratch/system'; then
  source=\$(cat)
  [[ \$source == *\"<\$FAKE_MISSING>\"* ]] && exit 1
  exec '$compiler' \"\$@\" <<<\"\$source\"
fi
exec '$compiler' \"\$@\""
user() { shim id "echo $1"; }
system() { cat "$scratch/system" 2>/dev/null; }
forget() { rm -rf "$scratch/system" "$tree/build"; }

# Not root, no terminal: says what to do, and does nothing.
user 1000
FAKE_MISSING=thrust/version.h ends 2 "$run" 02
expect "sudo apt-get install --no-install-recommends libthrust-dev"
expect "Thrust, as the CUDA toolkit has it"
expect_no "libcli11-dev"
expect_true "nothing was run" test ! -e "$scratch/system"
FAKE_MISSING=thrust/version.h ends 2 "$tree/tests/run"
FAKE_MISSING=thrust/version.h ends 2 "$tree/chapters/exercise" check 02 1

# The same with --yes.
FAKE_MISSING=thrust/version.h ends 0 "$run" --yes 02
expect " ran"
expect_true "apt-get was run through sudo" grep -q '^sudo .*apt-get .*install .*libthrust-dev' "$scratch/system"
expect_no "Candidate"

# Root without a terminal goes on; where the lists are missing, it fetches them first.
forget
user 0
shim apt-cache "exit 0"
FAKE_MISSING=CLI/CLI.hpp ends 0 "$tree/tests/run" second
expect "  apt-get install --no-install-recommends libcli11-dev"
expect_no "sudo"
expect_true "update comes before install" test "$(system | sed -n '1s/.* //p')" == update
expect_true "install comes next" grep -q 'install -y .*libcli11-dev' <(system | sed -n 2p)

# On a terminal it asks, once; no is no.
at_a_terminal() { output=$(printf '%s\n' "$1" | script -qec "$run 02" /dev/null 2>&1); status=$?; last="$run on a terminal"; }
answers=(n "")
if ! script -qec true /dev/null >/dev/null 2>&1; then
  echo "Not tested: the question on a terminal (there is none to be had here)"
  answers=()
fi
for answer in "${answers[@]}"; do
  forget
  user 1000
  FAKE_MISSING=CLI/CLI.hpp at_a_terminal "$answer"
  expect "Run this now? [Y/n]"
  if [[ $answer == n ]]; then
    expect_status 2
    expect "Nothing was installed"
    expect_true "nothing was run" test ! -e "$scratch/system"
  else
    expect_status 0
    expect " ran"
    expect_true "apt-get was run" grep -q 'install.*libcli11-dev' "$scratch/system"
  fi
done
user 0

# apt fails: tries again with new lists, then says all that apt said.
forget
shim apt-get "echo \"apt-get \$*\" >>'$scratch/log'; echo 'E: no such thing'; exit 100"
FAKE_MISSING=CLI/CLI.hpp ends 2 "$run" 02
expect "E: no such thing"
expect "apt could not install them"
forget
# apt says yes, and still it is missing (a distribution that is too old).
shim apt-get "exit 0"
FAKE_MISSING=CLI/CLI.hpp ends 2 "$run" 02
expect "Installed, but still missing or too old"

# doctor says the same, and changes nothing.
forget
FAKE_MISSING=boost/context/fiber.hpp ends 1 "$run" doctor
expect "missing: libboost-context-dev"
expect_true "doctor writes nothing" test ! -e "$tree/build"
ends 0 "$run" doctor
expect "all here"
expect "$(sed -n 's/^PRETTY_NAME="\(.*\)"/\1/p' /etc/os-release), $(uname -m)"

# A compiler that is too old, and one that does not exist.
shim old_compiler 'exit 1'
CXX=old_compiler ends 2 "$run" 02
expect "the C++20 compiler"
CXX=no_such_compiler ends 2 "$run" 02
expect "CXX is set to 'no_such_compiler'"
shim cmake 'echo cmake version 3.22.1'
ends 2 "$run" 02
expect "3.25 or newer"
rm "$shims/cmake"

# No apt, no compiler at all, no driver.
rm "$shims"/{apt-get,apt-cache,c++}
hide apt-get c++ g++ clang++ cmake nvidia-smi
ends 2 "$run" 02
expect "g++"
expect "cmake"
expect "This system has no apt"
expect "docs/mac.md"
ends 1 "$run" doctor
expect "container line in docs/mac.md"
expect "if this machine has an NVIDIA GPU, install its driver"
finish
