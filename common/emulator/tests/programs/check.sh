#!/usr/bin/env bash
# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
#
# The steps of check/action.yml, for the repository of somebody else:  check.sh EMUCC
source "$(dirname "${BASH_SOURCE[0]}")/../expect.sh"
check=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../check" && pwd -P)
mkdir -p "$shims" "$scratch/device" "$scratch/theirs/source" "$scratch/elsewhere/check"
ln -s "$(dirname "$1")" "$scratch/device/bin"
cd "$scratch/theirs" || exit 1
export EMUCC_QUIET=1 GITHUB_WORKSPACE=$PWD PATH=$shims:$PATH

# It installs packages that are missing, and builds only where nothing is. Its key is another one where a file is.
shim dpkg 'exit "${FAKE_MISSING:-0}"'
shim sudo 'exec "$@"'
shim apt-get 'echo "apt-get $*"'
shim cmake 'echo "cmake $*"'
ends 0 "$check/install" "$scratch/device"
expect_true "nothing was to be done" test -z "$output"
FAKE_MISSING=1 attempt "$check/install" "$scratch/nothing there"
expect "apt-get install -yq --no-install-recommends g++"
expect "cmake --build"
rm "$shims"/*
cp "$check/install" "$scratch/elsewhere/check/"
attempt "$scratch/elsewhere/check/install" --key
expect "key=cuda_emulator-"
key=$output
echo >"$scratch/elsewhere/new.hpp"
attempt "$scratch/elsewhere/check/install" --key
expect_no "$key"

cat >source/beyond.cu <<'END'
__global__ void fill_kernel(float* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i <= n) x[i] = 1;
}
int main() {
  float* x;
  cudaMalloc(&x, 100 * sizeof *x);
  fill_kernel<<<1, 128>>>(x, 100);
  cudaDeviceSynchronize();
  cudaFree(x);
}
END
sed 's/i <= n/i < n/' source/beyond.cu >source/right.cu
sed 's/threadIdx.x/threadIdx.w/' source/beyond.cu >source/wrong.cu
git init -q . && git add .

# A finding, whatever folder the program was compiled in, once and with its details; a mistake of the language.
for commands in "emucc -run source/beyond.cu" "cd source; emucc beyond.cu -o beyond; (./beyond) || ./beyond" \
  "emucc -run $PWD/source/beyond.cu"; do
  ends 1 "$check/run" "$scratch/device" "$commands"
  expect "::error file=source/beyond.cu,line=3::access out of bounds in kernel fill_kernel%0A  thread (100, 0, 0)"
  expect_true "it is marked once" test "$(grep -c '^::' <<<"$output")" == 1
done
ends 1 "$check/run" "$scratch/device" "cd source; emucc wrong.cu; echo not reached"
expect "::error file=source/wrong.cu,line=2::"
expect_no "not reached"
ends 0 "$check/run" "$scratch/device" "emucc -run source/right.cu; echo 'a.cu:1:2: warning: 5%'"
expect "::warning file=a.cu,line=1::5%25"
ends 0 "$check/run" "$scratch/device" "emucc -run source/right.cu"
expect_no "::"

# GitLab's report: the marks of a finding and of a warning, and none.
report() {
  rm -f gl-code-quality-report.json
  attempt env -u GITHUB_WORKSPACE CI_PROJECT_DIR="$PWD" "$check/run" "$scratch/device" "$1"
  attempt python3 -c 'import json; print(*((each["location"]["path"], each["location"]["lines"]["begin"], each["severity"],
    len(each["fingerprint"]), each["description"]) for each in json.load(open("gl-code-quality-report.json"))))'
}
report 'cd source; printf "beyond.cu:07: warning: \\\\ of \"a\"\t\n  \\xff\n"; emucc -run beyond.cu'
expect "('source/beyond.cu', 7, 'minor', 32, '\\\\ of \"a\" \n  ')"
expect "('source/beyond.cu', 3, 'major', 32, 'access out of bounds in kernel fill_kernel\n  thread (100, 0, 0)"
report "emucc -run source/right.cu"
expect_true "it is empty" test -z "$output"

# Every step of the action is one of these scripts.
attempt sed -n 's/^ *run: //p' "$check/action.yml"
expect_true "steps are scripts here" test "$(grep -cE 'GITHUB_ACTION_PATH/(install|run)" ' <<<"$output")" == "$(wc -l <<<"$output")"
finish
