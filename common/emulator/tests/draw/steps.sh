#!/usr/bin/env bash
# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
#
# From a kernel to a page of its steps: steps.sh DRAW_ACCESSES EMUCC
source "$(dirname "${BASH_SOURCE[0]}")/../expect.sh"
draw=$1 emucc=$2
cd "$scratch" || exit 1
unset EMULATOR_ORDER

# A tile with two dimensions, a barrier, lanes that return, lanes that are masked out, a shuffle, an atomic function.
cat >steps.cu <<'END'
/// Each thread of the first warp gets a sum.
__global__ void steps_kernel(const int* x, float* y, int n) {
  __shared__ int tile[2][33];
  const int t = threadIdx.x, row = t / 32;
  tile[row][t % 32] = x[t];
  __syncthreads();
  if (t >= n) return;
  int sum = tile[1 - row][t % 32];
  if (t % 2 == 1) sum += 100;
  sum += __shfl_down_sync(0xffffffffu, sum, 16);
  if (t == 0) atomicAdd(&y[0], 0.5f);
  y[1 + t] = sum;
}

int main() {
  int values[64], *x;
  for (int i = 0; i < 64; ++i) values[i] = i;
  float* y;
  cudaMalloc(&x, sizeof values);
  cudaMalloc(&y, 33 * sizeof(float));
  cudaMemcpy(x, values, sizeof values, cudaMemcpyHostToDevice);
  cudaMemset(y, 0, 33 * sizeof(float));
  steps_kernel<<<1, 64>>>(x, y, 32);
  cudaMemcpy(values, y, 4, cudaMemcpyDeviceToHost);
  cudaFree(x);
  cudaFree(y);
}
END

# What that is, worked out by hand. Lane l of warp 0 has l + 32, and odd ones 100 more; `up` is what lane l + 16 has.
cat >expected.py <<'END'
import json, sys

lanes = range(32)
have = [l + 32 + 100 * (l % 2) for l in lanes]
source = [l + 16 if l < 16 else l for l in lanes]
up = [have[l] for l in source]
sums = [a + b for a, b in zip(have, up)]
count = {"first": 0, "by": 1}


def step(kind, warp, interval, line, active="ffffffff", **more):
    return dict(kind=kind, warp=warp, interval=interval, file=0, line=line, active=active, **more)


def first(warp, waiting):
    own = {"first": 32 * warp, "by": 1}
    return [
        step("line", warp, 0, 2, set={"n": 32}),
        step("line", warp, 0, 4, set={"t": own, "row": warp}),
        step("load", warp, 0, 5, array=0, size=4, index=own, value=own, parts=4),
        step("store", warp, 0, 5, array=1, size=4, index={"first": 33 * warp, "by": 1}, value=own, parts=1),
        step("barrier", warp, 0, 6, name="__syncthreads()", waiting=waiting),
    ]


other = {"first": 32, "by": 1}
expected = [
    *first(0, [0]),
    *first(1, []),
    step("line", 0, 1, 7),
    step("load", 0, 1, 8, array=1, size=4, index={"first": 33, "by": 1}, value=other, parts=1),
    step("line", 0, 1, 8, set={"sum": other}),
    step("line", 0, 1, 9),
    step("line", 0, 1, 9, "aaaaaaaa", set={"sum": {"first": 132, "by": 1}}),
    step("collective", 0, 1, 10, name="__shfl_down_sync()", give=have, **{"from": source}, value=up),
    step("line", 0, 1, 10, set={"sum": sums}),
    step("line", 0, 1, 11),
    step("atomic", 0, 1, 11, "00000001", array=2, size=4, index=0, name="atomicAdd()", value=0),
    step("store", 0, 1, 12, array=2, size=4, index={"first": 1, "by": 1}, value=sums, parts=5),
    step("return", 0, 1, 12),
    step("return", 1, 1, 7),
]
data = json.load(open(sys.argv[1]))
with_notes = len(sys.argv) == 2
if not with_notes:  # an ordinary program tells no lines and no variables
    expected = [e for e in expected if e["kind"] != "line"]
    expected[-1]["line"] = 6  # its last line that is known
