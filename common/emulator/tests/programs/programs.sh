#!/usr/bin/env bash
# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
#
# How whole programs end on the emulated device, and what emucc makes of a file:
# programs.sh LEAK RACE ENDLESS EMUCC COMPILER   (GNU or Clang)
set -u
unset LIBRARY_PATH CPATH CPLUS_INCLUDE_PATH  # a toolkit that they name is talked about: emucc.sh
leak=$1 race=$2 endless=$3 host_flag=$4 emucc=$5 compiler=$6
here=$(cd "$(dirname "$0")" && pwd)
failures=0
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# expect STATUS PATTERN COMMAND...: exit status, and a line of standard error (no output at all where it is
# empty)
expect() {
  local status=$1 pattern=$2 output
  shift 2
  output=$(env "$@" 2>&1 >/dev/null)
  local got=$?
  if [[ $got != "$status" || (-z $pattern && -n $output) ]] || ! grep -qE -- "$pattern" <<<"$output"; then
    printf 'FAILED: %s\n  exit status %s, expected %s; expected a line like: %s\n%s\n' \
      "$*" "$got" "$status" "$pattern" "$output"
    failures=$((failures + 1))
  fi
}

# expect_going_on PATTERN COMMAND...: a line of standard error, while it runs, of a program that then goes on. It is ended
# when it has said so, and not before a busy machine has let it.
expect_going_on() {
  local pattern=$1 program begin=$SECONDS
  shift
  : >"$scratch/said"
  env "$@" 2>"$scratch/said" >/dev/null &
  program=$!
  until grep -qE -- "$pattern" "$scratch/said" || ! kill -0 "$program" 2>/dev/null || ((SECONDS - begin > 20)); do
    sleep 0.05
  done
  sleep 0.2  # it would end, or say more
  if ! kill "$program" 2>/dev/null || ! grep -qE -- "$pattern" "$scratch/said"; then
    printf 'FAILED: %s\n  does not go on, or says no line like: %s\n%s\n' "$*" "$pattern" "$(<"$scratch/said")"
    failures=$((failures + 1))
  fi
  { wait "$program"; } 2>/dev/null
}

# A leak is a note, and an error where that is asked for, as here from now on.
expect 0 'leak\.cu:[0-9]+: note: 4000 bytes of device memory were never freed' EMULATOR_LEAKS= "$leak" device
expect 0 'leak\.cu:[0-9]+: note: 4000 bytes of device memory were never freed' EMULATOR_LEAKS=note "$leak" device
expect 2 "EMULATOR_LEAKS is 'yes'; it can be error or note" EMULATOR_LEAKS=yes "$leak"
export EMULATOR_LEAKS=error EMULATOR_SAME_VALUE=error EMULATOR_ZEROS=error
expect 1 'leak\.cu:[0-9]+: error: 4000 bytes of device memory were never freed' "$leak" device
expect 1 'leak\.cu:[0-9]+: error: 3000 bytes of pinned memory of the host were never freed \(cudaFreeHost' "$leak" pinned
expect 1 'leak\.cu:[0-9]+: error: 2000 bytes of managed memory were never freed' "$leak" managed
expect 1 'leak\.cu:[0-9]+: error: 4000 bytes of host memory are registered to the end' "$leak" registered
expect 0 '' "$leak"
expect 0 '' EMULATOR_CHECK=0 "$leak" device
to_the_end='may use the memory of device 1 to the end \(cudaDeviceDisablePeerAccess\(1\) is missing\)'
expect 0 '' EMULATOR_DEVICES=2 "$leak"
expect 1 "leak\.cu:[0-9]+: error: device 0 $to_the_end" EMULATOR_DEVICES=2 "$leak" peer
expect 1 "leak\.cu:[0-9]+: error: device 0 $to_the_end" EMULATOR_DEVICES=2 "$leak" 'wrong device'
expect 0 "leak\.cu:[0-9]+: note: device 0 $to_the_end" EMULATOR_DEVICES=2 EMULATOR_LEAKS=note "$leak" peer
expect 0 '' EMULATOR_DEVICES=2 EMULATOR_CHECK=0 "$leak" peer
expect 1 'race\.cu:[0-9]+: error: race in kernel race_kernel' "$race"
expect 1 'race\.cu:[0-9]+: error: race in kernel race_kernel' EMULATOR_ORDER=reverse "$race"
expect 1 'race\.cu:[0-9]+: error: race in kernel race_kernel' EMULATOR_ORDER=random:5 EMULATOR_THREADS=1 "$race"
expect 0 '' EMULATOR_CHECK=0 "$race"
expect 2 "EMULATOR_ORDER is 'backward'; it can be" EMULATOR_ORDER=backward "$race"
expect 2 "EMULATOR_THREADS is '0'; it can be" EMULATOR_THREADS=0 "$race"
expect 2 "EMULATOR_CHECK is 'yes'; it can be" EMULATOR_CHECK=yes "$race"
for size in 0MiB 64 64mib -1MiB 99999999999GiB; do
  expect 2 "EMULATOR_MEMORY is '$size'; it can be a size" EMULATOR_MEMORY=$size "$race"
