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
@claim("10", "For both files and both sizes, `readers_in_chunks` takes less time than `guessing_readers`. Markers don't help `readers_in_chunks`: it takes longer for a file with a marker every 32 units than for a file without markers.")
def _(lesson):
    table = lesson.table("measured", "work='from a file'")
    plain, marked = ([row for row in table.rows if row[1] == kind] for kind in ("gray", "gray with a marker every 32 units"))
    chunks = [[float(row[3]) for row in rows if row[2] == "10 readers_in_chunks"] for rows in (plain, marked)]
    guesses = [[float(row[3]) for row in rows if row[2] == "10 guessing_readers"] for rows in (plain, marked)]
    less = all(a < 0.8 * b for ours, theirs in zip(chunks, guesses) for a, b in zip(ours, theirs))
    return less and all(1.01 < b / a < 1.2 for a, b in zip(*chunks))


@claim("10", "Each call is faster than what we wrote by hand, and `cub::DeviceScan` is faster than the call to Thrust.")
def _(lesson):
    times = [float(row[2]) for row in lesson.table("controls_library_calls").rows]
    return all(library < own for own, library in zip(times[::2], times[1::2]))
