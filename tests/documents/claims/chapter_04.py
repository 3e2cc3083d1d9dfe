# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
"""What the lesson of chapter 04 says about its tables."""

from claims.lessons import alike, claim


@claim("04", "If the taps are already in constant memory, you gain a little, and a copy in every call costs more than this gain.")
def _(lesson):
    table = lesson.table("04_constant", "work=A")
    old = table.at("02 direct", "Median ms")
    there, copied = (table.at(f"04 {how}", "Median ms") for how in ("constant_loaded", "constant"))
    return 0.9 * old < there < old and copied - there > old - there


@claim("04", "`parameter_taps` needs no copy, and is practically as fast as `constant_loaded`:")
def _(lesson):
    table = lesson.table("04_constant", "work=A")
    return alike([table.at(f"04 {how}", "Median ms") for how in ("parameter_taps", "constant_loaded")], 0.01)


@claim("04", "On an H200, constant memory gains almost nothing on workload A, and it loses on workload B, whose filter has 1025 taps.")
def _(lesson):
    works = {work: lesson.table("04_constant", f"work={work}") for work in "AB"}
    there = {work: t.at("04 constant_loaded", "Median ms") / t.at("02 direct", "Median ms") for work, t in works.items()}
    return 0.95 < there["A"] < 1 < there["B"]


@claim("04", "constant memory *loses* to chapter 02. `constant` and `constant_loaded` are practically tied,")
def _(lesson):
    table = lesson.table("04_constant", "work=B")
    rows = [table.at(f"04 {how}", "Median ms") for how in ("constant_loaded", "constant")]
    return min(rows) > table.at("02 direct", "Median ms") and alike(rows, 0.01)


def by_taps(lesson, title):
    table = lesson.table("04_constant", "table=taps")
    return dict(zip(table.column("Taps"), table.column(title)))


@claim("04", "Up to a few hundred taps, `direct` and `constant_loaded` are practically tied. With a thousand taps or more, chapter 02 is faster.")
def _(lesson):
    direct, constant = (by_taps(lesson, f"{name} (ms)") for name in ("02 direct", "04 constant_loaded"))
    ratios = {taps: direct[taps] / constant[taps] for taps in direct}
    few, many = [r for t, r in ratios.items() if t < 1000], [r for t, r in ratios.items() if t >= 1000]
    return all(0.97 < r < 1.03 for r in few) and all(r < 0.97 for r in many)


@claim("04", "At 65 taps, it needs only 50% to 60% of the other versions' time, and with 129 taps or more, it is the slowest.")
@claim("04", "In the lesson's table, it is ahead at 65 taps and far behind at 129.")
def _(lesson):
    interior = by_taps(lesson, "04 constant_interior (ms)")
    others = [by_taps(lesson, f"{v} (ms)") for v in ("02 direct", "04 constant_loaded", "04 parameter_taps")]
    return all(0.5 < interior[65] / other[65] < 0.6 for other in others) and all(
        interior[taps] > 1.5 * other[taps] for other in others for taps in interior if taps >= 129
    )


@claim("04", "At 65 taps, `constant_interior` reaches 17% of the rate, and `constant_loaded` reaches less than 10%.")
def _(lesson):
    b = lesson.table("04_constant", "work=B")
    row = "04 parameter_taps"
    most = 1025 * 2**24 / (b.at(row, "Median ms") * b.at(row, "Of limit"))  # multiply-adds in a millisecond
    shares = [65 * 2**22 / by_taps(lesson, f"04 {v} (ms)")[65] / most for v in ("constant_interior", "constant_loaded")]
    return round(100 * shares[0]) == 17 and shares[1] < 0.1


@claim("04", "Up to 65 taps, it is the time of a copy, and with 129 taps or more, it is the time of the multiply-adds.")
def _(lesson):
    limit = {t: share * ms for (t, share), ms in zip(by_taps(lesson, "02 of limit").items(), by_taps(lesson, "02 direct (ms)").values())}
    return alike([limit[t] for t in (5, 17, 65)], 0.03) and limit[257] > 1.9 * limit[129] > 1.9 * limit[65]


@claim("04", "When the warps are in step, constant memory takes about as long as global memory,")
def _(lesson):
    table = lesson.table("04_constant", "table=walks")
    return alike([table.at(("all warps in step", m), "Median ms") for m in ("constant", "global")], 0.15)


@claim("04", "the loss begins at about the same size as in these walks.")
def _(lesson):
    table = lesson.table("04_constant", "table=sizes")
    apart = {row[0]: float(row[2]) / float(row[1]) for row in table.rows}
    return all(r < 1.03 for b, r in apart.items() if float(b.replace(",", "")) <= 2048) and apart["4096"] > 1.03