done

# Under a limit on addresses the device has less memory, and checks all of it; on many cores it has fewer threads.
expect 0 '' bash -c 'ulimit -v 16000000; exec "$0"' "$leak"

# A kernel that does not end is talked about, by the thread that it hangs in.
running='endless\.cu:9: note: kernel endless_kernel has been running for 0\.5 seconds, and nothing advances: [1-6][0-9]? of its'
running+=' 64 blocks (is|are) done, and thread \(5, 0, 0\) of block \(1, 0, 0\) goes on and on'
expect_going_on "$running in line 12 of .*endless\.cu\. This may be an endless loop" EMULATOR_PATIENCE=0.5 "$endless"
expect_going_on "$running\. This may be an endless loop" EMULATOR_PATIENCE=0.5 EMULATOR_CHECK=0 EMULATOR_ORDER=reverse "$endless"
running='endless\.cu:15: note: kernel barrier_kernel has been running for 0\.5 seconds: none of its 2 blocks are done, but'
# Clang gives the blocks of this loop no line.
lines=' in lines? .* of .*endless\.cu'
[[ $compiler == GNU ]] || lines="($lines)?"
running+=" threads take turns$lines"'\. A block with much to do looks like this'
expect_going_on "$running" EMULATOR_PATIENCE=0.5 "$endless" barrier
# One whose blocks come and go is slow, and no cause for alarm.
running='endless\.cu:26: note: kernel slow_kernel has been running for 0\.5 seconds: [0-9,]+ of its 1,024,000 blocks are done,'
running+=' the others need about [0-9,]+ (second|minute|hour)s? more\.$'
expect_going_on "$running" EMULATOR_PATIENCE=0.5 "$endless" slow
# What was found ends a launch of which nothing advances.
expect 1 'endless\.cu:23: error: access out of bounds in kernel beyond_kernel' EMULATOR_PATIENCE=0.5 timeout 60 "$endless" beyond
expect 124 '' EMULATOR_PATIENCE=0 timeout 2 "$endless"
expect 124 '' timeout 2 "$endless"
expect 0 '' EMULATOR_PATIENCE=0.5 "$leak"
expect 2 "EMULATOR_PATIENCE is 'long'; it can be" EMULATOR_PATIENCE=long "$race"
expect 2 "EMULATOR_PATIENCE is '-1'; it can be" EMULATOR_PATIENCE=-1 "$race"
for which in "" barrier slow; do
  output=$(EMULATOR_PATIENCE=0.2 timeout 2 "$endless" "$which" 2>&1 >/dev/null)
  notes=$(grep -c 'note: kernel' <<<"$output")
  # On a machine that is busy with other work, even threads that take turns may not be seen to advance: a second note.
  [[ $which == barrier && $notes == 2 && $output == *nothing\ advances* ]] && notes=1
  if [[ $notes != 1 || $which == slow && $output == *endless\ loop* ]]; then
    printf 'FAILED: one launch that goes on and on, noted as\n%s\n' "$output"
    failures=$((failures + 1))
  fi
