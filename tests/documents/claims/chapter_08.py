# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
"""What the lesson of chapter 08 says about its tables."""

from claims.lessons import Lesson, alike, claim


def starts(lesson, *row):
    return lesson.table("08_dct8x8", "starts_ms").at(row if len(row) > 1 else row[0], "Median ms")


def both(lesson, size, version, title):
    table = lesson.table("08_dct8x8", f"where=width={size}")
    return [table.at((direction, version), title) for direction in ("forward", "inverse")]


@claim("08", "`square` needs 3.5 times as many loads as `separable`, and takes about twice as long")
def _(lesson):
    table = lesson.table("08_dct8x8", "work=filter")
    return 0.4 < table.at("08 separable", "Median ms") / table.at("08 square", "Median ms") < 0.6


@claim("08", "Two passes that only *copy* one value per thread would already take about 80% of the time that `separable` takes")
def _(lesson):
    passes = 2 * starts(lesson, "copies a value", "256")
    return 0.75 < passes / lesson.table("08_dct8x8", "work=filter").at("08 separable", "Median ms") < 0.85


@claim("08", "Still, two passes are far from the copy limit.")
def _(lesson):
    return lesson.table("08_dct8x8", "work=filter").at("08 separable", "Of limit") < 0.4


@claim("08", "`fused`, with [both passes in one kernel](more.md#both-passes-in-one-kernel), takes")
def _(lesson):
    table = lesson.table("08_dct8x8", "work=filter")
    return table.at("08 fused", "Median ms") < 0.5 * table.at("08 separable", "Median ms")


@claim("08", "it takes about four times as long as the kernel in the last row needs for all its work.")
@claim("08", "On an H200, just starting its thread blocks takes four times as long as the whole transform of a better kernel.")
def _(lesson):
    return 3.4 < starts(lesson, "nothing", "64") / starts(lesson, "08 columns") < 4.6


@claim("08", "With 256 threads per block, the empty kernel has a quarter of the blocks and takes about a quarter of the time.")
def _(lesson):
    return 0.2 < starts(lesson, "nothing", "256") / starts(lesson, "nothing", "64") < 0.3



@claim("08", "the device can start about the same number of blocks per microsecond, whether they are large or small.")
def _(lesson):
    table = lesson.table("08_dct8x8", "starts_ms")
    rates = [table.at(("nothing", threads), "Blocks / us") for threads in ("64", "256")]
    return alike(rates, 0.15) and rates[0] > 1.2 * table.at(("08 per_coefficient", "64"), "Blocks / us")


@claim("08", "an H200 moves 2125 bytes while it starts one block.")
def _(lesson):
    started = lesson.table("08_dct8x8", "starts_ms").at(("nothing", "64"), "Blocks / us")
    time, of_limit = (both(lesson, 2592, "08 columns", column)[0] for column in ("Median ms", "Of limit"))
    moved = 8 * 2592**2 / (time * of_limit * 1e3)
    return alike([started, 1600], 0.03) and alike([moved, 3.4e6], 0.03) and 3.4e6 / 1600 == 2125


@claim("08", "`per_coefficient` takes longer than the same number of empty blocks.")
def _(lesson):
    return starts(lesson, "08 per_coefficient") > 1.2 * starts(lesson, "nothing", "64")


@claim("08", "it takes only slightly longer than copying a value.")
def _(lesson):
    ours, copy = starts(lesson, "08 shared_matrix"), starts(lesson, "copies a value", "64")
    return alike([ours, copy], 0.04) and starts(lesson, "08 per_coefficient") > 1.2 * ours


@claim("08", "Eight threads per 8x8 block come within a few percent of the copy limit, in both directions.")
def _(lesson):
    return min(both(lesson, 2592, "08 columns", "Of limit")) > 0.93


@claim("08", "With 64 threads, you are far from this limit.")
def _(lesson):
    versions = ("08 textured", "08 per_coefficient", "08 shared_matrix")
    return max(share for each in versions for share in both(lesson, 2592, each, "Of limit")) < 0.4


@claim("08", "The inverse with its matrix in constant memory is the slowest on the device")
def _(lesson):
    forward, inverse = both(lesson, 2592, "08 per_coefficient", "Median ms")
    return inverse > 1.3 * forward and inverse > 1.3 * max(both(lesson, 2592, "08 shared_matrix", "Median ms"))


