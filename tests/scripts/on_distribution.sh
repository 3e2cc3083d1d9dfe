#!/usr/bin/env bash
# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
#
# tests/on_distribution, with stand-ins for debootstrap, mount and chroot.
source "$(dirname "${BASH_SOURCE[0]}")/tree.sh"
make_tree
cp "$repository/tests/on_distribution" "$tree/tests/"
on=$tree/tests/on_distribution
git -C "$tree" init --quiet
git -C "$tree" add .
in_tree_commit() { git -C "$tree" -c user.name=a -c user.email=a commit --quiet --allow-empty -m "$1"; }
in_tree_commit first
systems="$scratch/my systems"
shim dpkg 'echo amd64'
shim debootstrap "
echo \"debootstrap \$*\" >>'$scratch/system'
[[ -z \${FAKE_DEBOOTSTRAP:-} ]] || { echo 'E: no such suite'; exit 1; }
for folder; do [[ \$folder == '$systems'/* ]] && break; done
mkdir -p \"\$folder/etc\" && echo 'PRETTY_NAME=\"Bare Linux 1\"' >\"\$folder/etc/os-release\""
shim unshare 'while [[ ${1:-} == --* ]]; do shift; done; exec "$@"'
shim mount 'exit 0'
shim chroot "
echo \"chroot \$1\" >>'$scratch/system'
printf '<%s>' \"\${@: -2}\"
exit \${FAKE_CHROOT:-0}"
shim id 'echo 0'

ends 2 "$on"
expect 'Which suite?'
ends 2 "$on" trixi
ends 2 "$on" --foldr x trixie
expect 'Did you mean --folder?'
ends 2 "$on" --folder "$systems" trixie sparc64
expect 'qemu-user-static'
shim id 'echo 1000'
ends 2 "$on" --folder "$systems" trixie
expect 'sudo tests/on_distribution trixie'
shim id 'echo 0'
FAKE_DEBOOTSTRAP=1 ends 2 "$on" --folder "$systems" trixie
expect 'E: no such suite'
rm "$scratch/system"

# A system is made once. Its tests are the last commit's, and their status is ours.
ends 0 "$on" --folder "$systems" noble
expect 'Bare Linux 1, amd64, commit '
expect '<tests/run><--yes>'
expect_true "Ubuntu's suites are made like gutsy" \
  grep -q "^debootstrap .*universe noble $systems/noble-amd64 http://archive.ubuntu.com/ubuntu gutsy" "$scratch/system"
in_tree_commit second
FAKE_CHROOT=3 ends 3 "$on" --folder "$systems" noble amd64 chapters/run 'a b'
expect '<chapters/run><a b>'
expect_true "it is used again" test "$(grep -c debootstrap "$scratch/system")" == 1
expect_true "the last commit is there" \
  test "$(git -C "$systems/noble-amd64/tutorial" rev-parse HEAD)" == "$(git -C "$tree" rev-parse HEAD)"

shim unshare 'exit 1'
ends 2 "$on" --folder "$systems" noble
expect '--privileged'
hide debootstrap
rm -f "$shims/debootstrap"
ends 2 "$on" --folder "$systems" noble
expect 'apt-get install debootstrap'
finish
