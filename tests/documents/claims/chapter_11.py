# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
"""What the lesson of chapter 11 says about its tables."""

from claims.lessons import alike, claim


def place(lesson, name, column):
    return lesson.table("00_meet", "table=map").at(name, column)


@claim("11", "A load from L2 takes about nine times as long as one from L1, and one from device memory more than twice as long again.")
def _(lesson):
    l1, l2, memory = (place(lesson, name, "ns a load") for name in ("L1 cache", "L2 cache", "device memory"))
    return 8 < l2 / l1 < 10 and 2 < memory / l2 < 3


@claim("11", "The three with 4.10 kB differ by a fifth: bytes under way count more than whose they are.")
def _(lesson):
    table = lesson.table("measured", "table=law")
    rows = [table.rows[i] for i in (2, 5, 8)]
    speeds = [float(row[3]) for row in rows]
    twice = min(float(row[3]) for row in table.rows if row[2] == "8.19")
    return all(row[2] == rows[0][2] for row in rows) and 1.15 < max(speeds) / min(speeds) < 1.25 and twice > max(speeds)


@claim("11", "A tile of 3.8 kB for each of 16 warps is 61 kB under way on a multiprocessor, as much as in the last row of the table above.")
def _(lesson):
    under_way = lesson.table("measured", "table=law").column("kB under way")
    return abs(under_way[-1] / 61 - 1) < 0.1 and under_way[-1] == max(under_way)


@claim("11", "On an H200, `prefetched` stays ahead of `ring` and `bulk`.")
def _(lesson):
    table = lesson.table("measured", "work='65 taps'")
    return all(table.at("06 prefetched", 1) < table.at(f"11 {ring}", 1) for ring in ("ring", "bulk"))


@claim("11", "The schedulers issue in more than eight of ten cycles")
def _(lesson):
    return all(80 < issue < 90 for issue in lesson.table("11_profile").column("Issue"))


@claim("11", "The ring has more instructions.")
def _(lesson):
    table = lesson.table("11_profile")
    return all(table.at(ring, 6) > 1.05 * table.at("prefetched", 6) for ring in ("ring", "bulk"))


@claim("11", "A ring of one tile, which fetches nothing ahead, is as fast as one of two")
def _(lesson):
    times = lesson.table("measured", "table=depths").column("Median ms")
    return alike(times[:2], 0.02) and times[1] < times[2] < times[3]


@claim("11", "The device reads more than a hundred thousand times as much")
def _(lesson):
    return place(lesson, "device memory", "kB under way") * 1000 / 4 > 1e5


@claim("11", "`direct` keeps the schedulers busy in nine of ten cycles. It executes more than eight")
def _(lesson):
    row = next(r for r in lesson.table("06_profile", "instructions").rows if r[:2] == ["1025 taps", "direct"])
    return 87 < float(row[4]) < 95 and 8 < float(row[7].replace(",", "")) / 1025 < 9


@claim("11", "its loads of taps (`LDC`) go the same way.")
def _(lesson):
    waits = lesson.table("06_profile", "global:")
    at = [waits.at(("1025 taps", version), "Its queue") for version in ("constant_loaded", "direct", "constant_operands")]
    return at[0] > 5 and max(at[1:]) < 0.1


@claim("11", "The versions of chapter 06 execute little more than the multiply-adds themselves")
def _(lesson):
    table = lesson.table("06_profile", "instructions")
    ours = [table.at(("1025 taps", v), 7) for v in ("register_blocked", "constant_operands")]
    occupancy = {row[1]: float(row[3]) for row in table.rows if row[0] == "1025 taps"}
    pipe = {row[1]: float(row[6]) for row in table.rows if row[0] == "1025 taps"}
    others = [v for v in occupancy if v not in ("register_blocked", "constant_operands")]
    return (
        max(ours) < 1.1 * 1025
        and min(pipe["register_blocked"], pipe["constant_operands"]) > max(pipe[v] for v in others)
        and max(occupancy["register_blocked"], occupancy["constant_operands"]) < min(occupancy[v] for v in others)
    )


@claim("11", "Hardly a wait for global memory or at a barrier is left, with fewer warps than any other version has.")
def _(lesson):
    waits, first = lesson.table("06_profile", "global:"), lesson.table("06_profile", "instructions")
    row = ("65 taps", "prefetched")
    others = [float(r[3]) for r in first.rows if r[1] != "prefetched"]
    return waits.at(row, 2) < 0.5 and waits.at(row, 5) < 0.1 and first.at(row, 3) < min(others)
