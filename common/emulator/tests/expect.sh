# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
# shellcheck shell=bash
#
# For tests of programs and scripts: a folder for scratch files, and a few words to check with.
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
shims=$scratch/shims
failures=0

# shim NAME TEXT: puts a program before the system's own.
shim() {
  printf '#!/usr/bin/env bash\n%s\n' "$2" >"$shims/$1"
  chmod +x "$shims/$1"
}

# hide NAME...: a PATH on which these programs do not exist.
hide() {
  local folder file
  mkdir -p "$scratch/bin"
  for folder in /usr/bin /bin; do
    for file in "$folder"/*; do ln -sf "$file" "$scratch/bin/"; done
  done
  for file in "$@"; do rm -f "$scratch/bin/$file"; done
  PATH=$shims:$scratch/bin
}

# attempt COMMAND...: its output (both streams) in `output`, its status in `status`. No terminal is there.
attempt() {
  output=$("$@" </dev/null 2>&1)
  status=$?
  last="$*"
}

complain() {
  printf 'FAILED: %s\n  after: %s (status %s)\n' "$1" "$last" "$status"
  printf '%s\n' "$output" | sed 's/^/  | /'
  failures=$(( failures + 1 ))
}

expect_status() { [[ $status == "$1" ]] || complain "the status should be $1"; }
# ends STATUS COMMAND...: attempts it and expects this status.
ends() {
  attempt "${@:2}"
  expect_status "$1"
}
expect() { [[ $output == *"$1"* ]] || complain "the output should contain: $1"; }
expect_no() { [[ $output != *"$1"* ]] || complain "the output should not contain: $1"; }
expect_true() {
  local what=$1
  shift
  "$@" || complain "$what"
}

finish() {
  if (( failures )); then
    echo "$failures expectations failed."
    exit 1
  fi
  echo "All as expected."
}
