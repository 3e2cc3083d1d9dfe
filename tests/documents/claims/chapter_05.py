# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
"""What the lesson of chapter 05 says about its tables."""

import re

from claims.lessons import claim


def by_taps(lesson, title):
    table = lesson.table("05_shared", "by_taps:Taps")
    return dict(zip((int(t) for t in table.column("Taps")), table.column(title)))


@claim("05", "Up to 9 taps, and in work A, chapter 05 needs more time than chapter 04.")
def _(lesson):
    ratios, a = by_taps(lesson, "shared / constant_loaded"), lesson.table("05_shared", "work=A")
    fives = [a.at(row[0], "Median ms") for row in a.rows if row[0].startswith("05")]
    four = a.at("04 constant_loaded", "Median ms")
    return all((r > 1) == (t <= 9) for t, r in ratios.items()) and min(fives) > four


@claim("05", "From 33 taps on it is somewhat faster than chapter 04, no more.")
def _(lesson):
    staged, four = by_taps(lesson, "05 shared_chunked"), by_taps(lesson, "04 constant_loaded (ms)")
    return all(0.75 < staged[t] / four[t] < 1 for t in staged if t >= 33) and staged[17] > four[17]


@claim("05", "From 17 to 96 taps it is the fastest. At 128 it is slower than chapter 04, and in work B it is the slowest")
def _(lesson):
    one, b = by_taps(lesson, "05 shared_loaded"), lesson.table("05_shared", "work=B")
    others = [by_taps(lesson, title) for title in ("04 constant_loaded (ms)", "05 shared", "05 shared_chunked")]
    fastest = {t for t in one if all(one[t] < other[t] for other in others)}
    slowest = max(b.rows, key=lambda row: float(row[1]))[0]
    return fastest == {17, 33, 64, 96} and one[128] > others[0][128] and slowest == "05 shared_loaded"


@claim("05", "by the table, that is worth it from 128 taps on.")
def _(lesson):
    one, parts = by_taps(lesson, "05 shared_loaded"), by_taps(lesson, "05 shared")
    return all((parts[t] < one[t]) == (t >= 128) for t in one)


@claim("05", "a quarter of the arithmetic limit is the most; with the taps in shared memory, too, an eighth.")
def _(lesson):
    b = lesson.table("05_shared", "work=B")
    one_load, two_loads = "05 shared", "05 shared_chunked"
    return b.at(one_load, "Of limit") < 0.25 and b.at(two_loads, "Of limit") < 0.125
