# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
"""What a GPU's warps wait for, version by version: runs a chapter under Nsight Compute and writes a table.

docs/record/measure needs ncu for it, and leave to read the counters of the GPU. The columns are
    registers   per thread                   occupancy  warps at a time, of the most that a multiprocessor can hold, %
    issue       cycles in which a scheduler issues an instruction, %
    memory      bytes to and from the GPU's memory, of the most, %
    arithmetic  the pipe of float multiply-adds, of the most, %
    local_loads, local_stores  requests to local memory, where registers were spilled to or an array lies, in the whole launch
    instructions per warp of 32 outputs (chapters 02, 06, 11 and 13), per thread and pixel (chapter 09), per 32 pixels
                (chapter 14)
and, in cycles that a warp waits per instruction issued: global (for global or local memory), shared (for shared memory),
shared_queue (to hand over an access to it), barrier, taps (a constant that is not in its cache), arithmetic_queue,
not_selected (ready, but another warp was taken).
"""

import csv
import io
import subprocess
import sys

import records

STALL = "smsp__average_warps_issue_stalled_{}_per_issue_active.ratio"
INSTRUCTIONS = "smsp__inst_executed.sum"
METRICS = {
    "registers": "launch__registers_per_thread",
    "occupancy": "sm__warps_active.avg.pct_of_peak_sustained_active",
    "issue": "smsp__issue_active.avg.pct_of_peak_sustained_active",
    "memory": "dram__throughput.avg.pct_of_peak_sustained_elapsed",
    "arithmetic": "sm__inst_executed_pipe_fma.avg.pct_of_peak_sustained_active",
    "local_loads": "l1tex__t_requests_pipe_lsu_mem_local_op_ld.sum",
    "local_stores": "l1tex__t_requests_pipe_lsu_mem_local_op_st.sum",
    "global": STALL.format("long_scoreboard"),
    "shared": STALL.format("short_scoreboard"),
    "shared_queue": STALL.format("mio_throttle"),
    "barrier": STALL.format("barrier"),
    "taps": STALL.format("imc_miss"),
    "arithmetic_queue": STALL.format("math_pipe_throttle"),
    "not_selected": STALL.format("not_selected"),
}

# Chapters 02, 06, 11 and 13.
SAMPLES = 1 << 24
# Name of the work, taps, mode, versions.
DIRECT_WORKS = [
    ("5 taps", 5, "same", ["direct", "direct_interior"]),
    ("1025 taps", 1025, "full", ["direct", "direct_interior", "direct_grouped"]),
]
WORKS = [
    ("5 taps", 5, "same", ["direct", "shared", "vectors"]),
    ("65 taps", 65, "full", ["shared_loaded", "register_blocked", "constant_operands", "prefetched"]),
    ("1025 taps", 1025, "full", ["direct", "constant_loaded", "shared_loaded", "shared_chunked", "register_blocked", "constant_operands"]),
]
RING_WORKS = [("65 taps", 65, "full", ["prefetched", "ring", "bulk", "fast_fir"])]
ONE_PASS_WORKS = [
    (f"{taps} taps", taps, "full", [version])
    for taps, version in ((65, "one_pass_256"), (257, "one_pass_1024"), (1025, "one_pass_4096"), (4097, "one_pass_8192"))
]
CONVOLUTIONS = "regex:^convolve_|^one_pass_(warp|block)_kernel"
# Chapter 09: name of the work, kernel. A thread has 64 pixels.
FUSED = [
    ("pixels to levels", "encode_fused_kernel"),
    ("levels to pixels", "decode_fused_kernel"),
    ("pixels to pixels", "round_trip_fused_kernel"),
]
# Chapter 14: versions, each with a kernel of its name, and pixels of the largest picture.
PRODUCTS = ["round_trip_wmma", "round_trip_mma", "round_trip_staged"]
PIXELS = 1 << 28
GRID, BLOCK = "launch__grid_size", "launch__block_size"


