#!/usr/bin/env bash
# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
#
# test.sh 15_rank 02_direct_kernel: processes on this machine. What they make of a file is what chapter 02's program
# makes of it; a rank that dies, never comes or looks in the wrong place ends all of them, and nothing is left behind.
set -u
rank=$(realpath "$1") whole=$(realpath "$2")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 1
unset RANK WORLD_SIZE LOCAL_RANK MASTER_ADDR MASTER_PORT "${!OMPI_COMM_WORLD_@}" "${!SLURM_@}"
export MASTER_PORT=$((20000 + $$ % 12000)) MEETING_SECONDS=20
devices=4
# On a machine with fewer GPUs than ranks, NCCL has no device for each.
if ! [[ $("$whole" --no-check --length 8 --taps 1 2>&1 | head -n 1) == *emulated* ]]; then
  devices=$(nvidia-smi -L 2>/dev/null | grep -c '^GPU')
  ((devices >= 2)) || { echo "Skipped: several processes need several devices"; exit 77; }
  ((devices < 4)) || devices=4
fi
failures=0
fail() {
  printf 'FAILED: %s\n' "$1"
  failures=$((failures + 1))
}

# start RANK SIZE STEPS [NAME=VALUE...]: one process, in the background; its output is in out.RANK
start() {
  env RANK="$1" WORLD_SIZE="$2" "${@:4}" timeout 60 "$rank" x.npy h.npy "$3" y.npy >"out.$1" 2>&1 &
  processes[$1]=$!
}
# ended RANK STATUS PATTERN: it ends with this status, having said that
ended() {
  wait "${processes[$1]}"
  local got=$?
  if [[ $got != "$2" ]] || ! grep -qE -- "$3" "out.$1"; then
    fail "$what: rank $1 ended with status $got, expected $2 and '$3':"$'\n'"$(cat "out.$1")"
  fi
}
nothing_left() {
  [[ -e y.npy || -e y.npy.part ]] && fail "$what: something is left: $(ls)"
  rm -f y.npy y.npy.part
}
processes=()

for i in $(seq 1003); do echo $((i * 7919 % 17 - 8)); done >x.txt
printf '1\n-2\n3\n1\n' >h.txt
echo 1 >one.txt
convert() { "$whole" --signal "$1" --filter "$2" --mode same --type float --output "$3" >/dev/null || exit 1; }
convert x.txt one.txt x.npy
convert h.txt one.txt h.npy
convert x.npy h.txt 1.npy
convert 1.npy h.txt 2.npy
convert 2.npy h.txt 3.npy

for size in 1 2 "$devices"; do
  what="$size processes"
  for ((r = size - 1; r >= 0; --r)); do
    start $r "$size" 3
    ((r == 1)) && sleep 0.3  # rank 0 comes late
  done
  for ((r = 0; r < size; ++r)); do ended $r 0 "^rank $r of $size: samples"; done
  cmp y.npy 3.npy || fail "$what: another result than one process"
  [[ -e y.npy.part ]] && fail "$what: the temporary file is left"
  rm -f y.npy
done

what="a rank is killed"
for r in 0 1; do start $r 2 1000000; done
for ((i = 0; i < 300; ++i)); do
  grep -q '^rank' out.0 && grep -q '^rank' out.1 && break
  sleep 0.1
done
pkill -KILL -P "${processes[1]}"
ended 0 1 'rank 1 .*has ended'
wait "${processes[1]}"
nothing_left

what="rank 0 is killed"
for r in 0 1; do start $r 2 1000000; done
for ((i = 0; i < 300; ++i)); do
  grep -q '^rank' out.0 && grep -q '^rank' out.1 && break
  sleep 0.1
done
pkill -KILL -P "${processes[0]}"
ended 1 1 'rank 0 .*has ended'
wait "${processes[0]}"
nothing_left

what="a rank never comes"
for r in 0 2; do start $r 3 1 MEETING_SECONDS=1; done
ended 0 1 '^rank 1 of 3 has not come to 127\.0\.0\.1:[0-9]+ within 1 s$'
ended 2 1 '^rank 2 of 3: rank 0 has ended before all ranks had come'
nothing_left

what="a mistyped address"
start 0 2 1 MEETING_SECONDS=1
start 1 2 1 MEETING_SECONDS=1 MASTER_ADDR=127.0.0.1x
ended 1 1 "^rank 1 of 2: there is no machine '127\.0\.0\.1x' \(MASTER_ADDR\)$"
ended 0 1 '^rank 1 of 2 has not come'
start 0 2 1 MEETING_SECONDS=1 MASTER_PORT=$((MASTER_PORT + 1))
start 1 2 1 MEETING_SECONDS=1
ended 1 1 '^rank 1 of 2: rank 0 does not answer at'
ended 0 1 '^rank 1 of 2 has not come'
nothing_left

what="what the environment should not say"
start 0 2 1 RANK=2
ended 0 1 "^RANK is '2' in the environment: it can be 0 to 1$"
start 0 2 1 WORLD_SIZE=
ended 0 1 'one of RANK and WORLD_SIZE'
nothing_left
exit $((failures > 0))