done
if [[ -n $(EMULATOR_PATIENCE=0.2 timeout 1 "$endless" 2>/dev/null) ]]; then
  printf 'FAILED: the note about a long launch is not for standard output\n'
  failures=$((failures + 1))
fi

# A kernel that waits for one of another stream of its device: nothing orders them, whichever was launched first. Where it
# waits for one that comes later, that is said instead of waiting forever.
never='endless\.cu:[0-9]+: error: kernel wait_kernel waits for what never comes'
nothing_orders='endless\.cu:[0-9]+: error: nothing orders two operations on the same memory'
expect 1 "$never" EMULATOR_WAIT=1 EMULATOR_PATIENCE=0.5 "$endless" flag
expect 1 'block \(0, 0, 0\) looks again and again at byte 16384 of the allocation .* in line 35 of ' EMULATOR_WAIT=1 \
  EMULATOR_PATIENCE=0.5 "$endless" flag
expect 1 "$nothing_orders" "$endless" raised
expect 1 "$nothing_orders" EMULATOR_ORDER=reverse "$endless" flag
expect 1 "$never" EMULATOR_WAIT=1 EMULATOR_PATIENCE=0.5 EMULATOR_ORDER=reverse "$endless" raised
for which in flag raised; do
  for seed in 1 2 3; do
    expect 1 "$never|$nothing_orders" EMULATOR_WAIT=1 EMULATOR_PATIENCE=0.5 EMULATOR_ORDER=random:$seed "$endless" $which
  done
done
for order in forward reverse random:1 random:2; do expect 0 '' EMULATOR_ORDER=$order "$endless" event; done
expect_going_on 'note: kernel wait_kernel .* It looks at one variable again and again\.$' EMULATOR_PATIENCE=0.5 "$endless" flag

# Blocks that wait for one that has not begun: on a GPU it may find no room before they end.
expect 1 '^  6[0-3] blocks of the launch have not begun' EMULATOR_THREADS=2 EMULATOR_WAIT=0.5 EMULATOR_PATIENCE=0.3 timeout 60 "$endless" blocks
output=$(EMULATOR_WAIT=0.5 EMULATOR_PATIENCE=0.3 timeout 60 "$endless" blocks 2>&1)
if [[ $output != *'note: kernel blocks_kernel'*' blocks of the launch have not begun'*'error: '* || $output == *'Kernels of one device'* ]]; then
  echo "FAILED: the note about blocks that have not begun: $output"
  failures=$((failures + 1))
fi

# A flag that the host raises: as long as one of its threads may still do that, the kernel waits, however long. Where they
# have ended, or wait themselves, it ends. The thread that launches can raise it where launches are kept.
never='host_flag\.cu:[0-9]+: error: kernel wait_kernel waits for what never comes'
for order in forward reverse random:1; do
  for who in ended never device; do
    expect 1 "$never" EMULATOR_WAIT=0.5 EMULATOR_PATIENCE=0.3 EMULATOR_ORDER=$order timeout 60 "$host_flag" $who
  done
  expect 0 'host_flag\.cu:[0-9]+: note: kernel wait_kernel still waits$' EMULATOR_WAIT=0.5 EMULATOR_PATIENCE=0.3 \
    EMULATOR_ORDER=$order timeout 60 "$host_flag" late 25
done
expect 1 'The thread of the host that launched it cannot write there either' EMULATOR_WAIT=0.5 EMULATOR_PATIENCE=0.3 \
  timeout 60 "$host_flag" own
