#!/usr/bin/env bash
# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
#
# starter_fails.sh PROGRAM DEVICE: the starter must be refused, by a check that failed, and not by a crash; only the
# standard library's assertions, which name an index out of range, may end it. It runs as chapters/exercise check runs it.
# Where DEVICE is `emulated`, there is no reason to check less than all.
set -u
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
output=$(EXERCISE_RESULT=$scratch/result EMULATOR_REPORT=$scratch/report.html EXERCISE_TRACE=$scratch/trace \
  "$1" --verbose 2>&1)
status=$?
refuse() {
  printf '%s\n\nThe starter %s (status %s). Its output is above.\n' "$output" "$1" "$status"
  exit 1
}
[[ $2 == emulated ]] && (( status == 0 )) && refuse "passes all checks of the emulated device, or was not checked"
# Without counts a starter that is only slow passes. The emulated device counts, and there it must fail.
if (( status == 0 )) && grep -q '^Counts were not checked' <<<"$output"; then
  echo "Skipped: this starter computes what it should, and this device does not count what it must not do."
  exit 77
fi
if (( status == 0 )) && grep -q '^Several devices were not checked' <<<"$output"; then
  echo "Skipped: this starter is about several devices, and there is one."
  exit 77
fi
(( status == 0 )) && refuse "passes all checks: there is nothing left to do in this exercise, or the checks are too weak"
if (( status == 134 )) && grep -qE "^An index is out of range: |Assertion '.*' failed" <<<"$output"; then
  echo "The standard library refuses an index of the starter, as it should."
  exit 0
fi
(( status == 1 )) || refuse "ended in another way than by a failed check"
if grep -q '^The emulated device ends the program' <<<"$output"; then
  echo "The emulated device refuses a kernel of the starter, as it should."
  exit 0
fi
# doctest's last lines: "[doctest] test cases: 2 | 1 passed | 1 failed | 0 skipped".
failed=$(sed -n 's/^\[doctest] test cases:.*| *\([0-9]*\) failed.*/\1/p' <<<"$output")
[[ -n $failed ]] || refuse "did not reach the end of its checks"
(( failed > 0 )) || refuse "failed without a failed check"
echo "The starter fails $failed of its checks, as it should."