def launches_of(text):
    """[{name: value}] of the kernels in what ncu --csv --page raw printed: names, units, then a line for each."""
    lines = [line for line in text.splitlines() if line.startswith('"')]
    rows = list(csv.reader(io.StringIO("\n".join(lines))))
    return [dict(zip(rows[0], values)) for values in rows[2:]]


def number(launch, metric):
    return float(launch[metric].replace(",", "")) if launch.get(metric) else float("nan")


def run(ncu, choice, program):
    """The launches that `choice`, options of ncu, picks from this run of `program`; ValueError if it fails."""
    command = [ncu, "--csv", "--page", "raw", "--print-units", "base", "--clock-control", "none", *choice]
    command += ["--metrics", ",".join([*METRICS.values(), INSTRUCTIONS, GRID, BLOCK]), *program]
    result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=300)
    if result.returncode:
        raise ValueError("\n".join(result.stdout.splitlines()[-5:]))
    return launches_of(result.stdout)


def row_of(launch, per):
    row = {name: f"{number(launch, metric):.6g}" for name, metric in METRICS.items()}
    row["instructions"] = f"{number(launch, INSTRUCTIONS) / per:.6g}"
    return row


def profile_convolution(ncu, program, taps, mode, version):
    choice = ["--kernel-name", CONVOLUTIONS, "--launch-count", "1"]
    command = [program, "--length", str(SAMPLES), "--taps", str(taps), "--type", "float", "--mode", mode]
    launches = run(ncu, choice, [*command, "--variant", version])
    if len(launches) != 1:
        raise ValueError(f"ncu has measured {len(launches)} kernels instead of one")
    return row_of(launches[0], SAMPLES / 32)


def largest_launch(ncu, program, kernel, version):
    """The launch for the largest picture: one of each size is measured."""
    choice = ["--kernel-name", kernel, "--filter-mode", "per-launch-config", "--launch-count", "1"]
    launches = run(ncu, choice, [program, "--variant", version])
    if not launches:
        raise ValueError(f"ncu has met no kernel {kernel}")
    return max(launches, key=lambda launch: number(launch, GRID) * number(launch, BLOCK))


def profile_fused(ncu, program, kernel):
    largest = largest_launch(ncu, program, kernel, "fused")
    return row_of(largest, number(largest, GRID) * number(largest, BLOCK) / 32 * 64)


def profile_products(ncu, program, version):
    return row_of(largest_launch(ncu, program, f"{version}_kernel", version), PIXELS / 32)


CHAPTERS = {"02": DIRECT_WORKS, "06": WORKS, "09": FUSED, "11": RING_WORKS, "13": ONE_PASS_WORKS, "14": PRODUCTS}


def works_of(program):
    """[(work, version, function that measures it with an ncu)] of a chapter."""
    chapter = program.name[:2]
    works = CHAPTERS[chapter]
    if chapter == "09":
        return [(work, "fused", lambda ncu, k=kernel: profile_fused(ncu, program, k)) for work, kernel in works]
    if chapter == "14":
        return [("pixels to pixels", each, lambda ncu, v=each: profile_products(ncu, program, v)) for each in works]
    return [
        (work, v, lambda ncu, t=taps, m=mode, v=v: profile_convolution(ncu, program, t, m, v))
        for work, taps, mode, versions in works
        for v in versions
    ]


def profile(program, target):
    """Writes a table of a chapter's program. False if a version cannot be profiled; the others are in the table."""
    rows, whole, ncu = [], True, records.tool("ncu")
    for work, version, measure in works_of(program):
        print(f"profiling {version}, {work}", flush=True)
        try:
            rows.append({"work": work, "variant": version, **measure(ncu)})
        except (ValueError, subprocess.TimeoutExpired) as error:
            print(f"docs/record/measure: {version}, {work}: {error}", file=sys.stderr)
            whole = False
    if rows:
        records.write_csv(target, tuple(rows[0]), rows)
    return whole