expect 0 '' EMULATOR_ORDER=reverse "$host_flag" own
# Who changes a variable all the time does not wait for it, even where the sum stays as it is.
expect 0 'kernel count_kernel has been running for' EMULATOR_WAIT=0.5 EMULATOR_PATIENCE=0.3 "$host_flag" counter 60

# Nothing is said twice.
output=$("$race" 2>&1)
if [[ $(grep -c 'error: race' <<<"$output") != 1 ]]; then
  printf 'FAILED: one race, reported as\n%s\n' "$output"
  failures=$((failures + 1))
fi
# A single file, compiled from the command line.
expect 0 '' "$emucc" "$here/race.cu" -O3 -o "$scratch/race"
expect 1 'race\.cu:[0-9]+: error: race in kernel race_kernel' "$scratch/race"
expect 0 '' "$emucc" "$here/texture_leak.cu" -o "$scratch/texture_leak"
expect 0 '' "$scratch/texture_leak"
expect 1 'texture_leak\.cu:[0-9]+: error: a texture object of 3 x 2 elements of float was never destroyed' \
  "$scratch/texture_leak" leave
expect 1 'texture_leak\.cu:[0-9]+: error: an array of 3 x 2 elements of float was never freed' "$scratch/texture_leak" leave
printf '__global__ void k(cudaTextureObject_t t, float* y) { *y = tex2DLod<float>(t, 0, 0, 0); }\nint main() {}\n' \
  > "$scratch/texture.cu"
expect 1 'tex2DLod\(\) is not emulated' "$emucc" "$scratch/texture.cu" -o "$scratch/texture"
printf '__global__ void k(cudaTextureObject_t t, double* y) { *y = tex2D<double>(t, 0, 0); }\nint main() {}\n' \
  > "$scratch/double.cu"
expect 1 'a texture is read as char, short, int' "$emucc" "$scratch/double.cu" -o "$scratch/double"
printf '__global__ void k() { not_declared(); }\nint main() { k<<<1, 1>>>(); }\n' > "$scratch/wrong.cu"
expect 1 'wrong\.cu:1:.*error.*not_declared' "$emucc" "$scratch/wrong.cu" -o "$scratch/wrong"
# Calls that failed and were not asked about: one line at the end, with the place of the first; the status
# stays.
expect 0 '' "$emucc" "$here/failed_calls.cu" -o "$scratch/failed_calls"
line_of() { grep -n "// $1\$" "$here/failed_calls.cu" | cut -d: -f1; }
unasked() {  # STATUS WAY COMMENT WHAT: at the line of the file that has the comment
  local line
  line=$(line_of "$3")
  expect "$1" "failed_calls\.cu:$line: note: $4.*he program never asked why" "$scratch/failed_calls" "$2"
  output=$("$scratch/failed_calls" "$2" 2>&1 >/dev/null)
  if [[ $(grep -c 'note: ' <<<"$output") != 1 ]]; then
    printf 'FAILED: not one line about calls that failed (%s):\n%s\n' "$2" "$output"
    failures=$((failures + 1))
  fi
}
unasked 0 copies 'async copy' 'cudaMemcpyAsync\(\) failed here: invalid argument: the destination is device memory.*\. 2001 calls failed in all, the next one at .*failed_calls\.cu:'"$(line_of 'wrong copy')"', and t'
unasked 0 allocation allocation 'cudaMalloc\(\) failed here: out of memory\.'
freed='cudaFree\(\) failed here: invalid argument: '
unasked 0 box box 'cuTensorMapEncodeTiled\(\) failed here: invalid argument: the box has 300 elements in dimension 0, and may have 1 to 256\. T'
unasked 0 freed twice "${freed}the 400 bytes that were allocated at .*failed_calls\.cu:$(line_of 'freed memory') are freed already\. T"
unasked 0 inside inside "${freed}it points into the 400 bytes that were allocated at .*failed_calls\.cu:$(line_of memory), and only"
unasked 0 pinned pinned "${freed}it is pinned memory of the host: free it with cudaFreeHost\(\)\."
unasked 0 of_device 'of device' 'cudaFreeHost\(\) failed here: invalid argument: it is memory of the device: free it with cudaFree\(\)\.'
unasked 0 of_host 'of host' "${freed}it is not a pointer to device memory: it points to host memory, or has no value\."
unasked 0 no_blocks 'no blocks' 'the launch of scale_kernel failed here: invalid configuration argument: the grid has \(0, 1, 1\) blocks, and none of the three may be 0 \(usually a quotient that was rounded down, as 100 / 256 is to 0\)\. T'
unasked 0 launch launch 'the launch of scale_kernel failed here: invalid configuration argument: the block has [0-9]+ threads, and 1024 are the most\.'
unasked 0 by_address 'by address' 'cudaLaunchKernel\(\) failed here: invalid configuration argument: the block has [0-9]+ threads, and 1024 are the most\.'
unasked 0 attribute attribute 'cudaFuncSetAttribute\(\) failed here: invalid argument: [0-9]+ bytes of shared memory were asked for'
unasked 0 kernel kernel 'kernel trap_kernel, launched here, failed: unspecified launch failure'
unasked 0 wait wait 'cudaDeviceSynchronize\(\) failed here: unspecified launch failure\.'
unasked 3 status 'wrong copy' 'cudaMemcpy\(\) failed here: invalid argument: both sides are host memory'
unasked 0 other_thread 'wrong copy' 'cudaMemcpy\(\) failed here'
unasked 0 other_error 'wrong copy' 'cudaMemcpy\(\) failed here: invalid argument: both sides .*\. T'
expect 1 'error: null pointer in kernel scale_kernel' "$scratch/failed_calls" null
expect 1 'note: cudaMalloc\(\) failed here: out of memory' "$scratch/failed_calls" null
for way in '' last_error peek name known by_design; do expect 0 '' "$scratch/failed_calls" "$way"; done
expect 0 '' EMULATOR_CHECK=0 "$scratch/failed_calls" copies
# Why a copy was refused is said to a program that asks for the text of the error, once.
expect 0 'failed_calls\.cu:[0-9]+: note: cudaMemcpy\(\) failed here: invalid argument: both sides are host memory.*\)\.$' \
  "$scratch/failed_calls" string
