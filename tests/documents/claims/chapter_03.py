# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
"""What the lesson of chapter 03 says about its tables."""

from claims.lessons import alike, claim


@claim("03", "On workload C, both new versions are faster than one thread per output.")
def _(lesson):
    table = lesson.table("03_tiled", "work=C")
    old = table.at("02 direct", "Median ms")
    return all(table.at(v, "Median ms") < old / 2 for v in ("03 tiled", "03 warp_per_output"))


@claim("03", "It takes a small part of those 294 ms, and its time is closer to the time of the example's *GPU*.")
def _(lesson):
    mine = lesson.table("03_tiled", "work=C").at("01 gather", "Median ms")
    return mine < 29.4 and abs(mine - 1.453) < abs(mine - 294)


@claim("03", "On both workloads, both new versions are slower than chapter 02:")
def _(lesson):
    tables = [lesson.table("03_tiled", f"work={work}") for work in "AB"]
    new = ("03 tiled", "03 tiled_allocated", "03 warp_per_output")
    return all(t.at(v, "Median ms") > t.at("02 direct", "Median ms") for t in tables for v in new)


@claim("03", "Both standard workloads of this tutorial have enough outputs, and on both of them these methods are slower than chapter 02.")
def _(lesson):
    tables = [lesson.table("03_tiled", f"work={work}") for work in "AB"]
    return all(
        t.at(v, "Median ms") > t.at("02 direct", "Median ms")
        for t in tables
        for v in ("03 tiled", "03 warp_per_output")
    )


@claim("03", "This version can give work to 64 multiprocessors instead of 8, but it gains nothing.")
def _(lesson):
    table = lesson.table("03_tiled", "work=C")
    return alike([table.at(v, "Median ms") for v in ("02 direct", "03 direct_small_blocks")], 0.02)


@claim("03", "CUB's call is not only shorter but also slightly faster.")
def _(lesson):
    table = lesson.table("controls_library_calls")
    return 0.9 < table.at("cub::WarpReduce", "Median ms") / table.at("shuffles", "Median ms") < 1


@claim("03", "is for a kernel that calls this instruction directly, and shows the same time.")
def _(lesson):
    table = lesson.table("controls_library_calls")
    return alike([table.at(by, "Median ms") for by in ("cub::WarpReduce", "__reduce_add_sync")], 0.01)
