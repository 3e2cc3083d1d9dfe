# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
"""What the lesson of chapter 10 says about its table."""

from claims.lessons import claim


def moved(lesson, version):
    table = lesson.table("10_bits", "Bytes loaded")
    return sum(table.at(version, title) for title in ("Bytes loaded", "Bytes stored"))


@claim("10", "The fused version moves about 18% of the bytes that the stepwise version moves, and the split version moves about 24%.")
def _(lesson):
    steps = moved(lesson, "10 encode_stepwise")
    fused, split = (moved(lesson, f"10 encode_{version}_tiles") / steps for version in ("fused", "split"))
    return 0.175 < fused < 0.185 and 0.235 < split < 0.245


@claim("10", "On the smaller picture, the fused version is the fastest. On the larger picture, the split version is.")
def _(lesson):
    rows = lesson.table("measured", "work='to a file'").rows
    fastest = {side: min((float(r[2]), r[1]) for r in rows if r[0] == side)[1] for side in ("2592", "8192")}
    return fastest == {"2592": "10 encode_fused_tiles", "8192": "10 encode_split_tiles"}


@claim("10", "For the smaller picture, copying in eight strips costs more than it gains. For the larger picture, the whole job takes about as long in strips as with a single copy.")
def _(lesson):
    table = lesson.table("measured", "work='from the host to a file there'")
    small, large = (
        table.at((side, "10 uploaded_in_strips"), "Median ms") / table.at((side, "10 uploaded_whole"), "Median ms") for side in ("2592", "8192")
    )
    return small > 1.05 and 0.95 < large < 1.03


@claim("10", "On an H200, this version is [faster](more.md#what-guessing-costs).")
@claim("10", "For each file and both sizes, each of the first three versions takes less time than the one before it. Markers don't help the second and the third version: they take longer for the gray file with a marker every 32 units than for the gray file without markers.")
def _(lesson):
    rows = lesson.table("measured", "work='from a file'").rows
    ms = {tuple(row[:3]): float(row[3]) for row in rows}
    versions = ["10 guessing_readers", "10 readers_in_chunks", "10 striding_readers"]
    files = {row[:2] for row in ms}
    less = all(ms[(*file, b)] < 0.95 * ms[(*file, a)] for file in files for a, b in zip(versions, versions[1:]))
    marked = "gray with a marker every 32 units"
    return len(files) == 6 and less and all(1.1 < ms[(w, marked, v)] / ms[(w, "gray", v)] < 1.5 for w in ("2592", "8192") for v in versions[1:])


@claim("10", "It is faster than the third version for the larger file, but slower for the smaller file.")
def _(lesson):
    table = lesson.table("measured", "work='from a file'")
    marked = "gray with a marker every 32 units"
    large, small = (
        table.at((side, marked, "10 interval_readers"), "Median ms") / table.at((side, marked, "10 striding_readers"), "Median ms")
        for side in ("8192", "2592")
    )
    return large < 0.85 and 1.05 < small < 1.3


@claim("10", "Each call is faster than what we wrote by hand, and `cub::DeviceScan` is faster than the call to Thrust.")
def _(lesson):
    times = [float(row[2]) for row in lesson.table("controls_library_calls").rows]
    return all(library < own for own, library in zip(times[::2], times[1::2]))
