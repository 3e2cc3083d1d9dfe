# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
"""What the lesson of chapter 05 says about its tables."""

from claims.lessons import claim, rising


def by_taps(lesson, title):
    table = lesson.table("05_shared", "by_taps:Taps")
    return dict(zip((int(t) for t in table.column("Taps")), table.column(title)))


def fastest(lesson):
    """{taps: the version that takes the least time}."""
    table = lesson.table("05_shared", "by_taps:Taps")
    columns = {title: by_taps(lesson, title) for title in table.titles if title[:2].isdigit()}
    return {taps: min(columns, key=lambda title: columns[title][taps]) for taps in columns["05 shared"]}


@claim("05", "On an H200, this technique wins with 64 taps or more and loses with short filters")
@claim("05", "chapter 04 has the fastest version up to 33 taps. With 64 taps or more, the fastest version is in this chapter")
def _(lesson):
    return all(version.startswith("05" if taps >= 64 else "04") for taps, version in fastest(lesson).items())


@claim("05", "we gain most from the simpler loop, and a smaller part from shared memory")
def _(lesson):
    titles = ("04 constant_loaded (ms)", "04 constant_interior", "05 shared_loaded")
    tested, uniform, staged = (by_taps(lesson, title)[64] for title in titles)
    return 0.5 < uniform / tested < 0.6 and 0.87 < staged / uniform < 0.93


@claim("05", "memory can deliver less than 22 bytes per output, which means that the caches answer at least three quarters")
def _(lesson):
    share = lesson.table("05_shared", "work=A").at("02 direct", "Of limit")
    return share > 0.75 and 16 / share < 88 / 4  # bytes in the time that it takes, of those that it asks for


@claim("05", "Each version of this chapter takes longer than the versions of chapters 02 and 04:")
def _(lesson):
    a = lesson.table("05_shared", "work=A")
    fives = [a.at(row[0], "Median ms") for row in a.rows if row[0].startswith("05")]
    return min(fives) > max(a.at(row[0], "Median ms") for row in a.rows if row[0].startswith(("02", "04")))


@claim("05", "`shared`, with one launch per part, is the fastest. `shared_loaded` is far behind, and so is `constant_interior`:")
def _(lesson):
    times = {row[0]: float(row[1]) for row in lesson.table("05_shared", "work=B").rows}
    far = times.pop("05 shared_loaded"), times.pop("04 constant_interior")
    return min(times, key=times.get) == "05 shared" and min(far) > 3 * max(times.values())


@claim("05", "it is faster than `constant_loaded` with 33 taps or more, but still takes more than 75% of that version's time:")
def _(lesson):
    staged, four = by_taps(lesson, "05 shared_chunked"), by_taps(lesson, "04 constant_loaded (ms)")
    return all(0.75 < staged[t] / four[t] < 1 for t in staged if t >= 33) and staged[17] > four[17]


@claim("05", "the row for 128 taps: `shared_loaded` is suddenly the slowest version of all, although no version makes fewer loads")
def _(lesson):
    ahead = {taps for taps, version in fastest(lesson).items() if version == "05 shared_loaded"}
    titles = ("04 constant_loaded (ms)", "04 constant_interior", "05 shared_loaded", "05 shared", "05 shared_chunked")
    times = {title: by_taps(lesson, title) for title in titles}
    slow = {taps for taps in times["05 shared"] if max(titles, key=lambda title: times[title][taps]) == "05 shared_loaded"}
    slowest = max(lesson.table("05_shared", "work=B").rows, key=lambda row: float(row[1]))[0]
    return ahead == {64, 96} and slow == {t for t in times["05 shared"] if t >= 128} and slowest == "05 shared_loaded"


@claim("05", "you can therefore reach only 25% of the arithmetic limit")
def _(lesson):
    b = lesson.table("05_shared", "work=B")
    one_load, two_loads = "05 shared", "05 shared_chunked"
    return b.at(one_load, "Of limit") <= 0.25 and b.at(two_loads, "Of limit") <= 0.125


@claim("05", "On an H200, `shared_neighbors` takes")
def _(lesson):
    table = lesson.table("05_shared", "access=,shared_bytes=", "Version")
    times = [table.at(f"05 shared_{name}", "Median ms") for name in ("side_by_side", "padded", "neighbors")]
    return rising(times)


@claim("05", "At 5 taps, `shared` executes more instructions than `direct`, and its warps wait at the barrier.")
def _(lesson):
    table = lesson.table("06_profile")
    shared, direct = [[table.at(("5 taps", v), title) for title in ("Instructions", "Barrier")] for v in ("shared", "direct")]
    return shared[0] > direct[0] and shared[1] > 1 > direct[1]


@claim("05", "At 65 taps, a scheduler is busy in more than four of five cycles of `shared_loaded`")
def _(lesson):
    table, row = lesson.table("06_profile"), ("65 taps", "shared_loaded")
    return table.at(row, "Issue") > 80 and table.at(row, "Instructions") > 4 * 65 and table.at(row, "Constant cache") < 0.1


@claim("05", "At 1025 taps, `shared_loaded` executes fewer than half of the instructions of `constant_loaded`")
def _(lesson):
    table = lesson.table("06_profile")
    one, four = (("1025 taps", v) for v in ("shared_loaded", "constant_loaded"))
    waits = table.at(one, "Constant cache")
    return table.at(one, "Instructions") < table.at(four, "Instructions") / 2 and waits > 10 * table.at(four, "Barrier") + 10


