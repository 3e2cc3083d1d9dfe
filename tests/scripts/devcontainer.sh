#!/usr/bin/env bash
# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
#
# The containers that an editor or a code host makes of .devcontainer: each is valid JSON, its command is one of ours, and
# what it installs is in the tables of packages.sh and nowhere else.
source "$(dirname "${BASH_SOURCE[0]}")/tree.sh"
if ! command -v python3 >/dev/null; then
  echo "SKIPPED: python3 was not found (package python3): scripts.devcontainer did not run"
  exit
fi
make_tree
compiler=$(command -v "${CXX:-c++}")
# A compiler that does not see the header in FAKE_MISSING, until "apt-get install" has run.
shim c++ "
if [[ \$* == *' -E '* && -n \${FAKE_MISSING:-} ]] && ! grep -qs 'install' '$scratch/system'; then
  source=\$(cat)
  [[ \$source == *\"<\$FAKE_MISSING>\"* ]] && exit 1
  exec '$compiler' \"\$@\" <<<\"\$source\"
fi
exec '$compiler' \"\$@\""
shim id "echo 1000"
source "$repository/common/commands/packages.sh"
source "$repository/common/commands/build.sh"

# value FILE KEY...: what the JSON has there; status 1 where the file is no JSON, or has no such key.
value() {
  python3 - "$@" <<'PYTHON'
import json, sys

def once(pairs):
    if len(dict(pairs)) != len(pairs):
        sys.exit(f"a key stands there twice: {[key for key, _ in pairs]}")
    return dict(pairs)

found = json.load(open(sys.argv[1], encoding="utf-8"), object_pairs_hook=once)
for key in sys.argv[2:]:
    found = found[key]
print(found)
PYTHON
}

# What is wrong with the container description $1, a line for each.
mistakes() {
  local command package
  command=$(value "$1" postCreateCommand 2>/dev/null) || { echo "no JSON, or no postCreateCommand"; return; }
  case $command in
    "chapters/run --yes "*) ;;
    *) echo "its command is '$command'" ;;
  esac
  value "$1" image >/dev/null 2>&1 || echo "no image"
  [[ $(value "$1" customizations codespaces openFiles 2>/dev/null) == "['README.md']" ]] || echo "does not open README.md"
  while IFS='|' read -r package _; do
    [[ -n $package ]] || continue
    if [[ " $(grep -v '"features"' "$1" | tr -c 'a-z0-9.+\n-' ' ' | xargs) " == *" $package "* ]]; then echo "names the package $package itself"; fi
  done <<<"$all_packages"
  grep -qE 'apt-get|apt install' "$1" && echo "installs by itself"
}
all_packages=$(packages_of_preset emulated)$packages_for_the_tests$packages_for_the_book

containers=("$repository"/.devcontainer/devcontainer.json "$repository"/.devcontainer/*/devcontainer.json)
expect_true "there is a container with a GPU, and one without" test "${#containers[@]}" == 2
for container in "${containers[@]}"; do
  output=$(mistakes "$container")
  status=0
  last=$container
  expect_true "nothing is wrong with it" test -z "$output"

  # Its command, as the container's user: not root, no terminal.
  rm -rf "$scratch/system" "$tree/build"
  cd "$tree" || exit 1
  FAKE_MISSING=thrust/version.h attempt bash -c "$(value "$container" postCreateCommand)"
  cd - >/dev/null || exit 1
  expect_status 0
  expect " ran"
  expect_true "it installs what is missing, by apt through sudo" grep -q '^sudo .*apt-get .*install .*libthrust-dev' "$scratch/system"
done

# The mistakes are seen.
wrong() {
  sed "$1" "${containers[0]}" >"$scratch/wrong.json"
  cmp -s "$scratch/wrong.json" "${containers[0]}" && complain "'$1' should change the file"
  output=$(mistakes "$scratch/wrong.json")
  last="sed '$1'"
  expect "$2"
}
wrong '$d' "no JSON"
wrong 's/"name"/"image"/' "no JSON"
wrong 's/"postCreateCommand"/"command"/' "no postCreateCommand"
wrong 's|chapters/run --yes 00|apt-get install -y cmake|' "its command is"
wrong 's|chapters/run --yes 00|chapters/run 00|' "its command is"
wrong 's|--yes 00|--yes 00 \&\& sudo apt-get install -y g++|' "names the package g++ itself"
wrong 's/README.md/LICENSE/' "does not open README.md"
wrong '/"image"/d' "no image"

# No package is listed twice, in any list that one command takes.
for table in "$(packages_of_preset emulated)$packages_for_the_tests" "$(packages_of_preset gpu)$packages_for_the_tests" \
  "$packages_for_the_book"; do
  output=$(cut -d'|' -f1 <<<"$table" | sed '/^$/d' | sort | uniq -d)
  last="a table of packages"
  expect_true "no package is listed twice" test -z "$output"
done

finish
