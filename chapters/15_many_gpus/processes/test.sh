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
  : >"out.$1"  # at once: what an earlier process of this rank has said must not be taken for this one's
  (exec env RANK="$1" WORLD_SIZE="$2" "${@:4}" "$rank" x.npy h.npy "$3" y.npy >"out.$1" 2>&1) &
  processes[$1]=$!
}
# ended RANK STATUS PATTERN: within 60 s it ends with this status, having said that
ended() {
  local got i
  for ((i = 0; i < 1200; ++i)); do
    kill -0 "${processes[$1]}" 2>/dev/null || break
    sleep 0.05
  done
  kill -KILL "${processes[$1]}" 2>/dev/null && fail "$what: rank $1 has not ended within 60 s"
  wait "${processes[$1]}" 2>/dev/null
  got=$?
  if [[ $got != "$2" ]] || ! grep -qE -- "$3" "out.$1"; then
    fail "$what: rank $1 ended with status $got, expected $2 and '$3':"$'\n'"$(cat "out.$1")"
  fi
}
# both_work: until both of two ranks have said that they do
both_work() {
  local i
  for ((i = 0; i < 600; ++i)); do
    grep -q '^rank' out.0 && grep -q '^rank' out.1 && return
    sleep 0.05
  done
  fail "$what: the ranks have not begun to work within 30 s"
}
# killed RANK: it is killed, at whatever point it is
killed() {
  kill -KILL "${processes[$1]}"
  wait "${processes[$1]}" 2>/dev/null
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

for victim in 1 0; do
  what="rank $victim is killed at work"
  for r in 0 1; do start $r 2 1000000; done
  begun=$(date +%s%N)
  both_work
  took=$((($(date +%s%N) - begun) / 1000000))
  killed $victim
  ended $((1 - victim)) 1 "^rank $victim of 2 has ended before the work was done$"
  nothing_left
done

# At any moment: before a rank begins, while ranks meet, while they make the file and the communicator, at work.
for ((i = 0; i <= 12; ++i)); do
  for victim in 1 0; do
    what="rank $victim is killed after $((took * i / 10)) ms"
    early="|^  rank $victim \\(process [0-9]+\\) has ended before all ranks had come\$"
    for r in 0 1; do start $r 2 1000000 MEETING_SECONDS=2; done
    sleep "$(printf '%d.%03d' $((took * i / 10 / 1000)) $((took * i / 10 % 1000)))"
    killed $victim
    ended $((1 - victim)) 1 "^rank $victim of 2 has (ended|not come)|^rank 1 of 2: rank 0 (has ended|does not answer)$early"
    # The emulated device may see it first. It ends the program at once, so a file that was begun is left.
    if grep -q ' has ended before all ranks had come$' "out.$((1 - victim))"; then rm -f y.npy.part; fi
    nothing_left
  done
done

what="a rank ends while the file is made"
mkdir y.npy.part  # which rank 0 cannot open
for r in 0 1; do start $r 2 1; done
ended 0 2 'y\.npy\.part: cannot be written'
ended 1 1 '^rank 0 of 2 has ended before the work was done$'
rmdir y.npy.part

what="a rank is asked to end"
for signal in TERM INT; do
  for r in 0 1; do start $r 2 1000000; done
  both_work
  kill -$signal "${processes[0]}"
  ended 0 1 '^rank 0 of 2: samples'
  ended 1 1 '^rank 0 of 2 has ended before the work was done$'
  nothing_left
done

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