@claim("05", "in the time that the kernel takes, its instructions need only about one cycle in twenty of each scheduler.")
def _(lesson):
    profile, times = lesson.table("06_profile"), lesson.table("05_shared", "work=B")
    slots = {}
    for name, row in (("shared_loaded", "05 shared_loaded"), ("constant_loaded", "04 constant_loaded")):
        issued = profile.at(("1025 taps", name), "Instructions") * 2**24 / 32 / (132 * 4)  # schedulers of an H200
        slots[name] = issued / (times.at(row, "Median ms") * 1.98e6) / (profile.at(("1025 taps", name), "Issue") / 100)
    issue = profile.at(("1025 taps", "shared_loaded"), "Issue") / 100
    return 0.04 < slots["shared_loaded"] * issue < 0.06 and slots["shared_loaded"] < 0.3 and 0.9 < slots["constant_loaded"] < 1.1


def parts(lesson, *row):
    return lesson.table("controls_inner_loop").at(row, "Median ms")


TAPS, PLACES = ("LDG", "LDC", "ULDC"), ("global", "shared")


@claim("05", "So you have to remove the test and the requests for taps together: removing either one gains at most an eighth.")
def _(lesson):
    test = [parts(lesson, "no", tap, place) / parts(lesson, "yes", tap, place) for tap in TAPS[:2] for place in PLACES]
    request = [parts(lesson, "yes", "ULDC", place) / parts(lesson, "yes", tap, place) for tap in TAPS[:2] for place in PLACES]
    both = parts(lesson, "no", "ULDC", "global") / parts(lesson, "yes", "LDC", "global")
    return min(test + request) > 7 / 8 and both < 0.65


@claim("05", "**With the test**, all loops take about the same time, no matter how the tap is loaded.")
def _(lesson):
    times = [parts(lesson, "yes", tap, place) for tap in TAPS for place in PLACES]
    return max(times) < 1.1 * min(times)


@claim("05", "With `ULDC`, the instructions are the limit. With `LDC` and `LDG`, the requests wouldn't allow much more speed either.")
def _(lesson):
    without = [parts(lesson, "no", tap, "global") / parts(lesson, "yes", tap, "global") for tap in TAPS]
    return 0.85 < min(without[:2]) and max(without[:2]) < 1 and without[2] < 0.6


@claim("05", "the loop with `ULDC` takes 55% to 60% of the time of a loop with `LDC` or `LDG`")
@claim("05", "**Samples in shared memory** gain about 8% once the test and the requests for taps are gone.")
def _(lesson):
    times = {sample: [parts(lesson, "no", tap, sample) for tap in TAPS] for sample in PLACES}
    ratios = [uniform / lane for *lanes, uniform in times.values() for lane in lanes]
    return all(0.55 < ratio < 0.6 for ratio in ratios) and 0.915 < times["shared"][-1] / times["global"][-1] < 0.925


@claim("05", "The barrier alone causes [about half of the loss]")
@claim("05", "Without its barrier, `shared` falls behind `direct` by less than half as much.")
def _(lesson):
    tile = lesson.table("controls_tile_barrier")
    direct, whole, without = (tile.at(row, "Median ms") for row in ("02 direct", ("05 shared", "of the block"), ("05 shared", "left out")))
    return 0 < without - direct < (whole - direct) / 2 and 0.4 < (whole - without) / (whole - direct) < 0.6


@claim("05", "but it also needs a halo for each warp, so it gains little.")
@claim("05", "the barriers cost only about 1% of the time.")
def _(lesson):
    tile = lesson.table("controls_tile_barrier")
    warp, block = tile.at("05 shared, a tile for each warp", "Median ms"), tile.at(("05 shared", "of the block"), "Median ms")
    with_barriers, without = (tile.at(("06 register_blocked", barrier), "Median ms") for barrier in ("of the block", "left out"))
    return 0.95 < warp / block < 1.05 and 1.005 < with_barriers / without < 1.015


@claim("05", "A barrier after each body keeps the warps of a block together, and it makes this loop several times as fast.")
@claim("05", "bodies of 32 and of 64 taps need no barrier.")
@claim("05", "there is no cliff. With 64 taps, a barrier changes little.")
def _(lesson):
    cliff = lesson.table("controls_cliff")
    plain = cliff.at("as nvcc unrolls it", "Median ms")
    at = {(taps, barrier): cliff.at((f"{taps} taps", barrier), "Median ms") for taps, barrier in ((16, "no"), (16, "yes"), (32, "no"), (64, "no"), (64, "yes"))}
    return (0.97 < at[16, "no"] / plain < 1.03 and 3 < at[16, "no"] / at[16, "yes"] < 8 and at[32, "no"] < plain / 10 and
            at[64, "no"] < plain / 10 and 0.9 < at[64, "yes"] / at[64, "no"] < 1.1)


@claim("05", "With 5 taps, `shared` makes only 20% of chapter 04's loads and still takes")
def _(lesson):
    times = lesson.table("05_shared", "work=A")
    return times.at("05 shared", "Median ms") > 1.1 * times.at("04 constant_loaded", "Median ms")


@claim("05", "A loop with the test has 7.5 to 9 instructions for each tap, and a loop without it has 2.9 to 3.6")
def _(lesson):
    table = lesson.table("loops.csv")
    with_test, without = (table.column("For each tap", Test=answer) for answer in ("yes", "no"))
    return (min(with_test), max(with_test), min(without), max(without)) == (7.5, 9, 2.9, 3.6)