problems = [f"step {i}: {e}\n  is {s}" for i, (e, s) in enumerate(zip(expected, data["steps"])) if e != s]
if len(expected) != len(data["steps"]):
    problems.append(f"{len(data['steps'])} steps, expected {len(expected)}")
arrays = [(a["name"], a["memory"], a["type"], a["bytes"], a["extents"]) for a in data["arrays"]]
named = [("x", "global", "int", 4, [64]), ("tile", "shared", "int", 4, [2, 33]), ("y", "global", "float", 4, [33])]
if not with_notes:
    named = [(n, m, "", b, [66] if n == "tile" else e) for n, m, _, b, e in named]
source = open("steps.cu").read().split("\n")
head = {"format": 1, "kernel": "steps_kernel", "grid": [1, 1, 1], "block": [64, 1, 1], "traced": [0, 0, 0]}
problems += [f"{k} is {data.get(k)}" for k, v in head.items() if data.get(k) != v]
if arrays != named:
    problems.append(f"arrays: {arrays}")
if data["variables"] != (["n", "t", "row", "sum"] if with_notes else []):
    problems.append(f"variables: {data['variables']}")
if data["files"] != [{"name": "steps.cu", "first": 1, "lines": source[:13]}]:
    problems.append(f"files: {data['files']}")
print("\n".join(problems) or "as expected")
sys.exit(bool(problems))
END

ends 0 "$emucc" --steps steps.cu -o steps
ends 0 env EMULATOR_STEPS=1 EMULATOR_TRACE=steps.trace ./steps
ends 0 "$draw" steps.trace --steps-data -o steps.json
ends 0 python3 expected.py steps.json
expect "as expected"
ends 0 "$draw" steps.trace --steps --title 'A <title>' -o steps.html
expect_true "the page has the data" grep -q '"title":"A \\u003ctitle>"' steps.html
expect_true "the page has its script" grep -q 'addEventListener' steps.html
expect_no_placeholder() { expect_true "nothing is left to be put into the page" bash -c "! grep -q '^STEPS_' $1"; }
expect_no_placeholder steps.html
# Other pictures are the same with steps in the trace.
attempt env EMULATOR_TRACE=plain.trace ./steps
attempt "$draw" plain.trace --view banks -o plain.svg
attempt "$draw" steps.trace --view banks -o banks.svg
expect_true "a picture does not depend on steps" cmp -s plain.svg banks.svg
ends 1 "$draw" plain.trace --steps
expect "EMULATOR_STEPS=1"
attempt env EMULATOR_STEPS=0 EMULATOR_TRACE=zero.trace ./steps
expect_true "EMULATOR_STEPS=0 records none" cmp -s plain.trace zero.trace

# Infinities are floating-point numbers, though nothing tells the type of a word in an ordinary program.
cat >infinite.cu <<'END'
#include <cmath>
__global__ void ghosts_kernel(const float* x, float* y, int n) {
  __shared__ float tile[32];
  tile[threadIdx.x] = threadIdx.x < n ? x[threadIdx.x] : -INFINITY;
  __syncwarp();
  y[threadIdx.x] = tile[31 - threadIdx.x];
}
int main() {
  float* x;
  cudaMalloc(&x, 64 * sizeof(float));
  cudaMemset(x, 0, 64 * sizeof(float));
  ghosts_kernel<<<1, 32>>>(x, x + 32, 20);
  cudaDeviceSynchronize();
  cudaFree(x);
}
END
attempt "$emucc" infinite.cu -o infinite
attempt env EMULATOR_STEPS=1 EMULATOR_TRACE=infinite.trace ./infinite
attempt "$draw" infinite.trace --steps-data -o infinite.json
expect_true "a ghost is -inf" grep -q '"-inf"' infinite.json
expect_true "and no integer" bash -c '! grep -q 8388608 infinite.json'