output=$("$scratch/failed_calls" string 2>&1 >/dev/null)
if [[ $(grep -c . <<<"$output") != 1 ]]; then
  printf 'FAILED: not one line about a copy that was asked about:\n%s\n' "$output"
  failures=$((failures + 1))
fi
# One mistake, one finding: threads that waited at another barrier are not there at the last one; blocks that write below
# zero of memory of their own do not meet there.
cat >"$scratch/once.cu" <<'PROGRAM'
#include <cstdlib>
__global__ void barrier(float* y, int n) {
  if (threadIdx.x < n) {
    y[threadIdx.x] = 1;
    __syncthreads();
  }
  __syncthreads();
}
__global__ void below_zero() {
  __shared__ float tile[32];
  tile[threadIdx.x - 1] = 1;
}
int main(int, char** words) {
  float* y;
  cudaMalloc(&y, 400);
  if (*words[1] == 'b') barrier<<<1, 64>>>(y, 40);
  if (*words[1] == 'z') below_zero<<<9, 1>>>();
  cudaDeviceSynchronize();
  cudaFree(y);
}
PROGRAM
expect 0 '' "$emucc" "$scratch/once.cu" -o "$scratch/once"
for way in barrier zero; do
  expect 1 'once\.cu:[0-9]+: error: (divergent barrier|access out of bounds) in kernel' "$scratch/once" "$way"
  if [[ $("$scratch/once" "$way" 2>&1 | grep -c 'once\.cu:[0-9]*: \(error\|note\): ') != 1 ]]; then
    printf 'FAILED: not one finding about one mistake (%s):\n' "$way"
    "$scratch/once" "$way"
    failures=$((failures + 1))
  fi