@claim("04", "**Lanes apart** are as slow as the count predicts: 32 addresses cost 32 turns, at every size.")
def _(lesson):
    table = lesson.table("04_constant", "table=sizes")
    return all(25 < float(row[3]) / float(row[1]) < 35 for row in table.rows)


@claim("04", "From the second call onward, the difference almost disappears.")
def _(lesson):
    table = lesson.table("04_constant", "table=first_calls")
    ratio = [table.at((n, "global"), 2) / table.at((n, "constant"), 2) for n in "123"]
    return ratio[0] > 1.5 and all(0.9 < r < 1.1 for r in ratio[1:])


def profile(lesson, version):
    return lesson.table("06_profile", f"variant={version}")


@claim("04", "`direct` uses about 90% of the issue slots.")
def _(lesson):
    return 85 < profile(lesson, "direct").at("direct", "Issue slots used (%)") < 95


@claim("04", "`constant_loaded` executes about 10% fewer instructions than `direct`. However, its warps wait mainly for a place in the queue")
def _(lesson):
    rows = {v: profile(lesson, v) for v in ("direct", "constant_loaded")}
    executed, queue = (
        {v: rows[v].at(v, title) for v in rows} for title in ("Instructions per warp", "for a place in that queue")
    )
    return 0.85 < executed["constant_loaded"] / executed["direct"] < 0.95 and queue["constant_loaded"] > queue["direct"] + 1


def price(lesson, load, lanes, taps=None):
    row = (load, lanes) if taps is None else (load, lanes, taps)
    return lesson.table("controls_request_prices").at(row, "Cycles")


@claim("04", "a request [measured by itself](more.md#what-a-request-costs) costs two cycles in constant memory and one in L1.")
@claim("04", "(`LDG`, `LDS`), a request takes one cycle, and slightly more if its words are in five sectors.")
def _(lesson):
    ones = [price(lesson, load, lanes) for load in ("LDG", "LDS") for lanes in ("one word", "32 words side by side")]
    sectors = price(lesson, "LDG", "32 words side by side, in five sectors")
    return 1.95 < price(lesson, "LDC", "one word") < 2.1 and 1 <= min(ones) and max(ones) < 1.06 < sectors < 1.2


@claim("04", "every word that lanes read costs one turn, and a turn takes two cycles. It takes no longer if it delivers two neighboring words (`LDC.64`).")
def _(lesson):
    words = [(1, "one word"), (2, "2 words"), (4, "4 words"), (8, "8 words"), (32, "32 words side by side")]
    turns = [price(lesson, "LDC", lanes) / count for count, lanes in words]
    turns += [price(lesson, "LDC.64", lanes) / count for count, lanes in ((1, "one pair"), (4, "4 pairs"), (8, "8 pairs"))]
    return 1.95 < min(turns) and max(turns) < 2.1


@claim("04", "64 taps take about half a cycle each. The more taps you have, the more each tap costs.")
def _(lesson):
    cycles = [price(lesson, "ULDC", "one word", taps) for taps in ("64", "96", "128", "256", "1024", "4096")]
    return 0.4 < cycles[0] < 0.7 and all(a < b for a, b in zip(cycles, cycles[1:]))


@claim("04", "In a loop with the test for ghosts, the source of the taps makes almost no difference, because instructions are also a limit.")
@claim("04", "The missing test and the uniform load each gain little alone, as [two controls]")
def _(lesson):
    parts = lesson.other("05").table("controls_inner_loop")
    tests, no_tests = ([parts.at((test, tap, "global"), "Median ms") for tap in ("LDG", "LDC", "ULDC")] for test in ("yes", "no"))
    return max(tests) < 1.1 * min(tests) and min(no_tests[:2]) > 0.85 * min(tests) and no_tests[2] < 0.65 * min(no_tests[:2])


@claim("04", "All kernels in the next table reach about 80% of the limit.")
def _(lesson):
    shares = lesson.table("04_constant", "work=A").column("Of limit")
    return 0.75 < min(shares) and max(shares) < 0.85


@claim("04", "Per product, `constant_interior` executes 2.9 instructions, and `constant_loaded` executes 7.8. Both load one sample per product.")
def _(lesson):
    table = lesson.table("loops.csv")
    interior, loaded = (table.at(f"04 {name}", "For each tap") for name in ("constant_interior", "constant_loaded"))
    return (interior, loaded) == (2.9, 7.8) and table.at("04 constant_interior", "LDG") == 16
