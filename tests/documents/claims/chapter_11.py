# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
"""What the lesson of chapter 11 says about its tables."""

from claims.lessons import alike, claim


def place(lesson, name, column):
    return lesson.table("00_meet", "table=map").at(name, column)


@claim("11", "A load from L2 takes about nine times as long as a load from L1, and a load from device memory takes more than twice as long as a load from L2.")
def _(lesson):
    l1, l2, memory = (place(lesson, name, "ns per load") for name in ("L1 cache", "L2 cache", "device memory"))
    return 8 < l2 / l1 < 10 and 2 < memory / l2 < 3


@claim("11", "Their speeds are within about 20% of each other, so the number of bytes under way matters more than which threads request them.")
def _(lesson):
    table = lesson.table("measured", "table=law")
    rows = [table.rows[i] for i in (2, 5, 8)]
    speeds = [float(row[3]) for row in rows]
    twice = min(float(row[3]) for row in table.rows if row[2] == "8.19")
    return all(row[2] == rows[0][2] for row in rows) and 1.15 < max(speeds) / min(speeds) < 1.25 and twice > max(speeds)


@claim("11", "With a tile of 3.8 kB for each of 16 warps, 61 kB are under way on a multiprocessor, nearly as much as in the last row of the law's table.")
def _(lesson):
    under_way = lesson.table("measured", "table=law").column("kB under way")
    return abs(under_way[-1] / 61 - 1) < 0.1 and under_way[-1] == max(under_way)


@claim("11", "on an H200, `prefetched` stays ahead of `ring`.")
def _(lesson):
    table = lesson.table("measured", "work='65 taps'")
    return table.at("06 prefetched", 1) < table.at("11 ring", 1)


@claim("11", "In both kernels, the schedulers issue in more than 80% of the cycles ([profile](more.md#this-chapters-kernels)), and `ring` has more instructions than `prefetched`.")
def _(lesson):
    table = lesson.table("11_profile")
    return all(80 < table.at(name, "Issue") < 90 for name in ("prefetched", "ring")) and table.at("ring", 6) > 1.05 * table.at("prefetched", 6)


@claim("11", "`bulk` executes fewer instructions than `ring`. It also needs half the registers of `prefetched`, so more warps are resident, and its schedulers issue in about 90% of the cycles.")
@claim("11", "`fast_fir` executes the fewest instructions, and reaches")
@claim("11", "`bulk` and `fast_fir` issue in about 90% of the cycles, so instructions are nearly their limit. `fast_fir` executes fewer of them than `bulk`, and takes less time.")
def _(lesson):
    table, times = lesson.table("11_profile"), lesson.table("measured", "work='65 taps'")
    issue, instructions = ({row[0]: table.at(row[0], at) for row in table.rows} for at in ("Issue", 6))
    return (
        instructions["fast_fir"] < 0.9 * instructions["bulk"] < 0.9 * 0.96 * instructions["ring"]
        and instructions["fast_fir"] == min(instructions.values())
        and 2 * table.at("bulk", "Registers") == table.at("prefetched", "Registers")
        and table.at("bulk", "Occupancy") > 1.2 * table.at("prefetched", "Occupancy")
        and all(89 < issue[name] < 92 for name in ("bulk", "fast_fir"))
        and times.at("11 fast_fir", 1) < times.at("11 bulk", 1)
    )


@claim("11", "this chapter's `ring`, which always has some tiles on their way to shared memory, gains nothing over chapter 06's `prefetched`")
@claim("11", "However, one lane can also request a whole tile with a single copy. With 65 taps, a kernel that does so, `bulk`, is")
def _(lesson):
    table = lesson.table("measured", "work='65 taps'")
    return table.at("11 bulk", 1) < 0.95 * table.at("06 prefetched", 1) < 0.95 * table.at("11 ring", 1)


@claim("11", "the schedulers issue in more than 80% of the cycles, and about 12% of the kernel's instructions are not multiply-adds.")
def _(lesson):
    table = lesson.table("11_profile")
    return table.at("prefetched", "Issue") > 80 and 0.11 < 1 - 65 / table.at("prefetched", 6) < 0.14