# An ordinary program has everything but lines and variables, and the same requests.
attempt "$emucc" steps.cu -o ordinary
attempt env EMULATOR_STEPS=1 EMULATOR_TRACE=ordinary.trace ./ordinary
attempt "$draw" ordinary.trace --steps-data -o ordinary.json
ends 0 python3 expected.py ordinary.json ordinary
expect "as expected"
attempt env EMULATOR_TRACE=plain_ordinary.trace ./ordinary
expect_true "notes change no request" cmp -s plain.trace plain_ordinary.trace

# Parts of it.
attempt "$draw" steps.trace --steps-data --warp 1 --interval 0 -o part.json
expect_true "one warp, one interval" python3 -c '
import json
steps = json.load(open("part.json"))["steps"]
assert len(steps) == 5 and {(s["warp"], s["interval"]) for s in steps} == {(1, 0)}'
ends 1 "$draw" steps.trace --steps --warp 7
expect "no steps of steps_kernel that were chosen"
ends 2 "$draw" steps.trace --steps --view banks
ends 2 "$draw" steps.trace --steps --array tile
expect "--array"
for damaged in 's/^step 3 .*//' 's/^value 3 /value 9 /' 's/^set 1 1/set 1 9/' 's/ request 1 / request 99 /' \
  's/^steps .*/steps 2 complete/' 's/^step 2 warp 0/step 2 warp 40/' 's/^type 0 /type 9 /' 's/ line at / lines at /'; do
  sed "$damaged" steps.trace >damaged.trace
  ends 1 "$draw" damaged.trace --steps
  expect "this is no record of a trace"
done
(mkdir elsewhere && cd elsewhere && "$draw" ../steps.trace --steps -o ../elsewhere.html) 2>said
expect_true "a source that is not there is named" grep -q 'steps.cu is not here' said
expect_true "the page is made without it" test -s elsewhere.html

# Warps of one block in another order: what each does is the same.
attempt env EMULATOR_STEPS=1 EMULATOR_TRACE=reverse.trace EMULATOR_ORDER=reverse ./steps
attempt "$draw" reverse.trace --steps-data --warp 1 -o reverse.json
attempt "$draw" steps.trace --steps-data --warp 1 -o forward.json
expect_true "the order of the warps changes only who waits" python3 -c '
import json
a, b = ([{k: v for k, v in s.items() if k != "waiting"} for s in json.load(open(f"{n}.json"))["steps"]]
        for n in ("forward", "reverse"))
assert a == b and len(a) > 5'

# More than a trace takes, and more than a page takes.
cat >long.cu <<'END'
__global__ void long_kernel(float* y, int rounds) {
  float value = 1.2345678f * (threadIdx.x + 1);
  for (int i = 0; i < rounds; ++i) value = value * 1.0001f + 0.1234567f;
  y[threadIdx.x] = value;
}
int main(int, char** arguments) {
  float* y;
  cudaMalloc(&y, 4096);
  long_kernel<<<1, 1024>>>(y, atoi(arguments[1]));
  cudaFree(y);
}
END
sed -i '1i #include <cstdlib>' long.cu
ends 0 "$emucc" --steps long.cu -o long
ends 0 env EMULATOR_STEPS=1 EMULATOR_TRACE=long.trace ./long 5000
attempt "$draw" long.trace --steps --warp 0 --interval 0 -o long.html
expect "cut off"
attempt "$draw" long.trace --steps-data --warp 0 -o long.json
expect_true "the page says so, too" grep -q '"cut":true' long.json
attempt env EMULATOR_STEPS=1 EMULATOR_TRACE=wide.trace ./long 150
ends 1 "$draw" wide.trace --steps -o wide.html
expect "MB is the most; --warp N"
expect_true "no page is left" test ! -e wide.html
ends 0 "$draw" wide.trace --steps --warp 3 -o wide.html
expect_true "one warp of it fits" test "$(stat -c %s wide.html)" -lt 2000000

# A report links to the pages beside it.
ends 0 env EMULATOR_REPORT=report.html ./ordinary
expect_true "the report links to the page" grep -q 'href="report_steps_1.html"' report.html
expect_no_placeholder report_steps_1.html
touch report_steps_2.html
attempt env EMULATOR_REPORT=report.html ./ordinary
expect_true "pages of an earlier report go" test ! -e report_steps_2.html
finish
