# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
"""What the lesson of chapter 06 says about its tables."""

from claims.lessons import Lesson, alike, claim


def roofs(table, column):
    """What memory and multiply-adds allow. (Records until 2026-11-20 call these rows by other names.)"""
    names = ("memory roof", "FMA roof", "what memory allows", "what arithmetic allows")
    return [float(row[column]) for row in table.rows if row[0] in names]


@claim("06", "With 1025 taps, it reaches")
def _(lesson):
    table = lesson.table("06_register", "table=roofline")
    best = [max(float(row[c]) for row in table.rows if row[0].startswith("06") and row[c]) for c in (2, 6)]
    return best[0] > 0.96 and 0.87 < best[1] < 0.95


@claim("06", "For doubles, the tensor roof is about twice the FMA roof.")
def _(lesson):
    table = lesson.table("06_register", "table=roofline")
    a, taps_65 = (float(table.at("tensor roof", c)) / float(table.at("FMA roof", c)) for c in (1, 3))
    return 1.6 < a < 2.2 and taps_65 > 3


@claim("06", "`vectors` is at the roof")
def _(lesson):
    return lesson.table("06_register", "table=roofline").at("06 vectors", 2) > 0.96


@claim("06", "`constant_operands` reaches about 90%.")
def _(lesson):
    return 0.87 < lesson.table("06_register", "table=roofline").at("06 constant_operands", 6) < 0.95


@claim("06", "**65 taps**: both limits are nearly the same here")
def _(lesson):
    table = lesson.table("06_register", "table=roofline")
    versions = [row for row in table.rows if row[0][:2].isdigit() and row[4]]
    first = max(versions, key=lambda row: float(row[4]))[0]
    return alike(roofs(table, 3), 0.1) and first in ("06 prefetched", "06 register_tiled")


@claim("06", "At each of the three, a version of chapter 06 stands highest.")
def _(lesson):
    table = lesson.table("06_register", "table=roofline")
    versions = [row for row in table.rows if row[0][:2].isdigit()]
    return all(max((r for r in versions if r[c]), key=lambda r: float(r[c]))[0].startswith("06") for c in (1, 3, 5))


@claim("06", "Chapters 02 to 05 stay below a quarter of the limit, as they must")
def _(lesson):
    table = lesson.table("06_register", "work=B,chapter=06")
    before = [float(row[4]) for row in table.rows if row[0][:2] in ("02", "03", "04", "05")]
    return max(before) < 0.25 and table.at("06 register_tiled", "Of limit") > 2 * max(before)


@claim("06", "The difference between `constant_operands` and `register_blocked` is about the same as")
def _(lesson):
    a = lesson.table("06_register", "work=A,chapter=06")
    copy = a.at("06 constant_operands", "Median ms") - a.at("06 register_blocked", "Median ms")
    four = Lesson("04").table("04_constant", "work=A")
    return 0.5 < copy / (four.at("04 constant", "Median ms") - four.at("04 constant_loaded", "Median ms")) < 2


@claim("06", "In addition, nearly every vector is loaded by three neighboring threads. Even so, `vectors` is at the copy limit")
def _(lesson):
    return lesson.table("06_register", "work=A,chapter=06").at("06 vectors", "Of limit") > 0.96


@claim("06", "For each kernel, the shares of the limit are within about 5% of each other,")
def _(lesson):
    table = lesson.table("06_register", "table=sizes")
    kinds = {row[4] for row in table.rows}
    shares = [table.column("Of limit", Kernel=kind) for kind in kinds]
    return all(max(s) - min(s) < 0.05 for s in shares)


@claim("06", "It needs so many registers that it has fewer resident warps than any other version.")
def _(lesson):
    table = lesson.table("06_register", "table=kernels")
    warps = table.column("Warps at a time", Kernel="prefetched")
    return max(warps) < min(float(row[7]) for row in table.rows if row[0] != "prefetched")


@claim("06", "The second version needs fewer registers, which means that more of its warps fit, and yet it is slower.")
def _(lesson):
    table = lesson.table("06_register", "table=window")
    (r1, l1, t1), (r2, l2, t2) = ([float(c) for c in row[1:4]] for row in table.rows)
    return r2 < r1 and t2 > 1.2 * t1 and (l1, l2) == (0, 32)


@claim("06", "without them, `register_blocked` takes [about 1% less time]")
def _(lesson):
    tile = lesson.other("05").table("controls_tile_barrier")
    with_barriers, without = (tile.at(("06 register_blocked", barrier), "Median ms") for barrier in ("of the block", "left out"))
    return 1.005 < with_barriers / without < 1.015


@claim("06", "In the second version, a tap costs nine accesses to local memory, and about 50% more instructions than in the first version.")
def _(lesson):
    table, each = lesson.table("loops.csv"), {}
    for window in ("in registers", "in local memory"):
        taps = table.at(window, "Multiply-adds") / 8
        each[window] = [table.at(window, title) / taps for title in ("Instructions", "Accesses to local memory")]
    (plain, none), (slow, local) = each.values()
    return none == 0 and local == 9 and 1.45 < slow / plain < 1.55
