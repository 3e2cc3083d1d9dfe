# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
"""What the lesson of chapter 13 says about its tables."""

from claims.lessons import claim


def versions(lesson):
    table = lesson.table("measured", "work=B")
    return {row[0][3:]: float(row[1]) for row in table.rows}


@claim("13", "One kernel alone gains nothing: `radix_2` takes twice as long as chapter 07's four passes.")
def _(lesson):
    table = lesson.table("measured", "work=B")
    return 1.8 < table.at("13 radix_2", "Median ms") / table.at("07 overlap_save", "Median ms") < 2.2


@claim("13", "Padding halves the time of `radix_16`, and without it radix 16 is slower than radix 4.")
def _(lesson):
    ms = versions(lesson)
    return ms["radix_16_padded"] < 0.55 * ms["radix_16"] and ms["radix_16"] > ms["radix_4"]


@claim("13", "`one_pass` needs less than a half of the time of `radix_16_padded`.")
def _(lesson):
    ms = versions(lesson)
    return ms["one_pass"] < 0.5 * ms["radix_16_padded"]


@claim("13", "with very few taps: chapter 06 is then [at the copy limit](../06_register_tiling/more.md#work-a)")
def _(lesson):
    return lesson.other("06").table("measured", "work=A,chapter=06").at("06 register_tiled", "Of limit") > 0.97


@claim("13", "The shortest segment that holds the filter is the fastest. With 5 taps the prices choose chapter 06.")
def _(lesson):
    table = lesson.table("measured", "table=segments")
    for row in table.rows:
        times = [float(cell) for cell in row[2:7] if cell]
        if times[0] != min(times) or not times[0] < 0.6 * float(row[1]):
            return False
    return [row[7][:2] for row in table.rows] == ["06"] + ["13"] * (len(table.rows) - 1)


@claim("13", "On an H200 a call with a new filter takes less than half of the time of chapter 07's.")
def _(lesson):
    table = lesson.table("measured", "work='new filter'")
    half = len(table.rows) // 2
    ours, before = ([float(r[2]) for r in table.rows if r[0].startswith(n)] for n in ("13", "07"))
    return len(ours) == half and all(0.25 < o / b < 0.5 for o, b in zip(ours, before))


@claim("13", "with 4,097 taps it takes a quarter longer than segments of 8,192, and with fewer taps more than segments of 4,096.")
def _(lesson):
    table = lesson.table("13_one", "table=segments")
    return 1.2 < table.at("4097", "16384") / table.at("4097", "8192") < 1.3 and all(
        table.at(taps, "16384") > table.at(taps, "4096") for taps in ("5", "65", "513", "1025")
    )


@claim("13", "All three together save about one percent, and one or two alone cost some")
def _(lesson):
    table = lesson.table("controls_callbacks")
    without, one, two, three = (float(row[1]) for row in table.rows)
    return 0.005 < 1 - three / without < 0.02 and min(one, two) > without
