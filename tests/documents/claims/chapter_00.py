# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
"""What the lesson of chapter 00 says about its tables."""

from claims.lessons import Lesson, claim, rising


def copies(lesson):
    return lesson.table("00_meet", "where=limit=")


@claim("00", "On a GPU, the times of the copies with a stride or an offset follow the order of their counts: more sectors need more time.")
def _(lesson):
    patterns = ["every element, by the strided kernel"]
    patterns += ["from one element further on", "every second element", "every 32nd element"]
    sizes = {row[1] for row in copies(lesson).rows}
    rows = [row[:2] for row in copies(lesson).rows]
    shown = [
        [copies(lesson).at((kind, size), "Median ms") for kind in patterns if [kind, size] in rows] for size in sizes
    ]
    return len(shown) == 3 and all(rising(times) for times in shown)


@claim("00", "still stays below the limit, while the vector copy reaches the limit or comes very close.")
def _(lesson):
    vectors = copies(lesson).column("Of limit", Copy="one 16-byte vector per thread")
    plain = copies(lesson).column("Of limit", Copy="one element per thread")
    return min(vectors) > 0.95 and max(plain) < 0.95


@claim("00", "all requests of the simple copy of 1 GiB would take less than a tenth of its time")
def _(lesson):
    sizes = [float(row[1].replace(",", "")) for row in copies(lesson).rows]
    largest = f"{max(sizes):,.0f}"
    requests = 2 * max(sizes) / 4 / 32  # loads and stores, by warps of 32 floats
    multiprocessors, clock_hz = 132, 1.98e9  # of an H200
    busy_ms = requests / multiprocessors / clock_hz * 1e3
    return busy_ms < 0.1 * copies(lesson).at(("one element per thread", largest), "Median ms")


@claim("00", "the same kernel reaches a lower rate with small copies than with large ones")
def _(lesson):
    kinds = {row[0] for row in copies(lesson).rows}
    return all(rising(copies(lesson).column("TB/s", Copy=kind)[:2]) for kind in kinds)


@claim("00", "over the host link, which is tens to hundreds of times slower than device memory.")
def _(lesson):
    limits = lesson.table("00_meet", "where=copy=")
    device = limits.at("copy, 1 GiB each way", "Measured") * 1000
    pinned = [limits.at(f"{way}, pinned", "Measured") for way in ("host to device", "device to host")]
    ordinary = [limits.at(f"{way}, pageable", "Measured") for way in ("host to device", "device to host")]
    return all(20 < device / v < 100 for v in pinned) and all(150 < device / v < 1000 for v in ordinary)


@claim("00", "the L2 cache, device memory and the host's memory each hold more and take longer:")
def _(lesson):
    device = lesson.table("00_meet", "where=table=map")
    near = [device.at(place, "Cycles per load") for place in ("registers", "shared memory", "L1 cache", "constant cache")]
    far = ("L2 cache", "device memory", "host memory, over the link")
    holds = {row[0]: row[1] for row in device.rows}
    in_order = [holds[place].split()[1] for place in ("shared memory", "L2 cache", "device memory")]
    return rising([max(near), *(device.at(place, "Cycles per load") for place in far)]) and in_order == ["KiB", "MiB", "GiB"]


@claim("00", "with device memory, more than 100,000 loads of 4 bytes are under way")
def _(lesson):
    return 100 < lesson.table("00_meet", "where=table=map").at("device memory", "kB under way") / 2 / 4 < 200


@claim("00", "Such a copy reaches about 75% of the limit; with two loads per thread, it reaches about 85%.")
@claim("00", "The simple copy of 1 GiB is slower than both of these copies.")
def _(lesson):
    rows = Lesson("11").table("measured", "table=law").rows
    one, two = (float(row[5]) for loads in "12" for row in rows if row[:2] == ["64", loads])
    simple = copies(lesson).at(("one element per thread", "1,073,741,824"), "Of limit")
    return simple < one - 0.05 and 0.7 < one < 0.8 and 0.83 < two < 0.88


def floats(lesson, *names):
    return [lesson.table("controls_copies").at(name, "Median ms") for name in names]


@claim("00", "With one float at a time, the grid that loops takes about 10% less time.")
@claim("00", "four floats per thread, with a quarter of the blocks, save more than a third of the time.")
def _(lesson):
    names = ("1 float a thread, blocks of 256", "1 float a turn, a grid that loops", "4 floats a thread, blocks of 256")
    each, loops, four = floats(lesson, *names)
    return 0.85 < loops / each < 0.95 and four / each < 2 / 3


@claim("00", "The number of blocks is the same as with four floats per thread,")
@claim("00", "Even so, this copy is slower than both;")
def _(lesson):
    names = ("4 floats a thread, blocks of 256", "1 float a thread, blocks of 256", "1 float a thread, blocks of 1024")
    blocks = [lesson.table("controls_copies").at(name, "Blocks") for name in names]
    return rising(floats(lesson, *names)) and blocks[0] == blocks[2]


@claim("00", "to load every second element, the kernel needs twice as many sectors, but the copy takes only")
def _(lesson):
    sizes = {row[1] for row in copies(lesson).rows}
    kinds = ("every second element", "every element, by the strided kernel")
    ratios = [copies(lesson).at((kinds[0], n), "Median ms") / copies(lesson).at((kinds[1], n), "Median ms") for n in sizes]
    counts = lesson.table("counts", "--variant copies")
    sectors = [counts.at(kind, "Sectors") for kind in kinds]
    return len(ratios) == 3 and all(1.07 < ratio < 1.13 for ratio in ratios) and 1.9 < sectors[0] / sectors[1] < 2.1
