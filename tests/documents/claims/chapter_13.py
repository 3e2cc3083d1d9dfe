# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
"""What the lesson of chapter 13 says about its tables."""

from claims.lessons import claim


def versions(lesson):
    table = lesson.table("measured", "work=B")
    return {row[0][3:]: float(row[1]) for row in table.rows}


@claim("13", "merging all passes into one kernel gains nothing yet: `radix_2` takes")
def _(lesson):
    table = lesson.table("measured", "work=B")
    return 1.8 < table.at("13 radix_2", "Median ms") / table.at("07 overlap_save", "Median ms") < 2.2


@claim("13", "Without padding, `radix_16` is even slower than `radix_4`")
def _(lesson):
    ms = versions(lesson)
    return ms["radix_16"] > ms["radix_4"]


@claim("13", "with very few taps: chapter 06 is then [at the copy limit](../06_register_tiling/more.md#workload-a)")
def _(lesson):
    return lesson.other("06").table("measured", "work=A,chapter=06").at("06 register_tiled", "Of limit") > 0.97


@claim("13", "but on an H200, the shortest segment that accepts the filter is the fastest. With 5 taps, chapter 06 is even cheaper.")
def _(lesson):
    table = lesson.table("measured", "table=segments")
    for row in table.rows:
        times = [float(cell) for cell in row[2:6] if cell]
        if times[0] != min(times) or not times[0] < 0.6 * float(row[1]):
            return False
    return [row[6][:2] for row in table.rows] == ["06"] + ["13"] * (len(table.rows) - 1)


@claim("13", "Together, the early start and the graph save about 8 microseconds of the short call, more than a third of its time, and about 6 microseconds of the long call. They save less if calls follow each other back to back: about 1.5 microseconds of each short call and about 0.6 microseconds of each long call.")
def _(lesson):
    rows = lesson.table("measured", "work='new filter',chapter=13").rows  # version, samples, call, back to back
    early, after = ([row for row in rows if row[0].startswith(name)] for name in ("13 fastest", "13 one_after"))
    call, back_to_back = ([1000 * (float(a[at]) - float(e[at])) for e, a in zip(early, after)] for at in (2, 3))
    third = float(early[0][2]) / float(after[0][2]) < 2 / 3
    return third and 7.5 < call[0] < 8.5 and 5.5 < call[1] < 6.5 and 1.3 < back_to_back[0] < 1.7 and 0.4 < back_to_back[1] < 0.8


@claim("13", "Schedulers issue an instruction in fewer than 70% of all cycles, and device memory and the multiply-add units are even less busy.")
@claim("13", "Of the recorded waits, *Not selected* is the longest")
def _(lesson):
    table = lesson.table("13_profile")
    columns = {name: [float(x) for x in table.column(name)] for name in table.titles[2:]}
    waits = zip(*(columns[name] for name in table.titles[6:]))
    return (
        max(columns["Issue"]) < 70
        and all(60 < i and m < i and a < i for i, m, a in zip(columns["Issue"], columns["Memory"], columns["Arithmetic"]))
        and all(row[-1] == max(row) for row in waits)
    )


@claim("13", "All three together save about 1%, but one or two of them cost some time")
def _(lesson):
    table = lesson.table("controls_callbacks")
    without, one, two, three = (float(row[1]) for row in table.rows)
    return 0.005 < 1 - three / without < 0.02 and min(one, two) > without


@claim("13", "In a third of all cycles, no instruction is issued, and we don't know why.")
def _(lesson):
    issue = lesson.table("13_profile").at(("1025 taps", "one_pass_4096"), "Issue")
    return 30 < 100 - issue < 38