@claim("11", "Even a ring of a single tile, which has nothing on its way, [is no slower than a deeper ring](more.md#this-chapters-kernels), because instructions are nearly its limit.")
@claim("11", "A ring of one tile, which fetches nothing ahead, is as fast as a ring of two.")
@claim("11", "a ring of *one* tile [is as fast as a ring of two](more.md#this-chapters-kernels), and deeper rings are slower.")
def _(lesson):
    times = lesson.table("measured", "table=depths").column("Median ms")
    return alike(times[:2], 0.02) and times[1] < times[2] < times[3]


@claim("11", "8 warps with eight loads per thread reach about 85% of the speed of 64 warps with one load")
def _(lesson):
    speeds = lesson.table("measured", "table=law").column("TB/s")  # 1, 2, 4, 8 loads of 8 warps, of 16, 32 and 64
    return 0.8 < speeds[3] / speeds[12] < 0.87


@claim("11", "The law allows a copy *twice* the bytes of its loads divided by the latency (348 ns in the lesson's run), and no more than the copy limit.")
def _(lesson):
    table = lesson.table("measured", "table=law")
    allowed = table.column("The law allows")
    law = [2 * 132 * kb / 348 for kb in table.column("kB under way")]  # 132 multiprocessors
    return all(abs(a / min(b, max(allowed)) - 1) < 0.006 for a, b in zip(allowed, law))


@claim("11", "[about 90% of the FMA limit](../06_register_tiling/more.md#workload-b)")
def _(lesson):
    return 0.88 < lesson.other("06").table("measured", "work=B").at("06 constant_operands", "Of limit") < 0.93


@claim("11", "If every other *lane* executes the second path, the kernel takes twice as long as if every other *warp* does.")
def _(lesson):
    by_warp, by_lane = lesson.table("measured", "table=paths").column("Median ms")
    return 1.9 < by_lane / by_warp < 2.1


@claim("11", "Up to 32 multiply-adds per element, the arithmetic of 64 warps hides behind their memory traffic. With 32 multiply-adds, the control, which has half the warps, falls behind by about 14%.")
@claim("11", "[256 multiply-adds](more.md#divergence-and-instructions-on-a-gpu) takes more than four times as long as a copy with none.")
@claim("11", "With 256 multiply-adds, the control takes only a few percent longer, which shows that bytes under way are not the limit there.")
@claim("11", "With 256 multiply-adds, the instructions take more than four times as long as the bytes, and running with half as many warps costs only a few percent.")
def _(lesson):
    times = lesson.table("measured", "table=instructions").column("Median ms")
    whole, half = times[::2], times[1::2]  # 64 and 32 warps, with 0, 16, 32, 64, 128 and 256 multiply-adds
    falls_behind = [b / a - 1 for a, b in zip(whole, half)]
    return (
        alike(whole[:3], 0.04)
        and 0.13 < falls_behind[2] < 0.15
        and max(falls_behind) == falls_behind[2]
        and 0 < falls_behind[-1] < 0.05
        and min(falls_behind) > 0
        and 4 < whole[-1] / whole[0] < 5
    )


@claim("11", "The device moves 1470 kB in this time (the last column), because hundreds of thousands of loads and stores are under way together.")
def _(lesson):
    moved = place(lesson, "device memory", "kB under way on the device")
    return moved == 1470 and moved * 1000 / 4 > 2e5


@claim("11", "`direct` keeps the schedulers busy in about 90% of the cycles. It executes more than eight instructions per multiply-add")
def _(lesson):
    row = next(r for r in lesson.table("06_profile", "instructions").rows if r[:2] == ["1025 taps", "direct"])
    return 87 < float(row[4]) < 95 and 8 < float(row[7].replace(",", "")) / 1025 < 9


@claim("11", "its tap loads (`LDC`) use the same path.")
def _(lesson):
    waits = lesson.table("06_profile", "global:")
    at = [waits.at(("1025 taps", version), "Its queue") for version in ("constant_loaded", "direct", "constant_operands")]
    return at[0] > 5 and max(at[1:]) < 0.1


@claim("11", "The versions of chapter 06 execute only slightly more instructions than the multiply-adds themselves,")
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


@claim("11", "Almost no wait for global memory or at a barrier is left, although `prefetched` has fewer resident warps than any other version.")
def _(lesson):
    waits, first = lesson.table("06_profile", "global:"), lesson.table("06_profile", "instructions")
    row = ("65 taps", "prefetched")
    others = [float(r[3]) for r in first.rows if r[1] != "prefetched"]
    return waits.at(row, 2) < 0.5 and waits.at(row, 5) < 0.1 and first.at(row, 3) < min(others)
