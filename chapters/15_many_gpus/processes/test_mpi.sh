#!/usr/bin/env bash
# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
#
# test_mpi.sh 15_rank 02_direct_kernel 15_rank_mpi MPIEXEC: four processes that mpirun starts, with our program that
# asks MPI and with the one that reads the environment. Skipped without an MPI.
set -u
[[ -n ${3-} && -n ${4-} ]] || { echo "Skipped: CMake has found no MPI"; exit 77; }
rank=$(realpath "$1") whole=$(realpath "$2") by_mpi=$(realpath "$3") mpirun=$4
command -v "$mpirun" >/dev/null || { echo "Skipped: there is no $mpirun"; exit 77; }
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 1
unset RANK WORLD_SIZE LOCAL_RANK MASTER_ADDR MASTER_PORT "${!OMPI_COMM_WORLD_@}" "${!SLURM_@}"
export MASTER_PORT=$((20000 + $$ % 12000)) MEETING_SECONDS=20
# Open MPI refuses to run as root, in a container for one, and more processes than cores, unless asked.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
devices=4
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
nothing_left() {
  [[ -e y.npy || -e y.npy.part ]] && fail "$what: something is left: $(ls)"
  rm -f y.npy y.npy.part
}

for i in $(seq 1003); do echo $((i * 7919 % 17 - 8)); done >x.txt
printf '1\n-2\n3\n1\n' >h.txt
echo 1 >one.txt
convert() { "$whole" --signal "$1" --filter "$2" --mode same --type float --output "$3" >/dev/null || exit 1; }
convert x.txt one.txt x.npy
convert h.txt one.txt h.npy
convert x.npy h.txt 1.npy
convert 1.npy h.txt 2.npy
convert 2.npy h.txt 3.npy

for program in "$by_mpi" "$rank"; do
  what="mpirun -np $devices ${program##*/}"
  timeout 60 "$mpirun" -np "$devices" "$program" x.npy h.npy 3 y.npy >out 2>&1 ||
    fail "$what: status $?: $(cat out)"
  (($(grep -c "^rank . of $devices: samples" out) == devices)) || fail "$what: not all ranks have worked: $(cat out)"
  cmp y.npy 3.npy || fail "$what: another result than one process"
  [[ -e y.npy.part ]] && fail "$what: the temporary file is left"
  rm -f y.npy
done

what="a rank is killed"
: >out  # the lines of the runs before are none of this one
timeout 60 "$mpirun" -np 2 "$by_mpi" x.npy h.npy 100000000 y.npy >out 2>&1 &
started=$!
for ((i = 0; i < 300; ++i)); do
  (($(grep -c '^rank . of 2' out) == 2)) && break
  sleep 0.1
done
begun=$SECONDS
victim=$(pgrep -P "$(pgrep -P "$started")" -x 15_rank_mpi | tail -n 1)  # timeout, mpirun, ranks
kill -KILL "$victim"
wait "$started" && fail "$what: mpirun says that all is well"
((SECONDS - begun <= 20)) || fail "$what: the others have ended after $((SECONDS - begun)) s only"
grep -qE 'rank 1|has ended|signal 9' out || fail "$what: no line says who: $(cat out)"
nothing_left

what="bad input"
timeout 60 "$mpirun" -np 2 "$by_mpi" missing.npy h.npy 1 y.npy >out 2>&1 && fail "$what: status 0"
grep -q 'missing.npy' out || fail "$what: no line says so: $(cat out)"
nothing_left
exit $((failures > 0))