@claim("08", "A texture makes the forward transform only slightly faster than `per_coefficient`, and the inverse no faster")
def _(lesson):
    pairs = zip(both(lesson, 2592, "08 textured", "Median ms"), both(lesson, 2592, "08 per_coefficient", "Median ms"))
    forward, inverse = (textured / loaded for textured, loaded in pairs)
    return 0.95 < forward < 1 and 0.99 < inverse < 1.01 and starts(lesson, "08 textured") < 1


@claim("08", "and the slowest takes hundreds of times as long as the fastest.")
def _(lesson):
    slowest, fastest = (both(lesson, 2592, f"08 {name}", "Median ms")[0] for name in ("definition", "dct_all_cores"))
    return 200 < slowest / fastest < 1000


@claim("08", "From pageable memory, they take several times as long as the transform on the host's cores (`08 dct_all_cores`),")
def _(lesson):
    cores = max(both(lesson, 2592, "08 dct_all_cores", "Median ms"))
    copies = lesson.table("08_dct8x8", "variant=columns").column("Pageable copies there and back (ms)", Width="2592")
    return 3 < min(copies) / cores and max(copies) / cores < 9


@claim("08", "and from pinned memory they take about as long.")
def _(lesson):
    table = lesson.table("08_dct8x8", "variant=columns")
    pinned = [table.column("Pinned copies there and back (ms)", Width=width) for width in ("2592", "16,384")]
    cores = [both(lesson, size, "08 dct_all_cores", "Median ms") for size in (2592, 16384)]
    return all(0.75 < a / b < 1.33 for p, c in zip(pinned, cores) for a, b in zip(p, c))


@claim("08", "The copies take far longer than the transform.")
def _(lesson):
    rows = lesson.table("08_dct8x8", "variant=columns").rows
    return min(float(row[4].replace(",", "")) / float(row[2].replace(",", "")) for row in rows) > 20


@claim("08", "The larger picture doesn't help the kernels with 64 threads per block, because the number of blocks that they start grows with the number of pixels.")
def _(lesson):
    small, large = (both(lesson, size, "08 per_coefficient", "Of limit") for size in (2592, 16384))
    return all(b < a for a, b in zip(small, large))


@claim("08", "Here too, `08 columns` comes within a few percent of the copy limit")
def _(lesson):
    return min(both(lesson, 16384, "08 columns", "Of limit")) > 0.95


@claim("08", "At that price, the turns of the inverse take about 90% of its time, and the turns of the forward kernel take about 80% of its time.")
def _(lesson):
    walk = Lesson("04").table("04_constant", "table=walks").at(("each lane elsewhere", "constant"), "Median ms")
    turn = walk / (16384 * 64 * 32)  # of a multiprocessor: reads, warps, turns of a read
    warps = 2 * (2592 // 8) ** 2 / 132
    forward, inverse = both(lesson, 2592, "08 per_coefficient", "Median ms")
    return 0.87 < 16 * 6 * warps * turn / inverse < 0.95 and 0.77 < 8 * 6 * warps * turn / forward < 0.87


def turns(lesson, *row):
    return lesson.table("controls_dct_turns").at(row, "Median ms")


@claim("08", "With the same requests, both directions take the same time.")
@claim("08", "With the matrix in shared memory, the kernel takes only slightly longer than blocks that do nothing.")
def _(lesson):
    matrices = ("pairs", "singles", "shared memory")
    same = all(alike([turns(lesson, way, matrix) for way in ("forward", "inverse")], 0.02) for matrix in matrices)
    pairs, singles, shared = (turns(lesson, "forward", matrix) for matrix in matrices)
    return same and singles > 1.6 * pairs and pairs > 1.3 * shared and shared < 1.06 * turns(lesson, "none", "none")


@claim("08", "As a result, the forward kernel makes 8 requests where the inverse makes 16.")
def _(lesson):
    table = lesson.table("loops.csv")
    return [table.at(way, load) for way in ("forward", "inverse") for load in ("LDC", "LDC.64")] == [0, 8, 16, 0]