done
# A finding begins on a line of its own and is the last word: what the program wants done at its end is not.
expect 0 '' "$emucc" "$here/endings.cu" -o "$scratch/endings"
expect 0 '' "$scratch/endings" well
for way in unfinished finished iostream throws; do
  "$scratch/endings" "$way" > "$scratch/said" 2>&1
  status=$?
  mapfile -t lines < "$scratch/said"
  if [[ $status != 1 || ${lines[0]} != before || ${lines[1]} != *endings.cu:*': error: access out of bounds'* ||
    ${lines[-1]} != 'The emulated device ends the program.'* ]]; then
    printf 'FAILED: endings %s ends with status %s and says\n%s\n' "$way" "$status" "$(< "$scratch/said")"
    failures=$((failures + 1))
  fi
done
if [[ $("$scratch/endings" unfinished 2>/dev/null) != before ]]; then
  printf 'FAILED: the end of a line that the program did not print is in its output\n'
  failures=$((failures + 1))
fi
if [[ $("$scratch/endings" unfinished 2>&1 >/dev/null | head -n 1) != *': error: '* ]]; then
  printf 'FAILED: a finding in a file of its own begins with an empty line\n'
  failures=$((failures + 1))
fi
# A program may say itself how many devices it has, also where it leaves a report: the report begins before the program.
cat >"$scratch/three.cu" <<'PROGRAM'
#include <cstdlib>
[[gnu::constructor(101)]] void ask_for_three() { setenv("EMULATOR_DEVICES", "3", 0); }
int main() {
  int count = 0;
  return cudaGetDeviceCount(&count) == cudaSuccess ? 10 + count : 1;
}
PROGRAM
expect 0 '' "$emucc" "$scratch/three.cu" -o "$scratch/three"
expect 13 '' "$scratch/three"
expect 13 '' EMULATOR_REPORT="$scratch/three.html" "$scratch/three"
expect 12 '' EMULATOR_DEVICES=2 EMULATOR_REPORT="$scratch/three.html" "$scratch/three"
expect 2 "EMULATOR_DEVICES is '17'; it can be" EMULATOR_DEVICES=17 "$scratch/three"
# cuFFT is in the emulated device; a plan that is never destroyed is a leak, with its work area, and said
# once.
expect 0 '' "$emucc" "$here/cufft_leak.cu" -lcufft -l cudart -o "$scratch/cufft_leak"
expect 0 '' "$scratch/cufft_leak"
expect 1 'cufft_leak\.cu:[0-9]+: error: a cuFFT plan was never destroyed \(R2C, n = 1000, batch of 2\)' \
  "$scratch/cufft_leak" leave
expect 1 'cufft_leak\.cu:[0-9]+: error: access out of bounds in cufftExecR2C\(\)' "$scratch/cufft_leak" beyond it
output=$("$scratch/cufft_leak" leave 2>&1)
if [[ $(grep -c 'error: ' <<<"$output") != 1 ]]; then
  printf 'FAILED: one plan, reported as\n%s\n' "$output"
  failures=$((failures + 1))
fi
expect 0 '' "$emucc" "$here/cufft_descriptor_leak.cu" -lcufft -o "$scratch/cufft_descriptor_leak"
expect 0 '' "$scratch/cufft_descriptor_leak"
expect 1 'cufft_descriptor_leak\.cu:[0-9]+: error: a descriptor of cuFFT was never freed \(C2C, n = 64, on devices 0, 0\)' \
  "$scratch/cufft_descriptor_leak" leave
output=$("$scratch/cufft_descriptor_leak" leave 2>&1)
if [[ $(grep -c 'error: ' <<<"$output") != 1 ]]; then
  printf 'FAILED: one descriptor, reported as\n%s\n' "$output"
  failures=$((failures + 1))
fi
expect 2 'missing.cu is not there' "$emucc" "$scratch/missing.cu"
expect 2 'usage: emucc' "$emucc"
exit $((failures > 0))
