# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
"""What the lesson of chapter 04 says about its tables."""

import re

from claims.lessons import alike, claim


@claim("04", "With the taps already there, a little is gained; the copy in every call costs more than that.")
def _(lesson):
    table = lesson.table("04_constant", "work=A")
    old = table.at("02 direct", "Median ms")
    there, copied = (table.at(f"04 {how}", "Median ms") for how in ("constant_loaded", "constant"))
    return 0.9 * old < there < old and copied - there > old - there


@claim("04", "On an H200 it gains next to nothing in work A, and it loses in work B, whose filter is longer than the constant cache.")
def _(lesson):
    works = {work: lesson.table("04_constant", f"work={work}") for work in "AB"}
    there = {work: t.at("04 constant_loaded", "Median ms") / t.at("02 direct", "Median ms") for work, t in works.items()}
    return 0.95 < there["A"] < 1 < there["B"]


@claim("04", "Here constant memory *loses* to chapter 02. `constant` and `constant_loaded` are alike,")
def _(lesson):
    table = lesson.table("04_constant", "work=B")
    rows = [table.at(f"04 {how}", "Median ms") for how in ("constant_loaded", "constant")]
    return min(rows) > table.at("02 direct", "Median ms") and alike(rows, 0.01)


def by_taps(lesson, title):
    table = lesson.table("04_constant", "table=taps")
    return dict(zip(table.column("Taps"), table.column(title)))


@claim("04", "Up to hundreds of taps `direct` and `constant_loaded` are as good as equal; from a thousand on chapter 02 is ahead.")
def _(lesson):
    direct, constant = (by_taps(lesson, f"{name} (ms)") for name in ("02 direct", "04 constant_loaded"))
    ratios = {taps: direct[taps] / constant[taps] for taps in direct}
    few, many = [r for t, r in ratios.items() if t < 1000], [r for t, r in ratios.items() if t >= 1000]
    return all(0.97 < r < 1.03 for r in few) and all(r < 0.97 for r in many)


@claim("04", "At 65 taps it takes little more than half of the time of the others, and from 129 taps on it is the slowest.")
@claim("04", "in the lesson's table it is ahead at 65 taps and far behind at 129.")
def _(lesson):
    interior = by_taps(lesson, "04 constant_interior (ms)")
    others = [by_taps(lesson, f"{v} (ms)") for v in ("02 direct", "04 constant_loaded", "04 parameter_taps")]
    return all(0.5 < interior[65] / other[65] < 0.6 for other in others) and all(
        interior[taps] > 1.5 * other[taps] for other in others for taps in interior if taps >= 129
    )


@claim("04", "At 65 taps `constant_interior` reaches 17 % of that rate, and `constant_loaded` less than 10 %.")
def _(lesson):
    b = lesson.table("04_constant", "work=B")
    row = "04 parameter_taps"
    most = 1025 * 2**24 / (b.at(row, "Median ms") * b.at(row, "Of limit"))  # multiply-adds in a millisecond
    shares = [65 * 2**22 / by_taps(lesson, f"04 {v} (ms)")[65] / most for v in ("constant_interior", "constant_loaded")]
    return round(100 * shares[0]) == 17 and shares[1] < 0.1


@claim("04", "is the larger of two, the copy up to 65 taps and the multiply-adds from 129 on")
def _(lesson):
    limit = {t: share * ms for (t, share), ms in zip(by_taps(lesson, "02 of limit").items(), by_taps(lesson, "02 direct (ms)").values())}
    return alike([limit[t] for t in (5, 17, 65)], 0.03) and limit[257] > 1.9 * limit[129] > 1.9 * limit[65]


@claim("04", "in step, constant memory takes about as long as global memory.")
def _(lesson):
    table = lesson.table("04_constant", "table=walks")
    return alike([table.at(("all warps in step", m), "Median ms") for m in ("constant", "global")], 0.15)


@claim("04", "the loss begins with filters of about the size at which it begins here.")
def _(lesson):
    table = lesson.table("04_constant", "table=sizes")
    apart = {row[0]: float(row[2]) / float(row[1]) for row in table.rows}
    return all(r < 1.03 for b, r in apart.items() if float(b.replace(",", "")) <= 2048) and apart["4096"] > 1.03


@claim("04", "**And lanes apart** are as bad as the count said: 32 addresses are 32 turns, at every size.")
def _(lesson):
    table = lesson.table("04_constant", "table=sizes")
    return all(25 < float(row[3]) / float(row[1]) < 35 for row in table.rows)


@claim("04", "In the first calls there is such a difference between global and constant; from the second on next to nothing")
def _(lesson):
    table = lesson.table("04_constant", "table=first_calls")
    ratio = [table.at((n, "global"), 2) / table.at((n, "constant"), 2) for n in "123"]
    return ratio[0] > 1.5 and all(0.9 < r < 1.1 for r in ratio[1:])


def profile(lesson, version):
    return lesson.table("06_profile", f"variant={version}")


@claim("04", "`direct` uses nine of ten issue slots.")
def _(lesson):
    return 85 < profile(lesson, "direct").at("direct", "Issue slots used (%)") < 95


@claim("04", "`constant_loaded` executes about a tenth fewer instructions than `direct`, but waits for a place in the queue that `LDC` shares")
def _(lesson):
    rows = {v: profile(lesson, v) for v in ("direct", "constant_loaded")}
    executed, queue = (
        {v: rows[v].at(v, title) for v in rows} for title in ("Instructions per warp", "for a place in that queue")
    )
    return 0.85 < executed["constant_loaded"] / executed["direct"] < 0.95 and queue["constant_loaded"] > queue["direct"] + 1
